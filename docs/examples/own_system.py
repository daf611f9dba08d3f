"""A system of your own: a class with a name, a version and synthesise(), named by its import path.

In a protocol:  [[system]]  adapter = "own_system:Hum"  settings = { pitch = 180 }

Replace `_hum` by a call of your engine. Raise any exception when it fails: the run records it and tries again.
"""

import io
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from bench import audio, systems
from bench.systems import Speech


@dataclass(frozen=True)
class Hum:
    """Hums a tone as long as the text. Its settings are its constructor's arguments."""

    pitch: float = 220.0

    @property
    def name(self) -> str:
        return f"hum|pitch={self.pitch:g}"

    @property
    def version(self) -> str:
        return "1.0"  # pin the model, or say "dated observation 2026-11-29" where the vendor lets you pin nothing

    def synthesise(self, text: str, *, voice: str | None, seed: int) -> Speech:
        systems.check(text)
        submitted = time.monotonic_ns()
        stream = io.BytesIO()
        soundfile.write(stream, self._hum(0.06 * len(text)), 16_000, format="WAV")
        request = {"text": text, "voice": voice, "seed": seed, "pitch": self.pitch}
        return Speech(stream.getvalue(), "wav", submitted, time.monotonic_ns(), request=request)

    def _hum(self, seconds: float) -> np.ndarray:
        return 0.2 * np.sin(2 * np.pi * self.pitch * np.arange(int(seconds * 16_000)) / 16_000)


if __name__ == "__main__":
    hum = systems.load("own_system:Hum", {"pitch": 180})
    speech = hum.synthesise("Your order will arrive on Monday.", voice=None, seed=0)
    file = Path("own-system.wav")
    file.write_bytes(speech.audio)
    print(f"{hum.name} | {hum.version}\n{file}: {audio.read(file).seconds:.2f} s")
