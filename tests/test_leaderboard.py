"""One page over many runs: what belongs together, what is refused, and that each number is that of its run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from bench import cli, leaderboard, leaderboard_views, notebooks, report, results
from bench.fault import Fault
from bench.journal import write
from bench.listening import make as studies
from bench.listening import simulate
from bench.part import Conflict, Prose, Table
from bench.run import Run
from tests.test_browser import browser, drawn, visit  # noqa: F401  (fixtures)
from tests.test_run import carry_out, make

TEXTS = ["half a second", "0.50 seconds", "fail"]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Two runs of one protocol, of a system each; the second has three voices of it, one of them twice as often."""
    folder = tmp_path_factory.mktemp("board")
    first = carry_out(make(folder / "one", TEXTS), folder / "runs" / "first")
    source = make(folder / "two", TEXTS)
    text = source.read_text().replace('name = "sut"', 'name = "rival"').replace('voice = "none"', 'voice = "a"')
    head, _, tail = text.partition("[[system]]")
    system, _, rest = tail.partition("[[recogniser]]")
    other = system.replace('"a"', '"b"')
    source.write_text(f"{head}[[system]]{system}[[system]]{other}[[recogniser]]{rest}")
    return [first, carry_out(source, folder / "runs" / "second run")]


@pytest.fixture(scope="module")
def board(two: list[Run]) -> leaderboard.Board:
    return leaderboard.make(two)


def test_a_row_a_system_and_every_number_is_that_of_its_run(board: leaderboard.Board, tmp_path: Path) -> None:
    tables = {
        part.title: part.frame for part in leaderboard_views.parts(board, beside=tmp_path) if isinstance(part, Table)
    }
    main = tables["All systems"]
    assert sorted(main["system"]) == ["rival/a", "rival/b", "sut"]
    assert list(main["failures"]) == [1 / 3] * 3
    for run in board.runs:
        scores = results.scores(run)
        for voice, rows in scores[scores["channel"] == "fb"].groupby("voice"):
            name = f"{rows['system'].iloc[0]}/{voice}" if run.name == "second run" else "sut"
            wer = rows[["substitutions", "deletions", "insertions"]].sum().sum() / rows["words"].sum()
            assert main.set_index("system").loc[name, "rate"] == wer
            assert tables["Word error rate, rec, track R"].set_index("system").loc[name, "fb"] == wer
    times = tables["Latency, throughput, price and licence"].set_index("system")
    assert set(times["licence"]) == {"none"}
    assert "composite" not in " ".join(main.columns)


def test_every_conflict_of_interest_and_every_run_is_named(board: leaderboard.Board, tmp_path: Path) -> None:
    parts = leaderboard_views.parts(board, beside=tmp_path)
    conflict = next(part for part in parts if isinstance(part, Conflict))
    assert set(conflict.statements) == {"This benchmark", "sut", "rival/a", "rival/b"}
    told = "\n".join(part.text for part in parts if isinstance(part, Prose))
    assert "* second run: rival/a and rival/b" in told  # no report, no link
    assert "3 segments are too few" in told
    page = report.render("board", parts)
    assert page == report.render("board", leaderboard_views.parts(leaderboard.make(board.runs), beside=tmp_path))


def test_the_page_links_to_the_report_of_each_run(two: list[Run], tmp_path: Path) -> None:
    notebooks.publish(two[1], clips="none")
    out = two[0].path.parents[1] / "pages" / "board.html"
    said = CliRunner().invoke(cli.app, ["leaderboard", *(str(run.path) for run in two), "--out", str(out)])
    assert said.exit_code == 0, said.output
    assert '<a href="../runs/second%20run/report/index.html">second run</a>' in out.read_text()
    assert (out.parent / "../runs/second run/report/index.html").is_file()


def test_entities_are_compared_where_there_are_any(two: list[Run]) -> None:
    rows = pd.DataFrame(
        {
            "system": ["x", "x", "y", "y"],
            "voice": "",
            "track": "R",
            "channel": "fb",
            "recogniser": "rec",
            "segment": ["s0", "s0", "s0", "s0"],
            "take": 0,
            "right": [True, False, True, True],
        }
    )
    found = leaderboard.wrong_spans(rows)
    assert found.rates.set_index("system")["rate"].to_dict() == {"x": 0.5, "y": 0.0}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('version = "1"', 'version = "2"', "follows test version 2, the first one test version 1"),
        ('name = "test"', 'name = "other"', "follows other version 1"),
        ('"fb", ', "", "differs in channels; give the changed protocol a version of its own"),
        ('purpose = "a test"', 'purpose = "another"', "differs in purpose"),
        ('"fb"', '"fb"', "The system 'sut' stands in .*first and .*other"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    two: list[Run], tmp_path: Path, old: str, new: str, said: str
) -> None:
    source = make(tmp_path, TEXTS)
    assert old in source.read_text()
    source.write_text(source.read_text().replace(old, new, 1))
    other = carry_out(source, tmp_path / "runs" / "other")
    with pytest.raises(Fault, match=said):
        leaderboard.make([two[0], other])


def test_another_version_of_a_recogniser_is_refused(two: list[Run], tmp_path: Path) -> None:
    manifest = {"recognisers": [{"name": "rec", "version": "9", "diagnostic": False}], "systems": []}
    other = Run(two[1].path, two[1].frozen)
    other.__dict__["manifest"] = manifest
    with pytest.raises(Fault, match="rec listened here as '9'"):
        leaderboard.make([two[0], other])


def test_systems_that_are_not_told_apart_share_a_letter(tmp_path: Path) -> None:
    texts = [*(f"line {n}" for n in range(24)), "0.50 seconds"]
    first = carry_out(make(tmp_path / "one", texts), tmp_path / "runs" / "first")
    source = make(tmp_path / "two", texts)
    source.write_text(source.read_text().replace('name = "sut"', 'name = "rival"'))
    parts = leaderboard_views.parts(
        leaderboard.make([first, carry_out(source, tmp_path / "runs" / "b")]), beside=tmp_path
    )
    tables = {part.title: part.frame for part in parts if isinstance(part, Table)}
    assert list(tables["All systems"]["letters"]) == ["a", "a"]
    assert list(tables["Word error rate, rec, track R"]["g711a+loss=3% ties"]) == ["a", "a"]
    assert "There is no evidence that it differs from" in next(part.text for part in parts if isinstance(part, Prose))


PRICE = 'licence = "none"\nprice = {{ amount = {}, currency = "{}", per = "{}", stated = 2026-11-01 }}'


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs a and b of one protocol, with prices, and a study of b."""
    folder = tmp_path_factory.mktemp("whole")
    texts = [f"line {n}" for n in range(8)]
    first = make(folder / "one", texts)
    first.write_text(first.read_text().replace('licence = "none"', PRICE.format(15, "USD", "1K characters"), 1))
    carry_out(first, folder / "runs" / "a")
    source = make(folder / "two", texts)
    text = source.read_text().replace('name = "sut"', 'name = "rival"').replace('voice = "none"', 'voice = "a"')
    head, _, tail = text.partition("[[system]]")
    system, _, rest = tail.partition("[[recogniser]]")
    other = system.replace('"a"', '"b"').replace('licence = "none"', PRICE.format(9, "EUR", "hour of audio"))
    system = system.replace('licence = "none"', PRICE.format(20, "USD", "1M characters"))
    source.write_text(f"{head}[[system]]{system}[[system]]{other}[[recogniser]]{rest}")
    run = carry_out(source, folder / "runs" / "b")
    plan = studies.draft(run, questions=["naturalness", "effort"], channel="g711a+loss=3%")
    study = studies.build(plan, run.path.parent)
    studies.write(study, folder / "study")
    told = simulate.listen(study.design, {"rival/a": 2, "rival/b": 4})
    write(folder / "study" / "ratings" / "all.jsonl", "".join(json.dumps(entry) + "\n" for entry in told).encode())
    said = CliRunner().invoke(cli.app, ["study", "analyse", str(folder / "study")])
    assert said.exit_code == 0, said.output
    return folder


def board_of(folder: Path, *given: str) -> Any:
    out = folder / "board.html"
    runs = [str(folder / "runs" / name) for name in "ab"]
    return CliRunner().invoke(cli.app, ["leaderboard", *runs, *given, "--out", str(out)]), out


def test_prices_stand_in_their_own_currency_and_unit_and_are_converted_into_nothing(whole: Path) -> None:
    board = leaderboard.make([Run.open(whole / "runs" / name) for name in "ab"])
    table = next(part for part in leaderboard_views.parts(board, beside=whole) if "price" in getattr(part, "title", ""))
    assert isinstance(table, Table)
    frame = table.frame.set_index("system")
    assert frame.loc["sut", "USD per 1M characters"] == 15_000
    assert frame.loc["rival/a", "USD per 1M characters"] == 20
    assert pd.isna(frame.loc["rival/b", "USD per 1M characters"])
    assert frame.loc["rival/b", "EUR per hour of audio"] == 9
    assert set(frame["stated"]) == {"2026-11-01"}
    assert table.missing["EUR per hour of audio"] == "not stated"
    takes = [entry for entry in board.runs[0].take_lines() if entry["outcome"] == "ok"]
    work = sum(entry["completed_ns"] - entry["submitted_ns"] for entry in takes) / 1e9
    assert frame.loc["sut", "throughput"] == pytest.approx(sum(entry["seconds"] for entry in takes) / work)
    assert frame.loc["sut", "throughput_lo"] < frame.loc["sut", "throughput"] < frame.loc["sut", "throughput_hi"]
    assert frame["where"].str.endswith(" cores").all()


def test_what_listeners_said_is_a_column_a_construct_under_the_systems_own_names(whole: Path) -> None:
    board = leaderboard.make([Run.open(whole / "runs" / name) for name in "ab"], [whole / "study"])
    main = next(p for p in leaderboard_views.parts(board, beside=whole) if getattr(p, "title", "") == "All systems")
    assert isinstance(main, Table)
    heading = "naturalness, g711a+loss=3%"
    frame = main.frame.set_index("system")
    assert [name for name in main.columns if "naturalness" in name or "effort" in name] == [heading]
    assert frame.loc["rival/a", heading] < frame.loc["rival/b", heading]
    assert frame.loc["rival/a", f"{heading}_lo"] < frame.loc["rival/a", heading] < frame.loc["rival/a", f"{heading}_hi"]
    assert pd.isna(frame.loc["sut", heading])
    assert main.missing[heading] == "not measured"
    assert "listening|design:" in main.signatures[heading]
    assert "1 to 5, higher is better" in main.note
    told = json.loads((whole / "study" / "report" / "results.json").read_text())["means"]
    row = next(r for r in told if (r["voice"], r["question"], r["basis"]) == ("b", "naturalness", "kept"))
    assert frame.loc["rival/b", heading] == row["value"]


def test_a_study_of_another_run_is_refused(whole: Path) -> None:
    with pytest.raises(Fault, match=r"of the run b, protocol sha256 \w+; that is none of the runs given"):
        leaderboard.make([Run.open(whole / "runs" / "a")], [whole / "study"])


def test_a_study_that_is_not_analysed_or_asked_something_else_is_refused(whole: Path, tmp_path: Path) -> None:
    run = Run.open(whole / "runs" / "b")
    with pytest.raises(Fault, match="bench study analyse writes them"):
        leaderboard.make([run], [tmp_path])
    held = (whole / "study" / "report" / "results.json").read_text()
    other = tmp_path / "results.json"
    other.write_text(held.replace('"question": "naturalness"', '"question": "adherence"'))
    with pytest.raises(
        Fault, match=r"no counted answer about naturalness .* asked about naturalness and listening effort"
    ):
        leaderboard.make([run], [other])


def test_a_study_of_which_every_vote_was_excluded_is_called_so(whole: Path, tmp_path: Path) -> None:
    held = json.loads((whole / "study" / "report" / "results.json").read_text())
    held["means"] = [row for row in held["means"] if row["basis"] == "all" and row["locality"] is None]
    votes = sum(row["votes"] for row in held["means"] if row["question"] == "naturalness" and row["panel"] == "blind")
    other = tmp_path / "results.json"
    other.write_text(json.dumps(held))
    with pytest.raises(Fault, match=f"All {votes} votes of this study were excluded; see its exclusions.csv"):
        leaderboard.make([Run.open(whole / "runs" / "b")], [other])


def test_a_reader_sorts_by_any_measure_and_sees_what_is_not_known(whole: Path, visit: Any) -> None:  # noqa: F811
    said, out = board_of(whole, "--study", str(whole / "study"))
    assert said.exit_code == 0, said.output
    page = visit(out)
    drawn(page)
    main, prices = (
        page.locator("section.table", has=page.get_by_role("heading", name=name, exact=True))
        for name in ("All systems", "Latency, throughput, price and licence")
    )

    def by(table: Any, name: str) -> list[str]:
        table.locator("thead").get_by_role("button", name=name).click()
        found: list[str] = table.locator("tbody th").all_inner_texts()
        return found

    assert by(main, "naturalness") == ["rival/a", "rival/b", "sut"]
    assert main.locator("tbody tr", has_text="sut").get_by_text("not measured").count() == 1
    assert by(prices, "USD per 1M characters") == ["rival/a", "sut", "rival/b"]
    assert by(prices, "USD per 1M characters") == ["sut", "rival/a", "rival/b"]
    assert prices.locator("tbody tr", has_text="rival/b").get_by_text("not stated").count() == 1
    assert page.locator(".conflict", has_text="Conflict of interest").count() >= 2


@pytest.mark.parametrize(
    "bad",
    ['amount = -1, currency = "USD", per = "hour of audio"', 'amount = 1, currency = "usd", per = "hour of audio"',
     'amount = 1, currency = "USD", per = "clip"', 'amount = nan, currency = "USD", per = "hour of audio"'],
)  # fmt: skip
def test_a_price_that_says_too_little_is_refused(tmp_path: Path, bad: str) -> None:
    source = make(tmp_path, ["x"])
    price = f"price = {{ {bad}, stated = 2026-11-01 }}"
    source.write_text(source.read_text().replace('licence = "none"', f'licence = "none"\n{price}', 1))
    with pytest.raises(Fault, match="price"):
        carry_out(source, tmp_path / "run")
