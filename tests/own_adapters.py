"""Systems and recognisers of a user's own, by import path, that fail in the ways that real ones do."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from bench.audio import Clip, clip, encode
from bench.recognisers import Transcript
from bench.systems import Speech


def _tone(seconds: float) -> bytes:
    at = np.arange(int(16000 * seconds)) / 16000
    return encode(clip(0.3 * np.sin(2 * np.pi * 440 * at), 16000), "WAV")


class Moody:
    """Speaks a tone. Fails, is silent, answers nonsense, or takes its process down, as the text asks for."""

    name = "moody"
    version = "1.0"

    def __init__(self, diary: str) -> None:
        self.diary = diary  # a file that counts the calls over all processes

    def synthesise(self, text: str, *, voice: str | None, seed: int) -> Speech:
        with Path(self.diary).open("a") as stream:
            stream.write(f"{seed}\n")
        start = time.monotonic_ns()
        if "crash" in text:
            os._exit(1)
        if "fail" in text:
            raise RuntimeError(f"no luck with seed {seed}")
        if "once" in text and Path(self.diary).read_text().split().count(str(seed)) < 2:
            raise TimeoutError("the server is busy")
        audio = (
            b"" if "empty" in text else b"not a sound" if "noise" in text else _tone(0.1 if "short" in text else 0.5)
        )
        if "silent" in text:
            audio = encode(clip(np.zeros(8000), 16000), "WAV")
        return Speech(audio, "wav", start, time.monotonic_ns(), request={"key": "kept out"})


class Counter:
    """Writes down how long the clip was."""

    name = "counter"
    version = "1.0"
    diagnostic = False

    def transcribe(self, clip: Clip) -> Transcript:
        if clip.seconds < 0.25:
            raise ValueError("too short to count")
        return Transcript(f"{clip.seconds:.2f} seconds", 0.001)
