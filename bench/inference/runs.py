"""Two runs of one system: is the second better, and what would a mere repeat have shown?

Conventions: `a` is the run before, `b` the run after; a difference is b - a, so that below 0 is an improvement. Runs
are paired on the segments that both have. A repeat is two runs of the same configuration: the difference it shows is
what a reader must not take for progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from bench.fault import Fault
from bench.inference import test
from bench.inference.comparison import BY, Table, compare, orient
from bench.inference.sums import WHOLE, common, counts, entrants


@dataclass(frozen=True, eq=False, slots=True)
class Progress:
    """`verdicts`: a row a system, family and stratum; `changed`: the rows that changed most, worst first; `alone`: what
    one run has and the other has not, so that it is in neither: the columns run ("a" or "b"), what and name."""

    verdicts: pd.DataFrame
    changed: pd.DataFrame
    alone: pd.DataFrame
    signature: str


def compare_runs(
    a: pd.DataFrame, b: pd.DataFrame, *, by: Sequence[str] = BY, most: int = 20, **options: Any
) -> Progress:
    """Whether run b is "better" or "worse" than run a, or there is "no evidence" (or "too few" segments to say).

    Systems pair by name; where each run has one system only, those two pair whatever their names. `options` are those
    of `compare`. verdicts: system, the `by` columns, stratum, rate_a, rate_b, difference (b - a), lo, hi, n, method, p,
    p_holm, verdict, identical (whether both runs have the same errors in every row of the family, and the same
    transcripts where the scores have them); Holm's adjustment runs over the systems of a family. changed: the rows in
    which the two differ by most errors, at most `most` of them, with errors_a, errors_b, words and, where the scores
    have them, transcripts.
    """
    first, second = _paired(a, b)
    both = pd.concat([first.assign(run="a"), second.assign(run="b")], ignore_index=True)
    family = ["system", *by]
    both = common(both, "run", family)
    if both.empty:
        raise Fault("The two runs have no segment in common; expected scores of the same text set.")
    compared = compare(both, by=family, between="run", **options)
    rows = orient(compared.pairs, ("b", "a"))
    rates = compared.rates.pivot(index=[*family, "stratum"], columns="run", values="rate")
    rows = rows.join(rates.rename(columns={"a": "rate_a", "b": "rate_b"}), on=[*family, "stratum"])
    rows["p_holm"] = rows.groupby([*by, "stratum"], sort=False)["p"].transform(lambda p: test.holm(p.to_numpy()))
    better = (rows["difference"] > 0) == (options.get("better") == "higher")
    said = [rows["verdict"] == "too few", rows["p_holm"] > test.ALPHA, better]
    rows["verdict"] = np.select(said, ["too few", "no evidence", "better"], "worse")
    kept = ["rate_a", "rate_b", "difference", "lo", "hi", "n", "method", "p", "p_holm", "verdict", "identical"]
    errors, words = options.get("errors", "errors"), options.get("words", "words")
    both = _counted(first, second, family, errors, words)
    changed = _changed(both, family).head(most)
    apart = both["change"] != 0
    if {"transcript_a", "transcript_b"} <= set(both):
        apart |= both["transcript_a"].fillna("") != both["transcript_b"].fillna("")
    differing = set(both.loc[apart, family].itertuples(index=False, name=None))
    rows["identical"] = [key not in differing for key in rows[family].astype(str).itertuples(index=False, name=None)]
    verdicts = rows[[*family, "stratum", *kept]].reset_index(drop=True)
    return Progress(verdicts, changed, _alone(a, b, first, second, family), compared.signature)


def repeat(a: pd.DataFrame, b: pd.DataFrame, *, by: Sequence[str] = BY, **options: Any) -> Table:
    """What two runs of the same configuration differ by: the band inside which a change is no change.

    Columns: system, the `by` columns, stratum, band_lo and band_hi (the lower and the higher of the two rates),
    difference (b - a), lo, hi, n, identical_audio (the share of rows whose `audio` checksums are equal) and
    identical_transcripts (the same of `transcript`); nan where the scores lack the column, and in strata.
    """
    progress = compare_runs(a, b, by=by, **options)
    family = ["system", *by]
    rows = progress.verdicts.rename(columns={"rate_a": "band_lo", "rate_b": "band_hi"})
    rows[["band_lo", "band_hi"]] = np.sort(rows[["band_lo", "band_hi"]], axis=1)
    both = _joined(*_paired(a, b), family)
    for share, name in (("identical_audio", "audio"), ("identical_transcripts", "transcript")):
        rows[share] = np.nan
        if {f"{name}_a", f"{name}_b"} <= set(both):
            same = (both[f"{name}_a"] == both[f"{name}_b"]).groupby([both[key] for key in family]).mean()
            found = rows[family].merge(same.rename(share).reset_index(), on=family, how="left")[share]
            rows[share] = found.where(rows["stratum"] == WHOLE)
    kept = ["band_lo", "band_hi", "difference", "lo", "hi", "n", "identical_audio", "identical_transcripts"]
    return Table(rows[[*family, "stratum", *kept]], progress.signature)


def _paired(a: pd.DataFrame, b: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The scores of the systems that both runs have, under one name."""
    a, b = (part.assign(system=entrants(part), voice="") for part in (a, b))
    names_a, names_b = set(a["system"]), set(b["system"])
    if len(names_a) == len(names_b) == 1:
        b = b.assign(system=a["system"].iloc[0])
        return a, b
    shared = names_a & names_b
    if not shared:
        raise Fault(
            f"The runs have no system in common: {', '.join(sorted(names_a))} and {', '.join(sorted(names_b))}. "
            "Give runs of the same systems, or of one system each."
        )
    return a[a["system"].isin(shared)], b[b["system"].isin(shared)]


def _alone(
    a: pd.DataFrame, b: pd.DataFrame, first: pd.DataFrame, second: pd.DataFrame, family: Sequence[str]
) -> pd.DataFrame:
    """What one run only has: systems of `a` and `b`; of those that are paired, `first` and `second`, the rest.

    A family of which the other run has every part, but not together, is a combination.
    """
    found: list[tuple[str, str, str]] = []

    def note(what: str, one: set[str], other: set[str]) -> None:
        found.extend(("a", what, name) for name in sorted(one - other))
        found.extend(("b", what, name) for name in sorted(other - one))

    paired = set(first["system"])
    for run, part, kept in (("a", a, first), ("b", b, second)):
        if len(kept) < len(part):
            found.extend((run, "system", name) for name in sorted(set(entrants(part)) - paired))
    for column in (*family[1:], "segment"):
        note(column, set(first[column].astype(str)), set(second[column].astype(str)))
    known = {column: set(first[column].astype(str)) & set(second[column].astype(str)) for column in family}
    together = [
        {
            key
            for key in part[list(family)].astype(str).itertuples(index=False, name=None)
            if all(name in known[column] for name, column in zip(key, family, strict=True))
        }
        for part in (first, second)
    ]
    note("combination", *({" × ".join(key) for key in keys} for keys in together))
    return pd.DataFrame(found, columns=["run", "what", "name"])


def _joined(a: pd.DataFrame, b: pd.DataFrame, family: Sequence[str]) -> pd.DataFrame:
    """Rows of both runs side by side, the columns of each ending in _a and _b."""
    key = [name for name in (*family, "segment", "take") if name in a and name in b]
    text = dict.fromkeys([*family, "segment"], str)
    return a.astype(text).merge(b.astype(text), on=key, suffixes=("_a", "_b"), validate="one_to_one")


def _counted(a: pd.DataFrame, b: pd.DataFrame, family: Sequence[str], errors: str, words: str | None) -> pd.DataFrame:
    """The rows of both runs side by side, with the change in errors."""
    a, b = (part.assign(errors=counts(part, errors), words=counts(part, words)) for part in (a, b))
    both = _joined(a, b, family)
    return both.assign(change=both["errors_b"] - both["errors_a"])


def _changed(both: pd.DataFrame, family: Sequence[str]) -> pd.DataFrame:
    """The rows whose errors differ, the largest change first, then in the order of the rows' keys."""
    keys = [name for name in (*family, "segment", "take") if name in both]
    shown = [
        name for name in ("words_b", "errors_a", "errors_b", "change", "transcript_a", "transcript_b") if name in both
    ]
    moved = both[both["change"] != 0]
    order = moved.assign(_size=-moved["change"].abs()).sort_values(["_size", *keys]).index
    return moved.loc[order, [*keys, *shown]].rename(columns={"words_b": "words"}).reset_index(drop=True)
