"""From a run to the parts that hold a system against itself: on worse lines, on two tracks, before and after.

Conventions: a difference is paired by segment and carries its interval; it is the worse line less the best, the written
text less the spoken form, the later run less the earlier, so that above 0 are errors added. A loss series is the same
line with more and more frames lost; its losses are nested, so that a system understood better with more loss is an
inversion, and flagged.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bench import caveat, channels, conclusion
from bench import comparison_charts as charts
from bench.channels import Loss
from bench.inference import inversions, penalty
from bench.inference.sums import WHOLE
from bench.part import POINTS, Chart, Part, Prose, Table
from bench.run import Run
from bench.views import penalties, telephone
from bench.wording import listed, points, safe

ENDS = {"difference": "added, points", "lo": "from", "hi": "to", "p_holm": "p (Holm)"}
FORMATS = {**dict.fromkeys(("difference", "lo", "hi"), POINTS), "p": ".4f", "p_holm": ".4f"}


def line_cost(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """What each line costs each system against the run's first channel, and the inversions of its loss series."""
    names = run.channels()
    if len(names) < 2:
        return []
    found = inversions(scores, names)
    cost = found.rows[found.rows["mild"] == names[0]].rename(columns={"harsh": "channel"})
    turned = [inversions(scores, series).rows for series in loss_series(names)]
    turned = [rows[rows["inversion"]] for rows in turned]
    wrong = pd.concat(turned) if turned else found.rows.iloc[:0]
    at = set(zip(wrong["system"], wrong["track"], wrong["recogniser"], wrong["harsh"], strict=True))
    keys = zip(cost["system"], cost["track"], cost["recogniser"], cost["channel"], strict=True)
    cost = conclusion.order(run, cost.assign(flag=["inversion" if key in at else "" for key in keys]))
    signed = f"{found.signature}|{signature}"
    drawn = charts.differences(
        cost[cost["track"] == run.protocol.tracks[0]],
        row="channel",
        systems=scores["system"].unique(),
        title=f"word error rate, points above {names[0]}",
    )
    note = f"Each channel less {names[0]}, paired by segment, with 95% intervals. "
    note += _inverted(wrong) if loss_series(names) else "The run has no loss series."
    columns = ["system", "recogniser", "track", "channel", "difference", "lo", "hi", "n", "p_holm", "flag"]
    bare = {"track"} if len(run.protocol.tracks) == 1 else set()
    bare |= {"flag"} if wrong.empty else set()
    kept = [name for name in columns if name not in bare]
    return [
        Prose("# What the line costs"),
        Chart(drawn, f"Cost of each line, track {run.protocol.tracks[0]}", note, signed),
        Table(
            cost[kept],
            "Cost of each line",
            FORMATS,
            {**ENDS, "flag": "loss series"},
            {"difference": signed},
            "Holm's adjustment runs over all pairs of channels of one system under one recogniser.",
            caveat.conflict(run),
        ),
    ]


def loss_series(names: Sequence[str]) -> list[list[str]]:
    """The channels that differ in nothing but their random loss, mildest first; of each series at least two.

    `handset` draws the losses of each of its conditions anew, so that they are not nested and make no series.
    """
    found: dict[str, list[tuple[float, str]]] = {}
    for name in names:
        channel = channels.parse(name)
        if channel.line != "handset" and (channel.drop is None or isinstance(channel.drop, Loss)):
            bare = f"{channel.line}+{channel.level}"
            found.setdefault(bare, []).append((channel.drop.percent if channel.drop else 0.0, name))
    return [[name for _, name in sorted(series)] for series in found.values() if len(series) > 1]


def _inverted(wrong: pd.DataFrame) -> str:
    if wrong.empty:
        return "No significant inversion in a loss series."
    cells = [f"{r['system']} on {r['harsh']} (than {r['mild']}, {r['recogniser']})" for r in wrong.to_dict("records")]
    return f"INVERSION: understood better with more loss, which cannot be: {listed(cells)}."


def normalisation(
    run: Run, scores: pd.DataFrame, *, strata: Sequence[Sequence[str]] = (), signature: str
) -> list[Part]:
    """The TN penalty of each system with its interval, where the run has both tracks."""
    if not {"R", "S"} <= set(scores["track"]):
        return []
    found = penalty(scores)
    rows = conclusion.order(run, found.rows.rename(columns={"penalty": "difference"}))
    drawn = charts.differences(
        rows[rows["channel"] == telephone(run)],
        row="channel",
        systems=scores["system"].unique(),
        title="TN penalty, points",
    )
    return [
        Prose("# Text normalisation"),
        Chart(drawn, "TN penalty", "Above 0: the written text costs errors.", f"{found.signature}|{signature}"),
        *penalties(run, scores, strata=strata, signature=signature),
    ]


def progress(
    before: Run, after: Run, *, signature: str, strata: Sequence[Sequence[str]] = (), recogniser: str | None = None
) -> list[Part]:
    """What the later run changed: better, worse, or no evidence; and the rows that changed most.

    Each item of `strata` is a combination of columns to cut by; `recogniser` leaves the others out.
    """
    found = conclusion.progress(before, after, strata=strata)
    cut = conclusion.order(after, found.verdicts)
    changed = found.changed
    if recogniser is not None:
        cut, changed = (table[table["recogniser"] == recogniser] for table in (cut, changed))
    verdicts = cut[cut["stratum"] == WHOLE].copy()
    verdicts.loc[verdicts["identical"], ["lo", "hi"]] = 0.0  # a mark without a bar
    cut = cut.assign(**{end: cut[end].mask(cut["identical"]) for end in ("lo", "hi")})
    alike = cut["identical"].any() and cut.loc[~cut["identical"], ["lo", "hi"]].notna().all(axis=None)
    verdicts["grey"] = verdicts["verdict"] == "too few"
    signed = f"{found.signature}|{signature}"
    lacking = [told for run in (before, after) if (told := conclusion.unfinished(run))]
    lines = [f"**{safe(told)}**\n" for told in lacking] or [
        f"**{safe(after.name)}** against **{safe(before.name)}**, on the segments that both have:",
        "",
    ]
    track, channel = after.protocol.tracks[0], telephone(after)
    diagnostic = {part["name"] for part in after.manifest["recognisers"] if part["diagnostic"]}
    for system, rows in verdicts.groupby("system", sort=False) if not lacking else ():
        here = rows[(rows["track"] == track) & (rows["channel"] == channel) & ~rows["recogniser"].isin(diagnostic)]
        for verdict, same in here.groupby("verdict", sort=False):
            moved = listed(
                [
                    f"{points(100 * r['difference'])} under {safe(r['recogniser'])}" + ", identical" * r["identical"]
                    for r in same.to_dict("records")
                ]
            )
            said = "too few segments to say" if verdict == "too few" else str(verdict)
            lines.append(f"- **{safe(str(system))}: {said}** on {safe(channel)}, track {track}: {moved} (points)")
        counts = ", ".join(f"{verdict} in {n}" for verdict, n in rows["verdict"].value_counts().items())
        lines.append(f"  - over all {len(rows)} lines, tracks and recognisers: {counts}")
    lines += [f"\n{safe(told)}" for told in conclusion.alone(before, after, found)]
    few = " Fewer than 20 segments or 50 clusters say nothing about better or worse." if verdicts["grey"].any() else ""
    verdicts["line"] = verdicts["track"] + " " + verdicts["channel"]
    drawn = charts.differences(verdicts, row="line", title="change in word error rate, points")
    columns = [
        "system",
        "recogniser",
        "track",
        "channel",
        "rate_a",
        "rate_b",
        "difference",
        "lo",
        "hi",
        "n",
        "p_holm",
        "verdict",
    ]
    headings = {**ENDS, "difference": "change, points", "rate_a": before.name, "rate_b": after.name}
    shares = {**FORMATS, "rate_a": ".1%", "rate_b": ".1%"}
    note = "Holm's adjustment runs over the systems of a family. Below 0, the later run has fewer errors." + few
    note += f" Diagnostic: {', '.join(sorted(diagnostic))}." if diagnostic else ""
    return [
        Prose("# One run against another\n\n" + "\n".join(lines)),
        Chart(drawn, f"{after.name} less {before.name}", note, signed),
        Table(
            cut[columns],
            "Better, worse, or no evidence",
            shares,
            headings,
            {"difference": signed},
            conflict=caveat.conflict(before, after),
            missing=dict.fromkeys(("lo", "hi"), "identical") if alike else {},
        ),
        Table(
            changed,
            "The rows that changed most",
            names={"errors_a": "errors before", "errors_b": "after"},
            signatures={"change": signed},
        ),
    ]
