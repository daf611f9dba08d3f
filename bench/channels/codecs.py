"""G.722, G.726 and Opus, by the FFmpeg that PyAV ships.

Conventions: a codec works on 16-bit samples at its own rate (`g711.quantise`). Its delay, measured against its own
input, is taken out to the nearest sample of its decoder; what is left is below 10 microseconds. Opus runs at a constant
bit rate in 20 ms frames, tuned for voice, at the highest complexity.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

import numpy as np

from bench.audio import Clip, Samples
from bench.channels import band, g711
from bench.fault import Fault


@dataclass(frozen=True, slots=True)
class Codec:
    """A codec as FFmpeg names it. `advance` is its delay in samples of its decoder's output."""

    encoder: str
    container: str
    rate: int
    bit_rate: int
    advance: int
    coding: Mapping[str, str] = field(default_factory=dict)
    reading: Mapping[str, str] = field(default_factory=dict)


def g722() -> Codec:
    """G.722 at 64 kbit/s: 50 to 7000 Hz at 16 kHz; the delay is that of its two quadrature mirror filters."""
    return Codec("g722", "g722", 16_000, 64_000, 22)


def g726(kilobits: int) -> Codec:
    """G.726 at 16, 24, 32 or 40 kbit/s: 2 to 5 bits a sample at 8 kHz."""
    reading = {"code_size": str(kilobits // 8), "sample_rate": "8000"}
    return Codec("g726", "g726", 8_000, 1000 * kilobits, 0, reading=reading)


def opus(rate: int, kilobits: int) -> Codec:
    """Opus from input at 8 kHz (narrow band) or 16 kHz (wide band); it decodes at 48 kHz."""
    coding = {"application": "voip", "vbr": "off", "compression_level": "10", "frame_duration": "20"}
    return Codec("libopus", "ogg", rate, 1000 * kilobits, {8_000: 5, 16_000: -1}[rate], coding)


def transmit(samples: Samples, codec: Codec) -> tuple[Samples, int]:
    """Samples at the codec's rate, coded and decoded, as many as came in; and how many clipped before coding.

    Raises Fault when the installed PyAV lacks the codec.
    """
    import av  # 0.2 s to import, and only these conditions need it

    try:
        av.Codec(codec.encoder, "w")
    except ValueError:
        raise Fault(
            f"PyAV {av.__version__} has no encoder {codec.encoder!r}; install the wheel of PyAV, whose FFmpeg has it."
        ) from None
    pcm, clipped = g711.quantise(samples)
    # A frame of silence follows the clip, so that its end has left the codec before the codec is closed.
    padded = np.concatenate([pcm, np.zeros(codec.rate // 50, dtype=np.int16)])
    file = io.BytesIO()
    with av.open(file, "w", format=codec.container) as container:
        stream = cast(av.AudioStream, container.add_stream(codec.encoder, codec.rate, options=dict(codec.coding)))
        stream.layout, stream.bit_rate = av.AudioLayout("mono"), codec.bit_rate
        frame = av.AudioFrame.from_ndarray(padded[np.newaxis], format="s16", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = codec.rate, 0, Fraction(1, codec.rate)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    file.seek(0)
    with av.open(file, "r", format=codec.container, options=dict(codec.reading)) as container:
        to_float = av.AudioResampler("flt", "mono")
        frames = [out for frame in container.decode(audio=0) for out in to_float.resample(frame)]
    decoded = np.concatenate([frame.to_ndarray()[0] for frame in frames])
    aligned = decoded[codec.advance :] if codec.advance >= 0 else np.pad(decoded, (-codec.advance, 0))
    heard = band.resampled(Clip(aligned, frames[0].sample_rate), codec.rate)
    return band.fitted(heard, len(samples)), clipped
