"""What a run concludes: rates with intervals, ranks, ties, pairwise tests, and one run against another.

Conventions: a family is one (track, channel, recogniser); Holm's adjustment runs inside it. Systems are named with
their voice where a system has several. Diagnostic recognisers stand apart and enter no mean. comparisons.parquet holds
rates and pairs in one table, told apart by the column `kind`.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pandas as pd

from bench import journal, terminal
from bench.inference import Comparison, Progress, agreement, compare, compare_runs
from bench.run import Run

PERCENT = ("WER", "lo", "hi")


def named(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores with systems named "system/voice" where a system has several voices."""
    several = scores.groupby("system")["voice"].transform("nunique") > 1
    return scores.assign(system=scores["system"].where(~several, scores["system"] + "/" + scores["voice"]))


def headline(run: Run, scores: pd.DataFrame) -> pd.DataFrame:
    """The rows that conclusions are drawn from: the protocol's first normaliser, systems by name."""
    return named(scores[scores["normaliser"] == run.protocol.normalisers[0]])


def conclude(run: Run, *, strata: Sequence[Sequence[str]] = (), **options: Any) -> Comparison:
    """The comparison of all systems of a run, kept in its comparisons.parquet. `options` are those of `compare`."""
    found = compare(headline(run, run.scores()), strata=strata, **options)
    both = pd.concat([found.rates.assign(kind="rate"), found.pairs.assign(kind="pair")], ignore_index=True)
    stream = io.BytesIO()
    both.assign(signature=found.signature).to_parquet(stream, index=False)
    journal.write(run.path / "comparisons.parquet", stream.getvalue())
    return found


def show(run: Run, found: Comparison) -> None:
    """Print the table that a reader needs, a family at a time, and which conclusions hold under all recognisers."""
    diagnostic = {r["name"] for r in run.manifest["recognisers"] if r["diagnostic"]}
    for family, rows in found.rates.groupby(["recogniser", "track", "channel", "stratum"], sort=False, dropna=False):
        recogniser, track, channel, stratum = map(str, family)
        title = f"{recogniser}, track {track}, {channel}" + (f", {stratum}" if stratum not in ("all", "") else "")
        title += " (diagnostic)" if recogniser in diagnostic else ""
        shown = pd.DataFrame(
            {
                "system": rows["system"],
                "WER": rows["rate"],
                "lo": rows["lo"],
                "hi": rows["hi"],
                "n": rows["n"],
                "ranks": [_range(a, b) for a, b in zip(rows["rank_lo"], rows["rank_hi"], strict=True)],
                "ties": rows["letters"],
            }
        )
        terminal.show(shown, title, percent=PERCENT)
    if found.rates["grey"].any():
        terminal.say(
            "Too few segments to tell systems apart (fewer than 20 segments or 50 clusters): no ranks, no letters."
        )
    panel = found.pairs[~found.pairs["recogniser"].isin(diagnostic)]
    if panel["recogniser"].nunique() > 1:
        lone = agreement(panel, by=["track", "channel"])
        for row in lone[lone["holds"].isin(["one recogniser only", "contradicted"])].to_dict("records"):
            terminal.say(f"{row['a']} against {row['b']}, track {row['track']}, {row['channel']}: {row['holds']}.")
    _sign(run, found.signature)


def progress(before: Run, after: Run, **options: Any) -> Progress:
    """Whether the second run is better or worse than the first, on the segments that both have."""
    return compare_runs(headline(before, before.scores()), headline(after, after.scores()), **options)


def show_progress(before: Run, after: Run, found: Progress) -> None:
    """Print the verdicts, and the rows that changed most."""
    columns = ["system", "recogniser", "track", "channel", "rate_a", "rate_b", "difference", "lo", "hi", "n", "verdict"]
    terminal.show(
        found.verdicts[columns],
        f"{after.name} (b) against {before.name} (a), WER %",
        percent=["rate_a", "rate_b", "difference", "lo", "hi"],
    )
    terminal.show(found.changed, "The rows that changed most")
    _sign(after, found.signature)


def _range(first: Any, last: Any) -> str:
    if pd.isna(first):
        return "–"
    return f"{first}" if first == last else f"{first}–{last}"


def _sign(run: Run, signature: str) -> None:
    terminal.say(
        f"{signature}|set:{run.frozen.text_set.name}@{run.frozen.text_set.sha256[:12]}|protocol:{run.frozen.sha256[:12]}"
    )
    terminal.say(f"Conflict of interest: {run.protocol.conflict_of_interest}")
