"""One system against itself: on two tracks, on worse and worse lines, on public and hidden texts; and the human floor.

Conventions: here a family is one system, and what is compared are values of another column; differences are paired by
unit and come from the replicates that every other statistic sees. Only the gap between public and hidden texts is
unpaired: two independent samples, each with its own stream of replicates. Errors are counted: lower is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from bench.fault import Fault
from bench.inference.comparison import BY, REPLICATES, SEED, Table, check, compare, orient, sign
from bench.inference.estimate import Estimate, estimates
from bench.inference.interval import is_grey, newcombe, percentile
from bench.inference.sums import collect, column, common, counts, names

CONDITION = ("channel", "recogniser")


def penalty(scores: pd.DataFrame, *, by: Sequence[str] = CONDITION, **options: Any) -> Table:
    """What text normalisation costs: the rate on track R less that on track S, for each system and stratum.

    Columns: system, the `by` columns, stratum, penalty, lo, hi, n, method, p, grey. Only segments with both tracks
    count. `options` are those of `compare`. Raises Fault where the scores lack a track.
    """
    missing = {"R", "S"} - set(column(scores, "track").astype(str))
    if missing:
        raise Fault(f"The scores have no rows on track {', '.join(sorted(missing))}; the penalty needs R and S.")
    family = ["system", *by]
    both = common(scores[scores["track"].isin(("R", "S"))], "track", family)
    if both.empty:
        raise Fault("No segment has scores on both track R and track S; the penalty needs some that do.")
    compared = compare(both, by=family, between="track", **options)
    rows = orient(compared.pairs, ("R", "S"))
    rows = rows.assign(penalty=rows["difference"], grey=rows["verdict"] == "too few")
    return Table(rows[[*family, "stratum", "penalty", "lo", "hi", "n", "method", "p", "grey"]], compared.signature)


def inversions(
    scores: pd.DataFrame,
    series: Sequence[str],
    *,
    between: str = "channel",
    by: Sequence[str] = ("track", "recogniser"),
    **options: Any,
) -> Table:
    """Whether a system is understood better on a worse line: every pair of a series, mildest line first.

    The losses of a series must be nested (a frame that is lost at 1 % is lost at 3 % too): then more loss cannot help,
    and a significant inversion is flagged: it says that the series, the recogniser or the scores are at fault.
    Columns: system, the `by` columns, stratum, mild, harsh, difference (harsh - mild), lo, hi, n, method, p, p_holm,
    inversion, grey. The pairs of one system are one family.
    """
    found = set(column(scores, between).astype(str))
    if len(series) < 2 or not set(series) <= found:
        raise Fault(f"The series is {', '.join(series)}; expected at least two of {', '.join(sorted(found))}.")
    family = ["system", *by]
    compared = compare(scores[scores[between].astype(str).isin(series)], by=family, between=between, **options)
    rows = orient(compared.pairs, list(series)[::-1]).rename(columns={"a": "harsh", "b": "mild"})
    rows["inversion"] = (rows["verdict"] == "better") & (rows["difference"] < 0)
    rows["grey"] = rows["verdict"] == "too few"
    kept = ["stratum", "mild", "harsh", "difference", "lo", "hi", "n", "method", "p", "p_holm", "inversion", "grey"]
    return Table(rows[[*family, *kept]], compared.signature)


def gap(
    public: pd.DataFrame,
    hidden: pd.DataFrame,
    *,
    by: Sequence[str] = BY,
    unit: str | None = None,
    errors: str = "errors",
    words: str | None = "words",
    metric: str = "WER",
    seed: int = SEED,
    B: int = REPLICATES,
    threads: int = 1,
) -> Table:
    """The rate on public texts less that on hidden ones, of each system that has both, as two independent samples.

    Columns: the `by` columns, system, public, hidden, gap, lo, hi, n_public, n_hidden, method, grey, flag: "public
    easier" or "hidden easier" where 0 lies outside the interval, else "". Public texts that are easier for one system
    alone are a sign that it was tuned on them.
    """
    check(seed, B, threads)
    how: dict[str, Any] = {"by": by, "unit": unit, "errors": errors, "words": words}
    draw: dict[str, Any] = {"seed": seed, "replicates": B, "threads": threads, "tests": False}
    one, two = collect(public, **how), collect(hidden, **how)
    if one.unit != two.unit:
        raise Fault(f"The unit is the {one.unit} in the public scores, the {two.unit} in the hidden; name one `unit`.")
    there = {_key(estimate): estimate for estimate in estimates(two, purpose="second", **draw)}
    rows: list[dict[str, Any]] = []
    for here in estimates(one, **draw):
        if (other := there.get(_key(here))) is not None:
            rows += _gaps(here, other, one.unit)
    if not rows:
        raise Fault("No system has both public and hidden scores; expected at least one.")
    return Table(pd.DataFrame(rows), sign(metric, by, unit=one.unit, B=B, seed=seed, samples="independent"))


def ceiling(scores: pd.DataFrame, *, human: str = "human", by: Sequence[str] = BY, **options: Any) -> Table:
    """The recogniser's error on human recordings, the floor under which no system's rate can be read.

    Columns: the `by` columns, system, stratum, rate, lo, hi, n, segments, method, grey. `options` as in `compare`.
    """
    rows = scores[column(scores, "system") == human]
    if rows.empty:
        raise Fault(f"The scores have no rows of the system '{human}'; the floor needs human recordings.")
    compared = compare(rows, by=by, **options)
    kept = ["system", "stratum", "rate", "lo", "hi", "n", "segments", "method", "grey"]
    return Table(compared.rates[[*by, *kept]], compared.signature)


def distribution(
    scores: pd.DataFrame,
    *,
    by: Sequence[str] = BY,
    strata: Sequence[str] = (),
    errors: str = "errors",
    words: str = "words",
    levels: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0),
) -> pd.DataFrame:
    """How the rates of single segments spread in each slice, to be looked at before any summary of it.

    Columns: the `by` and `strata` columns, system, segments, perfect (the share without an error), and one for each
    level, q0 to q100. Takes are added up inside a segment; a segment without words has no rate and is left out.
    """
    keys = [*by, *strata, "system"]
    frame = pd.DataFrame({name: names(scores, name) for name in keys}).assign(
        segment=column(scores, "segment"), errors=counts(scores, errors), words=counts(scores, words)
    )
    added = frame.groupby([*keys, "segment"])[["errors", "words"]].sum().query("words > 0")
    rate = (added["errors"] / added["words"]).groupby(keys)
    found = {"segments": rate.size(), "perfect": (added["errors"] == 0).groupby(keys).mean()}
    spread = {f"q{100 * level:g}": rate.quantile(level) for level in levels}
    return pd.DataFrame(found | spread).reset_index()


def _key(estimate: Estimate) -> tuple[str, ...]:
    return tuple(estimate.slice.family.values())


def _gaps(here: Estimate, there: Estimate, unit: str) -> list[dict[str, Any]]:
    """The rows of one family; the fewer of the two samples' units decides how far the percentiles reach."""
    fewer = min(here.units, there.units)
    grey = any(is_grey(side.units, side.slice.segments, unit) for side in (here, there))
    rows = []
    for s, system in enumerate(here.slice.systems):
        if system not in there.slice.systems:
            continue
        t = there.slice.systems.index(system)
        one, two = here.interval[s], there.interval[t]
        method = "percentile"
        if math.isnan(one.lo) or math.isnan(two.lo):
            lo = hi = math.nan
            method = "undefined"
        elif "Wilson" in (one.method, two.method):
            lo, hi = newcombe(here.value[s], one, there.value[t], two)
            method = "hybrid"
        else:
            drawn = np.sort(here.replicates[s] - there.replicates[t])
            lo, hi = (float(end) for end in percentile(drawn, fewer))
        flag = "" if grey or not (hi < 0 or lo > 0) else "public easier" if hi < 0 else "hidden easier"
        rows.append(
            {
                **here.slice.family,
                "system": system,
                "public": here.value[s],
                "hidden": there.value[t],
                "gap": here.value[s] - there.value[t],
                "lo": lo,
                "hi": hi,
                "n_public": here.units,
                "n_hidden": there.units,
                "method": method,
                "grey": grey,
                "flag": flag,
            }
        )
    return rows
