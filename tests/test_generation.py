"""The journal of a synthesis run: rows are read whole, and a text that is not the one that was sent is found out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.fault import Fault
from bench.formats import generation
from bench.formats.generation import Generation

# sha256("abc") begins ba7816bf8f01cfea: FIPS 180-2, appendix B.1
ROW = {
    "created_at": "2026-01-01T00:00:00Z",
    "split": "dev",
    "case_id": "dev_000001",
    "provider": "alpha",
    "model": "alpha-1",
    "text_sha256_16": "ba7816bf8f01cfea",
    "source_text": "abc",
    "audio_path": "audio/dev_000001.wav",
    "duration_sec": 1.5,
    "latency_sec": 2,
    "status": "ok",
    "error": "",
}


def manifest(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "manifest.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rows_are_read_in_order_with_what_has_no_field_of_its_own(tmp_path: Path) -> None:
    failed = ROW | {"status": "error", "error": "429", "audio_path": None, "duration_sec": None}
    first, second = generation.read(manifest(tmp_path, failed, ROW))
    extra = {"created_at": "2026-01-01T00:00:00Z", "split": "dev", "model": "alpha-1"}
    assert first == Generation("dev_000001", "alpha", "abc", "error", "429", None, None, 2, extra)
    assert second == Generation("dev_000001", "alpha", "abc", "ok", None, "audio/dev_000001.wav", 1.5, 2, extra)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source_text": "abd"}, "line 2: Segment dev_000001: text_sha256_16 is ba7816bf8f01cfea, that of source_text"),
        ({"case_id": None}, "line 2: The key 'case_id' holds null; expected text"),
        ({"status": "done"}, "line 2: The status is 'done'; expected ok, error, skipped_existing"),
        ({"audio_path": ""}, "line 2: Segment dev_000001 is ok and has no audio_path"),
        ({"latency_sec": "2"}, "line 2: The key 'latency_sec' holds a string; expected seconds"),
    ],
)
def test_a_row_that_cannot_be_used_names_its_line(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(Fault, match=message):
        generation.read(manifest(tmp_path, ROW, ROW | change))
