"""How many listeners: from a pilot's spread, by simulating the study that is planned.

Conventions: the spread of votes is that of listeners, of texts, of each with the conditions (a text that one system
reads badly), and the rest. It is estimated from a pilot by MINQUE(0) (Rao 1971), unbiased for any layout and quick;
a negative variance is taken as 0. A study is simulated over the very allocation that it would have, and analysed as
it would be: two-way clustered, t with min(listeners, texts) − 1, the level divided by the number of pairs (Bonferroni,
which Holm is never below). Power is the share of simulated studies that find the difference, precision the mean half
width of the interval of a condition's mean. All is seeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.fault import Fault
from bench.listening import estimate
from bench.listening.allocate import allocate
from bench.listening.estimate import Codes, Floats

REPEATS = 1_000
BATCH = 100


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations of a vote: of listeners, texts, listener x condition, text x condition, and the rest."""

    listener: float
    text: float
    listener_condition: float
    text_condition: float
    residual: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a study of that size would do. `error` is the standard error of the power as simulated."""

    listeners: int
    power: float
    error: float
    half_width: float


def spread(votes: pd.DataFrame) -> Spread:
    """The spread of a pilot's votes: columns value, condition, code, segment. Raises Fault where it cannot be told."""
    value = votes["value"].to_numpy(np.float64)
    condition, who, what = (np.unique(votes[name], return_inverse=True)[1] for name in ("condition", "code", "segment"))
    if min(who.max(initial=0), what.max(initial=0)) < 1:
        raise Fault("A pilot needs two listeners and two texts or more: the spread of each is estimated from it.")
    cells = int(condition.max()) + 1
    factors = [_dummies(codes) for codes in (who, what, who * cells + condition, what * cells + condition)]
    x = _dummies(condition)
    projector = np.linalg.pinv(x.T @ x)
    rest = value - x @ (projector @ (x.T @ value))

    def without(a: Floats, b: Floats) -> Floats:
        return np.asarray(a.T @ b - (a.T @ x) @ projector @ (x.T @ b), np.float64)

    size = len(factors) + 1
    gram, found = np.zeros((size, size)), np.zeros(size)
    for i, a in enumerate(factors):
        for j, b in enumerate(factors):
            gram[i, j] = np.square(without(a, b)).sum()
        gram[i, -1] = gram[-1, i] = np.trace(without(a, a))
        found[i] = np.square(a.T @ rest).sum()
    gram[-1, -1], found[-1] = len(value) - np.linalg.matrix_rank(x), rest @ rest
    solved = np.linalg.pinv(gram) @ found
    return Spread(*(float(np.sqrt(max(part, 0.0))) for part in solved))


def _dummies(codes: NDArray[np.intp]) -> Floats:
    levels, place = np.unique(codes, return_inverse=True)
    return np.eye(len(levels))[place]


def outlook(
    pilot: Spread,
    *,
    effect: float,
    texts: int,
    conditions: int,
    listeners: int,
    each: int | None = None,
    pairs: int | None = None,
    paired: bool = False,
    cells: int | None = None,
    alpha: float = 0.05,
    repeats: int = REPEATS,
    seed: int = 0,
) -> Outlook:
    """What a study would find of a true difference `effect` between two of its conditions.

    Clips are rated one by one, or, where the study is `paired`, two at a time in both orders: a vote is then itself a
    difference, and the spread is that of a pilot in pairs; `cells` counts null pairs too. Power is at the level divided
    by the number of `pairs` (all).

    Raises Fault as `allocate` does, and where there are fewer than two conditions.
    """
    if conditions < 2:
        raise Fault(f"There is {conditions} condition; a difference needs two.")
    if cells is None:
        cells = conditions * (conditions - 1) if paired else conditions
    dealt = allocate(texts, cells, listeners, each=each, seed=seed)
    heard = np.array([(who, text, cell) for who, own in enumerate(dealt) for text, cell in own if cell < 2])
    who, what, cell = heard.T
    side = np.zeros_like(cell) if paired else cell  # the two orders of a pair are one difference
    tests = conditions * (conditions - 1) // 2 if pairs is None else pairs
    rng = np.random.default_rng([seed, listeners, 2])
    found, halves = [], []
    for start in range(0, repeats, BATCH):
        votes = _votes(pilot, effect, who, what, side, min(BATCH, repeats - start), rng)
        one = side == 0
        tested = estimate.mean(votes, who, what) if paired else estimate.difference(votes, one, who, what)
        found.append(tested.p <= alpha / tests)
        halves.append(estimate.mean(votes[:, one], who[one], what[one]).half)
    power = float(np.concatenate(found).mean())
    error = float(np.sqrt(power * (1 - power) / repeats))
    return Outlook(listeners, power, error, float(np.concatenate(halves).mean()))


def _votes(
    pilot: Spread, effect: float, who: Codes, what: Codes, cell: Codes, repeats: int, rng: np.random.Generator
) -> Floats:
    """Simulated votes of shape (repeats, n); condition 0 is better by `effect`."""
    people, items = int(who.max()) + 1, int(what.max()) + 1
    votes = rng.normal(0, pilot.residual, (repeats, len(who))) + effect * (cell == 0)
    votes += rng.normal(0, pilot.listener, (repeats, people))[:, who]
    votes += rng.normal(0, pilot.text, (repeats, items))[:, what]
    votes += rng.normal(0, pilot.listener_condition, (repeats, 2 * people))[:, 2 * who + cell]
    votes += rng.normal(0, pilot.text_condition, (repeats, 2 * items))[:, 2 * what + cell]
    return np.asarray(votes, np.float64)


def curve(
    pilot: Spread, *, effects: Sequence[float], listeners: Iterable[int], texts: int, conditions: int,
    each: int | None = None, **options: float,
) -> pd.DataFrame:  # fmt: skip
    """The outlook for each effect and number of listeners: effect, listeners, power, error, half_width."""
    sizes = list(listeners)
    rows = []
    for effect in effects:
        for size in sizes:
            found = outlook(
                pilot,
                effect=effect,
                texts=texts,
                conditions=conditions,
                listeners=size,
                each=each,
                **options,  # type: ignore[arg-type]
            )
            rows.append((effect, size, found.power, found.error, found.half_width))
    return pd.DataFrame(rows, columns=["effect", "listeners", "power", "error", "half_width"])


def needed(
    table: pd.DataFrame, *, power: float | None = None, half_width: float | None = None
) -> dict[float, int | None]:
    """The smallest number of listeners of a curve that reaches the wanted power, or half width, for each effect.

    None where no number of the curve does. Raises Fault unless one of the two is wanted.
    """
    if (power is None) == (half_width is None):
        raise Fault("Say what is wanted: a power, or a half width of the interval.")
    reached = table["power"] >= power if power is not None else table["half_width"] <= half_width
    return {
        float(str(effect)): next(
            (int(size) for size, ok in zip(part["listeners"], reached[part.index], strict=True) if ok), None
        )
        for effect, part in table.groupby("effect", sort=True)
    }
