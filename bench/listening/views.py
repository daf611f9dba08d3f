"""A study after it: the report.

Conventions: each function gives parts of a report, the answer first. Localities stand before the pooled figure, experts
apart, and every table with and without the exclusions. A study is called designed after a Recommendation, never
conforming to it. A conflict of interest stands under every table of results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from bench.listening import charts, register
from bench.listening.analysis import Analysis, Result, panels
from bench.listening.register import AFTER, conflicts, interest
from bench.listening.scale import Question
from bench.part import Chart, Conflict, Figure, KeyFigures, Part, Prose, Signature, Table, shown, sign
from bench.wording import safe

NUMBERS = {"value": ".2f", "lo": ".2f", "hi": ".2f", "mixed": ".2f", "mixed_lo": ".2f", "mixed_hi": ".2f"}


def record(analysis: Analysis, *, size: Sequence[Part] = (), simulated: bool = False) -> list[Part]:
    """The record of a study: its results, the design that they were made under, and what both rest on.

    `size` is what is to be said of the sample size (`bench.listening.register.sample_size`). A rehearsal, whose ratings
    are `simulated`, begins with the design.
    """
    design = [*register.designed(analysis.design), *size]
    if simulated:
        return [*design, *overview(analysis, simulated=True)]
    return [*_results(analysis), *design, *_provenance(analysis)]


def overview(analysis: Analysis, *, simulated: bool = False) -> list[Part]:
    """The results of a study."""
    parts: list[Part] = []
    if simulated:
        parts.append(
            Prose("**These ratings are simulated: they rehearse the analysis and say nothing about any system.**")
        )
    return [*parts, *_results(analysis), *_provenance(analysis)]


def _results(analysis: Analysis) -> list[Part]:
    parts = [*_localities(analysis), *_answer(analysis)]
    for result in analysis.results:
        parts += _question(analysis, result)
    return sign([*parts, *_people(analysis)], analysis.signature)


def _localities(analysis: Analysis) -> Iterator[Part]:
    """Each locality, where there are several: before any pooled figure."""
    several = [result for result in analysis.results if result.localities["locality"].nunique() > 1]
    if several:
        yield Prose("# Each locality\n\nListeners of one locality at a time, before any pooled figure. Kept votes.")
    for result in several:
        places = _bare(result.localities).drop(columns=["naive_lo", "naive_hi"])
        places = places.assign(locality=places["locality"].where(places["locality"] != "", "not stated"))
        title = f"{result.question.measures.capitalize()} ({direction(result.question)})"
        formats = dict.fromkeys(("value", "lo", "hi"), _format(result.question))
        yield Table(places, title, formats, conflict=interest(analysis.design))


def _answer(analysis: Analysis) -> Iterator[Part]:
    lines = ["# The answer"]
    count = max((result.localities["locality"].nunique() for result in analysis.results), default=0)
    if count > 1:
        lines.append(f"Pooled over {count} localities.")
    figures: list[Figure] = []
    for result in analysis.results:
        lines.append(said(result, analysis.design.model.alpha))
        kept = result.means[(result.means["basis"] == "kept")].sort_values("value", ascending=False, kind="stable")
        for row in kept.head(6).to_dict("records"):
            name = row["condition"] + (f" against {row['against']}" if row["against"] else "")
            value, low, high = (shown(row[end], _format(result.question)) for end in ("value", "lo", "hi"))
            detail = f"{result.question.measures}; 95% interval {low} to {high}, {row['votes']} votes of "
            detail += f"{row['listeners']} listeners on {row['texts']} texts"
            single = row["condition"] if not row["against"] else None
            figures.append(Figure(name, value, detail, single, analysis.signature))
    lines.append(
        "Each condition is **one voice** of a system in one configuration; nothing here says how other voices do. "
        + AFTER
    )
    yield Prose("\n\n".join(lines))
    yield KeyFigures(tuple(figures))


def beside(result: Result) -> pd.DataFrame:
    """The means of a question for a terminal: with the exclusions (kept) and without (all) side by side."""
    told = _figures(result.means, result.question)
    every = told[told["basis"] == "all"].set_index("condition")
    kept = told[told["basis"] == "kept"].set_index("condition").reindex(every.index)
    columns = {
        "kept, 95 % interval": kept["figure"].fillna("–"),
        "votes": kept["votes"].fillna(0).astype(int),
        "listeners": kept["listeners"].fillna(0).astype(int),
        "all, 95 % interval": every["figure"],
        "all votes": every["votes"],
    }
    return pd.DataFrame(columns).reset_index()


def places(result: Result) -> pd.DataFrame:
    """The means of each locality for a terminal, kept votes; empty where there are not several."""
    if result.localities["locality"].nunique() < 2:
        return pd.DataFrame()
    told = _figures(result.localities, result.question).rename(columns={"figure": "kept, 95 % interval"})
    return told[["locality", "condition", "kept, 95 % interval", "votes", "listeners"]]


def _figures(means: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Means with `figure`: the value and its interval in one cell."""
    ends = [[shown(value, _format(question)) for value in means[end]] for end in ("value", "lo", "hi")]
    told = [f"{value} ({low} to {high})" for value, low, high in zip(*ends, strict=True)]
    return _joined(means).assign(figure=told)


def verdicts(result: Result) -> list[str]:
    """What the test says of each pair, with the exclusions, in plain words."""
    kept = result.pairs[result.pairs["basis"] == "kept"]
    spec = _format(result.question)
    return [
        f"{row['a']} − {row['b']}: {shown(row['difference'], spec)} ({shown(row['lo'], spec)} to "
        f"{shown(row['hi'], spec)}), p {shown(row['p_holm'], '.2g')} after Holm: {row['verdict']}"
        for row in kept.to_dict("records")
    ]


def said(result: Result, alpha: float) -> str:
    """The conclusion of a question in words: what the test says and no more."""
    pairs = result.pairs[result.pairs["basis"] == "kept"]
    clear = pairs[pairs["verdict"].str.endswith("is better")] if len(pairs) else pairs
    other = result.pairs[result.pairs["basis"] == "all"].set_index(["a", "b"])["verdict"] if len(pairs) else pd.Series()
    measures = f"**{result.question.measures.capitalize()}** ({direction(result.question)})"
    if not len(pairs):
        return f"{measures}: no pair to compare."
    changed = [key for key, verdict in pairs.set_index(["a", "b"])["verdict"].items() if other.get(key) != verdict]
    warned = f" **{len(changed)} verdict(s) change without the exclusions.**" if changed else ""
    if not len(clear):
        return f"{measures}: no evidence of a difference between any two of the conditions.{warned}"
    told = [
        f"{safe(row['verdict'])} than {safe(row['b'] if row['verdict'].startswith(row['a'] + ' is') else row['a'])}"
        for row in clear.to_dict("records")
    ]
    rest = f" {len(pairs) - len(clear)} of {len(pairs)} pairs show no evidence." if len(pairs) > len(clear) else ""
    return f"{measures}: {'; '.join(told)} (p ≤ {alpha:g} after Holm).{rest}{warned}"


def direction(question: Question) -> str:
    """How a figure of the analysis is to be read, which for pairs is not how the question is."""
    read = {"preference": "the share that prefers the first named", "ccr": "above 0 the first named is better"}
    return read.get(question.key, question.direction)


def _format(question: Question) -> str:
    shares = question.answer in ("text", "choice") or question.key == "preference"
    return ".1%" if shares else ".2f"


def _question(analysis: Analysis, result: Result) -> Iterator[Part]:
    design, question = analysis.design, result.question
    conflict = interest(design)
    spec = _format(question)
    formats = (
        dict.fromkeys(NUMBERS, spec)
        | dict.fromkeys(("naive_lo", "naive_hi", "difference"), spec)
        | dict.fromkeys(("p", "p_holm"), ".2g")
    )
    signed = analysis.signature
    heading = f"# {safe(question.measures.capitalize())}\n\n> {safe(question.prompt)}"
    yield Prose(f"{heading}\n\nDirection: {safe(direction(question))}. {safe(question.source)}.")
    drawn = result.distribution[(result.distribution["panel"] == "blind") & (result.distribution["basis"] == "kept")]
    if len(drawn):
        yield Chart(
            charts.distribution(_joined(drawn), question), "Every answer", "Kept votes of the blind panel.", signed
        )
    if result.means["value"].notna().any():
        heading = question.measures.capitalize()
        effects = charts.effects(_joined(result.means), heading, ends=charts.extent(question))
        told = "Filled: with the declared exclusions. Open: every vote. Bars: 95% intervals by listener and text."
        yield Chart(effects, "Means", told, signed)
    note = (
        "value: two-way clustered interval, t(min(listeners, texts) − 1). mixed: linear mixed model. "
        "naive, not to be used: it takes votes as independent and covers far less than 95 %; shown as a warning."
    )
    order = [name for name in result.means.columns if not name.startswith("naive")]
    pooled = _beside(result.means[[*order, "naive_lo", "naive_hi"]], "condition", "against")
    yield Table(
        _bare(pooled), "With exclusions (kept) and without (all)", formats,
        {"naive_lo": "naive lo (warning)", "naive_hi": "naive hi (warning)"},
        dict.fromkeys(["value"], signed), note, conflict,
    )  # fmt: skip
    if len(result.pairs):
        yield Table(
            _beside(result.pairs, "a", "b"), "Pairs", formats, {"p_holm": "p (Holm)"}, {"p_holm": signed}, "", conflict
        )
        gaps = result.pairs.assign(pair=result.pairs["a"] + " − " + result.pairs["b"]).rename(
            columns={"difference": "value"}
        )
        if gaps["value"].notna().any():
            yield Chart(charts.effects(gaps, "Difference", name="pair", zero=True), "Differences", "", signed)
    if len(result.preference):
        told = "Clopper-Pearson and the binomial test take votes as independent; the clustered test above decides."
        percent = dict.fromkeys(("share", "lo", "hi"), ".1%")
        yield Table(result.preference, "Preferences, binomial", {**percent, "p": ".2g"}, note=told, conflict=conflict)
    if result.worth is not None:
        value, low, high = result.worth.order
        told = "Log odds with clustered intervals, mean 0. The first clip's advantage: "
        told += f"{value:+.2f} ({low:+.2f} to {high:+.2f})."
        yield Table(
            result.worth.worth,
            "Bradley-Terry",
            {"share": ".1%"},
            {"log_worth": "log worth"},
            note=told,
            conflict=conflict,
        )
    if result.spread is not None:
        s = result.spread
        unsure = "" if s.converged else " The fit did not converge: read it with care."
        yield Prose(
            f"Standard deviations of the mixed model: listeners {s.listener:.2f}, texts {s.text:.2f}, "
            f"rest {s.residual:.2f}.{unsure}"
        )
    yield Table(
        _bare(result.files),
        "Each file",
        formats,
        note="Kept votes; mean ± t(0.975, n − 1) s/√n (ITU-T P.1401).",
        conflict=conflict,
    )
    raw = _bare(result.distribution)
    yield Table(raw, "Raw distribution", note="Every answer of every test vote; panels apart.")
    if len(result.items):
        yield Table(_bare(result.items), "Gold, trap and control items")
    if len(result.experts):
        yield Table(
            _bare(result.experts).drop(columns=["naive_lo", "naive_hi"]),
            "Expert panel",
            formats,
            note="Apart, and in no figure above.",
            conflict=conflict,
        )


def _people(analysis: Analysis) -> Iterator[Part]:
    ratings = analysis.ratings
    test = ratings.votes[ratings.votes["kind"] == "test"]
    out = int((test["excluded"] != "").sum())
    yield Prose(
        f"# Who listened, and what is left out\n\n{out} of {len(test)} test votes are excluded, each for a declared "
        "reason."
    )
    yield Table(panels(ratings), "People")
    yield Table(ratings.exclusions, "Every exclusion", note="Declared in the design before collection.")
    if analysis.design.presentation == "panel":
        rules = analysis.design.exclusions
        yield Prose(
            f"Items on which more than {rules.item_share:.0%} of the listeners rated the hidden reference below "
            f"{rules.reference_below:g}, and which are held against nobody: "
            f"{safe(', '.join(analysis.spared)) or 'none'}."
        )
    if len(ratings.strays):
        yield Table(ratings.strays, "Returns that are no votes")


def _provenance(analysis: Analysis) -> Iterator[Part]:
    yield Prose("# What it rests on")
    yield Conflict(conflicts(analysis.design))
    yield Signature(f"{analysis.signature}|design sha256 {analysis.design.sha256}", "The study")


def _beside(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """With and without the exclusions one under the other."""
    return frame.sort_values([*keys], kind="stable")


def _bare(frame: pd.DataFrame) -> pd.DataFrame:
    """Without the column `against` where no row has one."""
    empty = "against" in frame.columns and (frame["against"] == "").all()
    return frame.drop(columns="against") if empty else frame


def _joined(frame: pd.DataFrame) -> pd.DataFrame:
    """Pairs as one name."""
    return frame.assign(
        condition=frame["condition"] + frame["against"].where(frame["against"] == "", " against " + frame["against"])
    )
