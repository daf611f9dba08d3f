"""Do the intervals cover, the tests err and the plans hold as often as they say? Simulated, seeded and bounded.

The populations are skewed as word errors are: lognormal words, and difficulties that are mostly low and rarely high.
The simulated sets share their replicates; what is counted is how often the true value, known in closed form, lies
inside.
benchmarks/calibration.py runs the same populations for longer.
"""

from __future__ import annotations

import numpy as np
import pytest

from bench.inference import test
from bench.inference.estimate import estimates
from bench.inference.plan import errors_of_differences, smallest
from bench.inference.sums import Slice, Sums

RATE = 1 / 15  # the mean of a beta(1, 14) difficulty
FACTOR = 1.2  # how much worse the second system is


def population(rng, units: int, *, clusters: bool, factors: tuple[float, ...]):
    """Errors (units, systems) and words (units,) of segments, or of clusters that share half of their difficulty."""
    sizes = rng.integers(1, 12, units) if clusters else np.ones(units, int)
    of = np.repeat(np.arange(units), sizes)
    words = np.clip(np.round(rng.lognormal(2.76, 0.6, len(of))), 1, 96).astype(int)
    difficulty = rng.beta(1, 14, len(of))
    if clusters:
        difficulty = (difficulty + rng.beta(1, 14, units)[of]) / 2
    errors = [rng.binomial(words, np.minimum(difficulty * factor, 1)) for factor in factors]
    return np.stack([np.bincount(of, e, units) for e in errors], axis=1).astype(int), np.bincount(
        of, words, units
    ).astype(int)


def piece(errors, words) -> Slice:
    units, systems = errors.shape
    shared = np.broadcast_to(words[:, None, None], (units, 1, systems))
    names = tuple(f"s{k}" for k in range(systems))
    return Slice({}, "all", True, names, np.arange(units), errors[:, None, :], shared, units)


def coverage(units: int, *, clusters: bool, sets: int, seed: int) -> tuple[float, float, set[str]]:
    """The shares of sets whose intervals hold the true rate and the true difference; the methods that gave them."""
    rng = np.random.default_rng(seed)
    slices = [piece(*population(rng, units, clusters=clusters, factors=(1, FACTOR))) for _ in range(sets)]
    sums = Sums("cluster" if clusters else "segment", units, 1, tuple(slices))
    held = np.zeros(2)
    methods = set()
    for estimate in estimates(sums, seed=seed, replicates=2000, tests=False):
        (rate, *_), (difference,) = estimate.interval, estimate.difference_interval
        held += rate.lo <= RATE <= rate.hi, difference.lo <= RATE * (1 - FACTOR) <= difference.hi
        methods |= {rate.method, difference.method}
    return float(held[0] / sets), float(held[1] / sets), methods


def false_alarms(factors: tuple[float, ...], *, units: int, sets: int, seed: int) -> float:
    """The share of sets in which systems of equal factors are found to differ, each hundred with its own replicates."""
    rng = np.random.default_rng(seed)
    a, b = test.pairs(len(factors))
    equal = np.array(factors)[a] == np.array(factors)[b]
    alarms = 0
    for first in range(0, sets, 100):
        slices = [piece(*population(rng, units, clusters=False, factors=factors)) for _ in range(100)]
        sums = Sums("segment", units, 1, tuple(slices))
        for estimate in estimates(sums, seed=seed + first, replicates=1000):
            alarms += bool((test.holm(estimate.p)[equal] <= test.ALPHA).any())
    return alarms / sets


def power(units: int, *, factor: float, sets: int, seed: int) -> float:
    """The share of sets in which the second of two systems is found to be worse."""
    rng = np.random.default_rng(seed)
    slices = [piece(*population(rng, units, clusters=False, factors=(1, factor))) for _ in range(sets)]
    found = estimates(Sums("segment", units, 1, tuple(slices)), seed=seed, replicates=2000)
    return sum(bool(estimate.p[0] <= test.ALPHA) for estimate in found) / sets


@pytest.mark.parametrize(
    ("units", "clusters", "methods"),
    [(400, False, {"percentile"}), (200, True, {"percentile"}), (30, True, {"bootstrap-t", "t percentile"})],
)
def test_intervals_cover_the_truth(units, clusters, methods):
    rate, difference, found = coverage(units, clusters=clusters, sets=1500, seed=units)
    assert found == methods
    assert 0.93 <= rate <= 0.97
    assert 0.93 <= difference <= 0.97


@pytest.mark.parametrize("factors", [(1.0, 1.0, 1.0, 1.0), (1.0, 1.0, 1.0, 1.5)])
def test_equal_systems_are_rarely_told_apart(factors):
    """2,000 sets, all systems equal or all but one: at most the one-sided 99 % binomial limit of 5 %."""
    assert false_alarms(factors, units=100, sets=2000, seed=17) <= 0.062


def test_planned_units_give_the_planned_power():
    factor, wanted = 1.15, 0.15 * RATE
    pilot = piece(*population(np.random.default_rng(2), 100_000, clusters=False, factors=(1, factor)))
    (error,) = errors_of_differences(pilot)
    units = int(np.ceil(100_000 * (smallest(error, power=0.8) / wanted) ** 2))
    assert 200 < units < 2000
    assert abs(power(units, factor=factor, sets=1500, seed=3) - 0.8) <= 0.05
