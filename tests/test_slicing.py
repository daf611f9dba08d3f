"""A slice has the rows that were asked for, and the rates that a full comparison of them has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bench import slicing
from bench.fault import Fault
from bench.inference import compare


@pytest.fixture(scope="module")
def scores() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    place = np.arange(3 * 2 * 120)
    segment = place % 120
    words = rng.integers(3, 20, 120)[segment]
    return pd.DataFrame(
        {
            "system": np.array(["a", "b", "c"])[place // 240],
            "voice": "v",
            "track": "R",
            "segment": [f"s{n}" for n in segment],
            "take": 0,
            "channel": np.array(["fb", "g711u"])[place // 120 % 2],
            "recogniser": "r",
            "group": np.array(["x", "y", None], object)[segment % 3],
            "level": segment % 2,
            "words": words,
            "errors": rng.binomial(words, 0.1 + 0.1 * (place // 240)),
        }
    )


def test_a_cut_keeps_what_is_named_and_nothing_that_is_missing(scores: pd.DataFrame) -> None:
    assert slicing.values(scores, "level") == ["0", "1"]
    assert slicing.values(scores, "group") == ["x", "y"]
    found = slicing.cut(scores, {"group": ["x", "y"], "level": ["1"], "channel": ["fb"]})
    wanted = scores[scores["group"].isin(["x", "y"]) & (scores["level"] == 1) & (scores["channel"] == "fb")]
    pd.testing.assert_frame_equal(found, wanted)
    pd.testing.assert_frame_equal(slicing.cut(scores, {}), scores)


def test_rates_are_those_of_a_comparison(scores: pd.DataFrame) -> None:
    rows = slicing.cut(scores, {"group": ["y"]})
    found = slicing.rates(rows)
    full = compare(rows, B=1_000).rates
    columns = ["channel", "system", "rate", "lo", "hi", "errors", "words", "segments"]
    pd.testing.assert_frame_equal(found.rows[columns], full[columns], check_dtype=False)
    assert found.signature.startswith("WER|by:track,channel,recogniser|unit:segment|B:1000|")


def test_no_row_has_no_rate(scores: pd.DataFrame) -> None:
    assert slicing.rates(scores.head(0)).rows.empty
    (table,) = slicing.parts(scores, {"group": ["x"], "level": []}, signature="s")
    assert "240 of 720 rows (group: x)" in table.note


def test_what_cannot_be_cut_by_is_said(scores: pd.DataFrame) -> None:
    with pytest.raises(Fault, match="no column 'mood' to cut by"):
        slicing.cut(scores, {"mood": ["1"]})
    with pytest.raises(Fault, match="No row has 'z' in group; there are: x, y"):
        slicing.cut(scores, {"group": ["z"]})
