"""A text set as a page: all that is in it, faults too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import report, text_views
from bench.part import KeyFigures, Prose, Table
from bench.run import Run
from bench.segment import Segment, Span
from tests.test_views import run  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["en", "tr", "de", "zh"])
def test_our_own_sets_are_shown_whole(name: str) -> None:
    held = text_views.source(ROOT / "data" / f"{name}.jsonl")
    parts = text_views.contents(held)
    tables = {part.title: part for part in parts if isinstance(part, Table)}
    assert len(tables["Segments"].frame) == len(held.text_set)
    assert tables["Licences and sources"].frame["segments"].sum() == len(held.text_set)
    assert {"Setting × length" if name == "tr" else "Lengths", "Spans by type"} <= set(tables)
    assert len(report.render(name, parts)) > 50_000


def test_a_set_with_faults_is_shown_with_them(tmp_path: Path) -> None:
    lines = (ROOT / "data/en.jsonl").read_text().splitlines()[:2]
    bad = {**json.loads(lines[1]), "license": ""}
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{lines[0]}\n{json.dumps(bad)}\n")
    parts = text_views.contents(text_views.source(path))
    assert "**1 error**" in next(part.text for part in parts if isinstance(part, Prose))
    table = next(part for part in parts if isinstance(part, Table) and part.title == "Every fault")
    assert list(table.frame["rule"]) == ["licence"]
    assert table.signatures.keys() == {"line"}
    figures = next(part for part in parts if isinstance(part, KeyFigures)).figures
    assert figures[-1].detail == "errors: 1, warnings: 0"


@pytest.mark.parametrize("change", [{"text": 3}, {"ref_lattice": "a {b"}])
def test_of_a_set_that_cannot_be_read_the_faults_are_shown(tmp_path: Path, change: dict[str, object]) -> None:
    lines = (ROOT / "data/en.jsonl").read_text().splitlines()[:2]
    path = tmp_path / "bad.jsonl"
    path.write_text(f"{lines[0]}\n{json.dumps({**json.loads(lines[1]), **change})}\n")
    prose, *rest = text_views.contents(text_views.source(path))
    assert isinstance(prose, Prose)
    assert "cannot be read as a whole" in prose.text
    assert (
        next(part for part in rest if isinstance(part, Table) and part.title == "Every fault").frame["line"].max() == 2
    )


def test_the_set_of_a_run_is_that_which_it_was_spoken_from(run: Run) -> None:  # noqa: F811
    held = text_views.source(run.path)
    assert held.text_set == run.frozen.text_set
    assert {finding.rule for finding in held.findings} >= {"no-canary"}


def test_a_lattice_is_read_stretch_by_stretch() -> None:
    segment = Segment("a", "en", "at 5:30 ok", lattice=r"at {five thirty|half {past|} five|} ok \{", spans=(Span("x"),))
    (table,) = text_views.readings(segment)
    assert isinstance(table, Table)
    assert table.frame.to_numpy().tolist() == [
        [1, "at", ""],
        [2, "five thirty", "half {past|} five | (nothing)"],
        [3, r"ok {", ""],
    ]
    assert "4 readings" in table.note
    assert "x (other)" in table.note
