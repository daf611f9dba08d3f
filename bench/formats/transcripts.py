"""Transcripts of several routes: one file a recogniser as it ran, or one file a system with the routes merged.

Conventions: a *route* is a recogniser heard through one set-up. A one-route file is a journal with a row an attempt,
`tts_provider` naming the system, `asr_id` the route and `id` the segment; rows that are not ok are counted and left
out, and a later row replaces an earlier one. A merged file `{system}.asr.jsonl` has a row a segment,
`{"id": …, "asr": {route: text}}`. Both become system -> segment id -> route -> text.

Source: the layouts of CN-NewsTTS Bench v0.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.formats.newstts import kind, rows

SUFFIX = ".asr.jsonl"
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}")  # names that become files and folders

Heard = dict[str, dict[str, str]]  # segment id -> route -> text


@dataclass(frozen=True, slots=True)
class Journal:
    """All one-route files of a folder: the transcripts by system, and how many rows had which status."""

    heard: Mapping[str, Heard]
    status: Mapping[str, int]


def safe(name: str, what: str, *, file: Path | None = None, line: int | None = None) -> str:
    """The name, where it can be that of a file or folder. Raises Fault."""
    if not SAFE.fullmatch(name):
        raise Fault(
            f"The {what} {name!r} cannot name a file; expected letters, digits, '_', '.' or '-', at most 128 and "
            "a letter or digit first.",
            file=file,
            line=line,
        )
    return name


def read_routes(folder: Path) -> Journal:
    """The one-route files (`*.jsonl`) of a folder. Raises Fault for a row without its keys or with no text in it."""
    heard: dict[str, Heard] = {}
    status: dict[str, int] = {}
    for path in _files(folder, ".jsonl"):
        for line, row in rows(path):
            system, segment, route = (_name(row, key, path, line) for key in ("tts_provider", "id", "asr_id"))
            outcome = str(row.get("status") or "").strip() or "ok"
            status[outcome] = status.get(outcome, 0) + 1
            if outcome != "ok":
                continue
            by_segment = heard.setdefault(safe(system, "system", file=path, line=line), {})
            by_segment.setdefault(segment, {})[route] = _text(row.get("text"), "text", segment, path, line)
    if not heard:
        raise Fault("No row of the transcripts here is ok; expected rows with status ok.", file=folder)
    return Journal(heard, status)


def read_merged(folder: Path) -> dict[str, Heard]:
    """Every `{system}.asr.jsonl` of a folder. Raises Fault for a row without an object `asr`."""
    return {
        safe(path.name.removesuffix(SUFFIX), "system", file=path): read_system(path) for path in _files(folder, SUFFIX)
    }


def read_system(path: Path) -> Heard:
    """One merged file; where an id stands twice, the last row counts. Raises Fault."""
    heard: Heard = {}
    for line, row in rows(path):
        if "id" not in row:
            raise Fault("The row has no key 'id'; expected the segment's id.", file=path, line=line)
        segment, routes = str(row["id"]), row.get("asr")
        if not isinstance(routes, dict):
            found = f"holds {kind(routes)}" if "asr" in row else "is missing"
            raise Fault(
                f"Segment {segment}: the key 'asr' {found}; expected an object of route and transcript.",
                file=path,
                line=line,
            )
        heard[segment] = {route: _text(text, f"asr.{route}", segment, path, line) for route, text in routes.items()}
    return heard


def merge(heard: Heard, order: Sequence[str]) -> str:
    """One system's merged file: the segments of `order` that any route heard, with routes sorted."""
    lines = [
        json.dumps({"id": segment, "asr": dict(sorted(heard[segment].items()))}, ensure_ascii=False) + "\n"
        for segment in order
        if heard.get(segment)
    ]
    return "".join(lines)


def merge_summary(journal: Journal, order: Sequence[str], folder: str, routes: int = 3) -> dict[str, Any]:
    """What `merge` left out, for every system, as the published `merge_summary.json` says it."""
    systems = {}
    for system, heard in sorted(journal.heard.items()):
        missing = [segment for segment in order if not heard.get(segment)]
        few = [segment for segment in order if 0 < len(heard.get(segment, ())) < routes]
        systems[system] = {
            "output": f"{folder}/{system}{SUFFIX}",
            "rows": len(order) - len(missing),
            "missing": len(missing),
            "insufficient_asr": len(few),
            "first_missing": missing[:5],
            "first_insufficient": few[:5],
        }
    return {"providers": systems, "status_counts": dict(sorted(journal.status.items()))}


def _files(folder: Path, suffix: str) -> list[Path]:
    if not folder.is_dir():
        raise Fault(f"This is not a folder; expected one with files named *{suffix}.", file=folder)
    found = sorted(path for path in folder.iterdir() if path.name.endswith(suffix) and path.name != suffix)
    if not found:
        raise Fault(f"The folder has no file named *{suffix}.", file=folder)
    return found


def _name(row: Mapping[str, Any], key: str, path: Path, line: int) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value:
        raise Fault(f"The key {key!r} holds {kind(value)}; expected a name.", file=path, line=line)
    return value


def _text(value: Any, key: str, segment: str, path: Path, line: int) -> str:
    if value is None:
        return ""
    if isinstance(value, list | dict):
        raise Fault(f"Segment {segment}: the key {key!r} holds {kind(value)}; expected text.", file=path, line=line)
    return str(value)
