"""One page over many runs: what belongs together, what is refused, and that each number is that of its run."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from bench import cli, leaderboard, notebooks, report, results
from bench.fault import Fault
from bench.part import Conflict, Prose, Table
from bench.run import Run
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
    tables = {part.title: part.frame for part in leaderboard.parts(board, beside=tmp_path) if isinstance(part, Table)}
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
    times = tables["Times and licences"].set_index("system")
    assert set(times["licence"]) == {"none"}
    assert "composite" not in " ".join(main.columns)


def test_every_conflict_of_interest_and_every_run_is_named(board: leaderboard.Board, tmp_path: Path) -> None:
    parts = leaderboard.parts(board, beside=tmp_path)
    conflict = next(part for part in parts if isinstance(part, Conflict))
    assert set(conflict.statements) == {"This benchmark", "sut", "rival/a", "rival/b"}
    told = "\n".join(part.text for part in parts if isinstance(part, Prose))
    assert "* second run: rival/a and rival/b" in told  # no report, no link
    assert "3 segments are too few" in told
    page = report.render("board", parts)
    assert page == report.render("board", leaderboard.parts(leaderboard.make(board.runs), beside=tmp_path))


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
    parts = leaderboard.parts(leaderboard.make([first, carry_out(source, tmp_path / "runs" / "b")]), beside=tmp_path)
    tables = {part.title: part.frame for part in parts if isinstance(part, Table)}
    assert list(tables["All systems"]["letters"]) == ["a", "a"]
    assert list(tables["Word error rate, rec, track R"]["g711a+loss=3% ties"]) == ["a", "a"]
    assert "There is no evidence that it differs from" in next(part.text for part in parts if isinstance(part, Prose))
