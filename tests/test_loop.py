"""Loops of a decoder told from speech that repeats."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import formats
from bench.formats import hypotheses
from bench.loop import looped

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        (" beep" * 52, True),
        (" I'm going to go ahead and see what happens when" * 5, True),
        (" in the end of the end of the end of the end of the end of the end.", True),
        ("))))" * 20, True),
        ("谢谢" * 12, True),
        ("", False),
        (" Yes. Yes, yes.", False),
        (" My number is 0 0 0 0 0 0 1 2.", False),
        (" two two two, five five five, two two two, five five five", False),
        (" No, no, no, no, that is not what I said.", False),
    ],
)
def test_loops_are_told_from_speech(text: str, loop: bool) -> None:
    assert looped(text) is loop


def test_no_text_of_the_project_s_own_sets_looks_like_a_loop() -> None:
    lines = [line for language in ("en", "de", "tr", "zh") for line in (ROOT / f"data/{language}.jsonl").open()]
    rows = [json.loads(line) for line in lines]
    assert len(rows) > 100
    keys = ("text", "text_spoken", "input_text", "spoken_reference")
    texts = [row[key] for row in rows for key in keys if row.get(key)]
    assert len(texts) >= len(rows)
    assert not [text for text in texts if looped(text)]


@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    st.lists(st.text("abcız0159,.-", min_size=1, max_size=15), max_size=80),
    st.integers(0, 3),
)
def test_what_is_not_compressed_would_not_have_compressed_enough(tokens: list[str], again: int) -> None:
    """A short text with three words twice at most is passed over; neither rule could have called it a loop."""
    varied = [*dict.fromkeys(tokens)]
    raw = " ".join([*varied, *varied[:again]]).encode()
    assert len(raw) > 300 or not raw or len(raw) / len(zlib.compress(raw)) <= 2.4


def test_a_transcript_made_elsewhere_is_flagged_too(tmp_path: Path) -> None:
    text_set = formats.read(ROOT / "data/en.jsonl")
    one, two = text_set.segments[:2]
    (tmp_path / "x_R.jsonl").write_text(
        json.dumps({"id": one.id, "hyp": "thank you " * 30}) + "\n" + json.dumps({"id": two.id, "hyp": two.text}) + "\n"
    )
    rows = hypotheses.read(tmp_path / "x_R.jsonl", text_set, "R").set_index("segment")
    assert rows["looped"].sum() == 1
    assert rows.loc[one.id, "looped"]
