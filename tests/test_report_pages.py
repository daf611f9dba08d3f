"""`bench report`: a page a notebook and an index that leads to them, as a person meets them offline."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from bench import adjudication, cli, notebooks, picker, results
from bench.fault import Fault
from bench.run import Run
from tests.test_adjudication import verdict
from tests.test_browser import browser, drawn, until, visit  # noqa: F401  (fixtures)
from tests.test_run import carry_out, make
from tests.test_views import run  # noqa: F401  (a fixture)


@pytest.fixture(scope="module")
def published(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:  # noqa: F811
    path = tmp_path_factory.mktemp("published") / "small"
    shutil.copytree(run.path, path)
    adjudication.record(Run.open(path), verdict(1, "system right"))
    said = CliRunner().invoke(cli.app, ["report", str(path), "--clips", "worst:2"])
    assert said.exit_code == 0, said.output
    return Run.open(path)


def test_the_index_has_the_answer_on_top_and_leads_to_every_page(published: Run, visit: Any) -> None:  # noqa: F811
    page = visit(published.path / "report" / "index.html")
    assert page.locator("main h2").first.inner_text() == "The answer"
    assert "1 verdict by 1 person" in page.locator("main").inner_text()
    drawn(page)
    links = page.locator("main li a[href$='.html']")
    there = links.evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert {f"{name}.html" for name in ("audition", "explore", "latency", "panel", "scoring")} <= set(there)
    assert {path.name for path in (published.path / "report").iterdir()} == {"index.html", "made-from", *there}
    first = page.locator("main > *").first
    assert first.bounding_box()["y"] < 600
    assert "Clips: Audition · " in first.inner_text()
    named = first.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert set(named) == set(there)
    links.filter(has_text="Scoring").click()
    until(page, "document.querySelectorAll('.slices tbody tr').length > 0")
    assert page.title() == "Scoring"
    for name in named:
        page = visit(published.path / "report" / name)
        assert page.locator("main > *").first.locator("a[href='index.html']").inner_text() == "All pages of this run"


def test_every_page_opens_offline_and_fits(published: Run, visit: Any) -> None:  # noqa: F811
    for path in sorted((published.path / "report").glob("*.html")):
        page = visit(path, viewport={"width": 1180, "height": 900})
        drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth") == 1180, path.name
        for chart in page.locator(".chart").all():
            assert chart.locator(".mark-symbol path, .mark-rect path, .mark-line path, .mark-rule line").count() > 0


def test_clips_are_those_that_were_asked_for(published: Run, visit: Any) -> None:  # noqa: F811
    page = visit(published.path / "report" / "audition.html")
    assert page.locator(".takes > li").count() == 2


def test_the_same_run_gives_the_same_pages_and_no_clips_no_page_of_them(published: Run) -> None:
    folder = published.path / "report"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    notebooks.publish(published, clips="worst:2")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert results.published(published) == folder / "index.html"  # up to date, and left as it is
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    notebooks.publish(published, clips="none")
    assert not (folder / "audition.html").exists()
    assert b"audition.html" not in (folder / "index.html").read_bytes()


def test_a_notebook_of_ones_own_is_taken_and_a_faulty_one_named(published: Run, tmp_path: Path) -> None:
    own = """import marimo
app = marimo.App()
@app.cell
def _():
    path = None
    return (path,)
@app.cell
def _(path):
    from bench.part import Prose
    report = [Prose(f"# About {path.name}")]
    return (report,)
"""
    (tmp_path / "own.py").write_text(f'"""What I ask."""\n{own}')
    (sheet,) = notebooks.sheets(published, folder=tmp_path)
    assert (sheet.name, sheet.title, sheet.purpose) == ("own", "Own", "What I ask.")
    assert sheet.parts[0].text == "# About small"  # type: ignore[union-attr]
    (tmp_path / "own.py").write_text(own.replace("path.name", "path.nane"))
    with pytest.raises(Fault, match=r"own.py: The notebook failed on .*nane"):
        list(notebooks.sheets(published, folder=tmp_path))
    with pytest.raises(Fault, match="There are no notebooks here"):
        list(notebooks.sheets(published, folder=tmp_path / "none"))


def test_a_run_in_which_everything_failed_has_its_report(tmp_path: Path) -> None:
    failed = carry_out(make(tmp_path, ["fail", "fail again"]), tmp_path / "runs" / "failed")
    page = notebooks.publish(failed)
    assert "4 of 4" in page.read_text()
    assert "No take came of this run" in (page.parent / "latency.html").read_text()


def test_scores_are_made_once_and_again_when_what_they_rest_on_changes(
    published: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(published.path, tmp_path / "small")
    copy = Run.open(tmp_path / "small")
    fresh = results._scored(copy)
    monkeypatch.setattr(results, "_scored", lambda _: pytest.fail("these scores are there already"))
    pd.testing.assert_frame_equal(results.scores(copy), fresh)
    monkeypatch.undo()
    heard = copy.transcripts_path("rec")
    line = json.loads(heard.read_text().splitlines()[0])
    line["text"] = "something else"
    heard.write_text("\n".join([json.dumps(line), *heard.read_text().splitlines()[1:]]) + "\n")
    again = results.scores(Run.open(copy.path))
    assert "something else" in set(again["transcript"])
    assert len(again) == len(fresh)
    pd.testing.assert_frame_equal(results.kept(Run.open(copy.path)), again)  # what is compared is what the run holds


def test_a_new_index_says_which_pages_are_older(published: Run, tmp_path: Path, visit: Any) -> None:  # noqa: F811
    shutil.copytree(published.path, tmp_path / "small")
    copy = Run.open(tmp_path / "small")
    assert "Older pages" not in (copy.path / results.PAGE).read_text()
    last = copy.path / "takes.jsonl"
    last.write_text(last.read_text() + last.read_text().splitlines()[-1] + "\n")
    page = visit(results.published(copy))
    part = page.locator(".prose", has=page.get_by_role("heading", name="Older pages"))
    assert "bench report makes them anew" in part.inner_text()
    there = {path.name for path in (copy.path / "report").glob("*.html")} - {"index.html"}
    assert set(part.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")) == there
    notebooks.publish(copy)
    assert "Older pages" not in (copy.path / results.PAGE).read_text()


def test_a_notebook_offers_the_runs_by_name_and_the_last_at_first(tmp_path: Path, monkeypatch: Any) -> None:
    for name in ("b", "a"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "protocol.toml").touch()
    (tmp_path / "runs" / "no run").mkdir()
    monkeypatch.chdir(tmp_path)
    assert picker.runs() == {"a": Path("runs/a"), "b": Path("runs/b")}
    assert picker.choice().value == Path("runs/b")
    assert picker.choice(first="a").value == Path("runs/a")
    assert picker.choice(first=None).value is None
    assert picker.NONE not in picker.heading("Scoring", picker.choice()).text
    assert "There is no run yet" in picker.heading("Scoring", picker.choice({})).text
