"""The panel of recognisers: its mean where a protocol allows one, and how far its members agree.

Conventions: every recogniser is shown on its own first; a mean over the non-diagnostic ones never replaces them. Each
recogniser enters the mean with its own rate, so that none weighs more for its longer transcripts. That recognisers
disagree is a signal of its own: a conclusion that rests on one of them is a conclusion about that recogniser.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from bench.fault import Fault
from bench.inference.comparison import Comparison, Table, compare
from bench.inference.sums import column, names

PANEL = ("track", "channel")


def panel_mean(scores: pd.DataFrame, *, by: Sequence[str] = PANEL, **options: Any) -> Comparison:
    """The comparison under the mean rate of the non-diagnostic recognisers; `options` are those of `compare`.

    Ask first whether the protocol allows a mean. Raises Fault where fewer than two recognisers are left.
    """
    kept = _members(scores)
    panel = sorted(kept["recogniser"].astype(str).unique())
    if len(panel) < 2:
        raise Fault(f"A panel mean needs two recognisers that are not diagnostic; found {', '.join(panel) or 'none'}.")
    return compare(kept, by=by, over="recogniser", **options)


def agreement(pairs: pd.DataFrame, *, by: Sequence[str] = PANEL) -> pd.DataFrame:
    """Under which recognisers each conclusion holds, from the `pairs` of a comparison of non-diagnostic recognisers.

    Columns: the `by` columns, stratum, a, b, better (the names of the recognisers under which a is better than b),
    worse, undecided, and holds: "all", "some", "one recogniser only", "contradicted" (they conclude opposite things),
    "none". Pairs are in alphabetical order.
    """
    said = pairs["verdict"].isin(("better", "worse"))
    turned = pairs["a"] > pairs["b"]
    better = said & ((pairs["verdict"] == "better") != turned)
    frame = pairs[[*by, "stratum", "recogniser"]].assign(
        a=pairs["a"].where(~turned, pairs["b"]),
        b=pairs["b"].where(~turned, pairs["a"]),
        side=np.select([~said, better], ["undecided", "better"], "worse"),
    )
    rows = []
    keys = [*by, "stratum", "a", "b"]
    for key, group in frame.groupby(keys, sort=False):
        sides = {
            side: sorted(group.loc[group["side"] == side, "recogniser"]) for side in ("better", "worse", "undecided")
        }
        decided = len(sides["better"]) + len(sides["worse"])
        holds = (
            "contradicted"
            if sides["better"] and sides["worse"]
            else "none"
            if not decided
            else "one recogniser only"
            if decided == 1
            else "all"
            if not sides["undecided"]
            else "some"
        )
        listed = {side: ", ".join(recognisers) for side, recognisers in sides.items()}
        rows.append(dict(zip(keys, key, strict=True)) | listed | {"holds": holds})
    return pd.DataFrame(rows, columns=[*keys, "better", "worse", "undecided", "holds"])


def disagreement(scores: pd.DataFrame, entities: Sequence[str], *, by: Sequence[str] = PANEL, **options: Any) -> Table:
    """How often two recognisers disagree about an entity in the same audio.

    `entities` are columns that are true where the entity came through, false where not, missing where a row has none.
    Columns: system, the `by` columns, stratum, one, other (recognisers), entity, rate (the share of the rows with the
    entity on which exactly one of the two got it), lo, hi, n, method, grey.
    """
    key = [name for name in ("system", *by, "segment", "take") if name in scores]
    rows = scores.assign(system=names(scores, "system"), recogniser=column(scores, "recogniser").astype(str))
    about = [name for name in scores if name in ("cluster", "headline") or name in _flat(options.get("strata", ()))]
    parts = []
    for one, other in combinations(sorted(rows["recogniser"].unique()), 2):
        left, right = (rows.loc[rows["recogniser"] == name] for name in (one, other))
        both = left.merge(right[[*key, *entities]], on=key, suffixes=("", "_other"), validate="one_to_one")
        for entity in entities:
            judged = both[both[entity].notna() & both[f"{entity}_other"].notna()]
            unlike = judged[entity].astype(bool) != judged[f"{entity}_other"].astype(bool)
            parts.append(judged[[*key, *about]].assign(one=one, other=other, entity=entity, errors=unlike.astype(int)))
    if not parts:
        raise Fault("The scores have one recogniser only; a disagreement needs two.")
    family = [*by, "one", "other", "entity"]
    compared = compare(pd.concat(parts, ignore_index=True), by=family, words=None, metric="disagreement", **options)
    kept = ["stratum", "one", "other", "entity", "rate", "lo", "hi", "n", "method", "grey"]
    return Table(compared.rates[["system", *by, *kept]], compared.signature)


def _members(scores: pd.DataFrame) -> pd.DataFrame:
    if "diagnostic" not in scores:
        return scores
    return scores[~scores["diagnostic"].astype(bool)]


def _flat(strata: Sequence[Sequence[str]]) -> set[str]:
    return {name for item in strata for name in ([item] if isinstance(item, str) else item)}
