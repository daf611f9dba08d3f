"""Counts and rates: what is scored as right, what as wrong, and that nothing leaves the denominator."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from bench import formats, scorecard
from bench.fault import Fault
from bench.formats import hypotheses
from bench.inference import penalty
from bench.score import entities, score, summary
from bench.segment import Segment, Span, TextSet


def segment(id: str, text: str, spoken: str, lattice: str | None = None, **more: object) -> Segment:
    return Segment(id=id, language="en", text=text, spoken=spoken, lattice=lattice, **more)  # type: ignore[arg-type]


def rows(*heard: tuple[str, str | None], track: str = "R", system: str = "x", take: int = 0) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "system": system, "voice": "", "track": track, "segment": id, "take": take, "channel": "fb",
            "recogniser": "r", "diagnostic": False, "looped": False, "headline": True, "transcript": text,
            "cause": hypotheses.cause(text),
        }
        for id, text in heard
    )  # fmt: skip


def errors(reference: str, heard: str, *, written: str = "", lattice: str | None = None) -> int:
    made = score(rows(("s", heard)), [segment("s", written or reference, reference, lattice)], language="en")
    return int(made[["substitutions", "deletions", "insertions"]].sum(axis=None))


@pytest.mark.parametrize(
    ("reference", "heard", "wrong"),
    [
        ("zero zero seven", "007", 0),
        ("zero zero seven", "7", 2),
        ("six one three five five five zero one nine eight", "(613) 555-0198", 0),
        ("six one three five five five zero one nine eight", "555-0198", 3),
        ("five dollars", "$5", 0),
        ("five dollars", "£5", 1),
        ("five dollars and fifty cents", "$550", 4),
        ("minus five", "5", 1),
        ("fifty percent", "50", 1),
        ("fifty percent", "50%", 0),
        ("one point five million", "15 million", 3),
        ("thirty six", "3006", 2),
        ("it's ten a m", "It's 10:00 AM.", 0),
        ("the café is open", "The cafe\u0301 is\u00a0open\u200b", 0),
        ("that’s right", "that's right", 0),
    ],
)  # fmt: skip
def test_what_other_tools_get_wrong(reference: str, heard: str, wrong: int) -> None:
    assert bool(errors(reference, heard)) == bool(wrong)
    assert errors(reference, heard) <= max(wrong, 5)


def test_only_the_readings_that_a_row_lists_are_right() -> None:
    lattice = "code {four four eight one|forty four eighty one}"
    assert errors("code four four eight one", "code four four eight one", lattice=lattice) == 0
    assert errors("code four four eight one", "code forty-four eighty-one", lattice=lattice) == 0
    assert errors("code four four eight one", "code four thousand four hundred eighty one", lattice=lattice) > 0


def test_the_optimistic_bound_takes_the_best_reading_of_the_same_characters() -> None:
    made = score(
        rows(("s", "the code is 4481"), ("t", "the code is 4482")),
        [segment("s", "", "the code is forty four eighty one"), segment("t", "", "the code is forty four eighty one")],
        language="en",
    )
    assert made["set_errors"].tolist()[0] == 0
    assert made["set_errors"].tolist()[1] > 0  # it never turns one number into another
    assert (made["set_errors"] <= made["lattice_errors"]).all()
    assert made["digits"].tolist() == [1, 1]


def test_a_lost_row_is_all_deletions_whatever_stands_in_it() -> None:
    segments = [segment("s", "x y", "x y"), segment("t", "a b c", "a b c")]
    heard = rows(("s", "x y"), ("t", ""))
    heard.loc[0, "cause"] = "audio failed"  # a transcript without good audio is not evidence
    made = score(heard, segments, language="en")
    assert made["deletions"].tolist() == [2, 3]
    assert made["character_errors"].tolist() == [2, 3]
    assert made["set_errors"].tolist() == [2, 3]
    assert made["failed"].all()
    (line,) = summary(made).to_dict("records")
    assert (line["wer"], line["ser"], line["failure_rate"]) == (1.0, 1.0, 1.0)
    assert not made["truncated"].any()  # a failure is counted under its own cause only


def test_an_empty_hypothesis_is_not_dropped() -> None:
    made = score(rows(("a", "x y"), ("b", "")), [segment("a", "x y", "x y"), segment("b", "x y", "x y")], language="en")
    assert summary(made, ["segment"])["wer"].tolist() == [0.0, 1.0]


def test_a_corpus_rate_is_a_ratio_of_sums() -> None:
    segments = [segment("a", "x", "x"), segment("b", "", " ".join("abcdefghi"))]
    made = score(rows(("a", "y"), ("b", "a b c d e f g h i")), segments, language="en")
    (line,) = summary(made).to_dict("records")
    assert line["wer"] == pytest.approx(1 / 10)  # a mean of rates would say 1/2


def test_a_segment_weighs_once_however_many_takes_it_has() -> None:
    segments = [segment("a", "x y", "x y"), segment("b", "x y", "x y")]
    heard = pd.concat([rows(("a", "x y"), ("b", "x z")), rows(("a", "z z"), take=1), rows(("a", "x z"), take=2)])
    (line,) = summary(score(heard, segments, language="en")).to_dict("records")
    assert line["segments"] == 2
    assert line["words"] == 4
    assert line["wer"] == pytest.approx(((0 + 2 + 1) / 3 + 1) / 4)


def test_a_rate_over_nothing_is_undefined() -> None:
    made = score(rows(("a", "hello there")), [segment("a", "…", "", lattice="")], language="en")
    (line,) = summary(made).to_dict("records")
    assert line["insertions"] == 2
    assert pd.isna(line["wer"])


def test_track_s_is_strict_and_shows_the_lattice_beside_it() -> None:
    lattice = "at {ten|ten o'clock}"
    segments = [segment("a", "at 10", "at ten", lattice)]
    strict = score(rows(("a", "at ten o'clock"), track="S"), segments, language="en")
    assert (strict["insertions"].item(), strict["lattice_errors"].item()) == (1, 0)
    loose = score(rows(("a", "at ten o'clock"), track="R"), segments, language="en")
    assert loose["insertions"].item() == 0


def test_hallucination_and_truncation_are_flagged_by_the_published_bounds() -> None:
    segments = [segment("a", "", "one two three four")]
    made = score(rows(("a", "word " * 9), ("a", "word " * 10), ("a", "one two"), ("a", "one")), segments, language="en")
    assert made["hallucinated"].tolist() == [False, True, False, False]  # more than 1.5 x 4 + 3
    assert made["truncated"].tolist() == [False, False, False, True]  # fewer than 0.5 x 4


def test_an_entity_is_right_when_every_word_hits_and_nothing_is_inserted() -> None:
    spans = (Span("five dollars", ("five bucks",), "amount"), Span("Mina", (), "name"))
    segments = [segment("a", "$5 for Mina", "five dollars for Mina", "{five dollars|five bucks} for mina", spans=spans)]
    heard = ("five bucks for Mina", "five dollars for Nina", "five whole dollars for Mina", "5 for Mina")
    made = pd.concat([rows(("a", text), take=take) for take, text in enumerate(heard)], ignore_index=True)
    made.loc[4] = {**made.loc[0], "take": 4, "transcript": None, "cause": "audio missing"}
    judged = entities(made, segments, language="en").pivot(index="take", columns="type", values="right")
    assert judged["amount"].tolist() == [True, True, False, False, False]
    assert judged["name"].tolist() == [True, False, True, True, False]


def test_a_span_that_occurs_twice_is_judged_twice() -> None:
    segments = [segment("a", "", "five and five", spans=(Span("five", (), "number"), Span("five", (), "number")))]
    judged = entities(rows(("a", "five and nine")), segments, language="en")
    assert judged["right"].tolist() == [True, False]


def test_the_tn_penalty_is_a_difference_of_corpus_rates() -> None:
    segments = [segment("a", "5 kg", "five kilos")]
    both = pd.concat([rows(("a", "five grams")), rows(("a", "five kilos"), track="S")], ignore_index=True)
    assert penalty(score(both, segments, language="en")).rows["penalty"].tolist() == [0.5]
    with pytest.raises(Fault, match="no rows on track S; the penalty needs R and S"):
        penalty(score(rows(("a", "five grams")), segments, language="en"))


def test_another_tools_rule_is_held_to_the_text_that_was_spoken() -> None:
    segments = [segment("a", "Call (613) 555-0198", "call six one three five five five zero one nine eight")]
    made = score(rows(("a", "Call 613-555-0198.")), segments, language="en", normaliser="handset")
    assert made["reference"].item() == "call 6 1 3 5 5 5 0 1 9 8"
    assert not made["wrong"].item()


def test_hypothesis_files(tmp_path: Path) -> None:
    text_set = TextSet("t", (segment("a", "x", "x"), segment("b", "y", "y")), "0" * 64)
    path = tmp_path / "mine_R.jsonl"
    path.write_text('{"id":"a","hyp":"x"}\n')
    found = hypotheses.read(path, text_set, "R")
    assert found["system"].tolist() == ["mine", "mine"]
    assert found["cause"].fillna("").tolist() == ["", "transcript missing"]
    for line, message in (
        ('{"id":"c","hyp":"x"}', r"mine_R.jsonl, line 2: .* no segment 'c'"),
        ('{"id":"a","hyp":"x"}', r"line 2: .* stands twice"),
        ('{"id":"b"}', r"line 2: Expected"),
        ("{", r"line 2: This line is not JSON"),
    ):
        path.write_text('{"id":"a","hyp":"x"}\n' + line + "\n")
        with pytest.raises(Fault, match=message):
            hypotheses.read(path, text_set, "R")


@pytest.mark.parametrize("name", ["en", "de", "tr"])
def test_spoken_forms_score_exactly_zero_on_both_tracks(name: str, tmp_path: Path) -> None:
    text_set = formats.read(Path(__file__).parents[1] / "data" / f"{name}.jsonl")
    for track in ("R", "S"):
        path = tmp_path / f"spoken_{track}.jsonl"
        path.write_text("".join(json.dumps({"id": s.id, "hyp": s.spoken}) + "\n" for s in text_set.segments))
    files = [(tmp_path / f"spoken_{track}.jsonl", track) for track in ("R", "S")]
    card = scorecard.make(text_set, files)
    wrong = card.rows.loc[card.rows["wrong"], ["segment", "reference", "hypothesis"]]
    assert wrong.empty, wrong.to_string()
    assert card.spans["right"].all(), card.spans[~card.spans["right"]].to_string()
    assert card.penalty is not None
    assert (card.penalty["penalty"] == 0).all()
    scorecard.write(card, tmp_path / "out")
    saved = json.loads((tmp_path / "out/scores.json").read_text())
    assert saved["signature"] == card.signature
    assert f"set={name}@{text_set.sha256[:12]}" in card.signature
    assert len(pd.read_parquet(tmp_path / "out/scores.parquet")) == 2 * len(text_set)


def test_a_lattice_of_an_older_rule_is_read_under_this_one() -> None:
    heard = "it costs $5 at Joe's"
    assert (
        errors("it costs five dollars at joes", heard, lattice="It costs {Five Dollars|five {bucks|quid}} at Joe’s")
        == 0
    )
    assert errors("route sixty six", "route 66", lattice="route {66|double six}") == 0


def test_a_malformed_lattice_is_a_fault_with_its_segment_and_column() -> None:
    with pytest.raises(Fault, match=r"^Segment 's': its lattice is malformed\. Column 3: this brace is never closed"):
        errors("a b", "a b", lattice="a {b")


def test_progress_counts_the_distinct_transcripts() -> None:
    seen: list[tuple[str, int, int]] = []
    heard = rows(*((f"s{n}", f"I have {n % 600} apples") for n in range(900)), ("lost", None))
    segments = [segment(str(name), "", "I have apples") for name in heard["segment"]]
    score(heard, segments, language="en", progress=lambda *step: seen.append(step))
    assert seen == [(step, done, 600) for step in ("normalise", "all readings") for done in (500, 600)]


def test_spans_of_scored_rows_are_those_of_the_rows() -> None:
    segments = [segment("s", "", "pay five dollars", spans=(Span("five dollars", (), "amount"),))]
    heard = rows(("s", "pay $5"))
    for normaliser in (
        "earshot",
        "whisper",
    ):  # judged under our own rule in either case
        scored = score(heard, segments, language="en", normaliser=normaliser)
        assert entities(scored, segments, language="en")["right"].tolist() == [True]


def test_what_was_not_there_to_be_scored_is_said(tmp_path: Path) -> None:
    text_set = formats.read(Path(__file__).parents[1] / "data/en.jsonl")
    texts = {segment.id: segment.text for segment in text_set.segments}
    names = [*texts]
    for track, kept in (("R", names[3:]), ("S", names)):
        lines = [json.dumps({"id": name, "hyp": "" if name == names[5] else texts[name]}) for name in kept]
        (tmp_path / f"{track}.jsonl").write_text("\n".join(lines) + "\n")
    card = scorecard.make(text_set, [(tmp_path / "R.jsonl", "R"), (tmp_path / "S.jsonl", "S")])
    said = " ".join(scorecard.remarks(card))
    assert f"R, track R: transcript missing for 3 of {len(names)} segments" in said
    assert ", ".join(names[:3]) in said
    assert f"S, track S: transcript empty for 1 of {len(names)} segments" in said
    assert "No TN penalty" in said
    assert "NAME_R.jsonl" in said
