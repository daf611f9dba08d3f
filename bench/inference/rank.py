"""Ranks and ties: what a family of decisions says about the order of its systems.

Conventions: systems are in order, best first, rank 1 the best. `differ` (S, S) is symmetric and says which pairs
differ significantly. A rank range and the letters of the compact letter display rest on these decisions alone: two
systems share a letter exactly when they do not differ (insert and absorb: Piepho 2004, "An algorithm for a
letter-based representation of all-pairwise comparisons").
"""

from __future__ import annotations

import string

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.inference.interval import LEVEL, Floats


def rank_range(differ: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Best and worst rank: 1 + the systems significantly better, S - the systems significantly worse."""
    count = len(differ)
    better = np.tril(differ).sum(axis=1)
    worse = np.triu(differ).sum(axis=1)
    return 1 + better, count - worse


def letters(differ: NDArray[np.bool_]) -> list[str]:
    """The letters of each system; "a" belongs to the best. After "z" come "A" to "Z", then "(53)", "(54)", ..."""
    count = len(differ)
    groups = {(1 << count) - 1}  # a group is a set of systems, bit i for system i
    for i, j in zip(*np.nonzero(np.triu(differ, 1)), strict=True):
        one, other = 1 << int(i), 1 << int(j)
        split = {group for group in groups if group & one and group & other}
        groups -= split
        for part in {group & ~one for group in split} | {group & ~other for group in split}:
            if not any(part & group == part for group in groups):
                groups = {group for group in groups if group & part != group} | {part}
    ordered = sorted(groups, key=lambda group: [i for i in range(count) if group >> i & 1])
    names = string.ascii_lowercase + string.ascii_uppercase
    label = [names[k] if k < len(names) else f"({k + 1})" for k in range(len(ordered))]
    return ["".join(name for name, group in zip(label, ordered, strict=True) if group >> i & 1) for i in range(count)]


def resampled_ranks(replicates: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """95 % rank interval of each system from its rates (S, B), lower being better.

    A tie counts for both ends. A replicate in which a system has no rate is left out for that system.
    """
    best, worst = (np.cumsum(times, axis=1) for times in _rank_counts(np.ascontiguousarray(replicates.T)))
    low = np.argmax(best >= (1 - LEVEL) / 2 * best[:, -1:], axis=1)
    high = np.argmax(worst >= (1 + LEVEL) / 2 * worst[:, -1:], axis=1)
    return low + 1, high + 1


@njit(cache=True, nogil=True)
def _rank_counts(rates):  # type: ignore[no-untyped-def]
    """How often each system has each rank, of rates (B, S): once with ties at the better rank, once at the worse."""
    count = rates.shape[1]
    best, worst = np.zeros((count, count), np.int64), np.zeros((count, count), np.int64)
    for b in range(rates.shape[0]):
        for s in range(count):
            own = rates[b, s]
            if own == own:
                below, level = 0, 0
                for t in range(count):
                    below += rates[b, t] < own
                    level += rates[b, t] == own
                best[s, below] += 1
                worst[s, below + level - 1] += 1
    return best, worst
