"""A leaderboard as parts of one page: the answer, all systems, times and prices, every channel, the runs behind it.

Conventions: those of `bench.leaderboard`. Tables are in the order of the answer, best word error rate first, and a
reader sorts them as they like; each measure has its own column with its interval under it, and what was not measured
is called so. Diagnostic recognisers have their own tables and enter no mean.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd

from bench import caveat, charts, views
from bench.basis import WORDS, lines
from bench.leaderboard import Board
from bench.opinion import Opinion
from bench.part import Chart, Conflict, Figure, KeyFigures, Part, Prose, Signature, Table
from bench.wording import listed, percent, safe

SHOWN = 6  # systems among the key figures; all are in the tables
ABSENT = "not measured"


def parts(board: Board, *, beside: Path) -> list[Part]:
    """The board as parts; `beside` is the folder of the page, from which it links to the report of each run."""
    run = board.runs[0]
    return [
        *_answer(board),
        *_accuracy(board),
        *views.mishaps(run, board.scores, signature=board.signature),
        *_links(board, beside),
        Prose("# What it rests on"),
        Conflict(
            {
                "This benchmark": run.protocol.conflict_of_interest,
                **{row["system"]: row["conflict"] for row in board.systems.to_dict("records")},
                **{f"The study {one.study}": one.conflict for one in board.opinions},
            }
        ),
        lines(run),
        Prose(WORDS),
        Signature(f"{board.accuracy.signature}|{board.signature}", "Rates"),
    ]


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
    if board.unfinished:  # and so nobody is the best yet
        said = "\n\n".join(f"**{safe(told)}**" for told in board.unfinished)
    said += "\n\nEach measure has its own column; there is no composite of them, since what matters is yours to say."
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
        _main(board, family, top, signed),
        _times(board, list(top["system"])),
    ]


def _main(board: Board, family: dict[str, str], top: pd.DataFrame, signed: str) -> Table:
    """A row a system, best first: accuracy, entities, what listeners said, loops and failures."""
    table = top[["system", "rate", "lo", "hi", "letters"]]
    names = {"rate": f"WER, {family['channel']}", "letters": "ties", "failures": "failed", "loops": "looped"}
    formats = dict.fromkeys(("rate", "entities", "loops", "failures"), ".1%")
    ends = {"rate": ("lo", "hi")}
    signatures = {"rate": signed, "loops": board.signature, "failures": board.signature}
    if board.spans is not None:
        spans = _at(board.spans.rates, family).set_index("system")
        right = {"entities": 1 - spans["rate"], "entities_lo": 1 - spans["hi"], "entities_hi": 1 - spans["lo"]}
        right["entities_ties"] = spans["letters"]
        table = table.merge(pd.DataFrame(right), left_on="system", right_index=True, how="left")
        names |= {"entities": "entities right", "entities_ties": "ties"}
        ends["entities"] = ("entities_lo", "entities_hi")
        signatures["entities"] = f"{board.spans.signature}|{board.signature}"
    for column, opinion in _opinions(board).items():
        own = opinion.figures.rename(columns={"value": column, "lo": f"{column}_lo", "hi": f"{column}_hi"})
        table = table.merge(own.drop(columns="votes"), on="system", how="left")
        ends[column] = (f"{column}_lo", f"{column}_hi")
        formats[column], signatures[column] = ".2f", opinion.signature
    if not any(opinion.construct == "naturalness" for opinion in board.opinions):
        table = table.assign(naturalness=np.nan)
    rows = _at(board.scores, family)
    beside = top[["system"]].merge(board.systems, on="system")
    looped = rows.groupby("system")["looped"].mean()
    table = table.assign(loops=list(beside["system"].map(looped)), failures=list(beside["failures"]))
    ties = [name for name in ("letters", "entities_ties") if name in table.columns]
    table = table.drop(columns=[name for name in ties if (table[name] == "").all()])
    note = (
        f"Word errors, entities and loops: track {family['track']}, {family['channel']}, as {family['recogniser']} "
        "heard it; failed is of all rows. Under a number stands its 95% interval. Letters stand where there are enough "
        "segments to tell systems apart."
    )
    note += "".join(f" {_told(column, opinion)}" for column, opinion in _opinions(board).items())
    conflict = caveat.conflict(*board.runs)
    absent = dict.fromkeys(["naturalness", *_opinions(board)], ABSENT)
    return Table(table, "All systems", formats, names, signatures, note, conflict, ends, absent)


def _opinions(board: Board) -> dict[str, Opinion]:
    """What listeners said by heading: the construct, its channel, and the study where there are several."""
    several = len({opinion.path for opinion in board.opinions}) > 1
    return {f"{one.construct}, {one.channel}" + (f", {one.study}" if several else ""): one for one in board.opinions}


def _told(column: str, one: Opinion) -> str:
    votes = int(one.figures["votes"].sum())
    return f"{column.capitalize()}: {one.scale}; {votes} votes of {one.listeners} listeners in the study {one.study}."


def _times(board: Board, order: list[str]) -> Table:
    """A row a system and machine: time to first audio, throughput, price, licence."""
    times = board.times.merge(board.systems[["system", "licence"]], on="system")
    times = times.sort_values("system", key=lambda names: names.map(order.index), kind="stable")
    prices = [str(name) for name in times if " per " in str(name)]
    if not prices:
        prices, times = ["price"], times.assign(price=np.nan)
    names = {
        "where": "made on",
        "first_audio_p50": "first audio, s, median",
        "first_audio_p90": "first audio, s, 90%",
        "throughput": "throughput, × real time",
        "stated": "price stated on",
    }
    measured = [name for name in ("first_audio_p50", "first_audio_p90", "throughput") if times[name].notna().any()]
    ends = {name: (f"{name}_lo", f"{name}_hi") for name in measured}
    columns = [one for name in measured for one in (name, *ends[name])]
    stated = ["stated"] if times["stated"].notna().any() else []
    columns = ["system", *columns, *prices, *stated, "licence", "where"]
    note = (
        "Throughput is seconds of audio a second of synthesis, one request at a time. Times are observations on the "
        "machine of each run, with whatever else it did: no benchmark of latency. Too few takes have no interval and "
        "so no number (6 for a median and for the throughput, 36 for 90%). Prices are as their owners state them, in "
        "their own currency, converted into nothing."
    )
    conflict = caveat.conflict(*board.runs)
    formats = dict.fromkeys(measured, ".3g") | dict.fromkeys(prices, ",.2f")
    absent = dict.fromkeys(prices, "not stated") | dict.fromkeys(measured, ABSENT)
    how = {"throughput": "sum over sum, log ratio, t"}
    signs = {name: f"time|{how.get(name, 'nearest rank, order statistics')}|95%|{board.signature}" for name in measured}
    return Table(
        times[columns],
        "Latency, throughput, price and licence",
        formats,
        names,
        signs,
        note,
        conflict,
        ends,
        absent,
    )


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
        for recogniser in dict.fromkeys(rows["recogniser"]):
            part = rates[(rates["track"] == track) & (rates["recogniser"] == recogniser)]
            first = _at(part, {"channel": views.telephone(run)})[["system"]]
            table, ends = views.by_channel(part, first, run.channels())
            names = {}
            for channel in reversed(run.channels()):
                ties = table["system"].map(_at(part, {"channel": channel}).set_index("system")["letters"])
                if (ties != "").any():
                    table.insert(list(table).index(ends[channel][1]) + 1, f"{channel} ties", ties)
                    names[f"{channel} ties"] = "ties"
            title = f"Word error rate, {recogniser}, track {track}" + (" (diagnostic)" * (recogniser in diagnostic))
            formats, signs = dict.fromkeys(run.channels(), ".1%"), dict.fromkeys(run.channels(), signed)
            conflict = caveat.conflict(*board.runs)
            found.append(Table(table, title, formats, names, signs, conflict=conflict, intervals=ends))
    return found


def _links(board: Board, beside: Path) -> list[Part]:
    """The report of each run and study, where it has one."""
    told = []
    for run in board.runs:
        who = listed([safe(name) for name in board.systems.loc[board.systems["run"] == str(run.path), "system"]])
        told.append(f"* {_link(run.name, run.path, beside)}: {who}")
    for path, one in {one.path: one for one in board.opinions}.items():
        told.append(f"* {_link(one.study, path, beside)}: listening study")
    said = "Each report has the clips, every row and what went wrong. What is without a link has no report yet."
    return [Prose(f"# The runs\n\n{said}\n\n" + "\n".join(told))]


def _link(name: str, folder: Path, beside: Path) -> str:
    page = folder / "report" / "index.html"
    place = quote(Path(os.path.relpath(page.resolve(), beside.resolve())).as_posix())
    return f"[{safe(name)}](<{place}>)" if page.is_file() else safe(name)
