"""What a study hands to other programs: its results under the systems' names, and its votes without its people.

Conventions: `results.json` has a head (`format`, `version`, the study, its design's sha256, the run and the protocol
that the clips are from) and two tables as lists of objects. `means` has a row a construct, condition and basis; `role`
is "reference" or "anchor" for what a MUSHRA-like study rates apart from what it compares. What a row rests on is in
`panel` ("blind" or "expert"), `locality` (null where pooled, "" of those who named none) and `basis` ("kept" after
the declared exclusions, or "all"). Figures are numbers or null, never rounded; shares are fractions.
`higher_is_better` says how a figure is read. A later version adds columns and takes none away.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd

from bench.fault import Fault
from bench.listening.analysis import Analysis, Result
from bench.listening.design import Design

FORMAT, VERSION = "earshot-study-results", 1
NAME = "results.json"
INTERVAL = "95 %, clustered two ways (listener, text), t with min(listeners, texts) - 1 degrees of freedom"
MEANS = (
    "construct", "question", "scale", "higher_is_better", "condition", "against", "role", "system", "voice",
    "channel", "panel", "locality", "basis", "value", "lo", "hi", "votes", "listeners", "texts",
)  # fmt: skip
PAIRS = ("construct", "question", "basis", "a", "b", "difference", "lo", "hi", "p", "p_holm", "votes", "verdict")


def results(analysis: Analysis) -> dict[str, Any]:
    """The results of a study as plain JSON values."""
    design = analysis.design
    run, _, protocol = design.run.partition(", protocol sha256 ")
    return {
        "format": FORMAT,
        "version": VERSION,
        "study": design.name,
        "study_version": design.version,
        "design": design.sha256,
        "run": run,
        "protocol": protocol,
        "language": design.language,
        "interval": INTERVAL,
        "conflict_of_interest": design.conflict_of_interest,
        "signature": analysis.signature,
        "means": [_plain(row, MEANS) for result in analysis.results for row in _means(design, result)],
        "pairs": [_plain(row, PAIRS) for result in analysis.results for row in _pairs(result)],
    }


def dump(analysis: Analysis) -> bytes:
    """The same as the bytes of `results.json`."""
    return (json.dumps(results(analysis), ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def read(path: Path) -> tuple[dict[str, Any], pd.DataFrame]:
    """The head of a `results.json` (a file, or the directory of an analysed study) and its `means` as a frame.

    Raises Fault for what is none.
    """
    path = path / "report" / NAME if path.is_dir() else path
    if not path.is_file():
        raise Fault("There are no results of a study here; bench study analyse writes them.", file=path)
    try:
        held = json.loads(path.read_bytes())
        if (held["format"], held["version"]) != (FORMAT, VERSION):
            raise ValueError(f"format {held['format']!r}, version {held['version']!r}")
        means = pd.DataFrame(held.pop("means"), columns=list(MEANS))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Fault(
            f"These are no results of a study ({error}); make them with bench study analyse.", file=path
        ) from None
    return held, means.astype(dict.fromkeys(("value", "lo", "hi"), float))


def anonymous(analysis: Analysis) -> pd.DataFrame:
    """The votes as they may be published: no participant, no locality beyond the one that the person gave."""
    return analysis.ratings.votes.drop(columns="participant")


def _means(design: Design, result: Result) -> list[dict[Any, Any]]:
    question = result.question
    scale = f"{min(question.points)} to {max(question.points)}" if question.points else "share"
    if question.key == "preference":
        scale = "share"
    shared: dict[Any, Any] = {
        "construct": question.measures,
        "question": question.key,
        "scale": scale,
        "higher_is_better": question.answer != "text",
    }
    frames = (
        result.means.assign(panel="blind", locality=None),
        result.localities.assign(panel="blind", basis="kept"),
        result.experts.assign(panel="expert", locality=None, basis="all"),
    )
    rows = [row for frame in frames for row in frame.to_dict("records")]
    return [{**shared, **row, **_whose(design, str(row["condition"]))} for row in rows]


def _pairs(result: Result) -> list[dict[Any, Any]]:
    shared: dict[Any, Any] = {"construct": result.question.measures, "question": result.question.key}
    return [{**shared, **row} for row in result.pairs.to_dict("records")]


def _whose(design: Design, condition: str) -> dict[str, str]:
    """System, voice and channel of a condition; the anchor of a MUSHRA-like study has none of the first two."""
    made = next((known for known in design.conditions if known.name == condition), None)
    tested = (trial for place in design.listeners for session in place.sessions for trial in session.trials)
    heard = (design.clips[clip] for trial in tested if trial.kind == "test" for clip in trial.clips)
    channel = next((clip.channel for clip in heard if clip.condition == condition), "")
    role = "anchor" if made is None else "system"
    if design.presentation == "panel" and condition == design.reference:
        role = "reference"
    return {
        "role": role,
        "system": made.system if made else "",
        "voice": made.voice if made else "",
        "channel": channel,
    }


def _plain(row: dict[Any, Any], names: tuple[str, ...]) -> dict[str, Any]:
    found = {name: row[name].item() if hasattr(row[name], "item") else row[name] for name in names}
    return {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in found.items()}
