"""The leaderboard page: what it says of the published board, and that it is small, signed and always the same."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from bench import target_tables, target_views, targets
from bench.fault import Fault
from bench.part import Folded, KeyFigures, Part, Prose, Table
from bench.release import newstts
from bench.report import render
from bench.targets import Evidence
from bench.votes import Rule

GOLDEN = Path(__file__).parent / "golden" / "targets"


@pytest.fixture(scope="module")
def published(shared: Path) -> tuple[Evidence, ...]:
    data = shared / "data/cn-newstts"
    return newstts.gather(data / "dataset/test_public.jsonl", merged=data / "merged")


@pytest.fixture(scope="module")
def parts(published: tuple[Evidence, ...]) -> list[Part]:
    return target_views.overview(published, signature="set=test_public", conflict="none known")


@pytest.fixture(scope="module")
def small() -> tuple[Evidence, ...]:
    return newstts.gather(GOLDEN / "dataset.jsonl", merged=GOLDEN / "merged")


def prose(parts: list[Part]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Prose)).replace("\\", "")


def table(parts: list[Part], title: str) -> pd.DataFrame:
    (found,) = [part for part in parts if isinstance(part, Table) and part.title == title]
    return found.frame


def test_the_answer_comes_first_and_claims_no_more_than_the_test(parts: list[Part]) -> None:
    assert isinstance(parts[0], Prose)
    said = prose(parts[:1])
    assert said.startswith("# Targets\n\n**volcengine_tts** leads: 87.9% of 992 targets read right (95% interval 79.")
    assert "There is no evidence that it differs from azure_speech_tts." in said
    assert "Tied, of 21 pairs: volcengine_tts and azure_speech_tts; google_cloud_tts and minimax_tts" in said
    assert "only **180 distinct spans**" in said
    assert "Taken by record, 21 pairs would seem to differ; by span 16 do." in said
    assert "not comparable" not in said
    assert isinstance(parts[1], KeyFigures)
    assert [figure.value for figure in parts[1].figures][:2] == ["87.9%", "75.6%"]


def test_the_board_has_both_intervals_ties_ranks_and_the_mark(parts: list[Part]) -> None:
    board = table(parts, "Leaderboard").set_index("system")
    assert list(board["letters"]) == ["a", "a", "b", "b", "b", "c", "c"]
    assert list(board["ranks"]) == ["1–2", "1–2", "3–5", "3–5", "3–5", "6–7", "6–7"]
    assert set(board["published"]) == {"yes"}
    assert (board["record_hi"] - board["record_lo"] < board["hi"] - board["lo"]).all()
    assert tuple(board.loc["azure_speech_tts", ["correct", "wrong", "unknown"]]) == (750, 0, 242)


def test_rules_routes_and_written_forms_are_told(parts: list[Part]) -> None:
    said = prose(parts)
    assert (
        "5 of 7 other ways to decide leave the order as it is; another order: plurality and mimo_v2_5_asr alone" in said
    )
    assert (
        "mimo_v2_5_asr decides nothing in 2,996 cases; in **900** of them it wrote the span in its written form" in said
    )
    ranks = table(parts, "Rank under other rules").set_index("system")
    assert ranks.loc["azure_speech_tts", "mimo_v2_5_asr alone"] == 1
    alike = table(parts, "Agreement of routes").set_index(["route", "other", "of"])
    close = alike.loc[("paraformer_zh", "sensevoice_small", "(all systems)")]
    assert (close["share"], close["decided"]) == pytest.approx((0.959, 0.987), abs=5e-4)


def test_parts_add_up_to_the_whole(parts: list[Part]) -> None:
    for name in ("category", "group", "domain"):
        cut = table(parts, f"By {name}")
        assert set(cut.groupby("system")["targets"].sum()) == {992}


def test_the_readings_are_those_of_the_table(parts: list[Part], published: tuple[Evidence, ...]) -> None:
    (folded,) = [part for part in parts if isinstance(part, Folded)]
    assert len(folded.frame) == 7 * 1008
    assert folded.frame.groupby(list(folded.by), sort=False).ngroups == 1008
    long = target_tables.readings(targets.ranked(published))
    some = long[(long["target"] == "test_000001_t1") & (long["system"] == "mimo")]
    (row,) = folded.frame[(folded.frame["target"] == "test_000001_t1") & (folded.frame["system"] == "mimo")].to_dict(
        "records"
    )
    for route, decision, matched in zip(some["route"], some["decision"], some["matched"], strict=True):
        assert row[route].split() == [word for word in (decision, matched) if word]


def test_every_table_is_signed_and_says_who_has_an_interest(parts: list[Part]) -> None:
    tables = [part for part in parts if isinstance(part, Table | Folded)]
    assert len(tables) == 9
    for part in tables:
        signatures = [part.signature] if isinstance(part, Folded) else list(part.signatures.values())
        assert part.conflict == "none known"
        assert signatures
        assert all("rule=majority=2" in line and "set=test_public" in line for line in signatures)
        if isinstance(part, Table):
            assert set(part.signatures) <= set(part.frame.columns)


def test_the_page_of_seven_systems_stays_small(parts: list[Part]) -> None:
    assert len(render("Targets", parts).encode()) < 1_500_000


def test_a_small_board_claims_nothing_and_is_always_the_same(small: tuple[Evidence, ...]) -> None:
    made = [target_views.overview(small, signature="set=small", conflict="none known") for _ in range(2)]
    assert "7 spans are too few** to say which system is better" in prose(made[0])
    assert set(table(made[0], "Leaderboard")["ranks"]) == {"–"}
    assert "letters" not in table(made[0], "By category")
    assert render("t", made[0]) == render("t", made[1])


def test_one_system_and_one_route_have_a_page_that_is_marked(small: tuple[Evidence, ...]) -> None:
    alone = [targets.only(small[0], ["writer"])]
    with pytest.raises(Fault, match="has 1 route"):
        target_views.overview(alone, signature="", conflict="")
    made = target_views.overview(alone, Rule(correct=1, wrong=1, routes=1), signature="", conflict="none known")
    said = prose(made)
    assert said.startswith("# Targets\n\n**alpha** had ")
    assert "over 1 route: **not comparable**" in said
    assert set(table(made, "Leaderboard")["published"]) == {"no"}
    assert render("t", made)
