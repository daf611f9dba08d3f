"""From what the transcripts of several systems hold to the parts of a leaderboard page.

Conventions: `overview` makes the whole section from evidence and one rule, the answer first; every table carries
the signature and the conflict-of-interest line. Systems stand best first. Intervals are by span, the unit that is
independent, with those by record beside them. Nothing is called better that the test by span does not call so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import altair as alt
import pandas as pd

from bench import caveat, results, target_tables, targets
from bench.charts import colours
from bench.inference import Comparison
from bench.inference.sums import WHOLE
from bench.part import Chart, Figure, Folded, KeyFigures, Part, Prose, Table
from bench.release import run as released
from bench.run import Run
from bench.targets import BREAKDOWNS, Evidence, Scores
from bench.votes import PUBLISHED, PUBLISHED_ROUTES, Rule
from bench.wording import listed, safe

SHOWN = 6  # systems among the key figures; all are in the table
RATES = ("strict", "lo", "hi", "record_lo", "record_hi", "coverage", "coverage_lo", "coverage_hi", "resolved")
PERCENT = dict.fromkeys((*RATES, "unknown_rate", "disagreement_rate", "share"), ".1%")
NAMES = {
    "strict": "right",
    "lo": "from",
    "hi": "to",
    "record_lo": "from, by record",
    "record_hi": "to, by record",
    "coverage_lo": "coverage from",
    "coverage_hi": "coverage to",
    "resolved": "right of decided",
    "unknown_rate": "unknown",
    "disagreement_rate": "routes differ",
    "n": "spans",
    "letters": "ties",
}
OPEN = "Opened, a target shows for each system the vote and what each route was found to hold, folded."


def overview(
    evidence: Sequence[Evidence], rule: Rule = PUBLISHED, *, signature: str, conflict: str, unfinished: str = ""
) -> list[Part]:
    """The whole section. `signature` says what the numbers rest on (text set, run); the rule and the statistics are
    added here. `unfinished`, a sentence, stands in place of the answer, since that names who leads. Raises Fault where
    the rule asks for more routes than there are."""
    scores = targets.ranked(evidence, rule)
    routes = "+".join(dict.fromkeys(route for one in scores for route in one.routes))
    signed = f"rule={rule!r}|routes={routes}|{signature}"
    found = target_tables.compare(scores)
    return [
        *([Prose(f"**{safe(unfinished)}**")] if unfinished else answer(scores, found, signature=signed)),
        *leaderboard(scores, found, signature=signed, conflict=conflict),
        *routes_apart(evidence, scores, signature=signed, conflict=conflict),
        *parts(scores, found, signature=signed, conflict=conflict),
        *readings(scores, signature=signed, conflict=conflict),
    ]


def of_run(run: Run) -> list[Part]:
    """The section for a run whose text set has targets; nothing for another, nor before a run is at its end.

    Its first channel counts, on track R.
    """
    if not any(segment.targets for segment in run.frozen.chosen) or "R" not in run.protocol.tracks:
        return []
    if caveat.unfinished(results.rows(run)):
        return []  # a board names who leads
    channel = run.channels()[0]
    rule = PUBLISHED.fit(len(released.routes(run)))
    voices = Counter(part.name for part in run.protocol.systems)
    named = [part.name if voices[part.name] == 1 else f"{part.name} ({part.label})" for part in run.protocol.systems]
    evidence = released.evidence(run, channel)  # its systems are named for files, and here as in the rest of a report
    return overview(
        [replace(one, system=name) for one, name in zip(evidence, named, strict=True)],
        rule,
        signature=released.signature(run, channel),
        conflict=caveat.conflict(run),
    )


def answer(scores: Sequence[Scores], found: Comparison, *, signature: str) -> list[Part]:
    """Who leads, who is tied, and on how few spans that rests. `found` compares the scores by span."""
    board = found.rates.set_index("system")
    first, spans = scores[0], int(board["n"].iloc[0])
    asked = first.counts.targets
    lines = [f"# Targets\n\n**{safe(first.system)}** leads: {first.counts.strict:.1%} of {asked:,} targets read right"]
    lines[0] += f" ({_interval(board.loc[first.system])}, by span)."
    if len(scores) == 1:
        lines[0] = lines[0].replace(" leads: ", " had ")
    elif board["grey"].any():
        lines[0] += f" **{spans} spans are too few** to say which system is better."
    else:
        tied = found.pairs[found.pairs["verdict"] == "no evidence"]
        own = tied[tied["a"] == first.system]["b"]
        lines[0] += (
            f" There is no evidence that it differs from {listed([safe(name) for name in own])}."
            if len(own)
            else " It is better than every other system (p ≤ 0.05 after Holm)."
        )
        if len(tied):
            pairs = "; ".join(f"{safe(a)} and {safe(b)}" for a, b in zip(tied["a"], tied["b"], strict=True))
            lines.append(f"Tied, of {len(found.pairs)} pairs: {pairs}.")
    if spans < asked:
        said = f"The {asked:,} targets have only **{spans} distinct spans**, and a system reads a span alike wherever "
        said += "it stands: spans are what is resampled."
        records = target_tables.compare(scores, "record")
        by_span, by_record = (int((one.pairs["verdict"] == "better").sum()) for one in (found, records))
        if by_record > by_span:
            said += f" Taken by record, {by_record} pairs would seem to differ; by span {by_span} do."
        lines.append(said)
    if not all(one.published for one in scores):
        count = min(len(one.routes) for one in scores)
        lines.append(
            f"Rule `{first.rule!r}` over {count} route{'s' * (count != 1)}: **not comparable** with a board under the "
            f"published rule, `{PUBLISHED!r}` over at least {PUBLISHED_ROUTES}."
        )
    signed = f"{found.signature}|cluster=span|{signature}"
    figures = [
        Figure(
            one.system,
            f"{one.counts.strict:.1%}",
            f"read right, {_interval(board.loc[one.system])}; {one.counts.unknown_rate:.1%} unknown",
            one.system,
            signed,
        )
        for one in scores[:SHOWN]
    ]
    return [Prose("\n\n".join(lines)), KeyFigures(tuple(figures))]


def leaderboard(scores: Sequence[Scores], found: Comparison, *, signature: str, conflict: str) -> list[Part]:
    """The board, as a picture and as a table. `found` compares the scores by span."""
    board = target_tables.board(scores).assign(ranks=_ranks)
    shown = ["system", "rank", "strict", "lo", "hi", "letters", "ranks", "record_lo", "record_hi", "coverage"]
    shown += ["coverage_lo", "coverage_hi", "resolved", "unknown_rate", "disagreement_rate", "correct", "wrong"]
    table = board[[*shown, "unknown", "routes"]].assign(published=_yes(board["published"]))
    signed = f"{found.signature}|cluster=span|{signature}"
    by_record = f"{found.signature}|cluster=record|{signature}"
    coverage = f"coverage{found.signature.removeprefix('target accuracy')}|cluster=span|{signature}"
    note = "Right: of all targets, an unknown counting against the system. Under it its 95% interval, by span. "
    note += (
        "Systems that share a letter are tied (paired randomisation by span, Holm); ranks are what that leaves open."
    )
    if board["grey"].any():
        note += " Fewer than 50 spans: no letters and no ranks."
    names = NAMES | {"published": "published rule", "unknown": "unknown targets"}
    signs = dict.fromkeys(("strict", "letters"), signed) | {"record_lo": by_record, "coverage": coverage}
    ends = {"strict": ("lo", "hi"), "coverage": ("coverage_lo", "coverage_hi")}
    drawn = _drawn(board)
    told = "Thick: by span, which is what the targets repeat. Thin: by record, which takes them for independent."
    return [
        Chart(drawn, "Targets read right, with 95% intervals", told, signed),
        Table(table, "Leaderboard", PERCENT, names, signs, note, conflict, ends),
    ]


def parts(scores: Sequence[Scores], found: Comparison, *, signature: str, conflict: str) -> list[Part]:
    """A board for every category, group and domain; a breakdown with one part says nothing new."""
    made: list[Part] = []
    for name, key in BREAKDOWNS.items():
        if len(targets.breakdown(scores[0].results, key)) < 2:
            continue
        board = target_tables.board(scores, by=name)  # type: ignore[arg-type]  # the keys are the parts
        board = board[board["part"] != WHOLE]
        shown = ["system", "part", "rank", "strict", "lo", "hi", "letters", "coverage", "unknown_rate", "targets", "n"]
        note = "Where there are fewer than 50 spans no letters are given: the interval is all that can be said."
        if board["grey"].all():
            shown.remove("letters")
        signed = f"{found.signature}|cluster=span|strata={name}|{signature}"
        names = NAMES | {"part": name}
        made.append(
            Table(board[shown], f"By {name}", PERCENT, names, dict.fromkeys(("strict",), signed), note, conflict)
        )
    return [Prose("# Targets by part"), *made] if made else []


def routes_apart(
    evidence: Sequence[Evidence], scores: Sequence[Scores], *, signature: str, conflict: str
) -> list[Part]:
    """What the decisions owe to the rule and to the routes: sensitivity, agreement, written forms."""
    how = target_tables.sensitivity(evidence)
    how = how.assign(
        board=[_named(rule, route, scores) for rule, route in zip(how["rule"], how["routes"], strict=True)]
    )
    order = dict.fromkeys(how["board"])
    wide = how.pivot(index="system", columns="board", values="rank").loc[[one.system for one in scores], [*order]]
    moved = [name for name in order if not wide[name].equals(wide[next(iter(order))])]
    others = len(order) - 1
    lines = ["# Rules and routes"]
    if len(scores) > 1:
        said = f"{others - len(moved)} of {others} other ways to decide leave the order as it is"
        lines.append(said + (f"; another order: {listed([safe(name) for name in moved])}." if moved else "."))
    forms = target_tables.written(evidence, scores[0].rule)
    pooled = forms.groupby("route", sort=False)[["unknown", "written"]].sum()
    for route, row in pooled[pooled["written"] > 0].iterrows():
        lines.append(
            f"{safe(str(route))} decides nothing in {row['unknown']:,} cases; in **{row['written']:,}** of them "
            "it wrote the span in its written form, from which no reading can be told."
        )
    shown = ["system", "board", "rank", "was", "strict", "coverage", "correct", "wrong", "unknown"]
    ranks = Table(
        wide.reset_index().rename_axis(columns=None),
        "Rank under other rules",
        names={name: name for name in order},
        signatures={next(iter(order)): signature},
        note="What each rule makes of the same transcripts, and what each route says alone.",
        conflict=conflict,
    )
    made: list[Part] = [
        Prose("\n\n".join(lines)),
        *([ranks] if len(scores) > 1 else []),
        Table(
            how[shown],
            "Rates under other rules",
            PERCENT,
            NAMES | {"board": "rule"},
            {"strict": signature},
            conflict=conflict,
        ),
    ]
    pairs = target_tables.agreement(scores)
    if len(pairs):
        pooled = pairs.groupby(["route", "other"], sort=False)[["targets", "alike", "decides"]].sum().reset_index()
        both = pd.concat([pooled.assign(system="(all systems)"), pairs.drop(columns="share")], ignore_index=True)
        both = both.assign(share=both["alike"] / both["targets"], decided=both["decides"] / both["targets"])
        columns = ["route", "other", "system", "targets", "share", "decided"]
        names = {"share": "decide alike", "decided": "decide the vote"}
        note = (
            "Decide the vote: it is what the two say where they agree, else unknown. Near 100%, others hardly matter."
        )
        made.append(
            Table(
                both[columns].rename(columns={"system": "of"}),
                "Agreement of routes",
                {"share": ".1%", "decided": ".1%"},
                names,
                {"share": signature},
                note,
                conflict,
            )
        )
    names = {"share": "of unknown", "unknown": "decides nothing", "written": "wrote the written form"}
    made.append(Table(forms, "Written forms", PERCENT, names, {"written": signature}, conflict=conflict))
    return made


def readings(scores: Sequence[Scores], *, signature: str, conflict: str) -> list[Part]:
    """The readings that each route was found to hold: a line a target, opened on demand."""
    long = target_tables.readings(scores)
    keys = ["segment", "target", "span", "category", "system", "vote"]
    said = long["decision"] + ("  " + long["matched"]).where(long["matched"] != "", "")
    routes = list(dict.fromkeys(long["route"]))
    wide = long.assign(said=said).set_index([*keys, "route"])["said"].unstack("route")
    wide = wide.loc[pd.MultiIndex.from_frame(long[keys].drop_duplicates()), routes].reset_index()
    votes: dict[str, Counter[str]] = {}
    texts: dict[str, str] = {}
    for one in scores:
        for result in one.results:
            votes.setdefault(f"{result.segment.id} {result.target.id}", Counter())[result.decision] += 1
            texts[result.segment.id] = result.segment.text
    line = [_counted(votes[f"{s} {t}"]) for s, t in zip(wide["segment"], wide["target"], strict=True)]
    wide = wide.assign(votes=line, text=wide["segment"].map(texts))
    return [
        Prose("# Readings matched"),
        Folded(
            wide[["span", "votes", "category", "target", "text", "system", "vote", *routes]],
            ("span", "votes", "category", "target", "text"),
            "Every target",
            names={route: route for route in routes},
            note=OPEN,
            signature=signature,
            conflict=conflict,
        ),
    ]


def _counted(votes: Mapping[str, int]) -> str:
    return ", ".join(f"{votes[name]} {name}" for name in ("correct", "wrong", "unknown", "excluded") if votes.get(name))


def _named(rule: str, routes: str, scores: Sequence[Scores]) -> str:
    """How a column of the sensitivity table is headed: by the rule, or by the one route that decides alone."""
    return rule if "+" in routes or all(len(one.routes) == 1 for one in scores) else f"{routes} alone"


def _drawn(board: pd.DataFrame) -> Any:
    order = list(board["system"])
    dealt = colours(order)
    columns = ["system", "strict", "lo", "hi", "record_lo", "record_hi", "coverage"]
    percent = alt.Axis(format="%", title=None, grid=True, tickCount=5)
    base = alt.Chart(board[columns]).encode(
        y=alt.Y("system:N", sort=order, title=None),
        color=alt.Color("system:N", scale=alt.Scale(domain=order, range=[dealt[name] for name in order]), legend=None),
        tooltip=[alt.Tooltip(f"{name}:Q", format=".1%", title=NAMES.get(name, name)) for name in columns[1:]],
    )
    start = alt.X("lo:Q", scale=alt.Scale(domain=[0, 1]), axis=percent)
    thick = base.mark_rule(strokeWidth=7, opacity=0.35).encode(x=start, x2="hi:Q")
    thin = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("record_lo:Q"), x2="record_hi:Q")
    point = base.mark_point(filled=True, size=80, opacity=1).encode(x=alt.X("strict:Q"))
    fitted = alt.AutoSizeParams(type="fit-x", contains="padding")
    best, worst = (f"{row.strict:.1%} ({row.system})" for row in (board.iloc[0], board.iloc[-1]))
    told = f"Targets read right, from {best} to {worst}, with intervals by span and by record."
    layers = alt.layer(thick, thin, point)
    return layers.properties(width="container", height=30 * len(order), autosize=fitted, description=told)


def _ranks(board: pd.DataFrame) -> list[str]:
    ends = zip(board["rank_lo"], board["rank_hi"], strict=True)
    return ["–" if pd.isna(lo) else f"{lo}" if lo == hi else f"{lo}–{hi}" for lo, hi in ends]


def _yes(column: pd.Series[bool]) -> list[str]:
    return ["yes" if value else "no" for value in column]


def _interval(row: Any) -> str:
    return "no interval" if pd.isna(row["lo"]) else f"95% interval {row['lo']:.1%} to {row['hi']:.1%}"
