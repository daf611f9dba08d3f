"""From returns to a verdict: what is excluded and why, and numbers that another hand gets too."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, t
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

from bench import report
from bench.fault import Fault
from bench.listening import analysis, estimate, make, models, publish, ratings, simulate, views
from bench.listening.design import Design, Exclusions
from bench.listening.make import Study
from bench.listening.record import parse
from bench.part import Table, numeric
from tests.test_listening_design import planned, spoken, study  # noqa: F401  (fixtures)

QUALITY = {"quick": 2.2, "slowpoke": 3.8}


def returns(design: Design, **options: Any) -> list[ratings.Entry]:
    return list(simulate.listen(design, QUALITY, **options))


def changed(records: Iterable[ratings.Entry], code: str, edit: Any) -> list[ratings.Entry]:
    """The returns with the records of one page passed through `edit`, which gives None to drop one."""
    found = []
    for entry in records:
        record = edit(dict(entry["record"])) if entry["code"] == code else entry["record"]
        found += [] if record is None else [{**entry, "record": record}]
    return found


@pytest.fixture(scope="module")
def design(study: Study) -> Design:  # noqa: F811
    return study.design


def rules(found: ratings.Ratings) -> set[tuple[str, str]]:
    return set(found.exclusions[["level", "rule"]].itertuples(index=False, name=None))


def test_clean_returns_lose_nothing(design: Design) -> None:
    found = ratings.collect(design, returns(design))
    assert found.exclusions.empty
    assert found.strays.empty
    assert (found.votes["excluded"] == "").all()
    assert len(found.votes) == 6 * 7 * 2
    assert found.votes.groupby(["question", "condition", "segment"]).size().loc["quality", "quick", "s0"] == 3


def answer(key: str, value: Any) -> Any:
    return lambda r: {**r, "answers": {**r["answers"], key: value}} if r["kind"] == "listener" else r


def vote(design: Design, code: str, kind: str, value: Any) -> Any:
    trials = {trial.id: trial for session in design.places[code].sessions for trial in session.trials}

    def edit(r: ratings.Entry) -> ratings.Entry:
        hit = r["kind"] == "vote" and trials[r["trial"]].kind == kind and r["question"] == "quality"
        return {**r, "value": value} if hit else r

    return edit


@pytest.mark.parametrize(
    ("edit", "level", "rule", "lost"),
    [
        (answer("native", False), "listener", "native", 14),
        (answer("hearing", False), "listener", "hearing", 14),
        (answer("recent", True), "listener", "recent", 14),
        (lambda r: {**r, "answer": 7} if r.get("name") == "headphones" and r["n"] < 2 else r, "listener", "checks", 14),
        (lambda r: None if r.get("name") == "quiet" else r, "listener", "checks", 14),
        (lambda r: None if r["kind"] == "finished" else r, "session", "unfinished", 14),
        ("trap 3", "session", "trap", 14),
        ("gold 3", "session", "gold", 14),
        (lambda r: {**r, "faults": ["stalled"]} if r.get("trial") == "0.2" else r, "vote", "faltered", 2),
    ],
)  # fmt: skip
def test_each_declared_exclusion_is_listed_with_its_reason(
    design: Design, edit: Any, level: str, rule: str, lost: int
) -> None:
    code = design.listeners[2].code
    if isinstance(edit, str):
        kind, value = edit.split()
        edit = vote(design, code, kind, int(value))
    if rule == "faltered":
        kinds = {trial.id: trial.kind for trial in design.listeners[2].sessions[0].trials}
        at = next(name for name, kind in kinds.items() if kind == "test")
        old = edit
        edit = lambda r: old({**r, "trial": "0.2"}) | {"trial": at} if r.get("trial") == at else r  # noqa: E731
    found = ratings.collect(design, changed(returns(design), code, edit))
    assert rules(found) == {(level, rule)}
    out = found.votes[found.votes["excluded"] != ""]
    assert set(out["code"]) == {code}
    assert len(out) == lost
    assert out["excluded"].str.startswith(f"{rule}: ").all()


def test_one_answer_to_everything_is_excluded_only_where_there_are_enough_items(spoken: Path) -> None:  # noqa: F811
    for least, expected in ((4, {("session", "straight line")}), (10, set())):
        more = f"[exclusions]\nstraight_line = {least}\ntrap = false\ngold_within = 5"
        made = make.make(planned(spoken, "line", more=more)).design
        code = made.listeners[0].code
        told = changed(returns(made), code, lambda r: {**r, "value": 3} if r["kind"] == "vote" else r)
        assert rules(ratings.collect(made, told)) == expected


def test_a_rule_that_is_off_holds_nothing_against_anybody(spoken: Path) -> None:  # noqa: F811
    made = make.make(planned(spoken, "off", more="[exclusions]\ntrap = false")).design
    code = made.listeners[0].code
    assert not rules(ratings.collect(made, changed(returns(made), code, vote(made, code, "trap", 5))))


def test_what_is_no_vote_is_listed_and_never_counted(design: Design) -> None:
    code = design.listeners[0].code
    first = returns(design)
    twice = [{**entry, "participant": "another"} for entry in first if entry["code"] == code]
    wrong = [
        {"design": design.sha256, "code": code, "participant": "simulated 0", "record": {"seq": 900 + n, **record}}
        for n, record in enumerate(
            (
                {"kind": "vote", "trial": "7.7", "question": "quality", "value": 3},
                {"kind": "vote", "trial": "0.0", "question": "quality", "value": 3},
            )
        )
    ]
    off = changed(first, design.listeners[1].code, lambda r: {**r, "value": 9} if r.get("trial") == "0.1" else r)
    found = ratings.collect(design, [*off, *twice, *wrong])
    assert set(found.strays["reason"]) == {
        "a second person on one page",
        "no such trial or question",
        "answered twice; the first answer counts",
        "the answer '9' is not on the scale",
    }
    assert len(found.votes) == 6 * 7 * 2 - 2


def test_sending_a_record_again_changes_nothing(design: Design) -> None:
    told = returns(design)
    once, again = ratings.collect(design, told), ratings.collect(design, [*told, *told])
    pd.testing.assert_frame_equal(once.votes, again.votes)
    assert again.strays.empty


def test_returns_of_another_design_are_refused(design: Design) -> None:
    with pytest.raises(Fault, match="belongs to the design"):
        ratings.collect(design, [{**entry, "design": "0" * 64} for entry in returns(design)])


def test_files_and_journals_are_read_alike(design: Design, tmp_path: Path) -> None:
    told = returns(design)
    (tmp_path / "lab.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in told[:40]) + '{"torn')
    rest = [entry for entry in told[40:] if entry["code"] != told[39]["code"]]
    for code in dict.fromkeys(entry["code"] for entry in rest):
        own = [entry for entry in rest if entry["code"] == code]
        head = {key: own[0][key] for key in ("design", "code", "participant")}
        (tmp_path / f"{code}.json").write_text(json.dumps({**head, "records": [entry["record"] for entry in own]}))
    read = list(ratings.read([tmp_path]))
    assert sorted(map(str, read)) == sorted(map(str, told[:40] + rest))
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(Fault, match="not what a study page gives"):
        list(ratings.read([tmp_path]))


def crossed(seed: int = 0, people: int = 9, items: int = 14) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    who, what = (part.ravel() for part in np.meshgrid(np.arange(people), np.arange(items), indexing="ij"))
    value = 3 + rng.normal(0, 0.5, people)[who] + rng.normal(0, 0.4, items)[what] + rng.normal(0, 0.7, len(who))
    frame = pd.DataFrame(
        {"code": who, "segment": what, "value": value, "condition": np.where((who + what) % 2, "a", "b")}
    )
    return frame.sample(frac=0.9, random_state=seed)


def test_the_clustered_error_is_that_of_statsmodels_but_for_its_small_sample_factors() -> None:
    frame = crossed()
    fit = sm.OLS(frame["value"], np.ones(len(frame))).fit()
    both, people, items = cov_cluster_2groups(
        fit, frame["code"].to_numpy(), frame["segment"].to_numpy(), use_correction=False
    )
    n, i = frame["code"].nunique(), frame["segment"].nunique()
    meetings = people + items - both
    wanted = people * n / (n - 1) + items * i / (i - 1) - meetings * len(frame) / (len(frame) - 1)
    found = estimate.mean(frame["value"], frame["code"], frame["segment"])
    assert found.error == pytest.approx(float(np.sqrt(np.squeeze(wanted))), rel=1e-9)
    assert found.half == pytest.approx(t.ppf(0.975, min(n, i) - 1) * found.error)
    assert found.value == pytest.approx(frame["value"].mean())


def test_a_difference_is_that_of_a_regression_on_the_condition() -> None:
    frame = crossed(1)
    x = np.column_stack([np.ones(len(frame)), frame["condition"] == "a"])
    fit = sm.OLS(frame["value"].to_numpy(), x).fit()
    both, people, items = cov_cluster_2groups(
        fit, frame["code"].to_numpy(), frame["segment"].to_numpy(), use_correction=False
    )
    n, i = frame["code"].nunique(), frame["segment"].nunique()
    wanted = people * n / (n - 1) + items * i / (i - 1) - (people + items - both) * len(frame) / (len(frame) - 1)
    found = estimate.difference(frame["value"], frame["condition"] == "a", frame["code"], frame["segment"])
    assert found.value == pytest.approx(fit.params[1])
    assert found.error == pytest.approx(np.sqrt(wanted[1, 1]), rel=1e-9)


def test_a_ratio_of_sums_weighs_by_its_denominator() -> None:
    errors, words = np.array([1.0, 0, 4, 2]), np.array([10.0, 5, 8, 9])
    found = estimate.mean(errors, [0, 0, 1, 1], [0, 1, 0, 1], words)
    assert found.value == pytest.approx(7 / 32)
    assert found.error > 0


def test_one_listener_or_equal_votes_have_no_interval() -> None:
    assert np.isnan(estimate.mean([1, 2, 3], [0, 0, 0], [0, 1, 2]).lo)
    same = estimate.mean([4, 4, 4, 4], [0, 0, 1, 1], [0, 1, 0, 1])
    assert same.value == 4
    assert np.isnan(same.half)


def test_the_interval_of_a_file_is_the_textbook_one() -> None:
    votes = np.array([3, 4, 4, 5, 2])
    low, high = t.interval(0.95, 4, loc=votes.mean(), scale=votes.std(ddof=1) / np.sqrt(5))
    assert estimate.of_file(votes) == pytest.approx((3.6, low, high))


def test_comparison_votes_are_recoded_to_the_order_of_the_systems(spoken: Path) -> None:  # noqa: F811
    made = make.make(planned(spoken, "ccr", questions='["ccr"]', listeners="8")).design
    told = []
    for entry in returns(made):
        record = entry["record"]
        if record["kind"] == "vote":  # everybody finds slowpoke better by 2, wherever it stands
            trial = next(t for s in made.places[entry["code"]].sessions for t in s.trials if t.id == record["trial"])
            first, second = (made.clips[clip].condition for clip in trial.clips)
            record = {**record, "value": 2 * ((second == "slowpoke") - (first == "slowpoke"))}
        told.append({**entry, "record": record})
    votes = ratings.collect(made, told).votes
    test = votes[votes["kind"] == "test"]
    assert set(test["condition"]) == {"quick"}
    assert set(test["against"]) == {"slowpoke"}
    assert (test["value"] == -2).all()
    assert set(test["answer"]) == {2, -2}
    assert (votes.loc[votes["kind"] == "control", "value"] == 0).all()


def preferences(worths: dict[str, float], order: float, votes: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    names = sorted(worths)
    rows = []
    for number in range(votes):
        a, b = sorted(rng.choice(names, 2, replace=False))
        first = str(rng.choice([a, b]))
        odds = worths[a] - worths[b] + (order if first == a else -order)
        rows.append(
            (a, b, 1 if rng.random() < 1 / (1 + np.exp(-odds)) else -1, first, f"l{number % 40}", f"t{number % 30}")
        )
    return pd.DataFrame(rows, columns=["condition", "against", "value", "first", "code", "segment"])


def test_bradley_terry_finds_the_worths_and_the_order_that_made_the_votes() -> None:
    worths = {"a": 0.8, "b": 0.0, "c": -0.8}
    found = models.bradley_terry(preferences(worths, 0.4, 6000))
    assert found is not None
    assert list(found.worth["condition"]) == ["a", "b", "c"]
    for row in found.worth.to_dict("records"):
        assert row["lo"] < worths[row["condition"]] < row["hi"]
    assert found.order[1] < 0.4 < found.order[2]
    assert found.worth["log_worth"].sum() == pytest.approx(0, abs=1e-9)


def test_a_pair_alone_has_the_log_odds_of_its_share() -> None:
    frame = preferences({"a": 0.5, "b": 0}, 0.0, 500)
    half = frame.assign(first=["a", "b"] * 250, value=[1, 1, -1, 1] * 125)  # no order effect left over on average
    found = models.bradley_terry(half)
    assert found is not None
    shares = models.binomial(half).iloc[0]
    assert shares["share"] == 0.75
    assert shares["p"] == binomtest(375, 500).pvalue


def test_who_never_wins_has_no_finite_worth() -> None:
    frame = preferences({"a": 0.0, "b": 0.0}, 0.0, 50).assign(value=1)
    assert models.bradley_terry(frame) is None


def panel(low: dict[str, int], hard: int = 0, people: int = 8, items: int = 20) -> pd.DataFrame:
    """Votes for the hidden reference: `low` listeners below 90 on so many items, and items that nobody hears."""
    rows = []
    for person in range(people):
        for item in range(items):
            missed = item < hard or item - hard < low.get(f"l{person}", 0)
            rows.append((f"l{person}", f"t{item}", "ref", 80.0 if missed else 97.0))
    return pd.DataFrame(rows, columns=["code", "segment", "condition", "value"])


def test_post_screening_leaves_out_who_misses_the_reference_too_often() -> None:
    assert set(models.screened(panel({"l0": 4}), "ref", Exclusions())) == {"l0"}
    assert models.screened(panel({"l0": 3}), "ref", Exclusions()) == {}  # 3 of 20 is 15 %, not more


def test_post_screening_holds_no_item_against_anybody_that_many_miss() -> None:
    assert models.screened(panel({}, hard=6), "ref", Exclusions()) == {}
    assert set(models.screened(panel({"l0": 4, "l1": 2}, hard=6), "ref", Exclusions())) == {"l0"}


@pytest.fixture(scope="module")
def whole(design: Design) -> analysis.Analysis:
    told = returns(design, experts=1, localities=("Leeds", "Cork"), seed=4)
    told = changed(told, design.listeners[0].code, answer("hearing", False))
    return analysis.analyse(design, ratings.collect(design, told))


def test_the_analysis_shows_both_bases_and_keeps_experts_and_localities_apart(whole: analysis.Analysis) -> None:
    for result in whole.results:
        sizes = result.means.set_index(["basis", "condition"])["votes"]
        assert sizes["all", "quick"] == 10
        assert sizes["kept", "quick"] == 8
        assert result.experts["votes"].sum() == 4
        assert result.localities.groupby("locality")["votes"].sum().to_dict() == {"Cork": 8, "Leeds": 8}
        raw = result.distribution.groupby(["basis", "panel"])["votes"].sum()
        assert raw["all", "blind"] == 20
        assert raw["kept", "expert"] == 4
    means = whole.results[0].means.set_index(["basis", "condition"])["value"]
    votes = whole.ratings.votes
    own = votes[(votes["question"] == "quality") & (votes["kind"] == "test") & (votes["panel"] == "blind")]
    assert means["all", "quick"] == pytest.approx(own.loc[own["condition"] == "quick", "value"].mean())


def test_a_report_tells_everything_and_the_same_to_the_byte(whole: analysis.Analysis) -> None:
    page = report.render("Study", views.record(whole))
    assert page == report.render("Study", views.record(whole))
    for said in ("reported hearing loss", "Expert panel", "Each locality", "Raw distribution", "naive lo (warning)",
                 "designed after", "sells it", whole.design.sha256, "one voice"):  # fmt: skip
        assert said in page
    assert page.index("Each locality") < page.index("The answer") < page.index("With exclusions (kept)")
    assert page.index("Every exclusion") < page.rindex("What is left out, declared now")  # the design, after it
    assert page.count("design sha256") == 1


def test_results_for_other_programs_are_those_of_the_report_under_the_systems_names(
    whole: analysis.Analysis, tmp_path: Path
) -> None:
    path = tmp_path / publish.NAME
    path.write_bytes(publish.dump(whole))
    head, means = publish.read(path)
    assert head["design"] == whole.design.sha256
    assert (head["run"], len(head["protocol"])) == ("run", 64)
    assert list(means) == list(publish.MEANS)
    assert set(means["system"]) == {"quick", "slowpoke"}
    assert set(means["channel"]) == {"g711u"}
    for result in whole.results:
        own = means[(means["question"] == result.question.key) & (means["panel"] == "blind")]
        pooled = own[own["locality"].isna()]
        for column in ("condition", "basis", "value", "lo", "hi", "votes", "listeners", "texts"):
            assert list(pooled[column]) == list(result.means[column])
        assert set(own["scale"]) == {"1 to 5"}
        assert own["higher_is_better"].all()
    assert (means["panel"] == "expert").sum() == sum(len(result.experts) for result in whole.results) > 0
    assert means["locality"].notna().sum() == sum(len(result.localities) for result in whole.results) > 0
    assert len(head["pairs"]) == 2 * len(whole.results)
    path.write_text(path.read_text().replace('"version": 1', '"version": 2'))
    with pytest.raises(Fault, match="no results of a study"):
        publish.read(path)


@pytest.mark.parametrize("people", [0, 1, 2])
def test_a_report_of_few_returns_or_none_is_still_a_report(design: Design, people: int) -> None:
    codes = [listener.code for listener in design.listeners[:people]]
    told = [entry for entry in returns(design) if entry["code"] in codes]
    found = analysis.analyse(design, ratings.collect(design, told))
    parts = views.overview(found)
    assert "naive" in report.render("Study", parts)
    for part in parts:
        if isinstance(part, Table) and any(numeric(part.frame[column]) for column in part.columns):
            assert set(part.signatures.values()) == {found.signature}, part.title
    if people < 2:
        assert found.results[0].means["lo"].isna().all()
        assert set(found.results[0].pairs["verdict"]) <= {"too few"}


@pytest.mark.parametrize(
    ("name", "questions", "more"),
    [
        ("ab", '["preference"]', {}),
        ("dcr", '["dcr"]', {"reference": '"slowpoke"'}),
        ("mush", '["mushra"]', {"reference": '"slowpoke"', "channels": '["fb"]'}),
        ("write", '["transcription"]', {}),
        ("said", '["probe"]', {"more": '[[probe]]\nsegment = "s0"\noptions = ["wan too", "won"]\nright = "wan too"\n'
                                       '[[probe]]\nsegment = "s1"\noptions = ["tree", "three"]\nright = "three"'}),
        ("place", '["adherence"]', {"variety": '"Leeds"'}),
    ],
)  # fmt: skip
def test_every_scale_goes_from_plan_to_report(spoken: Path, name: str, questions: str, more: dict[str, str]) -> None:  # noqa: F811
    made = make.make(planned(spoken, name, questions=questions, listeners="8", **more)).design
    told = list(simulate.listen(made, {**QUALITY, "anchor": 1}, seed=2))
    found = analysis.analyse(made, ratings.collect(made, told))
    assert len(report.render(name, views.overview(found, simulated=True))) > 10_000
    result = found.results[0]
    assert found.ratings.strays.empty
    assert result.means["value"].notna().all()
    if name == "write":
        assert 0 < result.means["value"].max() <= 1.5
        kept = found.ratings.votes
        assert set(kept["size"]) == {2.0}
    if name == "mush":
        roles = {row["condition"]: row["role"] for row in publish.results(found)["means"]}
        assert roles == {"anchor": "anchor", "quick": "system", "slowpoke": "reference"}
        assert list(result.means[result.means["basis"] == "all"]["condition"]) == ["anchor", "quick", "slowpoke"]


def test_a_transcription_is_scored_against_the_accepted_readings(spoken: Path) -> None:  # noqa: F811
    made = make.make(planned(spoken, "exact", questions='["transcription"]', listeners="2")).design
    texts = {text.id: text.text for text in made.texts}
    for wrong, rate in ((lambda s: s.title() + ".", 0.0), (lambda s: s.split()[0], 0.5), (lambda _: "", 1.0)):
        told = []
        for entry in returns(made):
            record = entry["record"]
            if record["kind"] == "vote":
                trials = {t.id: t for s in made.places[entry["code"]].sessions for t in s.trials}
                record = {**record, "value": wrong(texts[trials[record["trial"]].segment])}
            told.append({**entry, "record": record})
        found = analysis.analyse(made, ratings.collect(made, told))
        assert set(found.results[0].means["value"]) == {rate}


def test_a_plan_is_held_against_its_pilot(spoken: Path) -> None:  # noqa: F811
    first = make.make(planned(spoken, "pilot", listeners="12"))
    make.write(first, spoken / "studies" / "pilot")
    told = [json.dumps(entry) for entry in returns(first.design, seed=3)]
    (spoken / "studies" / "pilot" / "ratings").mkdir(exist_ok=True)
    (spoken / "studies" / "pilot" / "ratings" / "served.jsonl").write_text("\n".join(told) + "\n")
    pilot = '[pilot]\nstudy = "studies/pilot"\n'
    good = make.make(planned(spoken, "main", listeners="24", more=pilot + "effect = 1.5")).design
    assert "24 listeners, wanted a power of 80% for a true difference of 1.5: simulated power" in good.size
    assert first.design.sha256[:12] in good.size
    with pytest.raises(Fault, match=r"fall short of a half width of 0\.01 .* more texts may"):
        make.make(planned(spoken, "main", listeners="24", more=pilot + "half_width = 0.01"))
    with pytest.raises(Fault, match="an effect, or for a half_width"):
        make.make(planned(spoken, "main", more=pilot))
    with pytest.raises(Fault, match="says nothing of 'naturalness'"):
        make.make(planned(spoken, "main", questions='["naturalness"]', more=pilot + "effect = 1"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = {
    "seq": st.integers(-1, 60) | JSON,
    "kind": st.sampled_from(["vote", "check", "listener", "finished"]) | JSON,
    "trial": st.sampled_from(["0.0", "0.1", "0.5"]) | JSON,
    "question": st.sampled_from(["quality", "effort"]) | JSON,
    "value": st.integers(0, 6) | JSON,
    "answers": st.fixed_dictionaries({}, optional={"native": JSON, "expert": JSON, "locality": JSON}) | JSON,
    **dict.fromkeys(("name", "n", "answer", "session", "plays", "faults", "answer_ms"), JSON),
}


@settings(derandomize=True, deadline=None, max_examples=80, suppress_health_check=list(HealthCheck))
@given(st.lists(st.fixed_dictionaries({}, optional=FIELDS) | JSON, max_size=12))
def test_whatever_a_return_holds_it_is_counted_or_listed(design: Design, records: list[Any]) -> None:
    head = {"design": design.sha256, "code": design.listeners[3].code, "participant": "x"}
    told = [{**head, "record": record} for record in records]
    found = ratings.collect(design, [*returns(design), *told])
    assert len(found.votes) == 6 * 7 * 2
    assert len(found.strays) == sum(parse(record) is None for record in records) + any(map(parse, records))
    alone = ratings.collect(design, told)
    assert set(alone.votes["value"].dropna()) <= {1, 2, 3, 4, 5}
