"""What a listener hears, as files that tell nothing: one format, one level, and one length and size a text.

Conventions: a clip is mono 16-bit FLAC at 16 kHz that holds its samples and nothing else. The active speech level is
aligned after the line. The clips of one text are made equally long with silence at their end, and their files equally
big with a PADDING block (RFC 9639), so that neither length nor size orders the systems. The tones of the headphone
check are stereo.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import firwin, oaconvolve

from bench.audio import Clip, clip, encode, peak, resample
from bench.fault import Fault
from bench.level import active_level, align

RATE = 16_000
TAIL = RATE // 4  # samples of silence after the longest clip of a text
TAPS = 801  # of the anchor's filter
LEAST = 1e-4  # of a clip's energy that its anchor must lack
QUIETER = 30  # dB below the study's level, for the check of the room
_PADDING, _LAST = 1, 0x80


def levelled(sound: Clip, size: int, level: float, name: str) -> Clip:
    """The clip at 16 kHz, `size` samples long, at the level that it then has as a whole.

    Its silence at the end counts, for the measure holds on 0.2 s after speech and a clip that stops short would come
    out louder. Raises Fault for silence and where the level clips the peaks.
    """
    whole = resample(sound, RATE)
    made = align(Clip(np.pad(whole.samples, (0, size - len(whole.samples))), RATE), level)
    if active_level(made) == -math.inf:
        raise Fault(f"A clip of {name} is silent; a listener cannot rate it.")
    if peak(made) > 0:
        raise Fault(f"A clip of {name} exceeds full scale by {peak(made):.1f} dB at {level:g} dBov; lower the level.")
    return made


def anchor(sound: Clip, cutoff: float) -> Clip:
    """The low-pass anchor of a clip: a linear-phase filter with `cutoff` Hz at -6 dB, not delayed.

    Raises Fault where the clip has nothing up there, as on a telephone line above 3.4 kHz: it would be no anchor.
    """
    taps = firwin(TAPS, cutoff, fs=sound.rate)
    low = oaconvolve(sound.samples, taps, mode="full")[TAPS // 2 :][: len(sound.samples)]
    if np.square(sound.samples - low).sum() < LEAST * np.square(sound.samples).sum():
        raise Fault(f"The line leaves nothing above {cutoff:g} Hz, so the anchor is the reference; lower anchor_hz.")
    return clip(low, sound.rate)


def sizes(sounds: Mapping[str, Clip], together: Mapping[str, str]) -> dict[str, int]:
    """How many samples each clip comes to at 16 kHz: the longest of its text and 0.25 s of silence."""
    longest: dict[str, int] = {}
    for name, sound in sounds.items():
        size = math.ceil(len(sound.samples) * RATE / sound.rate)
        longest[together[name]] = max(longest.get(together[name], 0), size)
    return {name: longest[together[name]] + TAIL for name in sounds}


def equal(sounds: Mapping[str, Clip], together: Mapping[str, str], level: float) -> dict[str, bytes]:
    """The files: id -> FLAC. Clips with the same `together[id]` (their text) come out equally long and equally big.

    Raises Fault as `levelled` does.
    """
    groups: dict[str, list[str]] = {}
    for name in sounds:
        groups.setdefault(together[name], []).append(name)
    long = sizes(sounds, together)
    files: dict[str, bytes] = {}
    for text, names in groups.items():
        made = [encode(levelled(sounds[name], long[name], level, text)) for name in names]
        files |= zip(names, alike(made), strict=True)
    return {name: files[name] for name in sorted(files)}


def alike(files: Sequence[bytes]) -> list[bytes]:
    """FLAC files with their samples alone, all equally big."""
    bare = [_bare(content) for content in files]
    biggest = max(map(len, bare), default=0)
    return [_padded(content, biggest) for content in bare]


def _bare(flac: bytes) -> bytes:
    """STREAMINFO and the frames: no vendor, no comment, no seek table."""
    at, last = 4, False
    while not last:
        last = bool(flac[at] & _LAST)
        at += 4 + int.from_bytes(flac[at + 1 : at + 4], "big")
    head = bytearray(flac[: 4 + 4 + 34])
    head[4] = 0  # STREAMINFO, not the last block: a PADDING block follows
    return bytes(head) + flac[at:]


def _padded(bare: bytes, size: int) -> bytes:
    """The file with a PADDING block that brings it to `size` + 4 bytes."""
    missing = size - len(bare)
    return bare[:42] + bytes([_PADDING | _LAST]) + missing.to_bytes(3, "big") + bytes(missing) + bare[42:]


def faint(sound: Clip) -> bytes:
    """Speech as the check of the room plays it, 30 dB down."""
    return encode(Clip(sound.samples * np.float32(10 ** (-QUIETER / 20)), sound.rate))


def silence(sound: Clip) -> bytes:
    """As long as that, and nothing to hear."""
    return encode(Clip(np.zeros_like(sound.samples), sound.rate))


def tones(right: int, opposite: int) -> bytes:
    """Three tones of 200 Hz as stereo FLAC; tone `right` is 6 dB quieter, `opposite` has opposite phase in one ear."""
    rate = 8_000
    t = np.arange(rate * 7 // 10) / rate
    ramp = np.minimum(1, np.minimum(t, t[::-1]) / 0.1)
    tone = 0.25 * np.sin(2 * np.pi * 200 * t) * ramp
    pause = np.zeros((rate * 3 // 10, 2))
    parts: list[NDArray[np.float64]] = []
    for place in range(3):
        one = tone * (0.5 if place == right else 1)
        parts += [np.stack([one, -one if place == opposite else one], axis=1), pause]
    stream = io.BytesIO()
    soundfile.write(stream, np.concatenate(parts), rate, format="FLAC", subtype="PCM_16")
    return stream.getvalue()


def blind(seed: int, *parts: object) -> str:
    """An id that says nothing: 12 hexadecimal digits of a hash."""
    return hashlib.sha256("\0".join(map(str, ("earshot study", seed, *parts))).encode()).hexdigest()[:12]


def read(path: Path, sha256: str) -> bytes:
    """A clip of a frozen design. Raises Fault where it is missing or another."""
    if not path.is_file():
        raise Fault("This clip of the design is missing; restore it from a copy of the study.", file=path)
    content = path.read_bytes()
    if digest(content) != sha256:
        raise Fault("This clip is not the one that the design froze; restore it from a copy.", file=path)
    return content


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def turns(count: int, sides: int, rng: np.random.Generator) -> Sequence[int]:
    """`count` answers, each of `sides` about equally often, in random order."""
    return [int(value) for value in rng.permutation(np.arange(count) % sides)]
