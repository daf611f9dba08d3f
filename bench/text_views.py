"""What is in a text set, as parts of a report: its make-up, its readings, its faults, its licences.

Conventions: a set is a file in any layout that `bench.formats` reads, or that of a run, named by the run's directory.
A set with faults is shown all the same; of one that cannot be read as a whole, the faults alone are. Counts are those
of `bench.stats`, faults those of `bench.check`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench import formats, length, stats
from bench.check import Finding, check
from bench.fault import Fault
from bench.lattice import Group, Lattice, count, parse
from bench.lattice import text as written
from bench.part import Figure, KeyFigures, Part, Prose, Table, numeric, sign
from bench.run import Run
from bench.segment import Segment, TextSet
from bench.wording import safe

LISTED = 5_000  # rows of a table in a page


@dataclass(frozen=True, eq=False, slots=True)
class Source:
    """A text set with what `bench.check` found in it; where it cannot be read as a whole there is `unread`, the
    sentence that says why, and no segment."""

    text_set: TextSet
    findings: tuple[Finding, ...]
    unread: str = ""


def source(path: Path) -> Source:
    """The text set in a file, or that of the run in a directory. Raises Fault where there is neither, or no table."""
    if path.is_dir():
        run = Run.open(path)
        (file,) = path.glob("text_set.*")
        part = run.protocol.text_set
        found = check(file, mapping=part.columns, language=run.protocol.language)
        return Source(run.frozen.text_set, found)
    findings = check(path)
    try:
        whole = formats.read(path)
        for segment in whole.segments:
            _paths(segment)
    except Fault as fault:
        return Source(TextSet(path.stem, (), ""), findings, str(fault))
    return Source(whole, findings)


def contents(held: Source) -> list[Part]:
    """The whole page of a text set: the answer, the faults, the composition tables, readings, licences."""
    whole = held.text_set
    if held.unread:
        told = f"**The set cannot be read as a whole.** {safe(held.unread)}"
        return [Prose(f"# The set\n\n{told}"), *faults(held.findings)]
    return [
        *answer(whole, held.findings),
        *sign(faults(held.findings), _signature(whole)),
        *composition(whole),
        *rows(whole),
        *licences(whole),
    ]


def answer(text_set: TextSet, findings: Sequence[Finding]) -> list[Part]:
    """How much there is, in which languages, and whether it can be measured with."""
    wrong = sum(finding.severity == "error" for finding in findings)
    languages = Counter(segment.language for segment in text_set.segments)
    told = ", ".join(f"{name} {number}" for name, number in languages.most_common())
    words = [length.words(segment) for segment in text_set.segments]
    pairs = len(stats.near_duplicates(text_set))
    several = sum(_paths(segment) > 1 for segment in text_set.segments)
    verdict = (
        f"**{wrong} {'error' if wrong == 1 else 'errors'}**: mend them before anything is measured with this set."
        if wrong
        else "No error was found in it."
    )
    signed = _signature(text_set)
    spread = f"{min(words)} to {max(words)} a segment" if words else ""
    kinds = f"errors: {wrong}, warnings: {len(findings) - wrong}"
    return [
        Prose(f"# The set\n\n{verdict}"),
        KeyFigures(
            (
                Figure("Segments", f"{len(text_set):,}", told, signature=signed),
                Figure("Words to speak", f"{sum(words):,}", spread, signature=signed),
                Figure("With several readings", f"{several:,}", "accepted beside the canonical one", signature=signed),
                Figure("Near duplicates", f"{pairs:,}", f"pairs that share {stats.SHINGLE} words", signature=signed),
                Figure("Faults", f"{len(findings):,}", kinds, signature=signed),
            )
        ),
    ]


def faults(findings: Sequence[Finding]) -> list[Part]:
    """Every finding with its line, and how often each rule was broken; nothing where there is none."""
    if not findings:
        return []
    columns = ["severity", "line", "id", "rule", "sentence"]
    listed = pd.DataFrame([[getattr(one, name) for name in columns] for one in findings[:LISTED]], columns=columns)
    counts = Counter((finding.severity, finding.rule) for finding in findings)
    often = pd.DataFrame([(*key, n) for key, n in counts.most_common()], columns=["severity", "rule", "times"])
    return [Prose("# Faults"), Table(often, "Rules that are broken"), Table(listed, "Every fault", note=_cut(findings))]


def composition(text_set: TextSet) -> list[Part]:
    """The composition tables, phenomena and near duplicates among them."""
    parts: list[Part] = [Prose("# What it is made of")]
    for title, table in stats.tables(text_set).items():
        if len(table):
            shown = _numbers(table.head(LISTED))
            note = f"Pairs whose written texts share {stats.SHINGLE} words in a row." * (title == "Near duplicates")
            signed = {str(name): _signature(text_set) for name in [c for c in shown if numeric(shown[c])][-1:]}
            parts.append(Table(shown, title, _spelled(shown), signatures=signed, note=note))
    return parts


def rows(text_set: TextSet) -> list[Part]:
    """Every segment with its written text, its canonical reading, its lattice and the number of readings."""
    table = pd.DataFrame(
        [
            (segment.id, segment.text, segment.spoken, segment.lattice, _paths(segment))
            for segment in text_set.segments[:LISTED]
        ],
        columns=["segment", "written", "spoken", "readings", "paths"],
    ).dropna(axis=1, how="all")
    note = "Readings are written a {b|c}: the first in braces is the canonical one. "
    signed = {"paths": _signature(text_set)}
    return [
        Prose("# Every segment"),
        Table(table, "Segments", signatures=signed, note=note + _cut(text_set.segments)),
    ]


def licences(text_set: TextSet) -> list[Part]:
    """Under what terms the rows may be used, and where they come from."""
    counts = Counter((s.licence or "not stated", s.source or "not stated") for s in text_set.segments)
    table = pd.DataFrame([(*key, n) for key, n in counts.most_common()], columns=["licence", "source", "segments"])
    canaries = Counter(segment.canary for segment in text_set.segments if segment.canary)
    note = f"Canary: {', '.join(canaries)}." if canaries else "No row has a canary."
    signed = {"segments": _signature(text_set)}
    return [Prose("# Licences"), Table(table.head(LISTED), "Licences and sources", signatures=signed, note=note)]


def readings(segment: Segment) -> list[Part]:
    """One segment and its lattice, a row a stretch: what is canonical there, and what else is accepted."""
    lattice = parse(segment.lattice) if segment.lattice else Lattice(tuple((segment.spoken or segment.text).split()))
    table = pd.DataFrame(_stretches(lattice), columns=["place", "canonical", "accepted too"])
    number = _paths(segment)
    note = f"Written: {segment.text} · {number:,} {'reading' if number == 1 else 'readings'}"
    spans = "; ".join(f"{span.text} ({span.type})" for span in segment.spans)
    return [Table(table, f"Readings of {segment.id}", note=f"{note}{f' · spans: {spans}' if spans else ''}")]


def _stretches(lattice: Lattice) -> list[tuple[int, str, str]]:
    """Words up to the next group together, then the group; places count from 1."""
    found: list[tuple[int, str, str]] = []
    words: list[str] = []
    for part in (*lattice.parts, Group(())):  # the last one only ends the words before it
        if isinstance(part, str):
            words.append(part)
            continue
        if words:
            found.append((len(found) + 1, " ".join(words), ""))
            words = []
        if part.options:
            first, *others = (written(option) or "(nothing)" for option in part.options)
            found.append((len(found) + 1, first, " | ".join(others)))
    return found


def _paths(segment: Segment) -> int:
    return count(parse(segment.lattice)) if segment.lattice else 1


def _signature(text_set: TextSet) -> str:
    return f"set={text_set.name}@{text_set.sha256[:12]}"


def _numbers(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the shares and means that the card writes as text as numbers again."""
    made = table.copy()
    for name in [name for name in table if str(name) == "share" or str(name).startswith("mean ")]:
        texts = table[name].astype(str)
        read = pd.to_numeric(texts.str.removesuffix("%"), errors="coerce")
        made[name] = read / 100 if texts.str.endswith("%").all() else read
    return made


def _spelled(table: pd.DataFrame) -> dict[str, str]:
    """The formats of counts, means and shares."""
    kinds = {"i": ",d", "f": ".1f"}
    return {str(name): kinds.get(column.dtype.kind, "") for name, column in table.items()} | {"share": ".1%"}


def _cut(listed: Sequence[object]) -> str:
    return f"The first {LISTED:,} of {len(listed):,}." if len(listed) > LISTED else ""
