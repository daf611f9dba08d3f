"""Charts of a study: what was answered, and what it amounts to.

Conventions: those of `bench.charts`. The points of a scale have one colour each from worst to best, and the colour is
said again by the order of the pieces and by a tooltip.
"""

from __future__ import annotations

from collections.abc import Iterable

import altair as alt
import pandas as pd

from bench.charts import QUIET, colours, shapes, styled
from bench.listening.scale import Question

RAMP = ("#c9495a", "#df8a6e", "#b3aca6", "#7fa9cf", "#2f6fae")  # worst to best
WIDTH = 520


def ramp(count: int) -> list[str]:
    """`count` colours from worst to best."""
    if count == len(RAMP):
        return list(RAMP)
    places = [at * (len(RAMP) - 1) / max(count - 1, 1) for at in range(count)]
    mixed = []
    for place in places:
        low = min(int(place), len(RAMP) - 2)
        ends = [[int(RAMP[n][i : i + 2], 16) for i in (1, 3, 5)] for n in (low, low + 1)]
        share = place - low
        mixed.append("#" + "".join(f"{round(a + share * (b - a)):02x}" for a, b in zip(*ends, strict=True)))
    return mixed


def distribution(table: pd.DataFrame, question: Question) -> alt.Chart:
    """Shares of each answer by condition, a stacked bar each; `table` has condition, answer, votes."""
    said = {float(p): f"{p} {w}" for p, w in zip(question.points, question.labels, strict=False)}
    if question.answer == "points" and question.key != "preference":
        order = [said[float(point)] for point in sorted(question.points)]
        rows = table.assign(said=table["answer"].map(said).fillna(table["answer"].astype(str)))
    elif question.key == "preference":
        order = ["prefers the second named", "prefers the first named"]
        rows = table.assign(said=table["answer"].map(lambda value: order[int(value)]))
    else:
        rows = table.assign(said=table["answer"].map(lambda value: f"{value:g}"))
        order = [f"{value:g}" for value in sorted(table["answer"].unique())]
    rows = rows.assign(place=rows["said"].map({name: at for at, name in enumerate(order)}))
    rows["share"] = rows["votes"] / rows.groupby("condition")["votes"].transform("sum")
    chart = (
        alt.Chart(rows[["condition", "said", "place", "votes", "share"]])
        .mark_bar(height=22)
        .encode(
            x=alt.X(
                "share:Q",
                title="Share of votes",
                stack="zero",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            y=alt.Y("condition:N", title=None),
            color=alt.Color(
                "said:N",
                scale=alt.Scale(domain=order, range=ramp(len(order))),
                legend=alt.Legend(title=None, orient="top", columns=3, labelLimit=300),
            ),
            order=alt.Order("place:Q"),
            tooltip=["condition", alt.Tooltip("said", title="answer"), "votes", alt.Tooltip("share", format=".1%")],
        )
        .properties(width=WIDTH, height=alt.Step(34), description="Shares of each answer by condition.")
    )
    drawn: alt.Chart = styled(chart)
    return drawn


def extent(question: Question) -> tuple[float, float] | None:
    """The ends of the scale that a mean of answers lies on; None where it has no upper end, as word errors."""
    if question.answer == "choice" or question.key == "preference":
        return 0.0, 1.0
    return (float(min(question.points)), float(max(question.points))) if question.points else None


def effects(
    table: pd.DataFrame,
    title: str,
    *,
    name: str = "condition",
    zero: bool = False,
    ends: tuple[float, float] | None = None,
) -> alt.LayerChart:
    """Points with 95 % intervals, filled for kept votes and open for all; `table` has name, basis, value, lo, hi.

    `ends` are those of the axis, at which an interval is cut; of the data where None. Rows without a value are left
    out, and some must have one.
    """
    rows = table[[name, "basis", "value", "lo", "hi"]].rename(columns={name: "row"}).dropna(subset=["value"])
    names = sorted(rows["row"].unique())
    place = {"y": alt.Y("row:N", title=None, sort=None), "yOffset": alt.YOffset("basis:N", sort=["kept", "all"])}
    look = alt.Color("row:N", scale=alt.Scale(domain=names, range=[colours(names)[n] for n in names]), legend=None)
    axis = alt.X("value:Q", title=title, scale=alt.Scale(domain=list(ends)) if ends else alt.Scale(zero=False))
    told = ["row", "basis", *(alt.Tooltip(field, format=".2f") for field in ("value", "lo", "hi"))]
    points = alt.Chart(rows).mark_point(size=80, strokeWidth=2)
    bars = alt.Chart(rows.dropna(subset=["lo", "hi"])).mark_rule(strokeWidth=2, opacity=0.6, clip=True)
    layers: list[alt.Chart] = [
        *([bars.encode(x=alt.X("lo:Q"), x2="hi:Q", color=look, **place)] if rows["lo"].notna().any() else []),
    ]
    drawn_as = {"kept": points.mark_point(filled=True, size=90, opacity=1), "all": points}
    for basis in [basis for basis in drawn_as if (rows["basis"] == basis).any()]:  # a layer of nothing has no axis
        layers.append(
            drawn_as[basis]
            .transform_filter(alt.datum.basis == basis)
            .encode(x=axis, color=look, shape=_shape(names), tooltip=told, **place)
        )
    if zero:
        layers.insert(
            0, alt.Chart().mark_rule(color=QUIET, strokeDash=[4, 3]).encode(x=alt.datum(0, type="quantitative"))
        )
    chart = alt.layer(*layers, data=rows).properties(
        width=WIDTH, height=alt.Step(22), description=f"{title}: filled with exclusions applied, open without."
    )
    drawn: alt.LayerChart = styled(chart)
    return drawn


def power(table: pd.DataFrame, wanted: float = 0.8) -> alt.LayerChart:
    """Power by listeners, a line an effect; `table` has effect, listeners, power, power_lo, power_hi, half_width.

    Bands are the interval that a pilot leaves; without a pilot there are none.
    """
    rows = table.assign(difference=table["effect"].map("{:g}".format))
    colour = alt.Color("difference:N", title="True difference", legend=alt.Legend(orient="top"))
    bands = [
        alt.Chart(rows).mark_area(opacity=0.16).encode(x="listeners:Q", y="power_lo:Q", y2="power_hi:Q", color=colour)
    ]
    lines = (
        alt.Chart(rows)
        .mark_line(point=True)
        .encode(
            x=alt.X("listeners:Q", title="Listeners", scale=alt.Scale(zero=False, nice=False)),
            y=alt.Y("power:Q", title="Power", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
            color=colour,
            tooltip=[
                "listeners",
                "difference",
                alt.Tooltip("power", format=".1%"),
                alt.Tooltip("half_width", format=".2f"),
            ],
        )
    )
    rule = alt.Chart().mark_rule(color=QUIET, strokeDash=[4, 3]).encode(y=alt.datum(wanted, type="quantitative"))
    drawn: alt.LayerChart = styled(
        alt.layer(*(bands if rows["power_lo"].notna().any() else []), rule, lines, data=lines.data).properties(
            width=WIDTH, height=240
        )
    )
    return drawn


def _shape(names: Iterable[str]) -> alt.Shape:
    known = list(names)
    return alt.Shape("row:N", scale=alt.Scale(domain=known, range=[shapes(known)[n] for n in known]), legend=None)
