"""Resampling, intervals, tests, ranks and the tables of a comparison, against other tools and by their invariants."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from bench.fault import Fault
from bench.inference import (
    agreement,
    ceiling,
    compare,
    compare_runs,
    disagreement,
    distribution,
    gap,
    inversions,
    panel_mean,
    penalty,
    plan,
    repeat,
    resample,
    test,
)
from bench.inference.interval import bootstrap_t, newcombe, percentile, quantile, rate_interval, wilson
from bench.inference.rank import letters, rank_range, resampled_ranks
from bench.inference.sums import collect, entrants

SEEDED = settings(derandomize=True, deadline=None, max_examples=60)


def scores(
    segments: int = 60, systems: int = 3, *, seed: int = 1, step: float = 0.3, **columns: object
) -> pd.DataFrame:
    """Scores of systems that grow worse by `step` of the first one's rate, on shared words and difficulties."""
    rng = np.random.default_rng(seed)
    words = np.clip(np.round(rng.lognormal(2.76, 0.6, segments)), 1, 96).astype(int)
    difficulty = rng.beta(1, 14, segments)
    parts = [
        pd.DataFrame(
            {
                "system": f"s{system}",
                "track": "R",
                "channel": "clean",
                "recogniser": "r",
                "segment": [f"t{k:04}" for k in range(segments)],
                "take": 0,
                "words": words,
                "errors": rng.binomial(words, np.clip(difficulty * (1 + step * system), 0, 1)),
            }
        )
        for system in range(systems)
    ]
    return pd.concat(parts, ignore_index=True).assign(**columns)


# --- random numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ((0, 0, 0, 0), 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF, 0, 0xFFFFFFFF, 0), None, None),
    ],
)
def test_philox_gives_the_published_words(counter, key, words):
    """The first vector is the known answer of Random123 for philox4x32-10; the second only asks the twins to agree."""
    seed = 2**64 - 1 if key is None else key
    out = np.empty((1, 4), np.uint32)
    resample._philox(counter[0], counter[2], counter[3], np.uint64(seed), out)
    twin = resample.philox_twin(np.array([counter[0]]), counter[2], counter[3], seed)
    assert tuple(out[0]) == tuple(twin)
    if words:
        assert tuple(twin) == words


@SEEDED
@given(
    units=st.integers(1, 700),
    first=st.integers(0, 2**31),
    seed=st.integers(0, 2**64 - 1),
    purpose=st.sampled_from(["counts", "signs", "second"]),
)
def test_the_twin_draws_the_same_weights(units, first, seed, purpose):
    drawn = resample.weights(first, 3, units, purpose=purpose, seed=seed)
    assert (drawn == resample.weights_twin(first, 3, units, purpose=purpose, seed=seed)).all()
    if purpose == "signs":
        assert (np.abs(drawn) == 1).all()
    else:
        assert (drawn.sum(axis=1) == units).all()


def test_weights_have_the_moments_of_their_laws():
    counts = resample.weights(0, 20_000, 7, purpose="counts", seed=3)
    assert np.allclose(counts.mean(axis=0), 1, atol=0.03)
    assert np.allclose(np.cov(counts.T), np.eye(7) - 1 / 7, atol=0.03)
    signs = resample.weights(0, 20_000, 7, purpose="signs", seed=3)
    assert np.allclose(np.cov(signs.T), np.eye(7), atol=0.03)


@pytest.mark.parametrize("purpose", ["counts", "signs", "second"])
def test_products_do_not_depend_on_chunks_threads_batches_or_company(monkeypatch, purpose):
    rng = np.random.default_rng(5)
    sets = [np.arange(90), rng.permutation(90)[:40], np.arange(30, 60), np.array([7])]
    blocks = [resample.Block(np.sort(index), rng.integers(0, 50, (len(index), 3))) for index in sets]
    how = {"purpose": purpose, "seed": 11, "replicates": 333}
    rows = resample.weights_twin(0, 333, 90, purpose=purpose, seed=11).astype(np.int64)
    expected = [(rows[:, block.index] @ block.sums).T for block in blocks]
    for chunk, batch, threads in [(1 << 19, 1 << 24, 1), (1000, 1 << 24, 1), (90, 1, 3), (5000, 2000, 4)]:
        monkeypatch.setattr(resample, "CHUNK_CELLS", chunk)
        monkeypatch.setattr(resample, "BATCH_CELLS", batch)
        for given_blocks, wanted in ((blocks, expected), (blocks[::-1], expected[::-1])):
            found = list(resample.products(given_blocks, 90, threads=threads, **how))
            assert all((one == other).all() for one, other in zip(found, wanted, strict=True))


def test_products_stay_exact_beyond_float32_and_refuse_what_float64_cannot_hold():
    sums = np.array([[2**40 + 1], [3]])
    block = resample.Block(np.arange(2), sums)
    (found,) = resample.products([block], 2, purpose="counts", seed=1, replicates=50)
    rows = resample.weights_twin(0, 50, 2, purpose="counts", seed=1).astype(np.int64)
    assert (found == (rows @ sums).T).all()
    with pytest.raises(Fault, match="fewer than 2\\*\\*53"):
        list(resample.products([resample.Block(np.arange(2), sums << 13)], 2, purpose="counts", seed=1, replicates=9))


# --- intervals --------------------------------------------------------------------------------------------------


@SEEDED
@given(st.lists(st.floats(-5, 5) | st.just(float("nan")), min_size=2, max_size=40), st.floats(0, 1))
def test_quantile_is_that_of_numpy_without_nan(values, level):
    row = np.sort(np.array(values))
    if np.isnan(row).all():
        assert np.isnan(quantile(row, level))
    else:
        assert quantile(row, level) == pytest.approx(np.nanquantile(row, level), abs=1e-12)


def test_percentile_interval_is_that_of_scipy():
    frame = scores(300, 1)
    errors, words = frame["errors"].to_numpy(float), frame["words"].to_numpy(float)

    def rate(e, w, axis=-1):
        return e.sum(axis) / w.sum(axis)

    oracle = stats.bootstrap(
        (errors, words),
        rate,
        paired=True,
        n_resamples=40_000,
        method="percentile",
        rng=np.random.default_rng(1),
        batch=500,
    ).confidence_interval
    found = compare(frame, B=40_000).rates.iloc[0]
    width = oracle.high - oracle.low
    assert found["method"] == "percentile"
    assert found["lo"] == pytest.approx(oracle.low, abs=0.02 * width)
    assert found["hi"] == pytest.approx(oracle.high, abs=0.02 * width)


def test_bootstrap_t_is_the_textbook_one():
    """Against each replicate's standard error worked out from its own resample, one at a time."""
    frame = scores(40, 1)
    e, w = frame["errors"].to_numpy(float), frame["words"].to_numpy(float)
    rate = e.sum() / w.sum()
    drawn, errors = [], []
    for row in resample.weights(0, 2000, 40, purpose="counts", seed=9).astype(int):
        at = np.repeat(np.arange(40), row)
        own = e[at].sum() / w[at].sum()
        drawn.append(own)
        errors.append(np.sqrt(40 / 39 * np.square(e[at] - own * w[at]).sum()) / w[at].sum())
    error = np.sqrt(40 / 39 * np.square(e - rate * w).sum()) / w.sum()
    expected = bootstrap_t(rate, error, np.array(drawn), np.array(errors))
    found = compare(frame, seed=9, B=2000).rates.iloc[0]
    assert found["method"] == "bootstrap-t"
    assert (found["lo"], found["hi"]) == pytest.approx(expected, abs=1e-9)


def test_few_units_widen_the_percentiles():
    ordered = np.sort(np.random.default_rng(0).normal(size=(1, 20_000)), axis=1)
    widths = [np.subtract(*percentile(ordered, n)[::-1])[0] for n in (5, 20, 100, 199, 200, 5000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-2] == widths[-1]


@SEEDED
@given(st.integers(0, 40), st.integers(1, 40))
def test_wilson_is_that_of_scipy(hits, trials):
    hits = min(hits, trials)
    oracle = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    assert wilson(hits / trials, trials) == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_a_rate_of_nothing_wrong_gets_a_bound():
    frame = scores(50, 2).assign(errors=0)
    found = compare(frame)
    assert (found.rates["method"] == "Wilson").all()
    assert (found.rates["lo"] == 0).all()
    assert found.rates["hi"].iloc[0] == pytest.approx(wilson(0, 50)[1])
    assert 3 / 50 < found.rates["hi"].iloc[0] < 5 / 50  # near the rule of three
    pair = found.pairs.iloc[0]
    assert (pair["difference"], pair["p"], pair["verdict"], pair["method"]) == (0, 1, "no evidence", "hybrid")
    assert pair["lo"] < 0 < pair["hi"]


def test_a_rate_of_everything_wrong_gets_a_bound():
    frame = scores(50, 1)
    found = compare(frame.assign(errors=frame["words"])).rates.iloc[0]
    assert (found["rate"], found["hi"], found["method"]) == (1, 1, "Wilson")
    assert 0.9 < found["lo"] < 1


def test_replicates_without_an_error_of_their_own_do_not_blow_an_interval_up():
    errors, words = np.array([1, 1, 1, 1, 1, 1, 1, 1, 2, 2]), np.full(10, 10)
    frame = scores(10, 1).assign(errors=errors, words=words)
    found = compare(frame).rates.iloc[0]  # one replicate in ten has the eight equal units alone
    assert found["method"] == "t percentile"
    assert 0 < found["lo"] < found["rate"] < found["hi"] < 0.2


def test_few_erring_units_do_not_make_a_narrow_interval():
    e, w = np.zeros(300), np.full(300, 10.0)
    e[:2] = 3
    found = rate_interval(e, w, np.zeros(1000))
    assert found.method == "Wilson"
    assert 0 < found.lo < 6 / 3000 < found.hi
    assert found.hi > 3 * 6 / 3000  # two events: an exact Poisson bound is 3.6 times the rate


def test_twins_that_differ_in_few_segments_get_a_tight_interval_that_is_no_point():
    frame = scores(1000, 2, step=0)
    frame.loc[frame["system"] == "s1", "errors"] = frame.loc[frame["system"] == "s0", "errors"].to_numpy()
    frame.loc[frame["segment"].isin(["t0001", "t0002"]) & (frame["system"] == "s1"), "errors"] += 1
    found = compare(frame)
    pair, width = found.pairs.iloc[0], np.ptp(found.rates.iloc[0][["lo", "hi"]].to_numpy(float))
    assert pair["method"] == "hybrid"
    assert -0.001 < pair["lo"] < pair["difference"] < 0 < pair["hi"] < 0.005
    assert pair["hi"] - pair["lo"] < 0.6 * width
    assert pair["p"] == pytest.approx(0.5, abs=0.02)  # two swaps: half of them are as far apart


def test_empty_references_have_no_rate_and_no_rank():
    frame = scores(40, 3)
    frame.loc[frame["system"] == "s1", ["words", "errors"]] = 0
    found = compare(frame)
    row = found.rates.set_index("system").loc["s1"]
    assert np.isnan(row["rate"])
    assert row["method"] == "undefined"
    assert row["letters"] == ""
    assert pd.isna(row["rank_lo"])
    assert len(found.pairs) == 1
    assert found.rates["system"].iloc[-1] == "s1"


def test_one_segment_has_a_rate_and_nothing_else():
    found = compare(scores(1, 2))
    assert (found.rates["method"] == "undefined").all()
    assert found.rates["lo"].isna().all()
    assert (found.pairs["verdict"] == "too few").all()


@pytest.mark.parametrize(("segments", "grey"), [(19, True), (20, False)])
def test_below_twenty_segments_there_are_no_letters(segments, grey):
    found = compare(scores(segments, 3, step=5))
    assert (found.rates["grey"] == grey).all()
    assert (found.rates["letters"] == "").all() == grey
    assert found.rates["rank_lo"].isna().all() == grey
    assert (found.pairs["verdict"] == "too few").all() == grey


@pytest.mark.parametrize(("clusters", "grey"), [(49, True), (50, False)])
def test_below_fifty_clusters_there_are_no_letters(clusters, grey):
    frame = scores(clusters * 3, 2, step=5)
    frame["cluster"] = [f"c{int(name[1:]) % clusters}" for name in frame["segment"]]
    found = compare(frame)
    assert "unit:cluster" in found.signature
    assert (found.rates["n"] == clusters).all()
    assert (found.rates["segments"] == clusters * 3).all()
    assert (found.rates["grey"] == grey).all()


def test_newcombe_is_that_of_the_paper():
    """56/70 and 48/80: Newcombe (1998), table II, method 10: 0.0524 to 0.3339."""
    from bench.inference.interval import Interval

    a, b = 56 / 70, 48 / 80
    lo, hi = newcombe(a, Interval(*wilson(a, 70), ""), b, Interval(*wilson(b, 80), ""))
    assert (round(lo, 4), round(hi, 4)) == (0.0524, 0.3339)


# --- tests ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 10, 45])
def test_holm_is_that_of_statsmodels(count):
    rng = np.random.default_rng(count)
    for p in (rng.random(count), rng.random(count) / 20, np.repeat(0.01, count), rng.integers(0, 5, count) / 100):
        assert test.holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_holm_leaves_out_what_was_not_tested():
    assert test.holm(np.array([0.02, np.nan, 0.03])) == pytest.approx([0.04, np.nan, 0.04], nan_ok=True)
    assert np.isnan(test.holm(np.array([np.nan]))).all()


def test_randomisation_is_that_of_scipy():
    frame = scores(10, 2, step=1.5, seed=4)
    d = frame["errors"].to_numpy()[:10] - frame["errors"].to_numpy()[10:]
    exact = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf).pvalue
    found = compare(frame, B=100_000).pairs.iloc[0]
    assert found["p"] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_randomisation_swaps_words_with_errors():
    """Where systems have words of their own, against all 2**10 ways to swap."""
    frame = scores(10, 2, step=1.5, seed=4)
    frame["words"] += np.arange(20) % 3
    e, w = (frame[name].to_numpy().reshape(2, 10) for name in ("errors", "words"))
    observed = abs(e[0].sum() / w[0].sum() - e[1].sum() / w[1].sum())
    hits = 0
    for swap in itertools.product((0, 1), repeat=10):
        own, at = np.array(swap), np.arange(10)
        hits += (
            abs(e[own, at].sum() / w[own, at].sum() - e[1 - own, at].sum() / w[1 - own, at].sum()) >= observed - 1e-12
        )
    exact = hits / 1024
    found = compare(frame, B=100_000).pairs.iloc[0]
    assert found["p"] == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 100_000))


def test_the_bootstrap_cross_check_agrees():
    found = compare(scores(400, 5, step=0.08, seed=8)).pairs
    assert (found["p"] - found["p_bootstrap"]).abs().max() < 0.03
    assert found["p"].between(0.001, 0.999).sum() > 3


def test_p_never_falls_below_one_in_the_randomisations_and_these_grow_with_the_pairs():
    found = compare(scores(300, 12, step=3), B=1000)
    assert "R:6600" in found.signature  # 100 x 66 pairs
    assert found.pairs["p"].min() == pytest.approx(1 / 6601)
    assert found.pairs["p_holm"].min() == pytest.approx(66 / 6601)
    assert found.pairs["p_holm"].min() < 0.05


# --- ranks ------------------------------------------------------------------------------------------------------


@st.composite
def decisions(draw):
    count = draw(st.integers(1, 9))
    upper = np.triu(
        np.array(draw(st.lists(st.booleans(), min_size=count**2, max_size=count**2))).reshape(count, count), 1
    )
    return upper | upper.T


@SEEDED
@given(decisions())
def test_two_systems_share_a_letter_exactly_when_they_do_not_differ(differ):
    marks = letters(differ)
    for i, j in itertools.combinations(range(len(differ)), 2):
        assert bool(set(marks[i]) & set(marks[j])) != differ[i, j]
    assert "a" in marks[0]
    used = sorted(set("".join(marks)))
    assert used == [chr(ord("a") + k) for k in range(len(used))]
    groups = [{i for i, mark in enumerate(marks) if letter in mark} for letter in used]
    assert not any(one < other for one in groups for other in groups)


@SEEDED
@given(decisions())
def test_rank_ranges_count_the_decisions(differ):
    best, worst = rank_range(differ)
    for s in range(len(differ)):
        assert best[s] == 1 + differ[s, :s].sum()
        assert worst[s] == len(differ) - differ[s, s + 1 :].sum()
        assert best[s] <= s + 1 <= worst[s]


def test_letters_of_a_worked_example():
    """Systems 1-2, 2-3 tie, 1-3 differ; 4 differs from all."""
    differ = np.zeros((4, 4), bool)
    differ[0, 2] = differ[2, 0] = True
    differ[3, :3] = differ[:3, 3] = True
    assert letters(differ) == ["a", "ab", "b", "c"]
    many = ~np.eye(54, dtype=bool)
    assert letters(many)[-3:] == ["Z", "(53)", "(54)"]


def test_resampled_ranks_count_ties_for_both_ends():
    rates = np.array([[0.1, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1], [0.3, 0.3, 0.3, np.nan]])
    best, worst = resampled_ranks(rates)
    assert best.tolist() == [1, 1, 3]
    assert worst.tolist() == [2, 2, 3]
    rng = np.random.default_rng(0)
    drawn = rng.normal([[0.0], [0.5], [3.0]], 0.4, (3, 5000))
    ranks = stats.rankdata(drawn, axis=0)
    best, worst = resampled_ranks(drawn)
    assert best.tolist() == np.quantile(ranks, 0.025, axis=1, method="inverted_cdf").tolist()
    assert worst.tolist() == np.quantile(ranks, 0.975, axis=1, method="inverted_cdf").tolist()


# --- scores -----------------------------------------------------------------------------------------------------


def test_takes_are_averaged_inside_a_segment():
    frame = scores(30, 2)
    doubled = pd.concat([frame, frame.assign(take=1), frame[frame["segment"] == "t0003"].assign(take=2)])
    one, two = compare(frame), compare(doubled)
    pd.testing.assert_frame_equal(one.rates, two.rates)
    pd.testing.assert_frame_equal(one.pairs, two.pairs)


def test_one_worse_take_moves_the_mean_of_the_segment_alone():
    frame = scores(30, 1)
    worse = frame[frame["segment"] == "t0003"].assign(take=1)
    worse["errors"] += 4
    found = compare(pd.concat([frame, worse])).rates.iloc[0]
    assert found["errors"] == frame["errors"].sum() + 2
    assert found["words"] == frame["words"].sum()


@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_of_rows_does_not_matter(seed):
    frame = scores(80, 4, cluster=None, setting="x")
    frame["setting"] = [f"g{int(name[1:]) % 3}" for name in frame["segment"]]
    shuffled = frame.sample(frac=1, random_state=seed)
    one, two = compare(frame, strata=["setting"]), compare(shuffled, strata=["setting"], threads=2)
    pd.testing.assert_frame_equal(one.rates, two.rates)
    pd.testing.assert_frame_equal(one.pairs, two.pairs)
    assert one.signature == two.signature


def test_strata_and_families_see_the_same_replicates():
    """A whole, a stratum or a family says the same whatever else is asked for."""
    frame = scores(240, 3)
    frame["setting"] = [f"g{int(name[1:]) % 2}" for name in frame["segment"]]
    frame["level"] = [f"d{int(name[1:]) % 4}" for name in frame["segment"]]
    other = frame.assign(channel="g711u", errors=frame["words"] - frame["errors"])
    alone = compare(frame)
    full = compare(pd.concat([frame, other]), strata=[["setting"], ["setting", "level"]])
    same = full.rates[(full.rates["channel"] == "clean") & (full.rates["stratum"] == "all")].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.rates, same)
    pairs = full.pairs[(full.pairs["channel"] == "clean") & (full.pairs["stratum"] == "all")].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.pairs, pairs)
    assert set(full.rates["stratum"]) == {
        "all",
        *(f"setting=g{k}" for k in range(2)),
        *(f"setting=g{k % 2}, level=d{k}" for k in range(4)),
    }
    assert (full.rates.loc[full.rates["stratum"] == "setting=g0", "n"] == 120).all()
    assert full.note.startswith("42 comparisons in 14 families")


def test_clusters_are_the_default_and_the_segment_interval_stands_beside():
    frame = scores(400, 2, cluster=None)
    frame["cluster"] = [f"c{int(name[1:]) // 2}" for name in frame["segment"]]
    found, apart = compare(frame), compare(frame, unit="segment")
    assert "segment_lo" not in apart.rates
    assert found.rates["segment_lo"].tolist() == apart.rates["lo"].tolist()
    assert found.rates["segment_hi"].tolist() == apart.rates["hi"].tolist()
    assert "unit:segment" in compare(frame.assign(cluster=frame["segment"])).signature


def test_copies_of_a_segment_add_no_evidence_when_they_are_one_cluster():
    frame = scores(250, 2)
    copies = pd.concat(
        [frame.assign(segment=frame["segment"] + f"-{k}", cluster=frame["segment"]) for k in range(4)],
        ignore_index=True,
    )
    one, four = compare(frame), compare(copies)
    for name in ("rate", "lo", "hi", "letters"):
        assert one.rates[name].tolist() == four.rates[name].tolist()
    assert one.pairs["p"].tolist() == four.pairs["p"].tolist()
    assert (four.rates["segment_hi"] - four.rates["segment_lo"] < 0.6 * (four.rates["hi"] - four.rates["lo"])).all()


def test_diagnostic_rows_never_mix_with_headline_rows():
    frame = scores(90, 2, headline=True)
    frame["difficulty"] = [f"D{int(name[1:]) % 3}" for name in frame["segment"]]
    frame["headline"] = frame["difficulty"] != "D2"
    found = compare(frame, strata=["difficulty"]).rates.drop_duplicates("stratum").set_index("stratum")
    assert found["segments"].to_dict() == {"all": 60, "difficulty=D0": 30, "difficulty=D1": 30, "difficulty=D2": 30}
    assert found["headline"].to_dict() == {
        "all": True,
        "difficulty=D0": True,
        "difficulty=D1": True,
        "difficulty=D2": False,
    }


def test_voices_compete_apart_where_a_system_has_several():
    frame = scores(30, 2)
    frame["voice"] = ["only"] * 30 + ["x"] * 30
    assert set(entrants(frame)) == {"s0", "s1"}
    more = pd.concat([frame, frame[frame["system"] == "s1"].assign(voice="y")])
    assert set(compare(more).rates["system"]) == {"s0", "s1/x", "s1/y"}


def test_errors_may_be_given_by_kind():
    frame = scores(30, 2)
    kinds = frame.drop(columns="errors").assign(substitutions=frame["errors"], deletions=1, insertions=0)
    whole = frame.assign(errors=frame["errors"] + 1)
    pd.testing.assert_frame_equal(compare(kinds).rates, compare(whole).rates)


def test_a_higher_rate_can_be_the_better_one():
    frame = scores(300, 3, step=0.8)
    right = frame.assign(errors=frame["words"] - frame["errors"])
    low, high = compare(frame), compare(right, better="higher")
    for name in ("system", "letters", "rank_lo", "rank_hi", "resampled_lo", "resampled_hi"):
        assert low.rates[name].tolist() == high.rates[name].tolist()
    assert high.pairs["difference"].tolist() == pytest.approx((-low.pairs["difference"]).tolist())
    assert high.pairs["p"].tolist() == low.pairs["p"].tolist()
    assert (high.pairs["lo"] <= high.pairs["hi"]).all()


def test_a_row_can_count_one():
    frame = scores(30, 2).assign(wrong=lambda f: f["errors"] > 0)
    found = compare(frame, errors="wrong", words=None, metric="SER").rates
    assert (found["words"] == 30).all()
    assert found["rate"].between(0, 1).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.drop(columns="segment"), "no column 'segment'"),
        (lambda f: f.iloc[:0], "no scores"),
        (lambda f: f.assign(errors=0.5), "holds 0.5; expected a whole number"),
        (lambda f: f.assign(words=-1), "expected a whole number"),
        (lambda f: f.assign(errors=None), "expected a whole number"),
        (lambda f: pd.concat([f, f.iloc[:1]]), "'t0000' is scored twice for take 0 of system 's0'"),
        (lambda f: f.iloc[1:], "Segment 't0000' has scores of 1 out of 2 systems"),
    ],
)
def test_scores_that_cannot_be_compared_are_refused(change, message):
    with pytest.raises(Fault, match=message):
        compare(change(scores(25, 2)))


@pytest.mark.parametrize(
    ("options", "message"),
    [({"unit": "word"}, "'word'"), ({"seed": -1}, "seed"), ({"B": 10}, "at least 100"), ({"threads": 0}, "threads")],
)
def test_settings_that_nothing_can_come_from_are_refused(options, message):
    with pytest.raises(Fault, match=message):
        compare(scores(25, 2), **options)


def test_the_signature_says_what_the_numbers_depend_on():
    found = compare(scores(25, 2), seed=7, B=500).signature
    assert found.startswith("WER|by:track,channel,recogniser|unit:segment|B:500|seed:7|R:500|")
    assert "|bench:" in found
    assert (
        compare(scores(25, 2), seed=8, B=500).rates["lo"].tolist() != compare(scores(25, 2), B=500).rates["lo"].tolist()
    )


# --- contrasts, runs, panel, planning -----------------------------------------------------------------------------


def test_penalty_is_the_difference_of_the_tracks():
    worse = scores(300, 2, step=0.5, seed=2)
    easy = scores(300, 2, step=0, seed=3).assign(track="S")
    easy["errors"] //= 2
    extra = scores(301, 2).query("segment == 't0300'")  # on track R alone: it is in no penalty
    found = penalty(pd.concat([worse, easy, extra])).rows.set_index("system")
    for system in ("s0", "s1"):
        totals = [part[part["system"] == system][["errors", "words"]].sum() for part in (worse, easy)]
        rates = [total["errors"] / total["words"] for total in totals]
        assert found.loc[system, "penalty"] == pytest.approx(rates[0] - rates[1])
        assert found.loc[system, "lo"] < found.loc[system, "penalty"] < found.loc[system, "hi"]
    assert (found["n"] == 300).all()
    with pytest.raises(Fault, match="no rows on track S"):
        penalty(worse)


def test_only_a_significant_inversion_is_flagged():
    clean = scores(300, 1)
    more = clean.assign(channel="loss 1 %", errors=clean["errors"] + (np.arange(300) % 9 == 0))
    mended = clean.assign(channel="loss 3 %", errors=clean["errors"] + (np.arange(300) % 90 == 0))
    found = inversions(pd.concat([clean, more, mended]), ["clean", "loss 1 %", "loss 3 %"]).rows
    assert list(zip(found["mild"], found["harsh"], found["inversion"], strict=True)) == [
        ("clean", "loss 3 %", False),
        ("clean", "loss 1 %", False),
        ("loss 1 %", "loss 3 %", True),
    ]
    assert ((found["lo"] <= found["difference"]) & (found["difference"] <= found["hi"])).all()
    with pytest.raises(Fault, match="expected at least two"):
        inversions(clean, ["clean"])


def test_the_gap_takes_the_samples_for_independent():
    public, hidden = scores(400, 2, seed=5), scores(300, 2, seed=6)
    hidden.loc[hidden["system"] == "s1", "errors"] *= 2
    found = gap(public, hidden).rows.set_index("system")
    assert found["flag"].to_dict() == {"s0": "", "s1": "public easier"}
    for system in ("s0", "s1"):
        widths = [
            (row := compare(part).rates.set_index("system").loc[system])["hi"] - row["lo"] for part in (public, hidden)
        ]
        assert found.loc[system, "hi"] - found.loc[system, "lo"] == pytest.approx(np.hypot(*widths), rel=0.05)
    same = gap(public, public.assign(segment="h" + public["segment"])).rows
    assert (same["gap"] == 0).all()
    assert (same["hi"] - same["lo"] > 0.005).all()  # equal figures, yet not one sample


def test_the_floor_is_the_rate_of_human_recordings():
    frame = scores(40, 2).replace({"system": {"s0": "human"}})
    found = ceiling(frame).rows.iloc[0]
    expected = compare(frame).rates.set_index("system").loc["human"]
    assert (found["rate"], found["lo"], found["hi"]) == (expected["rate"], expected["lo"], expected["hi"])
    with pytest.raises(Fault, match="human recordings"):
        ceiling(scores(40, 2))


def test_runs_compare_on_their_common_segments():
    before = scores(300, 2, seed=1, transcript="x")
    after = before.query("segment != 't0001'").copy()
    after.loc[after["system"] == "s1", "errors"] //= 2
    after.loc[(after["system"] == "s0") & (after["segment"] == "t0007"), "errors"] += 90
    found = compare_runs(before, after)
    assert found.verdicts.set_index("system")["verdict"].to_dict() == {"s0": "no evidence", "s1": "better"}
    assert (found.verdicts["n"] == 299).all()
    assert found.changed.iloc[0][["system", "segment", "change", "transcript_a"]].tolist() == ["s0", "t0007", 90, "x"]
    assert len(found.changed) == 20
    assert (compare_runs(after, before).verdicts.set_index("system")["verdict"] == "worse").to_dict() == {
        "s0": False,
        "s1": True,
    }
    few = [part[part["segment"] < "t0010"] for part in (before, after)]
    assert (compare_runs(*few).verdicts["verdict"] == "too few").all()


def test_what_one_run_only_has_is_named():
    before = pd.concat([scores(60, 3), scores(60, 3, channel="line")])
    assert compare_runs(before, before).alone.empty
    far = scores(60, 1, channel="far")
    after = pd.concat([before.query("system != 's2' and not (system == 's1' and channel == 'line')"), far])
    after = after[after["segment"] != "t0001"]
    found = compare_runs(before, after)
    assert [*found.alone.itertuples(index=False, name=None)] == [
        ("a", "system", "s2"),
        ("b", "channel", "far"),
        ("a", "segment", "t0001"),
        ("a", "combination", "s1 × R × line × r"),
    ]
    assert set(found.verdicts["system"] + found.verdicts["channel"]) == {"s0clean", "s0line", "s1clean"}


def test_two_checkpoints_pair_whatever_their_names():
    before = scores(200, 1)
    after = before.assign(system="step-2000", errors=before["errors"] * 2)
    found = compare_runs(before, after).verdicts.iloc[0]
    assert (found["system"], found["verdict"]) == ("s0", "worse")
    with pytest.raises(Fault, match="no system in common"):
        compare_runs(scores(30, 2), scores(30, 2).assign(system=lambda f: "x" + f["system"]))
    with pytest.raises(Fault, match="no segment in common"):
        compare_runs(before, after.assign(segment="u" + after["segment"]))


def test_a_repeat_shows_what_is_identical_and_the_band():
    one = scores(100, 2, audio="sum", transcript="text")
    two = one.copy()
    two.loc[two["segment"] < "t0025", "audio"] = "other"
    two.loc[two["segment"] < "t0010", "transcript"] = "other"
    two.loc[two["segment"] < "t0010", "errors"] += 1
    found = repeat(one, two).rows
    assert (found["identical_audio"] == 0.75).all()
    assert (found["identical_transcripts"] == 0.9).all()
    assert (found["band_hi"] - found["band_lo"]).to_numpy() == pytest.approx(found["difference"].to_numpy())
    assert repeat(one.drop(columns="audio"), two).rows["identical_audio"].isna().all()


def test_a_panel_mean_is_over_the_recognisers_that_are_not_diagnostic():
    parts = [
        scores(250, 2, seed=seed).assign(recogniser=name, diagnostic=name == "draft")
        for seed, name in enumerate(("draft", "large", "small"))
    ]
    found = panel_mean(pd.concat(parts))
    alone = compare(pd.concat(parts)).rates
    kept = alone[alone["recogniser"] != "draft"].groupby("system")["rate"].mean()
    assert found.rates.set_index("system")["rate"].to_dict() == pytest.approx(kept.to_dict())
    assert "over:recogniser" in found.signature
    assert (found.rates["hi"] - found.rates["lo"] < alone["hi"].max() - alone["lo"].min()).all()
    twice = pd.concat([parts[1], parts[1].assign(recogniser="again")])
    same = compare(parts[1])
    assert panel_mean(twice).rates["lo"].tolist() == pytest.approx(same.rates["lo"].tolist())
    assert panel_mean(twice).pairs["p"].tolist() == pytest.approx(same.pairs["p"].tolist())
    with pytest.raises(Fault, match="two recognisers"):
        panel_mean(pd.concat(parts[:2]))


def test_a_conclusion_under_one_recogniser_is_marked():
    frame = scores(300, 2, step=2)
    level = frame.assign(errors=1)
    rows = pd.concat([frame.assign(recogniser="r1"), level.assign(recogniser="r2")])
    assert agreement(compare(rows).pairs)["holds"].tolist() == ["one recogniser only"]
    both = pd.concat([frame.assign(recogniser="r1"), frame.assign(recogniser="r2")])
    assert agreement(compare(both).pairs).iloc[0][["better", "holds"]].tolist() == ["r1, r2", "all"]
    turned = frame.assign(system=frame["system"].map({"s0": "s1", "s1": "s0"}), recogniser="r2")
    against = agreement(compare(pd.concat([frame.assign(recogniser="r1"), turned])).pairs).iloc[0]
    assert against[["a", "b", "better", "worse", "holds"]].tolist() == ["s0", "s1", "r1", "r2", "contradicted"]
    mixed = pd.concat([both, level.assign(recogniser="r3")])
    assert agreement(compare(mixed).pairs)["holds"].tolist() == ["some"]
    none = pd.concat([level.assign(recogniser="r1"), level.assign(recogniser="r2")])
    assert agreement(compare(none).pairs)["holds"].tolist() == ["none"]


def test_disagreement_counts_rows_where_one_of_two_got_the_entity():
    frame = scores(40, 1)
    frame["amount"] = np.array([True] * 30 + [None] * 10, object)
    other = frame.assign(recogniser="q", amount=frame["amount"].where(frame["segment"] >= "t0006", False))
    found = disagreement(pd.concat([frame, other]), ["amount"]).rows.iloc[0]
    assert found[["one", "other", "entity", "rate", "n"]].tolist() == ["q", "r", "amount", 0.2, 30]
    assert found["lo"] < 0.2 < found["hi"]
    with pytest.raises(Fault, match="one recogniser only"):
        disagreement(frame, ["amount"])


def test_a_plan_grows_with_the_square_of_the_precision():
    frame = scores(300, 3)
    one, two = (plan(frame, wanted=wanted).rows.iloc[0] for wanted in (0.01, 0.005))
    assert one["smallest"] == pytest.approx((1.959964 + 0.841621) * one["error"], rel=1e-5)
    assert two["needed"] == pytest.approx(4 * one["needed"], abs=4)
    assert one["smallest_holm"] > one["smallest"]
    replicates = compare(frame).pairs
    assert one["error"] == pytest.approx(((replicates["hi"] - replicates["lo"]) / 3.92).median(), rel=0.05)
    with pytest.raises(Fault, match="two systems"):
        plan(frame[frame["system"] == "s0"])
    with pytest.raises(Fault, match="expected a difference above 0"):
        plan(frame, wanted=0)


def test_a_distribution_is_over_segments():
    frame = scores(40, 1).assign(errors=[0] * 10 + [1] * 30, words=4, setting="s")
    found = distribution(frame, strata=["setting"]).iloc[0]
    assert found[["system", "segments", "perfect", "q0", "q50", "q100"]].tolist() == ["s0", 40, 0.25, 0, 0.25, 0.25]


def test_a_family_collects_whole_numbers():
    sums = collect(scores(30, 2), by=("channel",))
    (part,) = sums.slices
    assert part.errors.dtype == np.int64
    assert part.errors.shape == (30, 1, 2)
    assert (sums.unit, sums.units, sums.scale) == ("segment", 30, 1)
