"""Which frames a line loses, at random or in bursts.

Conventions: a frame is 20 ms of octets; a partial last frame counts as one. The rate of loss is a probability and is
written in per cent. There is one uniform number per frame, drawn from a counter-based generator (Philox) whose seed
comes from text set, segment and take and never from the condition: a clip that loses a frame at 1 % loses it at
3 % too, under both laws, and a longer clip begins with the losses of a shorter one. Nothing is concealed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.fault import Fault

FRAME = 160  # samples at 8 kHz: 20 ms
Mask = NDArray[np.bool_]


def loss_seed(text_set: str, segment: str, take: int) -> int:
    """The seed of a clip's losses: the first 48 bits of a sha256, so that any reader of JSON keeps it exact."""
    key = json.dumps([text_set, segment, int(take)], ensure_ascii=True)
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big")


def uniforms(frames: int, seed: int) -> NDArray[np.float64]:
    """One number in [0, 1) per frame, shape (frames,)."""
    return np.random.Generator(np.random.Philox(key=seed)).random(frames)


@dataclass(frozen=True, slots=True)
class Loss:
    """Independent loss: a frame is lost when its uniform number is below the rate. Made by `loss`."""

    percent: float

    def __str__(self) -> str:
        return f"loss={self.percent:g}%"

    def lost(self, frames: int, seed: int) -> Mask:
        """Which frames are lost, shape (frames,)."""
        return uniforms(frames, seed) < self.percent / 100


@dataclass(frozen=True, slots=True)
class Burst:
    """Loss in bursts, the Gilbert-Elliott model whose bad state loses every frame and whose good state none.

    `length` is the mean burst in frames. The state leaves bad with probability 1 / length and enters it so often that
    the mean rate holds; it starts in its long-run distribution. At one length the losses of a lower rate lie inside
    those of a higher one, as with independent loss. Made by `burst`.
    """

    percent: float
    length: float

    def __str__(self) -> str:
        return f"burst={self.percent:g}%x{self.length:g}"

    def lost(self, frames: int, seed: int) -> Mask:
        """Which frames are lost, shape (frames,)."""
        rate = self.percent / 100
        stay = 1 - 1 / self.length
        enter = rate / (1 - rate) / self.length
        lost = np.zeros(frames, dtype=np.bool_)
        threshold = rate
        for frame, number in enumerate(uniforms(frames, seed)):
            lost[frame] = number < threshold
            threshold = stay if lost[frame] else enter
        return lost


def loss(rate: float) -> Loss:
    """Independent loss at a rate above 0 and at most 1: `loss(0.03)` is `loss=3%`. Raises Fault."""
    if not 0 < rate <= 1:
        raise Fault(f"The rate of loss is {rate!r}; expected a number above 0 and at most 1 (0.03 for 3 %).")
    return Loss(_canonical(100 * rate))


def burst(rate: float, length: float) -> Burst:
    """Loss in bursts of `length` frames on average: `burst(0.03, 4)` is `burst=3%x4`. Raises Fault.

    Independent loss has bursts of 1 / (1 - rate) frames; shorter ones would be no bursts and are refused.
    """
    if not 0 < rate < 1:
        raise Fault(f"The rate of loss is {rate!r}; expected a number above 0 and below 1 (0.03 for 3 %).")
    made = Burst(_canonical(100 * rate), _canonical(length))
    shortest = 1 / (1 - made.percent / 100)
    if not shortest <= made.length < float("inf"):
        raise Fault(
            f"The mean burst is {length!r} frames; at a loss of {made.percent:g} % independent loss already has "
            f"bursts of {shortest:.4g} frames, so expected at least that."
        )
    return made


def _canonical(number: float) -> float:
    return float(f"{number:g}")  # six digits: what the name shows is all there is
