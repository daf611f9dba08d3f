"""Charts of a run, each from one tidy table.

Conventions: a chart is an Altair chart that carries Earshot's style, so that it looks the same in a notebook
and in a report. A system keeps one colour and one shape everywhere: they are dealt by its place in the sorted
names. Every colour has a contrast of at least 3:1 on white and on the dark page and stays apart from the others
under simulated protanopia, deuteranopia and tritanopia; the shape says it once more. Rates are fractions in the
table and percentages on the page; an error-rate axis starts at 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import altair as alt
import pandas as pd

from bench.fault import Fault

PALETTE = ("#2871ae", "#d6800f", "#a54282", "#5e7004", "#409ad3", "#d44459", "#7372ed", "#9c819b")
STAR = "M0,-1L.29,-.4L.95,-.31L.48,.15L.59,.81L0,.5L-.59,.81L-.48,.15L-.95,-.31L-.29,-.4Z"
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "triangle-down",
    "cross",
    "triangle-right",
    STAR,
    "triangle-left",
)
FONT = "system-ui, sans-serif"
QUIET = "#7d828c"  # readable on white and on the dark page
STYLE: dict[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None, "continuousWidth": 300},
    "axis": {
        "labelColor": QUIET,
        "titleColor": QUIET,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "gridColor": QUIET,
        "gridOpacity": 0.25,
        "domain": False,
        "ticks": False,
        "labelPadding": 6,
        "labelLimit": 220,
    },
    "header": {"labelColor": QUIET, "labelFontSize": 13, "labelFontWeight": 600, "titleColor": QUIET},
    "legend": {
        "labelColor": QUIET,
        "titleColor": QUIET,
        "labelFontSize": 12,
        "labelLimit": 260,
        "symbolSize": 90,
        "symbolOpacity": 1,
    },
    "title": {"color": QUIET, "anchor": "start", "fontSize": 14},
    "range": {"category": list(PALETTE)},
}


def colours(systems: Iterable[str]) -> dict[str, str]:
    """The colour of each system, by its place in the sorted names; after eight the colours come round again."""
    return {system: PALETTE[i % len(PALETTE)] for i, system in enumerate(sorted(set(systems)))}


def shapes(systems: Iterable[str]) -> dict[str, str]:
    """The mark of each system. Nine shapes turn against eight colours, so that 72 systems stay apart."""
    return {system: SHAPES[i % len(SHAPES)] for i, system in enumerate(sorted(set(systems)))}


def error_rates(table: pd.DataFrame, *, systems: Iterable[str] = (), title: str = "Word error rate") -> alt.FacetChart:
    """A point for each system x channel, a facet for each recogniser; shift and the wheel zoom, a drag pans.

    `table` has the columns system, channel, recogniser, wer (a fraction) and perhaps lo and hi (the ends of an
    interval, drawn as a bar; one that ends above 1.5 x the highest rate is cut, with a mark) and words. Channels
    and recognisers keep the order in which they first appear. `systems` are all systems of the run where the table
    lacks some, so that colours stay. Raises Fault where a column is missing or no row is left.
    """
    _expect(table, ("system", "channel", "recogniser", "wer"), "error_rates")
    names = sorted({*systems, *table["system"].astype(str)})
    interval = {"lo", "hi"} <= set(table.columns)
    present = sorted(set(table["system"].astype(str)))
    columns = ["system", "channel", "recogniser", "wer", *(c for c in ("lo", "hi", "words") if c in table.columns)]
    chosen = alt.selection_point(fields=["system"], bind="legend", name="chosen")
    zoom = alt.selection_interval(bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]", name="zoom")
    faint = alt.condition(chosen, alt.value(1), alt.value(0.12))
    hover = [
        alt.Tooltip("system:N", title="System"),
        alt.Tooltip("channel:N", title="Channel"),
        alt.Tooltip("recogniser:N", title="Recogniser"),
        alt.Tooltip("wer:Q", title=title, format=".1%"),
        *((alt.Tooltip("lo:Q", title="From", format=".1%"), alt.Tooltip("hi:Q", title="To", format=".1%")) * interval),
        *([alt.Tooltip("words:Q", title="Words", format=",d")] if "words" in columns else []),
    ]
    channels = list(dict.fromkeys(table["channel"]))
    end = float(table["hi"].max()) if interval else 0.0
    highest = max(0.01, float(table["wer"].max()))
    top = round(1.04 * max(highest, min(end, 1.5 * highest)), 4)
    place = {
        "y": alt.Y("channel:N", sort=channels, title=None, axis=alt.Axis(grid=True)),
        "yOffset": alt.YOffset("system:N", sort=present, scale=alt.Scale(paddingOuter=0.6)),
    }
    axis = alt.Axis(format="~%", tickCount=5)
    points = (
        alt.Chart()
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=alt.X("wer:Q", title=title, axis=axis, scale=alt.Scale(domain=[0, top], nice=False)),
            color=alt.Color("system:N", scale=_range(colours(names), present), legend=_legend()),
            shape=alt.Shape("system:N", scale=_range(shapes(names), present), legend=_legend()),
            opacity=faint,
            tooltip=hover,
            **place,
        )
        .add_params(chosen, zoom)
    )
    layers = [points]
    if interval:
        bars = (
            alt.Chart()
            .mark_rule(strokeWidth=2, clip=True)
            .encode(
                x=alt.X("lo:Q", title=title),
                x2="hi:Q",
                color=alt.Color("system:N", scale=_range(colours(names), present), legend=_legend()),
                opacity=alt.condition(chosen, alt.value(0.55), alt.value(0.08)),
                **place,
            )
        )
        beyond = (  # an interval that would flatten the rest runs off the chart, and says so
            alt.Chart()
            .transform_filter(alt.datum.hi > top)
            .mark_text(text="»", align="right", fontSize=14, dx=-1)
            .encode(x=alt.datum(top, type="quantitative"), color=bars.encoding.color, opacity=faint, **place)
        )
        layers = [bars, beyond, points]
    height = max(20, 13 * len(present) + 10) * len(channels)
    recognisers = list(dict.fromkeys(table["recogniser"]))
    chart = (
        alt.layer(*layers, data=table[columns])
        .properties(width=360, height=height)
        .facet(
            facet=alt.Facet("recogniser:N", title=None, sort=recognisers, header=alt.Header(labelAnchor="start")),
            columns=2,
        )
        .properties(description=_spoken(table, title))
    )
    drawn: alt.FacetChart = styled(chart)
    return drawn


def distributions(
    table: pd.DataFrame, value: str, *, systems: Iterable[str] = (), title: str, logarithmic: bool = True
) -> alt.Chart:
    """The empirical distribution of a value: a step line a system, the share of its observations up to each value.

    `table` has the columns system and `value`; what is missing is left out, and on a logarithmic axis what is not
    above 0. `systems` are all systems of a run where the table lacks some, so that colours stay. Raises Fault where a
    column is missing or no row is left.
    """
    _expect(table, ("system", value), "distributions")
    kept = table.loc[table[value] > 0 if logarithmic else table[value].notna(), ["system", value]]
    _expect(kept, ("system",), "distributions")
    names, present = sorted({*systems, *kept["system"]}), sorted(set(kept["system"]))
    ranked = kept.sort_values(["system", value], kind="stable").rename(columns={value: "value"})
    group = ranked.groupby("system")["value"]
    ranked = ranked.assign(share=(group.cumcount() + 1) / group.transform("size"))
    chosen = alt.selection_point(fields=["system"], bind="legend", name="chosen")
    zoom = alt.selection_interval(bind="scales", encodings=["x"], zoom="wheel![event.shiftKey]", name="zoom")
    ends = kept[value].min(), kept[value].max()
    spread = {"type": "log", "domain": [0.9 * ends[0], 1.1 * ends[1]]} if logarithmic else {"zero": False}
    scale = alt.Scale(nice=False, **spread)
    colour = alt.Color("system:N", scale=_range(colours(names), present), legend=_legend())
    shape = alt.Shape("system:N", scale=_range(shapes(names), present), legend=_legend())
    whole = alt.Scale(domain=[0, 1.03], nice=False)  # the mark of the last take is whole, too
    share = alt.Y("share:Q", title="Share of the takes up to it", scale=whole, axis=alt.Axis(format="~%", tickCount=5))
    base = alt.Chart(ranked).encode(
        x=alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format="~g", tickCount=6)),
        y=share,
        color=colour,
        opacity=alt.condition(chosen, alt.value(1), alt.value(0.12)),
        tooltip=[
            alt.Tooltip("system:N", title="System"),
            alt.Tooltip("value:Q", title=title, format=".3~g"),
            alt.Tooltip("share:Q", title="Share", format=".0%"),
        ],
    )
    line = base.mark_line(interpolate="step-after", strokeWidth=2, clip=True)
    points = base.mark_point(filled=True, size=50, clip=True).encode(shape=shape).add_params(chosen, zoom)
    middles = ", ".join(f"{name} {middle:.3g}" for name, middle in group.median().items())
    chart = alt.layer(line, points).properties(width=560, height=260, description=f"{title}, medians: {middles}.")
    drawn: alt.Chart = styled(chart)
    return drawn


def styled(chart: Any) -> Any:
    """The chart in Earshot's style; what its own `config` says goes first."""
    own = chart.config.to_dict() if chart.config is not alt.Undefined else {}
    return chart.configure(**{**STYLE, **own})


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", columns=4)


def _range(look: dict[str, str], present: list[str]) -> alt.Scale:
    return alt.Scale(domain=present, range=[look[name] for name in present])


def _spoken(table: pd.DataFrame, title: str) -> str:
    """One sentence for who cannot see the chart."""
    order = table.sort_values("wer", kind="stable")
    ends = list(order.iloc[[0, -1]][["wer", "system", "channel", "recogniser"]].itertuples(index=False))
    told = [f"{wer:.1%} ({system}, {channel}, {recogniser})" for wer, system, channel, recogniser in ends]
    return f"{title} by system, channel and recogniser: from {told[0]} to {told[1]}."


def _expect(table: pd.DataFrame, columns: Iterable[str], chart: str) -> None:
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise Fault(f"charts.{chart} needs the columns {', '.join(missing)}; the table has {', '.join(table.columns)}.")
    if table.empty:
        raise Fault(f"charts.{chart} has no row to draw; choose a run or a slice that has scores.")
