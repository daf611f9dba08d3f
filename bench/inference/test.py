"""Is one system better than another? p-values for all pairs of a family, and the decisions that follow.

Conventions: pairs are (a, b) with a before b. The test is paired approximate randomisation (Noreen 1989; Riezler &
Maxwell 2005): the two systems swap whole units at random, and p is the share of randomisations at least as far from
0 as what was observed, with 1 added to numerator and denominator (North, Curtis & Sham 2002). The centred paired
bootstrap is its cross-check. p-values are adjusted inside one family by Holm's step-down (Holm 1979), which holds
the family-wise error at 5 % whatever the dependence. With R randomisations no p is below 1 / (R + 1), so R is at
least 100 times the number of pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.inference.interval import LEVEL, Floats

ALPHA = 1 - LEVEL
PER_PAIR = 100  # randomisations for each pair of a family
SLACK = 1e-12  # rates that differ by less are equal: their sums are whole, only the division is rounded


def pairs(systems: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All S (S - 1) / 2 pairs, as the positions of a and of b."""
    return np.triu_indices(systems, 1)


def randomisations(systems: int, least: int) -> int:
    """How often to randomise a family of so many systems."""
    return max(least, PER_PAIR * systems * (systems - 1) // 2)


def randomisation(errors: Floats, words: Floats, flipped_errors: NDArray[Any], flipped_words: NDArray[Any]) -> Floats:
    """p for each pair of systems.

    `errors` and `words` (components, systems) are sums over units; the flipped ones (components, systems, R) are the
    same sums with a random sign for each unit. To swap the units whose sign is -1 is to replace the half difference of
    two sums by that of the flipped ones. The statistic of a system is the mean over components of errors / words.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (errors / words).mean(axis=0)
    a, b = pairs(len(value))
    far = _far(a, b, errors, words, flipped_errors, flipped_words, np.abs(value[a] - value[b]) - SLACK)
    return np.asarray((1 + far) / (flipped_errors.shape[-1] + 1), np.float64)


@njit(cache=True, nogil=True, error_model="numpy")
def _far(a, b, errors, words, flipped_errors, flipped_words, least):  # type: ignore[no-untyped-def]
    """How many randomised statistics of each pair are at least so far from 0."""
    count = np.zeros(len(a), np.int64)
    statistic = np.empty(flipped_errors.shape[-1], np.float64)
    for k in range(len(a)):
        i, j = a[k], b[k]
        statistic[:] = 0
        for c in range(len(errors)):
            e, w = (errors[c, i] + errors[c, j]) / 2, (words[c, i] + words[c, j]) / 2
            e_i, e_j, w_i, w_j = flipped_errors[c, i], flipped_errors[c, j], flipped_words[c, i], flipped_words[c, j]
            for r in range(len(statistic)):
                half_e, half_w = (np.float64(e_i[r]) - e_j[r]) / 2, (np.float64(w_i[r]) - w_j[r]) / 2
                statistic[r] += (e + half_e) / (w + half_w) - (e - half_e) / (w - half_w)
        for r in range(len(statistic)):
            count[k] += abs(statistic[r]) / len(errors) >= least[k]
    return count


def centred(ordered: Floats, observed: Floats) -> Floats:
    """p for each pair from the replicates (pairs, B), ascending, of its difference, moved so that they centre on 0."""
    total = ordered.shape[1]
    far = [
        np.searchsorted(row, move - abs(move) + SLACK, "right") + total - np.searchsorted(row, move + abs(move) - SLACK)
        for row, move in zip(ordered, observed, strict=True)
    ]
    return np.asarray(np.minimum(1, (1 + np.array(far, np.float64)) / (total + 1)), np.float64)


def holm(p: Floats) -> Floats:
    """Holm's step-down adjustment of the p-values of one family; nan where there was no test."""
    adjusted = np.full(len(p), np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    left = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * left)) if len(order) else p[order]
    return adjusted
