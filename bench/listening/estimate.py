"""Means of votes with intervals that hold where listeners and texts are crossed.

Conventions: votes are arrays of shape (..., n), their listener and text whole numbers of shape (n,). An estimate is
linear in its votes: its influence is what each vote moves it by. Its variance is clustered two ways (Cameron, Gelbach
& Miller 2011): that over listeners plus that over texts less that over their meetings, each times G / (G − 1); where
this is not above 0, the larger of the first two stands. The interval has t with min(listeners, texts) − 1 degrees of
freedom. The naive interval, 1.96 s/√n over pooled votes, is too narrow by far and is shown as a warning only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from bench.inference.interval import LEVEL

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a difference: floats, or arrays of shape (...). nan without two listeners, two texts and a spread."""

    value: Any
    error: Any
    degrees: int
    votes: int
    listeners: int
    texts: int

    @property
    def half(self) -> Any:
        """Half the width of the 95 % interval."""
        return student.ppf((1 + LEVEL) / 2, self.degrees) * self.error if self.degrees > 0 else self.error * np.nan

    @property
    def lo(self) -> Any:
        return self.value - self.half

    @property
    def hi(self) -> Any:
        return self.value + self.half

    @property
    def p(self) -> Any:
        """Two-sided p of the value being 0."""
        ratio = np.abs(self.value) / self.error
        found = 2 * student.sf(ratio, self.degrees) if self.degrees > 0 else ratio * np.nan
        return float(found) if np.ndim(found) == 0 else found


def mean(values: Any, listeners: Any, texts: Any, weights: Any = None) -> Estimate:
    """The mean of votes, or with `weights` the ratio of sums Σ values / Σ weights (word errors by words)."""
    votes = np.asarray(values, np.float64)
    sizes = np.ones(votes.shape[-1]) if weights is None else np.asarray(weights, np.float64)
    total = sizes.sum(axis=-1)
    value = votes.sum(axis=-1) / total
    influence = (votes - value[..., None] * sizes) / total
    return _estimate(value, influence, listeners, texts)


def difference(values: Any, first: Any, listeners: Any, texts: Any, weights: Any = None) -> Estimate:
    """The mean of the votes where `first` is true less that of the others; what the two share is taken into account."""
    votes = np.asarray(values, np.float64)
    side = np.asarray(first, np.bool_)
    sizes = np.ones(votes.shape[-1]) if weights is None else np.asarray(weights, np.float64)
    value: Any = 0.0
    influence = np.zeros_like(votes)
    for which, sign in ((side, 1.0), (~side, -1.0)):
        total = (sizes * which).sum(axis=-1)
        middle = (votes * which).sum(axis=-1) / total
        influence += sign * which * (votes - middle[..., None] * sizes) / total
        value = value + sign * middle
    return _estimate(value, influence, listeners, texts)


def _estimate(value: Any, influence: Floats, listeners: Any, texts: Any) -> Estimate:
    who, what = (np.unique(np.asarray(codes), return_inverse=True)[1] for codes in (listeners, texts))
    people, items = int(who.max(initial=-1)) + 1, int(what.max(initial=-1)) + 1
    variance = two_way(influence, who, what)
    error = np.sqrt(np.where(variance > 0, variance, np.nan))  # votes that are all equal say nothing of their spread
    one = np.ndim(value) == 0
    return Estimate(
        float(value) if one else value,
        float(error) if one else error,
        min(people, items) - 1,
        influence.shape[-1],
        people,
        items,
    )


def two_way(influence: Floats, listeners: Codes, texts: Codes) -> Floats:
    """The two-way clustered variance of the sum of influences of shape (..., n); nan with fewer than two clusters."""
    texts_count = int(texts.max(initial=-1)) + 1
    by_listener = one_way(influence, listeners)
    by_text = one_way(influence, texts)
    both = one_way(influence, np.unique(listeners * max(texts_count, 1) + texts, return_inverse=True)[1])
    found = by_listener + by_text - both
    return np.asarray(np.where(found > 0, found, np.maximum(by_listener, by_text)), np.float64)


def one_way(influence: Floats, clusters: Codes) -> Floats:
    """The clustered variance of the sum: G / (G − 1) Σ (sum of a cluster)²."""
    count = int(clusters.max(initial=-1)) + 1
    if count < 2:
        return np.full(influence.shape[:-1], np.nan)
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], np.arange(count))
    sums = np.add.reduceat(influence[..., order], starts, axis=-1)
    return np.asarray(count / (count - 1) * np.square(sums).sum(axis=-1), np.float64)


def naive(values: Any) -> tuple[float, float]:
    """The interval that a mean of independent votes would have: 1.96 s/√n. Only ever a warning."""
    votes = np.asarray(values, np.float64)
    half = 1.96 * votes.std(ddof=1) / np.sqrt(len(votes)) if len(votes) > 1 else np.nan
    return float(votes.mean() - half), float(votes.mean() + half)


def of_file(values: Any) -> tuple[float, float, float]:
    """Mean and 95 % interval of the votes for one file, one a listener: mean ± t(0.975, n − 1) s/√n (ITU-T P.1401)."""
    votes = np.asarray(values, np.float64)
    middle, n = float(votes.mean()), len(votes)
    half = float(student.ppf((1 + LEVEL) / 2, n - 1) * votes.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    return middle, middle - half, middle + half
