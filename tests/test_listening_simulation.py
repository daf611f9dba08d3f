"""What the studies' statistics promise, held against simulations whose truth is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench.fault import Fault
from bench.listening import charts, estimate, models, power
from bench.listening.allocate import allocate
from bench.listening.power import Spread

TRUTH = Spread(listener=0.48, text=0.33, listener_condition=0.15, text_condition=0.2, residual=0.75)
REPEATS = 2_000  # the standard error of a coverage of 95 % is then 0.5 %


def layout(listeners: int, texts: int) -> tuple[np.ndarray, np.ndarray]:
    return np.repeat(np.arange(listeners), texts), np.tile(np.arange(texts), listeners)


@pytest.mark.parametrize(("listeners", "texts", "kept"), [(24, 100, 1.0), (24, 25, 0.25), (12, 30, 1.0), (10, 60, 0.8)])
def test_the_interval_of_a_mean_covers_what_it_says(listeners: int, texts: int, kept: float) -> None:
    rng = np.random.default_rng(808)
    who, what = layout(listeners, texts)
    some = rng.random(len(who)) < kept
    who, what = who[some], what[some]
    covered, naive = [], []
    for _ in range(20):
        size = REPEATS // 20
        votes = rng.normal(0, TRUTH.residual, (size, len(who)))
        votes += rng.normal(0, TRUTH.listener, (size, listeners))[:, who]
        votes += rng.normal(0, TRUTH.text, (size, texts))[:, what]
        found = estimate.mean(votes, who, what)
        covered.append((found.lo < 0) & (found.hi > 0))
        narrow = 1.96 * votes.std(axis=1, ddof=1) / np.sqrt(len(who))
        naive.append(np.abs(votes.mean(axis=1)) < narrow)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert np.mean(naive) < 0.8  # which is why it is a warning


@pytest.mark.parametrize(("texts", "conditions", "listeners"), [(100, 4, 24), (40, 2, 12), (32, 4, 16)])
def test_the_interval_of_a_difference_covers_what_it_says(texts: int, conditions: int, listeners: int) -> None:
    heard = [(w, t, c) for w, own in enumerate(allocate(texts, conditions, listeners, seed=1)) for t, c in own if c < 2]
    who, what, cell = np.array(heard).T
    rng = np.random.default_rng(1)
    covered = []
    for _ in range(20):
        votes = power._votes(TRUTH, 0.4, who, what, cell, REPEATS // 20, rng)
        found = estimate.difference(votes, cell == 0, who, what)
        covered.append((found.lo < 0.4) & (found.hi > 0.4))
    assert 0.93 <= np.mean(covered) <= 0.97


def pilot(truth: Spread, listeners: int, texts: int, conditions: int, seed: int) -> pd.DataFrame:
    """Votes on a scale from 1 to 5, rounded as listeners round."""
    rng = np.random.default_rng([seed, 5])
    heard = [(w, t, c) for w, own in enumerate(allocate(texts, conditions, listeners, seed=seed)) for t, c in own]
    who, what, cell = np.array(heard).T
    value = 3 + 0.1 * cell + rng.normal(0, truth.residual, len(who))
    value += rng.normal(0, truth.listener, listeners)[who] + rng.normal(0, truth.text, texts)[what]
    value += rng.normal(0, truth.listener_condition, (listeners, conditions))[who, cell]
    value += rng.normal(0, truth.text_condition, (texts, conditions))[what, cell]
    return pd.DataFrame({"value": value, "condition": cell, "code": who, "segment": what})


def test_the_spread_of_a_pilot_is_found_without_bias() -> None:
    found = [power.spread(pilot(TRUTH, 24, 40, 4, seed)) for seed in range(30)]
    for name in ("listener", "text", "listener_condition", "text_condition", "residual"):
        squares = np.array([getattr(one, name) ** 2 for one in found])
        slack = 3 * squares.std(ddof=1) / np.sqrt(len(squares)) + 0.002  # negative variances are taken as 0
        assert squares.mean() == pytest.approx(getattr(TRUTH, name) ** 2, abs=slack)


def test_the_mixed_model_agrees_with_the_truth_and_with_minque() -> None:
    truth = Spread(0.48, 0.33, 0, 0, 0.75)
    votes = pilot(truth, 24, 100, 4, 3)
    fit, quick = models.mixed(votes.astype({"condition": str, "code": str, "segment": str})), power.spread(votes)
    assert fit is not None
    assert fit.converged
    assert fit.listener == pytest.approx(truth.listener, rel=0.25)  # 24 listeners tell their spread to 15 %
    assert fit.text == pytest.approx(truth.text, rel=0.25)
    assert fit.residual == pytest.approx(truth.residual, rel=0.05)
    assert quick.listener == pytest.approx(fit.listener, rel=0.05)
    assert quick.text == pytest.approx(fit.text, rel=0.05)
    assert list(fit.means["mixed"]) == pytest.approx(list(votes.groupby("condition")["value"].mean()), abs=0.02)


@pytest.mark.parametrize("effect", [0.15, 0.2, 0.25])
def test_the_power_that_pilots_promise_is_within_five_points_of_the_truth(effect: float) -> None:
    """In the mean of pilots: a single one of 24 listeners and 60 texts is off by 6 points, as its spread is a guess."""
    planned = {"effect": effect, "texts": 100, "conditions": 4, "listeners": 24, "pairs": 1}
    pilots = [power.spread(pilot(TRUTH, 24, 60, 4, seed)) for seed in range(12)]
    told = [power.outlook(one, **planned, seed=1, repeats=500).power for one in pilots]
    true = power.outlook(TRUTH, **planned, seed=2, repeats=2000).power
    assert abs(np.mean(told) - true) <= 0.05
    assert np.abs(np.array(told) - true).max() <= 0.2


def test_power_of_no_difference_is_the_level_and_grows_with_the_study() -> None:
    none = power.outlook(TRUTH, effect=0, texts=40, conditions=4, listeners=24, pairs=1)
    assert none.power == pytest.approx(0.05, abs=0.025)
    table = power.curve(TRUTH, effects=[0.2, 0.4], listeners=[8, 16, 32], texts=40, conditions=4, repeats=400)
    for _, part in table.groupby("effect"):
        assert part["power"].is_monotonic_increasing
        assert part["half_width"].is_monotonic_decreasing
    found = power.needed(table, power=0.8)
    assert found[0.4] is not None
    assert found[0.4] <= (found[0.2] or 1000)
    assert power.needed(table, half_width=0.01) == {0.2: None, 0.4: None}
    assert charts.power(table).to_dict()["layer"]


def test_a_pilot_of_one_listener_is_refused() -> None:
    with pytest.raises(Fault, match="two listeners and two texts"):
        power.spread(pilot(TRUTH, 4, 8, 4, 0).query("code == 0"))
    with pytest.raises(Fault, match="a power, or a half width"):
        power.needed(pd.DataFrame(), power=0.8, half_width=0.1)
