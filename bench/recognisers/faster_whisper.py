"""Whisper through faster-whisper, utterance by utterance, in the configuration that is published or a repeatable one.

Conventions: the published configuration is the library's: beam 5, all else its default, non-batched (batches change
transcripts). Its temperature fall-back draws random numbers, and a decoding thread of CTranslate2 takes its seed
once, at its first draw: so the seed is set before each utterance, and after an utterance that drew, the model is
loaded anew. Transcripts then depend on the clip alone. `deterministic` does without the fall-back; as nothing then
breaks a loop, the number of tokens is bounded by the length of the clip.

One core a process: two processes of one thread do more than one of two. float32 gives the same transcripts on every
instruction set, int8 does not: its version says on which it ran.
"""

from __future__ import annotations

import functools
import os
import platform
import re
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.adapter import package, release, sha256
from bench.audio import Clip
from bench.fault import Fault
from bench.recognisers import Transcript, check, weights

SEED = 0
WINDOW = 30.0  # seconds that Whisper hears at once
COMPUTE_TYPES = ("float32", "float16", "bfloat16", "int16", "int8", "int8_float32", "int8_float16", "int8_bfloat16")


@dataclass(frozen=True)
class FasterWhisper:
    """A Whisper model in one configuration; `language` is Whisper's code, or None where the model shall guess.

    `model` is "tiny.en" or "base" (brought by the demo extra), a folder with a converted model, or with a
    `revision` of 40 hex digits the name of a model on the hub, which is fetched only where `download` is true.
    """

    model: str = "tiny.en"
    language: str | None = "en"
    beam_size: int = 5
    compute_type: str = "float32"
    deterministic: bool = False
    vad_filter: bool = False
    device: str = "cpu"
    revision: str | None = None
    download: bool = False
    hub_silence: float = 60.0

    def __post_init__(self) -> None:
        if self.compute_type not in COMPUTE_TYPES:
            raise Fault(f"compute_type is {self.compute_type!r}; expected one of {', '.join(COMPUTE_TYPES)}.")
        if self.beam_size < 1:
            raise Fault(f"beam_size is {self.beam_size}; expected 1 or more.")
        if self.model.endswith(".en") and self.language not in (None, "en"):
            raise Fault(
                f"The model {self.model!r} knows English alone, not {self.language!r}; take a multilingual one."
            )
        if self.device not in ("cpu", "cuda"):
            raise Fault(f"device is {self.device!r}; expected cpu or cuda.")

    @property
    def name(self) -> str:
        label = Path(self.model).name if self.revision is None else self.model.removeprefix("Systran/faster-whisper-")
        parts = [f"whisper-{label}", self.compute_type, f"beam={self.beam_size}", f"lang={self.language or 'auto'}"]
        parts += ["deterministic"] * self.deterministic + ["vad"] * self.vad_filter + ["cuda"] * (self.device == "cuda")
        return "|".join(parts)

    @property
    def version(self) -> str:
        """The releases of faster-whisper and CTranslate2, the sha256 of the weights, and for int8 the processor."""
        package("faster_whisper", distribution="faster-whisper", extra=None)
        digest = sha256(self._weights() / "model.bin")
        parts = [release("faster-whisper"), release("ctranslate2"), f"weights sha256 {digest[:12]}"]
        if self.revision is not None:
            parts.append(f"revision {self.revision}")
        if self.compute_type.startswith("int"):
            parts.append(f"{self.compute_type} on {instruction_set()}")
        return ", ".join(parts)

    @property
    def diagnostic(self) -> bool:
        return False

    def transcribe(self, clip: Clip) -> Transcript:
        """What is heard in a clip of 16 kHz, as Whisper writes it, its leading space included."""
        check(clip)
        options: dict[str, Any] = {}
        if self.deterministic:
            tokens = int(16 + 12 * min(clip.seconds, WINDOW))
            options = {"temperature": 0.0, "condition_on_previous_text": False, "max_new_tokens": tokens}
        engine = _engine(str(self._weights()), self.compute_type, self.device)
        if self.language is not None and self.language not in engine.languages:
            raise Fault(f"The model {self.model!r} does not know the language {self.language!r}.")
        return engine.hear(
            clip, language=self.language, beam_size=self.beam_size, vad_filter=self.vad_filter, **options
        )

    def _weights(self) -> Path:
        return weights.find(self.model, self.revision, download=self.download, silence=self.hub_silence)


class _Engine:
    """A loaded model: one utterance at a time, each from the same state of the random generator."""

    def __init__(self, folder: str, compute_type: str, device: str) -> None:
        self._lock = threading.Lock()
        self._settings = {"device": device, "compute_type": compute_type, "cpu_threads": 1, "num_workers": 1}
        self._folder = folder
        self._load()
        self.languages = frozenset(self._model.supported_languages)

    def _load(self) -> None:
        library = package("faster_whisper", distribution="faster-whisper", extra=None)
        self._model = library.WhisperModel(self._folder, **self._settings)
        self._drew = False
        self._model.model = _Watched(self._model.model, self._note)

    def _note(self) -> None:
        self._drew = True

    def hear(self, clip: Clip, **options: Any) -> Transcript:
        with self._lock:
            if self._drew:
                self._load()
            started = time.perf_counter()
            package("ctranslate2", distribution="ctranslate2", extra=None).set_random_seed(SEED)
            segments, _ = self._model.transcribe(clip.samples, **options)
            text = "".join(segment.text for segment in segments)
            return Transcript(text, time.perf_counter() - started)


class _Watched:
    """CTranslate2's model, which tells when it draws random numbers: more than the best token to choose from."""

    def __init__(self, model: Any, drew: Any) -> None:
        self._model = model
        self._drew = drew

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def generate(self, *inputs: Any, **options: Any) -> Any:
        if options.get("sampling_topk", 1) != 1:
            self._drew()
        return self._model.generate(*inputs, **options)


@functools.cache
def _engine(folder: str, compute_type: str, device: str) -> _Engine:
    return _Engine(folder, compute_type, device)


def instruction_set() -> str:
    """The processor's maker and its widest set for whole numbers, with CTranslate2's override where one is set."""
    found = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        text = cpuinfo.read_text()
        flags = set((re.search(r"^flags\s*:(.*)$", text, re.M) or [""] * 2)[1].split())
        maker = re.search(r"^vendor_id\s*:\s*(.*)$", text, re.M)
        best = next((f for f in ("amx_int8", "avx512_vnni", "avx_vnni", "avx512f", "avx2", "avx") if f in flags), found)
        found = f"{maker[1]} {best}" if maker else best
    forced = os.environ.get("CT2_FORCE_CPU_ISA")
    return f"{found} (CT2_FORCE_CPU_ISA={forced})" if forced else found
