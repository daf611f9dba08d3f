"""Target decisions, rules, counts and the board: published vectors and files, and what must hold for any input."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import formats, target_tables, targets
from bench.fault import Fault
from bench.formats.transcripts import merge
from bench.release import newstts as release
from bench.release import run as released
from bench.score import entities
from bench.segment import Segment, Span, Target
from bench.targets import Counts, Evidence, decide, fold
from bench.votes import PUBLISHED, Rule, rule

GOLDEN = Path(__file__).parent / "golden" / "targets"
DATA = Path(__file__).parents[1] / "data"
SYSTEMS = ("volcengine_tts", "azure_speech_tts", "google_cloud_tts", "minimax_tts", "aliyun_tts", "mimo", "aws_polly")
RULES = [
    rule(name) for name in ("majority", "positive+majority", "plurality", "unanimity", "majority=1", "majority=3/1")
]
seeded = settings(derandomize=True, max_examples=200, deadline=None)


@pytest.fixture(scope="module")
def published(shared: Path) -> tuple[Evidence, ...]:
    data = shared / "data/cn-newstts"
    return release.gather(data / "dataset/test_public.jsonl", merged=data / "merged")


@pytest.fixture(scope="module")
def small() -> list[Evidence]:
    return list(release.gather(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged"))


def same_files(made: Path, expected: Path) -> int:
    """Compare every file below `expected` with that below `made`, byte for byte; how many there were."""
    paths = [path for path in sorted(expected.rglob("*")) if path.is_file()]
    for path in paths:
        name = path.relative_to(expected)
        assert (made / name).read_bytes() == path.read_bytes(), f"{name} differs"
    return len(paths)


# --------------------------------------------------------------------------------------------------------- folding


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ａ I", "AI"),
        ("N·m", "NM"),
        ("３．５％", "35%"),
        ("117－116", "117-116"),
        ("苏—27", "苏—27"),
        ("㎞/h", "KMH"),
        ("a股", "A股"),
        ("x…y", "XY"),
        ("「A」", "「A」"),
        ("ｉ３", "I3"),
        ("\u3000a\tb", "AB"),
        ("+-%&*#@^$", "-%&*#@^$"),
        ("straße", "STRASSE"),
    ],
)
def test_folding_is_the_published_one(text: str, folded: str) -> None:
    assert fold(text) == folded


@seeded
@given(st.text())
def test_folding_twice_keeps_what_can_be_folded_once(text: str) -> None:
    assert not set(fold(text)) & set(" \t\n，。！？,.!?·/\\|_+=~`")


def test_words_finds_whole_words_only() -> None:
    whole = targets.words(str.lower)
    assert whole("Yedi yüz") in whole("tam yedi yüz elli")
    assert whole("on") not in whole("son")
    assert whole("  ") == ""


# ----------------------------------------------------------------------------------------------------------- rules


def target(positive: Sequence[str] = ("二比一",), negative: Sequence[str] = ("二到一",), **more: object) -> Target:
    made = Target("s_t1", "2-1", 0, 3, "sports_score", "number", tuple(positive), tuple(negative))
    return replace(made, **more)  # type: ignore[arg-type]


def judge(heard: Sequence[str], made: Target, by: Rule = PUBLISHED) -> targets.Result:
    segment = Segment("s", "zh", "2-1", targets=(made,))
    texts = {"s": {f"route{n}": text for n, text in enumerate(heard)}}
    return decide(targets.find(targets.questions([segment]), texts, system="x"), by).results[0]


RIGHT, WRONG, NEITHER, BOTH = "二比一", "二到一", "2-1", "二到一，不，二比一"


@pytest.mark.parametrize(
    ("name", "heard", "decision"),
    [
        ("majority=2", (RIGHT, RIGHT, WRONG), "correct"),
        ("majority=2", (WRONG, RIGHT, WRONG), "wrong"),
        ("majority=2", (RIGHT, NEITHER, NEITHER), "unknown"),
        ("majority=2", (RIGHT, RIGHT, WRONG, WRONG), "correct"),  # the threshold stays two, and right is asked first
        ("majority=2", (BOTH, BOTH, BOTH), "wrong"),
        ("positive+majority=2", (BOTH, BOTH, BOTH), "correct"),
        ("majority=2/1", (WRONG, NEITHER, NEITHER), "wrong"),
        ("majority=3", (RIGHT, RIGHT, NEITHER), "unknown"),
        ("plurality", (RIGHT, NEITHER, NEITHER), "correct"),
        ("plurality", (RIGHT, WRONG, NEITHER), "unknown"),
        ("unanimity", (RIGHT, RIGHT, NEITHER), "unknown"),
        ("unanimity", (WRONG, WRONG, WRONG), "wrong"),
        ("majority=1+routes=1", (RIGHT,), "correct"),
    ],
)
def test_a_rule_decides(name: str, heard: tuple[str, ...], decision: str) -> None:
    assert judge(heard, target(), rule(name)).decision == decision


def test_the_longest_reading_is_reported_and_blank_ones_are_dropped() -> None:
    result = judge(["一二比一"] * 3, target(positive=("二比一", "一二比一", " ", "，"), negative=("", "。")))
    assert result.matched == ("一二比一",) * 3
    assert result.decision == "correct"


def test_an_excluded_target_is_heard_but_never_counted() -> None:
    result = judge([RIGHT, WRONG, NEITHER], target(auto_evaluable=False))
    assert (result.decision, result.disagreement) == ("excluded", False)
    assert result.decisions == ("correct", "wrong", "unknown")
    assert targets.total([result]) == Counts(excluded=1)


def test_unknown_is_an_answer_of_its_own_in_disagreement() -> None:
    assert judge([RIGHT, RIGHT, NEITHER], target()).disagreement
    assert not judge([NEITHER] * 3, target()).disagreement


rules = st.one_of(
    st.builds(
        Rule,
        st.sampled_from(["negative", "positive"]),
        st.just("majority"),
        st.integers(1, 5),
        st.integers(1, 5),
        st.integers(1, 5),
    ),
    st.builds(
        Rule,
        first=st.sampled_from(["negative", "positive"]),
        vote=st.sampled_from(["unanimity", "plurality"]),
        routes=st.integers(1, 5),
    ),
)


@seeded
@given(rules)
def test_a_rule_is_its_name(made: Rule) -> None:
    assert rule(repr(made)) == made


@pytest.mark.parametrize("name", ["", "most", "majority=", "majority=0", "plurality=2", "routes=x", "majority=1/2/3"])
def test_an_unknown_rule_is_refused(name: str) -> None:
    with pytest.raises(Fault):
        rule(name)


decisions = st.lists(st.sampled_from(["wrong", "unknown", "correct"]), min_size=1, max_size=6)
WORTH = {"wrong": 0, "unknown": 1, "correct": 2}


@seeded
@given(rules, decisions, st.data())
def test_a_vote_is_monotone_and_blind_to_the_order_of_routes(by: Rule, heard: list, data: st.DataObject) -> None:
    before = by.poll(heard)
    at = data.draw(st.integers(0, len(heard) - 1))
    better = data.draw(st.sampled_from([d for d in WORTH if WORTH[d] >= WORTH[heard[at]]]))
    assert WORTH[by.poll([*heard[:at], better, *heard[at + 1 :]])] >= WORTH[before]
    assert by.poll(data.draw(st.permutations(heard))) == before


@seeded
@given(decisions)
def test_what_all_say_every_rule_says_and_a_plurality_decides_what_a_majority_does(heard: list) -> None:
    united = Rule(vote="unanimity").poll(heard)
    more_than_half = len(heard) // 2 + 1
    most = Rule(correct=more_than_half, wrong=more_than_half).poll(heard)
    if united != "unknown":
        assert most == united
    if most != "unknown":
        assert Rule(vote="plurality").poll(heard) == most


@seeded
@given(st.booleans(), st.booleans())
def test_the_order_matters_only_where_both_are_found(wrong: bool, right: bool) -> None:
    found = ("二到一" if wrong else "", "二比一" if right else "")
    same = Rule().hear(*found) == Rule(first="positive").hear(*found)
    assert same == (not (wrong and right))


# ---------------------------------------------------------------------------------------------------------- counts


@seeded
@given(st.lists(st.tuples(decisions, st.booleans(), st.sampled_from("abc")), max_size=20), st.integers(0, 20))
def test_counts_add_up_over_any_division(drawn: list, cut: int) -> None:
    results = [
        targets.Result(
            Segment("s", "zh", "2-1", strata={"domain": domain}),
            target(auto_evaluable=judged),
            tuple(heard),
            ("",) * len(heard),
            Rule(vote="plurality").poll(heard) if judged else "excluded",
        )
        for heard, judged, domain in drawn
    ]
    whole = targets.total(results)
    assert targets.total(results[:cut]) + targets.total(results[cut:]) == whole
    parts = targets.breakdown(results, targets.domain)
    assert sum(parts.values(), Counts(excluded=whole.excluded)) == whole
    assert whole.correct + whole.wrong + whole.unknown == whole.targets == len(results) - whole.excluded
    assert 0 <= whole.strict <= whole.coverage <= 1
    if whole.targets:
        assert whole.coverage + whole.unknown_rate == pytest.approx(1)


def test_rates_without_a_denominator_are_zero() -> None:
    nothing = Counts()
    assert (nothing.strict, nothing.resolved, nothing.coverage, nothing.unknown_rate) == (0.0, 0.0, 0.0, 0.0)


def test_spans_of_other_languages_are_targets_with_right_readings_only() -> None:
    segment = Segment(
        "tr-1", "tr", "Kalan 750 TL", "kalan yedi yüz elli lira", spans=(Span("yedi yüz elli", ("yediyüzelli",)),)
    )
    whole = targets.words(str.lower)
    asked = targets.questions([segment], whole)
    heard = {"tr-1": {"a": "Kalan yedi yüz elli lira", "b": "kalan yediyüzelli lira", "c": "kalan yedi yüz ellilik"}}
    result = decide(targets.find(asked, heard, system="x", fold=whole)).results[0]
    assert result.decisions == ("correct", "correct", "unknown")


@pytest.mark.parametrize("language", ["de", "en", "tr", "zh"])
def test_what_is_right_as_an_entity_is_correct_as_a_target(language: str) -> None:
    """One path from spans to what is asked, two ways to answer: by place, or anywhere in the transcript."""
    chosen = [replace(s, targets=()) for s in formats.read(DATA / f"{language}.jsonl").segments if s.spans][:40]
    draw = random.Random(1)
    heard = {}
    for segment in chosen:
        words = list(str(segment.spoken)) if language == "zh" else str(segment.spoken).split()
        words[draw.randrange(len(words))] = draw.choice(words)
        del words[draw.randrange(len(words))]
        heard[segment.id] = {"a": ("" if language == "zh" else " ").join(words)}
    rows = pd.DataFrame(
        [{"segment": s.id, "track": "R", "transcript": heard[s.id]["a"], "cause": None} for s in chosen]
    )
    right = entities(rows, chosen, language=language)
    spans = right.assign(n=right.groupby("segment").cumcount() + 1)
    fold = released.folding(language)
    alone = Rule(correct=1, wrong=1, routes=1)
    scores = decide(targets.find(targets.questions(chosen, fold), heard, system="x", fold=fold), alone)
    correct = {result.target.id: result.decision == "correct" for result in scores.results}
    as_target = [correct[f"{row.segment}_t{row.n}"] for row in spans.itertuples()]
    assert (spans["right"] <= pd.Series(as_target)).all()
    assert 0.3 < spans["right"].mean() < 0.95  # some of either kind
    assert (spans["right"] == pd.Series(as_target)).mean() > 0.95


def test_digits_are_right_as_an_entity_and_say_nothing_as_a_target() -> None:
    segment = Segment(
        "tr-1",
        "tr",
        "Kalan 750 lira.",
        "kalan yedi yüz elli lira",
        lattice="kalan yedi yüz elli lira",
        spans=(Span("yedi yüz elli"),),
    )
    rows = pd.DataFrame([{"segment": "tr-1", "track": "R", "transcript": "Kalan 750 lira.", "cause": None}])
    assert entities(rows, [segment], language="tr")["right"].all()
    fold = released.folding("tr")
    found = targets.find(targets.questions([segment], fold), {"tr-1": {"a": "Kalan 750 lira."}}, system="x", fold=fold)
    assert decide(found, Rule(correct=1, wrong=1, routes=1)).results[0].decision == "unknown"


# ----------------------------------------------------------------------------------------------------------- board


@pytest.mark.parametrize("source", ["transcripts", "merged"])
def test_the_published_board_comes_out_byte_for_byte(shared: Path, tmp_path: Path, source: str) -> None:
    data = shared / "data/cn-newstts"
    out = tmp_path / "board"
    scores = release.board(data / "dataset/test_public.jsonl", out=out, **{source: data / source})
    assert tuple(one.system for one in scores) == SYSTEMS
    assert same_files(out, data / "scores") == 27  # five systems' five files and the leaderboard of all seven
    assert sorted(path.name for path in out.iterdir()) == sorted([*SYSTEMS, "leaderboard.csv", "leaderboard.json"])


def test_the_small_board_comes_out_byte_for_byte(tmp_path: Path) -> None:
    release.board(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged", out=tmp_path / "board")
    assert same_files(tmp_path / "board", GOLDEN / "board") == 12


def test_the_order_of_rows_changes_nothing(tmp_path: Path) -> None:
    shuffled = tmp_path / "merged"
    shuffled.mkdir()
    for path in (GOLDEN / "merged").iterdir():
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (shuffled / path.name).write_text("\n".join(reversed(lines)), encoding="utf-8")
    release.board(GOLDEN / "dataset.jsonl", merged=shuffled, out=tmp_path / "board")
    same_files(tmp_path / "board", GOLDEN / "board")


def test_a_board_of_another_rule_says_so(tmp_path: Path) -> None:
    out = tmp_path / "board"
    release.board(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged", out=out, rule=rule("plurality"))
    for path in ("leaderboard.json", "alpha/summary.json"):
        text = (out / path).read_text(encoding="utf-8")
        assert '"rule": "plurality"' in text
        assert '"comparable_with_published": false' in text


def test_fewer_routes_are_refused_allowed_and_marked(tmp_path: Path) -> None:
    two = tmp_path / "merged"
    two.mkdir()
    text = '{"id": "own_%03d", "asr": {"a": "八零后", "b": "八零后"}}\n'
    (two / "x.asr.jsonl").write_text("".join(text % n for n in (1, 2, 3, 4)), encoding="utf-8")
    with pytest.raises(Fault, match=r"x has 2 routes \(a, b\).*at least 3.*majority=2\+routes=2"):
        release.board(GOLDEN / "dataset.jsonl", merged=two, out=tmp_path / "board")
    assert not (tmp_path / "board").exists()
    (one,) = release.board(
        GOLDEN / "dataset.jsonl", merged=two, out=tmp_path / "board", rule=rule("majority=2+routes=2")
    )
    assert one.counts.correct == 1
    assert not one.published
    assert "comparable_with_published" in (tmp_path / "board/leaderboard.json").read_text(encoding="utf-8")


GOOD = '{"id": "own_001", "asr": {"a": "", "b": "", "c": ""}}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{'id': 'own_001'}", r"x\.asr\.jsonl, line 2: The line is not JSON"),
        ("[1]", r"x\.asr\.jsonl, line 2: The line holds a list"),
        ('{"id": "own_002"}', r"x\.asr\.jsonl, line 2: Segment own_002: the key 'asr' is missing"),
        ('{"id": "own_002", "asr": "text"}', r"line 2: Segment own_002: the key 'asr' holds a string"),
        ('{"id": "own_002", "asr": {"a": ["x"]}}', r"line 2: Segment own_002: the key 'asr\.a' holds a list"),
        ('{"asr": {}}', r"line 2: The row has no key 'id'"),
        ("", r"x\.asr\.jsonl: System x has no transcript of 3 segments, the first own_002, own_003, own_004"),
    ],
)
def test_bad_transcripts_name_the_line_and_leave_the_old_board(tmp_path: Path, line: str, message: str) -> None:
    out, merged = tmp_path / "board", tmp_path / "merged"
    shutil.copytree(GOLDEN / "board", out)
    merged.mkdir()
    (merged / "x.asr.jsonl").write_text(f"{GOOD}\n{line}\n", encoding="utf-8")
    with pytest.raises(Fault, match=message):
        release.board(GOLDEN / "dataset.jsonl", merged=merged, out=out)
    same_files(out, GOLDEN / "board")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board", "merged"]


def test_digits_where_a_transcript_is_expected_are_text(tmp_path: Path) -> None:
    (tmp_path / "x.asr.jsonl").write_text(
        "".join(f'{{"id": "own_{n:03d}", "asr": {{"a": 12, "b": null, "c": true}}}}\n' for n in (1, 2, 3, 4))
    )
    (one,) = release.board(GOLDEN / "dataset.jsonl", merged=tmp_path)
    assert one.counts == Counts(targets=7, excluded=1)


def test_an_older_board_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "board"
    shutil.copytree(GOLDEN / "board", out)
    (out / "alpha").rename(out / "gone")
    how = {"merged": GOLDEN / "merged", "out": out}
    release.board(GOLDEN / "dataset.jsonl", **how)
    assert sorted(path.name for path in out.iterdir()) == ["alpha", "beta", "leaderboard.csv", "leaderboard.json"]
    (out / "transcripts").mkdir()
    (out / "transcripts" / "a.jsonl").write_text("years of work")
    with pytest.raises(Fault, match=r"holds transcripts/a\.jsonl, which this command did not write"):
        release.board(GOLDEN / "dataset.jsonl", **how)
    assert (out / "transcripts" / "a.jsonl").read_text() == "years of work"
    with pytest.raises(Fault, match="This is a file"):
        release.board(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged", out=out / "leaderboard.csv")


def test_a_route_that_is_not_there_is_a_fault(small: list[Evidence]) -> None:
    with pytest.raises(Fault, match="alpha has no route 'x'; it has paraformer, sensevoice, writer"):
        targets.only(small[0], ["x"])


def test_exactly_one_kind_of_transcripts_is_given() -> None:
    with pytest.raises(Fault, match="either"):
        release.gather(GOLDEN / "dataset.jsonl")
    with pytest.raises(Fault, match="either"):
        release.gather(GOLDEN / "dataset.jsonl", transcripts=GOLDEN, merged=GOLDEN / "merged")


def test_the_own_mandarin_set_goes_the_same_way(tmp_path: Path) -> None:
    """Transcripts that hold every first reading, right or wrong, lead to boards of ones and of noughts."""
    own = Path(__file__).parents[1] / "data" / "zh.jsonl"
    segments = formats.read(own).segments
    for system, readings in (("right", "positive"), ("wrong", "negative")):
        heard = {
            segment.id: {
                route: "，".join(getattr(one, readings)[0] for one in segment.targets if getattr(one, readings))
                for route in ("a", "b", "c")
            }
            for segment in segments
        }
        text = merge(heard, [segment.id for segment in segments])
        (tmp_path / f"{system}.asr.jsonl").write_text(text, encoding="utf-8")
    right, wrong = release.board(own, merged=tmp_path, out=tmp_path / "board")
    assert (right.system, right.counts.targets, right.counts.strict) == ("right", 168, 1.0)
    assert (wrong.system, wrong.counts.correct) == ("wrong", 0)
    assert wrong.counts.coverage > 0.9
    assert (tmp_path / "board/right/category_scores.csv").is_file()


# ------------------------------------------------------------------------------------------------- what is published


def test_sensitivity_of_the_published_board(published: tuple[Evidence, ...]) -> None:
    """The figures that are known of the public artefacts: what each other rule would have changed."""
    table = target_tables.sensitivity(published)
    every = "mimo_v2_5_asr+paraformer_zh+sensevoice_small"

    def board(name: str, routes: str = every) -> pd.DataFrame:
        return table[(table["rule"] == name) & (table["routes"] == routes)].set_index("system")

    first, plurality, unanimity = board("majority=2"), board("plurality"), board("unanimity")
    assert list(first.index) == list(SYSTEMS)
    assert list(first["correct"]) == [872, 750, 599, 544, 468, 273, 242]
    assert board("positive+majority=2")["correct"].equals(first["correct"])
    assert plurality.loc["aliyun_tts", "correct"] == 468 + 133
    assert (plurality.loc["aliyun_tts", "rank"], plurality.loc["aliyun_tts", "was"]) == (4, 5)
    assert (plurality["correct"] > first["correct"].reindex(plurality.index)).all()
    assert (unanimity["correct"] < first["correct"].reindex(unanimity.index)).all()
    assert board("majority=1+routes=1", "mimo_v2_5_asr").index[0] == "azure_speech_tts"


def test_sensitivity_of_fewer_routes_fits_the_rules(small: list[Evidence]) -> None:
    two = [targets.only(one, ["paraformer", "writer"]) for one in small]
    names = list(dict.fromkeys(target_tables.sensitivity(two)["rule"]))
    assert names[0] == "majority=2+routes=2"
    assert names[-2:] == ["unanimity+routes=2", "majority=1+routes=1"]
    one = target_tables.sensitivity([targets.only(one, ["writer"]) for one in small])
    assert one["rule"].nunique() == 4  # with one route two of the five thresholds are the same rule
    assert set(one["routes"]) == {"writer"}


def test_agreement_of_the_published_routes(published: tuple[Evidence, ...]) -> None:
    pairs = target_tables.agreement([decide(one) for one in published])
    pooled = pairs.groupby(["route", "other"])[["targets", "alike", "decides"]].sum()
    close = pooled.loc[("paraformer_zh", "sensevoice_small")]
    assert close["alike"] / close["targets"] == pytest.approx(0.959, abs=5e-4)
    assert close["decides"] / close["targets"] == pytest.approx(0.987, abs=5e-4)


def test_the_written_form_decides_nothing(published: tuple[Evidence, ...]) -> None:
    forms = target_tables.written(published).groupby("route")[["unknown", "written"]].sum()
    assert tuple(forms.loc["mimo_v2_5_asr"]) == (2996, 900)
    assert forms.loc[["paraformer_zh", "sensevoice_small"], "written"].sum() == 0


def test_one_route_decision_in_20832_finds_both_readings(published: tuple[Evidence, ...]) -> None:
    found = [
        finding
        for one in published
        for question, heard in zip(one.questions, one.findings, strict=True)
        if question.target.auto_evaluable
        for finding in heard
    ]
    assert len(found) == 20_832
    assert sum(bool(finding.negative and finding.positive) for finding in found) == 1


TIES = {
    ("volcengine_tts", "azure_speech_tts"),
    ("google_cloud_tts", "minimax_tts"),
    ("google_cloud_tts", "aliyun_tts"),
    ("minimax_tts", "aliyun_tts"),
    ("mimo", "aws_polly"),
}


@pytest.mark.parametrize("seed", [1, 2])
def test_spans_leave_five_pairs_tied_and_records_none(published: tuple[Evidence, ...], seed: int) -> None:
    scores = [decide(one) for one in published]
    pairs = target_tables.compare(scores, seed=seed).pairs
    tied = pairs[pairs["verdict"] == "no evidence"].set_index(["a", "b"])
    assert set(tied.index) == TIES
    assert tied.loc[("volcengine_tts", "azure_speech_tts"), "p_holm"] == pytest.approx(0.09, abs=0.015)
    assert tied.loc[("minimax_tts", "aliyun_tts"), "p_holm"] == pytest.approx(0.19, abs=0.02)
    wide = tied.loc[("google_cloud_tts", "minimax_tts")]
    assert (wide["lo"], wide["hi"]) == pytest.approx((-0.022, 0.136), abs=0.004)
    assert set(target_tables.compare(scores, "record", seed=seed).pairs["verdict"]) == {"better"}


def test_the_board_shows_both_intervals_ties_and_coverage(published: tuple[Evidence, ...]) -> None:
    table = target_tables.board([decide(one) for one in published], by="category", B=2000)
    whole = table[table["part"] == "all"]
    assert list(whole["system"]) == list(SYSTEMS)
    assert list(whole["rank"]) == list(range(1, 8))
    assert list(whole["letters"]) == ["a", "a", "b", "b", "b", "c", "c"]
    assert list(whole["n"]) == [180] * 7
    assert (whole["lo"] < whole["record_lo"]).all()
    assert (whole["record_hi"] < whole["hi"]).all()
    assert whole["strict"].between(whole["lo"], whole["hi"]).all()
    assert whole["coverage"].between(whole["coverage_lo"], whole["coverage_hi"]).all()
    assert (whole["correct"] + whole["wrong"] + whole["unknown"] == 992).all()
    parts = table[table["part"] != "all"]
    assert (
        parts.groupby("system")[["correct", "wrong", "targets"]]
        .sum()
        .equals(whole.set_index("system")[["correct", "wrong", "targets"]].sort_index())
    )
    assert set(parts[~parts["grey"]]["part"]) == {"sports_score"}  # all others have fewer than 50 spans
    assert set(parts[parts["grey"]]["letters"]) == {""}


@pytest.mark.parametrize(("unit", "units"), [("span", 7), ("record", 4)])
def test_counts_by_unit_sum_to_the_counts(small: list[Evidence], unit: target_tables.Unit, units: int) -> None:
    scores = [decide(one) for one in small]
    table = target_tables.counts(scores, unit)
    assert len(table) == units
    for one in scores:
        whole = one.counts
        assert tuple(table[one.system].sum()[["correct", "wrong", "targets"]]) == (
            whole.correct,
            whole.wrong,
            whole.targets,
        )


def test_the_published_set_repeats_180_spans(published: tuple[Evidence, ...]) -> None:
    assert len(target_tables.counts([decide(one) for one in published[:1]])) == 180


def test_counts_of_different_questions_are_refused(small: list[Evidence]) -> None:
    with pytest.raises(Fault, match="not asked the same targets"):
        target_tables.counts([decide(small[0]), replace(decide(small[1]), results=())])


def test_readings_list_what_each_route_was_found_to_hold(small: list[Evidence]) -> None:
    table = target_tables.readings([decide(one) for one in small])
    assert len(table) == 2 * 8 * 3
    beta = table[(table.system == "beta") & (table.target == "own_003_t2")].set_index("route")
    assert list(beta["matched"]) == ["百分三点五", "百分三点五", "百分之三点五"]
    assert set(beta["vote"]) == {"wrong"}


def test_the_golden_dataset_has_no_findings() -> None:
    assert formats.read(GOLDEN / "dataset.jsonl").segments[0].id == "own_002"
