"""What is derived from a run: its rows, scores, table and report. All of it can be deleted and made again.

Conventions: rows are the expected ones, with what the journals say of each. Derived files are written beside their
place and renamed. The table goes to standard output, with its signature and its conflict-of-interest line.
"""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench import __version__, journal
from bench.pipeline import outstanding_hearings, outstanding_takes
from bench.run import Run
from bench.score import score, summary

CAUSES = ("audio missing", "audio failed", "audio empty", "transcript missing", "transcript failed", "transcript empty")


def rows(asked: Run) -> pd.DataFrame:
    """Every expected (utterance, channel, recogniser) with its raw transcript or the cause of its absence.

    Columns: system, voice, track, segment, take, channel, recogniser, diagnostic, transcript, cause, headline, and the
    strata of the text set.
    """
    takes = asked.takes()
    strata = {segment.id: segment.strata for segment in asked.frozen.chosen}
    clusters = {segment.id: segment.cluster or segment.id for segment in asked.frozen.chosen}
    table: list[dict[str, Any]] = []
    for part in asked.protocol.recognisers:
        diagnostic = next(r["diagnostic"] for r in asked.manifest["recognisers"] if r["name"] == part.name)
        heard = asked.transcripts(part.name)
        for case in asked.expected():
            for channel in asked.channels():
                entry = heard.get((case, channel))
                text = entry["text"] if entry else None
                table.append(
                    {
                        "system": case.system,
                        "voice": case.voice,
                        "track": case.track,
                        "segment": case.segment,
                        "take": case.take,
                        "channel": channel,
                        "recogniser": part.name,
                        "diagnostic": diagnostic,
                        "transcript": text,
                        "cause": _cause(takes.get(case), entry),
                        "cluster": clusters[case.segment],
                        "headline": strata[case.segment].get("headline", True) is not False,
                        **{k: v for k, v in strata[case.segment].items() if k != "headline"},
                    }
                )
    return pd.DataFrame(table)


def _cause(take: journal.Entry | None, heard: journal.Entry | None) -> str | None:
    if take is None:
        return "audio missing"
    if take["outcome"] != "ok":
        return f"audio {take['outcome']}"
    if heard is None:
        return "transcript missing"
    if heard["outcome"] != "ok":
        return "transcript failed"
    return None if heard["text"].strip() else "transcript empty"


def scores(asked: Run) -> pd.DataFrame:
    """The scored rows of a run under each normaliser of its protocol; the first is the headline."""
    found = rows(asked)
    named = [
        score(found, asked.frozen.chosen, language=asked.protocol.language, normaliser=name)
        for name in asked.protocol.normalisers
    ]
    return pd.concat(named, ignore_index=True)


def signature(asked: Run, normaliser: str) -> str:
    """What a number of this run rests on, in one line."""
    frozen = asked.frozen
    return "|".join(
        [
            f"set={frozen.text_set.name}@{frozen.text_set.sha256[:12]}",
            f"protocol={asked.protocol.name}@{frozen.sha256[:12]}",
            f"normaliser={normaliser}",
            "ties=errors,hits,first-option",
            "denominator=canonical",
            f"earshot={__version__}",
        ]
    )


def publish(asked: Run) -> Path:
    """Score the run, keep the scores, print the table, build the report; the report's path."""
    scored = scores(asked)
    stream = io.BytesIO()
    scored.to_parquet(stream, index=False)
    journal.write(asked.path / "scores.parquet", stream.getvalue())
    show(asked, scored)
    return asked.path


def show(asked: Run, scored: pd.DataFrame) -> None:
    """Print the word error rates: a table a recogniser, a row a system and track, a column a channel."""
    console = Console(highlight=False)
    headline = asked.protocol.normalisers[0]
    table = summary(scored[scored["headline"] & (scored["normaliser"] == headline)])
    for name, part in table.groupby("recogniser", sort=False):
        diagnostic = scored.loc[scored["recogniser"] == name, "diagnostic"].iloc[0]
        title = f"WER %, {name}" + (" (diagnostic: measures its own mismatch to the line too)" if diagnostic else "")
        shown = Table(title=title, title_justify="left")
        for column in ("system", "voice", "track"):
            shown.add_column(column)
        for column in (*asked.channels(), "failed"):
            shown.add_column(column, justify="right", overflow="fold")
        for (system, voice, track), cells in part.groupby(["system", "voice", "track"], sort=False):
            rates = [f"{100 * cells.loc[cells['channel'] == c, 'wer'].iloc[0]:.1f}" for c in asked.channels()]
            shown.add_row(*(escape(str(cell)) for cell in (system, voice, track, *rates)), f"{cells['failed'].sum():g}")
        console.print(shown)
    console.print(escape(signature(asked, headline)))
    console.print(escape(f"Conflict of interest: {asked.protocol.conflict_of_interest}"))


def status(asked: Run) -> None:
    """Print what a run has, lacks and lost."""
    console = Console(highlight=False)
    expected = len(asked.expected())
    outcomes = Counter(entry["outcome"] for entry in asked.takes().values())
    console.print(f"{escape(str(asked.path))}: protocol {escape(asked.protocol.name)} {asked.frozen.sha256[:12]}")
    console.print(f"takes: {outcomes['ok']} of {expected} good, {len(outstanding_takes(asked))} to do")
    for (error, outcome), count in Counter(
        (entry["error"], entry["outcome"]) for entry in asked.takes().values() if entry["outcome"] != "ok"
    ).most_common():
        console.print(f"  {outcome} x {count}: {escape(str(error))}")
    for part in asked.protocol.recognisers:
        heard = asked.transcripts(part.name)
        good = sum(entry["outcome"] == "ok" for entry in heard.values())
        todo = len(outstanding_hearings(asked, part.name))
        console.print(f"{escape(part.name)}: {good} of {expected * len(asked.channels())} heard, {todo} to do")
