"""Many runs of one protocol on one page: a row a system, a column a measure, and no composite of them.

Conventions: runs belong together when their protocols agree in name, version and all else but the systems, and when
the same recognisers listened. Everything else is refused, since its numbers would not compare. Rates are those of the
protocol's first normaliser on headline rows, with intervals, and with letters from `bench.inference`: systems that
share a letter are not told apart. Diagnostic recognisers have their own tables and enter no mean. Times are
observations on the machines of each run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd

from bench import charts, results, timing, views
from bench.conclusion import named
from bench.fault import Fault
from bench.inference import Comparison, compare
from bench.part import Chart, Conflict, Figure, KeyFigures, Part, Prose, Signature, Table
from bench.run import Run
from bench.score import entities
from bench.wording import listed, percent, safe

SHOWN = 6  # systems among the key figures; all are in the tables
FAMILY = ["track", "channel", "recogniser"]


@dataclass(frozen=True, eq=False, slots=True)
class Board:
    """The runs, the scored rows of all their systems, and what follows from them.

    `accuracy` compares word errors, `spans` wrong entities of those rows that have any (None where the text set has
    no typed span). `systems` has a row a system: run, failures, licence, times.
    """

    runs: tuple[Run, ...]
    scores: pd.DataFrame
    accuracy: Comparison
    spans: Comparison | None
    systems: pd.DataFrame
    signature: str


def make(runs: Sequence[Run]) -> Board:
    """The board of some runs. Raises Fault where they do not belong together or a system stands in two of them."""
    if not runs:
        raise Fault("A leaderboard needs at least one run.")
    for other in runs[1:]:
        _refuse_another(runs[0], other)
    normaliser = runs[0].protocol.normalisers[0]
    parts, rows = [], []
    for run in runs:
        scores = results.scores(run)
        scores = named(scores[scores["normaliser"] == normaliser])
        parts.append(scores)
        rows += _rows(run, scores)
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
        results.signature(runs[0], normaliser, protocol=_called(runs[0])),
    )


def parts(board: Board, *, beside: Path) -> list[Part]:
    """The board as parts; `beside` is the folder of the page, from which it links to the report of each run."""
    protocol = board.runs[0].protocol
    return [
        *_answer(board),
        *_accuracy(board),
        *_links(board, beside),
        Prose("# What it rests on"),
        Conflict(
            {
                "This benchmark": protocol.conflict_of_interest,
                **{row["system"]: row["conflict"] for row in board.systems.to_dict("records")},
            }
        ),
        Signature(f"{board.accuracy.signature}|{board.signature}", "Rates"),
    ]


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
    takes = timing.takes(run)
    takes = takes.assign(label=takes["system"] + "/" + takes["voice"])
    several = [part.name for part in run.protocol.systems]
    found = []
    for part in run.protocol.systems:
        name = f"{part.name}/{part.label}" if several.count(part.name) > 1 else part.name
        own, spoken = scores[scores["system"] == name], takes[takes["label"] == f"{part.name}/{part.label}"]
        row: dict[str, Any] = {
            "system": name,
            "run": str(run.path),
            "failures": own["failed"].mean(),
            "licence": part.licence,
            "conflict": part.conflict_of_interest,
        }
        for column in ("first_audio", "rtf"):
            values = spoken[column].to_numpy(float)
            for level in (0.5, 0.9):
                ends = timing.percentile(values, level)
                row |= dict(zip((f"{column}_p{100 * level:g}{end}" for end in ("", "_lo", "_hi")), ends, strict=True))
        found.append(row)
    return found


def _spans(run: Run, scores: pd.DataFrame) -> Comparison | None:
    spans = entities(scores, run.frozen.chosen, language=run.protocol.language)
    return None if spans.empty else wrong_spans(spans)


def wrong_spans(spans: pd.DataFrame) -> Comparison:
    """The systems compared by the share of typed spans that are wrong; `spans` are those of `bench.score.entities`."""
    keys = ["system", "voice", *FAMILY, "segment", "take"]
    counts = spans.assign(errors=(~spans["right"]).astype(int), words=1).groupby(keys, sort=False, as_index=False)
    return compare(counts[["errors", "words"]].sum(), metric="wrong entities")


def _place(board: Board) -> dict[str, str]:
    """The family that the answer is about: the first track, the telephone, the first recogniser in the panel."""
    run = board.runs[0]
    panel = [part["name"] for part in run.manifest["recognisers"] if not part["diagnostic"]]
    first = panel[0] if panel else run.protocol.recognisers[0].name
    return {"track": run.protocol.tracks[0], "channel": views.telephone(run), "recogniser": first}


def _at(table: pd.DataFrame, family: dict[str, str]) -> pd.DataFrame:
    kept = table
    for column, value in family.items():
        kept = kept[kept[column] == value]
    return kept


def _answer(board: Board) -> list[Part]:
    family = _place(board)
    top = _at(board.accuracy.rates, family)
    best = top.iloc[0]
    where = f"on `{safe(family['channel'])}`, as {safe(family['recogniser'])} heard it"
    said = f"**{safe(best['system'])}** has the lowest word error rate {where}: {percent(best['rate'])}."
    pairs = _at(board.accuracy.pairs, family)
    open_ = [safe(name) for name in pairs.loc[(pairs["a"] == best["system"]) & (pairs["verdict"] != "better"), "b"]]
    if top["grey"].any():
        said += f" **{int(best['segments'])} segments are too few** to say which system is better."
    elif open_:
        said += f" There is no evidence that it differs from {listed(open_)}."
    elif len(top) > 1:
        said += " It is better than every other system (p ≤ 0.05 after Holm)."
    said += (
        "\n\nEach measure has its own column and there is no composite of them. Systems that share a letter are not "
        "told apart. Naturalness and cost are not measured by these runs."
    )
    signed = f"{board.accuracy.signature}|{board.signature}"
    figures = [
        Figure(
            row["system"],
            percent(row["rate"]),
            f"word errors; 95% interval {percent(row['lo'])} to {percent(row['hi'])}",
            row["system"],
            signed,
        )
        for row in top.head(SHOWN).to_dict("records")
    ]
    return [
        Prose(f"# The answer\n\n{said}"),
        KeyFigures(tuple(figures)),
        *_main(board, family, top, signed),
    ]


def _main(board: Board, family: dict[str, str], top: pd.DataFrame, signed: str) -> list[Part]:
    """A row a system, best first: accuracy, entities and failures; then times and licences."""
    table = top[["system", "rate", "lo", "hi", "letters"]]
    names = {"rate": f"WER, {family['channel']}", "lo": "from", "hi": "to", "letters": "ties"}
    signatures = {"rate": signed}
    if board.spans is not None:
        spans = _at(board.spans.rates, family).set_index("system")
        right = {"entities": 1 - spans["rate"], "entities_lo": 1 - spans["hi"], "entities_hi": 1 - spans["lo"]}
        right["entities_ties"] = spans["letters"]
        table = table.merge(pd.DataFrame(right), left_on="system", right_index=True, how="left")
        names |= {"entities": "entities right", "entities_lo": "from", "entities_hi": "to", "entities_ties": "ties"}
        signatures |= {"entities": f"{board.spans.signature}|{board.signature}"}
    beside = top[["system"]].merge(board.systems, on="system")
    table = table.assign(failures=list(beside["failures"]))
    ties = [name for name in ("letters", "entities_ties") if name in table.columns]
    table = table.drop(columns=[name for name in ties if (table[name] == "").all()])
    note = f"Track {family['track']}, {family['channel']}, {family['recogniser']}; failures are of all rows. "
    note += "Letters stand where there are enough segments to tell systems apart."
    conflict = board.runs[0].protocol.conflict_of_interest
    rates = ("rate", "lo", "hi", "entities", "entities_lo", "entities_hi", "failures")
    return [
        Table(table, "All systems", dict.fromkeys(rates, ".1%"), names, signatures, note, conflict),
        _times(beside),
    ]


def _times(systems: pd.DataFrame) -> Table:
    names: dict[str, str] = {}
    formats: dict[str, str] = {}
    for column, name in (("first_audio", "first audio, s"), ("rtf", "real-time factor")):
        for level in ("p50", "p90"):
            key = f"{column}_{level}"
            names |= {key: f"{name}, {level}", f"{key}_lo": "from", f"{key}_hi": "to"}
            formats |= {f"{key}{end}": ".3g" for end in ("", "_lo", "_hi")}
    known = [name for name in formats if systems[name].notna().any()]
    note = "Observed on the machine of each run, no benchmark of latency. A dash: the adapter noted none, or the takes "
    note += "are too few for an interval (6 for p50, 36 for p90)."
    return Table(systems[["system", *known, "licence"]], "Times and licences", formats, names, note=note)


def _accuracy(board: Board) -> list[Part]:
    """Word error rates by track and recogniser: a chart, and a table with the channels beside one another."""
    run = board.runs[0]
    diagnostic = {part["name"] for part in run.manifest["recognisers"] if part["diagnostic"]}
    signed = f"{board.accuracy.signature}|{board.signature}"
    found: list[Part] = [Prose("# By track, recogniser and channel")]
    rates = board.accuracy.rates
    for track in run.protocol.tracks:
        rows = rates[rates["track"] == track].rename(columns={"rate": "wer"})
        order = [part.name for part in run.protocol.recognisers]
        rows = rows.assign(r=rows["recogniser"].map(order.index), c=rows["channel"].map(run.channels().index))
        rows = rows.sort_values(["r", "c", "system"], kind="stable")
        drawn = charts.error_rates(rows, systems=board.systems["system"])
        found.append(Chart(drawn, f"Word error rate by channel, track {track}", "Bars are 95% intervals.", signed))
        for recogniser, part in rows.groupby("recogniser", sort=False):
            about = {"track": track, "channel": views.telephone(run), "recogniser": str(recogniser)}
            table = pd.DataFrame({"system": list(_at(rates, about)["system"])})
            names: dict[str, str] = {}
            for channel in run.channels():
                of = _at(part, {"channel": channel}).set_index("system")
                for column, name in (("wer", ""), ("lo", " from"), ("hi", " to"), ("letters", " ties")):
                    if column != "letters" or (of[column] != "").any():
                        table[f"{channel}{name}"] = table["system"].map(of[column])
                        names[f"{channel}{name}"] = name.strip() or channel
            formats = {name: ".1%" for name in names if not name.endswith(" ties")}
            title = f"Word error rate, {recogniser}, track {track}" + (" (diagnostic)" * (recogniser in diagnostic))
            found.append(
                Table(table, title, formats, names, dict.fromkeys(run.channels(), signed)),
            )
    return found


def _links(board: Board, beside: Path) -> list[Part]:
    """The report of each run, where it has one."""
    lines = []
    for run in board.runs:
        page = run.path / "report" / "index.html"
        who = listed([safe(name) for name in board.systems.loc[board.systems["run"] == str(run.path), "system"]])
        place = quote(Path(os.path.relpath(page.resolve(), beside.resolve())).as_posix())
        lines.append(f"* [{safe(run.name)}](<{place}>): {who}" if page.is_file() else f"* {safe(run.name)}: {who}")
    told = "Each report has the clips, every row and what went wrong. A run without a link has no report yet."
    return [Prose(f"# The runs\n\n{told}\n\n" + "\n".join(lines))]
