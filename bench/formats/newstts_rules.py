"""What is wrong with a CN-NewsTTS Bench dataset: its validator's rules, and named warnings for what that one misses.

Conventions: a finding names its rule, line and id. Findings of severity `error` are those on which the published v0.1
validator refuses the file; `warning` is all that it lets pass: what only the JSON Schema forbids, and what makes the
scorer decide something that nobody meant. The validator folds readings without NFKC, the scorer with it; each rule
below uses the folding of the programme that it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from pathlib import Path
from typing import Any, Literal

from bench.fault import Fault
from bench.formats.newstts import RECORD_FIELDS, TARGET_FIELDS, TARGET_OPTIONS, bare, fold, kind, lines, parse

SPLITS = ("dev", "test_public", "test_hidden")
SOURCES = ("synthetic", "rewritten_news", "licensed_news")
DOMAINS = ("general", "sports", "military", "finance", "tech", "auto", "international", "society")
CATEGORIES = (
    "sports_score",
    "range_hyphen",
    "year_range",
    "military_model",
    "vehicle_model",
    "abbreviation",
    "brand_mixed",
    "unit_symbol",
    "percentage",
    "decimal_number",
    "generation_label",
    "other_auto_evaluable",
    "optional_homograph_polyphone",
)
GROUPS = ("number", "entity", "abbreviation", "unit", "polyphone", "other")
IDENTITY = re.compile(r"[a-z0-9_\-]+")

# Every rule by name, for documentation and for the command line. The first eleven are the published validator's.
RULES: Mapping[str, str] = {
    "json": "a line is not one JSON object",
    "record-key": "a record lacks a required key",
    "record-value": "split, source or domain is not one of the listed values, or the text is blank",
    "targets": "targets is not a list of objects with at least one in it",
    "target-key": "a target lacks a required key",
    "duplicate-id": "a record's or a target's id stands twice",
    "span": "a target's span is not in its record's text",
    "target-value": "category or group is not one of the listed values",
    "reading": "a reading is not a string, or is blank",
    "polyphone-evaluable": "an optional polyphone is not marked as one that cannot be judged automatically",
    "overlap": "a wrong reading equals a right one or, from two characters on, lies inside it",
    "no-positive": "a target has no right reading, so that it can never be correct",
    "offset": "start and end do not cut the span out of the text",
    "identity": "an id has characters other than a-z, 0-9, '_' and '-'",
    "unknown-key": "a key that the schema does not know",
    "evaluable-type": "auto_evaluable is not a boolean, and any string, even 'false', is taken as true",
    "type": "a value has another JSON type than the schema's, or is empty where that asks for content",
    "folded-overlap": "a wrong reading and a right one are told apart by character width or compatibility form alone",
    "short-negative": "a wrong reading of one character lies inside a right one, which can thus never be correct",
    "empty-reading": "a reading folds to nothing and is ignored",
    "sibling": "a reading lies inside a right reading of another target of the record, which can thus decide this one",
}
ERRORS = tuple(RULES)[:11]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a dataset: the rule, the line (from 1), the id of the target or record ("" for none), and why."""

    rule: str
    line: int
    id: str
    message: str

    @property
    def severity(self) -> Literal["error", "warning"]:
        return "error" if self.rule in ERRORS else "warning"

    def __str__(self) -> str:
        return f"line {self.line}{f', {self.id}' if self.id else ''}: {self.message} [{self.rule}]"


Found = Iterator[tuple[str, str, str]]  # rule, id, message


def validate(path: Path) -> tuple[Finding, ...]:
    """Every finding of a dataset file, in file order. Raises Fault only where the file cannot be read as UTF-8."""
    findings: list[Finding] = []
    seen: dict[tuple[str, str], int] = {}
    for line, text in lines(path):
        try:
            row = parse(text)
        except Fault as fault:
            findings.append(Finding("json", line, "", str(fault)))
            continue
        findings += [Finding(rule, line, identity, message) for rule, identity, message in inspect(row)]
        for what, identity in identities(row):
            if (what, identity) in seen:
                message = f"The {what} id {identity!r} stands on line {seen[what, identity]} already; ids are unique."
                findings.append(Finding("duplicate-id", line, identity, message))
            seen.setdefault((what, identity), line)
    return tuple(findings)


def identities(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The ids that must be single in a dataset: `record` or `target`, and the id."""
    if "id" in row:
        yield "record", str(row["id"])
    for target in _objects(row.get("targets")):
        if "target_id" in target:
            yield "target", str(target["target_id"])


def _objects(value: Any) -> list[dict[str, Any]]:
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _strings(value: Any) -> list[str]:
    return [entry for entry in value if isinstance(entry, str)] if isinstance(value, list) else []


def _one_of(value: Any, known: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in known


def inspect(row: Mapping[str, Any]) -> Found:
    """What is wrong with one record, whatever stands in the others."""
    identity = str(row.get("id", ""))
    for key in RECORD_FIELDS:
        if key not in row:
            yield "record-key", identity, f"The key {key!r} is missing."
    for key, known in (("split", SPLITS), ("source", SOURCES), ("domain", DOMAINS)):
        if key in row and not _one_of(row[key], known):
            yield "record-value", identity, f"{key} is {row[key]!r}; expected one of {', '.join(known)}."
    text = row.get("text", "")
    if "text" in row and not (isinstance(text, str) and text.strip()):
        yield "record-value", identity, f"The text is {text!r}; expected a string that is not blank."
    for key in sorted(row.keys() - {*RECORD_FIELDS, "metadata"}):
        yield "unknown-key", identity, f"The schema does not know the record's key {key!r}."
    if not isinstance(row.get("metadata", {}), dict):
        yield "type", identity, f"metadata is {kind(row['metadata'])}; expected an object."
    if "id" in row and not (isinstance(row["id"], str) and IDENTITY.fullmatch(row["id"])):
        yield "identity", identity, f"The id is {row['id']!r}; expected a-z, 0-9, '_' and '-' only."
    targets = row.get("targets")
    if "targets" in row and not (isinstance(targets, list) and targets and len(_objects(targets)) == len(targets)):
        yield "targets", identity, f"targets is {kind(targets)}; expected a list of objects, not empty."
    for target in _objects(targets):
        yield from _target(target, text if isinstance(text, str) else "", identity)
    yield from _siblings(_objects(targets))


def _target(target: Mapping[str, Any], text: str, record: str) -> Found:
    identity = str(target.get("target_id", record))
    for key in TARGET_FIELDS:
        if key not in target:
            yield "target-key", identity, f"The target's key {key!r} is missing."
    span = target.get("span")
    if "span" in target and not (isinstance(span, str) and span in text):
        yield "span", identity, f"The span {span!r} is not in the text."
    for key, known in (("category", CATEGORIES), ("group", GROUPS)):
        if key in target and not _one_of(target[key], known):
            yield "target-value", identity, f"{key} is {target[key]!r}; expected one of {', '.join(known)}."
    if target.get("category") == "optional_homograph_polyphone" and target.get("auto_evaluable", True):
        yield "polyphone-evaluable", identity, "An optional polyphone needs auto_evaluable false."
    for key in ("positive_readings", "negative_readings"):
        readings = target.get(key, [])
        if not isinstance(readings, list):
            yield "reading", identity, f"{key} is {kind(readings)}; expected a list of strings."
        elif bad := [reading for reading in readings if not (isinstance(reading, str) and reading.strip())]:
            yield "reading", identity, f"{key} holds {bad[0]!r}; expected strings that are not blank."
    yield from _overlaps(target, identity)
    yield from _unseen(target, text, identity)


def _overlaps(target: Mapping[str, Any], identity: str) -> Found:
    pairs = product(_strings(target.get("negative_readings")), _strings(target.get("positive_readings")))
    for negative, positive in pairs:
        short, long = bare(negative), bare(positive)
        folded, whole = fold(negative), fold(positive)
        said = f"The wrong reading {negative!r}"
        if short and (short == long or (len(short) >= 2 and short in long)):
            yield "overlap", identity, f"{said} is, or lies inside, the right reading {positive!r}."
        elif folded and (folded == whole or (len(folded) >= 2 and folded in whole)):
            yield "folded-overlap", identity, f"{said} folds to {folded!r}, which the right reading {positive!r} holds."
        elif len(folded) == 1 and folded in whole:
            yield "short-negative", identity, f"{said} lies inside the right reading {positive!r} and comes first."


def _unseen(target: Mapping[str, Any], text: str, identity: str) -> Found:
    """What the published validator does not look at."""
    if target.get("positive_readings") == []:
        yield "no-positive", identity, "The target has no right reading; it can never be correct."
    for key in ("positive_readings", "negative_readings"):
        for reading in _strings(target.get(key)):
            if reading.strip() and not fold(reading):
                yield "empty-reading", identity, f"{reading!r} in {key} folds to nothing and is ignored."
    start, end = target.get("start"), target.get("end")
    if (start, end) != (None, None):
        whole = all(isinstance(at, int) and not isinstance(at, bool) and at >= 0 for at in (start, end))
        found = text[start:end] if whole else None
        if found != target.get("span"):
            yield "offset", identity, f"text[{start}:{end}] is {found!r}; expected the span {target.get('span')!r}."
    for key in sorted(target.keys() - {*TARGET_FIELDS, *TARGET_OPTIONS, "rationale"}):
        yield "unknown-key", identity, f"The schema does not know the target's key {key!r}."
    if "target_id" in target and not IDENTITY.fullmatch(str(target["target_id"])):
        yield "identity", identity, f"The id is {target['target_id']!r}; expected a-z, 0-9, '_' and '-' only."
    if not isinstance(flag := target.get("auto_evaluable", True), bool):
        yield "evaluable-type", identity, f"auto_evaluable is {flag!r}, which counts as {str(bool(flag)).lower()}."
    if target.get("span") == "":
        yield "type", identity, "The span is empty; expected at least one character."
    for key in ("target_id", "rationale"):
        if not isinstance(target.get(key, ""), str):
            yield "type", identity, f"{key} is {kind(target[key])}; expected a string."


def _siblings(targets: list[dict[str, Any]]) -> Found:
    for target, sibling in permutations(targets, 2):
        wholes = [fold(reading) for reading in _strings(sibling.get("positive_readings"))]
        for key, outcome in (("positive_readings", "correct"), ("negative_readings", "wrong")):
            for reading in _strings(target.get(key)):
                part = fold(reading)
                if part and (hosts := [whole for whole in wholes if part in whole]):
                    message = (
                        f"{reading!r} lies inside {hosts[0]!r}, a right reading of {sibling.get('target_id')}, "
                        f"which can thus make this target {outcome}."
                    )
                    yield "sibling", str(target.get("target_id", "")), message
