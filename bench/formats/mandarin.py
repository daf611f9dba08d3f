"""Earshot's own Mandarin set: news lines with targets, in a layout of its own.

Conventions: JSON lines, one record a line: `id`, `language_tag`, `domain`, `text`, `source`, `license`, and `targets`
of `target_id`, `target` (the span), `start`, `end`, `type`, `positive`, `negative` and `optional`. A target's `type`
becomes its category, and an optional target is one that is not judged automatically. Unknown fields stay in `extra`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.formats.newstts import kind, rows
from bench.segment import Segment, Target, TextSet

_RECORD: Mapping[str, type] = {"id": str, "language_tag": str, "domain": str, "text": str, "targets": list}
_TARGET: Mapping[str, type] = {
    "target_id": str,
    "target": str,
    "start": int,
    "end": int,
    "type": str,
    "positive": list,
    "negative": list,
    "optional": bool,
}
_GROUPS: Mapping[str, str] = {
    **dict.fromkeys(("model", "code", "flight", "road", "version", "generation", "date_event"), "entity"),
    **dict.fromkeys(("unit", "temperature", "temperature_range", "symbol"), "unit"),
    "abbrev": "abbreviation",
}


def read(path: Path) -> TextSet:
    """The text set at `path` in file order. Raises Fault with line and id for a record that is not of this layout."""
    segments: dict[str, Segment] = {}
    for line, row in rows(path):
        try:
            segment = _segment(row)
        except Fault as fault:
            raise Fault(str(fault), file=path, line=line) from None
        if segment.id in segments:
            raise Fault(f"The id {segment.id!r} stands twice; ids are unique.", file=path, line=line)
        segments[segment.id] = segment
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return TextSet(name=path.stem, segments=tuple(segments.values()), sha256=digest, layout="mandarin")


def _typed(row: Mapping[str, Any], fields: Mapping[str, type], what: str) -> None:
    for key, expected in fields.items():
        if not isinstance(row.get(key), expected):
            raise Fault(f"{what}: the key {key!r} holds {kind(row.get(key))}; expected {kind(expected())}.")


def _segment(row: Mapping[str, Any]) -> Segment:
    _typed(row, _RECORD, f"Record {row.get('id')}")
    targets = tuple(_target(entry, row) for entry in row["targets"])
    return Segment(
        id=row["id"],
        language=row["language_tag"],
        text=row["text"],
        targets=targets,
        strata={
            "domain": row["domain"],
            **({"category": targets[0].category, "group": targets[0].group} if targets else {}),
        },
        source=str(row.get("source", "")),
        licence=str(row.get("license", "")),
        extra={key: value for key, value in row.items() if key not in (*_RECORD, "source", "license")},
    )


def _target(entry: Any, row: Mapping[str, Any]) -> Target:
    if not isinstance(entry, dict):
        raise Fault(f"Record {row['id']}: a target is {kind(entry)}; expected an object.")
    _typed(entry, _TARGET, f"Target {entry.get('target_id')}")
    found = row["text"][entry["start"] : entry["end"]]
    if found != entry["target"]:
        raise Fault(
            f"Target {entry['target_id']}: text[{entry['start']}:{entry['end']}] is {found!r}; expected the target "
            f"{entry['target']!r}."
        )
    return Target(
        id=entry["target_id"],
        span=entry["target"],
        start=entry["start"],
        end=entry["end"],
        category=entry["type"],
        group=_GROUPS.get(entry["type"], "number"),
        positive=tuple(map(str, entry["positive"])),
        negative=tuple(map(str, entry["negative"])),
        auto_evaluable=not entry["optional"],
    )
