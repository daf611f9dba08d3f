"""How many listeners: from a pilot's spread, by simulating the study that is planned.

Conventions: a study is simulated over the very allocation that it would have, and analysed as it would be: two-way
clustered, t with min(listeners, texts) − 1, the level divided by the number of pairs (Bonferroni, which Holm is never
below). Power is the share of simulated studies that find the difference, precision the mean half width of the interval
of a condition's mean. As the spread of a pilot is a guess, each figure has the 95 % interval that follows from the
covariance of the estimated variances, by the chi-square approximation of Satterthwaite (1946). All is seeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd
from scipy.stats import chi2
from scipy.stats import t as student

from bench.fault import Fault
from bench.inference.interval import LEVEL
from bench.listening import estimate
from bench.listening.allocate import allocate
from bench.listening.estimate import Codes, Floats
from bench.listening.scale import Presentation
from bench.listening.spread import Spread

REPEATS = 1_000
BATCH = 100


@dataclass(frozen=True, slots=True)
class Layout:
    """What a study is but for its number of listeners.

    Clips are rated one by one; in a `pair`, two at a time in both orders, where a vote is itself a difference and the
    spread is that of a pilot in pairs; or in a `panel`, all of a text together. `each` is how many texts a listener
    hears (all), `compared` how many pairs of conditions are tested (all), at the level `alpha`. `cells` counts what a
    trial may play of a text, null pairs too; 0 is what follows from the conditions.
    """

    texts: int
    conditions: int
    presentation: Presentation = "single"
    each: int | None = None
    cells: int = 0
    compared: int = 0
    alpha: float = 0.05

    @property
    def arrangements(self) -> int:
        """The cells; listeners come in groups as large as there are of them."""
        pairs = self.conditions * (self.conditions - 1)
        return self.cells or {"panel": 1, "pair": pairs}.get(self.presentation, self.conditions)

    @property
    def level(self) -> float:
        """The level of one test (Bonferroni)."""
        return self.alpha / (self.compared or self.conditions * (self.conditions - 1) // 2)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a study of that size would do. `error` is the standard error of the power as simulated; the ends (`_lo`,
    `_hi`) are those of the 95 % interval that the pilot leaves, nan where the spread is assumed."""

    listeners: int
    power: float
    error: float
    power_lo: float
    power_hi: float
    half_width: float
    half_lo: float
    half_hi: float


def outlook(
    pilot: Spread, layout: Layout, *, effect: float, listeners: int, repeats: int = REPEATS, seed: int = 0
) -> Outlook:
    """What a study would find of a true difference `effect` between two of its conditions.

    Raises Fault as `allocate` does, and where there are fewer than two conditions.
    """
    if layout.conditions < 2:
        raise Fault(f"There is {layout.conditions} condition; a difference needs two.")
    paired, panel = layout.presentation == "pair", layout.presentation == "panel"
    dealt = allocate(layout.texts, layout.arrangements, listeners, each=layout.each, seed=seed)
    heard = [(who, text, cell) for who, own in enumerate(dealt) for text, cell in own if cell < 2]
    heard = [(who, text, cell) for who, text, _ in heard for cell in (0, 1)] if panel else heard
    who, what, cell = np.array(heard).T
    side = np.zeros_like(cell) if paired else cell  # the two orders of a pair are one difference
    one = side == 0
    rng = np.random.default_rng([seed, listeners, 2])
    values, errors, halves = [], [], []
    for start in range(0, repeats, BATCH):
        votes = _votes(pilot, who, what, side, min(BATCH, repeats - start), rng)
        tested = estimate.mean(votes, who, what) if paired else estimate.difference(votes, one, who, what)
        values.append(tested.value)
        errors.append(tested.error)
        halves.append(estimate.mean(votes[:, one], who[one], what[one]).half)
    value, error = np.concatenate(values), np.concatenate(errors)

    def found(true: float) -> float:
        ratio = np.abs(value + true) / error
        return float((2 * student.sf(ratio, tested.degrees) <= layout.level).mean())

    mean = one / one.sum()
    low, high = _doubt(pilot, mean if paired else mean - ~one / max((~one).sum(), 1), who, what, side)
    narrow, wide = _doubt(pilot, mean, who, what, side)
    power, half = found(effect), float(np.concatenate(halves).mean())
    return Outlook(
        listeners,
        power,
        float(np.sqrt(power * (1 - power) / repeats)),
        found(effect / high) if pilot.covariance else np.nan,
        found(effect / low) if pilot.covariance else np.nan,
        half,
        half * narrow,
        half * wide,
    )


def _doubt(pilot: Spread, weights: Floats, who: Codes, what: Codes, side: Codes) -> tuple[float, float]:
    """How many times the standard error of a weighted sum of votes may be what the pilot says: the 95 % interval.

    The variance of the sum is linear in those of the parts of the spread, and so are the variances' errors. A spread
    twice as large is an effect half as large. nan where the spread is assumed.
    """
    if not pilot.covariance:
        return np.nan, np.nan
    people, items = int(who.max()) + 1, int(what.max()) + 1
    levels = (who, what, who + people * side, what + items * side, np.arange(len(who)), who + people * what)
    load = np.array([np.square(np.bincount(level, weights)).sum() for level in levels])
    variance = load @ np.square(list(pilot.deviations.values()))
    unsure = load @ np.array(pilot.covariance) @ load
    if not unsure > 0:
        return 1.0, 1.0
    degrees = max(2 * variance**2 / unsure, 1.0)  # below that an end has no bound
    few, many = chi2.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2], degrees)
    return float(np.sqrt(degrees / many)), float(np.sqrt(degrees / few))


def _votes(pilot: Spread, who: Codes, what: Codes, cell: Codes, repeats: int, rng: np.random.Generator) -> Floats:
    """Simulated votes of shape (repeats, n), of conditions that do not differ."""
    people, items = int(who.max()) + 1, int(what.max()) + 1
    votes = rng.normal(0, pilot.residual, (repeats, len(who)))
    votes += rng.normal(0, pilot.listener, (repeats, people))[:, who]
    votes += rng.normal(0, pilot.text, (repeats, items))[:, what]
    votes += rng.normal(0, pilot.listener_condition, (repeats, 2 * people))[:, 2 * who + cell]
    votes += rng.normal(0, pilot.text_condition, (repeats, 2 * items))[:, 2 * what + cell]
    if pilot.listener_text:
        votes += rng.normal(0, pilot.listener_text, (repeats, people * items))[:, who * items + what]
    return np.asarray(votes, np.float64)


def curve(
    pilot: Spread,
    layout: Layout,
    *,
    effects: Sequence[float],
    listeners: Iterable[int],
    repeats: int = REPEATS,
    seed: int = 0,
) -> pd.DataFrame:
    """The outlook for each effect and number of listeners: `effect` and the fields of `Outlook`, a column each."""
    sizes = list(listeners)
    return pd.DataFrame(
        [
            {
                "effect": effect,
                **asdict(outlook(pilot, layout, effect=effect, listeners=size, repeats=repeats, seed=seed)),
            }
            for effect in effects
            for size in sizes
        ]
    )


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
