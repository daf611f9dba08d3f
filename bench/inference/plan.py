"""How fine a difference a text set can show, and how many units a wanted difference needs.

Conventions: from the pairs of a finished run. A paired difference has the linearised standard error of its units;
a two-sided test at 5 % finds a true difference of (z(0.975) + z(power)) standard errors with that power, and the
standard error falls with the square root of the number of units. Under Holm's adjustment the first of m pairs is
tested at 5 % / m: `smallest_holm` is for a pair that must pass alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from bench.fault import Fault
from bench.inference import test
from bench.inference.comparison import BY, Table, sign
from bench.inference.interval import Floats
from bench.inference.sums import Slice, collect

POWER = 0.8


def smallest(error: Floats | float, *, power: float = POWER, tests: int = 1) -> Floats:
    """The true difference found with that power, from the standard error of its estimate."""
    return np.asarray((ndtri(1 - test.ALPHA / 2 / tests) + ndtri(power)) * np.asarray(error), np.float64)


def plan(
    scores: pd.DataFrame,
    *,
    wanted: float = 0.01,
    power: float = POWER,
    by: Sequence[str] = BY,
    unit: str | None = None,
    errors: str = "errors",
    words: str | None = "words",
    metric: str = "WER",
) -> Table:
    """What the text set of a finished run can tell apart: a row a family, for its middle pair.

    Columns: the `by` columns, n (units), segments, pairs, error (the median standard error of a difference), smallest
    (the smallest true difference found with that power), smallest_holm, wanted, needed (units for the wanted
    difference), needed_holm. Raises Fault where no family has two systems, or `wanted` or `power` is out of range.
    """
    if not wanted > 0 or not 0 < power < 1:
        raise Fault(f"wanted is {wanted} and power {power}; expected a difference above 0 and a power between 0 and 1.")
    sums = collect(scores, by=by, unit=unit, errors=errors, words=words)
    rows: list[dict[str, Any]] = []
    for part in sums.slices:
        spread = errors_of_differences(part)
        if len(spread):
            middle = float(np.median(spread))
            alone, adjusted = (float(smallest(middle, power=power, tests=m)) for m in (1, len(spread)))
            n = len(part.index)
            needed = {
                "needed": int(np.ceil(n * (alone / wanted) ** 2)),
                "needed_holm": int(np.ceil(n * (adjusted / wanted) ** 2)),
            }
            found = {"error": middle, "smallest": alone, "smallest_holm": adjusted, "wanted": wanted}
            rows.append({**part.family, "n": n, "segments": part.segments, "pairs": len(spread), **found, **needed})
    if not rows:
        raise Fault("No family has two systems with a rate; planning needs the differences of a finished run.")
    how = {"power": power, "unit": sums.unit}
    return Table(pd.DataFrame(rows), sign(metric, by, **how))


def errors_of_differences(part: Slice) -> Floats:
    """The standard error of each pair's difference that has one, over the slice's n > 1 units."""
    n, total = len(part.index), part.words.sum(axis=0)
    if n < 2:
        return np.empty(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        rate = part.errors.sum(axis=0) / total
        influence = ((part.errors - rate * part.words) / total).mean(axis=1)
    a, b = test.pairs(len(part.systems))
    spread = np.sqrt(n / (n - 1) * np.square(influence[:, a] - influence[:, b]).sum(axis=0))
    return np.asarray(spread[~np.isnan(spread)], np.float64)
