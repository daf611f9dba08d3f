"""Any slice of a scored run at once: rows by their strata, rates with intervals, however large the table is.

Conventions: a slice names some columns and for each the values that it keeps; what it does not name it keeps whole.
Rates have the intervals of `bench.inference`, from 1,000 replicates and without tests: to look with, not to conclude
with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bench.fault import Fault
from bench.inference.comparison import BY, SEED, sign
from bench.inference.comparison import Table as Found
from bench.inference.estimate import estimates
from bench.inference.sums import collect
from bench.part import Part, Table

REPLICATES = 1_000
COLUMNS = ["system", "track", "channel", "recogniser", "rate", "lo", "hi", "segments", "errors", "words"]


def values(scores: pd.DataFrame, column: str) -> list[str]:
    """What a column holds, as text, in the order of its first appearance; what is missing is no value."""
    if column not in scores.columns:
        raise Fault(f"The scores have no column {column!r} to cut by; they have {', '.join(scores.columns)}.")
    return [str(value) for value in scores[column].dropna().unique()]


def cut(scores: pd.DataFrame, where: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """The rows that have, in each column that `where` names, one of the values that it lists, as text.

    Raises Fault for a column that the scores do not have and a value that does not occur.
    """
    kept = pd.Series(True, scores.index)
    for name, wanted in where.items():
        known = values(scores, name)
        unknown = [value for value in wanted if value not in known]
        if unknown:
            raise Fault(f"No row has {unknown[0]!r} in {name}; there are: {', '.join(known[:20])}.")
        kept &= scores[name].astype(str).isin(wanted) & scores[name].notna()
    return scores[kept]


def rates(rows: pd.DataFrame, *, seed: int = SEED, replicates: int = REPLICATES) -> Found:
    """The word error rate of each system, track, channel and recogniser with its interval; no rows give no rates."""
    if rows.empty:
        return Found(pd.DataFrame(columns=COLUMNS), sign("WER", BY, B=replicates, seed=seed))
    sums = collect(rows, by=BY)
    found: list[dict[str, Any]] = []
    for estimate in estimates(sums, seed=seed, replicates=replicates, tests=False):
        part = estimate.slice
        errors, words = part.errors.sum(axis=(0, 1)) / sums.scale, part.words.sum(axis=(0, 1)) / sums.scale
        for place in np.argsort(estimate.value, kind="stable"):
            found.append(
                {
                    "system": part.systems[place],
                    **part.family,
                    "rate": estimate.value[place],
                    "lo": estimate.interval[place].lo,
                    "hi": estimate.interval[place].hi,
                    "segments": part.segments,
                    "errors": errors[place],
                    "words": words[place],
                }
            )
    table = pd.DataFrame(found, columns=COLUMNS)
    return Found(table, sign("WER", BY, unit=sums.unit, B=replicates, seed=seed))


def parts(scores: pd.DataFrame, where: Mapping[str, Sequence[str]], *, signature: str) -> list[Part]:
    """The rates of a slice as a table; what `where` lists nothing for is kept whole."""
    asked = {name: values for name, values in where.items() if values}
    rows = cut(scores, asked)
    found = rates(rows)
    told = "; ".join(f"{name}: {' or '.join(values)}" for name, values in asked.items()) or "all rows"
    signed = f"{found.signature}|slice:{told}|{signature}"
    note = f"{len(rows):,} of {len(scores):,} rows ({told}). Intervals at 95 %, without tests."
    names = {"rate": "WER", "lo": "from", "hi": "to"}
    shown = {**dict.fromkeys(names, ".1%"), "errors": ",.12g", "words": ",.12g"}
    return [Table(found.rows, "Rates of the rows you choose", shown, names, {"rate": signed}, note)]
