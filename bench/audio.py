"""Sound as a value: read it, check it, resample it, measure its level, write it.

Conventions: a `Clip` is mono float32 in [-1, 1] with its rate in Hz; full scale is 1.0 = 0 dBov for a square
wave. Nothing here changes a level. Resampling is soxr at quality HQ, whose filter is linear-phase and whose
delay is compensated, so that a moment of a clip stays the same moment at any rate.
"""

from __future__ import annotations

import hashlib
import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from bench.fault import Fault

Samples = NDArray[np.float32]


@dataclass(frozen=True, eq=False, slots=True)
class Clip:
    """Mono samples, float32, shape (n,), with their rate in Hz. Made by `clip`, which checks its input."""

    samples: Samples
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate

    @property
    def checksum(self) -> str:
        """sha256 over the rate and the samples as little-endian float32: what was heard, whatever the file."""
        head = f"{self.rate}:".encode()
        return hashlib.sha256(head + self.samples.astype("<f4").tobytes()).hexdigest()


def clip(samples: Any, rate: int) -> Clip:
    """A checked Clip from an array: shape (n,), (n, channels) or (channels, n) with at most 8 channels.

    Integers are scaled by their type's full scale; channels are averaged. Raises Fault when the array is
    empty, not finite, of another shape or type, or when the rate is not a positive whole number.
    """
    array = np.asarray(samples)
    if isinstance(rate, bool) or int(rate) != rate or rate <= 0:
        raise Fault(f"The sampling rate is {rate!r}; expected a positive whole number of Hz.")
    if array.size == 0:
        raise Fault("The audio has no samples; expected at least one.")
    if array.ndim == 2:
        channels_last = array.shape[1] <= array.shape[0]
        if min(array.shape) > 8:
            raise Fault(f"The audio has the shape {array.shape}; expected (samples,) or (samples, channels).")
        array = array if channels_last else array.T
    elif array.ndim != 1:
        raise Fault(f"The audio has the shape {array.shape}; expected (samples,) or (samples, channels).")
    if np.issubdtype(array.dtype, np.integer):
        info = np.iinfo(array.dtype)
        middle = (int(info.max) + 1) // 2 if info.min == 0 else 0
        scaled = (array.astype(np.float64) - middle) / (int(info.max) + 1 - middle)
    elif np.issubdtype(array.dtype, np.floating):
        scaled = array.astype(np.float64)
    else:
        raise Fault(f"The audio has the type {array.dtype}; expected integers or floating-point numbers.")
    if scaled.ndim == 2:
        scaled = scaled.mean(axis=1)
    if not np.isfinite(scaled).all():
        at = int(np.flatnonzero(~np.isfinite(scaled))[0])
        raise Fault(f"The audio is not finite at sample {at} ({scaled[at]}); mend the system that made it.")
    return Clip(np.ascontiguousarray(scaled, dtype=np.float32), int(rate))


def read(source: Path | bytes) -> Clip:
    """A file (or its bytes) that libsndfile or, failing that, FFmpeg can decode. Raises Fault."""
    name = source if isinstance(source, Path) else "audio"
    stream: BinaryIO = io.BytesIO(source if isinstance(source, bytes) else source.read_bytes())
    try:
        samples, rate = soundfile.read(stream, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError:
        stream.seek(0)
        samples, rate = _decode(stream, name)
    try:
        return clip(samples, rate)
    except Fault as fault:
        raise Fault(str(fault), file=name) from None


def _decode(stream: BinaryIO, name: object) -> tuple[Samples, int]:
    import av  # 0.2 s to import, and only compressed responses need it

    try:
        with av.open(stream, mode="r") as container:
            rate = container.streams.audio[0].rate
            resampler = av.AudioResampler(format="fltp", layout="mono", rate=rate)
            frames = [out for frame in container.decode(audio=0) for out in resampler.resample(frame)]
            frames += resampler.resample(None)
    except (av.FFmpegError, IndexError) as error:
        raise Fault(f"This is not audio that libsndfile or FFmpeg can decode ({error}).", file=str(name)) from None
    if not frames:
        raise Fault("The file holds no audio.", file=str(name))
    return np.concatenate([frame.to_ndarray()[0] for frame in frames]), rate


def encode(sound: Clip, format: str = "FLAC") -> bytes:
    """The clip as the bytes of a 16-bit FLAC or WAV file. Samples beyond full scale are clipped."""
    stream = io.BytesIO()
    soundfile.write(stream, np.clip(sound.samples, -1, 1), sound.rate, format=format, subtype="PCM_16")
    return stream.getvalue()


def resample(sound: Clip, rate: int) -> Clip:
    """The clip at another rate, by soxr HQ. The same rate gives the same clip back."""
    if rate == sound.rate:
        return sound
    return Clip(soxr.resample(sound.samples, sound.rate, rate, quality="HQ"), rate)


def peak(sound: Clip) -> float:
    """The largest magnitude in dBov; -inf for digital silence."""
    top = float(np.abs(sound.samples).max())
    return 20 * math.log10(top) if top else -math.inf
