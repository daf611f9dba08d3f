"""Verdicts: kept for ever, the last one holds, and what they make of the rates."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from bench import adjudication, results
from bench.adjudication import Verdict, adjudicate, rates, record, verdicts
from bench.fault import Fault
from bench.part import Prose, Table
from bench.protocol import Case
from bench.run import Run, locked
from tests.test_run import carry_out, make

TEXTS = ["half a second", "press five now", "zero point five oh seconds", "fail"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Four sentences of 3, 3, 5 and 1 words; the recogniser writes "0.50 seconds" each time, the last one fails."""
    folder = tmp_path_factory.mktemp("verdicts")
    return carry_out(make(folder, TEXTS), folder / "runs" / "small")


@pytest.fixture
def run(made: Run, tmp_path: Path) -> Run:
    shutil.copytree(made.path, tmp_path / "small")
    return Run.open(tmp_path / "small")


def verdict(segment: int, kind: str, text: str = "", **change: object) -> Verdict:
    case = Case("sut", "none", "R", f"s{segment}", 0)
    given = Verdict(case, "fb", "rec", kind, text, "Ada", "2026-01-01T00:00:00+00:00")  # type: ignore[arg-type]
    return dataclasses.replace(given, **change)  # type: ignore[arg-type]


def test_a_verdict_replaces_the_errors_of_its_row_and_of_no_other(run: Run) -> None:
    scores = results.scores(run)
    record(run, verdict(0, "system right"))
    record(run, verdict(1, "recogniser wrong", "press nine"))
    record(run, verdict(2, "unclear"))
    decided = adjudicate(run, scores, verdicts(run))
    assert list(decided["segment"]) == ["s0", "s1"]
    assert list(decided["adjudicated_errors"]) == [0, 2]  # five -> nine, now left out
    assert list(decided["adjudicated_words"]) == list(decided["words"]) == [3, 3]
    found = rates(decided).iloc[0]
    assert found["after"] == 2 / 6
    before = scores[(scores["channel"] == "fb") & scores["segment"].isin(["s0", "s1"])]
    assert found["before"] == before[adjudication.ERRORS].sum().sum() / 6
    assert (found["verdicts"], found["system_right"], found["recogniser_wrong"]) == (2, 1, 1)


def test_where_the_reference_is_wrong_the_transcript_is_held_to_what_was_said(run: Run) -> None:
    record(run, verdict(1, "reference wrong", "zero point five zero minutes"))
    decided = adjudicate(run, results.scores(run), verdicts(run)).iloc[0]
    assert decided["hypothesis"] == "zero point five zero seconds"
    assert (decided["adjudicated_errors"], decided["adjudicated_words"]) == (1, 5)
    assert (decided["words"], decided["reference"]) == (3, "press five now")


def test_what_failed_stays_failed_unless_a_person_heard_it(run: Run) -> None:
    scores = results.scores(run)
    record(run, verdict(3, "reference wrong", "two words"))
    assert adjudicate(run, scores, verdicts(run)).iloc[0]["adjudicated_errors"] == 2
    record(run, verdict(3, "recogniser wrong", "fail"))
    assert adjudicate(run, scores, verdicts(run)).iloc[0]["adjudicated_errors"] == 0


def test_the_last_verdict_on_a_row_holds_and_all_are_kept(run: Run) -> None:
    record(run, verdict(0, "unclear", note="noise"))
    record(run, verdict(1, "unclear"))
    record(run, verdict(0, "system right", who="Grace", note="\u202e<b>"))
    assert [(held.verdict, held.who) for held in verdicts(run)] == [("system right", "Grace"), ("unclear", "Ada")]
    lines = [json.loads(line) for line in (run.path / "verdicts.jsonl").read_text().splitlines()]
    assert [line["note"] for line in lines] == ["noise", "", "\u202e<b>"]
    wanted = ["who", "when", "system", "segment", "channel", "recogniser", "verdict", "text", "note"]
    assert all(set(wanted) <= set(line) for line in lines)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (verdict(9, "unclear"), "no row sut / none / R / s9"),
        (verdict(0, "unclear", channel="line"), "no row"),
        (verdict(0, "unclear", recogniser="ear"), "no row"),
        (verdict(0, "fine"), "expected one of system right"),
        (verdict(0, "unclear", who=" "), "say who judged"),
        (verdict(0, "recogniser wrong"), "needs the adjudicated transcript"),
    ],
)
def test_a_verdict_that_says_nothing_is_refused(run: Run, wrong: Verdict, said: str) -> None:
    with pytest.raises(Fault, match=said):
        record(run, wrong)
    assert not (run.path / "verdicts.jsonl").exists()


def test_the_report_says_how_many_judged_and_nothing_without_a_verdict(run: Run) -> None:
    scores = results.scores(run)
    assert adjudication.parts(run, scores, signature="s") == []
    record(run, verdict(2, "unclear"))
    assert [type(part) for part in adjudication.parts(run, scores, signature="s")] == [Prose]
    record(run, verdict(1, "recogniser wrong", "press five"))
    prose, table, listed = adjudication.parts(run, scores, signature="s")
    assert isinstance(prose, Prose)
    assert prose.text.startswith("# Human-adjudicated\n\n2 verdicts by 1 person, 1 of them unclear.")
    assert isinstance(table, Table)
    assert table.signatures["after"] == "WER|human-adjudicated:1|s"
    assert isinstance(listed, Table)
    assert list(listed.frame["who"]) == ["Ada"]


def test_one_writer_at_a_time(run: Run) -> None:
    with locked(run), pytest.raises(Fault, match="is writing to this run"):
        record(run, verdict(0, "unclear"))


def test_no_verdict_leaves_an_empty_table(run: Run) -> None:
    decided = adjudicate(run, results.scores(run), [])
    assert decided.empty
    assert isinstance(rates(decided), pd.DataFrame)
