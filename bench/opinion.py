"""What listeners said of the systems of some runs: the figures of listening studies under the systems' own names.

Conventions: a study is the `results.json` of its analysis, or the directory that holds it. Its figures are those of
blind listeners after the declared exclusions. A construct is one question: figures of two constructs, of two channels
or of two studies never share a column. A study belongs to the run whose protocol it names by hash; what is no system
there (an anchor, a reference) is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench.fault import Fault
from bench.listening import publish
from bench.run import Run

CONSTRUCTS = ("naturalness", "quality")  # the questions about a single clip that a leaderboard shows


@dataclass(frozen=True, eq=False, slots=True)
class Opinion:
    """One construct on one channel of one study: `figures` has a row a system: system, value, lo, hi, votes.

    `path` is the directory of the study, `scale` how a figure is read.
    """

    construct: str
    channel: str
    study: str
    path: Path
    scale: str
    listeners: int
    figures: pd.DataFrame
    signature: str
    conflict: str


def gather(studies: Sequence[Path], runs: Sequence[Run]) -> list[Opinion]:
    """The opinions of some studies about the systems of some runs.

    Raises Fault for a study of another run, and for one without a counted answer to one of CONSTRUCTS, be it that
    nobody was asked or that every vote was excluded.
    """
    return [opinion for path in studies for opinion in _read(path, runs)]


def name(run: Run, system: str, voice: str) -> str:
    """A system as reports name it: with its voice where the run has several of it."""
    several = sum(part.name == system for part in run.protocol.systems) > 1
    return f"{system}/{voice}" if several else system


def _read(path: Path, runs: Sequence[Run]) -> list[Opinion]:
    head, means = publish.read(path)
    run = next((run for run in runs if run.frozen.sha256 == head["protocol"]), None)
    if run is None:
        raise Fault(
            f"This study is of the run {head['run']}, protocol sha256 {head['protocol'][:12]}; that is none of the "
            "runs given.",
            file=path,
        )
    told = means[(means["panel"] == "blind") & means["locality"].isna() & means["value"].notna()]
    told = told[told["question"].isin(CONSTRUCTS) & (told["role"] == "system")]
    kept = told[told["basis"] == "kept"]
    if kept.empty and len(told):
        raise Fault(
            f"All {int(told['votes'].sum())} votes of this study were excluded; see its exclusions.csv.", file=path
        )
    if kept.empty:
        asked = " and ".join(means["construct"].unique()) or "nothing"
        raise Fault(
            f"This study has no counted answer about naturalness or overall quality, which a leaderboard shows; it "
            f"asked about {asked}.",
            file=path,
        )
    kept = kept.assign(label=[name(run, *key) for key in zip(kept["system"], kept["voice"], strict=True)])
    return [
        Opinion(
            str(construct),
            str(channel),
            head["study"],
            path if path.is_dir() else path.parent.parent,
            f"{part['scale'].iloc[0]}, {'higher' if part['higher_is_better'].iloc[0] else 'lower'} is better",
            int(part["listeners"].max()),
            part[["label", "value", "lo", "hi", "votes"]].rename(columns={"label": "system"}).reset_index(drop=True),
            f"{construct}|channel:{channel}|{head['signature']}",
            head["conflict_of_interest"],
        )
        for (construct, channel), part in kept.groupby(["construct", "channel"], sort=False)
    ]
