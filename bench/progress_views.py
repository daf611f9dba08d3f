"""How a run is getting on, as parts: what is done and what is lost, how quick it was, where recognisers agree.

Conventions: coverage counts what the protocol expects, so that what was never tried shows as to do. Speed is that of
the machine that did the work. Agreement compares the recognisers with one another, not with the reference: two that
agree may both be wrong.
"""

from __future__ import annotations

import html
from itertools import combinations
from typing import Any

import pandas as pd

from bench import __version__, results, timing
from bench.background import Job
from bench.part import Figure, KeyFigures, Part, Prose, Table
from bench.pipeline import outstanding_hearings, outstanding_takes
from bench.run import Run


def overview(run: Run) -> list[Part]:
    """Coverage, and as soon as something was heard, speed and agreement."""
    parts = coverage(run)
    if any(next(run.transcript_lines(part.name), None) for part in run.protocol.recognisers):
        parts += [*speed(run), *agreement(run)]
    return parts


def bar(job: Job) -> str:
    """Where a job is, as HTML: a progress bar and a line of text."""
    told = {
        "idle": "Nothing is being done.",
        "running": f"{job.step or 'getting ready'}: {job.done:,} of {job.total:,}",
        "stopping": "Stopping: the clips in work are finished first.",
        "stopped": f"Stopped at {job.done:,} of {job.total:,} ({job.step}). Nothing is lost: start goes on from here.",
        "failed": f"Not finished: {job.error}",
        "finished": "All that can be done is done.",
    }[job.state]
    share = "" if job.state == "running" and not job.total else f' value="{job.done}" max="{max(job.total, 1)}"'
    return (
        f'<div role="status" data-state="{job.state}"><progress aria-label="Progress"{share} style="width:100%">'
        f"</progress><p>{html.escape(told)}</p></div>"
    )


def coverage(run: Run) -> list[Part]:
    """What is there of what the protocol expects: takes by system, hearings by recogniser."""
    takes, expected = run.takes(), run.expected()
    todo = {attempt.case for attempt in outstanding_takes(run)}
    spoken = [
        {
            "system": case.system,
            "voice": case.voice,
            "track": case.track,
            "good": case in takes and takes[case]["outcome"] == "ok",
            "to_do": case in todo,
        }
        for case in expected
    ]
    said = _counted(pd.DataFrame(spoken), ["system", "voice", "track"])
    good = {case for case, entry in takes.items() if entry["outcome"] == "ok"}
    heard = []
    for part in run.protocol.recognisers:
        kept = run.transcripts(part.name)
        left = {(hearing.case, hearing.channel) for hearing in outstanding_hearings(run, part.name)}
        heard += [
            {
                "recogniser": part.name,
                "channel": channel,
                "good": (case, channel) in kept and kept[case, channel]["outcome"] == "ok",
                "to_do": (case, channel) in left or case in todo,
            }
            for case in expected
            for channel in run.channels()
        ]
    listened = _counted(pd.DataFrame(heard), ["recogniser", "channel"])
    names = {"to_do": "to do"}
    signed = {"good": _sign(run, "coverage")}
    shares = {"done": ".0%"}
    return [
        Prose("# Coverage"),
        KeyFigures(
            (
                Figure("Takes", f"{len(good):,} of {len(expected):,}", f"{len(todo):,} to do"),
                Figure(
                    "Transcripts",
                    f"{listened['good'].sum():,} of {listened['expected'].sum():,}",
                    f"{listened['to_do'].sum():,} to do, {listened['lost'].sum():,} lost",
                ),
            )
        ),
        Table(said, "Takes", shares, names, signed, "Lost: tried as often as the protocol allows, or refused."),
        Table(
            listened, "Transcripts", shares, names, signed, "What has no good take cannot be heard, and is lost too."
        ),
    ]


def _counted(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    counts = rows.groupby(by, sort=False).agg(expected=("good", "size"), good=("good", "sum"), to_do=("to_do", "sum"))
    counts["lost"] = counts["expected"] - counts["good"] - counts["to_do"]
    return counts.assign(done=counts["good"] / counts["expected"]).reset_index()


def speed(run: Run) -> list[Part]:
    """How quickly each recogniser worked: seconds of work a second of audio, its median and 90th percentile."""
    heard = timing.hearings(run)
    if heard.empty:
        return []
    table = timing.percentiles(heard, ["recogniser"], "rtf", (0.5, 0.9))
    sums = heard.groupby("recogniser", sort=False)[["seconds", "recognition"]].sum()
    table = table.assign(
        audio=table["recogniser"].map(sums["seconds"]), work=table["recogniser"].map(sums["recognition"])
    )
    names = {
        "n": "transcripts",
        "audio": "audio, s",
        "work": "work, s",
        "p50": "real-time factor, p50",
        "p90": "p90",
        **{f"p{n}_{end}": word for n in (50, 90) for end, word in (("lo", "from"), ("hi", "to"))},
    }
    formats = {"audio": ",.0f", "work": ",.0f", **{f"p{n}{end}": ".2f" for n in (50, 90) for end in ("", "_lo", "_hi")}}
    columns = ["recogniser", "n", "audio", "work", *(f"p{n}{end}" for n in (50, 90) for end in ("", "_lo", "_hi"))]
    note = "Below 1 is faster than speech. Each worker process counts alone; intervals are at 95 %, from the ranks."
    signed = {"p50": _sign(run, "time|percentile:nearest rank|interval:order statistics 95%")}
    return [Prose("# Speed"), Table(table[columns], "Recognisers", formats, names, signed, note)]


def agreement(run: Run) -> list[Part]:
    """How far each two recognisers agree on the same takes and channels, under the protocol's first normaliser."""
    if len(run.protocol.recognisers) < 2:
        return []
    scores = results.scores(run)
    scores = scores[(scores["normaliser"] == run.protocol.normalisers[0]) & scores["cause"].isna()]
    keys = ["system", "voice", "track", "segment", "take", "channel"]
    wide = scores.pivot(index=keys, columns="recogniser", values=["hypothesis", "wrong"])
    rows = []
    for a, b in combinations([part.name for part in run.protocol.recognisers], 2):
        if not {a, b} <= set(scores["recogniser"]):
            continue
        both = wide[[("hypothesis", a), ("hypothesis", b), ("wrong", a), ("wrong", b)]].dropna()
        both.columns = pd.Index(["a", "b", "wrong_a", "wrong_b"])
        if both.empty:
            continue
        rows += [
            {"recogniser": a, "other": b, "channel": channel, **_agreed(part)}
            for channel, part in both.groupby(level="channel", sort=False)
        ]
    if not rows:
        return []
    table = pd.DataFrame(rows)
    place = table["channel"].map(run.channels().index)
    table = table.assign(place=place).sort_values("place", kind="stable").drop(columns="place")
    shares = [name for name in table.columns if name not in ("recogniser", "other", "channel", "transcripts")]
    note = "Of the takes that both heard. How many words they wrote differently, with intervals: the comparison has it."
    formats = dict.fromkeys(shares, ".0%")
    names = {name: name.replace("_", " ") for name in table.columns}
    signed = {"identical": f"agreement|{results.signature(run, run.protocol.normalisers[0])}"}
    return [Prose("# Agreement"), Table(table, "Recognisers two by two", formats, names, signed, note)]


def _sign(run: Run, what: str) -> str:
    """What a number that rests on no transcript rests on."""
    frozen = run.frozen
    held = f"set={frozen.text_set.name}@{frozen.text_set.sha256[:12]}|protocol={run.protocol.name}@{frozen.sha256[:12]}"
    return f"{what}|{held}|earshot={__version__}"


def _agreed(part: pd.DataFrame) -> dict[str, Any]:
    a, b = part["wrong_a"].astype(bool), part["wrong_b"].astype(bool)
    return {
        "transcripts": len(part),
        "identical": float((part["a"] == part["b"]).mean()),
        "both_right": float((~a & ~b).mean()),
        "one_right": float((a ^ b).mean()),
        "both_wrong": float((a & b).mean()),
    }
