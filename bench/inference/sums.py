"""From scores to whole-number sums per unit of resampling, the only thing that the statistics ever see.

Conventions: a score is one expected utterance, (system, voice, track, segment, take, channel, recogniser), with a
count of errors and a count of words. A unit is a segment or a cluster of segments. The takes of a segment are averaged
inside it, so that a segment weighs once: counts are multiplied by the least common multiple of the numbers of takes
and divided by each segment's own number, and stay whole. A slice is one family of systems that are compared with
one another, on one stratum of the segments. It uses headline rows where it has any, and its diagnostic rows where it
has nothing else, never both together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench.fault import Fault

WHOLE = "all"


@dataclass(frozen=True, eq=False, slots=True)
class Slice:
    """One family on one stratum: `errors` and `words` (n, components, systems) of the units `index` (n,).

    `family` holds the values of the `by` columns. There is one component, or one for each value of `over`, such as
    the recognisers of a panel mean.
    """

    family: dict[str, str]
    stratum: str
    headline: bool
    systems: tuple[str, ...]
    index: NDArray[np.intp]
    errors: NDArray[np.int64]
    words: NDArray[np.int64]
    segments: int


@dataclass(frozen=True, eq=False, slots=True)
class Sums:
    """All that is resampled: the kind of unit and their number, what counts are multiplied by, and the slices."""

    unit: str
    units: int
    scale: int
    slices: tuple[Slice, ...]


def collect(
    scores: pd.DataFrame,
    *,
    by: Sequence[str],
    between: str = "system",
    over: str | None = None,
    unit: str | None = None,
    errors: str = "errors",
    words: str | None = "words",
    strata: Sequence[Sequence[str]] = (),
) -> Sums:
    """Add the scores up per unit, family, stratum and system; the whole comes before the strata.

    Where `unit` is None it is the cluster if the scores declare a cluster of more than one segment, else the segment.
    Each item of `strata` is a combination of columns, and each combination of their values a stratum. `between` is the
    column in the role of the system, as when two tracks of one system are compared. Raises Fault for missing columns,
    repeated rows, and systems of one family that do not have the same segments: missing work is a failure to be scored.
    """
    if scores.empty:
        raise Fault("There are no scores; expected at least one row.")
    if unit not in (None, "segment", "cluster"):
        raise Fault(f"The unit of resampling is {unit!r}; expected 'segment' or 'cluster'.")
    segment, segments = pd.factorize(column(scores, "segment").astype(str).to_numpy(object), sort=True)
    cluster, clusters = _clusters(scores, segments[segment])
    if unit is None:
        unit = "cluster" if clusters < len(segments) else "segment"
    place, units = (cluster, clusters) if unit == "cluster" else (segment, len(segments))

    family = pd.DataFrame({name: names(scores, name) for name in by}, index=scores.index)
    group = family.groupby(list(by), sort=True).ngroup().to_numpy() if by else np.zeros(len(scores), np.intp)
    system, systems = pd.factorize(names(scores, between), sort=True)
    component, values = _components(scores, over)
    cell = (group * len(values) + component) * len(systems) + system
    pair = cell * np.int64(len(segments)) + segment
    _refuse_repeats(scores, pair)
    _, inverse, takes = np.unique(pair, return_inverse=True, return_counts=True)
    scale = math.lcm(*np.unique(takes).tolist())
    sums = np.stack([counts(scores, errors), counts(scores, words)]) * (scale // takes[inverse])
    headline = column(scores, "headline").to_numpy(bool) if "headline" in scores else np.ones(len(scores), bool)

    slices: list[Slice] = []
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    for name, inside in _strata(scores, strata):
        for rows in (own[inside[own]] for own in members):
            if not len(rows):
                continue
            main = bool(headline[rows].any())
            chosen = rows[headline[rows]] if main else rows
            present, column_of = np.unique(system[chosen], return_inverse=True)
            titles = tuple(systems[present])
            index, row_of = np.unique(place[chosen], return_inverse=True)
            shape = len(index), len(values), len(present)
            flat = np.ravel_multi_index((row_of, component[chosen], column_of), shape)
            wrong, read = (np.bincount(flat, v[chosen], math.prod(shape)).reshape(shape).astype(np.int64) for v in sums)
            key = dict(family.iloc[int(chosen[0])])
            heard = np.unique(pair[chosen]) % len(segments)
            _refuse_gaps(key, heard, segments, titles, len(values))
            slices.append(Slice(key, name, main, titles, index, wrong, read, len(np.unique(heard))))
    return Sums(unit, units, scale, tuple(slices))


def entrants(scores: pd.DataFrame) -> pd.Series[str]:
    """The name each row competes under: the system, and its voice too where the system speaks with several."""
    system = column(scores, "system").astype(str)
    if "voice" not in scores:
        return system
    voice = scores["voice"].astype(object).where(scores["voice"].notna(), "").astype(str)
    several = voice.groupby(system).transform("nunique") > 1
    return system.where(~several, system + "/" + voice)


def names(scores: pd.DataFrame, name: str) -> pd.Series[str]:
    """The column as text; that of the system tells its voices apart."""
    return entrants(scores) if name == "system" else column(scores, name).astype(str)


def common(scores: pd.DataFrame, between: str, by: Sequence[str]) -> pd.DataFrame:
    """The rows of those segments that have rows under every value of `between` in their family."""
    key = pd.DataFrame({name: names(scores, name) for name in by}, index=scores.index)
    key = key.assign(_segment=column(scores, "segment").astype(str), _between=names(scores, between))
    family = key.groupby(list(by), sort=False)["_between"] if by else key.groupby(np.zeros(len(key)))["_between"]
    here = key.groupby([*by, "_segment"], sort=False)["_between"]
    return scores[(here.transform("nunique") == family.transform("nunique")).to_numpy()]


def counts(scores: pd.DataFrame, name: str | None) -> NDArray[np.int64]:
    """A column of counts, or 1 for each row where `name` is None; "errors" may be left to S + D + I.

    Raises Fault where the column is missing or holds anything but whole numbers from 0 on.
    """
    if name is None:
        return np.ones(len(scores), np.int64)
    parts = ["substitutions", "deletions", "insertions"]
    if name == "errors" and name not in scores and set(parts) <= set(scores):
        return counts(scores, parts[0]) + counts(scores, parts[1]) + counts(scores, parts[2])
    values = pd.to_numeric(column(scores, name), errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = ~((values >= 0) & (values == np.floor(values)) & (values < 2**53))
    if wrong.any():
        found = scores[name].iloc[int(np.flatnonzero(wrong)[0])]
        raise Fault(f"The column '{name}' holds {found}; expected a whole number from 0 on in every row.")
    return values.astype(np.int64)


def column(scores: pd.DataFrame, name: str) -> pd.Series[Any]:
    """The column of that name. Raises Fault where there is none."""
    if name not in scores:
        raise Fault(f"The scores have no column '{name}'; they have {', '.join(map(str, scores.columns))}.")
    return scores[name]


def labels(scores: pd.DataFrame, columns: Sequence[str]) -> pd.Series[str]:
    """The stratum of each row, "setting=bank, difficulty=D1"; missing where any of the columns is."""
    label = pd.Series("", index=scores.index)
    for position, name in enumerate(columns):
        values = column(scores, name)
        part = (", " if position else "") + name + "=" + values.astype(str)
        label = (label + part).where(values.notna() & label.notna())
    return label


def _strata(scores: pd.DataFrame, strata: Sequence[Sequence[str]]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    yield WHOLE, np.ones(len(scores), bool)
    for columns in strata:
        code, found = pd.factorize(labels(scores, [columns] if isinstance(columns, str) else columns), sort=True)
        for position, name in enumerate(found):
            yield str(name), code == position


def _clusters(scores: pd.DataFrame, segment: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    """Cluster codes and their number; a segment that names no cluster is one of its own."""
    label = pd.Series(segment, index=scores.index)
    if "cluster" in scores:
        named = scores["cluster"].notna()
        label = ("cluster " + scores["cluster"].astype(str)).where(named, "segment " + label)
    code, found = pd.factorize(label, sort=True)
    return code, len(found)


def _components(scores: pd.DataFrame, over: str | None) -> tuple[NDArray[np.intp], list[str]]:
    if over is None:
        return np.zeros(len(scores), np.intp), [""]
    code, values = pd.factorize(names(scores, over), sort=True)
    return code, list(values)


def _refuse_repeats(scores: pd.DataFrame, pair: NDArray[np.int64]) -> None:
    take = scores["take"].to_numpy() if "take" in scores else np.zeros(len(scores), int)
    repeated = pd.DataFrame({"pair": pair, "take": take}).duplicated().to_numpy()
    if repeated.any():
        at = int(np.flatnonzero(repeated)[0])
        raise Fault(
            f"Segment '{scores['segment'].iloc[at]}' is scored twice for take {take[at]} of system "
            f"'{entrants(scores).iloc[at]}'; expected one row for each take. Add what tells the rows apart to `by`."
        )


def _refuse_gaps(
    family: dict[str, str], heard: NDArray[np.int64], segments: NDArray[Any], systems: tuple[str, ...], components: int
) -> None:
    """Every segment must come once for each system and component; `heard` are the codes of all that came."""
    code, times = np.unique(heard, return_counts=True)
    expected = len(systems) * components
    if (times != expected).any():
        at = int(np.argmin(times))
        where = ", ".join(f"{name} {value}" for name, value in family.items()) or "these scores"
        of = "systems" if components == 1 else "systems and recognisers"
        raise Fault(
            f"Segment '{segments[code[at]]}' has scores of {times[at]} out of {expected} {of} under {where} "
            f"({', '.join(systems)}); expected all. Score what is missing as a failure, or leave it out for all."
        )
