"""What people are told about a run: the numbers are those of the statistics, and no sentence says more than they do."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from bench import cli, conclusion, conclusion_views, contrast_views, inference, panel_views, report, results
from bench import run as runs
from bench.fault import Fault
from bench.inference import compare
from bench.part import Chart, KeyFigures, Part, Prose, Table
from bench.run import Run

SYSTEMS = {"good": 0.05, "fair": 0.11, "even": 0.11, "poor": 0.3}
CHANNELS = ("fb", "g711u", "g711u+loss=3%")
RECOGNISERS = ("zeta", "alpha", "probe")  # not in alphabetical order; the last is diagnostic
TEXT = "the sum of five dollars was paid by ada today"
HEAD = """
name = "test"
version = "1"
language = "en"
purpose = "a test"
conflict_of_interest = "we sell good"
tracks = ["R", "S"]
channels = {channels}
panel_mean = {mean}
[text_set]
file = "set.jsonl"
sha256 = "{sha256}"
"""
SYSTEM = """
[[system]]
name = "{name}"
adapter = "tests.own_adapters:Moody"
voice = "none"
settings = {{ diary = "{diary}" }}
licence = "none"
conflict_of_interest = "none"
"""
RECOGNISER = """
[[recogniser]]
name = "{name}"
adapter = "tests.own_adapters:Counter"
diagnostic = {diagnostic}
"""


def make(folder: Path, *, segments: int = 60, systems: tuple[str, ...] = tuple(SYSTEMS), mean: str = "true") -> Run:
    """A run that is begun and has no audio: what it would have scored comes from `constructed`."""
    folder.mkdir(parents=True)
    spans = [{"span": "five dollars", "type": "amount"}, {"span": "ada", "type": "name"}]
    fixed = {"language_tag": "en", "text": TEXT, "text_spoken": TEXT, "ref_lattice": TEXT, "license": "CC0-1.0"}
    lines = [
        {**fixed, "id": f"s{i:03}", "category": "xy"[i % 2], "setting": ["bank", "clinic", "shop"][i % 3]}
        | {"alt_spans": [{**span, "alts": []} for span in spans]}
        for i in range(segments)
    ]
    (folder / "set.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    digest = hashlib.sha256((folder / "set.jsonl").read_bytes()).hexdigest()
    text = HEAD.format(channels=json.dumps(CHANNELS), mean=mean, sha256=digest)
    text += "".join(SYSTEM.format(name=name, diary=folder / "diary") for name in systems)
    text += "".join(RECOGNISER.format(name=n, diagnostic=str(n == "probe").lower()) for n in RECOGNISERS)
    (folder / "p.toml").write_text(text)
    begun = runs.create(folder / "p.toml", folder / "runs" / folder.name)
    manifest = {
        "begun": "2026-01-01T00:00:00.000+00:00",
        "protocol": {"name": begun.protocol.name, "version": "1", "sha256": begun.frozen.sha256},
        "systems": [{"name": name, "version": "1", "licence": "none"} for name in systems],
        "recognisers": [
            {"name": n, "configuration": n, "version": "1", "diagnostic": n == "probe"} for n in RECOGNISERS
        ],
    }
    (begun.path / "manifest.json").write_text(json.dumps(manifest))
    return begun


def constructed(run: Run, *, seed: int = 1, hears: tuple[str, ...] = RECOGNISERS, **change: float) -> pd.DataFrame:
    """Scores with known rates; each line adds errors, and who is not in `hears` hears `poor` as it does `fair`."""
    rng = np.random.default_rng(seed)
    rows = results.scores(run).assign(cause=None, failed=False)
    hard = dict(zip(sorted(rows["segment"].unique()), rng.gamma(4, 0.25, rows["segment"].nunique()), strict=True))
    rate = rows["system"].map({**SYSTEMS, **change}).fillna(0.1)
    rate = rate.where(rows["recogniser"].isin(hears) | (rows["system"] != "poor"), SYSTEMS["fair"])
    rate = rate * rows["segment"].map(hard) + rows["channel"].map(dict(zip(CHANNELS, (0, 0.03, 0.1), strict=True)))
    rate = rate + np.where(rows["track"] == "R", 0.04, 0) * (rows["system"] == "poor")
    wrong = rng.binomial(rows["words"], rate.clip(0, 0.95))
    words = TEXT.split()
    heard = [" ".join("xx" if k in set(rng.permutation(10)[:n]) else w for k, w in enumerate(words)) for n in wrong]
    return rows.assign(substitutions=wrong, deletions=0, transcript=heard, hypothesis=heard, wrong=wrong > 0)


def keep(run: Run, scores: pd.DataFrame) -> None:
    scores.to_parquet(run.path / "scores.parquet", index=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return make(tmp_path_factory.mktemp("conclusion") / "whole")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A smaller run, of two systems."""
    return make(tmp_path_factory.mktemp("conclusion") / "pair", segments=24, systems=("good", "poor"))


@pytest.fixture(scope="module")
def scores(run: Run) -> pd.DataFrame:
    return constructed(run)


@pytest.fixture(scope="module")
def parts(run: Run, scores: pd.DataFrame) -> list[Part]:
    return conclusion_views.conclusions(run, scores, signature="sig", strata=[("setting",), ("setting", "category")])


def prose(parts: list[Part]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Prose))


def tables(parts: list[Part]) -> dict[str, Table]:
    return {part.title: part for part in parts if isinstance(part, Table)}


def charted(parts: list[Part], title: str) -> pd.DataFrame:
    """The data of a chart."""
    chart = next(part.chart for part in parts if isinstance(part, Chart) and part.title.startswith(title))
    return next(pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values())


def test_the_numbers_of_the_parts_are_those_of_the_statistics(
    run: Run, scores: pd.DataFrame, parts: list[Part]
) -> None:
    key = ["recogniser", "track", "channel", "system"]
    expected = compare(scores).rates.set_index(key)
    shown = tables(parts)["Ranks and ties"].frame
    alone = shown[shown["recogniser"] != conclusion.MEAN].set_index(key)
    assert len(alone) == len(expected) == 4 * 3 * 2 * 3
    for column in ("rate", "lo", "hi", "n", "letters"):
        pd.testing.assert_series_equal(alone[column].sort_index(), expected[column].sort_index())
    mean = shown[shown["recogniser"] == conclusion.MEAN].set_index(["track", "channel", "system"])
    theirs = inference.panel_mean(scores).rates.set_index(["track", "channel", "system"])
    pd.testing.assert_series_equal(mean["rate"].sort_index(), theirs["rate"].sort_index())
    both = alone["rate"].unstack("recogniser")[["zeta", "alpha"]].mean(axis=1)
    np.testing.assert_allclose(mean["rate"].sort_index(), both.sort_index())

    pairs = tables(parts)["Pairs"].frame
    pairs = pairs[pairs["recogniser"] != conclusion.MEAN].set_index(["recogniser", "track", "channel", "a", "b"])
    theirs = compare(scores).pairs.set_index(["recogniser", "track", "channel", "a", "b"])
    for column in ("difference", "p_holm", "verdict"):
        pd.testing.assert_series_equal(pairs[column].sort_index(), theirs[column].sort_index())

    cut = tables(parts)["Rates by setting × category"].frame.set_index(["stratum", *key])
    theirs = compare(scores, strata=[("setting", "category")]).rates.query("stratum != 'all'")
    theirs = theirs.set_index(["stratum", *key])
    pd.testing.assert_series_equal(cut["rate"].sort_index(), theirs["rate"].sort_index())
    assert "letters" not in cut  # ten segments a stratum are too few for them

    spread = tables(parts)["How segments spread, by setting"].frame
    assert spread["segments"].eq(20).all()
    penalties = tables(parts)["Text normalisation"].frame
    theirs = inference.penalty(scores, strata=[("setting",), ("setting", "category")]).rows
    np.testing.assert_allclose(np.sort(penalties["penalty"]), np.sort(theirs["penalty"]))
    planned = tables(parts)["What the text set can tell apart"].frame.set_index(["recogniser", "track", "channel"])
    theirs = inference.plan(scores, wanted=0.02).rows.set_index(["recogniser", "track", "channel"])
    pd.testing.assert_series_equal(planned["needed"].sort_index(), theirs["needed"].sort_index())


def test_families_stand_in_the_protocols_order_and_slices_spread_before_they_are_summed_up(parts: list[Part]) -> None:
    families = tables(parts)["Ranks and ties"].frame[["recogniser", "track", "channel"]].drop_duplicates()
    expected = [(r, t, c) for r in (*RECOGNISERS, conclusion.MEAN) for t in "RS" for c in CHANNELS]
    assert list(families.itertuples(index=False, name=None)) == expected
    titles = [part.title for part in parts if isinstance(part, Table)]
    assert titles.index("How segments spread, by setting") < titles.index("Rates by setting")
    headings = [line for line in prose(parts).splitlines() if line.startswith("# ")]
    assert headings[0] == "# The answer"


def test_the_answer_says_what_the_tests_say(run: Run, scores: pd.DataFrame, parts: list[Part]) -> None:
    said = prose(parts)
    here = scores[(scores["track"] == "R") & (scores["channel"] == "g711u") & ~scores["diagnostic"]]
    verdicts = compare(here).pairs.set_index(["recogniser", "a", "b"])["verdict"]
    assert (verdicts.xs(("good", "poor"), level=("a", "b")) == "better").all()
    assert "**good** is better than poor under every recogniser (alpha, zeta)." in said
    assert "Tied, with no evidence of a difference under any recogniser: even and fair." in said
    assert "Each system spoke with **one voice**" in said
    assert compare(scores, strata=[("setting",), ("setting", "category")]).note in said


def test_tie_letters_and_grey_are_drawn(parts: list[Part]) -> None:
    forest = charted(parts, "Word error rate, g711u")
    shown = tables(parts)["Ranks and ties"].frame
    shown = shown[(shown["track"] == "R") & (shown["channel"] == "g711u")]
    assert list(forest["letters"]) == list(shown["letters"])
    assert set(forest.loc[forest["recogniser"] == "zeta", "letters"]) == {"a", "b", "c"}
    assert not forest["grey"].any()
    cells = charted(parts, "Word error rate by setting × category")
    assert cells["grey"].all()
    pairs = charted(parts, "Pairs")
    one = pairs[(pairs["recogniser"] == "zeta") & (pairs["a"] == "good") & (pairs["b"] == "poor")].iloc[0]
    other = pairs[(pairs["recogniser"] == "zeta") & (pairs["a"] == "poor") & (pairs["b"] == "good")].iloc[0]
    assert (one["verdict"], other["verdict"]) == ("better", "worse")
    assert (one["lo"], one["hi"]) == (-other["hi"], -other["lo"])


def test_what_holds_under_one_recogniser_only_is_marked(run: Run) -> None:
    parts = conclusion_views.conclusions(run, constructed(run, hears=("zeta", "probe")), signature="sig")
    expected = "**fair** is better than poor under **one recogniser only**, zeta; no evidence under alpha."
    assert expected in prose(parts)
    held = tables(parts)["Under which recognisers it holds"].frame
    row = held[(held["track"] == "R") & (held["channel"] == "g711u") & (held["a"] == "fair") & (held["b"] == "poor")]
    assert row[["better", "undecided", "holds"]].values.tolist() == [["zeta", "alpha", "one recogniser only"]]
    alone = conclusion_views.conclusions(run, constructed(run), signature="sig", recogniser="zeta")
    assert "**zeta alone** heard" in prose(alone)
    assert "No mean of the panel" in tables(alone)["Ranks and ties"].note
    with pytest.raises(Fault, match="no recogniser 'theta'; it has zeta, alpha, probe"):
        conclusion_views.conclusions(run, constructed(run), signature="sig", recogniser="theta")


def test_too_few_segments_have_no_ranks_and_no_winner(tmp_path: Path) -> None:
    small = make(tmp_path / "small", segments=12, mean="false")
    parts = conclusion_views.conclusions(small, constructed(small), signature="sig")
    assert "**12 segments are too few** to say which system is better" in prose(parts)
    assert "is better than" not in prose(parts)
    assert charted(parts, "Word error rate, g711u")["grey"].all()
    assert "ranks" not in tables(parts)["Ranks and ties"].frame
    assert tables(parts)["Ranks and ties"].note == "The protocol allows no mean of the panel."
    assert conclusion.MEAN not in set(tables(parts)["Ranks and ties"].frame["recogniser"])


def test_a_lone_system_is_compared_with_nothing(tmp_path: Path) -> None:
    lone = make(tmp_path / "lone", systems=("good",))
    parts = conclusion_views.conclusions(lone, constructed(lone), signature="sig")
    assert "one system and nothing to compare it with" in prose(parts)
    assert "Pairs" not in tables(parts)


def test_localities_come_first_and_are_never_ranked_against_the_standard(run: Run, scores: pd.DataFrame) -> None:
    place = scores["segment"].str[-1].map({"1": "Passau", "2": "Aurich"})
    local = scores.assign(locality=place, variety=place.map({"Passau": "Bavarian", "Aurich": "Low German"}))
    parts = conclusion_views.conclusions(run, local, signature="sig")
    said = prose(parts)
    assert said.startswith("# Locality by locality")
    assert "**not ranked** against another, nor against the standard variety" in said
    titles = [part.title for part in parts if isinstance(part, Table | Chart)]
    assert titles[0] == "How segments spread, by variety × locality"
    assert titles.index("Rates by variety × locality") < titles.index("Ranks and ties")
    shown = tables(parts)["Rates by variety × locality"].frame
    assert set(shown["stratum"]) == {"variety=Bavarian, locality=Passau", "variety=Low German, locality=Aurich"}


def test_people_are_a_floor_and_no_competitor(tmp_path: Path) -> None:
    run = make(tmp_path / "people", systems=("good", "human", "poor"))
    scores = constructed(run, human=0.02)
    parts = conclusion_views.conclusions(run, scores, signature="sig")
    forest = charted(parts, "Word error rate, g711u")
    assert set(forest["system"]) == {"good", "poor"}
    floor = inference.ceiling(scores).rows.query("track == 'R' and channel == 'g711u'").set_index("recogniser")["rate"]
    told = forest[forest["recogniser"].isin(RECOGNISERS)].set_index("recogniser")["floor"]
    assert told.to_dict() == floor.to_dict()
    keep(run, scores)
    shown = CliRunner().invoke(cli.app, ["compare", str(run.path)]).stdout
    assert f"Floor, human recordings under zeta, track R, g711u: {floor['zeta']:.1%}" in shown


def test_an_inversion_of_a_loss_series_is_flagged(run: Run, scores: pd.DataFrame) -> None:
    def table(some: pd.DataFrame) -> tuple[pd.DataFrame, str]:
        parts = contrast_views.line_cost(run, some, signature="sig")
        note = next(part.note for part in parts if isinstance(part, Chart))
        return tables(parts)["Cost of each line"].frame, note

    frame, note = table(scores)
    assert "flag" not in frame
    assert "No significant inversion" in note
    paired = scores.groupby(["system", "recogniser", "track", "channel"])[["substitutions", "words"]].sum()
    rate = paired["substitutions"] / paired["words"]
    for row in frame.to_dict("records"):
        here = (row["system"], row["recogniser"], row["track"])
        assert row["difference"] == pytest.approx(rate[(*here, row["channel"])] - rate[(*here, "fb")])
    swapped = scores.assign(channel=scores["channel"].replace({"g711u": CHANNELS[2], CHANNELS[2]: "g711u"}))
    frame, note = table(swapped)
    assert set(frame.loc[frame["flag"] == "inversion", "channel"]) == {CHANNELS[2]}
    assert note.count("(than g711u") == (frame["flag"] == "inversion").sum()


def test_loss_series_are_of_nested_losses_only() -> None:
    names = ["fb", "g711u+loss=3%", "g711u", "g711a", "g711u+loss=1%", "handset", "handset+loss=1%"]
    assert contrast_views.loss_series(names) == [["g711u", "g711u+loss=1%", "g711u+loss=3%"]]


def test_recognisers_are_held_against_each_other(run: Run, scores: pd.DataFrame) -> None:
    here = scores[(scores["channel"] == "g711u") & (scores["track"] == "R")]
    one, other, words = "zeta", "alpha", TEXT.split()
    heard = {
        one: TEXT,
        other: " ".join([*words[:-1], "tomorrow", "too"]),
        "probe": TEXT.replace("ada", "otter"),
    }
    said = here["recogniser"].map(heard)
    parts = panel_views.disagreements(
        run, here.assign(hypothesis=said, transcript=said), channel="g711u", signature="sig"
    )
    frame = tables(parts)["Words, g711u"].frame
    pair = frame[(frame["one"] == one) & (frame["other"] == other)]
    assert pair["rate"].tolist() == pytest.approx([2 / ((10 + 11) / 2)] * 4)
    about = tables(parts)["Entities, g711u"].frame.groupby(["one", "other", "entity"])["rate"].mean()
    assert about[one, other].to_dict() == {"amount": 0, "any entity": 0, "name": 0}
    assert about[one, "probe"].to_dict() == {"amount": 0, "any entity": 1, "name": 1}


def test_comparisons_are_kept_whole(run: Run, scores: pd.DataFrame, tmp_path: Path) -> None:
    keep(run, scores)
    page = tmp_path / "page.html"
    done = CliRunner().invoke(
        cli.app, ["compare", str(run.path), "--stratum", "setting,category", "--report", str(page)]
    )
    assert done.exit_code == 0, done.output
    kept = pd.read_parquet(run.path / "comparisons.parquet")
    whole = compare(scores, strata=[("setting", "category")])
    alone = kept[kept["recogniser"] != conclusion.MEAN]
    assert (alone["kind"] == "rate").sum() == len(whole.rates) == 72 * 7
    assert (alone["kind"] == "pair").sum() == len(whole.pairs) == 108 * 7
    mean = kept[kept["recogniser"] == conclusion.MEAN]
    assert mean["kind"].value_counts().to_dict() == {"pair": 36 * 7, "rate": 24 * 7}
    assert set(alone["signature"]) == {whole.signature}
    assert "over:recogniser" in mean["signature"].iloc[0]
    assert "Conclusions by what holds under zeta, alpha" in done.stdout
    shown = [done.stdout.index(f"{name}, track R, fb ") for name in ("zeta", "alpha", conclusion.MEAN)]
    assert shown == sorted(shown)
    assert "Ranks and ties" in page.read_text()


@pytest.mark.parametrize(
    ("change", "seed", "verdict"), [({"good": 0.3}, 2, "worse"), ({"poor": 0.05}, 2, "better"), ({}, 3, "no evidence")]
)
def test_a_later_run_is_better_or_worse_or_there_is_no_evidence(
    tmp_path: Path, change: dict[str, float], seed: int, verdict: str
) -> None:
    before, after = (make(tmp_path / name, systems=("good", "poor")) for name in ("before", "after"))
    keep(before, constructed(before, seed=2))
    keep(after, constructed(after, seed=seed, **change))
    found = conclusion.progress(before, after)
    moved = next(iter(change), "good")
    parts = contrast_views.progress(before, after, signature="sig")
    assert f"**{moved}: {verdict}** on g711u, track R" in prose(parts)
    frame = tables(parts)["Better, worse, or no evidence"].frame
    assert (frame.loc[frame["system"] == moved, "verdict"] == verdict).all()
    assert sorted(frame["difference"]) == sorted(found.verdicts["difference"])
    assert all(table.signatures for table in tables(parts).values())
    changed = tables(parts)["The rows that changed most"].frame
    assert len(changed) == 20
    shown = CliRunner().invoke(cli.app, ["compare", str(before.path), str(after.path)]).stdout
    assert verdict in shown


def test_hostile_names_are_shown_as_text(pair: Run) -> None:
    scores = constructed(pair)
    evil = '<img src=x onerror="alert(1)">'
    hostile = scores.assign(
        system=scores["system"].replace({"good": evil}),
        setting=scores["setting"].replace({"bank": "<script>alert(2)</script> *bold*"}),
    )
    parts = conclusion_views.conclusions(pair, hostile, signature="<b>sig</b>", strata=[("setting",)])
    page = report.render("t", parts)
    assert "<img src=x" not in page
    assert "<script>alert(2)" not in page
    assert "<b>sig</b>" not in page
    assert "&lt;img src=x" in page


def test_two_renders_are_equal_to_the_byte(pair: Run) -> None:
    scores = constructed(pair)
    pages = [
        report.render("t", conclusion_views.conclusions(pair, some, signature="sig", strata=[("setting",)]))
        for some in (scores, scores.sample(frac=1, random_state=1))
    ]
    assert pages[0] == pages[1]


def test_planning_answers_for_the_difference_that_is_wanted(pair: Run) -> None:
    scores = constructed(pair)
    fine = conclusion_views.conclusions(pair, scores, signature="sig", wanted=0.01, power=0.9)
    figures = next(part for part in fine if isinstance(part, KeyFigures)).figures
    expected = inference.plan(scores, wanted=0.01, power=0.9).rows.query("track == 'R' and channel == 'g711u'")
    assert len(figures) == 3
    for figure in figures:
        row = expected[expected["recogniser"] == figure.name.removeprefix("Detectable, ")].iloc[0]
        assert figure.value == f"{100 * row['smallest']:.1f} points"
        assert f"1.0 points need {row['needed']:,}" in figure.detail
