"""Tidy frames as tables on a terminal.

Conventions: a column of rates is shown in per cent with one decimal; an undefined rate as a dash, never as 0.
Whatever comes from a text set or a system is shown as text: markup and control characters have no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from rich.console import Console
from rich.table import Table
from rich.text import Text


def show(frame: pd.DataFrame, title: str, *, percent: Sequence[str] = ()) -> None:
    """Print a frame to standard output, a row a line; the columns in `percent` hold rates, or words in their place."""
    console = Console(highlight=False)
    table = Table(title=Text(title), title_justify="left")
    for column in frame.columns:
        number = pd.api.types.is_numeric_dtype(frame[column])
        table.add_column(Text(str(column)), justify="right" if number else "left", no_wrap=True)
    for row in frame.itertuples(index=False, name=None):
        cells = [_cell(value, name in percent) for name, value in zip(frame.columns, row, strict=True)]
        table.add_row(*(Text(cell) for cell in cells))
    console.width = max(console.width, console.measure(table, options=console.options.update(width=1000)).maximum)
    console.print(table)  # a narrow terminal breaks the lines; a cell is never cut


def say(line: str) -> None:
    """Print one line of plain text to standard output."""
    Console(highlight=False).print(Text(_plain(line)), soft_wrap=True)


def _cell(value: Any, rate: bool) -> str:
    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return "–"
    if rate and not isinstance(value, str):
        return f"{round(100 * value, 1) + 0:.1f}"  # no minus before a zero
    return f"{value:g}" if isinstance(value, float) else _plain(str(value))


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
