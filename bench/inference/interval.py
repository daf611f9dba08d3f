"""95 % intervals from replicates, and what stands in for them where a bootstrap cannot be trusted.

Conventions: a rate is a sum of errors over a sum of words; n is the number of units (segments or clusters) behind it,
not of words, because the words of a unit fall together. From 200 units on intervals are percentiles of the
replicates. Below, the percentiles are too narrow: a rate gets the bootstrap-t interval, which follows its skewness
(Efron & Tibshirani 1993, ch. 12), a difference the percentiles at the levels of Student's t (Hesterberg 2015, "What
teachers should know about the bootstrap"). Where fewer than five units make the difference between the observed rate
and 0 (or 1), the replicates collapse to a point: then it is the Wilson score interval with the effective number
of units (Korn & Graubard 1998). Where fewer than five units make a difference, it is the hybrid (Newcombe 1998) of two
such intervals, one for the errors that a has beyond b, one for those that b has beyond a. Below 50 clusters or 20
segments an interval is grey: shown with its n, never with a letter or a verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

LEVEL = 0.95
ENOUGH = 200  # units from which on percentile intervals hold their level
CARRIERS = 5  # units that must carry a rate: exp(-5) of the replicates hold none of them
ROUNDING = 1e-5  # of the standard error: a replicate with less has none
GREY = {"cluster": 50, "segment": 20}
Z = 1.959963984540054  # the normal quantile at (1 + LEVEL) / 2

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval and the method that gave it; both ends are nan where there is none."""

    lo: float
    hi: float
    method: str


UNDEFINED = Interval(math.nan, math.nan, "undefined")


def is_grey(units: int, segments: int, unit: str) -> bool:
    """Whether a result rests on too few clusters or segments to say which system is better."""
    return segments < GREY["segment"] or (unit == "cluster" and units < GREY["cluster"])


def tail(n: int) -> float:
    """The level of the lower end: 2.5 %, or less where n units are few."""
    if n >= ENOUGH:
        return (1 - LEVEL) / 2
    return float(ndtr(math.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 - LEVEL) / 2)))


def percentile(ordered: Floats, n: int) -> tuple[Floats, Floats]:
    """Both ends for each row of `ordered` replicates (rows, B), ascending, behind which are n > 1 units."""
    return quantile(ordered, tail(n)), quantile(ordered, 1 - tail(n))


def quantile(ordered: Floats, level: float) -> Floats:
    """The quantile of each row (..., B) of ascending values, linear between two; nan, at the end, is left out."""
    valid = ordered.shape[-1] - np.count_nonzero(np.isnan(ordered), axis=-1)
    place = np.maximum(valid - 1, 0) * level
    below = np.floor(place).astype(np.intp)
    above = np.minimum(below + 1, np.maximum(valid - 1, 0))
    low, high = (np.take_along_axis(ordered, at[..., None], axis=-1)[..., 0] for at in (below, above))
    with np.errstate(invalid="ignore"):
        return np.where(low == high, low, low + (high - low) * (place - below))


def bootstrap_t(rate: float, error: float, replicates: Floats, errors: Floats) -> tuple[float, float]:
    """Both ends from a rate, its standard error and those of the replicates (B,); a rate is never below 0.

    A replicate whose units all have one rate has no error of its own, beside what rounding leaves of it; where such
    replicates reach the quantile, the upper end is not finite.
    """
    errors = np.where(errors < ROUNDING * error, 0.0, errors)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (replicates - rate) / errors
    t = np.where(np.isnan(t), 0.0, t)  # 0 / 0: a replicate that equals the observation in every unit
    t.sort()
    low, high = quantile(t, (1 - LEVEL) / 2), quantile(t, (1 + LEVEL) / 2)
    return max(0.0, rate - float(high) * error), rate - float(low) * error


def wilson(rate: float, n: float) -> tuple[float, float]:
    """The score interval of a proportion seen in n trials."""
    centre = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def newcombe(a: float, of_a: Interval, b: float, of_b: Interval) -> tuple[float, float]:
    """Both ends of a - b from the intervals of each; wide where the two go together."""
    return (
        a - b - math.hypot(a - of_a.lo, of_b.hi - b),
        a - b + math.hypot(of_a.hi - a, b - of_b.lo),
    )


def standard_error(errors: Floats, words: Floats) -> float:
    """The linearised standard error of sum(errors) / sum(words) over n > 1 units, shapes (n,)."""
    n, total = len(words), words.sum()
    return float(math.sqrt(n / (n - 1) * np.square(errors - errors.sum() / total * words).sum()) / total)


def score_interval(errors: Floats, words: Floats) -> Interval:
    """The Wilson interval of a rate of at most 1, for n > 1 units (n,) of which the replicates show too few."""
    rate = float(errors.sum() / words.sum())
    error = standard_error(errors, words)
    units = rate * (1 - rate) / error**2 if error > 0 and 0 < rate < 1 else len(words)
    return Interval(*wilson(rate, units), "Wilson")


def rate_interval(errors: Floats, words: Floats, replicates: Floats, student: Floats | None = None) -> Interval:
    """The interval of one rate from its units (n,) and its replicates (B,).

    `student` are the standard errors of the replicates, wanted below 200 units; without them, or where so many of them
    are 0 that the bootstrap-t has no end, the percentiles at the levels of Student's t are used.
    """
    n, total = len(words), words.sum()
    if n < 2 or total == 0:
        return UNDEFINED
    rate = float(errors.sum() / total)
    error = standard_error(errors, words)
    carriers = min(np.count_nonzero(errors), np.count_nonzero(errors != words))
    if rate <= 1 and (carriers < CARRIERS or error == 0):
        return score_interval(errors, words)
    if n < ENOUGH and student is not None:
        low, high = bootstrap_t(rate, error, replicates, student)
        if math.isfinite(high):
            return Interval(low, high, "bootstrap-t")
    lo, hi = percentile(np.sort(replicates), n)
    return Interval(float(lo), float(hi), "percentile" if n >= ENOUGH else "t percentile")


def beyond_interval(a: Floats, b: Floats, words: Floats) -> Interval:
    """The interval of (sum(a) - sum(b)) / sum(words) from units (n,) of which fewer than five are unlike."""
    more, less = np.maximum(a - b, 0), np.maximum(b - a, 0)
    one, two = float(more.sum() / words.sum()), float(less.sum() / words.sum())
    if max(one, two) > 1:
        return UNDEFINED
    return Interval(*newcombe(one, score_interval(more, words), two, score_interval(less, words)), "hybrid")
