"""Published text-set layouts: `read` maps any of them onto segments.

Conventions: one module a layout, each with LAYOUT (its name), REQUIRED (the fields that give it away) and
`segment(record)`. The layout is told from the first record; a field that is missing from a later one is a fault
with its line. The hash of a set is the sha256 of its file.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from bench.fault import Fault
from bench.formats import german, newstts, trtts
from bench.formats.record import Record, digest, records
from bench.segment import Segment, TextSet


class Layout(Protocol):
    """What a module of this folder offers."""

    LAYOUT: str
    REQUIRED: frozenset[str]

    def segment(self, record: Record) -> Segment: ...


LAYOUTS: tuple[Layout, ...] = (trtts, german, newstts)


def read(path: Path, *, sha256: str | None = None) -> TextSet:
    """The text set in a file. With `sha256`, refuses a file whose hash differs. Raises Fault."""
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
    layout: Layout | None = None
    segments: list[Segment] = []
    lines: dict[str, int] = {}
    for line, record in records(path):
        layout = layout or _layout(record, path, line)
        missing = sorted(layout.REQUIRED - record.keys())
        if missing:
            raise Fault(f"The field {missing[0]!r} is missing; {layout.LAYOUT} rows have it.", file=path, line=line)
        try:
            segment = layout.segment(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Fault(
                f"This is not a {layout.LAYOUT} row ({type(error).__name__}: {error}).", file=path, line=line
            ) from error
        except Fault as fault:
            raise Fault(str(fault), file=path, line=line) from None
        if segment.id in lines:
            raise Fault(f"The id {segment.id!r} stands on line {lines[segment.id]} already.", file=path, line=line)
        lines[segment.id] = line
        segments.append(segment)
    if layout is None:
        raise Fault("The text set is empty; expected one record a line.", file=path)
    return TextSet(name=path.stem, segments=tuple(segments), sha256=found, layout=layout.LAYOUT)


def _layout(record: Record, path: Path, line: int) -> Layout:
    for layout in LAYOUTS:
        if record.keys() >= layout.REQUIRED:
            return layout
    known = "; ".join(f"{layout.LAYOUT} has {', '.join(sorted(layout.REQUIRED))}" for layout in LAYOUTS)
    raise Fault(f"No known layout has the fields {', '.join(sorted(record))}. {known}.", file=path, line=line)
