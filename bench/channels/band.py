"""The analogue side of a telephone line: 300 to 3400 Hz, 8 kHz, and back to what a recogniser hears.

Conventions: every filter is linear-phase with its delay taken out, so that a moment of a clip stays the same moment.
A clip of n samples at `rate` has ceil(n x 8000 / rate) samples on the line and ceil(n x 16000 / rate) when heard: its
duration, rounded up to a whole sample. Soxr (quality HQ) changes the rate; it passes what lies below 3.65 kHz and stops
what lies above 4 kHz. The band itself is one Kaiser FIR at 8 kHz, the same whatever rate the clip came in.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import soxr
from scipy.signal import firwin, kaiserord, oaconvolve

from bench.audio import Clip, Samples

LINE_RATE = 8_000
HEARD_RATE = 16_000
# Half-amplitude edges. The transition is 150 Hz wide, so the pass-band is 300 to 3525 Hz and the stop-band begins at
# 150 and at 3675 Hz; the upper edge stays inside what soxr passes.
EDGES = (225.0, 3600.0)
TRANSITION = 150.0
REJECTION = 60.0  # dB


def length(sound: Clip, rate: int) -> int:
    """How many samples the clip has at `rate`: its duration, rounded up."""
    return -(-len(sound.samples) * rate // sound.rate)


def resampled(sound: Clip, rate: int) -> Samples:
    """The clip at `rate`, `length(sound, rate)` samples, by soxr HQ."""
    if sound.rate == rate:
        return sound.samples
    return fitted(soxr.resample(sound.samples, sound.rate, rate, quality="HQ"), length(sound, rate))


def telephone(sound: Clip) -> Samples:
    """What enters the coder of a telephone line: 300 to 3400 Hz at 8 kHz."""
    filtered: Samples = oaconvolve(resampled(sound, LINE_RATE), taps(), mode="same")
    return filtered


def fitted(samples: Samples, size: int) -> Samples:
    """The samples cut, or filled up with zeros, to `size`."""
    return samples[:size] if len(samples) >= size else np.pad(samples, (0, size - len(samples)))


@cache
def taps() -> Samples:
    """The band-pass, an odd number of taps at 8 kHz, float32."""
    count, beta = kaiserord(REJECTION, TRANSITION / (LINE_RATE / 2))
    design = firwin(count | 1, EDGES, window=("kaiser", beta), pass_zero=False, fs=LINE_RATE)
    table: Samples = design.astype(np.float32)
    table.flags.writeable = False
    return table
