"""How long systems took, as parts of a report: the answer, percentiles with their intervals, distributions.

Conventions: those of `bench.timing`. Nothing is said of a percentile that the observations are too few for. Systems
are named with their voice where one has several.
"""

from __future__ import annotations

import pandas as pd

from bench import __version__, charts, timing
from bench.conclusion import named
from bench.part import Chart, Conflict, Figure, KeyFigures, Part, Prose, Table
from bench.run import Run

LEVELS = (0.5, 0.9, 0.99)
POINTS = 2_000  # takes of a system that a chart draws


def synthesis(run: Run) -> list[Part]:
    """Synthesis time and real-time factor of each system, and the time to first audio where its adapter noted it."""
    takes = timing.takes(run)
    if takes.empty:
        return [Prose("# Time\n\nNo take came of this run.")]
    takes = named(takes)
    frozen = run.frozen
    sign = (
        f"time|percentile:nearest rank|interval:order statistics 95%|takes:{len(takes)}"
        f"|set={frozen.text_set.name}@{frozen.text_set.sha256[:12]}|protocol={run.protocol.name}@{frozen.sha256[:12]}"
        f"|earshot={__version__}"
    )
    table = timing.percentiles(takes, ["system"], "rtf", LEVELS)
    figures = [
        Figure(
            f"{row['system']}, real-time factor",
            _number(row["p50"]),
            f"median of {row['n']} takes; 95% interval {_number(row['p50_lo'])} to {_number(row['p50_hi'])}"
            if not pd.isna(row["p50"])
            else f"{row['n']} takes are too few for a median with an interval",
            row["system"],
            sign,
        )
        for row in table.to_dict("records")
    ]
    waited = takes["first_audio"].notna()
    known = "" if waited.any() else " No adapter of this run noted when the first audio came."
    told = (
        "As observed while the run was carried out, with other work on the machine: no measurement of latency under "
        f"a load that was set. A real-time factor below 1 is faster than speech.{known}"
    )
    parts: list[Part] = [Prose(f"# Time\n\n{told}"), KeyFigures(tuple(figures))]
    for column, title, unit in (
        ("rtf", "Real-time factor of synthesis", "Seconds of work a second of audio"),
        ("synthesis", "Synthesis time", "Seconds a take"),
        ("first_audio", "Time to first audio", "Seconds"),
    ):
        kept = takes[takes[column].notna()]
        if len(kept):
            parts += _distribution(kept, [*takes["system"].unique()], column, title, unit, sign)
    return [*parts, Conflict(_conflicts(run)), *_where(run)]


def _distribution(takes: pd.DataFrame, systems: list[str], column: str, title: str, unit: str, sign: str) -> list[Part]:
    table = timing.percentiles(takes, ["system"], column, LEVELS)
    few = [f"p{100 * level:g}" for level in LEVELS if table[f"p{100 * level:g}"].isna().any()]
    note = f"Too few takes for {' and '.join(few)}: an interval of p50 needs 6, of p90 36, of p99 368." if few else ""
    table = table.dropna(axis=1, how="all")
    spread = [name for name in table.columns if name not in ("system", "n")]
    names = {"n": "takes", **{name: name.replace("_lo", " from").replace("_hi", " to") for name in spread}}
    drawn = takes.groupby("system", sort=False).head(POINTS)
    some = f"The first {POINTS:,} takes of each system." if len(drawn) < len(takes) else ""
    return [
        Prose(f"# {title}"),
        Chart(charts.distributions(drawn, column, systems=systems, title=f"{title}, {unit.lower()}"), unit, some, sign),
        Table(
            table,
            f"Percentiles, {unit.lower()}",
            dict.fromkeys(spread, ".3g"),
            names,
            dict.fromkeys(spread, sign),
            note,
        ),
    ]


def _conflicts(run: Run) -> dict[str, str]:
    systems = {part.name: part.conflict_of_interest for part in run.protocol.systems}
    return {"This benchmark": run.protocol.conflict_of_interest, **systems}


def _where(run: Run) -> list[Part]:
    """The machines that the run was carried out on, as its manifest has them, and what each system says of its own."""
    sessions = pd.DataFrame(
        [
            {
                **{name: session.get(name) for name in ("started", "processor", "cores")},
                "platform": session.get("system"),
            }
            for session in run.manifest["sessions"]
        ]
    )
    stated = pd.DataFrame(
        [
            {"system": part.name, "hardware": part.hardware, "region": part.region, "adapter": part.adapter}
            for part in run.protocol.systems
        ]
    )
    return [
        Prose("# Where"),
        Table(sessions, "The machine that carried the run out, a row a session"),
        Table(stated, "What the protocol states of each system"),
    ]


def _number(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.3g}"
