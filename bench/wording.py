"""How names and numbers read inside a sentence of a report.

Conventions: a sentence is CommonMark, and a name in it is shown as it is written, whatever signs it holds. Rates are
fractions; they read as per cent with one decimal, differences as points with their sign. What is missing is a dash.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def listed(names: Sequence[str]) -> str:
    """Names as they are told: a, b and c."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def safe(name: str) -> str:
    """A name inside CommonMark, its signs escaped."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]<>()#+-.!|&~" else sign for sign in name)


def percent(rate: float) -> str:
    """A rate in per cent."""
    return "–" if pd.isna(rate) else f"{rate:.1%}"


def points(difference: float) -> str:
    """A difference in percentage points, with its sign."""
    return "–" if pd.isna(difference) else f"{round(difference, 1) + 0:+.1f}".replace("-", "−")
