"""What a run concludes: rates with intervals, ranks, ties, pairwise tests, and one run against another.

Conventions: a family is one (track, channel, recogniser), shown in the protocol's order; Holm's adjustment runs inside
it. Systems are named with their voice where a system has several. Diagnostic recognisers stand apart and enter no
mean. Human recordings are a floor and no competitor: a system called `human` is in no comparison. comparisons.parquet
holds rates and pairs in one table, told apart by the column `kind`; the mean of the panel, where the protocol allows
one, stands there as the recogniser "panel mean".
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pandas as pd

from bench import caveat, inference, journal, results, terminal
from bench.inference import Comparison, Progress, agreement, compare, compare_runs
from bench.run import Run

PERCENT = ("WER", "lo", "hi")
HUMAN = "human"
CEILING = "human_ceiling"  # the subset that people recorded
MEAN = "panel mean"  # no recogniser's name has a space


def named(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores with systems named "system/voice" where a system has several voices."""
    several = scores.groupby("system")["voice"].transform("nunique") > 1
    return scores.assign(system=scores["system"].where(~several, scores["system"] + "/" + scores["voice"]))


def headline(run: Run, scores: pd.DataFrame) -> pd.DataFrame:
    """The rows that conclusions are drawn from: the protocol's first normaliser, no human, systems by name."""
    kept = scores[scores["normaliser"] == run.protocol.normalisers[0]]
    return contenders(kept)


def unfinished(run: Run) -> str:
    """The sentence that a run is unfinished, with its name; "" where it is at its end."""
    scores = results.kept(run)
    return caveat.unfinished(scores[scores["normaliser"] == run.protocol.normalisers[0]], run.name)


def contenders(scores: pd.DataFrame) -> pd.DataFrame:
    """The rows of the systems that are compared, by name; human recordings are none of them."""
    return named(scores[scores["system"] != HUMAN])


def panel(run: Run, scores: pd.DataFrame) -> list[str]:
    """The recognisers that conclusions rest on: those that are not diagnostic, in the protocol's order."""
    diagnostic = set(scores.loc[scores["diagnostic"].astype(bool), "recogniser"])
    present = set(scores["recogniser"])
    return [part.name for part in run.protocol.recognisers if part.name in present - diagnostic]


def pooled(run: Run, scores: pd.DataFrame, **options: Any) -> Comparison | None:
    """The comparison under the panel's mean; None where the protocol allows none, or there are fewer than two."""
    if not run.protocol.panel_mean or len(panel(run, scores)) < 2:
        return None
    found = inference.panel_mean(scores, **options)
    return Comparison(found.rates.assign(recogniser=MEAN), found.pairs.assign(recogniser=MEAN), found.signature)


def floor(run: Run, scores: pd.DataFrame) -> inference.Table | None:
    """The recognisers' error on human recordings, of the subset `human_ceiling` where the set has one; None without."""
    rows = scores[scores["system"] == HUMAN]
    recorded = {segment.id for segment in run.frozen.chosen if CEILING in segment.subsets}
    rows = rows[rows["segment"].isin(recorded)] if recorded else rows
    return None if rows.empty else inference.ceiling(rows.assign(voice=""), human=HUMAN)


def order(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a result with its families in the protocol's order: recogniser, track, channel; the mean last."""
    places: dict[str, list[str]] = {
        "recogniser": [*(part.name for part in run.protocol.recognisers), MEAN],
        "track": list(run.protocol.tracks),
        "channel": run.channels(),
    }
    keys = [name for name in places if name in table]
    ranks = pd.DataFrame({name: table[name].map(places[name].index) for name in keys})
    return table.loc[ranks.sort_values(keys, kind="stable").index].reset_index(drop=True)


def conclude(run: Run, *, strata: Sequence[Sequence[str]] = (), **options: Any) -> Comparison:
    """The comparison of all systems of a run, kept in its comparisons.parquet. `options` are those of `compare`.

    Families are in the protocol's order. The file also holds the panel's mean; each row carries its signature.
    """
    rows = headline(run, results.kept(run))
    found = compare(rows, strata=strata, **options)
    found = Comparison(order(run, found.rates), order(run, found.pairs), found.signature)
    mean = pooled(run, rows, strata=strata, **options)
    parts = [
        table.assign(kind=kind, signature=part.signature)
        for part in (found, mean)
        if part is not None
        for kind, table in (("rate", part.rates), ("pair", part.pairs))
    ]
    stream = io.BytesIO()
    pd.concat(parts, ignore_index=True).to_parquet(stream, index=False)
    journal.write(run.path / "comparisons.parquet", stream.getvalue())
    return found


def show(run: Run, found: Comparison) -> None:
    """Print the table that a reader needs, a family at a time, and which conclusions hold under all recognisers."""
    scores = results.kept(run)
    rows = headline(run, scores)
    members = panel(run, rows)
    _warn(run)
    _families(found.rates, members)
    if found.rates["grey"].any():
        terminal.say(
            "Too few segments to tell systems apart (fewer than 20 segments or 50 clusters): no ranks, no letters."
        )
    if found.note:
        terminal.say(found.note)
    inside = found.pairs[found.pairs["recogniser"].isin(members)]
    if len(members) > 1:
        held = agreement(inside)
        for row in held[held["holds"].isin(["one recogniser only", "contradicted"])].to_dict("records"):
            where = f"track {row['track']}, {row['channel']}" + _cut(row["stratum"])
            terminal.say(f"{row['a']} against {row['b']}, {where}: {row['holds']}.")
        if len(inside):
            counts = ", ".join(f"{name} {n}" for name, n in held["holds"].value_counts().items())
            terminal.say(f"Conclusions by what holds under {', '.join(members)}: {counts}.")
    mean = pooled(run, rows)
    if mean is not None:
        _families(order(run, mean.rates), members)
    elif len(members) > 1:
        terminal.say("The protocol allows no panel mean.")
    else:
        terminal.say(
            "The panel has fewer than two recognisers that are not diagnostic: no mean, and no agreement to look for."
        )
    low = floor(run, scores[scores["normaliser"] == run.protocol.normalisers[0]])
    for row in [] if low is None else order(run, low.rows).to_dict("records"):
        terminal.say(
            f"Floor, human recordings under {row['recogniser']}, track {row['track']}, {row['channel']}: "
            f"{row['rate']:.1%} ({row['lo']:.1%} to {row['hi']:.1%}, n {row['n']})."
        )
    _sign(found.signature, run)


def _families(rates: pd.DataFrame, members: Sequence[str]) -> None:
    for family, rows in rates.groupby(["recogniser", "track", "channel", "stratum"], sort=False):
        recogniser, track, channel, stratum = map(str, family)
        title = f"{recogniser}, track {track}, {channel}" + _cut(stratum)
        title += "" if recogniser in (*members, MEAN) else " (diagnostic)"
        shown = pd.DataFrame(
            {
                "system": rows["system"],
                "WER": rows["rate"],
                "lo": rows["lo"],
                "hi": rows["hi"],
                "n": rows["n"],
                "ranks": [span(a, b) for a, b in zip(rows["rank_lo"], rows["rank_hi"], strict=True)],
                "ties": rows["letters"],
            }
        )
        terminal.show(shown, title, percent=PERCENT)


def progress(before: Run, after: Run, **options: Any) -> Progress:
    """Whether the second run is better or worse than the first, on the segments that both have."""
    return compare_runs(headline(before, results.kept(before)), headline(after, results.kept(after)), **options)


def alone(before: Run, after: Run, found: Progress) -> list[str]:
    """A sentence for each run that has what the other has not; at most three of a kind are named, all are counted."""
    said = []
    for run, name in (("a", before.name), ("b", after.name)):
        kinds = found.alone[found.alone["run"] == run].groupby("what", sort=False)["name"]
        parts = [
            f"{len(names)} {what}{'s' * (len(names) > 1)} ({', '.join(names[:3])}{' and more' * (len(names) > 3)})"
            for what, names in ((str(what), [*names]) for what, names in kinds)
        ]
        if parts:
            said.append(f"Only {name} has {'; '.join(parts)}: in no difference here.")
    return said


def show_progress(before: Run, after: Run, found: Progress) -> None:
    """Print what one run only has, the verdicts, and the rows that changed most."""
    where = ["recogniser", "track", "channel", "stratum"]
    columns = ["system", *where, "rate_a", "rate_b", "difference", "lo", "hi", "n", "verdict"]
    _warn(before, after)
    for told in alone(before, after, found):
        terminal.say(told)
    shown = order(after, found.verdicts)
    for end, word in (("lo", "identical"), ("hi", "")):
        shown[end] = shown[end].astype(object).mask(shown["identical"], word)
    terminal.show(
        shown[columns],
        f"{after.name} (b) against {before.name} (a), WER %",
        percent=["rate_a", "rate_b", "difference", "lo", "hi"],
    )
    terminal.show(found.changed, "The rows that changed most")
    _sign(found.signature, after, before)


def span(first: Any, last: Any) -> str:
    """A range of ranks as it is read; a dash where there is none."""
    if pd.isna(first):
        return "–"
    return f"{first}" if first == last else f"{first}–{last}"


def _warn(*runs: Run) -> None:
    for told in filter(None, map(unfinished, runs)):
        terminal.say(told)


def _cut(stratum: str) -> str:
    return "" if stratum == "all" else f", {stratum}"


def _sign(signature: str, run: Run, *others: Run) -> None:
    terminal.say(
        f"{signature}|set:{run.frozen.text_set.name}@{run.frozen.text_set.sha256[:12]}|protocol:{run.frozen.sha256[:12]}"
    )
    terminal.say(f"Conflict of interest: {caveat.conflict(run, *others)}")
