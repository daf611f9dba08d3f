"""The frozen protocol: everything that is fixed before a system is heard.

Conventions: a protocol is a TOML file; its sha256 goes into the manifest, every journal line and every signature.
Paths in it are relative to the file. `expected` lists the utterances that a run must deliver; nothing that
happens to be on disk adds or removes one. A name in a protocol becomes part of a path, so it must match NAME.
Takes count from 0, and a take's seed is 100000 x take + the segment's index in its text set (from 0).
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from bench import channels, formats
from bench.fault import Fault
from bench.segment import Segment, TextSet

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+=-]{0,99}")
Name = Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]
Line = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
ALL = "all"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextSetPart(_Part):
    """Which segments: a file pinned by its hash, whole or as a named subset or a stratified sample of it.

    `columns` maps the fields of a segment to the columns of a file that is in no published layout.
    """

    file: Path
    sha256: Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]
    subset: str | None = None
    sample: Annotated[int, Field(ge=1)] | None = None
    columns: dict[str, str] | None = None


class RawTrack(_Part):
    """What was done to the text before the system under test got it. All false is the raw-input track."""

    external_front_end: bool = False
    llm_rewriting: bool = False
    ssml: bool = False
    manual_fixes: bool = False


def _no_secret(settings: dict[str, Any]) -> dict[str, Any]:
    for name in settings:
        if re.search(r"(?i)(api_?key|token|secret|password|credential)", name):
            raise ValueError(
                f"the setting {name!r} looks like a secret, and a protocol is published; read it from the environment"
            )
    return settings


Settings = Annotated[dict[str, Any], AfterValidator(_no_secret)]


class Price(_Part):
    """What the owner of a system asks, as stated on a day; it is shown as it is, and converted into nothing."""

    amount: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    currency: Annotated[str, StringConstraints(pattern="^[A-Z]{3}$")]  # ISO 4217
    per: Literal["1K characters", "1M characters", "minute of audio", "hour of audio"]
    stated: date


class SystemPart(_Part):
    """A system under test. `hardware` names the machine of a local system, `region` that of a hosted one."""

    name: Name
    adapter: str
    voice: str | None = None
    settings: Settings = {}
    hardware: str | None = None
    region: str | None = None
    price: Price | None = None
    licence: Line
    conflict_of_interest: Line
    raw_track: RawTrack = RawTrack()

    @property
    def label(self) -> str:
        """The voice as a name: the last part of a path, reduced to the characters of NAME."""
        stem = re.split(r"[/\\]", self.voice or "default")[-1]
        return re.sub(r"[^A-Za-z0-9._+=-]", "_", stem).lstrip("._+=-") or "voice"


class RecogniserPart(_Part):
    """A member of the panel. `diagnostic` can be set for one that is not, never unset for one that is."""

    name: Name
    adapter: str
    settings: Settings = {}
    diagnostic: bool = False


class Protocol(_Part):
    """A protocol as read from its file. Build it with `read`, which knows the file's name, hash and bytes."""

    name: Name
    version: Line
    language: Line
    purpose: Line
    conflict_of_interest: Line
    tracks: Annotated[tuple[Literal["R", "S"], ...], Field(min_length=1)]
    channels: Annotated[tuple[str, ...], Field(min_length=1)]
    retries: Annotated[int, Field(ge=0, le=2)] = 2
    panel_mean: bool = True
    normalisers: Annotated[tuple[str, ...], Field(min_length=1)] = ("earshot",)  # the first is the headline
    text_set: TextSetPart
    takes: dict[str, Annotated[int, Field(ge=1)]] = {ALL: 1}
    systems: Annotated[tuple[SystemPart, ...], Field(min_length=1, alias="system")]
    recognisers: Annotated[tuple[RecogniserPart, ...], Field(min_length=1, alias="recogniser")]

    @model_validator(mode="after")
    def _names_are_single(self) -> Self:
        for kind, names in (
            ("system and voice", [f"{s.name}/{s.label}".lower() for s in self.systems]),
            ("recogniser", [r.name.lower() for r in self.recognisers]),
            ("channel", [str(channels.parse(c)) for c in self.channels]),
            ("track", [str(track) for track in self.tracks]),
        ):
            double = sorted({name for name in names if names.count(name) > 1})
            if double:
                raise ValueError(f"the {kind} {double[0]!r} stands twice; each may stand once (capitals do not count)")
        return self


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """One expected utterance."""

    system: str
    voice: str
    track: str
    segment: str
    take: int


@dataclass(frozen=True, slots=True)
class Frozen:
    """A protocol with the bytes that it was read from, their hash, and the text set that it pins."""

    protocol: Protocol
    source: Path
    raw: bytes
    sha256: str
    text_set: TextSet  # whole: a segment's index, and so its seed, does not depend on the chosen subset
    chosen: tuple[Segment, ...]
    index: Mapping[str, int]

    def seed(self, case: Case) -> int:
        """100000 x take + the segment's index in its text set (the rule of the TR-TTS-Bench card)."""
        return 100_000 * case.take + self.index[case.segment]


def read(path: Path, *, text_set: Path | None = None) -> Frozen:
    """The protocol in a TOML file, checked, with its text set. `text_set` stands in for the path that it names,
    for a protocol that was copied away from it; the pinned hash holds all the same. Raises Fault."""
    if not path.is_file():
        raise Fault("There is no such protocol.", file=path)
    raw = path.read_bytes()
    try:
        protocol = Protocol.model_validate(tomllib.loads(raw.decode()))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Fault(f"This is not TOML ({error}).", file=path) from None
    except ValidationError as error:
        raise Fault(_told(error), file=path) from None
    part = protocol.text_set
    whole = formats.read(
        text_set or path.parent / part.file, sha256=part.sha256, mapping=part.columns, language=protocol.language
    )
    whole = replace(whole, name=part.file.stem)
    index = {segment.id: place for place, segment in enumerate(whole.segments)}
    digest = hashlib.sha256(raw).hexdigest()
    return Frozen(protocol, path, raw, digest, whole, _choose(protocol, whole, path), index)


def _choose(protocol: Protocol, whole: TextSet, path: Path) -> tuple[Segment, ...]:
    part = protocol.text_set
    chosen = whole.subset(part.subset) if part.subset else whole
    known = {name for segment in whole.segments for name in segment.subsets} | {ALL}
    for name in [*([part.subset] if part.subset else []), *protocol.takes]:
        if name not in known:
            raise Fault(f"No segment is in the subset {name!r}; there are: {', '.join(sorted(known))}.", file=path)
    if part.sample is not None:
        chosen = chosen.sample(part.sample)
    for segment in chosen.segments:
        if not NAME.fullmatch(segment.id):
            raise Fault(
                f"The segment id {segment.id!r} becomes a file name, which may have letters, digits and ._+=- and "
                "starts with a letter or digit. Rename it in the text set.",
                file=part.file,
            )
        if "S" in protocol.tracks and segment.spoken is None:
            raise Fault(f"Segment {segment.id!r} has no spoken form, which track S needs.", file=part.file)
    return chosen.segments


def takes(protocol: Protocol, segment: Segment) -> int:
    """How many takes a segment gets: the largest number among its subsets, and that of `all`."""
    return max(protocol.takes.get(name, 1) for name in (ALL, *segment.subsets))


def expected(frozen: Frozen) -> Iterator[Case]:
    """Every utterance that the protocol asks for, in its order: system, track, segment, take."""
    for system in frozen.protocol.systems:
        for track in frozen.protocol.tracks:
            for segment in frozen.chosen:
                for take in range(takes(frozen.protocol, segment)):
                    yield Case(system.name, system.label, track, segment.id, take)


def _told(error: ValidationError) -> str:
    """Every fault of a protocol in a sentence each; a key that is unknown may be one that is missing."""
    missing = [str(problem["loc"][-1]) for problem in error.errors() if problem["type"] == "missing"]
    told = []
    for problem in error.errors():
        where = ".".join(str(part) for part in problem["loc"]) or "the protocol"
        if problem["type"] == "missing":
            told.append(f"The key {where} is missing.")
        elif problem["type"] == "extra_forbidden":
            near = get_close_matches(str(problem["loc"][-1]), missing, 1)
            told.append(f"The key {where} is unknown{f'; is {near[0]} meant?' if near else '.'}")
        else:
            told.append(f"The key {where}: {problem['msg']}. Found: {str(problem['input'])[:80]!r}.")
    return " ".join(told)
