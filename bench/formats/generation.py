"""The journal of a synthesis run of CN-NewsTTS Bench: what each provider was sent, and what came back.

Conventions: JSON lines, a row an attempt, in the order of the attempts. `case_id` is the segment, `provider` the
system; `status` is ok, error or skipped_existing (the audio was there already). `text_sha256_16` is the first 16
hexadecimal digits of the sha256 of the text in UTF-8, and is checked, so that audio made of another text is found
out. What has no field of its own is kept in `extra`.

Source: the generation manifest of CN-NewsTTS Bench v0.1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.formats.newstts import kind, rows

STATUS = ("ok", "error", "skipped_existing")
TEXTS = ("case_id", "provider", "source_text", "text_sha256_16", "status")


@dataclass(frozen=True, slots=True)
class Generation:
    """One attempt at one segment. `audio_path` is the normalised audio; `duration` and `latency` are in seconds."""

    segment: str
    system: str
    text: str
    status: str
    error: str | None = None
    audio_path: str | None = None
    duration: float | None = None
    latency: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


def read(path: Path) -> tuple[Generation, ...]:
    """The attempts in a manifest. Raises Fault for a row without its keys, with an unknown status, with a hash that is
    not its text's, or that is ok and names no audio."""
    return tuple(_row(row, path, line) for line, row in rows(path))


def _row(row: Mapping[str, Any], path: Path, line: int) -> Generation:
    for key in TEXTS:
        if not isinstance(row.get(key), str) or not row[key]:
            raise Fault(f"The key {key!r} holds {kind(row.get(key))}; expected text.", file=path, line=line)
    for key in ("duration_sec", "latency_sec"):
        if isinstance(row.get(key), bool) or not isinstance(row.get(key), int | float | None):
            raise Fault(f"The key {key!r} holds {kind(row[key])}; expected seconds.", file=path, line=line)
    if row["status"] not in STATUS:
        raise Fault(f"The status is {row['status']!r}; expected {', '.join(STATUS)}.", file=path, line=line)
    digest = hashlib.sha256(row["source_text"].encode()).hexdigest()[:16]
    if row["text_sha256_16"].lower() != digest:
        raise Fault(
            f"Segment {row['case_id']}: text_sha256_16 is {row['text_sha256_16']}, that of source_text is {digest}; "
            "the audio was made of another text.",
            file=path,
            line=line,
        )
    if row["status"] == "ok" and not row.get("audio_path"):
        raise Fault(f"Segment {row['case_id']} is ok and has no audio_path.", file=path, line=line)
    own = {*TEXTS, "error", "audio_path", "duration_sec", "latency_sec"}
    return Generation(
        row["case_id"],
        row["provider"],
        row["source_text"],
        row["status"],
        row.get("error") or None,
        row.get("audio_path") or None,
        row.get("duration_sec"),
        row.get("latency_sec"),
        {key: value for key, value in row.items() if key not in own},
    )
