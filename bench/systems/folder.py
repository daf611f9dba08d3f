"""Audio that was made elsewhere, as files in a folder: the way for a closed system, a studio or a colleague.

Conventions: a file is found by `pattern`, a relative path with the fields `{segment}`, `{track}` and `{take}`.
Where it has no `{track}`, all files are of the one `track` that is stated; without `{take}` there is take 0 alone.
A segment's id comes from a text set and is not trusted: neither it nor a link can lead out of the folder. The
times of a look-up are no latencies.
"""

from __future__ import annotations

import string
import time
from dataclasses import dataclass
from pathlib import Path

from bench.fault import Fault
from bench.segment import TRACKS
from bench.systems import Speech

_FIELDS = {"segment", "track", "take"}


@dataclass(frozen=True)
class Folder:
    """Recordings of one system. `version` states what made them, or "dated observation YYYY-MM-DD"."""

    name: str
    folder: str
    version: str
    pattern: str = "{segment}.{take}.wav"
    track: str = "R"
    licence: str = ""

    def __post_init__(self) -> None:
        if not Path(self.folder).expanduser().is_dir():
            raise Fault(f"{self.name}: there is no such folder of recordings.", file=self.folder)
        if self.track not in TRACKS:
            raise Fault(f"{self.name}: track is {self.track!r}; expected one of {', '.join(TRACKS)}.")
        try:
            fields = [
                (field, spec or conversion) for _, field, spec, conversion in string.Formatter().parse(self.pattern)
            ]
        except ValueError as error:
            raise Fault(f"{self.name}: the pattern {self.pattern!r} cannot be read ({error}).") from None
        named = {field for field, _ in fields if field is not None}
        if "segment" not in named or named - _FIELDS or any(extra for _, extra in fields):
            raise Fault(f"{self.name}: the pattern is {self.pattern!r}; expected {{segment}}, and none but {_FIELDS}.")
        if Path(self.pattern).is_absolute() or ".." in Path(self.pattern).parts or not Path(self.pattern).suffix:
            raise Fault(
                f"{self.name}: the pattern is {self.pattern!r}; expected a path below the folder with a suffix."
            )

    def find(self, segment: str, *, track: str, take: int) -> Speech:
        """The recording of a segment, byte for byte. Raises Fault when there is none, or when it lies elsewhere."""
        if "{track}" not in self.pattern and track != self.track:
            raise Fault(f"{self.name} has recordings of track {self.track} alone, not of {track}.")
        if "{take}" not in self.pattern and take > 0:
            raise Fault(f"{self.name} has one recording a segment; the pattern needs {{take}} for take {take}.")
        if not segment.isprintable() or any(mark in segment for mark in "/\\:") or segment.strip(". ") == "":
            raise Fault(f"{self.name}: the segment id {segment!r} cannot be a part of a file name; rename the segment.")
        root = Path(self.folder).expanduser().resolve()
        relative = self.pattern.format(segment=segment, track=track, take=take)
        path = (root / relative).resolve()
        if not path.is_relative_to(root):
            raise Fault(f"{self.name}: {relative} leads out of the folder of recordings.", file=root)
        if not path.is_file():
            raise Fault(
                f"{self.name} has no recording of {segment!r}, track {track}, take {take}.", file=root / relative
            )
        started = time.monotonic_ns()
        audio = path.read_bytes()
        request = {"file": relative}
        return Speech(audio, path.suffix[1:].lower(), started, time.monotonic_ns(), request=request)
