"""espeak-ng 1.52, a formant synthesiser with a hundred languages: small, quick, and hard to follow on purpose.

Conventions: the voice is an espeak-ng voice name (`en-us`, `tr`, `de`, `cmn`); audio is 16-bit WAV at the
library's own rate, 22,050 Hz. The text is plain text: no SSML and no phoneme markup is read.

The library keeps synthesis state in static variables that neither espeak_Terminate nor espeak_ng_SetRandSeed
resets, so the second call for a text gives other samples than the first. A fresh copy of the library for each
utterance (load, speak, unload: 6 ms) gives the same bytes every time, and `seed` has nothing to do.
"""

from __future__ import annotations

import _ctypes
import ctypes
import functools
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.adapter import package, release, sha256
from bench.fault import Fault
from bench.systems import Speech, check, wav

# From espeak-ng's speak_lib.h.
_AUDIO_OUTPUT_SYNCHRONOUS, _DONT_EXIT, _CHARS_UTF8, _POS_CHARACTER = 2, 0x8000, 1, 1
_RATE, _PITCH = 1, 3
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)

# One copy of the library in a process at a time: two threads would share its static state.
_LOCK = threading.Lock()


@dataclass(frozen=True)
class Espeak:
    """espeak-ng at 80 to 450 words per minute and a pitch of 0 to 99; `voice` holds where a call names none."""

    voice: str = "en-us"
    wpm: int = 175
    pitch: int = 50

    def __post_init__(self) -> None:
        if not 80 <= self.wpm <= 450 or not 0 <= self.pitch <= 99:
            raise Fault(f"espeak: wpm is {self.wpm} and pitch {self.pitch}; expected 80 to 450 and 0 to 99.")

    @property
    def name(self) -> str:
        changed = [
            f"|{key}={getattr(self, key)}" for key in ("wpm", "pitch") if getattr(self, key) != getattr(Espeak, key)
        ]
        return "espeak" + "".join(changed)

    @property
    def version(self) -> str:
        """The library's own version, its wheel, and the sha256 of library and voices."""
        return _version()

    @property
    def licence(self) -> str:
        return "espeak-ng: GPL-3.0-or-later; the wheel espeakng-loader declares none"

    def synthesise(self, text: str, *, voice: str | None = None, seed: int = 0) -> Speech:
        """Speak `text`: the same text, the same bytes. Raises Fault for a text or voice that cannot be spoken."""
        check(text)
        voice = self.voice if voice is None else voice
        request = {"text": text, "voice": voice, "wpm": self.wpm, "pitch": self.pitch}
        submitted = time.monotonic_ns()
        samples, rate = _speak(text, voice, self.wpm, self.pitch)
        if not samples.size:
            raise Fault(f"espeak spoke nothing for {text!r} with the voice {voice!r}.")
        return Speech(wav(samples, rate), "wav", submitted, time.monotonic_ns(), request=request)


def _speak(text: str, voice: str, wpm: int, pitch: int) -> tuple[NDArray[np.int16], int]:
    chunks: list[NDArray[np.int16]] = []

    def collect(samples: ctypes._Pointer[ctypes.c_short], count: int, _events: int | None) -> int:
        if samples and count > 0:
            chunks.append(np.ctypeslib.as_array(samples, shape=(count,)).astype(np.int16))
        return 0

    callback = _CALLBACK(collect)  # kept in a name: the library holds no reference of its own
    with _library() as library:
        rate = _initialise(library)
        library.espeak_SetSynthCallback(callback)
        if "\0" in voice or library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise Fault(f"espeak has no voice {voice!r}; it has for example en-us, tr, de and cmn (Mandarin).")
        library.espeak_SetParameter(_RATE, wpm, 0)
        library.espeak_SetParameter(_PITCH, pitch, 0)
        raw = text.encode() + b"\0"
        size = ctypes.c_size_t(len(raw))
        if status := library.espeak_Synth(ctypes.c_char_p(raw), size, 0, _POS_CHARACTER, 0, _CHARS_UTF8, None, None):
            raise RuntimeError(f"espeak_Synth returned {status}")
        library.espeak_Synchronize()
        library.espeak_Terminate()
    return (np.concatenate(chunks) if chunks else np.zeros(0, np.int16)), rate


def _initialise(library: ctypes.CDLL) -> int:
    loader = package("espeakng_loader", distribution="espeakng-loader")
    rate: int = library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, loader.get_data_path().encode(), _DONT_EXIT)
    if rate <= 0:
        raise Fault(f"espeak found no voices in {loader.get_data_path()}; install espeakng-loader anew.")
    return rate


@contextmanager
def _library() -> Iterator[ctypes.CDLL]:
    """A fresh copy of the library, unloaded at the end; this alone resets its static state."""
    path = package("espeakng_loader", distribution="espeakng-loader").get_library_path()
    with _LOCK:
        if _loaded(path):
            raise Fault(f"Another part of this program has {path} loaded; espeak cannot be reset and would not repeat.")
        library = ctypes.CDLL(path)
        try:
            yield library
        finally:
            _ctypes.dlclose(library._handle)


def _loaded(path: str) -> bool:
    try:
        _ctypes.dlclose(ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)._handle)
    except OSError:
        return False
    return True


@functools.cache
def _version() -> str:
    loader = package("espeakng_loader", distribution="espeakng-loader")
    with _library() as library:
        library.espeak_Info.restype = ctypes.c_char_p
        number = library.espeak_Info(None).decode().split()[0]
    digest = sha256(Path(loader.get_library_path()), Path(loader.get_data_path()))
    return f"espeak-ng {number} ({release('espeakng-loader')}), sha256 {digest[:12]}"
