"""G.711: 16-bit samples to octets and back, both laws, by table.

Conventions: `law` is "a" or "mu". Octets are as on the wire: A-law with its even bits inverted, mu-law with all
bits inverted. The tables follow ITU-T G.711 as its Software Tool Library (G.191) reads 16-bit input: A-law codes the
upper 12 bits, mu-law the upper 14; a negative sample's magnitude is its ones' complement, so that -1 lies beside 0.
A sample of a `Clip` becomes round-half-to-even(32768 x), held to [-32768, 32767]; an integer v is heard as v / 32768.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from bench.audio import Samples
from bench.fault import Fault

Law = Literal["a", "mu"]
Octets = NDArray[np.uint8]
Pcm = NDArray[np.int16]
Table = TypeVar("Table", bound=NDArray[Any])

SILENCE = {"a": 0xD5, "mu": 0xFF}  # the octet of the input 0
MU_BIAS, MU_TOP = 33, 0x1FFF  # of the 14-bit mu-law magnitude (G.711, table 2)


def quantise(samples: Samples) -> tuple[Pcm, int]:
    """16-bit integers, shape (n,), and how many of the samples were beyond the 16-bit range and clipped."""
    scaled = np.rint(samples * np.float32(32768))
    clipped = int(np.count_nonzero((scaled > 32767) | (scaled < -32768)))
    return np.clip(scaled, -32768, 32767).astype(np.int16), clipped


def encode(pcm: Pcm, law: Law) -> Octets:
    """The octet of each 16-bit sample, shape (n,)."""
    return _encoding(_known(law))[pcm.view(np.uint16)]


def decode(octets: Octets, law: Law) -> Pcm:
    """The 16-bit value of each octet, shape (n,)."""
    return _decoding(_known(law))[octets]


def sound(octets: Octets, law: Law) -> Samples:
    """The float32 samples of the octets, full scale 1.0, shape (n,)."""
    return _sounding(_known(law))[octets]


def _known(law: str) -> str:
    if law not in SILENCE:
        raise Fault(f'The companding law is {law!r}; expected "a" or "mu".')
    return law


@cache
def _encoding(law: str) -> Octets:
    """The octet of every 16-bit input, indexed by the input as an unsigned number (two's complement)."""
    value = np.arange(65536, dtype=np.uint16).view(np.int16).astype(np.int32)
    magnitude = np.where(value < 0, ~value, value)
    positive = np.where(value < 0, 0, 0x80)
    if law == "a":
        level = magnitude >> 4
        # A segment is a doubling of the magnitude; the two lowest share one step size.
        segment = np.maximum(_bits(level) - 4, 0)
        step = (level >> np.maximum(segment - 1, 0)) & 0x0F
        octets = (positive | segment << 4 | step) ^ 0x55
    else:
        level = np.minimum((magnitude >> 2) + MU_BIAS, MU_TOP)
        segment = _bits(level) - 6
        step = (level >> (segment + 1)) & 0x0F
        octets = (positive | segment << 4 | step) ^ 0x7F
    return _frozen(octets.astype(np.uint8))


@cache
def _decoding(law: str) -> Pcm:
    """The value of every octet: the middle of the interval of inputs that it stands for."""
    octet = np.arange(256)
    if law == "a":
        plain = octet ^ 0x55
        segment, step = plain >> 4 & 7, plain & 0x0F
        magnitude = np.where(segment == 0, 2 * step + 1, (2 * step + 33) << np.maximum(segment - 1, 0)) << 3
    else:
        plain = octet ^ 0x7F
        segment, step = plain >> 4 & 7, plain & 0x0F
        magnitude = (((2 * step + MU_BIAS) << segment) - MU_BIAS) << 2
    return _frozen(np.where(plain & 0x80, magnitude, -magnitude).astype(np.int16))


@cache
def _sounding(law: str) -> Samples:
    return _frozen(_decoding(law).astype(np.float32) / np.float32(32768))


def _bits(number: NDArray[np.int32]) -> NDArray[np.int32]:
    """How many bits a number takes: 0 for 0, 5 for 16 to 31."""
    return np.frexp(number)[1]


def _frozen(table: Table) -> Table:
    table.flags.writeable = False  # the cache hands the same array to every thread
    return table
