"""Times from the journals, and percentiles that hold what they say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from bench import timing
from bench.run import Run
from tests.test_views import run  # noqa: F401  (a fixture)


@pytest.mark.parametrize("level", timing.LEVELS)
@pytest.mark.parametrize("n", [1, 5, 6, 35, 36, 100, 367, 368, 2000])
def test_an_interval_covers_as_it_says_and_is_left_out_where_it_cannot(n: int, level: float) -> None:
    value, low, high = timing.percentile(np.arange(1, n + 1, dtype=float), level)
    if math.isnan(value):
        assert math.isnan(low)
        assert math.isnan(high)
        assert 1 - level**n - (1 - level) ** n < 0.975  # not even the smallest to the largest value is enough in a tail
        return
    inside = binom.cdf(high - 1, n, level) - binom.cdf(low - 1, n, level)  # P(low-th <= percentile < high-th value)
    assert inside >= timing.CONFIDENCE
    assert low <= value <= high


@pytest.mark.parametrize(("level", "least"), [(0.5, 6), (0.9, 36), (0.99, 368)])
def test_a_percentile_waits_for_enough_observations(level: float, least: int) -> None:
    known = [not math.isnan(timing.percentile(np.arange(float(n)), level)[0]) for n in range(1, least + 40)]
    assert known.index(True) + 1 == least
    assert all(known[least - 1 :])


def test_a_percentile_is_a_value_that_occurs_and_passes_over_what_is_missing() -> None:
    values = np.array([5.0, 1, 2, 3, 4, 6, 7, 8, 9, 10, math.nan])
    assert timing.percentile(values, 0.5) == (5.0, 2.0, 9.0)


def test_the_times_are_those_of_the_journal(run: Run) -> None:  # noqa: F811
    takes = timing.takes(run)
    assert len(takes) == 8  # two systems, two tracks, two of three sentences
    entry = next(e for e in run.take_lines() if e["outcome"] == "ok")
    first = takes.iloc[0]
    assert first["synthesis"] == (entry["completed_ns"] - entry["submitted_ns"]) / 1e9
    assert first["rtf"] == first["synthesis"] / 0.5
    assert takes["first_audio"].isna().all()
    heard = timing.hearings(run)
    assert len(heard) == 16
    assert set(heard["recognition"]) == {0.001}
    table = timing.percentiles(heard, ["recogniser"], "rtf")
    assert (table["n"].iloc[0], table["p50"].iloc[0]) == (16, 0.002)
    assert table[["p90", "p99"]].isna().all(axis=None)


@pytest.mark.parametrize("n", [10, 40, 300])
def test_the_interval_of_a_throughput_covers_as_it_says(n: int) -> None:
    rng = np.random.default_rng(n)
    inside = 0
    for _ in range(1000):
        audio = rng.gamma(6, 0.5, n)  # a mean of 3 s
        work = (0.1 + 0.2 * audio) * rng.lognormal(0, 0.3, n)
        value, low, high = timing.throughput(audio, work)
        assert low < value < high
        assert value == pytest.approx(audio.sum() / work.sum())
        inside += low <= 3 / ((0.1 + 0.2 * 3) * math.exp(0.045)) <= high
    assert 0.925 <= inside / 1000 <= 0.975


def test_a_throughput_needs_six_timed_takes() -> None:
    assert np.isnan(timing.throughput(np.ones(6), np.array([1, 1, 1, 1, 1, math.nan]))).all()
    assert timing.throughput(np.ones(6), np.full(6, 0.5)) == (2.0, 2.0, 2.0)


def test_where_a_take_was_made_is_what_the_journal_says() -> None:
    machine = {"processor": "A Chip", "cores": 4}
    assert timing._where({"hardware": machine, "region": None}) == "A Chip, 4 cores"
    assert timing._where({"hardware": "a server", "region": None}) == "a server"
    assert timing._where({"hardware": None, "region": "eu-central"}) == "eu-central"
