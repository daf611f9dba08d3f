"""The panel: what a recogniser is, and the checks that every clip passes before one hears it.

Conventions: a recogniser hears mono float32 at 16 kHz and answers with its raw text, which is kept byte for
byte. Its `name` states every option that can change a transcript, its `version` pins the weights. A
`diagnostic` recogniser never enters a panel mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from bench import adapter as adapters
from bench.audio import Clip
from bench.fault import Fault

NAMES = {
    "faster-whisper": "bench.recognisers.faster_whisper:FasterWhisper",
    "pocketsphinx": "bench.recognisers.pocketsphinx:PocketSphinx",
}
RATE = 16_000
SHORTEST = 0.25  # seconds: below it Whisper answers "Thank you." to a fragment of any word


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a recogniser wrote, and the seconds of wall-clock time that it took."""

    text: str
    seconds: float


@runtime_checkable
class Recogniser(Protocol):
    """A speech recogniser in one configuration."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def diagnostic(self) -> bool: ...

    def transcribe(self, clip: Clip) -> Transcript: ...


def load(adapter: str, settings: Mapping[str, Any]) -> Recogniser:
    """The recogniser with a short name ("pocketsphinx") or an import path ("package.module:Class"). Raises Fault."""
    made: Recogniser = adapters.make("recogniser", adapter, settings, NAMES, {"transcribe": ()})
    if not isinstance(getattr(made, "diagnostic", None), bool):
        raise Fault(f"{adapter} has no diagnostic flag; state True (never in a panel mean) or False.")
    return made


def check(clip: Clip) -> None:
    """Refuse what recognisers accept silently and answer with confident nonsense. Raises Fault."""
    samples = clip.samples
    if clip.rate != RATE:
        raise Fault(f"A recogniser hears {RATE} Hz, this clip has {clip.rate} Hz; transmit it through a channel.")
    if samples.dtype != np.float32 or samples.ndim != 1:
        raise Fault(f"A recogniser hears float32 of shape (n,), this clip is {samples.dtype} {samples.shape}.")
    if not np.isfinite(samples).all():
        raise Fault("The clip has samples that are not finite; mend the system or channel that made it.")
    if clip.seconds < SHORTEST:
        raise Fault(f"The clip lasts {clip.seconds:.3f} s; recognisers make words up below {SHORTEST} s.")
