"""The notebooks as a person meets them: run as a program, exported, and live in a browser."""

from __future__ import annotations

import importlib.util
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import adjudication, report
from bench.run import Run
from tests.test_browser import browser  # noqa: F401  (browser is a fixture)
from tests.test_run import carry_out, make
from tests.test_views import run  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_its_report_for_any_run(path: Path, run: Run) -> None:  # noqa: F811
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    _, defined = notebook.app.run(defs={"path": run.path})
    assert len(report.render(path.stem, defined["report"])) > 10_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_plain_export_of_a_notebook_is_whole(path: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "out.html"
    command = [sys.executable, "-m", "marimo", "export", "html", str(path), "-o", str(out)]
    done = subprocess.run(
        command, cwd=run.path.parents[1], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = out.read_text()
    assert "too large" not in page
    assert "earshot" in page


@pytest.fixture(scope="module")
def served(run: Run) -> Iterator[str]:  # noqa: F811
    """All notebooks, served in the folder that holds `runs`: the run `small`, and `also` of one system and sentence."""
    home = run.path.parents[1]
    carry_out(make(home / "also", ["line 1"]), home / "runs" / "also")
    make(home / "protocols", [f"line {n}" for n in range(400)]).rename(home / "protocols" / "slow.toml")
    quick = make(home / "quick", ["line 1", "line 2"]).read_text()
    (home / "protocols" / "quick.toml").write_text(quick.replace("set.jsonl", "../quick/set.jsonl"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = ["--headless", "--no-token", "--port", str(port)]
    command = [sys.executable, "-m", "marimo", "run", str(ROOT / "notebooks"), *flags]
    with subprocess.Popen(command, cwd=home, env=ENVIRONMENT, stdout=subprocess.DEVNULL) as server:
        while server.poll() is None and not _listens(port):
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def live(served: str, browser: Any) -> Iterator[Any]:  # noqa: F811
    """Opens a notebook by its name."""
    pages = []

    def go(name: str) -> Any:
        page = browser.new_page()
        pages.append(page)
        page.set_default_timeout(30_000)
        page.goto(f"{served}/?file={name}.py")
        return page

    yield go
    for page in pages:
        page.close()


def choose(page: Any, label: str, option: str) -> None:
    page.get_by_label(label, exact=True).first.select_option(label=option)


@pytest.mark.parametrize("name", ["scoring", "latency", "comparison"])
def test_a_live_notebook_shows_the_run_that_is_picked(live: Any, name: str) -> None:
    page = live(name)
    named = page.locator(".figures > div, tbody tr")
    named.filter(has_text="rival").first.wait_for()
    choose(page, "Run", "also")
    named.filter(has_text="rival").first.wait_for(state="detached")
    named.filter(has_text="sut").first.wait_for()


def test_scoring_cuts_the_rows_that_are_chosen(live: Any) -> None:
    page = live("scoring")
    page.get_by_text("48 of 48 rows (all rows)").or_(page.get_by_text("24 of 24 rows (all rows)")).wait_for()
    page.locator("marimo-multiselect", has=page.get_by_text("channel", exact=True)).get_by_role("button").click()
    page.get_by_role("listbox").get_by_role("option", name="g711a+loss=3%", exact=True).click()
    page.get_by_text(re.compile(r"^(24 of 48|12 of 24) rows \(channel: g711a\+loss=3%\)")).wait_for()


def test_explore_shows_the_set_and_the_readings_that_are_picked(live: Any) -> None:
    page = live("explore")
    page.locator(".figures > div", has_text="Segments").filter(has_text="3").wait_for()
    choose(page, "Text set", "run: also")
    page.locator(".figures > div", has_text="Segments").filter(has_text="1").wait_for()
    page.get_by_text("Readings of s0", exact=True).last.wait_for()


def test_the_panel_begins_a_run_and_its_stop_button_stops(live: Any, run: Run) -> None:  # noqa: F811
    page = live("panel")
    choose(page, "Protocol", "slow")
    page.get_by_role("button", name="Begin a run of it").click()
    page.locator(".figures > div", has_text="0 of 400").wait_for()
    page.get_by_role("button", name="Start or go on").click()
    bar = page.locator("[role=status][data-state]")
    page.get_by_text(re.compile(r"^synthesise: [1-9]\d* of 400$")).wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator("[data-state=stopped]").wait_for()
    done = len(Run.open(run.path.parent / "slow").takes())
    assert 0 < done < 400
    page.locator(".figures > div", has_text=f"{done} of 400").wait_for()
    page.wait_for_timeout(1500)
    assert len(Run.open(run.path.parent / "slow").takes()) == done
    assert "Nothing is lost" in bar.inner_text()


def test_the_panel_carries_a_run_out_to_its_end(live: Any) -> None:
    page = live("panel")
    choose(page, "Protocol", "quick")
    page.get_by_role("button", name="Begin a run of it").click()
    page.locator(".figures > div", has_text="0 of 2").wait_for()
    page.get_by_role("button", name="Start or go on").click()
    page.locator("[data-state=finished]").wait_for()
    page.locator(".figures > div", has_text="2 of 2").wait_for()
    page.locator(".figures > div", has_text="4 of 4").wait_for()


def test_audition_plays_on_demand_answers_its_controls_and_keeps_verdicts(live: Any, run: Run) -> None:  # noqa: F811
    page = live("audition")
    page.locator(".take").first.wait_for()
    assert page.locator(".take").count() == 6
    page.locator(".take", has_text="half a second").first.click()
    page.locator(".time", has_text="of 0.50 s").wait_for()  # the sound came and was decoded
    assert page.locator(".alarm").inner_text() == ""
    page.get_by_label("Your name").fill("Ada")
    page.get_by_label("Your name").press("Tab")
    page.get_by_label("system right").click()
    page.locator(".deck .switch button").nth(1).click()  # another channel: what was written stays
    page.locator(".deck .switch [aria-pressed=true]", has_text="g711a").wait_for()
    page.wait_for_timeout(500)
    assert page.get_by_label("Your name").input_value() == "Ada"
    page.get_by_role("button", name=re.compile("^Save the verdict")).click()
    page.get_by_text("Rows of this run with a verdict: 1.").wait_for()
    (kept,) = adjudication.verdicts(run)
    assert (kept.case.segment, kept.verdict, kept.who, kept.channel) == ("s0", "system right", "Ada", "g711a+loss=3%")
    choose(page, "System", "rival")
    page.locator(".player .count", has_text="3 of 3 clips").wait_for()
    page.get_by_label("Segment").fill("HALF")
    page.get_by_label("Segment").press("Tab")
    page.locator(".take").nth(1).wait_for(state="detached")
    assert page.locator(".take").count() == 1
