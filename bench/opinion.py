"""What listeners said of the systems of some runs: the figures of listening studies under the systems' own names.

Conventions: a study is a directory with its frozen design and its ratings; its figures are those of the declared
analysis, after the declared exclusions, blind listeners only. A construct is one question: figures of two constructs,
of two channels or of two studies never share a column. A study belongs to the run whose protocol its design names by
hash, and its conditions are the systems of that run; what is no system there (an anchor) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench.fault import Fault
from bench.listening import analysis, design, ratings
from bench.run import Run

CONSTRUCTS = ("naturalness", "quality")  # the questions of one clip that a leaderboard shows


@dataclass(frozen=True, eq=False, slots=True)
class Opinion:
    """One construct on one channel of one study: `figures` has a row a system: system, value, lo, hi, votes."""

    construct: str
    channel: str
    study: str
    path: Path
    listeners: int
    direction: str
    figures: pd.DataFrame
    signature: str
    conflict: str


def gather(studies: Sequence[Path], runs: Sequence[Run]) -> list[Opinion]:
    """The opinions of some studies about the systems of some runs.

    Raises Fault for a study of another run, one without a counted vote, and one that asked about none of CONSTRUCTS.
    """
    return [opinion for path in studies for opinion in _read(path, runs)]


def name(run: Run, system: str, voice: str) -> str:
    """A system as reports name it: with its voice where the run has several of it."""
    several = sum(part.name == system for part in run.protocol.systems) > 1
    return f"{system}/{voice}" if several else system


def _read(path: Path, runs: Sequence[Run]) -> list[Opinion]:
    frozen = design.read(path)
    run = next((run for run in runs if frozen.run.endswith(run.frozen.sha256)), None)
    if run is None:
        raise Fault(f"This study is of the run {frozen.run}; that is none of the runs given.", file=path)
    asked = [question.measures for question in frozen.questions]
    if not any(question.key in CONSTRUCTS for question in frozen.questions):
        raise Fault(
            f"This study asked about {' and '.join(asked)}; a leaderboard shows naturalness or quality.", file=path
        )
    found = analysis.analyse(frozen, ratings.collect(frozen, ratings.read([path / "ratings"])))
    opinions = []
    for result in found.results:
        means = result.means[(result.means["basis"] == "kept") & result.means["value"].notna()]
        if result.question.key not in CONSTRUCTS:
            continue
        if means.empty:
            raise Fault(
                "This study has no vote yet that counts; give it when the ratings are in.", file=path / "ratings"
            )
        known = {condition.name: condition for condition in frozen.conditions}
        means = means[means["condition"].isin(list(known))]
        systems = [name(run, known[label].system, known[label].voice) for label in means["condition"]]
        channels = [
            frozen.channels[0] if len(frozen.channels) == 1 else label.rpartition(", ")[2]
            for label in means["condition"]
        ]
        for channel, figures in means.assign(system=systems, channel=channels).groupby("channel", sort=False):
            opinions.append(
                Opinion(
                    result.question.measures,
                    str(channel),
                    frozen.name,
                    path,
                    int(figures["listeners"].max()),
                    result.question.direction,
                    figures[["system", "value", "lo", "hi", "votes"]].reset_index(drop=True),
                    f"{result.question.measures}|channel:{channel}|{found.signature}",
                    frozen.conflict_of_interest,
                )
            )
    return opinions
