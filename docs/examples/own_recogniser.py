"""A recogniser of your own: a class with a name, a version, a diagnostic flag and transcribe().

In a protocol:  [[recogniser]]  adapter = "own_recogniser:Counter"  settings = { threshold = 0.02 }

Replace the body of `transcribe` by a call of your engine; state in `name` each option that can change a transcript.
"""

import time
from dataclasses import dataclass

import numpy as np

from bench import audio, recognisers, systems
from bench.audio import Clip
from bench.recognisers import Transcript


@dataclass(frozen=True)
class Counter:
    """Writes one word for each stretch of sound; it shows the shape of an adapter, not how to recognise speech."""

    threshold: float = 0.01

    @property
    def name(self) -> str:
        return f"counter|threshold={self.threshold:g}"

    @property
    def version(self) -> str:
        return "1.0"

    @property
    def diagnostic(self) -> bool:
        return True  # in no mean of a panel

    def transcribe(self, clip: Clip) -> Transcript:
        recognisers.check(clip)  # 16 kHz, mono, finite, long enough: nonsense is refused before it is heard
        started = time.perf_counter()
        frames = clip.samples[: len(clip.samples) // 1600 * 1600].reshape(-1, 1600)  # 0.1 s each
        loud = np.sqrt((frames**2).mean(axis=1)) > self.threshold
        starts = int(loud[0]) + int((loud[1:] & ~loud[:-1]).sum())
        return Transcript(" ".join(["sound"] * starts), time.perf_counter() - started)


if __name__ == "__main__":
    speech = systems.load("espeak", {}).synthesise("One. Two. Three.", voice="en-us", seed=0)
    clip = audio.resample(audio.read(speech.audio), recognisers.RATE)
    counter = recognisers.load("own_recogniser:Counter", {"threshold": 0.02})
    print(f"{counter.name} | {counter.version}\nheard {counter.transcribe(clip).text!r}")
