"""How long a segment is: the spoken words of its canonical reading, and the bucket that they fall into.

Conventions: a word is a white-space token of the normalised reading; in Mandarin one Han character or one run of
Latin letters or digits. The written form has other lengths: `1.250.000 TL` is two tokens and six spoken words. A
segment without a spoken form is as long as its text. The buckets are those of the TR-TTS-Bench card.
"""

from __future__ import annotations

from bench import normaliser
from bench.fault import Fault
from bench.lattice import canonical, parse
from bench.segment import Segment

BUCKETS = {"short": 5, "medium": 20, "long": 45}  # the most words of each; what is longer is VERY_LONG
VERY_LONG = "very_long"


def words(segment: Segment) -> int:
    """Words of the canonical reading. Raises Fault for a lattice that cannot be read."""
    if segment.lattice is not None:
        return len(canonical(parse(segment.lattice)))
    if segment.spoken is None:
        return len(segment.text.split())
    try:
        rule = normaliser.get("earshot", segment.language)
    except Fault:
        return len(segment.spoken.split())
    return len(rule(segment.spoken).split())


def bucket(count: int) -> str:
    """The length bucket of so many spoken words: short 1-5, medium 6-20, long 21-45, very_long from 46."""
    return next((name for name, most in BUCKETS.items() if count <= most), VERY_LONG)
