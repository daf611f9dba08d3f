"""How loud speech is, and how a clip came in: what the record says of every input.

Conventions: levels are in dBov, where a full-scale square wave has 0 and a full-scale sine -3.01. The active speech
level is that of ITU-T P.56, method B: the power over the time in which somebody speaks, pauses of more than 0.2 s
left out. Nothing is normalised by measuring; `align` is for a condition that says so in its name.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
from scipy.ndimage import maximum_filter1d
from scipy.signal import lfilter

from bench.audio import Clip, read
from bench.audio import peak as peak_level

SMOOTHING = 0.03  # s, the time constant of the envelope
HANGOVER = 0.2  # s that a pause still counts as speech
MARGIN = 15.9  # dB between the active level and the threshold that marks activity
STEPS_PER_OCTAVE = 4  # P.56 asks for one or more
OCTAVES = 16


@dataclass(frozen=True, slots=True)
class Level:
    """`active` and `overall` in dBov (-inf for digital silence), `activity` the share of time that is speech."""

    active: float
    activity: float
    overall: float


@dataclass(frozen=True, slots=True)
class Intake:
    """How a clip came in. `channels` above 1 were averaged; `over` samples lie beyond full scale."""

    rate: int
    channels: int
    encoding: str
    seconds: float
    level: Level
    peak: float
    over: int

    @property
    def downmixed(self) -> bool:
        return self.channels > 1


def active_level(sound: Clip) -> float:
    """The active speech level in dBov; -inf for digital silence."""
    return measure(sound).active


def measure(sound: Clip) -> Level:
    """ITU-T P.56, method B.

    The envelope is the magnitude smoothed twice. For each threshold C, a level A is the power over the time that the
    envelope was at or above C at most 0.2 s ago. From the lowest threshold up, A is first 15.9 dB above C where the
    background ends; A there is the active level, interpolated between thresholds. The standard ties its thresholds
    to full scale and spaces them by up to 6 dB; here they hang from the envelope's own peak, 1.5 dB apart, so that
    a gain moves the result by that gain exactly.
    """
    samples = sound.samples.astype(np.float64)
    energy = float(samples @ samples)
    if energy == 0:
        return Level(-math.inf, 0.0, -math.inf)
    smooth = math.exp(-1 / (SMOOTHING * sound.rate))
    envelope = lfilter([(1 - smooth) ** 2], [1, -2 * smooth, smooth**2], np.abs(samples))
    # A sample is active at a threshold when the envelope's highest value of the last 0.2 s reaches it.
    width = round(HANGOVER * sound.rate) + 1
    held = maximum_filter1d(envelope, width, origin=width - 1 - width // 2, mode="constant")
    thresholds = float(envelope.max()) * 2.0 ** (np.arange(-OCTAVES * STEPS_PER_OCTAVE, 1) / STEPS_PER_OCTAVE)
    reached = np.bincount(np.searchsorted(thresholds, held, side="right"), minlength=len(thresholds) + 1)
    active = np.cumsum(reached[:0:-1])[::-1]  # samples at or above each threshold
    powers = 10 * np.log10(energy / active)
    apart = powers - 20 * np.log10(thresholds) - MARGIN
    # The margin is reached between `at - 1` and `at`, or never where all is one click.
    crossed = np.flatnonzero(apart <= 0)
    at = int(crossed[0]) if crossed.size else len(apart) - 1
    if at == 0 or not crossed.size:
        level = float(powers[at])
    else:
        share = apart[at - 1] / (apart[at - 1] - apart[at])
        level = float(powers[at - 1] + share * (powers[at] - powers[at - 1]))
    overall = 10 * math.log10(energy / len(samples))
    return Level(level, min(10 ** ((overall - level) / 10), 1.0), overall)


def align(sound: Clip, target: float) -> Clip:
    """The clip at an active speech level of `target` dBov. Digital silence stays as it is."""
    level = active_level(sound)
    if level == -math.inf:
        return sound
    return Clip(sound.samples * np.float32(10 ** ((target - level) / 20)), sound.rate)


def receive(source: Path | bytes) -> tuple[Clip, Intake]:
    """A file (or its bytes) as a clip, and the record of how it came in. Raises Fault as `bench.audio.read` does."""
    sound = read(source)
    try:
        info = soundfile.info(io.BytesIO(source) if isinstance(source, bytes) else str(source))
        channels, encoding = info.channels, f"{info.format} {info.subtype}"
    except soundfile.LibsndfileError:
        channels, encoding = _probe(source)
    return sound, intake(sound, channels=channels, encoding=encoding)


def _probe(source: Path | bytes) -> tuple[int, str]:
    import av  # 0.2 s to import, and only compressed responses need it

    with av.open(io.BytesIO(source) if isinstance(source, bytes) else str(source)) as container:
        stream = container.streams.audio[0]
        return stream.channels, f"{container.format.name} {stream.codec_context.name}"


def intake(sound: Clip, *, channels: int = 1, encoding: str = "float32") -> Intake:
    """The record of a clip that was made from `channels` channels of `encoding`."""
    over = int(np.count_nonzero(np.abs(sound.samples) > 1))
    return Intake(sound.rate, channels, encoding, sound.seconds, measure(sound), peak_level(sound), over)
