"""Line conditions as values: what a clip goes through between a system and a listener.

Conventions: a channel is a line with, where its name says so, a level and a loss: `g711u + loss(0.03)` prints as
`g711u+loss=3%`, and `parse` reads that back. Whatever the line, what comes out is mono float32 at 16 kHz, as long as
the clip that went in (rounded up to a whole sample) and not delayed against it. Levels are left alone unless the
name says `level`; lost frames are filled with the law's silence and nothing conceals them. The telephone lines are
linear-phase filters, rounding and table look-ups. Equal inputs give equal output, to the bit on one platform.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from bench.audio import Clip, Samples, clip
from bench.channels import band, frames, published
from bench.channels.frames import FRAME, Burst, Loss, Mask, burst, loss, loss_seed
from bench.channels.g711 import Law
from bench.channels.lines import ALIASES, LINES
from bench.fault import Fault
from bench.level import align

__all__ = [
    "LINES",
    "Burst",
    "Channel",
    "Level",
    "Loss",
    "Transmission",
    "burst",
    "fb",
    "g711a",
    "g711u",
    "g722",
    "g726",
    "handset",
    "level",
    "loss",
    "loss_seed",
    "native",
    "nb8k",
    "opus_nb",
    "opus_wb",
    "parse",
    "phone_line",
]

# handset-bench's names of its conditions, by what they add to its line.
HANDSET: Mapping[Loss | Burst | None, str] = MappingProxyType(
    {None: "clean", loss(0.01): "loss_1pct", loss(0.03): "loss_3pct"}
)


@dataclass(frozen=True, slots=True)
class Level:
    """Alignment to an active speech level (ITU-T P.56) before the line. Made by `level`."""

    dbov: float

    def __str__(self) -> str:
        return f"level={self.dbov:g}"


@dataclass(frozen=True, eq=False, slots=True)
class Transmission:
    """What a channel made of a clip.

    `clipped` samples were beyond 16 bits when coded (0 on lines that code nothing); `lost` are the indices of the lost
    frames, of `frames` frames of 20 ms in all.
    """

    clip: Clip
    clipped: int
    lost: tuple[int, ...]
    frames: int


@dataclass(frozen=True, slots=True, repr=False)
class Channel:
    """A line condition. Its `str` and `repr` are its canonical name.

    Raises Fault for a line that is not in `LINES`, and for a loss where no frames are sent.
    """

    line: str
    level: Level | None = None
    drop: Loss | Burst | None = None

    def __post_init__(self) -> None:
        if self.line not in LINES:
            raise Fault(f"The line {self.line!r} is unknown; known are {', '.join(LINES)}.")
        if self.drop is not None and not LINES[self.line].loses:
            able = ", ".join(name for name, line in LINES.items() if line.loses)
            raise Fault(f"Nothing is lost on the line {self.line}; {self.drop} can be added to {able}.")
        if self.line == "handset" and self.drop not in HANDSET:
            raise Fault(f"handset-bench has no condition with {self.drop}; expected loss=1% or loss=3%.")

    def __str__(self) -> str:
        return "+".join(str(part) for part in (self.line, self.level, self.drop) if part is not None)

    __repr__ = __str__

    @property
    def name(self) -> str:
        return str(self)

    @property
    def meaning(self) -> str:
        """What the channel does, in a sentence for people."""
        added = [f"the clip brought to {self.level.dbov:g} dBov before it"] if self.level else []
        if self.drop is not None:
            bursts = f", in bursts of {self.drop.length:g} on average" if isinstance(self.drop, Burst) else ""
            added.append(f"{self.drop.percent:g}% of its 20 ms frames lost{bursts}")
        return f"{LINES[self.line].meaning.removesuffix('.')}{''.join(f'; {part}' for part in added)}."

    def __add__(self, part: Level | Loss | Burst) -> Channel:
        """The channel with a level or a loss. Raises Fault for a second one."""
        if (self.level if isinstance(part, Level) else self.drop) is not None:
            raise Fault(f"The channel {self} cannot have {part} too: one level and one loss are the most.")
        return replace(self, level=part) if isinstance(part, Level) else replace(self, drop=part)

    def seed(self, text_set: str, segment: str, take: int) -> int:
        """The seed for `transmit`: `loss_seed`, or on `handset` that benchmark's own, whose run seed is the take."""
        if self.line == "handset":
            return published.handset_seed(segment, HANDSET[self.drop], take)
        return loss_seed(text_set, segment, take)

    def transmit(self, sound: Clip, *, seed: int) -> Clip:
        """What a recogniser hears: float32 at 16 kHz, ceil(n x 16000 / rate) samples, no net delay. Raises Fault."""
        return self.carry(sound, seed=seed).clip

    def carry(self, sound: Clip, *, seed: int) -> Transmission:
        """`transmit`, with the record of what happened on the way."""
        sent, clipped, lost = self._send(sound, seed)
        if LINES[self.line].published:
            heard = published.resample(sent.samples.astype(np.float64), sent.rate, band.HEARD_RATE).astype(np.float32)
        else:
            heard = band.resampled(sent, band.HEARD_RATE)
        whole = Clip(band.fitted(heard, band.length(sound, band.HEARD_RATE)), band.HEARD_RATE)
        return Transmission(whole, clipped, tuple(np.flatnonzero(lost).tolist()), len(lost))

    def _send(self, sound: Clip, seed: int) -> tuple[Clip, int, Mask]:
        """The clip at the line's own rate, how many samples clipped, and the mask of lost frames."""
        sound = clip(sound.samples, sound.rate)
        lost = self._lost(band.length(sound, band.LINE_RATE), seed)
        levelled = sound if self.level is None else align(sound, self.level.dbov)
        return *LINES[self.line].send(levelled, lost), lost

    def _lost(self, size: int, seed: int) -> Mask:
        if self.line == "handset":
            rate = 0.0 if self.drop is None else self.drop.percent / 100
            return published.handset_lost(size // FRAME, rate, seed)
        count = -(-size // FRAME)
        return np.zeros(count, dtype=np.bool_) if self.drop is None else self.drop.lost(count, seed)


def level(dbov: float) -> Level:
    """Alignment to an active speech level, as in `g711a + level(-26)`. Raises Fault above 0 and below -80 dBov."""
    if not -80 <= dbov <= 0:
        raise Fault(f"The level is {dbov!r} dBov; expected a number from -80 to 0, commonly -26.")
    return Level(float(f"{dbov:g}") + 0.0)


fb = Channel("fb")
native = Channel("native")
nb8k = Channel("nb8k")
g711a = Channel("g711a")
g711u = Channel("g711u")
g722 = Channel("g722")
g726 = Channel("g726")
opus_nb = Channel("opus-nb")
opus_wb = Channel("opus-wb")
handset = Channel("handset")

_NUMBER = r"(-?[0-9.]+(?:e-?[0-9]+)?)"
_LOSS = re.compile(rf"loss={_NUMBER}%")
_BURST = re.compile(rf"burst={_NUMBER}%x{_NUMBER}")
_LEVEL = re.compile(rf"level={_NUMBER}")


def parse(name: str) -> Channel:
    """The channel of a name: the inverse of `str`. `g711` reads as `g711a`. Raises Fault for an unknown name."""
    line, *rest = (part.strip() for part in name.split("+"))
    made = Channel(ALIASES.get(line, line))
    for part in rest:
        try:
            made = made + _part(part)
        except ValueError:
            raise Fault(
                f"The channel {name!r} has a part {part!r} that is unknown; "
                "expected loss=3%, burst=3%x4 (rate, mean frames) or level=-26 (dBov)."
            ) from None
    return made


def _part(text: str) -> Level | Loss | Burst:
    if found := _LOSS.fullmatch(text):
        return loss(float(found[1]) / 100)
    if found := _BURST.fullmatch(text):
        return burst(float(found[1]) / 100, float(found[2]))
    if found := _LEVEL.fullmatch(text):
        return level(float(found[1]))
    raise ValueError(text)


def phone_line(samples: Any, rate: int, law: Law = "mu", loss: float = 0.03, seed: int = 7) -> Samples:
    """Only the line, in one call: any array that `bench.audio.clip` takes in, float32 at 8 kHz out.

    300 to 3400 Hz, G.711 of `law` ("a" or "mu"), a share `loss` of the 20 ms frames lost under `seed`; the output has
    ceil(n x 8000 / rate) samples and no net delay. Raises Fault.
    """
    if law not in ("a", "mu"):
        raise Fault(f'The companding law is {law!r}; expected "a" or "mu".')
    line = g711a if law == "a" else g711u
    channel = line if loss == 0 else line + frames.loss(loss)
    return channel._send(clip(samples, rate), seed)[0].samples
