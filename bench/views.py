"""From a scored run to the parts of its report: the answer, the rates, every row, the clips.

Conventions: each function gives a list of parts from a run and its scores under one normaliser, so that a notebook and
the exported report show the same. A headline counts headline rows only and no diagnostic recogniser. A conclusion
about a system with one voice says so. `signature` is the line that the run's numbers rest on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from bench import adjudication, audition, caveat, charts, conclusion, target_views
from bench.basis import provenance
from bench.inference import Comparison, compare, penalty
from bench.part import POINTS, Chart, Clips, Figure, KeyFigures, Part, Prose, Rows, Table
from bench.run import Run
from bench.score import entities, summary
from bench.wording import listed, percent, points, safe

SHOWN = 6  # systems among the key figures; all are in the table
TEXTS = 60_000  # rows above which a page carries the texts of one channel and recogniser
LEVELS = 60  # values that a column may have to be offered as a stratum
FREQUENT = 2_000  # the rows that a table of confusions looks at
MISHAPS = {
    "failure_rate": "failed",
    "loop_rate": "looped",
    "hallucination_rate": "hallucinated",
    "truncation_rate": "truncated",
}


def overview(run: Run, scores: pd.DataFrame, *, signature: str, clips: str = "all") -> list[Part]:
    """The whole report of a run on one page; `clips` is a rule of `bench.audition.choose`."""
    return [
        *answer(run, scores, signature=signature),
        *rates(run, scores, signature=signature),
        *hearings(run, scores, clips),
        *slices(run, scores, signature=signature),
        *errors(run, scores, signature=signature),
        *target_views.of_run(run),
        *adjudication.parts(run, scores, signature=signature),
        *provenance(run, signature=signature),
    ]


def telephone(run: Run) -> str:
    """The channel that an answer is about: G.711 without loss where the run has it, its first channel otherwise."""
    names = run.channels()
    return next((name for name in ("g711u", "g711a", *names) if name in names), names[0])


def answer(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """What came out, in words and in a few numbers, as the first recogniser that is not diagnostic heard it.

    Of an unfinished run nobody is named the best, and no cost of the line is told.
    """
    voices = scores.groupby("system", sort=False)["voice"].nunique()
    scores = _named(scores)
    found = _compared(scores)
    recogniser, channel, track = _first(scores), telephone(run), run.protocol.tracks[0]
    here = {"track": track, "channel": channel, "recogniser": recogniser}
    top = _only(found.rates, here)
    lacking = caveat.unfinished(scores)
    said = f"**{safe(lacking)}**" if lacking else _told(top, _only(found.pairs, here), here)
    lines = [f"# The answer\n\n{said}"]
    single = [safe(str(name)) for name in voices.index[voices == 1]]
    if single:
        who = "Each system" if len(single) == len(voices) else listed(single)
        lines.append(f"{who} spoke with **one voice**: nothing here says how other voices do.")
    signed = f"{found.signature}|{signature}"
    figures = [
        Figure(
            f"{row['system']}, {channel}",
            percent(row["rate"]),
            f"word errors; 95% interval {percent(row['lo'])} to {percent(row['hi'])}, {row['segments']} segments",
            row["system"],
            signed,
        )
        for row in top.head(SHOWN).to_dict("records")
    ]
    widest = run.channels()[0]
    before = _only(found.rates, {**here, "channel": widest}).set_index("system")["rate"]
    if widest != channel and not lacking:
        costs = [(row["system"], 100 * (row["rate"] - before[row["system"]])) for row in top.to_dict("records")]
        told = ", ".join(f"{name} {points(cost)}" for name, cost in costs)
        middle = sum(cost for _, cost in costs) / len(costs)
        figures.append(
            Figure(
                "The phone line adds",
                f"{points(middle)} points",
                f"mean of the systems, {channel} less {widest}: {told}",
                None,
                signed,
            )
        )
    lost = int(scores["cause"].notna().sum())
    causes = ", ".join(f"{cause} {n}" for cause, n in scores["cause"].value_counts().items())
    if scores["looped"].any():
        where = (scores["recogniser"] + " on " + scores["channel"])[scores["looped"]].value_counts().head(3)
        told = ", ".join(f"{place} {n}" for place, n in where.items())
        told = f"a recogniser repeats itself, and its errors there say little of the speech: {told}"
        count = f"{int(scores['looped'].sum())} of {len(scores)}"
        figures.append(Figure("Looping transcripts", count, told, signature=signature))
    figures.append(
        Figure(
            "Failed or missing", f"{lost} of {len(scores)}", causes or "every row has its transcript", None, signature
        )
    )
    return [Prose("\n\n".join(lines)), KeyFigures(tuple(figures))]


def rates(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """Word error rates by system, channel and recogniser: a chart a track, then the tables."""
    scores = _named(scores)
    found = _compared(scores)
    signed = f"{found.signature}|{signature}"
    diagnostic = sorted(scores.loc[scores["diagnostic"], "recogniser"].unique())
    told = "Lower is better; bars are 95% intervals. What failed or is missing counts as deleted words."
    if diagnostic:
        told += f" Diagnostic, and in no mean: {', '.join(diagnostic)}."
    parts: list[Part] = [Prose("# Word error rates")]
    shown = found.rates[found.rates["stratum"].isna() | found.rates["stratum"].isin(["", "all"])]
    for track in run.protocol.tracks:
        rows = shown[shown["track"] == track].rename(columns={"rate": "wer"})
        order = [rows["channel"].map(run.channels().index), rows["recogniser"].map(_places(scores["recogniser"]))]
        rows = rows.assign(c=order[0], r=order[1]).sort_values(["r", "c", "system"], kind="stable")
        drawn = charts.error_rates(rows, systems=scores["system"].unique())
        title = "Word error rate by channel" + (f", track {track}" if len(run.protocol.tracks) > 1 else "")
        parts.append(Chart(drawn, title, told, signed))
    keys = ["system", *_tracks(run), "recogniser"]
    wide, ends = by_channel(shown, scores[keys].drop_duplicates(), run.channels())
    return [
        *parts,
        Table(
            wide,
            "Word error rate",
            formats=dict.fromkeys(run.channels(), ".1%"),
            signatures=dict.fromkeys(run.channels(), signed),
            note="Under each rate stands its 95% interval.",
            conflict=caveat.conflict(run),
            intervals=ends,
        ),
        *mishaps(run, scores, signature=signature),
    ]


def by_channel(
    rates: pd.DataFrame, rows: pd.DataFrame, names: Sequence[str]
) -> tuple[pd.DataFrame, dict[str, tuple[str, str]]]:
    """The rates of a comparison with the channels beside one another, and the ends of their intervals as `Table` takes
    them. `rows` has what the table begins with, a row each, by columns of `rates`."""
    wide = rows.reset_index(drop=True)
    ends = {name: (f"{name}, from", f"{name}, to") for name in names}
    for name in names:
        at = rates.loc[rates["channel"] == name, [*rows.columns, "rate", "lo", "hi"]]
        columns = dict(zip(("rate", "lo", "hi"), (name, *ends[name]), strict=True))
        wide = wide.merge(at.rename(columns=columns), on=[*rows.columns], how="left")
    return wide, ends


def mishaps(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """What failed, looped, was made up or broke off: the share of segments, where there is any."""
    table = summary(scores[scores["headline"]], ["system", *_tracks(run), "recogniser", "channel"])
    some = table.loc[(table[[*MISHAPS]] > 0).any(axis=1)].reset_index(drop=True)
    title = "Failures, loops, hallucinations and truncations"
    if some.empty:
        return [Prose(f"### {title}\n\nNone: every transcript is there, none repeats itself, adds much or breaks off.")]
    note = (
        "Shares of the segments; lines without any are left out. Failed: audio or transcript is missing, and all words "
        "count as deleted. Looped: the recogniser repeats itself, and what it repeats counts as insertions. "
        "Hallucinated: more than 1.5 times the words plus 3. Truncated: fewer than half of them."
    )
    columns = ["system", *_tracks(run), "recogniser", "channel", *MISHAPS, "wer", "segments"]
    formats = dict.fromkeys((*MISHAPS, "wer"), ".1%")
    signatures = dict.fromkeys((*MISHAPS, "wer"), signature)
    return [Table(some[columns], title, formats, {**MISHAPS, "wer": "WER"}, signatures, note)]


def _tracks(run: Run) -> list[str]:
    """The column that names the track, where a run has several."""
    return ["track"] if len(run.protocol.tracks) > 1 else []


def slices(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """Every row, for the reader to cut by stratum; a large run carries the texts of one channel and recogniser only."""
    rows = _named(scores[scores["headline"]])
    rows = rows.assign(errors=rows["substitutions"] + rows["deletions"] + rows["insertions"])
    strata = strata_of(run, rows)
    strata += _tracks(run)
    note = ""
    if len(rows) > TEXTS:
        kept = (rows["channel"] == telephone(run)) & (rows["recogniser"] == _first(scores))
        rows = rows.assign(**{name: rows[name].where(kept) for name in ("reference", "hypothesis")})
        note = f"Texts are those of {telephone(run)} as {_first(scores)} heard it; scores.parquet of the run has all."
    return [
        Prose("# Any slice"),
        Rows(
            rows,
            "Rates of the rows you choose",
            note=note,
            strata=("channel", "recogniser", *strata),
            texts=("reference", "hypothesis"),
            signature=f"WER|interval:poisson bootstrap,t<200,wilson<5,none<20|B:1000|seed:1|{signature}",
        ),
    ]


def strata_of(run: Run, rows: pd.DataFrame) -> list[str]:
    """The columns of the text set that part the rows, and not into more pieces than one can choose from."""
    known = dict.fromkeys(name for segment in run.frozen.chosen for name in segment.strata)
    return [name for name in known if name in rows.columns and 1 < rows[name].nunique() <= LEVELS]


def levels(run: Run, rows: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """Every stratum to choose from, "column: value" by its column and value, both as text."""
    pairs = [(name, str(value)) for name in strata_of(run, rows) for value in rows[name].dropna().unique()]
    return {f"{name}: {value}": (name, value) for name, value in pairs}


def errors(run: Run, scores: pd.DataFrame, *, signature: str, limit: int = 200) -> list[Part]:
    """What went wrong: entities by type, the cost of text normalisation, confusions, the worst rows word by word."""
    scores = _named(scores)
    counted = scores.assign(errors=scores["substitutions"] + scores["deletions"] + scores["insertions"])
    wrong = counted[counted["errors"] > 0].sort_values("errors", ascending=False, kind="stable")
    parts: list[Part] = [Prose("# Errors"), *_entities(run, scores, signature)]
    parts += penalties(run, scores, signature=signature)
    heard = wrong[wrong["cause"].isna()].head(FREQUENT)
    pairs = Counter(
        (ref or "", hyp or "", op)
        for operations in audition.alignments(run, heard)
        for ref, hyp, op in operations
        if op != "="
    )
    kinds = {"S": "substituted", "D": "deleted", "I": "inserted"}
    common = [(ref, hyp, kinds[op], n) for (ref, hyp, op), n in sorted(pairs.items(), key=lambda p: (-p[1], p[0]))]
    if common:
        note = f"Of the {len(heard):,} rows with the most errors." if len(wrong) > len(heard) else ""
        frame = pd.DataFrame(common[:limit], columns=["expected", "heard", "kind", "times"])
        parts.append(Table(frame, "Most frequent confusions", signatures={"times": signature}, note=note))
        top = wrong.head(limit)
        shown = top[["segment", "system", "channel", "recogniser", "errors", "words"]]
        parts.append(
            Table(
                shown.assign(alignment=pd.Series(audition.alignments(run, top), top.index)),
                "Rows with the most errors",
                signatures={"errors": signature},
            )
        )
    return parts


def _entities(run: Run, scores: pd.DataFrame, signature: str) -> list[Part]:
    spans = entities(scores, run.frozen.chosen, language=run.protocol.language)
    if spans.empty:
        return []
    keys = ["system", *_tracks(run), "recogniser", "type"]
    right = spans[spans["headline"]].groupby([*keys, "channel"], sort=False)["right"].agg(["mean", "size"])
    wide = right["mean"].unstack("channel", sort=False)[run.channels()]
    wide.insert(0, "spans", right["size"].groupby(keys, sort=False).max())
    note = "Right: every word of an accepted reading was heard, and nothing inside it."
    formats, signed = dict.fromkeys(run.channels(), ".1%"), dict.fromkeys(run.channels(), f"entities|{signature}")
    return [Table(wide.reset_index(), "Entities that were right", formats, signatures=signed, note=note)]


def penalties(
    run: Run, scores: pd.DataFrame, *, strata: Sequence[Sequence[str]] = (), signature: str = ""
) -> list[Part]:
    """What each system's own text normalisation costs, whole and by stratum, where there are both tracks."""
    if not {"R", "S"} <= set(scores["track"]):
        return []
    found = penalty(scores, strata=strata)
    cut = ["stratum"] if strata else []
    columns = ["system", "channel", "recogniser", *cut, "penalty", "lo", "hi", "n", "method"]
    signed = f"{found.signature}|{signature}" if signature else found.signature
    note = (
        "The word error rate on track R (written text) less that on track S (spoken form), of the segments that have "
        "both, with its 95% interval."
    )
    return [
        Table(
            conclusion.order(run, found.rows)[columns],
            "Text normalisation",
            dict.fromkeys(("penalty", "lo", "hi"), POINTS),
            {"penalty": "TN penalty, points", "lo": "from", "hi": "to", "method": "interval"},
            {"penalty": signed},
            note,
            caveat.conflict(run),
        )
    ]


def hearings(run: Run, scores: pd.DataFrame, rule: str = "all") -> list[Part]:
    """The clips that a rule chooses."""
    cases = audition.choose(scores, rule)
    if not cases:
        return []
    several = bool((scores.groupby("system")["voice"].nunique() > 1).any())
    note = (
        "Open a take and switch its channel at the same moment of the clip; every level is as the line delivered it. "
        "Errors are those of all channels and recognisers together."
    )
    return [Prose("# Clips"), Clips(audition.takes(run, scores, cases, voices=several), "", note)]


def _named(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores with the voice in the system's name where a system has several: each is a system of its own."""
    several = scores.groupby("system")["voice"].transform("nunique") > 1
    name = scores["system"].where(~several, scores["system"] + " (" + scores["voice"] + ")")
    return scores.assign(system=name)


def _compared(scores: pd.DataFrame) -> Comparison:
    return compare(scores[scores["headline"]].assign(voice=""))


def _first(scores: pd.DataFrame) -> str:
    """The recogniser that an answer is about: the first that is not diagnostic, where there is one."""
    panel = scores.loc[~scores["diagnostic"], "recogniser"]
    return str(panel.iloc[0] if len(panel) else scores["recogniser"].iloc[0])


def _only(table: pd.DataFrame, values: dict[str, str]) -> pd.DataFrame:
    kept = table
    for column, value in values.items():
        kept = kept[kept[column] == value]
    return kept


def _places(values: pd.Series[str]) -> dict[str, int]:
    return {value: at for at, value in enumerate(dict.fromkeys(values))}


def _told(rates: pd.DataFrame, pairs: pd.DataFrame, here: dict[str, str]) -> str:
    """The conclusion as a sentence; nothing is called better that the test does not call so."""
    first = rates.iloc[0]
    where = f"on {safe(here['channel'])}, as {safe(here['recogniser'])} heard it"
    if len(rates) == 1:
        return f"**{safe(first.system)}** had a word error rate of {percent(first.rate)} {where}."
    said = f"**{safe(first.system)}** had the lowest word error rate {where}: {percent(first.rate)}"
    said += f", against {percent(rates.iloc[1].rate)} for {safe(rates.iloc[1].system)}."
    leader = pairs[pairs["a"] == first.system]
    verdicts = set(leader["verdict"])
    if verdicts == {"better"}:
        return f"{said} It is better than every other system (p ≤ 0.05 after Holm)."
    if "too few" in verdicts:
        return f"{said} **{int(first.segments)} segments are too few** to say which system is better."
    level = listed([safe(name) for name in leader.loc[leader["verdict"] != "better", "b"]])
    return f"{said} There is no evidence that it differs from {level}."
