"""From a run to what people see and hear: conclusions that are not too strong, and sound that is the sound scored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench import audition, channels, report, results, views
from bench.audio import read
from bench.fault import Fault
from bench.part import Clips, Figure, KeyFigures, Part, Prose, Rows, Table
from bench.protocol import Case
from bench.run import Run
from tests.test_run import carry_out, make

SECOND = """
[[system]]
name = "rival"
adapter = "tests.own_adapters:Moody"
voice = "other"
settings = {{ diary = "{diary}" }}
licence = "none"
conflict_of_interest = "sells it"
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two systems that speak a tone; one of three sentences fails."""
    folder = tmp_path_factory.mktemp("views")
    source = make(folder, ["half a second", "0.50 seconds", "fail"], tracks='["R", "S"]')
    source.write_text(source.read_text() + SECOND.format(diary=folder / "diary"))
    return carry_out(source, folder / "runs" / "small")


@pytest.fixture(scope="module")
def scores(run: Run) -> pd.DataFrame:
    return results.scores(run)


def text(parts: list[Part]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Prose))


def test_a_report_of_a_run_holds_everything_in_reading_order(run: Run, scores: pd.DataFrame, tmp_path: Path) -> None:
    parts = views.overview(run, scores, signature="sig|1")
    headings = [line for line in text(parts).splitlines() if line.startswith("# ")]
    assert headings[0] == "# The answer"
    assert headings[-1] == "# What it rests on"
    page = report.write(tmp_path / "index.html", run.name, parts).read_text()
    assert page == report.render(run.name, views.overview(run, scores, signature="sig|1"))
    assert "sells it" in page


def test_few_segments_and_single_voices_are_said(run: Run, scores: pd.DataFrame) -> None:
    said = text(views.answer(run, scores, signature="sig"))
    assert "segments are too few** to say which system is better" in said
    assert "Each system spoke with **one voice**" in said
    other = scores.assign(voice=np.where(scores["system"] == "sut", scores["take"].astype(str), "second"))
    both = pd.concat([other, other[other["system"] == "sut"].assign(voice="again")], ignore_index=True)
    assert "rival spoke with **one voice**" in text(views.answer(run, both, signature="sig"))


def test_the_key_figures_are_those_of_the_scores_and_failures_are_counted(run: Run, scores: pd.DataFrame) -> None:
    figures = next(part for part in views.answer(run, scores, signature="sig") if isinstance(part, KeyFigures)).figures
    here = scores[(scores["channel"] == "fb") & (scores["track"] == "R") & (scores["system"] == "sut")]
    wrong = here[["substitutions", "deletions", "insertions"]].sum().sum()
    assert next(f for f in figures if f.system == "sut").value == f"{wrong / here['words'].sum():.1%}"
    assert figures[-1] == Figure("Failed or missing", "8 of 24", "audio failed 8", None, "sig")


def test_nothing_is_called_better_that_the_test_does_not_call_so() -> None:
    rates = pd.DataFrame({"system": ["a", "b", "c"], "rate": [0.1, 0.2, 0.3], "segments": 500})
    here = {"channel": "fb", "recogniser": "r"}

    def told(*verdicts: str) -> str:
        return views._told(rates, pd.DataFrame({"a": "a", "b": ["b", "c"], "verdict": verdicts}), here)

    assert "better than every other" in told("better", "better")
    assert told("no evidence", "better").endswith("no evidence that it differs from b.")
    assert told("no evidence", "no evidence").endswith("no evidence that it differs from b and c.")


def test_what_is_heard_is_what_was_recognised(run: Run, scores: pd.DataFrame) -> None:
    case = next(c for c in run.expected() if c.segment == "s0")
    versions = audition.Versions(run, case)
    assert list(versions) == ["fb", "g711a+loss=3%"]
    name = "g711a+loss=3%"
    heard = run.transcripts("rec")[case, name]
    channel = channels.parse(name)
    sent = channel.transmit(run.playback(case), seed=channel.seed(run.frozen.text_set.name, case.segment, case.take))
    assert sent.checksum == heard["heard_sha256"]
    assert np.abs(read(versions[name]).samples - sent.samples).max() <= 1 / 32768


def test_a_take_without_sound_is_shown_with_its_cause(run: Run, scores: pd.DataFrame) -> None:
    case = Case("sut", "none", "R", "s2", 0)
    (take,) = audition.takes(run, scores, [case])
    assert dict(take.versions) == {}
    assert take.transcripts["fb"] == {"rec": "(audio failed)"}
    assert {op for _, _, op in take.alignments["fb"]["rec"]} == {"D"}


def test_alignments_say_what_the_score_counted(run: Run, scores: pd.DataFrame) -> None:
    kept = scores[scores["cause"].isna()]
    for row, operations in zip(kept.itertuples(), audition.alignments(run, kept), strict=True):
        ops = [op for _, _, op in operations]
        assert [ops.count(op) for op in "SDI"] == [row.substitutions, row.deletions, row.insertions]


def synthetic() -> pd.DataFrame:
    cells = {  # (fb, line) errors of recogniser one, then of two
        "clear": (0, 0, 0, 0),
        "line": (0, 5, 0, 5),
        "split": (0, 0, 6, 6),
        "bad": (8, 8, 8, 8),
    }
    rows = []
    for segment, counts in cells.items():
        for (recogniser, channel), n in zip([(r, c) for r in "12" for c in ("fb", "g711u")], counts, strict=True):
            rows.append({"segment": segment, "recogniser": recogniser, "channel": channel, "substitutions": n})
    fixed = {"system": "x", "voice": "v", "track": "R", "take": 0, "deletions": 0, "insertions": 0, "words": 10}
    return pd.DataFrame(rows).assign(**fixed)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("all", ["clear", "line", "split", "bad"]),
        ("none", []),
        ("worst:2", ["bad", "split"]),
        ("disagree:1", ["split"]),
        ("line:1", ["line"]),
    ],
)
def test_clips_are_chosen_by_rule(rule: str, expected: list[str]) -> None:
    assert [case.segment for case in audition.choose(synthetic(), rule)] == expected


@pytest.mark.parametrize("rule", ["best:5", "worst", "worst:x", ""])
def test_an_unknown_rule_says_what_is_known(rule: str) -> None:
    with pytest.raises(Fault, match="expected all, none, or worst, disagree, line with a number"):
        audition.choose(synthetic(), rule)


def test_slices_and_errors_add_up(run: Run, scores: pd.DataFrame) -> None:
    rows = next(part for part in views.slices(run, scores, signature="s") if isinstance(part, Rows))
    assert rows.frame["errors"].sum() == scores[["substitutions", "deletions", "insertions"]].sum().sum()
    tables = {part.title: part for part in views.errors(run, scores, signature="s") if isinstance(part, Table)}
    assert tables["Most frequent confusions"].frame["times"].sum() == (
        scores.loc[scores["cause"].isna(), ["substitutions", "deletions", "insertions"]].sum().sum()
    )
    assert list(tables["Text normalisation"].frame["penalty"]) == [0.0, 0.0, 0.0, 0.0]


def test_a_large_run_carries_the_texts_of_one_channel_and_recogniser(
    run: Run, scores: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "TEXTS", 10)
    rows = next(part for part in views.slices(run, scores, signature="s") if isinstance(part, Rows))
    assert set(rows.frame.loc[rows.frame["hypothesis"].notna(), "channel"]) == {"fb"}
    assert len(rows.frame) == len(scores)
    assert "Texts are those of fb as rec heard it" in rows.note


def test_the_clips_of_a_run_are_those_chosen(run: Run, scores: pd.DataFrame) -> None:
    assert views.hearings(run, scores, "none") == []
    clips = next(part for part in views.hearings(run, scores, "worst:3") if isinstance(part, Clips))
    assert len(clips.takes) == 3


def test_strata_are_offered_where_they_part_the_rows(run: Run, scores: pd.DataFrame) -> None:
    assert views.levels(run, scores) == {}  # one category
    two = scores.assign(category=np.where(scores["segment"] == "s0", "=a", None))
    assert views.levels(run, two.assign(category=two["category"].fillna("b"))) == {
        "category: =a": ("category", "=a"),
        "category: b": ("category", "b"),
    }


def test_segments_are_found_by_the_words_of_their_text_and_id(run: Run, scores: pd.DataFrame) -> None:
    assert set(audition.matching(run, scores, "SECOND half")["segment"]) == {"s0"}
    assert set(audition.matching(run, scores, "s1")["segment"]) == {"s1"}
    assert len(audition.matching(run, scores, " ")) == len(scores)
    assert audition.matching(run, scores, "nowhere").empty


def test_a_recogniser_that_loops_is_seen_to(run: Run, scores: pd.DataFrame) -> None:
    at = (scores["system"] == "sut") & (scores["track"] == "S") & (scores["channel"] == "fb")
    looping = scores.assign(looped=at & (scores["segment"] == "s0"))
    tables = [part for part in views.rates(run, looping, signature="s") if isinstance(part, Table)]
    (table,) = (part for part in tables if part.title.startswith("Failures, loops"))
    rates = table.frame.set_index(["system", "track", "recogniser", "channel"])
    assert rates.loc[("sut", "S", "rec", "fb"), "loop_rate"] == 1 / 3
    assert rates["loop_rate"].sum() == 1 / 3
    assert set(rates["failure_rate"]) == {1 / 3}  # one of three sentences fails
    assert len(rates) == 8
    figures = next(part for part in views.answer(run, looping, signature="s") if isinstance(part, KeyFigures)).figures
    told = next(figure for figure in figures if figure.name == "Looping transcripts")
    assert (told.value, told.detail[-11:]) == ("1 of 24", "rec on fb 1")


def test_a_run_without_mishaps_says_so(run: Run, scores: pd.DataFrame) -> None:
    fine = scores.assign(failed=False, looped=False, hallucinated=False, truncated=False)
    assert "None: every transcript is there" in text(views.mishaps(run, fine, signature="s"))


def test_a_rate_has_its_interval_under_it(run: Run, scores: pd.DataFrame) -> None:
    table = next(p for p in views.rates(run, scores, signature="s") if getattr(p, "title", "") == "Word error rate")
    assert isinstance(table, Table)
    assert table.columns == ["system", "track", "recogniser", "fb", "g711a+loss=3%"]
    for row in table.frame.to_dict("records"):
        assert row["fb, from"] <= row["fb"] <= row["fb, to"]
    here = scores[(scores["channel"] == "fb") & (scores["track"] == "R") & (scores["system"] == "sut")]
    wrong = here[["substitutions", "deletions", "insertions"]].sum().sum()
    rates = table.frame.set_index(["system", "track"])["fb"]
    assert rates["sut", "R"] == pytest.approx(wrong / here["words"].sum())
