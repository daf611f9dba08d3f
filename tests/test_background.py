"""A run carried out beside a notebook: stopped, gone on with, and what is shown of it meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bench import progress_views, results, run
from bench.background import Job
from bench.fault import Fault
from bench.part import KeyFigures, Table
from bench.run import Run, locked
from tests.test_run import make


@pytest.fixture
def asked(tmp_path: Path) -> Run:
    return run.create(make(tmp_path, [f"line {n}" for n in range(12)] + ["fail"]), tmp_path / "runs" / "small")


def tables(parts: list[object]) -> dict[str, Table]:
    return {part.title: part for part in parts if isinstance(part, Table)}


def test_a_job_stops_when_it_is_told_to_and_goes_on_from_there(asked: Run) -> None:
    job = Job(asked)
    assert 'data-state="idle"' in progress_views.bar(job)
    job.start()
    end = time.monotonic() + 60
    while not job.done and time.monotonic() < end:
        time.sleep(0.005)
    assert "synthesise: " in progress_views.bar(job)
    job.stop()
    assert not job.running
    assert job.state == "stopped"
    some = len(asked.takes())
    assert 0 < some < 13
    counts = tables(progress_views.coverage(asked))["Takes"].frame.iloc[0]
    assert counts["good"] + counts["to_do"] + counts["lost"] == counts["expected"] == 13
    assert counts["to_do"] > 0
    job.start()
    job.wait()
    assert job.state == "finished"
    assert len(asked.takes()) == 13
    parts = progress_views.overview(asked)
    assert next(part for part in parts if isinstance(part, KeyFigures)).figures[0].value == "12 of 13"
    found = tables(parts)
    assert found["Takes"].frame.iloc[0][["good", "lost", "to_do"]].tolist() == [12, 1, 0]
    assert found["Transcripts"].frame["good"].tolist() == [12, 12]
    assert found["Transcripts"].frame["lost"].tolist() == [1, 1]
    assert found["Recognisers"].frame.iloc[0][["n", "p50"]].tolist() == [24, 0.002]


def test_a_run_that_has_not_begun_shows_what_is_to_do(asked: Run) -> None:
    found = tables(progress_views.overview(asked))
    assert found["Transcripts"].frame["to_do"].tolist() == [13, 13]
    assert set(found) == {"Takes", "Transcripts"}
    with pytest.raises(Fault, match="The run has not begun"):
        results.scores(asked)


def test_a_second_writer_is_told_so(asked: Run) -> None:
    job = Job(asked)
    with locked(asked):
        job.start()
        job.wait()
    assert job.state == "failed"
    assert "is writing to this run" in progress_views.bar(job)


def test_agreement_is_between_the_recognisers(tmp_path: Path) -> None:
    source = make(tmp_path, ["0.50 seconds", "half a second"])
    source.write_text(
        source.read_text() + '\n[[recogniser]]\nname = "second"\nadapter = "tests.own_adapters:Counter"\n'
    )
    asked = run.create(source, tmp_path / "runs" / "two")
    job = Job(asked)
    job.start()
    job.wait()
    table = tables(progress_views.agreement(asked))["Recognisers two by two"].frame
    shares = ["identical", "both_right", "one_right", "both_wrong"]
    assert table[shares].to_numpy().tolist() == [[1, 0.5, 0, 0.5]] * 2
    assert table["transcripts"].tolist() == [2, 2]
