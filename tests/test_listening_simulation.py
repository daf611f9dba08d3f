"""What the studies' statistics promise, held against simulations whose truth is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from bench.fault import Fault
from bench.listening import charts, estimate, models, power
from bench.listening.allocate import allocate
from bench.listening.spread import Spread, spread

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
        votes = power._votes(TRUTH, who, what, cell, REPEATS // 20, rng) + 0.4 * (cell == 0)
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
    found = [spread(pilot(TRUTH, 24, 40, 4, seed)) for seed in range(30)]
    for name in ("listener", "text", "listener_condition", "text_condition", "residual"):
        squares = np.array([getattr(one, name) ** 2 for one in found])
        slack = 3 * squares.std(ddof=1) / np.sqrt(len(squares)) + 0.002  # negative variances are taken as 0
        assert squares.mean() == pytest.approx(getattr(TRUTH, name) ** 2, abs=slack)


def test_the_mixed_model_agrees_with_the_truth_and_with_minque() -> None:
    truth = Spread(0.48, 0.33, 0, 0, 0.75)
    votes = pilot(truth, 24, 100, 4, 3)
    fit, quick = models.mixed(votes.astype({"condition": str, "code": str, "segment": str})), spread(votes)
    assert fit is not None
    assert fit.converged
    assert fit.listener == pytest.approx(truth.listener, rel=0.25)  # 24 listeners tell their spread to 15 %
    assert fit.text == pytest.approx(truth.text, rel=0.25)
    assert fit.residual == pytest.approx(truth.residual, rel=0.05)
    assert quick.listener == pytest.approx(fit.listener, rel=0.05)
    assert quick.text == pytest.approx(fit.text, rel=0.05)
    assert list(fit.means["mixed"]) == pytest.approx(list(votes.groupby("condition")["value"].mean()), abs=0.02)


PLANNED = power.Layout(texts=100, conditions=4, compared=1)


@pytest.fixture(scope="module")
def pilots() -> list[Spread]:
    return [spread(pilot(TRUTH, 24, 60, 4, seed)) for seed in range(40)]


@pytest.mark.parametrize("effect", [0.15, 0.2, 0.25])
def test_the_power_that_pilots_promise_is_within_five_points_of_the_truth(pilots: list[Spread], effect: float) -> None:
    """In the mean of pilots. One of 24 listeners and 60 texts alone is off by some points, as its spread is a guess,
    and says by how many: its interval holds the truth."""
    told = [power.outlook(one, PLANNED, effect=effect, listeners=24, seed=1, repeats=400) for one in pilots]
    true = power.outlook(TRUTH, PLANNED, effect=effect, listeners=24, seed=2, repeats=2000).power
    off = np.array([one.power for one in told]) - true
    assert abs(off.mean()) <= 0.05
    assert np.abs(off).mean() <= 0.09
    held = [one.power_lo - 0.02 <= true <= one.power_hi + 0.02 for one in told]  # 2 points: 400 simulated studies
    assert np.mean(held) >= 0.85  # of 40 pilots; 95 % but for chance


def test_the_half_width_that_pilots_promise_holds_the_truth_in_its_interval(pilots: list[Spread]) -> None:
    true = power.outlook(TRUTH, PLANNED, effect=0, listeners=24, seed=2, repeats=400).half_width
    told = [power.outlook(one, PLANNED, effect=0, listeners=24, seed=1, repeats=100) for one in pilots]
    assert np.mean([one.half_width for one in told]) == pytest.approx(true, rel=0.05)
    assert np.mean([one.half_lo <= true <= one.half_hi for one in told]) >= 0.85


def test_an_assumed_spread_leaves_no_interval() -> None:
    found = power.outlook(TRUTH, PLANNED, effect=0.2, listeners=24, repeats=100)
    assert np.isnan([found.power_lo, found.power_hi, found.half_lo, found.half_hi]).all()


def test_pilots_are_as_unsure_as_they_say(pilots: list[Spread]) -> None:
    squares = np.square([list(one.deviations.values())[:5] for one in pilots])
    said = np.sqrt(np.mean([np.diag(one.covariance)[:5] for one in pilots], axis=0))
    assert said == pytest.approx(squares.std(axis=0, ddof=1), rel=0.35)  # 40 pilots tell a deviation to 11 %


def test_a_panel_rates_all_systems_together_and_so_needs_fewer_listeners() -> None:
    truth = Spread(8, 5, 2, 3, 9, 6)
    rng = np.random.default_rng(4)
    people, texts, conditions = 20, 15, 3
    who, what, cell = (a.ravel() for a in np.meshgrid(range(people), range(texts), range(conditions), indexing="ij"))
    found = []
    for _ in range(30):
        value = rng.normal(0, 9, len(who)) + rng.normal(0, 6, (people, texts))[who, what]
        value += rng.normal(0, 8, people)[who] + rng.normal(0, 5, texts)[what]
        value += rng.normal(0, 2, (people, conditions))[who, cell] + rng.normal(0, 3, (texts, conditions))[what, cell]
        found.append(spread(pd.DataFrame({"value": value, "condition": cell, "code": who, "segment": what})))
    for name, wanted in truth.deviations.items():
        squares = np.array([getattr(one, name) ** 2 for one in found])
        assert squares.mean() == pytest.approx(wanted**2, abs=3 * squares.std(ddof=1) / np.sqrt(30) + 0.5)
    layout = power.Layout(texts=15, conditions=3, presentation="panel")
    together = power.outlook(truth, layout, effect=5, listeners=9, repeats=600)
    apart = power.outlook(truth, replace(layout, presentation="single"), effect=5, listeners=9, repeats=600)
    assert together.power > apart.power + 0.1
    none = power.outlook(truth, replace(layout, compared=1), effect=0, listeners=9, repeats=600)
    assert none.power == pytest.approx(0.05, abs=0.03)
    assert power.outlook(found[0], layout, effect=5, listeners=9, repeats=600).power_lo < together.power


def test_power_of_no_difference_is_the_level_and_grows_with_the_study() -> None:
    none = power.outlook(TRUTH, power.Layout(40, 4, compared=1), effect=0, listeners=24)
    assert none.power == pytest.approx(0.05, abs=0.025)
    table = power.curve(TRUTH, power.Layout(40, 4), effects=[0.2, 0.4], listeners=[8, 16, 32], repeats=400)
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
        spread(pilot(TRUTH, 4, 8, 4, 0).query("code == 0"))
    with pytest.raises(Fault, match="a power, or a half width"):
        power.needed(pd.DataFrame(), power=0.8, half_width=0.1)
