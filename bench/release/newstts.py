"""A leaderboard of target decisions in the published layout of CN-NewsTTS Bench, byte for byte.

Conventions: `{system}/target_scores.csv`, `{category,group,domain}_scores.csv` and `summary.json` for every system,
`leaderboard.csv` and `leaderboard.json` beside them. CSV as RFC 4180 with CRLF, JSON indented by two with a final
newline, both UTF-8 without escapes; rates to six digits. Under the published rule and its three routes nothing is
added; otherwise summaries and leaderboard.json carry `rule` and `comparable_with_published`. A board is made
in memory, written beside its place and renamed, so that a fault leaves nothing behind.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import formats, targets
from bench.fault import Fault
from bench.formats import newstts
from bench.formats.transcripts import SUFFIX, Heard, merge, merge_summary, read_merged, read_routes
from bench.release.folder import whole
from bench.segment import TextSet
from bench.targets import Counts, Evidence, Scores
from bench.votes import PUBLISHED, Rule

GENERATED_BY = "scripts/aggregate_leaderboard.py"  # part of the published file, hence of its bytes

FILES = ("leaderboard.csv", "leaderboard.json", "*/summary.json", "*/*_scores.csv")
MERGED = ("merge_summary.json", f"*{SUFFIX}")

BOARD = (
    "rank",
    "model_id",
    "strict_auto_accuracy",
    "resolved_accuracy",
    "coverage",
    "unknown_rate",
    "asr_disagreement_rate",
    "correct",
    "wrong",
    "unknown",
    "total_auto_evaluable_targets",
    "optional_targets_excluded",
)
TARGET = (
    "model_id",
    "sample_id",
    "target_id",
    "domain",
    "span",
    "category",
    "group",
    "auto_evaluable",
    "final_decision",
    "asr_disagreement",
    "asr_decisions_json",
)
BREAKDOWN = ("name", "targets", "correct", "wrong", "unknown", "strict_auto_accuracy", "unknown_rate")


def board(
    dataset: Path | TextSet,
    *,
    transcripts: Path | None = None,
    merged: Path | None = None,
    out: Path | None = None,
    rule: Rule = PUBLISHED,
) -> tuple[Scores, ...]:
    """Score every system in a folder of transcripts and write the board; the scores come back, best first.

    `dataset` is a text set with targets, a dataset file, or the folder of an unpacked release, whose own transcripts
    are then the default. `transcripts` holds one-route files, `merged` one file a system; give one of the two. Without
    `out` nothing is written; a board that is there already is replaced. Raises Fault for input that cannot be scored,
    before anything is written.
    """
    scores = targets.ranked(gather(dataset, transcripts=transcripts, merged=merged), rule)
    if out is not None:
        write(scores, out)
    return scores


def write(scores: Sequence[Scores], out: Path) -> None:
    """Write the board of `scores`, which is sorted, best first, into a folder that appears whole or not at all."""
    _write(files(scores), out, FILES)


def gather(
    dataset: Path | TextSet, *, transcripts: Path | None = None, merged: Path | None = None
) -> tuple[Evidence, ...]:
    """What the transcripts of every system hold, by system name: `board` before its rule. Raises Fault."""
    if isinstance(dataset, Path):
        dataset, transcripts = opened(dataset, transcripts, merged)
    if (transcripts is None) == (merged is None):
        raise Fault("Give either a folder of one-route transcripts or a folder of merged transcripts.")
    asked = targets.questions(dataset.segments)
    evidence = []
    for system, source, heard in sorted(_systems(transcripts, merged), key=lambda found: found[0]):
        try:
            evidence.append(targets.find(asked, heard, system=system))
        except Fault as fault:
            raise Fault(str(fault), file=source) from None
    return tuple(evidence)


def opened(dataset: Path, transcripts: Path | None, merged: Path | None) -> tuple[TextSet, Path | None]:
    """The text set in a file or in the folder of a release, and the one-route transcripts to go with it: those given,
    or else the release's own where no merged ones are given. Raises Fault."""
    if dataset.is_dir():
        places = newstts.places(dataset)
        dataset = places.dataset
        transcripts = transcripts or (places.transcripts if merged is None else None)
    return formats.read(dataset), transcripts


def _systems(routes: Path | None, merged: Path | None) -> Iterable[tuple[str, Path, Heard]]:
    if routes is not None:
        return [(system, routes, heard) for system, heard in read_routes(routes).heard.items()]
    assert merged is not None  # `gather` saw to it
    return [(system, merged / f"{system}{SUFFIX}", heard) for system, heard in read_merged(merged).items()]


def files(scores: Sequence[Scores]) -> dict[str, bytes]:
    """Every file of the board, by its path below the board's folder. `scores` is sorted, best first."""
    board: dict[str, str] = {}
    for one in scores:
        board[f"{one.system}/target_scores.csv"] = _csv(TARGET, _target_rows(one))
        for name, key in targets.BREAKDOWNS.items():
            parts = targets.breakdown(one.results, key)
            board[f"{one.system}/{name}_scores.csv"] = _csv(
                BREAKDOWN, ([part, *_part(counts).values()] for part, counts in parts.items())
            )
        board[f"{one.system}/summary.json"] = _json(summary(one))
    table = rows(scores)
    board["leaderboard.csv"] = _csv(BOARD, ([row[column] for column in BOARD] for row in table))
    models = [{column: row[column] for column in (*BOARD[1:], "rank")} for row in table]
    board["leaderboard.json"] = _json({"generated_by": GENERATED_BY, **_mark(scores), "models": models})
    return {path: text.encode() for path, text in board.items()}


def rows(scores: Sequence[Scores]) -> list[dict[str, Any]]:
    """The leaderboard: a dict of the columns `BOARD` for every system, in the order given, ranked from 1."""
    return [
        {"rank": rank, "model_id": one.system, **_rates(one.counts), **_sizes(one.counts)}
        for rank, one in enumerate(scores, start=1)
    ]


def summary(one: Scores) -> dict[str, Any]:
    """One system's `summary.json`, in the order of its keys."""
    sizes = _sizes(one.counts)
    last = "optional_targets_excluded"
    return {
        "model_id": one.system,
        "asr_names": list(one.routes),
        "total_auto_evaluable_targets": sizes["total_auto_evaluable_targets"],
        **{key: sizes[key] for key in ("correct", "wrong", "unknown")},
        **_rates(one.counts),
        last: sizes[last],
        **_mark([one]),
        "breakdowns": {
            name: {part: _part(counts) for part, counts in targets.breakdown(one.results, key).items()}
            for name, key in targets.BREAKDOWNS.items()
        },
    }


def _mark(scores: Sequence[Scores]) -> dict[str, Any]:
    """What a board says of itself where it is not the published protocol; nothing where it is."""
    if all(one.published for one in scores):
        return {}
    return {"rule": repr(scores[0].rule), "comparable_with_published": False}


def _rates(counts: Counts) -> dict[str, float]:
    return {
        "strict_auto_accuracy": round(counts.strict, 6),
        "resolved_accuracy": round(counts.resolved, 6),
        "coverage": round(counts.coverage, 6),
        "unknown_rate": round(counts.unknown_rate, 6),
        "asr_disagreement_rate": round(counts.disagreement_rate, 6),
    }


def _sizes(counts: Counts) -> dict[str, int]:
    return {
        "correct": counts.correct,
        "wrong": counts.wrong,
        "unknown": counts.unknown,
        "total_auto_evaluable_targets": counts.targets,
        "optional_targets_excluded": counts.excluded,
    }


def _part(counts: Counts) -> dict[str, float]:
    return {
        "targets": counts.targets,
        "correct": counts.correct,
        "wrong": counts.wrong,
        "unknown": counts.unknown,
        "strict_auto_accuracy": round(counts.strict, 6),
        "unknown_rate": round(counts.unknown_rate, 6),
    }


def _target_rows(one: Scores) -> Iterable[list[Any]]:
    for result in one.results:
        heard = {
            route: {"decision": decision, "matched": matched}
            for route, decision, matched in zip(one.routes, result.decisions, result.matched, strict=True)
        }
        yield [
            one.system,
            result.segment.id,
            result.target.id,
            targets.domain(result),
            result.target.span,
            result.target.category,
            result.target.group,
            result.target.auto_evaluable,
            result.decision,
            result.disagreement,
            _routes(heard),
        ]


_routes = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode  # made once: a board has thousands


def _csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _write(contents: Mapping[str, bytes], out: Path, ours: Sequence[str]) -> None:
    with whole(out, ours=ours) as folder:
        for path, content in contents.items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_bytes(content)


def merge_routes(dataset: Path, folder: Path, out: Path) -> None:
    """Write the one-route transcripts of `folder` as one file a system, with `merge_summary.json`, into `out`."""
    order = [segment.id for segment in formats.read(dataset).segments]
    journal = read_routes(folder)
    merged = {f"{system}{SUFFIX}": merge(heard, order).encode() for system, heard in journal.heard.items()}
    summary = merge_summary(journal, order, out.as_posix())
    _write(merged | {"merge_summary.json": _json(summary).encode()}, out, MERGED)
