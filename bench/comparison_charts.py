"""Charts of a comparison: rates with intervals, pairs, ranks, strata, and differences such as the cost of a line.

Conventions: those of `bench.charts`, and its colours. Tables are those of `bench.inference`, a row a mark. What rests
on too few segments is grey and carries neither letter nor verdict. A cell of a matrix that says something is opaque, so
that its number reads the same on a light and on a dark page; a grey one is a veil over the page, whose style sets its
numbers (marks named `veiled`). The colour is said once more in words on hover. Facets stand in the order in which
their values first appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import pandas as pd

from bench import wording
from bench.charts import PALETTE, QUIET, _expect, _range, colours, shapes, styled

INK, PAPER = "#1b1f27", "#ffffff"
VEIL = "rgba(125, 130, 140, {})"  # over the page, light or dark
VERDICTS = {"better": PALETTE[0], "worse": PALETTE[1], "no evidence": VEIL.format(0.36), "too few": VEIL.format(0.16)}
FADED = VEIL.format(0.2)  # a cell that rests on too few segments
BLUES = ("#e3eef8", "#17497a")
READ, ROOMY = 8, 4  # systems up to which the cells of a matrix hold their numbers; and intervals too


def forest(table: pd.DataFrame, *, systems: Iterable[str] = (), title: str = "Word error rate") -> alt.FacetChart:
    """The rate of each system with its interval and tie letters, a facet for each recogniser.

    `table`: system, recogniser, rate, lo, hi, n, grey, letters (rows of `Comparison.rates` of one track and channel)
    and perhaps floor, the rate of human recordings under that recogniser, drawn as a dashed line. Raises Fault where a
    column is missing or no row is left.
    """
    _expect(table, ("system", "recogniser", "rate", "lo", "hi", "n", "grey", "letters"), "forest")
    order = _names(table)
    highest = max(0.01, float(table["rate"].max()))
    top = round(1.12 * max(highest, min(float(table["hi"].max()), 1.6 * highest)), 4)
    axis = alt.X("rate:Q", title=title, axis=_percent(), scale=alt.Scale(domain=[0, top], nice=False))
    y = alt.Y("system:N", sort=order, title=None)
    colour = _colour(systems, order)
    points = (
        alt.Chart()
        .mark_point(filled=True, size=95, opacity=1)
        .encode(axis, y, alt.Shape("system:N", scale=_range(shapes([*systems, *order]), order), legend=None))
        .encode(
            color=colour,
            tooltip=_hover("system", "recogniser", rate=title, lo="From", hi="To", n="Units", letters="Ties"),
        )
    )
    bars = (
        alt.Chart().mark_rule(strokeWidth=2.5, clip=True).encode(alt.X("lo:Q", title=title), y, color=colour, x2="hi:Q")
    )
    marks = (
        alt.Chart()
        .transform_calculate(at=f"min(datum.hi, {0.94 * top})")
        .mark_text(align="left", dx=7, fontSize=13, fontWeight=600, color=QUIET)
        .encode(alt.X("at:Q", title=title), y, text="letters:N")
    )
    layers = [bars, points, marks]
    if "floor" in table and table["floor"].notna().any():
        layers = [alt.Chart().mark_rule(strokeDash=[5, 4], color=QUIET).encode(x="min(floor):Q"), *layers]
    kept = [c for c in ("system", "recogniser", "rate", "lo", "hi", "n", "grey", "letters", "floor") if c in table]
    said = "; ".join(
        f"{r['system']} {r['rate']:.1%} under {r['recogniser']}" for r in table.head(12).to_dict("records")
    )
    return _facets(alt.layer(*layers, data=table[kept]), table, 34 * len(order) + 8, f"{title}: {said}.")


def pairwise(table: pd.DataFrame) -> alt.FacetChart:
    """Each system (row) against each other (column): the difference in points, coloured by the verdict.

    `table`: recogniser, a, b, difference, lo, hi, n, p_holm, verdict (rows of `Comparison.pairs` of one track and
    channel); every pair is shown from both sides. Raises Fault where a column is missing or no row is left.
    """
    columns = ["recogniser", "a", "b", "difference", "lo", "hi", "n", "p_holm", "verdict"]
    _expect(table, columns, "pairwise")
    here = table[columns]
    turned = here.rename(columns={"a": "b", "b": "a", "lo": "hi", "hi": "lo"})
    turned[["difference", "lo", "hi"]] *= -1
    turned["verdict"] = turned["verdict"].replace({"better": "worse", "worse": "better"})
    cells = pd.concat([here, turned], ignore_index=True)
    cells["points"] = (100 * cells["difference"]).map(wording.points)
    ends = [(100 * cells[end]).map(wording.points) for end in ("lo", "hi")]
    cells["interval"] = ends[0] + "…" + ends[1]
    cells["p"] = cells["p_holm"].map(lambda p: "" if pd.isna(p) else f"p {p:.3f}" if p >= 0.001 else "p < 0.001")
    few = cells["verdict"] == "too few"
    cells["p"] = cells["p"].where(~few, "n " + cells["n"].astype(str))
    order = list(dict.fromkeys([*here["a"], *here["b"]]))
    present = [verdict for verdict in VERDICTS if (cells["verdict"] == verdict).any()]
    small = len(order) <= READ
    base = alt.Chart().encode(
        alt.X("b:N", sort=order, title="against", axis=_across(order)),
        alt.Y("a:N", sort=order, title=None, axis=alt.Axis(grid=False)),
    )
    scale = alt.Scale(domain=present, range=[VERDICTS[verdict] for verdict in present])
    hover = _hover(a="System", b="Against", difference="Difference", lo="From", hi="To", p_holm="Holm p", n="Units")
    boxes = base.mark_rect(stroke=PAPER, strokeOpacity=0.5).encode(
        alt.Color("verdict:N", scale=scale, legend=alt.Legend(title=None, orient="top", symbolType="square")),
        tooltip=[*hover, alt.Tooltip("verdict:N", title="Verdict")],
    )
    ink = alt.condition(alt.datum.verdict == "better", alt.value(PAPER), alt.value(INK))
    grey = (alt.datum.verdict == "too few") | (alt.datum.verdict == "no evidence")
    layers = [boxes]
    inside: list[tuple[str, int, Any]] = [("points", 13, 600), ("interval", 10, 400), ("p", 11, 400)]
    inside = inside if len(order) <= ROOMY else inside[::2]
    for place, (name, size, weight) in enumerate(inside if small else []):
        dy = 16 * place - 8 * (len(inside) - 1) + 1
        written = base.mark_text(dy=dy, fontSize=size, fontWeight=weight).encode(text=f"{name}:N")
        layers += _written(written, grey, ink, name)
    wide, high = (88, 58) if small else (22, 22)
    told = here[here["verdict"].isin(("better", "worse"))].head(12).to_dict("records")
    said = "; ".join(f"{r['a']} {r['verdict']} than {r['b']} under {r['recogniser']}" for r in told)
    described = f"Pairs: {said or 'no difference'}."
    return _facets(alt.layer(*layers, data=cells), table, high * len(order), described, wide * len(order))


def rank_ranges(table: pd.DataFrame, *, systems: Iterable[str] = ()) -> alt.FacetChart:
    """The ranks that each system can hold: a thick bar from the tests, a thin one from the bootstrap, its tie letters.

    `table`: system, recogniser, rank_lo, rank_hi, resampled_lo, resampled_hi, letters, grey. Raises Fault where a
    column is missing or no row is left.
    """
    columns = ["system", "recogniser", "rank_lo", "rank_hi", "resampled_lo", "resampled_hi", "letters", "grey"]
    _expect(table, columns, "rank_ranges")
    ranked = table[columns].astype(dict.fromkeys(columns[2:6], "float"))
    order = _names(ranked)
    scale = alt.Scale(domain=[0.5, len(order) + 0.9], nice=False)
    axis = alt.Axis(values=list(range(1, len(order) + 1)), format="d", grid=True)
    y, colour = alt.Y("system:N", sort=order, title=None), _colour(systems, order)
    hover = _hover("system", "recogniser", rank_lo="Best rank", rank_hi="Worst rank", letters="Ties")
    hover += [alt.Tooltip("resampled_lo:Q", title="Resampled from"), alt.Tooltip("resampled_hi:Q", title="to")]

    def bar(low: str, high: str, width: float, reach: float, opacity: float) -> Any:
        base = alt.Chart().transform_calculate(low=f"datum.{low} - {reach}", high=f"datum.{high} + {reach}")
        x = alt.X("low:Q", title="rank", scale=scale, axis=axis)
        return base.mark_rule(strokeWidth=width, strokeCap="round", opacity=opacity).encode(
            x, y, color=colour, x2="high:Q", tooltip=hover
        )

    tested = alt.datum.rank_lo > 0
    marks = (
        alt.Chart()
        .transform_calculate(at="max(datum.rank_hi, datum.resampled_hi) + 0.3")
        .mark_text(align="left", fontSize=13, fontWeight=600, color=QUIET)
        .encode(alt.X("at:Q", title="rank"), y, text="letters:N")
    )
    layers = [
        bar("rank_lo", "rank_hi", 12, 0.1, 0.4).transform_filter(tested),
        bar("resampled_lo", "resampled_hi", 3, 0.06, 1),
        marks.transform_filter(tested),
    ]
    said = "; ".join(
        f"{r['system']} {r['rank_lo']:g} to {r['rank_hi']:g} under {r['recogniser']}" for r in ranked.to_dict("records")
    )
    return _facets(alt.layer(*layers, data=ranked), table, 32 * len(order) + 8, f"Ranks: {said}.")


def strata(table: pd.DataFrame, *, title: str = "Word error rate") -> alt.FacetChart:
    """The rate of each system (column) in each stratum (row), darker where it is higher; grey where too few.

    `table`: system, recogniser, stratum, rate, lo, hi, n, grey; strata keep their order. Raises Fault where a column is
    missing or no row is left.
    """
    columns = ["system", "recogniser", "stratum", "rate", "lo", "hi", "n", "grey"]
    _expect(table, columns, "strata")
    cells = table[columns].assign(
        row=table["stratum"].astype(str) + "   n " + table["n"].astype(str),
        percent=table["rate"].map(lambda rate: "–" if pd.isna(rate) else f"{rate:.0%}"),
    )
    top = max(0.01, float(cells["rate"].max()))
    order = sorted(set(cells["system"]))
    rows = list(dict.fromkeys(cells["row"]))
    base = alt.Chart().encode(
        alt.X("system:N", sort=order, title=None, axis=_across(order)),
        alt.Y("row:N", sort=rows, title=None, axis=alt.Axis(grid=False, labelLimit=320)),
    )
    legend = alt.Legend(title=title, orient="top", format="~%", gradientLength=160, tickCount=3)
    fill = alt.Color("rate:Q", scale=alt.Scale(domain=[0, top], range=list(BLUES)), legend=legend)
    boxes = base.mark_rect(stroke=PAPER, strokeOpacity=0.5).encode(
        color=alt.condition(alt.datum.grey, alt.value(FADED), fill),
        tooltip=_hover("system", "recogniser", stratum="Stratum", rate=title, lo="From", hi="To", n="Units"),
    )
    layers = [boxes]
    if len(order) <= READ:
        ink = alt.condition(alt.datum.rate > top / 2, alt.value(PAPER), alt.value(INK))
        layers += _written(base.mark_text(fontSize=12).encode(text="percent:N"), alt.datum.grey, ink, "percent")
    width = (76 if len(order) <= READ else 24) * len(order)
    said = f"{title} in {len(rows)} strata, from {cells['rate'].min():.1%} to {top:.1%}."
    return _facets(alt.layer(*layers, data=cells), table, 26 * len(rows), said, width)


def differences(
    table: pd.DataFrame, *, row: str, systems: Iterable[str] = (), title: str, facet: str = "recogniser"
) -> alt.FacetChart:
    """Differences with their intervals against a line at 0, in points: a mark for each system in each `row`.

    What the phone line costs, what text normalisation costs, what a later run changed. `table`: system, `row`,
    `facet`, difference, lo, hi, n, grey, and perhaps flag, a word that is written beside a mark (an inversion of a loss
    series). Raises Fault where a column is missing or no row is left.
    """
    columns = ["system", row, facet, "difference", "lo", "hi", "n", "grey"]
    _expect(table, columns, "differences")
    shown = table[[*columns, *(["flag"] if "flag" in table else [])]].copy()
    shown[["difference", "lo", "hi"]] *= 100
    order = sorted(set(shown["system"]))
    ends = shown[["lo", "hi", "difference"]].to_numpy(float)
    widest = max(2.0, float(abs(shown["difference"]).max()))  # points: no axis that shows nothing but rounding
    low, high = (max(-1.6 * widest, float(ends.min())), min(1.6 * widest, float(ends.max())))
    margin = 0.06 * max(high, 0) - 0.06 * min(low, 0) + 0.2
    scale = alt.Scale(domain=[round(min(0, low) - margin, 2), round(max(0, high) + margin, 2)], nice=False)
    rows = list(dict.fromkeys(shown[row]))
    place = {
        "y": alt.Y(f"{row}:N", sort=rows, title=None),
        "yOffset": alt.YOffset("system:N", sort=order, scale=alt.Scale(paddingOuter=0.6)),
    }
    legend = alt.Legend(title=None, orient="top", columns=4)
    look = colours([*systems, *order])
    colour = alt.Color("system:N", scale=_range(look, order), legend=legend)
    faint = alt.condition(alt.datum.grey, alt.value(0.45), alt.value(1))
    hover = [
        alt.Tooltip("system:N", title="System"),
        alt.Tooltip(f"{row}:N", title=row.capitalize()),
        *(alt.Tooltip(f"{n}:Q", title=t, format="+.1f") for n, t in _ENDS.items()),
        alt.Tooltip("n:Q", title="Units"),
    ]
    axis = alt.Axis(format="+.1~f", tickCount=6)
    points = (
        alt.Chart()
        .mark_point(filled=True, size=85)
        .encode(
            alt.X("difference:Q", title=title, scale=scale, axis=axis),
            colour,
            alt.Shape("system:N", scale=_range(shapes([*systems, *order]), order), legend=legend),
            opacity=faint,
            tooltip=hover,
            **place,
        )
    )
    bars = (
        alt.Chart()
        .mark_rule(strokeWidth=2, clip=True)
        .encode(alt.X("lo:Q", title=title), colour, x2="hi:Q", opacity=faint, **place)
    )
    zero = alt.Chart().mark_rule(color=QUIET, strokeWidth=1.5).encode(x=alt.datum(0, type="quantitative"))
    layers = [zero, bars, points]
    if "flag" in shown:
        layers.append(
            alt.Chart()
            .transform_filter("datum.flag")
            .mark_text(align="left", dx=9, fontWeight=600, color=PALETTE[5])
            .encode(alt.X("difference:Q", title=title), text="flag:N", **place)
        )
    said = "; ".join(f"{r['system']} {r['difference']:+.1f}" for r in shown.head(12).to_dict("records"))
    return _facets(
        alt.layer(*layers, data=shown),
        table,
        max(24, 15 * len(order) + 10) * len(rows),
        f"{title}: {said}.",
        facet=facet,
    )


_ENDS = {"difference": "Difference", "lo": "From", "hi": "To"}


def _facets(
    layers: Any, table: pd.DataFrame, height: Any, description: str, width: Any = 360, *, facet: str = "recogniser"
) -> alt.FacetChart:
    values = list(dict.fromkeys(table[facet]))
    head = alt.Facet(f"{facet}:N", title=None, sort=values, header=alt.Header(labelAnchor="start"))
    chart = layers.properties(width=width, height=height).facet(facet=head, columns=2)
    drawn: alt.FacetChart = styled(chart.properties(description=description))
    return drawn


def _colour(systems: Iterable[str], present: Sequence[str]) -> Any:
    """The system's colour, without a legend (its name stands beside it); grey where too few."""
    scale = _range(colours([*systems, *present]), list(present))
    return alt.condition(alt.datum.grey, alt.value(QUIET), alt.Color("system:N", scale=scale, legend=None))


def _written(words: alt.Chart, grey: Any, ink: Any, name: str) -> list[alt.Chart]:
    """The words of a matrix's cells: `ink` over a colour; over a veil what the page's style has for `veiled`."""
    veiled = words.transform_filter(grey).encode(color=alt.value(INK)).properties(name=f"veiled_{name}")
    return [words.transform_filter(~grey).encode(color=ink), veiled]


def _names(table: pd.DataFrame) -> list[str]:
    """The systems in the order in which they first appear: best first under the first recogniser."""
    return list(dict.fromkeys(table["system"].astype(str)))


def _across(names: Sequence[str]) -> alt.Axis:
    """The axis under a matrix; names that are wider than a cell stand slanted."""
    return alt.Axis(labelAngle=0 if len(names) <= READ and max(map(len, names)) <= 10 else -40, grid=False)


def _percent() -> alt.Axis:
    return alt.Axis(format="~%", tickCount=5)


def _hover(*names: str, **titles: str) -> list[alt.Tooltip]:
    """Tooltips: names and words as they are, rates in per cent, p with three places."""
    kinds = {"rate": ".1%", "lo": ".1%", "hi": ".1%", "difference": "+.1%", "p_holm": ".3f"}
    words = {**{name: name.capitalize() for name in names}, **titles}
    numbers = {*kinds, "n", "rank_lo", "rank_hi"}
    return [
        alt.Tooltip(f"{name}:{'Q' if name in numbers else 'N'}", title=title, format=kinds[name])
        if name in kinds
        else alt.Tooltip(f"{name}:{'Q' if name in numbers else 'N'}", title=title)
        for name, title in words.items()
    ]
