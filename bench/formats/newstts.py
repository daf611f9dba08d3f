"""CN-NewsTTS Bench: its records as segments with targets, and where a release keeps its files.

Conventions: a dataset is JSON lines in UTF-8, one record a line; lines are stripped and blank ones skipped. A
record holds the raw text for the synthesiser and targets, each a span of that text with readings known to be
right and readings known to be wrong. Reading is as lenient as the published v0.1 scorer (defaults for what may be
left out, any truthy `auto_evaluable`); `bench.formats.newstts_rules` says what is wrong with a file. Fields that
`Segment` and `Target` have no name for stay in `Segment.extra`, those of a target under `extra["targets"][id]`.
The published schema leaves `metadata` free; what Earshot's own set adds (the spoken form, the lattice, typed spans,
subsets, canary, licence, language) stands there under the names of TR-TTS-Bench, so that its file is a valid dataset.
The release exists in two folder layouts, which `places` tells apart.

Source: github.com/Jayden-X-L/cn-news-tts-bench v0.1, arXiv:2606.24714; data and scores CC BY 4.0.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.segment import Segment, Span, Target

LAYOUT = "newstts"
REQUIRED = frozenset({"id", "text", "targets"})
LANGUAGE = "zh-Hans-CN"
LICENCE = "CC-BY-4.0"
RECORD_FIELDS = ("id", "split", "source", "domain", "text", "targets")
TARGET_FIELDS = ("target_id", "span", "category", "positive_readings", "negative_readings")
TARGET_OPTIONS = ("start", "end", "group", "auto_evaluable")
METADATA_FIELDS = ("text_spoken", "ref_lattice", "alt_spans", "subsets", "canary", "license", "language_tag")

_PUNCTUATION = dict.fromkeys(map(ord, "，。！？、：；,.!?;:“”\"'‘’（）()[]{}《》<>〈〉·•/\\|_+=~`"))

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def bare(text: str) -> str:
    """Upper case, no white space, no punctuation but hyphens and dashes: `fold` without its NFKC."""
    return "".join(text.upper().split()).translate(_PUNCTUATION)


def fold(text: str) -> str:
    """NFKC, then `bare`: what CN-NewsTTS Bench v0.1 compares."""
    return bare(unicodedata.normalize("NFKC", text))


@dataclass(frozen=True, slots=True)
class Places:
    """Where one release keeps its public test: files and folders, whether or not they are all there."""

    layout: str  # current or legacy
    dataset: Path
    transcripts: Path
    merged: Path
    scores: Path
    checksums: Path


def places(root: Path) -> Places:
    """The layout of the release unpacked at `root`, known by its dataset file. Raises Fault where there is none."""
    current = Places(
        "current",
        root / "data/canonical/test_public.jsonl",
        root / "artifacts/asr_transcripts/public_test",
        root / "artifacts/asr_merged/public_test",
        root / "artifacts/scores",
        root / "releases/v0.1/core_checksums.sha256",
    )
    legacy = Places(
        "legacy",
        root / "data/test_public.jsonl",
        root / "results/asr_transcripts/public_test",
        root / "results/asr_results/public_test",
        root / "results",
        root / "release/v0.1_core_checksums.sha256",
    )
    for candidate in (current, legacy):
        if candidate.dataset.is_file():
            return candidate
    raise Fault(
        "This is not a release of CN-NewsTTS Bench: it has neither data/canonical/test_public.jsonl nor "
        "data/test_public.jsonl. Give the folder that the release was unpacked into, or the dataset file itself.",
        file=root,
    )


def content(path: Path) -> str:
    """The file as UTF-8 text. Raises Fault where it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Fault(f"Byte {error.start} is not UTF-8; save the file as UTF-8.", file=path) from None
    except OSError as error:
        raise Fault(f"The file cannot be read ({error.strerror}).", file=path) from None


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number (from 1) and object of every line that is not blank. Raises Fault at the first that is not JSON."""
    for line, text in lines(path):
        try:
            yield line, parse(text)
        except Fault as fault:
            raise Fault(str(fault), file=path, line=line) from None


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Line number (from 1) and stripped text of every line that is not blank."""
    for line, text in enumerate(content(path).split("\n"), start=1):
        if text := text.strip():
            yield line, text


def parse(text: str) -> dict[str, Any]:
    """The object that a line holds. Raises Fault, without a place, for all else."""
    try:
        row = json.loads(text)
        if _SURROGATE.search(text):  # an escape may stand for half a character, which cannot be written again
            json.dumps(row, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Fault(f"The line is not JSON ({error.msg} at character {error.colno}); expected one object.") from None
    except (ValueError, RecursionError) as error:
        raise Fault(f"The line cannot be read ({type(error).__name__}: {error}).") from None
    if not isinstance(row, dict):
        raise Fault(f"The line holds {kind(row)}; expected one JSON object a line.")
    return row


def kind(value: object) -> str:
    """What JSON calls a value, with its article: for messages."""
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def segment(row: Mapping[str, Any]) -> Segment:
    """One record. Raises Fault, without a place, for one that cannot be scored."""
    identity = row.get("id")
    if not isinstance(identity, str) or not identity:
        raise Fault(f"The key 'id' holds {kind(identity)}; expected a string that names the record.")
    text, targets = row.get("text"), row.get("targets")
    if not isinstance(text, str) or not text.strip():
        raise Fault(f"Record {identity}: the key 'text' holds {kind(text)}; expected the text to read aloud.")
    if not isinstance(targets, list) or not targets or not all(isinstance(entry, dict) for entry in targets):
        raise Fault(
            f"Record {identity}: the key 'targets' holds {kind(targets)}; expected a list of objects, not empty."
        )
    read_targets = tuple(_target(entry, identity, n, text) for n, entry in enumerate(targets, start=1))
    split = str(row.get("split", ""))
    extra = {key: value for key, value in row.items() if key not in RECORD_FIELDS}
    free = row.get("metadata")
    own: Mapping[str, Any] = free if isinstance(free, dict) else {}
    if own and not (rest := {key: value for key, value in own.items() if key not in METADATA_FIELDS}):
        del extra["metadata"]
    elif own:
        extra["metadata"] = rest
    known = (*TARGET_FIELDS, *TARGET_OPTIONS)
    unnamed = {
        target.id: more
        for target, entry in zip(read_targets, targets, strict=True)
        if (more := {key: value for key, value in entry.items() if key not in known})
    }
    return Segment(
        id=identity,
        language=own.get("language_tag", LANGUAGE),
        text=text,
        spoken=own.get("text_spoken"),
        lattice=own.get("ref_lattice"),
        spans=tuple(Span(entry["span"], tuple(entry["alts"]), entry["type"]) for entry in own.get("alt_spans", ())),
        targets=read_targets,
        strata={
            "domain": str(row.get("domain", "")),
            "category": read_targets[0].category,
            "group": read_targets[0].group,
        },
        subsets=((split,) if split else ()) + tuple(own.get("subsets", ())),
        # The texts come from templates: records are alike where the same spans were put into them.
        cluster=" + ".join(target.span for target in read_targets),
        source=str(row.get("source", "")),
        canary=own.get("canary"),
        licence=own.get("license", LICENCE),
        extra=extra | ({"targets": unnamed} if unnamed else {}),
    )


def _target(entry: Mapping[str, Any], record: str, n: int, text: str) -> Target:
    identity = str(entry.get("target_id", f"{record}_t{n}"))
    span = str(entry.get("span", ""))
    start = entry.get("start", text.find(span))
    end = entry.get("end", start + len(span) if isinstance(start, int) else None)
    if not isinstance(start, int) or not isinstance(end, int):
        raise Fault(f"Target {identity}: 'start' and 'end' are {start!r} and {end!r}; expected code-point offsets.")
    return Target(
        id=identity,
        span=span,
        start=start,
        end=end,
        category=str(entry.get("category", "")),
        group=str(entry.get("group", "other")),
        positive=_readings(entry, "positive_readings", identity),
        negative=_readings(entry, "negative_readings", identity),
        auto_evaluable=bool(entry.get("auto_evaluable", True)),
    )


def _readings(entry: Mapping[str, Any], key: str, target: str) -> tuple[str, ...]:
    readings: Sequence[Any] | None = entry.get(key)
    if not isinstance(readings, list) or not all(isinstance(reading, str) for reading in readings):
        raise Fault(f"Target {target}: the key {key!r} holds {readings!r}; expected a list of strings.")
    return tuple(readings)
