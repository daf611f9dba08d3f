"""The parts of a report as values: prose, key figures, tables, charts, clips, signatures, conflicts of interest.

Conventions: a part says what is shown, never how; parts are frozen and stand in reading order, the answer before
the detail. A signature is the line that says how a number came about. The column `system` of a table carries the
system's colour. A rate is a fraction with a format (`.1%`), never a number made ready for show, so that sorting
and the CSV keep its full precision.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from bench.fault import Fault
from bench.player import Take

POINTS = "points"  # the format of a difference of two rates: percentage points with their sign, +1.9
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what a spreadsheet may take for the start of a formula (OWASP, CSV injection)


@dataclass(frozen=True, slots=True)
class Prose:
    """Text in CommonMark with tables; HTML in it is shown as text and images are left out."""

    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with its name: `value` as it is read, `detail` what makes it understood (interval, basis, caveat)."""

    name: str
    value: str
    detail: str = ""
    system: str | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class KeyFigures:
    """The answer: a few numbers in large type."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A frame, with per column a format (as in `format(value, spec)`), a heading and a signature.

    Columns of numbers stand right; what is missing shows as a dash, or as the words of `missing`, and sorts last. Of a
    column in `intervals` the two that hold the ends stand under the number, and after it in the CSV: for measures side
    by side; where there is one measure its ends are columns of their own. A column of alignments (see `bench.player`)
    shows its words marked. `conflict` is the conflict-of-interest line under the table.
    """

    frame: pd.DataFrame
    title: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    conflict: str = ""
    intervals: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """The columns that are shown, without the ends of intervals."""
        ends = {end for pair in self.intervals.values() for end in pair}
        return [column for column in self.frame.columns if column not in ends]

    @property
    def headings(self) -> dict[str, str]:
        """The heading of each column, in order, the ends of an interval after its number."""
        found: dict[str, str] = {}
        for column in self.columns:
            found[column] = self.names.get(column, str(column).replace("_", " "))
            ends = zip(self.intervals.get(column, ()), ("from", "to"), strict=False)
            found |= {end: self.names.get(end, f"{found[column]}, {word}") for end, word in ends}
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Rows:
    """Counts that a reader cuts as they like, without a kernel: rates by `by`, for any level of each of `strata`.

    One row a hearing, with the columns `errors` and `words` (whole numbers), `segment` (an id), those of `by` and
    `strata`, and `texts` to read. The page resamples clusters (the column `cluster`, or else the segment) by a
    seeded Poisson bootstrap; fewer than 20 of them have no interval. Raises Fault where a column is missing or a count
    is none.
    """

    frame: pd.DataFrame
    title: str = ""
    by: tuple[str, ...] = ("system", "channel", "recogniser")
    strata: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    note: str = ""
    signature: str = ""

    def __post_init__(self) -> None:
        wanted = ("segment", "errors", "words", *self.by, *self.strata, *self.texts)
        missing = [column for column in wanted if column not in self.frame.columns]
        if missing:
            raise Fault(f"Rows lacks the columns {', '.join(missing)}; it has {', '.join(self.frame.columns)}.")
        for column in ("errors", "words"):
            if not pd.api.types.is_integer_dtype(self.frame[column]) or (self.frame[column] < 0).any():
                raise Fault(
                    f"The column {column} holds counts: whole numbers from 0; found {self.frame[column].dtype}."
                )


@dataclass(frozen=True, eq=False, slots=True)
class Folded:
    """A frame of many rows, too many to show at once: a line a group, which opens on demand.

    A group is one combination of the values of `by`, which its line shows in that order; opened, it is a table of the
    other columns. Groups and rows keep the order of their first appearance. Raises Fault where a column is missing.
    """

    frame: pd.DataFrame
    by: tuple[str, ...]
    title: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    signature: str = ""
    conflict: str = ""

    def __post_init__(self) -> None:
        if missing := [name for name in self.by if name not in self.frame.columns]:
            raise Fault(f"Folded lacks the columns {', '.join(missing)}; it has {', '.join(self.frame.columns)}.")
        if not self.by:
            raise Fault("Folded has no columns to fold by; expected at least one.")


@dataclass(frozen=True, eq=False, slots=True)
class Chart:
    """An Altair chart."""

    chart: Any
    title: str = ""
    note: str = ""
    signature: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Clips:
    """Takes to hear, in the order given."""

    takes: tuple[Take, ...]
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that belongs to the whole report rather than to one number."""

    text: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Conflict:
    """The conflict-of-interest line of each system: {system: statement}."""

    statements: Mapping[str, str]


Part = Prose | KeyFigures | Table | Rows | Folded | Chart | Clips | Signature | Conflict


def comma(table: Table) -> str:
    """The table as CSV (RFC 4180) at full precision.

    A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers.
    """
    frame = table.frame[list(table.headings)]
    kinds = [numeric(frame[column]) for column in frame.columns]
    lines = [[_cell(heading, False) for heading in table.headings.values()]]
    for row in frame.itertuples(index=False):
        lines.append([_cell(plain(value), kind) for value, kind in zip(row, kinds, strict=True)])
    return "".join(",".join(line) + "\r\n" for line in lines)


def pack(rows: Rows) -> bytes:
    """The rows as deflated JSON: {column: {"levels": [...], "codes": [...]}}, {"values": [...]} for counts and texts.

    Rows are put in the order of their segments, so that what different systems made of one sentence stands together
    and packs well; inside a segment they keep their order.
    """
    frame = rows.frame.sort_values("segment", kind="stable")
    unit = frame["cluster"].fillna(frame["segment"]) if "cluster" in frame.columns else frame["segment"]
    columns: dict[str, Any] = {"\tcluster": _coded(unit), "segment": _coded(frame["segment"])}
    columns |= {f"\t{name}": {"values": [int(n) for n in frame[name]]} for name in ("errors", "words")}
    columns |= {name: _coded(frame[name]) for name in dict.fromkeys((*rows.by, *rows.strata))}
    columns |= {
        name: {"values": [None if _missing(text) else str(text) for text in frame[name]]} for name in rows.texts
    }
    return _deflated(columns)


def fold(part: Folded) -> bytes:
    """The rows as `pack` writes them, all columns as levels and codes, with those of a group side by side."""
    group = part.frame.groupby(list(part.by), sort=False, dropna=False).ngroup()
    at = group.argsort(kind="stable")
    columns: dict[str, Any] = {"\tgroup": {"values": [int(n) for n in group.iloc[at]]}}
    return _deflated(columns | {name: _coded(part.frame[name].iloc[at]) for name in part.frame.columns})


def _deflated(columns: Mapping[str, Any]) -> bytes:
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), 9)


def _coded(column: pd.Series[Any]) -> dict[str, list[Any]]:
    """A column as levels in the order of their appearance, and a code a row."""
    levels: dict[str | None, int] = {}
    codes = [levels.setdefault(None if _missing(v) else str(v), len(levels)) for v in column]
    return {"levels": list(levels), "codes": codes}


def sign(parts: Iterable[Part], signature: str) -> list[Part]:
    """The parts, with `signature` on the first column of numbers of each table that bears none."""
    signed: list[Part] = []
    for part in parts:
        if isinstance(part, Table) and not part.signatures:
            first = next((column for column in part.columns if numeric(part.frame[column])), None)
            part = part if first is None else replace(part, signatures={first: signature})
        signed.append(part)
    return signed


def numeric(column: pd.Series[Any]) -> bool:
    """Whether a column holds numbers (truth values are none)."""
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def alignments(column: pd.Series[Any]) -> bool:
    """Whether a column holds alignments: sequences of (reference word, hypothesis word, operation)."""
    first = next(iter(column), None)
    return isinstance(first, list | tuple) and all(isinstance(op, list | tuple) and len(op) == 3 for op in first)


def plain(value: Any) -> str:
    """A cell at full precision: nothing for what is missing, the hypothesis for an alignment."""
    if isinstance(value, list | tuple):
        return " ".join(str(op[1]) for op in value if op[1] is not None)
    return "" if _missing(value) else str(value)


def shown(value: Any, spec: str | None = None) -> str:
    """A cell as it is read: by its format (as in `format`, or POINTS), four significant digits for other fractions, a
    dash for what is missing."""
    if isinstance(value, list | tuple):
        return plain(value)
    if _missing(value):
        return "–"
    if isinstance(value, str):
        return value
    text = (
        f"{100 * value:+z.1f}" if spec == POINTS else format(value, spec or (".4g" if isinstance(value, float) else ""))
    )
    return f"−{text[1:]}" if text.startswith("-") else text


def _missing(value: Any) -> bool:
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _cell(text: str, number: bool) -> str:
    if text.startswith(FORMULA) and not number:
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text
