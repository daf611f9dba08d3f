"""Text-to-speech under test: what an adapter is, and what it gives back.

Conventions: a system answers one text with one `Speech`, whose `audio` is the response as it came, byte for
byte. Times are `time.monotonic_ns()` of the client. An adapter never repairs, pads, trims or levels anything.
An adapter's constructor takes its settings as keyword arguments of plain types, so that a protocol file can
hold them; its `version` pins the model, or reads "dated observation YYYY-MM-DD" where the back end cannot be pinned.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bench import adapter as adapters
from bench.fault import Fault

NAMES = {
    "espeak": "bench.systems.espeak:Espeak",
    "piper": "bench.systems.piper:Piper",
    "command": "bench.systems.command:Command",
    "folder": "bench.systems.folder:Folder",
}


@dataclass(frozen=True, eq=False, slots=True)
class Speech:
    """One response: the bytes as they came, the suffix of their format, and the client's clock."""

    audio: bytes
    format: str  # the suffix of the raw file: wav, flac, mp3, ogg, ...
    submitted_ns: int
    completed_ns: int
    first_audio_ns: int | None = None
    request: Mapping[str, Any] = field(default_factory=dict)  # all that was sent, less any secret


@runtime_checkable
class System(Protocol):
    """A text-to-speech system in one configuration."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def synthesise(self, text: str, *, voice: str | None, seed: int) -> Speech:
        """Speak `text`. Raises any exception on failure; the run records it and tries again at most twice."""
        ...


@runtime_checkable
class Archive(Protocol):
    """A system whose audio was made elsewhere: it is looked up by segment, track and take, not spoken."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def find(self, segment: str, *, track: str, take: int) -> Speech: ...


def load(adapter: str, settings: Mapping[str, Any]) -> System | Archive:
    """The system with a short name ("piper") or an import path ("package.module:Class"). Raises Fault."""
    methods = {"synthesise": ("voice", "seed"), "find": ("track", "take")}
    made: System | Archive = adapters.make("system", adapter, settings, NAMES, methods)
    return made


def check(text: str) -> None:
    """Refuse what engines answer with a click, with half of the text or with nothing. Raises Fault."""
    if not text.strip():
        raise Fault("The text is blank; there is nothing to speak.")
    if "\0" in text:
        raise Fault("The text holds a NUL character, at which an engine stops reading; mend the text set.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Fault("The text holds half of a surrogate pair, which is no character; mend the text set.")


def wav(samples: NDArray[np.int16], rate: int) -> bytes:
    """The samples that a library handed over, int16 of shape (n,), as the bytes of a WAV file, unchanged."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.astype("<i2").tobytes())
    return stream.getvalue()
