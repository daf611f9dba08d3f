"""Named subsets of a text set, drawn by the rules of the TR-TTS-Bench card.

Conventions: a subset takes its share of every setting and length in proportion, and within those deals round-robin
over groups (or categories), the ones with the fewest members so far first. One seeded order of the ids serves all
subsets, so that a small one lies largely inside a larger one. `ci_smoke` is what a regression run reads,
`adjudicated_core` is where natives judge the differences between reference and transcript, and `human_ceiling` is read
aloud by native speakers: there the hardest utterances, robustness rows and those above thirty words come in last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256

from bench.lattice import canonical, parse
from bench.segment import Segment, TextSet

# The card's sizes over its 5,000 public rows: 500, 1,000 and 600.
SHARES = {"ci_smoke": 0.10, "adjudicated_core": 0.20, "human_ceiling": 0.12}
SEED = 2026
LONGEST = 30  # words that a reader is preferably given at once


def draw(text_set: TextSet, *, seed: int = SEED) -> dict[str, frozenset[str]]:
    """The ids of every named subset: the same for the same ids, strata and seed, whatever the rows list so far."""
    drawn: dict[str, frozenset[str]] = {}
    for name, share in SHARES.items():
        size = round(share * len(text_set))
        preferred = [s for s in text_set.segments if name != "human_ceiling" or readable(s)]
        others = [s for s in text_set.segments if name == "human_ceiling" and not readable(s)]
        chosen = _spread(preferred, min(size, len(preferred)), name, seed)
        drawn[name] = frozenset(chosen + _spread(others, size - len(chosen), name, seed))
    return drawn


def readable(segment: Segment) -> bool:
    """Whether a native speaker is preferably asked to read this utterance aloud."""
    words = canonical(parse(segment.lattice)) if segment.lattice is not None else (segment.spoken or "").split()
    strata = segment.strata
    return strata.get("difficulty") != "D4" and not strata.get("robustness") and len(words) <= LONGEST


def apportion(counts: Mapping[str, int], n: int) -> dict[str, int]:
    """`n` shared out in proportion to `counts`: rounded down; what is left goes to the largest remainders, by name."""
    total = sum(counts.values())
    shares = {name: divmod(n * count, total) for name, count in counts.items()}
    parts = {name: whole for name, (whole, _) in shares.items()}
    for name in sorted(shares, key=lambda name: (-shares[name][1], name))[: n - sum(parts.values())]:
        parts[name] += 1
    return parts


def _spread(pool: Sequence[Segment], n: int, name: str, seed: int) -> list[str]:
    """`n` ids of the pool."""
    chosen: list[str] = []
    members: Counter[str] = Counter()
    for stratum, share in sorted(apportion(Counter(map(_stratum, pool)), n).items()):
        deck = [segment for segment in pool if _stratum(segment) == stratum]
        deck.sort(key=lambda s: (members[_group(s)], sha256(f"{name}|{seed}|{s.id}".encode()).digest()))
        for segment in TextSet(name, tuple(deck), "").sample(share, seed=seed).segments:
            chosen.append(segment.id)
            members[_group(segment)] += 1
    return chosen


def _stratum(segment: Segment) -> str:
    return f"{segment.strata.get('setting')}/{segment.strata.get('length_bucket')}"


def _group(segment: Segment) -> str:
    return str(segment.strata.get("group", segment.strata.get("category")))
