"""How votes are spread: the standard deviations of what makes one vote differ from another, from a pilot.

Conventions: the parts are listeners, texts, each with the conditions (a text that one system reads badly), what a
listener's votes on one text share where all systems are rated together, and the rest. They are estimated by MINQUE (Rao
1971) in two steps, the second weighted by what the first found, which is as good as REML and quick for any layout; a
negative variance is taken as 0. A pilot is small, so each estimate is a guess whose covariance is kept with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.fault import Fault
from bench.listening.estimate import Floats

STEPS = 2
PARTS = ("listener", "text", "listener_condition", "text_condition", "residual", "listener_text")


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of a vote: of listeners, texts, listener x condition, text x condition, the rest, and
    listener x text where a listener gives several votes on a text (elsewhere it is in the rest).

    `covariance` is that of the estimated variances, in this order; empty where the spread is assumed.
    """

    listener: float
    text: float
    listener_condition: float
    text_condition: float
    residual: float
    listener_text: float = 0.0
    covariance: tuple[tuple[float, ...], ...] = ()

    @property
    def deviations(self) -> dict[str, float]:
        """The standard deviations by name."""
        return {name: getattr(self, name) for name in PARTS}


def spread(votes: pd.DataFrame) -> Spread:
    """The spread of a pilot's votes: columns value, condition, code, segment. Raises Fault where it cannot be told."""
    value = votes["value"].to_numpy(np.float64)
    condition, who, what = (np.unique(votes[name], return_inverse=True)[1] for name in ("condition", "code", "segment"))
    if min(who.max(initial=0), what.max(initial=0)) < 1:
        raise Fault("A pilot needs two listeners and two texts or more: the spread of each is estimated from it.")
    cells, items = int(condition.max()) + 1, int(what.max()) + 1
    codes = [who, what, who * cells + condition, what * cells + condition]
    together = who * items + what
    if several := len(np.unique(together)) < len(value):
        codes.append(together)
    factors = [_dummies(code) for code in codes]
    x = _dummies(condition)
    whole = np.hstack([*factors, value[:, None]])
    whole -= x @ (np.linalg.pinv(x.T @ x) @ (x.T @ whole))
    squares, covariance = _minque(whole[:, :-1], whole[:, -1], [f.shape[1] for f in factors], len(value) - cells)
    order = [0, 1, 2, 3, len(codes), *([4] if several else [])]
    kept = covariance[np.ix_(order, order)]
    if not several:
        kept = np.pad(kept, (0, 1))
    found: dict[str, Any] = dict(zip(PARTS, map(float, np.sqrt(np.maximum(squares[order], 0.0))), strict=False))
    return Spread(**found, covariance=tuple(tuple(map(float, row)) for row in kept))


def _minque(z: Floats, y: Floats, sizes: Sequence[int], free: int) -> tuple[Floats, Floats]:
    """The variances of the factors whose dummies are the columns of z (so many each) and of the rest, at the end, and
    their covariance. z and y have no part in the means of the conditions, which leave `free` degrees of freedom.

    Each step solves Σ tr(P Vi P Vj) σj² = y'P Vi P y, where P has the variances of the step before (at first the rest
    alone); with W = (I + D Z'Z)⁻¹ D, D their ratios, all of it is in terms of Z'Z (Woodbury).
    """
    inner, cross, total = z.T @ z, z.T @ y, float(y @ y)
    ends = np.cumsum([0, *sizes])
    parts = [slice(a, b) for a, b in pairwise(ends)]
    last = len(sizes)
    squares = np.zeros(last + 1)
    squares[last] = 1.0
    gram = np.zeros((last + 1, last + 1))
    for _ in range(STEPS):
        ratio = np.repeat(squares[:last] / squares[last], sizes)
        w = np.linalg.solve(np.eye(len(ratio)) + ratio[:, None] * inner, np.diag(ratio))
        shrunk = w @ inner
        once = inner - inner @ shrunk  # Z'PZ, in units of the rest
        twice = once - once @ shrunk  # Z'PPZ
        left, fitted = cross - inner @ (w @ cross), w @ cross
        told = np.zeros(last + 1)
        for i, own in enumerate(parts):
            gram[i, :last] = [np.square(once[own, other]).sum() for other in parts]
            gram[i, last] = gram[last, i] = np.trace(twice[own, own])
            told[i] = np.square(left[own]).sum()
        gram[last, last] = free - 2 * np.trace(shrunk) + (shrunk * shrunk.T).sum()
        told[last] = total - 2 * cross @ fitted + fitted @ inner @ fitted
        found = np.linalg.pinv(gram) @ told
        scale = max(squares[last], 0.0)
        squares = np.maximum(found, 0.0)
        squares[last] = max(squares[last], 1e-12)
    return found, 2 * scale**2 * np.linalg.pinv(gram)


def _dummies(codes: NDArray[np.intp]) -> Floats:
    levels, place = np.unique(codes, return_inverse=True)
    return np.eye(len(levels))[place]
