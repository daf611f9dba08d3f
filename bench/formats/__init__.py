"""Published text-set layouts: `read` maps any of them onto segments.

Conventions: one module a layout, each with LAYOUT (its name), REQUIRED (the fields that give it away) and
`segment(record)`. The layout is told from the first record; a field that is missing from a later one is a fault
with its line. A table in no published layout is read with a mapping of its columns (`bench.formats.plain`). The same
rows as JSON lines, parquet or CSV give equal segments. The hash of a set is the sha256 of its file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from bench.fault import Fault
from bench.formats import dialtone, german, newstts, plain, trtts
from bench.formats.record import TYPES, Record, digest, records
from bench.segment import Segment, TextSet


class Layout(Protocol):
    """What a module of this folder offers."""

    LAYOUT: str
    REQUIRED: frozenset[str]

    def segment(self, record: Record) -> Segment: ...


LAYOUTS: tuple[Layout, ...] = (trtts, german, newstts, dialtone)


def read(
    path: Path, *, sha256: str | None = None, mapping: Mapping[str, str] | None = None, language: str = "und"
) -> TextSet:
    """The text set in a file. With `sha256`, refuses a file whose hash differs. Raises Fault.

    `mapping` says which column is which field of a segment, for a table that is in no published layout, and `language`
    what its rows are in where no column says so: see `bench.formats.plain`.
    """
    if not path.is_file():
        raise Fault("There is no such text set.", file=path)
    found = digest(path)
    if sha256 is not None and found != sha256:
        raise Fault(
            f"The text set has changed: its sha256 is {found}, expected {sha256}. "
            "Numbers from two versions of a set cannot be compared: restore the file, or pin the new hash in a new "
            "version of the protocol.",
            file=path,
        )
    name = plain.LAYOUT
    reader: Callable[[Record], Segment] | None = None
    if mapping is not None:
        reader = mapped(mapping, language)
    segments: list[Segment] = []
    lines: dict[str, int] = {}
    for line, record in records(path, types=types(mapping)):
        try:
            if reader is None:
                layout = told(record)
                name, reader = layout.LAYOUT, by(layout)
            segment = reader(record)
        except Fault as fault:
            raise Fault(str(fault), file=path, line=line) from None
        if segment.id in lines:
            raise Fault(f"The id {segment.id!r} stands on line {lines[segment.id]} already.", file=path, line=line)
        lines[segment.id] = line
        segments.append(segment)
    if not segments:
        raise Fault("The text set is empty; expected one record a line.", file=path)
    return TextSet(name=path.stem, segments=tuple(segments), sha256=found, layout=name)


def told(record: Record) -> Layout:
    """The layout that a record's fields give away. Raises Fault where none does."""
    for layout in LAYOUTS:
        if record.keys() >= layout.REQUIRED:
            return layout
    known = "; ".join(f"{layout.LAYOUT} has {', '.join(sorted(layout.REQUIRED))}" for layout in LAYOUTS)
    raise Fault(
        f"No known layout has the fields {', '.join(sorted(record))}. {known}. Map the columns of any other table."
    )


def by(layout: Layout) -> Callable[[Record], Segment]:
    """How a record of that layout becomes a segment; the function raises Fault, without a place."""

    def segment(record: Record) -> Segment:
        if not record.keys() >= layout.REQUIRED:
            missing = sorted(layout.REQUIRED - record.keys())
            names = ", ".join(map(repr, missing))
            said = f"The field {names} is missing" if len(missing) == 1 else f"The fields {names} are missing"
            raise Fault(f"{said}; {layout.LAYOUT} rows have {'it' if len(missing) == 1 else 'them'}.")
        try:
            return layout.segment(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Fault(f"This is not a {layout.LAYOUT} row ({type(error).__name__}: {error}).") from error

    return segment


def mapped(mapping: Mapping[str, str], language: str) -> Callable[[Record], Segment]:
    """How a row becomes a segment under a mapping of columns. Raises Fault for a mapping that cannot be used."""
    plain.check(mapping)
    return lambda record: plain.segment(record, mapping, language)


def types(mapping: Mapping[str, str] | None) -> Mapping[str, type | None]:
    """The types of the columns of a CSV file, under a mapping or in the published layouts."""
    return TYPES if mapping is None else plain.types(mapping)
