"""The parts of a report as values: prose, key figures, tables, charts, clips, signatures, conflicts of interest.

Conventions: a part says what is shown, never how; parts are frozen and stand in reading order, the answer before
the detail. A signature is the line that says how a number came about. The column `system` of a table carries the
system's colour. A rate is a fraction with a format (`.1%`), never a number made ready for show, so that sorting
and the CSV keep its full precision.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from bench.player import Take

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

    Columns of numbers stand right; what is missing shows as a dash and sorts last. A column of alignments (see
    `bench.player`) shows its words marked. `conflict` is the conflict-of-interest line under the table.
    """

    frame: pd.DataFrame
    title: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    conflict: str = ""

    @property
    def headings(self) -> dict[str, str]:
        """The heading of each column, in order."""
        return {column: self.names.get(column, str(column).replace("_", " ")) for column in self.frame.columns}


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


Part = Prose | KeyFigures | Table | Chart | Clips | Signature | Conflict


def comma(table: Table) -> str:
    """The table as CSV (RFC 4180) at full precision.

    A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers.
    """
    frame = table.frame
    kinds = [numeric(frame[column]) for column in frame.columns]
    lines = [[_cell(heading, False) for heading in table.headings.values()]]
    for row in frame.itertuples(index=False):
        lines.append([_cell(plain(value), kind) for value, kind in zip(row, kinds, strict=True)])
    return "".join(",".join(line) + "\r\n" for line in lines)


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
    """A cell as it is read: by its format, four significant digits for other fractions, a dash for what is missing."""
    if isinstance(value, list | tuple):
        return plain(value)
    if _missing(value):
        return "–"
    if isinstance(value, str):
        return value
    text = format(value, spec or (".4g" if isinstance(value, float) else ""))
    return f"−{text[1:]}" if text.startswith("-") else text


def _missing(value: Any) -> bool:
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _cell(text: str, number: bool) -> str:
    if text.startswith(FORMULA) and not number:
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text
