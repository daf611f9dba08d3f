"""From a scored run to the parts that say what it concludes: who is better, under which recogniser, what is a tie.

Conventions: the answer comes first, as sentences, and says under which recognisers it holds; nothing is called better
that the test does not call so. Charts show one channel and one track, the telephone's and the protocol's first, and
tables every family in the protocol's order. Strata are shown as distributions before they are summed up, and keep the
order of their names: no stratum is ranked against another. Localities of a dialect come before any pooled figure. The
numbers are those of `bench.inference`, unchanged; each table and chart carries the signature that they came with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench import caveat, conclusion, report, results
from bench import comparison_charts as charts
from bench.basis import provenance
from bench.conclusion import HUMAN, MEAN
from bench.contrast_views import line_cost, normalisation, progress
from bench.fault import Fault
from bench.inference import Comparison, agreement, compare, distribution, plan
from bench.inference.plan import POWER
from bench.inference.sums import labels
from bench.panel_views import disagreements
from bench.part import POINTS, Chart, Figure, KeyFigures, Part, Prose, Table
from bench.run import Run
from bench.views import telephone
from bench.wording import listed, percent, points, safe

TOLD = 4  # systems up to which every pair has its sentence; of more, the pairs of the leader
FAMILY = ("recogniser", "track", "channel")
RATE = dict.fromkeys(("rate", "lo", "hi", "segment_lo", "segment_hi"), ".1%")
DIFFERENCE = {**dict.fromkeys(("difference", "lo", "hi"), POINTS), "p": ".4f", "p_holm": ".4f"}
SPREAD = {
    "q0": "least",
    "q25": "lower quarter",
    "q50": "median",
    "q75": "upper quarter",
    "q90": "90%",
    "q100": "most",
}
NAMES = {
    "rate": "WER",
    "difference": "difference, points",
    "lo": "from",
    "hi": "to",
    "segment_lo": "by segment, from",
    "segment_hi": "by segment, to",
    "p_holm": "p (Holm)",
    "letters": "ties",
}


@dataclass(frozen=True, eq=False)
class _Case:
    """What the parts of one run share: its rows, who competes, who listens, and what the charts are about."""

    run: Run
    rows: pd.DataFrame  # every system that competes
    scores: pd.DataFrame  # human recordings too, systems without their voices
    panel: list[str]  # the recognisers that conclusions rest on: all, where all are diagnostic
    signature: str

    @property
    def unfinished(self) -> str:
        return caveat.unfinished(self.scores)

    @property
    def where(self) -> dict[str, str]:
        return {"track": self.run.protocol.tracks[0], "channel": telephone(self.run)}

    def signed(self, signature: str) -> str:
        return f"{signature}|{self.signature}"

    def here(self, table: pd.DataFrame, stratum: str | None = "all") -> pd.DataFrame:
        """The rows of a result on the track and channel of the charts, its families in the protocol's order."""
        kept = table[(table["track"] == self.where["track"]) & (table["channel"] == self.where["channel"])]
        return conclusion.order(self.run, kept if stratum is None else kept[kept["stratum"] == stratum])


def conclusions(
    run: Run,
    scores: pd.DataFrame,
    *,
    signature: str,
    strata: Sequence[Sequence[str]] = (),
    recogniser: str | None = None,
    wanted: float = 0.02,
    power: float = POWER,
) -> list[Part]:
    """All that a run concludes. `scores` are its rows under one normaliser.

    Each item of `strata` is a combination of columns to cut by; `recogniser` leaves the others out. `wanted` is the
    difference that the planning is for, a fraction, found with `power`. Raises Fault for an unknown column or
    recogniser.
    """
    if recogniser is not None and recogniser not in set(scores["recogniser"]):
        raise Fault(f"The run has no recogniser {recogniser!r}; it has {', '.join(scores['recogniser'].unique())}.")
    kept = scores if recogniser is None else scores[scores["recogniser"] == recogniser]
    rows = conclusion.contenders(kept)
    if rows.empty:
        raise Fault("The run has human recordings only; there is no system to compare.")
    local = _localities(rows)
    cuts = tuple(dict.fromkeys([*([local] if local else []), *(tuple(cut) for cut in strata)]))
    panel = conclusion.panel(run, rows) or list(rows["recogniser"].unique())
    case = _Case(run, rows, kept, panel, signature)
    found = compare(rows, strata=cuts)
    mean = conclusion.pooled(run, rows, strata=cuts)
    return [
        *(_by_locality(case, found, local) if local else []),
        *_answer(case, found),
        *_comparison(case, found, mean),
        *_strata(case, found, [cut for cut in cuts if cut != local]),
        *([] if case.unfinished else line_cost(run, rows, signature=signature)),
        *normalisation(run, rows, strata=cuts, signature=signature),
        *disagreements(run, rows, channel=case.where["channel"], signature=signature),
        *_planning(case, wanted, power),
        *provenance(run, signature=signature),
    ]


def write(path: Path, run: Run, later: Sequence[Run] = (), *, strata: Sequence[Sequence[str]] = ()) -> Path:
    """The page of a run's conclusions, or of what each later run changed; its path."""
    normaliser = run.protocol.normalisers[0]
    signature = results.signature(run, normaliser)
    scores = results.kept(run)
    if later:
        parts = [part for other in later for part in progress(run, other, signature=signature, strata=strata)]
    else:
        parts = conclusions(run, scores[scores["normaliser"] == normaliser], signature=signature, strata=strata)
    names = " and ".join(other.name for other in later)
    title = f"{names} against {run.name}" if later else f"{run.name}: comparison"
    systems = scores["system"].unique()
    return report.write(path, title, parts, subtitle=run.protocol.purpose, systems=systems)


def _answer(case: _Case, found: Comparison) -> list[Part]:
    """Who is better than whom, under which recogniser, and what is a tie."""
    said = [f"**{safe(case.unfinished)}**"] if case.unfinished else _told(case, found, "all")
    lines = ["# The answer", *said]
    voices = case.scores[case.scores["system"] != HUMAN].groupby("system", sort=False)["voice"].nunique()
    single = [safe(str(name)) for name in voices.index[voices == 1]]
    if single:
        who = "Each system" if len(single) == len(voices) else listed(single)
        lines.append(f"{who} spoke with **one voice**: nothing here says how other voices do.")
    lines.append(found.note)
    return [Prose("\n\n".join(lines))]


def _told(case: _Case, found: Comparison, stratum: str) -> list[str]:
    rates, pairs = case.here(found.rates, stratum), case.here(found.pairs, stratum)
    inside = pairs[pairs["recogniser"].isin(case.panel)]
    first = rates[rates["recogniser"] == case.panel[0]]
    leader = first.iloc[0]
    panel = case.panel
    where = f"on {safe(case.where['channel'])}, track {case.where['track']}"
    said = f"**{safe(leader.system)}** had the lowest word error rate {where}, as {safe(panel[0])} heard it: "
    said += f"{percent(leader.rate)} ({percent(leader.lo)} to {percent(leader.hi)})"
    said += f", against {percent(first.iloc[1].rate)} for {safe(first.iloc[1].system)}." if len(first) > 1 else "."
    if len(first) == 1:
        return [f"There is one system and nothing to compare it with. {said}"]
    if (inside["verdict"] == "too few").all():
        return [f"{said} **{int(leader.segments)} segments are too few** to say which system is better."]
    held = agreement(inside)
    lines = [said, *_sentences(held, str(leader.system), len(first), panel)]
    if len(panel) == 1:
        lines.append(f"All of it is what **{safe(panel[0])} alone** heard: no second recogniser bears it out.")
    return lines


def _sentences(held: pd.DataFrame, leader: str, systems: int, panel: Sequence[str]) -> list[str]:
    """A sentence for each pair that differs; the ties together; of many systems, the leader's pairs and a count."""
    shown = _turned(held if systems <= TOLD else held[(held["a"] == leader) | (held["b"] == leader)])
    lines, ties = [], []
    for row in shown.to_dict("records"):
        better = f"**{safe(row['a'])}** is better than {safe(row['b'])}"
        if row["holds"] == "none":
            ties.append(f"{safe(row['a'])} and {safe(row['b'])}")
        elif row["holds"] == "contradicted":
            lines.append(f"- **Contradicted:** {better} under {safe(row['better'])}, worse under {safe(row['worse'])}.")
        elif len(panel) == 1:
            lines.append(f"- {better} under {safe(row['better'])}.")
        elif row["holds"] == "one recogniser only":
            lines.append(
                f"- {better} under **one recogniser only**, {safe(row['better'])}; "
                f"no evidence under {safe(row['undecided'])}."
            )
        else:
            every = "every recogniser" if row["holds"] == "all" else "some recognisers"
            rest = f"; no evidence under {safe(row['undecided'])}" if row["undecided"] else ""
            lines.append(f"- {better} under {every} ({safe(row['better'])}){rest}.")
    told = ["\n".join(lines)] if lines else []
    if ties:
        told.append(f"Tied, with no evidence of a difference under any recogniser: {'; '.join(ties)}.")
    if systems > TOLD:
        counts = ", ".join(f"{name}: {n}" for name, n in held["holds"].value_counts().items())
        told.append(f"Of all {len(held)} pairs, by what a difference holds under: {counts}.")
    return told


def _comparison(case: _Case, found: Comparison, mean: Comparison | None) -> list[Part]:
    """Forest, ranks and ties, pairs, and under whom they hold: each recogniser alone, then the mean beside them."""
    run, signed = case.run, case.signed(found.signature)
    both = [part for part in (found, mean) if part is not None]
    rates, pairs = (
        conclusion.order(run, pd.concat([getattr(part, name) for part in both], ignore_index=True))
        for name in ("rates", "pairs")
    )
    rates, pairs = (table[table["stratum"] == "all"] for table in (rates, pairs))
    top, versus = case.here(rates), case.here(pairs)
    aim = f"{case.where['channel']}, track {case.where['track']}"
    parts: list[Part] = [Prose("# Systems")]
    note = (
        "Bars are 95% intervals. Systems that share a letter under a recogniser are tied: the test finds no difference."
    )
    if top["grey"].any():
        note = "Bars are 95% intervals. Grey: too few segments to tell systems apart, and so without tie letters."
    others = sorted(set(case.rows["recogniser"]) - set(case.panel))
    note += f" Diagnostic, and in no mean: {', '.join(others)}." if others else ""
    low = conclusion.floor(run, case.scores)
    if low is not None:
        floors = case.here(low.rows).set_index("recogniser")["rate"]
        top = top.assign(floor=top["recogniser"].map(floors))
        note += " The dashed line is the recogniser's error on human recordings: no rate below it means anything."
    parts.append(
        Chart(charts.forest(top, systems=case.rows["system"].unique()), f"Word error rate, {aim}", note, signed)
    )
    if not top["grey"].all() and len(versus):
        note = "Thick: the ranks that the adjusted tests leave open. Thin: the 95% bootstrap rank interval."
        drawn = charts.rank_ranges(top[~top["grey"].astype(bool)], systems=case.rows["system"].unique())
        parts.append(Chart(drawn, f"Ranks, {aim}", note, signed))
    if len(versus):
        note = "Points of word error rate, the row's system less the column's, with its 95% interval and p after Holm."
        parts.append(Chart(charts.pairwise(versus), f"Pairs, {aim}", note, signed))
    table = rates.assign(
        ranks=[conclusion.span(a, b) for a, b in zip(rates["rank_lo"], rates["rank_hi"], strict=True)],
        resampled=[conclusion.span(a, b) for a, b in zip(rates["resampled_lo"], rates["resampled_hi"], strict=True)],
    )
    beside = [name for name in ("segment_lo", "segment_hi") if name in table]
    columns = [*FAMILY, "system", "rate", "lo", "hi", *beside, "n", "ranks", "resampled", "letters", "method"]
    said = _said(run, mean)
    headings = {**NAMES, "resampled": "ranks, bootstrap", "method": "interval"}
    parts.append(_table(case, table[columns], "Ranks and ties", RATE, headings, signed, "rate", said))
    if len(pairs):
        shown = pairs[[*FAMILY, "a", "b", "difference", "lo", "hi", "n", "p", "p_holm", "verdict"]]
        note = "The system a is ranked before b. One family is one recogniser, track and channel; Holm runs inside it."
        parts.append(_table(case, shown, "Pairs", DIFFERENCE, NAMES, signed, "difference", note))
    inside = found.pairs[found.pairs["recogniser"].isin(case.panel)]
    if len(case.panel) > 1 and len(inside):
        held = _turned(conclusion.order(run, agreement(inside[inside["stratum"] == "all"])))
        columns = ["track", "channel", "a", "b", "better", "worse", "undecided", "holds"]
        names = {"better": "a better under", "worse": "a worse under", "undecided": "no evidence under"}
        note = "A conclusion under one recogniser only is a conclusion about that recogniser too."
        parts.append(_table(case, held[columns], "Under which recognisers it holds", {}, names, signed, "holds", note))
    return parts


def _turned(held: pd.DataFrame) -> pd.DataFrame:
    """The pairs of an agreement with the better system as a, where all that conclude anything agree on it."""
    kept = (held["worse"] == "") | (held["better"] != "")
    swap = {"a": "b", "b": "a", "better": "worse", "worse": "better"}
    return held.assign(**{one: held[one].where(kept, held[other]) for one, other in swap.items()})


def _said(run: Run, mean: Comparison | None) -> str:
    """How the mean stands beside the recognisers, or why there is none."""
    if mean is not None:
        return f"“{MEAN}” is the mean of the recognisers that are not diagnostic; each enters with its own rate."
    if not run.protocol.panel_mean:
        return "The protocol allows no mean of the panel."
    return "No mean of the panel: it has fewer than two recognisers that are not diagnostic."


def _localities(rows: pd.DataFrame) -> tuple[str, ...] | None:
    """The columns that name a locality, where the rows have one."""
    if "locality" not in rows or not rows["locality"].notna().any():
        return None
    return ("variety", "locality") if "variety" in rows and rows["variety"].notna().any() else ("locality",)


def _by_locality(case: _Case, found: Comparison, local: tuple[str, ...]) -> list[Part]:
    lines = [
        "# Locality by locality",
        "Each locality stands alone, before any pooled figure. Systems are compared inside a locality; a locality is "
        "**not ranked** against another, nor against the standard variety: the recognisers know the standard best, so "
        "that such a difference would measure them.",
    ]
    if case.unfinished:
        lines.insert(0, f"**{safe(case.unfinished)}**")
    names = sorted(set(labels(case.rows, local).dropna()))
    for name in names:
        lines += [f"## {safe(name)}", *([] if case.unfinished else _told(case, found, name))]
    return [Prose("\n\n".join(lines)), *_cut(case, found, local)]


def _strata(case: _Case, found: Comparison, cuts: Sequence[tuple[str, ...]]) -> list[Part]:
    if not cuts:
        return []
    return [Prose(f"# Strata\n\n{found.note}"), *(part for cut in cuts for part in _cut(case, found, cut))]


def _cut(case: _Case, found: Comparison, cut: tuple[str, ...]) -> list[Part]:
    """One combination of columns: how single segments spread, then rates with intervals."""
    known = case.rows.dropna(subset=list(cut))
    here = known[(known["track"] == case.where["track"]) & (known["channel"] == case.where["channel"])]
    if here.empty:
        return []
    name = " × ".join(cut)
    spread = conclusion.order(case.run, distribution(here, strata=cut))
    spread = spread.sort_values([*cut], kind="stable").reset_index(drop=True)
    columns = [*cut, "recogniser", "system", "segments", "perfect", *SPREAD]
    note = "Word error rates of single segments; “perfect” is the share of segments without an error."
    signed = case.signed(found.signature)
    wanted = sorted(set(labels(known, cut)))
    rates = found.rates[found.rates["stratum"].isin(wanted)]
    drawn = charts.strata(case.here(rates, None).sort_values("stratum", kind="stable"))
    shown = conclusion.order(case.run, rates)[["stratum", *FAMILY, "system", "rate", "lo", "hi", "n", "letters"]]
    told = "Darker is more errors. Grey: fewer than 20 segments or 50 clusters. Strata keep the order of their names."
    return [
        _table(
            case,
            spread[columns],
            f"How segments spread, by {name}",
            dict.fromkeys(("perfect", *SPREAD), ".0%"),
            SPREAD,
            "",
            "",
            note,
        ),
        Chart(drawn, f"Word error rate by {name}, {case.where['channel']}", told, signed),
        _table(case, shown, f"Rates by {name}", RATE, NAMES, signed, "rate", "Tie letters hold inside a stratum."),
    ]


def _planning(case: _Case, wanted: float, power: float) -> list[Part]:
    """How fine a difference this text set can show, and what a wanted one needs."""
    if case.rows["system"].nunique() < 2 or case.rows["segment"].nunique() < 2:
        return []
    found = plan(case.rows, wanted=wanted, power=power)
    rows = conclusion.order(case.run, found.rows)
    here = rows[(rows["track"] == case.where["track"]) & (rows["channel"] == case.where["channel"])]
    signed = case.signed(found.signature)
    figures = [
        Figure(
            f"Detectable, {row['recogniser']}",
            f"{points(100 * row['smallest']).removeprefix('+')} points",
            f"with {power:.0%} power and {row['n']} units; {100 * wanted:.1f} points need {row['needed']:,}",
            None,
            signed,
        )
        for row in here.to_dict("records")
    ]
    columns = [*FAMILY, "n", "pairs", "smallest", "smallest_holm", "wanted", "needed", "needed_holm"]
    names = {
        "smallest": "smallest found, points",
        "smallest_holm": "as one of all pairs",
        "wanted": "wanted, points",
        "needed": "units needed",
        "needed_holm": "as one of all pairs ",
    }
    formats = {**dict.fromkeys(("smallest", "smallest_holm", "wanted"), POINTS), "needed": ",d", "needed_holm": ",d"}
    note = (
        f"The smallest true difference that a test at 5% finds with {power:.0%} power, for the middle pair of a "
        "family, and the units that the wanted difference would need; after Holm, for a pair that must pass alone."
    )
    return [
        Prose("# Planning"),
        KeyFigures(tuple(figures)),
        _table(case, rows[columns], "What the text set can tell apart", formats, names, signed, "smallest", note),
    ]


def _table(
    case: _Case,
    frame: pd.DataFrame,
    title: str,
    formats: dict[str, str],
    names: dict[str, str],
    signed: str,
    signs: str,
    note: str,
) -> Table:
    """A table of results, with its signature on the column `signs` and the conflict of interest under it."""
    kept = frame if len(case.run.protocol.tracks) > 1 else frame.drop(columns="track", errors="ignore")
    kept = kept.loc[:, ~kept.isin(["", "–"]).all()]  # no ranks and no letters where there are too few segments
    signatures = {signs: signed} if signs else {}
    return Table(kept, title, formats, names, signatures, note, caveat.conflict(case.run))
