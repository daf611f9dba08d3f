"""Named subsets of a text set, drawn by the rules of the TR-TTS-Bench card.

Conventions: a subset is a stratified sample of the whole set (`TextSet.sample`), drawn with a seed of its own, so that
subsets overlap by chance alone. `ci_smoke` is what a regression run reads, `adjudicated_core` is where natives judge
the differences between reference and transcript, and `human_ceiling` is read by native speakers; for that one,
utterances of the highest difficulty, robustness rows and those above thirty words are taken only when the others
run out.
"""

from __future__ import annotations

from dataclasses import replace

from bench.lattice import canonical, parse
from bench.segment import Segment, TextSet

# The card's sizes over its 5,000 public rows: 500, 1,000 and 600.
SHARES = {"ci_smoke": 0.10, "adjudicated_core": 0.20, "human_ceiling": 0.12}
LONGEST = 30  # words that a reader is preferably given at once


def draw(text_set: TextSet, *, seed: int = 0) -> dict[str, frozenset[str]]:
    """The ids of every named subset: the same for the same ids, strata and seed, whatever the rows list so far."""
    drawn: dict[str, frozenset[str]] = {}
    for place, (name, share) in enumerate(SHARES.items()):
        size, own_seed = round(share * len(text_set)), seed + place
        if name == "human_ceiling":
            easy = replace(text_set, segments=tuple(filter(readable, text_set.segments)))
            hard = replace(text_set, segments=tuple(s for s in text_set.segments if not readable(s)))
            chosen = easy.sample(size, seed=own_seed).segments
            chosen += hard.sample(size - len(chosen), seed=own_seed).segments
        else:
            chosen = text_set.sample(size, seed=own_seed).segments
        drawn[name] = frozenset(segment.id for segment in chosen)
    return drawn


def readable(segment: Segment) -> bool:
    """Whether a native speaker is preferably asked to read this utterance aloud."""
    words = canonical(parse(segment.lattice)) if segment.lattice is not None else (segment.spoken or "").split()
    strata = segment.strata
    return strata.get("difficulty") != "D4" and not strata.get("robustness") and len(words) <= LONGEST
