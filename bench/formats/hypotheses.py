"""Transcripts made elsewhere: one JSON object a line, {"id": segment, "hyp": text}.

Conventions: a segment without a line is a failure and scores as deletions; a line for a segment that the set does
not have is a fault, since it shows that the transcripts belong to another set.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd

from bench.fault import Fault
from bench.formats.record import records
from bench.loop import looped
from bench.segment import TextSet


def read(path: Path, text_set: TextSet, track: str) -> pd.DataFrame:
    """Rows for `bench.score.score`, one a segment in the set's order.

    The file's name, less a final _R or _S, is the system's, so that both tracks of a system come together.

    Raises Fault with the line of an unknown or repeated id, of a missing key, or of a text that is not a string.
    """
    heard: dict[str, str] = {}
    known = {segment.id for segment in text_set.segments}
    for line, record in records(path):
        if not isinstance(record.get("id"), str) or not isinstance(record.get("hyp"), str):
            raise Fault('Expected {"id": "...", "hyp": "..."}, both strings.', file=path, line=line)
        if record["id"] not in known:
            raise Fault(f"The text set {text_set.name} has no segment {record['id']!r}.", file=path, line=line)
        if record["id"] in heard:
            raise Fault(f"The segment {record['id']!r} stands twice.", file=path, line=line)
        heard[record["id"]] = record["hyp"]
    segments = text_set.segments
    transcripts = [heard.get(segment.id) for segment in segments]
    columns: dict[str, Any] = {
        "system": re.sub(r"[_.-][RS]$", "", path.stem),
        "voice": "",
        "track": track,
        "segment": [segment.id for segment in segments],
        "take": 0,
        "channel": "",
        "recogniser": "",
        "diagnostic": False,
        "looped": [looped(transcript or "") for transcript in transcripts],
        "transcript": transcripts,
        "cause": [cause(transcript) for transcript in transcripts],
        "cluster": [segment.cluster for segment in segments],
        "headline": [segment.strata.get("headline", True) is not False for segment in segments],
    }
    return pd.DataFrame([segment.strata for segment in segments]).assign(**columns)


def cause(transcript: str | None) -> str | None:
    """Why a transcript counts as a failure, or None."""
    if transcript is None:
        return "transcript missing"
    return None if transcript.strip() else "transcript empty"
