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
from numpy.typing import NDArray

from bench.inference.interval import LEVEL, Floats

ALPHA = 1 - LEVEL
PER_PAIR = 100  # randomisations for each pair of a family
SLACK = 1e-12  # rates that differ by less are equal: their sums are whole, only the division is rounded
CELLS = 1 << 21  # statistics held at a time: 16 MiB of float64


def pairs(systems: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All S (S - 1) / 2 pairs, as the positions of a and of b."""
    return np.triu_indices(systems, 1)


def randomisations(systems: int, least: int) -> int:
    """How often to randomise a family of so many systems."""
    return max(least, PER_PAIR * systems * (systems - 1) // 2)


def randomisation(
    errors: Floats, words: Floats, flipped_errors: NDArray[Any], flipped_words: NDArray[Any], weights: Floats
) -> Floats:
    """p for each pair of systems.

    `errors` and `words` (components, systems) are sums over units; the flipped ones (components, systems, R) are the
    same sums with a random sign for each unit. To swap the units whose sign is -1 is to replace the half difference of
    two sums by that of the flipped ones. The statistic of a system is the weighted sum over components of
    errors / words.
    """
    a, b = pairs(errors.shape[1])
    replicates = flipped_errors.shape[-1]
    step = max(1, CELLS // (replicates * len(weights)))
    parts = []
    for first in range(0, len(a), step):
        left, right = a[first : first + step], b[first : first + step]
        middle_e, middle_w = (errors[:, left] + errors[:, right]) / 2, (words[:, left] + words[:, right]) / 2
        middle_e, middle_w = middle_e[..., None], middle_w[..., None]
        half_e = (flipped_errors[:, left].astype(np.float64) - flipped_errors[:, right]) / 2
        half_w = (flipped_words[:, left].astype(np.float64) - flipped_words[:, right]) / 2
        with np.errstate(invalid="ignore", divide="ignore"):
            swapped = (middle_e + half_e) / (middle_w + half_w) - (middle_e - half_e) / (middle_w - half_w)
            rates = errors / words
        statistic = np.abs(np.tensordot(weights, swapped, axes=1))
        observed = np.abs(weights @ (rates[:, left] - rates[:, right]))
        parts.append((1 + np.count_nonzero(statistic >= observed[:, None] - SLACK, axis=1)) / (replicates + 1))
    return np.concatenate(parts) if parts else np.empty(0)


def centred(differences: Floats, observed: Floats) -> Floats:
    """p for each pair from the replicates (pairs, B) of its difference, moved so that they centre on 0."""
    far = np.abs(differences - observed[:, None]) >= np.abs(observed)[:, None] - SLACK
    return np.asarray((1 + np.count_nonzero(far, axis=1)) / (differences.shape[1] + 1), np.float64)


def holm(p: Floats) -> Floats:
    """Holm's step-down adjustment of the p-values of one family; nan where there was no test."""
    adjusted = np.full(len(p), np.nan)
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    left = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * left)) if len(order) else p[order]
    return adjusted
