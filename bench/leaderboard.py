"""Many runs of one protocol together: a row a system, a column a measure, and no composite of them.

Conventions: runs belong together when their protocols agree in name, version and all else but the systems, and when
the same recognisers listened. Everything else is refused, since its numbers would not compare. Rates are those of the
protocol's first normaliser on headline rows, with intervals, and with letters from `bench.inference`: systems that
share a letter are not told apart. Times are observations on the machine where the takes were made, one row a machine.
Prices are as their owners state them, in their currency; `bench.leaderboard_views` shows it all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from bench import caveat, results, timing
from bench.conclusion import named
from bench.fault import Fault
from bench.inference import Comparison, compare
from bench.opinion import Opinion, gather, name
from bench.protocol import Price
from bench.run import Run
from bench.score import entities
from bench.wording import listed

FAMILY = ["track", "channel", "recogniser"]
LEVELS = (0.5, 0.9)
UNITS = {  # what a price is asked for: as which unit it is shown, and how many of it that is
    "1K characters": ("1M characters", 1_000),
    "1M characters": ("1M characters", 1),
    "minute of audio": ("hour of audio", 60),
    "hour of audio": ("hour of audio", 1),
}


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The runs, the scored rows of all their systems, and what follows from them.

    `accuracy` compares word errors, `spans` wrong entities of those rows that have any (None where the text set has
    no typed span). `systems` has a row a system: system, run, failures, licence, conflict. `times` has a row a system
    and machine: system, where, takes, first_audio_p50 and _p90, throughput (each with _lo and _hi), and, where it is
    stated, the price: one column a currency and unit, and `stated`, the day. `opinions` are those of listeners;
    `unfinished` has a sentence for each run that lacks transcripts.
    """

    runs: tuple[Run, ...]
    scores: pd.DataFrame
    accuracy: Comparison
    spans: Comparison | None
    systems: pd.DataFrame
    times: pd.DataFrame
    opinions: tuple[Opinion, ...]
    unfinished: tuple[str, ...]
    signature: str


def make(runs: Sequence[Run], studies: Sequence[Path] = ()) -> Board:
    """The board of some runs and of the listening studies of them.

    Raises Fault where runs do not belong together, a system stands in two of them, or a study is of none of them.
    """
    if not runs:
        raise Fault("A leaderboard needs at least one run.")
    for other in runs[1:]:
        _refuse_another(runs[0], other)
    normaliser = runs[0].protocol.normalisers[0]
    parts, rows, times, unfinished = [], [], [], []
    for run in runs:
        scores = results.scores(run)
        scores = named(scores[scores["normaliser"] == normaliser])
        parts.append(scores)
        unfinished.append(caveat.unfinished(scores, run.name))
        rows += _rows(run, scores)
        times += _times(run)
    systems = pd.DataFrame(rows)
    twice = systems.loc[systems["system"].duplicated(), "system"]
    if len(twice):
        both = listed(list(systems.loc[systems["system"] == twice.iloc[0], "run"]))
        raise Fault(f"The system {twice.iloc[0]!r} stands in {both}; give one of them.")
    scores = pd.concat(parts, ignore_index=True)
    headline = scores[scores["headline"]].assign(voice="")
    return Board(
        tuple(runs),
        scores,
        compare(headline),
        _spans(runs[0], headline),
        systems,
        pd.DataFrame(times),
        tuple(gather(studies, runs)),
        tuple(filter(None, unfinished)),
        results.signature(runs[0], normaliser, protocol=_called(runs[0])),
    )


def _called(run: Run) -> str:
    """What the runs have in common: their own protocol files differ in the systems, and so in their hashes."""
    return f"{run.protocol.name} version {run.protocol.version}"


def _refuse_another(first: Run, other: Run) -> None:
    """Raises Fault where the two runs follow different protocols, or recognisers of different versions listened."""
    a, b = first.protocol, other.protocol
    if (a.name, a.version) != (b.name, b.version):
        raise Fault(
            f"This run follows {_called(other)}, the first one {_called(first)}; a leaderboard compares runs of one "
            "version of one protocol.",
            file=other.path,
        )
    ours, theirs = (run.protocol.model_dump(mode="json", exclude={"systems"}) for run in (first, other))
    for text_set in (ours["text_set"], theirs["text_set"]):
        text_set.pop("file")  # its hash says which it is
    differing = [key for key in ours if ours[key] != theirs[key]]
    if differing:
        raise Fault(
            f"This run's protocol is called {_called(other)} as that of {first.path} is, but differs in "
            f"{listed(differing)}; give the changed protocol a version of its own.",
            file=other.path,
        )
    for before, now in zip(first.manifest["recognisers"], other.manifest["recognisers"], strict=True):
        if before["version"] != now["version"]:
            raise Fault(
                f"{now['name']} listened here as {now['version']!r}, in {first.path} as {before['version']!r}; "
                "transcribe one of them again.",
                file=other.path,
            )


def _rows(run: Run, scores: pd.DataFrame) -> list[dict[str, Any]]:
    """What is known of each system of a run beside its rates."""
    return [
        {
            "system": (system := name(run, part.name, part.label)),
            "run": str(run.path),
            "failures": scores.loc[scores["system"] == system, "failed"].mean(),
            "licence": part.licence,
            "conflict": part.conflict_of_interest,
        }
        for part in run.protocol.systems
    ]


def _times(run: Run) -> list[dict[str, Any]]:
    """How quick each system of a run was on each machine, and what it costs."""
    takes = timing.takes(run)
    found = []
    for part in run.protocol.systems:
        own = takes[(takes["system"] == part.name) & (takes["voice"] == part.label)]
        for where, made in own.groupby("where", sort=False) if len(own) else [("no take", own)]:
            row: dict[str, Any] = {"system": name(run, part.name, part.label), "where": where, "takes": len(made)}
            waited = made["first_audio"].to_numpy(float)
            measured = {f"first_audio_p{100 * level:g}": timing.percentile(waited, level) for level in LEVELS}
            measured["throughput"] = timing.throughput(
                made["seconds"].to_numpy(float), made["synthesis"].to_numpy(float)
            )
            for column, ends in measured.items():
                row |= dict(zip((column, f"{column}_lo", f"{column}_hi"), ends, strict=True))
            found.append(row | _price(part.price))
    return found


def _price(price: Price | None) -> dict[str, Any]:
    if price is None:
        return {"stated": None}
    unit, number = UNITS[price.per]
    return {f"{price.currency} per {unit}": price.amount * number, "stated": price.stated.isoformat()}


def _spans(run: Run, scores: pd.DataFrame) -> Comparison | None:
    spans = entities(scores, run.frozen.chosen, language=run.protocol.language)
    return None if spans.empty else wrong_spans(spans)


def wrong_spans(spans: pd.DataFrame) -> Comparison:
    """The systems compared by the share of typed spans that are wrong; `spans` are those of `bench.score.entities`."""
    keys = ["system", "voice", *FAMILY, "segment", "take"]
    counts = spans.assign(errors=(~spans["right"]).astype(int), words=1).groupby(keys, sort=False, as_index=False)
    return compare(counts[["errors", "words"]].sum(), metric="wrong entities")
