"""Line conditions of a published benchmark under its own definitions, so that its numbers can be compared.

Conventions: `handset` follows handset-bench 0.1.0: 300 to 3400 Hz by four second-order high-pass and four low-pass
sections at the clip's own rate, each section's output held to [-1, 1]; a Hann-windowed sinc resampler; a continuous
mu-law curve of 256 levels (which is not G.711); whole 20 ms frames replaced by the code 128, a partial last frame never
lost. Its filter delays the low end by up to 5 ms and its stop-band leaks: that is what was published. It is computed
in float64 here and in float32 there, so that about one code in a thousand differs by one.
"""

from __future__ import annotations

import hashlib
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.signal import lfilter

from bench.audio import Clip, Samples
from bench.channels.frames import FRAME, Mask

LINE_RATE = 8_000
LOW, HIGH = 300.0, 3400.0
SECTIONS = 4  # of second order, each side: an 8th-order Butterworth
LEVELS = 256
SILENCE = 128
ZEROS, ROLL_OFF = 6, 0.99  # of the resampler's sinc


def handset(sound: Clip, lost: Mask) -> Samples:
    """The line's output at 8 kHz; `lost` has one entry a full frame."""
    codes = encode(resample(band_limit(sound), sound.rate, LINE_RATE))
    whole = codes[: len(lost) * FRAME].reshape(-1, FRAME)
    whole[lost] = SILENCE
    return decode(codes)


def handset_seed(utterance: str, condition: str, run_seed: int = 0) -> int:
    """handset-bench's seed of a clip's losses; `condition` is its own name: clean, loss_1pct, loss_3pct."""
    digest = hashlib.sha256(f"{utterance}|{condition}|{run_seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % 2**31


def handset_lost(frames: int, rate: float, seed: int) -> Mask:
    """Which of the full frames are lost: the numbers that PyTorch draws from this seed on the CPU, below `rate`."""
    words = np.random.RandomState(seed).randint(0, 2**32, size=frames, dtype=np.uint32)
    return (words & 0xFFFFFF) / 2**24 < rate


def band_limit(sound: Clip) -> NDArray[np.float64]:
    """The band at the clip's own rate; the corners lie 3 dB down."""
    filtered = sound.samples.astype(np.float64)
    for numerator, denominator in sections(sound.rate):
        filtered = np.clip(lfilter(numerator, denominator, filtered), -1, 1)
    return filtered


def sections(rate: int) -> list[tuple[list[float], list[float]]]:
    """Numerator and denominator of each section in order, high-pass first (R. Bristow-Johnson's audio EQ cookbook)."""
    made = []
    for corner, sign in ((LOW, 1.0), (HIGH, -1.0)):
        angle = 2 * math.pi * corner / rate
        middle = (1 + sign * math.cos(angle)) / 2
        for k in range(SECTIONS):
            alpha = math.sin(angle) * math.cos((2 * k + 1) * math.pi / (4 * SECTIONS))  # sin(angle) / 2Q
            numerator = [middle, -2 * sign * middle, middle]
            made.append((numerator, [1 + alpha, -2 * math.cos(angle), 1 - alpha]))
    return made


def resample(samples: NDArray[np.float64], rate: int, target: int) -> NDArray[np.float64]:
    """ceil(n x target / rate) samples by torchaudio's default resampler, a Hann-windowed sinc of six zero crossings."""
    if rate == target:
        return samples
    common = math.gcd(rate, target)
    old, new = rate // common, target // common
    kernel, width = _kernel(old, new)
    padded = np.pad(samples, (width, width + old))
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[1])[::old]
    heard: NDArray[np.float64] = windows @ kernel.T
    return heard.ravel()[: -(-len(samples) * new // old)]


@cache
def _kernel(old: int, new: int) -> tuple[NDArray[np.float64], int]:
    base = min(old, new) * ROLL_OFF
    width = math.ceil(ZEROS * old / base)
    phase = -np.arange(new)[:, np.newaxis] / new
    time = np.clip((phase + np.arange(-width, width + old) / old) * base, -ZEROS, ZEROS)
    kernel = np.sinc(time) * np.cos(time * math.pi / ZEROS / 2) ** 2 * base / old
    kernel.flags.writeable = False
    return kernel, width


def encode(samples: NDArray[np.float64]) -> NDArray[np.int64]:
    """The index, 0 (for -1) to 255 (for +1), on the continuous mu-law curve; not the octet of G.711."""
    top = LEVELS - 1
    curve = np.sign(samples) * np.log1p(top * np.abs(samples)) / math.log1p(top)
    codes: NDArray[np.int64] = ((curve + 1) / 2 * top + 0.5).astype(np.int64)
    return codes


def decode(codes: NDArray[np.int64]) -> Samples:
    """The points of the curve, float32."""
    top = LEVELS - 1
    curve = codes / top * 2 - 1
    return (np.sign(curve) * np.expm1(np.abs(curve) * math.log1p(top)) / top).astype(np.float32)
