"""Which system is better: one call from a table of scores to rates, paired differences, ranks and ties.

Conventions: a family is one value of each `by` column in one stratum; p-values are adjusted inside it and never across.
Rows are in reading order: families sorted, the whole before its strata, systems best first. Every table of a
result goes with its signature, which says all that its numbers depend on beside the scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from bench import __version__
from bench.fault import Fault
from bench.inference import test
from bench.inference.estimate import Estimate, estimates
from bench.inference.interval import is_grey
from bench.inference.rank import letters, rank_range, resampled_ranks
from bench.inference.sums import Sums, collect

REPLICATES = 10_000
SEED = 20_260_101
BY = ("track", "channel", "recogniser")
RANKS = ("rank_lo", "rank_hi", "resampled_lo", "resampled_hi")
PAIR = ("stratum", "a", "b", "difference", "lo", "hi", "n", "method", "p", "p_bootstrap", "p_holm", "verdict")
Better = Literal["lower", "higher"]


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """Rows of a result that is no full comparison, with their signature."""

    rows: pd.DataFrame
    signature: str


@dataclass(frozen=True, eq=False, slots=True)
class Comparison:
    """`rates`: a row a system and slice; `pairs`: a row a pair and slice, a ranked before b; `signature`.

    rates: the `by` columns, stratum, headline, system, rate, lo, hi, n (units), segments, errors, words, method, grey,
    rank_lo, rank_hi, letters, resampled_lo, resampled_hi (the bootstrap rank interval), and, where the unit is the
    cluster, segment_lo and segment_hi, the interval that takes segments for independent.
    pairs: the `by` columns, stratum, a, b, difference (a - b), lo, hi, n, method, p, p_bootstrap, p_holm, verdict
    ("better": a is better than b; "worse"; "no evidence"; "too few").
    """

    rates: pd.DataFrame
    pairs: pd.DataFrame
    signature: str

    @property
    def note(self) -> str:
        """How many comparisons the reader is looking at."""
        families = len(self.pairs.drop_duplicates(list(self.pairs.columns[: -len(PAIR) + 1])))
        chance = families * test.ALPHA
        return (
            f"{len(self.pairs)} comparisons in {families} families. p-values are adjusted inside a family, not across: "
            f"were all systems equal, {chance:.1f} families would be expected to show a difference by chance."
        )


def compare(
    scores: pd.DataFrame,
    *,
    by: Sequence[str] = BY,
    between: str = "system",
    over: str | None = None,
    unit: str | None = None,
    errors: str = "errors",
    words: str | None = "words",
    strata: Sequence[Sequence[str]] = (),
    better: Better = "lower",
    metric: str = "WER",
    seed: int = SEED,
    B: int = REPLICATES,
    threads: int = 1,
) -> Comparison:
    """Compare all systems of each family, on the whole and on each stratum.

    `between` is the column in the role of the system, `over` one whose values are averaged, each with its own rate, as
    the recognisers of a panel mean are.
    scores: one row an expected utterance, with system, segment, the `by` columns, `errors` (or substitutions, deletions
    and insertions) and `words` (or None: every row counts one); voice, take, cluster, headline and the strata where
    there are any. `unit` is "segment" or "cluster"; None is the cluster where the scores declare clusters. A stratum
    is a combination of columns. `better` says which end of the rate is good. Raises Fault for scores that cannot be
    compared: missing columns, repeated rows, systems with different segments.
    """
    check(seed, B, threads)
    how: dict[str, Any] = {
        "by": by,
        "between": between,
        "over": over,
        "errors": errors,
        "words": words,
        "strata": strata,
    }
    draw: dict[str, Any] = {"seed": seed, "replicates": B, "threads": threads}
    sums = collect(scores, unit=unit, **how)
    rates: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    beside: Iterator[Estimate] = iter(())
    if sums.unit == "cluster":
        beside = estimates(collect(scores, unit="segment", **how), tests=False, **draw)
    for estimate in estimates(sums, **draw):
        one, two = _rows(estimate, sums, better, between)
        if sums.unit == "cluster":
            apart = next(beside)
            ends = {
                system: (interval.lo, interval.hi)
                for system, interval in zip(apart.slice.systems, apart.interval, strict=True)
            }
            for row in one:
                row["segment_lo"], row["segment_hi"] = ends[row[between]]
        rates += one
        pairs += two
    most = max(len(part.systems) for part in sums.slices)
    return Comparison(
        pd.DataFrame(rates).astype(dict.fromkeys(RANKS, "Int64")),
        pd.DataFrame(pairs, columns=[*by, *PAIR]),
        sign(
            metric,
            by,
            over=over,
            unit=sums.unit,
            B=B,
            seed=seed,
            R=test.randomisations(most, B),
            test="randomisation",
            adjust="holm",
        ),
    )


def check(seed: int, replicates: int, threads: int) -> None:
    """Raises Fault for settings that no result can come from."""
    if not 0 <= seed < 2**64:
        raise Fault(f"The seed is {seed}; expected a whole number from 0 to 2**64 - 1.")
    if not 100 <= replicates < 2**32:
        raise Fault(f"B is {replicates}; expected at least 100 replicates, and 10,000 for anything published.")
    if threads < 1:
        raise Fault(f"threads is {threads}; expected at least 1.")


def sign(metric: str, by: Sequence[str], **facts: Any) -> str:
    """The signature of a result: what its numbers depend on beside the scores; facts that are None are left out."""
    facts = {"by": ",".join(by) or None, **facts, "bench": __version__}
    return "|".join([metric, *(f"{name}:{value}" for name, value in facts.items() if value is not None)])


def orient(pairs: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """The same pairs with whichever comes first in `order` as a; a verdict still speaks of the better of the two."""
    place = {name: k for k, name in enumerate(order)}
    kept = pairs["a"].map(place) < pairs["b"].map(place)
    return pairs.assign(
        a=pairs["a"].where(kept, pairs["b"]),
        b=pairs["b"].where(kept, pairs["a"]),
        difference=pairs["difference"].where(kept, -pairs["difference"]),
        lo=pairs["lo"].where(kept, -pairs["hi"]),
        hi=pairs["hi"].where(kept, -pairs["lo"]),
    )


def _rows(
    estimate: Estimate, sums: Sums, better: Better, between: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of rates and pairs of one slice."""
    part, sense = estimate.slice, 1 if better == "lower" else -1
    count, n = len(part.systems), estimate.units
    grey = is_grey(n, part.segments, sums.unit)
    order = sorted(range(count), key=lambda s: (math.isnan(estimate.value[s]), sense * estimate.value[s], s))
    ranked = [s for s in order if not math.isnan(estimate.value[s])]
    at = {pair: k for k, pair in enumerate(zip(*test.pairs(count), strict=True))}
    p_holm = test.holm(estimate.p)

    head = {**part.family, "stratum": part.stratum}
    pairs = []
    differ = np.zeros((len(ranked), len(ranked)), bool)
    for i, a in enumerate(ranked):
        for j, b in enumerate(ranked[i + 1 :], i + 1):
            k, sign = (at[a, b], 1) if a < b else (at[b, a], -1)
            interval = estimate.difference_interval[k]
            lo, hi = sorted((sign * interval.lo, sign * interval.hi))
            difference = sign * float(estimate.difference[k])
            differ[i, j] = differ[j, i] = not grey and p_holm[k] <= test.ALPHA
            pairs.append(
                {
                    **head,
                    "a": part.systems[a],
                    "b": part.systems[b],
                    "difference": difference,
                    "lo": lo,
                    "hi": hi,
                    "n": n,
                    "method": interval.method,
                    "p": estimate.p[k],
                    "p_bootstrap": estimate.p_bootstrap[k],
                    "p_holm": p_holm[k],
                    "verdict": "too few" if grey else "better" if differ[i, j] else "no evidence",
                }
            )
    best, worst = rank_range(differ)
    low, high = resampled_ranks(sense * estimate.replicates[ranked]) if ranked else (best, worst)
    marks = letters(differ) if not grey else [""] * len(ranked)
    rates = []
    for place, s in enumerate(order):
        known = place < len(ranked)
        rates.append(
            {
                **head,
                "headline": part.headline,
                between: part.systems[s],
                "rate": estimate.value[s],
                "lo": estimate.interval[s].lo,
                "hi": estimate.interval[s].hi,
                "n": n,
                "segments": part.segments,
                "errors": part.errors[..., s].sum() / sums.scale,
                "words": part.words[..., s].sum() / sums.scale,
                "method": estimate.interval[s].method,
                "grey": grey,
                "rank_lo": best[place] if known and not grey else pd.NA,
                "rank_hi": worst[place] if known and not grey else pd.NA,
                "letters": marks[place] if known else "",
                "resampled_lo": low[place] if known else pd.NA,
                "resampled_hi": high[place] if known else pd.NA,
            }
        )
    return rates, pairs
