"""PocketSphinx 5, a recogniser of another family (Gaussian mixtures and a trigram model), for a second opinion.

Conventions: US English with the package's own model, int16 at 16 kHz inside. It is `diagnostic` and never enters
a panel mean: its model was trained on wide-band read speech, so on telephone audio its errors measure the
mismatch of its model as much as the line.

The decoder carries its cepstral mean from one utterance to the next, so that transcripts would depend on the
order of the clips; it is set anew before each. Empty audio breaks a decoder for good: `check` keeps it out, and
a decoder that has failed is thrown away.
"""

from __future__ import annotations

import functools
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.adapter import package, release, sha256
from bench.audio import Clip
from bench.recognisers import Transcript, check

BOUNDS = ("maxhmmpf", "maxwpf")


@dataclass(frozen=True)
class PocketSphinx:
    """PocketSphinx with its US English model, by default with all its defaults.

    `maxhmmpf` and `maxwpf` bound the states and the words that are followed in a frame (-1: no bound): with 3000 and
    20 it takes a third less time, and erred no more on 40 demo clips.
    """

    maxhmmpf: int = 30_000
    maxwpf: int = -1

    @property
    def name(self) -> str:
        changed = [f"|{key}={getattr(self, key)}" for key in BOUNDS if getattr(self, key) != getattr(PocketSphinx, key)]
        return "pocketsphinx|lang=en" + "".join(changed)

    @property
    def version(self) -> str:
        """The release of pocketsphinx, and the sha256 of acoustic model, language model and dictionary."""
        folder = Path(package("pocketsphinx", distribution="pocketsphinx").get_model_path("en-us"))
        return f"{release('pocketsphinx')}, en-us sha256 {sha256(folder)[:12]}"

    @property
    def diagnostic(self) -> bool:
        return True

    def transcribe(self, clip: Clip) -> Transcript:
        """What is heard in a clip of 16 kHz, in lower case without punctuation; "" where it finds no words."""
        check(clip)
        decoder, lock = _decoder(self.maxhmmpf, self.maxwpf)
        samples = np.round(np.clip(clip.samples, -1, 1) * 32767).astype("<i2")
        with lock:
            started = time.perf_counter()
            try:
                decoder.reinit_feat()
                decoder.start_utt()
                decoder.process_raw(samples.tobytes(), full_utt=True)
                decoder.end_utt()
                heard = decoder.hyp()
            except Exception:
                _decoder.cache_clear()
                raise
            return Transcript(heard.hypstr if heard else "", time.perf_counter() - started)


@functools.cache
def _decoder(maxhmmpf: int, maxwpf: int) -> tuple[Any, threading.Lock]:
    """One decoder a process and configuration, with the lock that keeps two threads out of it; 0.5 s to make."""
    sphinx = package("pocketsphinx", distribution="pocketsphinx")
    return sphinx.Decoder(loglevel="FATAL", maxhmmpf=maxhmmpf, maxwpf=maxwpf), threading.Lock()
