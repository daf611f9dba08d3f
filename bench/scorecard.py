"""Transcripts made elsewhere against a text set: what `bench score` prints and writes.

Conventions: one hypothesis file is one system on one track. The headline is over headline rows; the table by group
too. Written are scores.parquet (a row a segment), entities.parquet (a row a typed span) and scores.json (the tables
with their signature).
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench import __version__, journal, terminal
from bench import normaliser as rules
from bench.fault import Fault
from bench.formats import hypotheses
from bench.inference import penalty
from bench.score import Progress, entities, score, summary
from bench.segment import TextSet

SHOWN = [
    "system",
    "track",
    "segments",
    "words",
    "wer",
    "lattice_wer",
    "set_wer",
    "cer",
    "tight_cer",
    "ser",
    "substitutions",
    "deletions",
    "insertions",
    "failure_rate",
    "hallucination_rate",
    "truncation_rate",
    "loop_rate",
]
PERCENT = [name for name in SHOWN if name.endswith(("er", "rate"))]


@dataclass(frozen=True, slots=True)
class Card:
    """The scored rows of some transcripts, the judged spans, and the tables made of them."""

    signature: str
    rows: pd.DataFrame
    spans: pd.DataFrame
    headline: pd.DataFrame
    entities: pd.DataFrame
    groups: pd.DataFrame
    localities: pd.DataFrame  # dialect rows, one locality a line; never pooled with or ranked against the standard
    penalty: pd.DataFrame | None


def make(
    text_set: TextSet,
    files: Sequence[tuple[Path, str]],
    *,
    normaliser: str = "earshot",
    progress: Progress = lambda *_: None,
) -> Card:
    """Score hypothesis files, each with its track. Raises Fault for what does not fit the text set."""
    doubled = sorted({f"{path.stem} on {track}" for path, track in files if [*files].count((path, track)) > 1})
    if doubled:
        raise Fault(f"{doubled[0]} is given twice.")
    languages = {segment.language.split("-")[0] for segment in text_set.segments}
    language = sorted(languages)[0]
    rows = pd.concat([hypotheses.read(path, text_set, track) for path, track in files], ignore_index=True)
    scored = score(rows, text_set.segments, language=language, normaliser=normaliser, progress=progress)
    spans = entities(scored, text_set.segments, language=language)
    top = scored[scored["headline"]]
    stratum = next((name for name in ("group", "category", "domain") if name in rows.columns), None)
    judged = spans[spans["headline"]].groupby(["system", "track", "type"], sort=False)["right"]
    return Card(
        signature="|".join(
            [
                f"set={text_set.name}@{text_set.sha256[:12]}",
                f"normaliser={rules.get(normaliser, language).signature}",
                "mode=best",
                "ties=errors,hits,first-option",
                "denominator=canonical",
                f"earshot={__version__}",
            ]
        ),
        rows=scored,
        spans=spans,
        headline=summary(top, ["system", "track"])[SHOWN],
        entities=judged.agg(accuracy="mean", spans="size").reset_index(),
        groups=summary(top, ["system", "track", stratum])[["system", "track", stratum, *SHOWN[2:6], "ser"]]
        if stratum
        else pd.DataFrame(),
        localities=_localities(scored),
        penalty=penalty(top, strata=[[stratum]] if stratum else []).rows if {"R", "S"} <= set(top["track"]) else None,
    )


def _localities(scored: pd.DataFrame) -> pd.DataFrame:
    """The rates of dialect rows by variety and locality; a dialect is diagnostic and has no part in the headline."""
    if "locality" not in scored.columns or scored["locality"].isna().all():
        return pd.DataFrame()
    keys = ["system", "track", "variety", "locality"]
    return summary(scored[scored["locality"].notna()], keys)[[*keys, *SHOWN[2:6], "ser"]]


def remarks(card: Card) -> list[str]:
    """What a reader of the headline should know first: which rows it is over, and what was not there to be scored."""
    found = []
    for (system, track), rows in card.rows.groupby(["system", "track"], sort=False):
        if not rows["headline"].all():
            rest = "robustness and dialect rows are not in the headline"
            found.append(f"{system}, track {track}: {rows['headline'].sum()} headline rows of {len(rows)}; {rest}.")
        for cause, lost in rows[rows["cause"].notna()].groupby("cause", sort=False):
            first = ", ".join(lost["segment"].head(3))
            found.append(
                f"{system}, track {track}: {cause} for {len(lost)} of {len(rows)} segments, which count as deleted; "
                f"the first: {first}."
            )
    if card.penalty is not None and card.penalty.empty:
        found.append(
            "No TN penalty: no system has both tracks. A file's name less a final _R or _S is the system's, so name "
            "them NAME_R.jsonl and NAME_S.jsonl."
        )
    return found


def show(card: Card) -> None:
    """Print a card."""
    names = [f"{system} {track}" for system, track in zip(card.headline["system"], card.headline["track"], strict=True)]
    for title, columns in (("Headline, rates in %", PERCENT), ("Headline, counts", [*set(SHOWN[2:]) - set(PERCENT)])):
        wide = card.headline[[c for c in SHOWN if c in columns]].T.set_axis(names, axis=1)
        terminal.show(wide.rename_axis(" ").reset_index(), title, percent=names if columns is PERCENT else ())
    for remark in remarks(card):
        terminal.say(remark)
    if len(card.entities):
        terminal.show(card.entities, "Entity accuracy, %", percent=["accuracy"])
    if len(card.groups):
        terminal.show(card.groups, "By group, rates in %", percent=PERCENT)
    if len(card.localities):
        terminal.show(card.localities, "Dialect rows by locality, rates in % (not in the headline)", percent=PERCENT)
    if card.penalty is not None and len(card.penalty):
        kept = card.penalty[["system", "stratum", "penalty", "lo", "hi", "n"]]
        terminal.show(kept, "TN penalty (WER on R less WER on S), points", percent=["penalty", "lo", "hi"])
    terminal.say(card.signature)
    terminal.say("Conflict of interest: not stated; transcripts made elsewhere carry no protocol.")


def write(card: Card, out: Path) -> None:
    """Put scores.parquet, entities.parquet and scores.json into a folder."""
    for name, frame in (("scores", card.rows), ("entities", card.spans)):
        stream = io.BytesIO()
        frame.to_parquet(stream, index=False)
        journal.write(out / f"{name}.parquet", stream.getvalue())
    tables = {
        "headline": card.headline,
        "entities": card.entities,
        "groups": card.groups,
        "localities": card.localities,
        "penalty": card.penalty,
    }
    content = {
        "signature": card.signature,
        **{name: json.loads(t.to_json(orient="records")) for name, t in tables.items() if t is not None},
    }
    journal.write(out / "scores.json", (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode())
