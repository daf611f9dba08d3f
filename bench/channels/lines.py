"""The lines by name: what each does to a clip before anything is added to its name.

Conventions: a line takes a clip at any rate and a mask with the lost 20 ms frames; it gives a clip at its own rate and
how many samples clipped where it codes. Lines on which frames can be lost say so. The key in `LINES` is the canonical
name; `ALIASES` are other spellings that people write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from bench.audio import Clip
from bench.channels import band, codecs, g711, published
from bench.channels.codecs import Codec
from bench.channels.frames import FRAME, Mask

Send = Callable[[Clip, Mask], tuple[Clip, int]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line: one sentence for people, its function, whether frames can be lost on it, and whether it is another
    benchmark's, whose own resampler then takes it to 16 kHz."""

    meaning: str
    send: Send
    loses: bool = False
    published: bool = False


def companded(law: g711.Law) -> Send:
    """300 to 3400 Hz, G.711 octets, the lost frames filled with the law's silence, decoded: 8 kHz."""

    def send(sound: Clip, lost: Mask) -> tuple[Clip, int]:
        pcm, clipped = g711.quantise(band.telephone(sound))
        octets = g711.encode(pcm, law)
        octets[np.repeat(lost, FRAME)[: len(octets)]] = g711.SILENCE[law]
        return Clip(g711.sound(octets, law), band.LINE_RATE), clipped

    return send


def coded(codec: Codec, *, telephone: bool = False) -> Send:
    """The codec at its own rate, behind a telephone's band or not."""

    def send(sound: Clip, _: Mask) -> tuple[Clip, int]:
        samples = band.telephone(sound) if telephone else band.resampled(sound, codec.rate)
        heard, clipped = codecs.transmit(samples, codec)
        return Clip(heard, codec.rate), clipped

    return send


def plain(rate: int) -> Send:
    """The rate alone."""

    def send(sound: Clip, _: Mask) -> tuple[Clip, int]:
        return Clip(band.resampled(sound, rate), rate), 0

    return send


def untouched(sound: Clip, _: Mask) -> tuple[Clip, int]:
    return sound, 0


def handset(sound: Clip, lost: Mask) -> tuple[Clip, int]:
    return Clip(published.handset(sound, lost), published.LINE_RATE), 0


def _lines() -> dict[str, Line]:
    lines = {
        "fb": Line("Full band: 16 kHz, nothing else.", plain(16_000)),
        "nb8k": Line("Narrow band: 8 kHz and back to 16 kHz, no coding.", plain(8_000)),
        "g711a": Line("A telephone line, 300 to 3400 Hz, G.711 A-law.", companded("a"), loses=True),
        "g711u": Line("A telephone line, 300 to 3400 Hz, G.711 mu-law.", companded("mu"), loses=True),
        "g722": Line("Wide-band telephony, G.722 at 64 kbit/s.", coded(codecs.g722())),
    }
    for kilobits in (16, 24, 32, 40):
        name = "g726" if kilobits == 32 else f"g726-{kilobits}k"
        meaning = f"A telephone line, 300 to 3400 Hz, G.726 at {kilobits} kbit/s."
        lines[name] = Line(meaning, coded(codecs.g726(kilobits), telephone=True))
    for short, long, rate, usual, others in (
        ("nb", "narrow", 8_000, 12, (8, 16)),
        ("wb", "wide", 16_000, 24, (16, 32)),
    ):
        for kilobits in (usual, *others):
            name = f"opus-{short}" if kilobits == usual else f"opus-{short}-{kilobits}k"
            lines[name] = Line(f"Opus voice, {long} band, {kilobits} kbit/s.", coded(codecs.opus(rate, kilobits)))
    lines["native"] = Line("handset-bench's wideband: the system's own output.", untouched, published=True)
    lines["handset"] = Line(
        "handset-bench's clean: 8th-order Butterworth, continuous mu-law.", handset, loses=True, published=True
    )
    return lines


LINES: Mapping[str, Line] = MappingProxyType(_lines())
ALIASES: Mapping[str, str] = MappingProxyType(
    {"g711": "g711a", "g726-32k": "g726", "opus-nb-12k": "opus-nb", "opus-wb-24k": "opus-wb"}
)
