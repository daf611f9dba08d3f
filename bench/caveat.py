"""What must be said beside every result: that a run is not at its end, and who has an interest in what comes out.

Conventions: plain sentences, for a terminal as for a page. An interest that is stated as none is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from bench.run import Run

UNTRIED = ("audio missing", "transcript missing")  # the causes of rows that were never tried, not those that failed
NONE = ("", "none", "none known")


def unfinished(scores: pd.DataFrame, name: str = "") -> str:
    """How many transcripts a run still lacks, as a sentence; "" where each was heard, or tried and lost.

    `scores` are its rows under one normaliser; `name` is the run's, where several are spoken of.
    """
    lacking = int(scores["cause"].isin(UNTRIED).sum())
    if not lacking:
        return ""
    head = f"{name} is unfinished" if name else "Unfinished"
    counted = f"{lacking:,} of {len(scores):,} transcripts are still to be heard"
    return f"{head}: {counted}; what follows counts them as errors."


def interests(own: str, systems: Iterable[tuple[str, str]], *, whose: str = "the benchmark") -> str:
    """The conflict-of-interest line: what `whose` publishers state, and of each system (name, statement) that has one.

    It is the first statement alone where no system states any.
    """
    stated = [f"{name}: {said}" for name, said in dict.fromkeys(systems) if said.strip(" .").lower() not in NONE]
    return "; ".join([f"{whose}: {own}", *stated]) if stated else own


def conflict(*runs: Run) -> str:
    """The conflict-of-interest line of runs of one benchmark, with all their systems."""
    systems = [(part.name, part.conflict_of_interest) for run in runs for part in run.protocol.systems]
    return interests(runs[0].protocol.conflict_of_interest, systems)
