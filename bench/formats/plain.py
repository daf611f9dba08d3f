"""Any table of sentences: a mapping says which column is which field of a segment.

Conventions: the mapping's keys are fields, its values the file's columns: `{"id": "key", "text": "sentence"}`. `id`
and `text` must be mapped; further texts, `subsets` and the strata may be. A column that is not mapped is kept in
`Segment.extra` under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench.fault import Fault
from bench.formats.fields import names, optional, others, present, strata, text
from bench.formats.record import FLAGS, TYPES, Record
from bench.formats.trtts import STRATA as _ROW_STRATA
from bench.segment import Segment

LAYOUT = "plain"
REQUIRED = frozenset({"id", "text"})
STRATA = (*_ROW_STRATA, "variety", "locality")
TEXTS = ("language", "spoken", "lattice", "cluster", "canary", "pron_hint", "notes", "source", "licence")
FIELDS = ("id", "text", *TEXTS, "subsets", *STRATA)


def check(mapping: Mapping[str, str]) -> None:
    """Raises Fault for a mapping that names an unknown field, or lacks one that every segment has."""
    for field in mapping:
        if field not in FIELDS:
            raise Fault(f"The mapping names the field {field!r}; a segment has {', '.join(FIELDS)}.")
    for field in sorted(REQUIRED - mapping.keys()):
        raise Fault(f"The mapping does not say which column holds the field {field!r}.")


def types(mapping: Mapping[str, str]) -> dict[str, type | None]:
    """The types of the columns of a CSV file: one that is mapped has its field's, whatever its own name says."""
    held = {**dict.fromkeys(("id", "text", *TEXTS), str), **dict.fromkeys(FLAGS, bool)}
    return {**TYPES, **{column: held.get(field) for field, column in mapping.items()}}


def segment(record: Record, mapping: Mapping[str, str], language: str) -> Segment:
    """One row. `language` is the tag of a row that has none of its own; an id may be a whole number. Raises Fault."""
    for column in (mapping["id"], mapping["text"]):
        if column not in record:
            raise Fault(f"There is no column {column!r}, which the mapping names; there are {', '.join(record)}.")
    row = present({field: record.get(column) for field, column in mapping.items()})
    if type(row.get("id")) is int:
        row["id"] = str(row["id"])
    return Segment(
        id=text(row, "id"),
        language=text(row, "language", language),
        text=text(row, "text"),
        spoken=optional(row, "spoken"),
        lattice=optional(row, "lattice"),
        strata=strata(row, STRATA),
        subsets=names(row, "subsets"),
        cluster=optional(row, "cluster"),
        canary=optional(row, "canary"),
        pron_hint=text(row, "pron_hint", ""),
        notes=text(row, "notes", ""),
        source=text(row, "source", ""),
        licence=text(row, "licence", ""),
        extra=others(present(record), set(mapping.values())),
    )
