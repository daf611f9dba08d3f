"""Every fault of a text set, named with its line and id before anything is spoken.

Conventions: `check` reads a file to its end whatever it finds, and returns findings in file order; it raises Fault
only where there is no table to read. A row with a field that cannot be read is judged no further. RULES is the list
of all rules, for documentation and the command line alike. A rule says how grave it is in a set of Earshot's own,
known by its canary, and in any other: what a publisher may have done on purpose is a warning there. A set with an
error should not be measured with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from langcodes import tag_is_valid

from bench import check_reading, check_turkish, formats
from bench.fault import Fault
from bench.formats import german, newstts, newstts_rules
from bench.formats.record import Record, rows
from bench.segment import Segment

Severity = Literal["error", "warning"]
OWN = "EARSHOT-CANARY-"
_CANARY = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)*-CANARY-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_IDS = ("id", "case_id", "utterance_id")


@dataclass(frozen=True, slots=True)
class Rule:
    """What is wrong where a rule is broken, and how grave that is in our own sets and in others."""

    what: str
    own: Severity = "error"
    other: Severity = "error"


_OWN_RULES: Mapping[str, Rule] = {
    "json": Rule("a line is not a record: no JSON object, or not the cells that a CSV header names"),
    "layout": Rule("no record is of a known layout, or there is none"),
    "field": Rule("a field of the layout is missing or holds another type"),
    "duplicate-id": Rule("an id stands twice"),
    "language-tag": Rule("a language tag is not valid in BCP 47, or a German one names a country for a Land"),
    "licence": Rule("a row has no licence", other="warning"),
    "no-canary": Rule("the set has no canary", other="warning"),
    "canary": Rule("a canary is not NAME-CANARY-uuid, or differs from that of the other rows"),
    "spoken-digit": Rule("digits stand in a spoken form, which is written out in words"),
    "lattice": Rule("a lattice is not well formed"),
    "canonical": Rule("the canonical path of the lattice is not the spoken form under the language's rule"),
    "spoken-span": Rule("a span does not occur in the spoken form"),
    "span-type": Rule("a span's type is not one of the known ones"),
    "paths": Rule("a lattice has more than 256 paths", other="warning"),
    "count": Rule("n_words, n_chars or n_paths is not what the row has"),
    "bucket": Rule("length_bucket does not follow from the spoken words"),
    "headline": Rule("headline does not follow from difficulty, wer_visible and robustness"),
    "harmony": Rule("a written Turkish suffix has other vowels than every reading of what it stands on asks for"),
}
# What the published validator of CN-NewsTTS Bench refuses is an error, and so is what it misses where a target can then
# not be judged. The rest of what `newstts_rules` names may be meant.
_UNFIT = (*newstts_rules.ERRORS, "no-positive", "offset", "evaluable-type", "folded-overlap")
_TARGET_RULES = {
    name: Rule(what) if name in _UNFIT else Rule(what, "warning", "warning")
    for name, what in newstts_rules.RULES.items()
}
RULES: Mapping[str, Rule] = {**_TARGET_RULES, **_OWN_RULES}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: how grave, on which line (from 1), of which segment or target ("" for the set), and which rule."""

    severity: Severity
    line: int
    id: str
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}{f', {self.id}' if self.id else ''}: {self.severity}: {self.sentence} [{self.rule}]"


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    record: Record
    segment: Segment


def table() -> pd.DataFrame:
    """RULES as a table: the rule, how grave it is in our own sets and in others, and what is wrong."""
    return pd.DataFrame(
        [(name, rule.own, rule.other, rule.what) for name, rule in RULES.items()],
        columns=["rule", "own sets", "other sets", "what is wrong"],
    )


_Found = tuple[int, str, str, str]  # line, rule, id, sentence


def check(
    path: Path, *, own: bool | None = None, mapping: Mapping[str, str] | None = None, language: str = "und"
) -> tuple[Finding, ...]:
    """Every finding of a text set, in file order. `own` says whether the set is Earshot's; by default its canary does.

    `mapping` and `language` are those of `formats.read`. Raises Fault where there is no such file, or no table in it.
    """
    found: list[_Found] = []
    read = list(_rows(path, mapping, language, found))
    found += [(row.line, *finding) for row in read for finding in _row(row)]
    found += _licences(read)
    found += _canaries(read)
    if own is None:
        own = any((row.segment.canary or "").startswith(OWN) for row in read)
    return tuple(
        Finding(RULES[rule].own if own else RULES[rule].other, line, identity, rule, sentence)
        for line, rule, identity, sentence in sorted(found, key=lambda finding: finding[0])
    )


def _rows(path: Path, mapping: Mapping[str, str] | None, language: str, found: list[_Found]) -> Iterator[_Row]:
    """The rows that can be read; the others, and ids that stand twice, go to `found`."""
    lines = list(rows(path, types=formats.types(mapping)))
    found += [(line, "json", "", str(record)) for line, record in lines if isinstance(record, Fault)]
    records = [(line, record) for line, record in lines if not isinstance(record, Fault)]
    module = None if mapping else _layout(records)
    if not (mapping or module):
        found += _unknown(records) if records or not lines else ()
        return
    read = formats.by(module) if module else formats.mapped(mapping or {}, language)
    seen: dict[tuple[str, str], int] = {}
    for line, record in records:
        identity = _identity(record, mapping)
        ids = newstts_rules.identities(record) if module is newstts else [("record", identity)] if identity else []
        for what, name in ids:
            if (what, name) in seen:
                sentence = f"The id {name!r} stands on line {seen[what, name]} already; ids are unique."
                found.append((line, "duplicate-id", name, sentence))
            seen.setdefault((what, name), line)
        named = list(newstts_rules.inspect(record)) if module is newstts else []
        found += [(line, *finding) for finding in named]
        if module is german and isinstance(tag := record.get("language_tag"), str):
            try:
                german.refuse(tag, identity)
            except Fault as fault:
                found.append((line, "language-tag", identity, str(fault)))
                record = record | {"language_tag": "de"}
        try:
            segment = read(record)
        except Fault as fault:
            if not any(rule in newstts_rules.ERRORS for rule, _, _ in named):  # they have said so
                found.append((line, "field", identity, str(fault)))
            continue
        yield _Row(line, record, segment)


def _layout(records: Sequence[tuple[int, Record]]) -> formats.Layout | None:
    """The layout of the first record that gives one away: the rows before it are faulty, not the set."""
    for _, record in records:
        with suppress(Fault):
            return formats.told(record)
    return None


def _unknown(records: Sequence[tuple[int, Record]]) -> Iterator[_Found]:
    if not records:
        yield 1, "layout", "", "The text set is empty; expected one record a line."
        return
    line, record = records[0]
    try:
        formats.told(record)
    except Fault as fault:
        yield line, "layout", "", str(fault)


def _identity(record: Record, mapping: Mapping[str, str] | None) -> str:
    names = (mapping["id"],) if mapping and "id" in mapping else _IDS
    return next((str(record[name]) for name in names if record.get(name) is not None), "")


def _row(row: _Row) -> Iterator[tuple[str, str, str]]:
    segment = row.segment
    if not tag_is_valid(segment.language) and segment.language != "und":
        yield (
            "language-tag",
            segment.id,
            f"The language tag {segment.language!r} is not valid in BCP 47; expected one like tr, de-DE or zh-Hans-CN.",
        )
    metadata = row.record.get("metadata")
    stated: dict[str, Any] = {**(metadata if isinstance(metadata, dict) else {}), **row.record}
    for rule, sentence in (*check_reading.faults(segment, stated), *check_turkish.faults(segment, stated)):
        yield rule, segment.id, sentence


def _licences(read: list[_Row]) -> Iterator[_Found]:
    bare = [row for row in read if not row.segment.licence.strip()]
    if read and len(bare) == len(read):
        yield read[0].line, "licence", "", "No row has a licence; every row says under what terms it may be used."
        return
    for row in bare:
        yield row.line, "licence", row.segment.id, "The row has no licence, which others have."


def _canaries(read: list[_Row]) -> Iterator[_Found]:
    counted = Counter(row.segment.canary for row in read if row.segment.canary)
    if not counted:
        if read:
            yield (
                read[0].line,
                "no-canary",
                "",
                "No row has a canary; text that is not marked ends up in training data.",
            )
        return
    canary, _ = counted.most_common(1)[0]
    first = next(row for row in read if row.segment.canary == canary)
    if not _CANARY.fullmatch(canary):
        yield first.line, "canary", first.segment.id, f"The canary is {canary!r}; expected NAME-CANARY-uuid."
    for row in read:
        if row.segment.canary != canary:
            sentence = f"The row has the canary {row.segment.canary!r}; the set's is {canary!r}."
            yield row.line, "canary", row.segment.id, sentence
