"""Named subsets: their sizes, what the human ceiling prefers, and that nothing but ids and strata decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from bench.segment import Segment, TextSet
from bench.subsets import SHARES, apportion, draw, readable


def text_set(n: int, **strata: object) -> TextSet:
    segments = tuple(
        Segment(id=f"s{i}", language="tr", text="x", spoken="bir iki", strata={"group": f"G{i % 4}", **strata})
        for i in range(n)
    )
    return TextSet("set", segments, "0" * 64)


def test_sizes_are_the_cards_shares_spread_over_the_strata() -> None:
    drawn = draw(text_set(200))
    assert {name: len(ids) for name, ids in drawn.items()} == {
        "ci_smoke": 20,
        "adjudicated_core": 40,
        "human_ceiling": 24,
    }
    for ids in drawn.values():
        groups = Counter(int(identity[1:]) % 4 for identity in ids)
        assert set(groups.values()) == {len(ids) / 4}


def test_settings_and_lengths_keep_their_proportions() -> None:
    """Three in four rows are of a call centre, and so are three in four of each subset."""
    rows = text_set(200)
    settings = ("call_center", "call_center", "call_center", "general")
    mixed = tuple(
        replace(segment, strata={"group": f"G{i % 5}", "setting": settings[i % 4]})
        for i, segment in enumerate(rows.segments)
    )
    for ids in draw(replace(rows, segments=mixed)).values():
        general = sum(segment.id in ids for segment in mixed if segment.strata["setting"] == "general")
        assert general == len(ids) / 4


def test_what_rounding_leaves_goes_to_the_largest_remainders() -> None:
    assert apportion({"a": 5, "b": 3, "c": 2}, 4) == {"a": 2, "b": 1, "c": 1}
    assert apportion({"b": 1, "a": 1}, 1) == {"b": 0, "a": 1}
    assert apportion({}, 0) == {}


def test_the_same_set_has_the_same_subsets_whatever_is_listed_so_far() -> None:
    bare = text_set(100)
    filled = replace(bare, segments=tuple(replace(s, subsets=("ci_smoke",)) for s in bare.segments))
    assert draw(bare) == draw(filled)
    assert draw(bare) != draw(bare, seed=7)
    assert list(draw(bare)) == list(SHARES)


def test_one_order_serves_all_subsets() -> None:
    """Without settings and lengths a smaller subset lies inside a larger one whole."""
    drawn = draw(text_set(400))
    assert drawn["ci_smoke"] < drawn["human_ceiling"] < drawn["adjudicated_core"]


def test_the_human_ceiling_takes_the_hard_rows_last() -> None:
    easy, hard = text_set(5), text_set(95, difficulty="D4")
    hard = replace(hard, segments=tuple(replace(s, id=f"h{s.id}") for s in hard.segments))
    mixed = TextSet("set", hard.segments + easy.segments, "0" * 64)
    ceiling = draw(mixed)["human_ceiling"]
    assert len(ceiling) == 12
    assert {segment.id for segment in easy.segments} < ceiling


def test_what_a_native_speaker_is_preferably_given() -> None:
    (segment,) = text_set(1).segments
    assert readable(segment)
    assert not readable(replace(segment, strata={"difficulty": "D4"}))
    assert not readable(replace(segment, strata={"robustness": True}))
    assert readable(replace(segment, spoken=" ".join(["on"] * 30)))
    assert not readable(replace(segment, spoken=" ".join(["on"] * 31)))
    assert not readable(replace(segment, lattice="{" + " ".join(["on"] * 31) + "|on}"))
