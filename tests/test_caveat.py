"""What stands beside every result: a run that is not at its end is called so, and every interest is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from bench import (
    caveat,
    cli,
    conclusion,
    conclusion_views,
    contrast_views,
    leaderboard,
    leaderboard_views,
    report,
    results,
    views,
)
from bench.part import Conflict, Folded, KeyFigures, Part, Prose, Table
from bench.run import Run
from tests.test_run import carry_out, make
from tests.test_views import SECOND

TOLD = "24 transcripts are still to be heard; what follows counts them as errors"
SIGNED = "s"


def carried(folder: Path, name: str) -> Run:
    """A run of two systems and two channels, at its end; one of six sentences fails, and that is no lack."""
    texts = ["half a second", "0.50 seconds", "fail", "one", "two", "three"]
    source = make(folder / name, texts, channels='["fb", "g711u"]')
    text = source.read_text().replace('interest = "none"\n[[rec', 'interest = "none known"\n[[rec')
    source.write_text(text + SECOND.format(diary=folder / "diary"))
    run = carry_out(source, folder / "runs" / name)
    results.keep(run)
    return run


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return carried(tmp_path_factory.mktemp("caveat"), "whole")


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Stopped after three transcripts."""
    run = carried(tmp_path_factory.mktemp("caveat"), "half")
    path = run.transcripts_path("rec")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    results.keep(run)
    return run


def text(parts: list[Part]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Prose)).replace("\\", "")


def pages(run: Run) -> dict[str, list[Part]]:
    scores = results.scores(run)
    return {
        "report": views.overview(run, scores, signature=SIGNED),
        "comparison": conclusion_views.conclusions(run, scores, signature=SIGNED),
        "progress": contrast_views.progress(run, run, signature=SIGNED),
        "leaderboard": leaderboard_views.parts(leaderboard.make([run]), beside=run.path),
    }


def test_an_unfinished_run_is_called_so_first_and_names_no_winner(half: Run, whole: Run) -> None:
    lacking = 24 - 3 - 2 * 2  # and two systems fail at one sentence on two channels
    for name, parts in pages(half).items():
        said = text(parts)
        assert f"{lacking} of {TOLD}." in said.split("\n\n")[1], name
        assert "**Unfinished: " in said or "**half is unfinished: " in said
        for claim in (
            "lowest word error rate",
            "It is better",
            "** is better",
            "too few** to say",
            "What the line costs",
        ):
            assert claim not in said, name
        figures = [figure for part in parts if isinstance(part, KeyFigures) for figure in part.figures]
        assert "The phone line adds" not in {figure.name for figure in figures}
    for name, parts in pages(whole).items():
        assert "unfinished" not in text(parts).lower(), name
    assert "The phone line adds" in {
        figure.name for part in pages(whole)["report"] if isinstance(part, KeyFigures) for figure in part.figures
    }


@pytest.mark.parametrize("given", [["compare", "{}"], ["compare", "{}", "{}"], ["leaderboard", "{}"]])
def test_a_terminal_says_that_a_run_is_unfinished(half: Run, whole: Run, given: list[str], tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "board.html")] if given[0] == "leaderboard" else []
    said = {
        run.name: CliRunner().invoke(cli.app, [*(word.format(run.path) for word in given), *out])
        for run in (half, whole)
    }
    assert all(done.exit_code == 0 for done in said.values()), said
    assert TOLD in said["half"].output
    assert "nfinished" not in said["whole"].output


def test_the_table_of_a_run_says_that_it_is_unfinished(half: Run, capsys: pytest.CaptureFixture[str]) -> None:
    results.show(half, results.scores(half))
    assert capsys.readouterr().out.startswith(f"Unfinished: 17 of {TOLD}.")


def test_every_system_that_states_an_interest_stands_in_every_conflict_of_interest_line(
    whole: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "the benchmark: none; rival: sells it"
    assert caveat.conflict(whole, whole) == line
    assert caveat.interests("none", [("a", "None known."), ("b", "")]) == "none"
    results.show(whole, results.scores(whole))
    conclusion.show(whole, conclusion.conclude(whole))
    conclusion.show_progress(whole, whole, conclusion.progress(whole, whole))
    printed = [said for said in capsys.readouterr().out.splitlines() if said.startswith("Conflict of interest: ")]
    assert printed == [f"Conflict of interest: {line}"] * 3
    for name, parts in pages(whole).items():
        under = [part.conflict for part in parts if isinstance(part, Table | Folded) and part.conflict]
        assert under, name
        assert set(under) == {line}, name
        boxes = [part.statements for part in parts if isinstance(part, Conflict)]
        assert all(box["rival"] == "sells it" for box in boxes)


def test_what_only_one_of_two_runs_has_is_said(whole: Run, capsys: pytest.CaptureFixture[str]) -> None:
    found = conclusion.progress(whole, whole)
    assert conclusion.alone(whole, whole, found) == []
    lone = pd.DataFrame([("b", "segment", f"s{n}") for n in range(5)], columns=["run", "what", "name"])
    found = replace(found, alone=lone)
    conclusion.show_progress(whole, whole, found)
    told = f"Only {whole.name} has 5 segments (s0, s1, s2 and more): in no difference here."
    assert told in " ".join(capsys.readouterr().out.split())


def test_runs_that_are_identical_are_called_so_in_place_of_an_interval(
    whole: Run, half: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    found = conclusion.progress(whole, whole)
    assert found.verdicts["identical"].all()
    conclusion.show_progress(whole, whole, found)
    assert "identical" in capsys.readouterr().out
    parts = contrast_views.progress(whole, whole, signature=SIGNED)
    page = report.render("t", parts)
    assert page.count(">identical<") == 2 * 4  # both ends of two systems on two channels
    assert "+0.0 under rec, identical" in text(parts)
    assert not conclusion.progress(whole, half).verdicts["identical"].all()
    assert ">identical<" not in report.render("t", contrast_views.progress(half, whole, signature=SIGNED))
