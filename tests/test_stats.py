"""`bench stats`: a tiny set counted by hand, the page as a golden file, and the card's own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench import cli, formats, length, stats
from bench.segment import Segment, Span, Target, TextSet

ROOT = Path(__file__).parents[1]
GOLDEN = Path(__file__).parent / "golden" / "stats.md"
TINY = Path(__file__).parent / "data" / "stats.jsonl"


def of(*segments: Segment) -> TextSet:
    return TextSet("own", segments, "0" * 64, "plain")


def segment(identity: str, text: str, **fields: Any) -> Segment:
    return Segment(identity, fields.pop("language", "en"), text, **fields)


def test_the_page_is_that_of_the_golden_file() -> None:
    text_set = formats.read(TINY)
    assert stats.markdown(text_set) == GOLDEN.read_text(encoding="utf-8")
    assert stats.markdown(text_set) == stats.markdown(text_set)


def test_a_tiny_set_counted_by_hand() -> None:
    found = stats.tables(formats.read(TINY))
    assert found["Setting × length"].to_dict("list") == {
        "setting": ["call_center", "general", "total"],
        "short": [1, 1, 2],
        "medium": [1, 1, 2],
        "very_long": [0, 1, 1],
        "public": [1, 3, 4],
        "hidden": [1, 0, 1],
        "total": [2, 3, 5],
    }
    lengths = found["Lengths"].set_index("split").loc["all"]  # 4, 6, 2, 47 and 11 words
    names = ("n", "min", "p10", "median", "p90", "max", "mean words", "max chars", "total chars")
    assert [lengths[name] for name in names] == [5, 2, 2, 6, 47, 47, "14.0", 209, 305]
    flags = found["Flags"].set_index("flag")["total"]
    assert flags.to_dict() == {"headline": 3, "robustness": 1, "multi-reference (n_paths > 1)": 2}
    # s-5 is "hadi" and one to ten: three runs of eight are s-4's too.
    assert found["Near duplicates"].to_numpy().tolist() == [["s-4", "s-5", 3]]


def test_a_table_without_its_column_is_left_out() -> None:
    bare = stats.tables(of(segment("a", "Good morning to all of you."), segment("b", "Yes.")))
    assert list(bare) == ["Flags", "Lengths", "Near duplicates"]
    dialtone = stats.tables(of(segment("a", "One."), segment("b", "Two.", strata={"category": "digits"})))
    assert dialtone["Categories"].to_dict("records") == [{"category": "digits", "total": 1}]


def test_localities_are_not_pooled() -> None:
    rows = [("Bavarian", "München"), ("Bavarian", "Passau"), ("Bavarian", "München"), ("Standard German", None)]
    segments = (
        segment(str(n), "Servus", language="de-DE", strata={"variety": variety, "locality": locality})
        for n, (variety, locality) in enumerate(rows)
    )
    assert stats.tables(of(*segments))["Varieties"].to_numpy().tolist() == [
        ["Bavarian", "München", 2],
        ["Bavarian", "Passau", 1],
        ["Standard German", "", 1],
    ]


def test_spans_and_targets_are_counted_apart_from_segments() -> None:
    target = Target("t", "3", 0, 1, "score", "number", ("three",), (), auto_evaluable=False)
    spans = (Span("three", ("a trio",), "number"), Span("two", (), "number"))
    found = stats.tables(of(segment("a", "3 2", spoken="three two", spans=spans, targets=(target, target))))
    assert found["Spans by type"].to_numpy().tolist() == [["number", 2, 1, 1]]
    assert found["Targets by category"].to_numpy().tolist() == [["score", 2, 0]]


def test_length_is_in_spoken_words_and_in_characters_for_mandarin() -> None:
    spoken = "bir milyon iki yüz elli bin te le"
    assert length.words(segment("a", "1.250.000 TL", language="tr", spoken=spoken)) == 8
    assert length.words(segment("a", "1.250.000 TL", language="tr", spoken=spoken, lattice="bir {milyon|on}")) == 2
    assert length.words(segment("a", "主队以3比2获胜", language="zh-Hans-CN", spoken="主队以三比二获胜")) == 8
    assert length.words(segment("a", "trois mots ici", language="fr", spoken="trois mots, ici")) == 3
    assert length.words(segment("a", "four words stand here")) == 4


@pytest.mark.parametrize(
    ("words", "name"),
    [(1, "short"), (5, "short"), (6, "medium"), (20, "medium"), (21, "long"), (45, "long"), (46, "very_long")],
)
def test_buckets_are_those_of_the_card(words: int, name: str) -> None:
    assert length.bucket(words) == name


@settings(derandomize=True, max_examples=100)
@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=12), min_size=2, max_size=6),
)
def test_near_duplicates_are_the_pairs_with_eight_words_in_common(texts: list[list[str]]) -> None:
    def runs(words: list[str]) -> set[tuple[str, ...]]:
        return {tuple(words[n : n + 8]) for n in range(len(words) - 7)} or ({tuple(words)} if words else set())

    segments = [segment(str(n), " ".join(words).upper() + ".") for n, words in enumerate(texts)]
    expected = [
        [str(first), str(second), len(runs(texts[first]) & runs(texts[second]))]
        for first in range(len(texts))
        for second in range(first + 1, len(texts))
        if runs(texts[first]) & runs(texts[second])
    ]
    assert stats.near_duplicates(of(*segments)).to_numpy().tolist() == expected


def test_near_duplicates_in_mandarin_count_characters() -> None:
    one = segment("a", "今天下午三点开会讨论预算。", language="zh-Hans-CN")
    other = segment("b", "明天下午三点开会讨论，预算另议。", language="zh-Hans-CN")
    assert stats.near_duplicates(of(one, other)).to_numpy().tolist() == [["a", "b", 4]]


@pytest.mark.parametrize("path", sorted((ROOT / "data").glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_parts_of_our_own_sets_add_up(path: Path) -> None:
    text_set = formats.read(path)
    found = stats.tables(text_set)
    for name in ("Categories", "Phenomenon groups", "Domains", "Difficulty", "WER visibility", "Varieties"):
        if name in found:
            assert found[name]["total"].sum() == len(text_set)
    assert found["Lengths"]["n"].iloc[-1] == len(text_set)


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    out = tmp_path / "STATS.md"
    result = CliRunner().invoke(cli.app, ["stats", str(TINY), "--out", str(out)])
    assert (result.exit_code, out.read_text(encoding="utf-8")) == (0, GOLDEN.read_text(encoding="utf-8"))
    assert "Phenomenon groups" in result.output


def test_the_command_reads_any_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("key,sentence\na,Hello | there\n")
    asked = ["stats", str(tmp_path / "t.csv"), "--column", "id=key", "--column", "text=sentence", "--language", "en"]
    result = CliRunner().invoke(cli.app, [*asked, "--out", str(tmp_path / "S.md")])
    assert result.exit_code == 0, result.output
    assert "1 segments in the layout plain" in (tmp_path / "S.md").read_text()
