"""What is read aloud: segments, and the text sets that hold them.

Conventions: a segment is one expected utterance. `text` is the written form (track R), `spoken` the canonical
reading in words (track S), `lattice` the accepted readings after normalisation with the canonical one first.
Every published layout is mapped onto this by a reader in `bench.formats`; fields that Earshot has no name for
are kept in `extra`. A text set is pinned by the sha256 of its file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

SPAN_TYPES = (
    "amount",
    "date",
    "time",
    "phone",
    "iban",
    "identifier",
    "number",
    "name",
    "acronym",
    "unit",
    "other",
)
TRACKS = ("R", "S")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of `Segment.spoken` that carries information, with the other readings a native accepts."""

    text: str
    alternatives: tuple[str, ...] = ()
    type: str = "other"


@dataclass(frozen=True, slots=True)
class Target:
    """A stretch `text[start:end]` with readings known to be right and readings known to be wrong."""

    id: str
    span: str
    start: int
    end: int
    category: str
    group: str
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    auto_evaluable: bool = True


@dataclass(frozen=True, slots=True)
class Segment:
    """One expected utterance. `language` is a BCP 47 tag; `cluster` the unit of resampling where rows depend."""

    id: str
    language: str
    text: str
    spoken: str | None = None
    lattice: str | None = None
    spans: tuple[Span, ...] = ()
    targets: tuple[Target, ...] = ()
    strata: Mapping[str, Any] = field(default_factory=dict)
    subsets: tuple[str, ...] = ()
    cluster: str | None = None
    canary: str | None = None
    pron_hint: str = ""
    notes: str = ""
    source: str = ""
    licence: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    def written(self, track: str) -> str | None:
        """The input that a system gets on a track: the written form on R, the canonical reading on S."""
        return self.text if track == "R" else self.spoken


@dataclass(frozen=True, slots=True)
class TextSet:
    """Segments in file order. `sha256` is that of the file they were read from; `layout` the reader's name."""

    name: str
    segments: tuple[Segment, ...]
    sha256: str
    layout: str = ""

    def __len__(self) -> int:
        return len(self.segments)

    def subset(self, name: str) -> TextSet:
        """The segments that list `name` among their subsets, in file order; the hash stays the file's."""
        return replace(self, segments=tuple(s for s in self.segments if name in s.subsets))

    def sample(self, n: int, *, strata: Sequence[str] = (), seed: int = 0) -> TextSet:
        """A stratified sample of `n` segments, in file order; a smaller sample lies inside every larger one.

        Segments are ordered inside each stratum by a seeded hash of their id, then dealt round-robin over the
        strata in file order, so that any first `n` are as even as they can be. Without `strata` the columns
        that all layouts share are used: group or category.
        """
        columns = strata or _default_strata(self.segments)
        decks: dict[tuple[str, ...], list[Segment]] = {}
        for segment in self.segments:
            key = tuple(str(segment.strata.get(column)) for column in columns)
            decks.setdefault(key, []).append(segment)
        for deck in decks.values():
            deck.sort(key=lambda s: hashlib.sha256(f"{seed}|{s.id}".encode()).digest())
        dealt = [deck[depth] for depth in range(len(self)) for deck in decks.values() if depth < len(deck)]
        chosen = {segment.id for segment in dealt[: max(n, 0)]}
        return replace(self, segments=tuple(s for s in self.segments if s.id in chosen))


def _default_strata(segments: Sequence[Segment]) -> tuple[str, ...]:
    for column in ("group", "category", "domain"):
        if any(column in segment.strata for segment in segments):
            return (column,)
    return ()
