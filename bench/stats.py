"""What a text set is made of: the composition tables of the TR-TTS-Bench card, for any set.

Conventions: a table counts segments unless its name says otherwise. A table whose columns a set does not have is left
out. Where a set has several splits, settings or lengths, each is a column of its own beside the total. Lengths are
those of `bench.length`; a percentile is the smallest value that at least that share of the segments does not exceed
(nearest rank), so that every figure is one that occurs. The same set gives the same page, to the byte.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd

from bench import length
from bench.fault import Fault
from bench.lattice import count, parse
from bench.segment import Segment, TextSet

SHINGLE = 8  # words in a row that two texts must share to be near duplicates
FREQUENT = 20  # a run of words in more segments than this is boilerplate, and is not paired
_ORDER = {"length": (*length.BUCKETS, length.VERY_LONG), "wer_visible": ("W", "P", "N"), "split": ("public", "hidden")}
_NUMBER = re.compile(r"\d+(?:\.\d+)?%?")
_TOKEN = re.compile(r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|[^\W_]+")


def tables(text_set: TextSet) -> dict[str, pd.DataFrame]:
    """Every composition table that the set has the columns for, by its title, in the card's order."""
    frame = _frame(text_set.segments)
    setting, split = _values(frame, "setting"), _values(frame, "split")
    parts = {"setting": setting, "split": split}
    found = {
        "Setting × length": _cross(frame, "setting", "length", split=split),
        "Phenomenon groups": _by(frame, "group", "group_name", parts),
        "Phenomena": _by(frame, "phenomenon_primary", None, {"split": split}),
        "Categories": _by(frame, "category", None, parts),
        "Domains": _by(frame, "domain", "domain_name", {"split": split}),
        "Varieties": _varieties(frame),
        "Difficulty": _by(frame, "difficulty", None, {"split": split}, share=True),
        "WER visibility": _by(frame, "wer_visible", None, {"split": split}, share=True),
        "Difficulty × WER visibility": _cross(frame, "difficulty", "wer_visible"),
        "Flags": _flags(frame, split),
        "Subsets": _subsets(frame, text_set, setting),
        "Spans by type": _spans(text_set.segments),
        "Targets by category": _targets(text_set.segments),
        "Lengths": _lengths(frame, split),
        "Near duplicates": near_duplicates(text_set),
    }
    return {name: table for name, table in found.items() if table is not None}


def markdown(text_set: TextSet) -> str:
    """The tables as a page, STATS.md."""
    lines = [
        f"# {text_set.name}",
        "",
        f"{len(text_set)} segments in the layout {text_set.layout}, sha256 `{text_set.sha256}`. Length is counted in",
        f"spoken words. Near duplicates share {SHINGLE} words in a row.",
    ]
    for name, table in tables(text_set).items():
        lines += ["", f"## {name}", ""]
        if table.empty:
            lines.append("None.")
            continue
        numbers = [all(_NUMBER.fullmatch(str(cell)) for cell in table[column]) for column in table]
        lines.append(_line(table.columns))
        lines.append("|" + "|".join("---:" if number else "---" for number in numbers) + "|")
        lines += [_line(row) for row in table.itertuples(index=False, name=None)]
    return "\n".join(lines) + "\n"


def near_duplicates(text_set: TextSet) -> pd.DataFrame:
    """Pairs of segments whose written texts share SHINGLE words in a row: `first`, `second` (ids, in file order) and
    `shared`, the number of different runs. A text of fewer words is compared whole. A run that more than FREQUENT
    segments have is counted for neighbours in the file alone."""
    holders: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, segment in enumerate(text_set.segments):
        tokens = _TOKEN.findall(segment.text.casefold())
        starts = range(max(len(tokens) - SHINGLE, 0) + 1) if tokens else ()
        for run in dict.fromkeys(tuple(tokens[start : start + SHINGLE]) for start in starts):
            holders[run].append(place)
    shared: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        shared.update(combinations(places, 2) if len(places) <= FREQUENT else pairwise(places))
    ids = [segment.id for segment in text_set.segments]
    rows = [(ids[first], ids[second], number) for (first, second), number in sorted(shared.items())]
    return pd.DataFrame(rows, columns=["first", "second", "shared"])


def _frame(segments: Sequence[Segment]) -> pd.DataFrame:
    """A row a segment: its strata, names and flags as they stand, and its lengths."""
    return pd.DataFrame([_features(segment) for segment in segments])


def _features(segment: Segment) -> dict[str, Any]:
    try:
        words = length.words(segment)
        paths = 1 if segment.lattice is None else count(parse(segment.lattice))
    except Fault as fault:
        raise Fault(f"The lattice of segment {segment.id!r} cannot be read. {fault}") from None
    named = {name: segment.extra.get(name) for name in ("split", "group_name", "domain_name")}
    sizes = {"words": words, "characters": len(segment.text), "multi_reference": paths > 1}
    return {**named, **segment.strata, "length": length.bucket(words), **sizes}


def _values(frame: pd.DataFrame, column: str) -> list[Any]:
    """The different values of a column: in the card's order where it has one, else sorted; none if it is empty."""
    if column not in frame:
        return []
    values = frame[column].dropna().unique()
    order = _ORDER.get(column, ())
    return sorted(values, key=lambda value: (order.index(value) if value in order else len(order), str(value)))


def _counts(chosen: pd.DataFrame, parts: dict[str, list[Any]]) -> dict[str, int]:
    """How many rows have each value of each column that has several, and in all."""
    several = {
        str(value): int((chosen[column] == value).sum())
        for column, values in parts.items()
        if len(values) > 1
        for value in values
    }
    return several | {"total": len(chosen)}


def _by(
    frame: pd.DataFrame, column: str, name: str | None, parts: dict[str, list[Any]], *, share: bool = False
) -> pd.DataFrame | None:
    rows = []
    for value in _values(frame, column):
        chosen = frame[frame[column] == value]
        row: dict[str, Any] = {column: str(value)}
        if name and (names := _values(chosen, name)):
            row["name"] = names[0]
        row |= _counts(chosen, parts)
        if share:
            row["share"] = f"{len(chosen) / len(frame):.1%}"
        rows.append(row)
    return pd.DataFrame(rows) if rows else None


def _cross(frame: pd.DataFrame, row: str, column: str, *, split: Sequence[Any] = ()) -> pd.DataFrame | None:
    values, parts = _values(frame, row), {column: _values(frame, column), "split": list(split)}
    if not values or not parts[column]:
        return None
    rows = [{row: str(value)} | _counted(frame[frame[row] == value], parts) for value in values]
    return pd.DataFrame([*rows, {row: "total"} | _counted(frame, parts)])


def _counted(chosen: pd.DataFrame, parts: dict[str, list[Any]]) -> dict[str, int]:
    """As `_counts`, but a column stands there even if it has one value."""
    (column, values), *_ = parts.items()
    return {str(value): int((chosen[column] == value).sum()) for value in values} | _counts(
        chosen, {name: values for name, values in parts.items() if name != column}
    )


def _varieties(frame: pd.DataFrame) -> pd.DataFrame | None:
    """A row a locality: localities are never pooled before each is shown."""
    if not _values(frame, "variety"):
        return None
    places = frame.assign(locality=frame["locality"].fillna("") if "locality" in frame else "")
    counts = places.groupby(["variety", "locality"], sort=True).size()
    return counts.reset_index(name="total")


def _flags(frame: pd.DataFrame, split: list[Any]) -> pd.DataFrame:
    rows = [
        {"flag": name} | _counts(frame[frame[column].eq(True)], {"split": split})
        for name, column in (
            ("headline", "headline"),
            ("robustness", "robustness"),
            ("multi-reference (n_paths > 1)", "multi_reference"),
        )
        if column in frame
    ]
    return pd.DataFrame(rows)


def _subsets(frame: pd.DataFrame, text_set: TextSet, setting: list[Any]) -> pd.DataFrame | None:
    names = sorted({name for segment in text_set.segments for name in segment.subsets})
    rows = []
    for name in names:
        chosen = frame[[name in segment.subsets for segment in text_set.segments]]
        row: dict[str, Any] = {"subset": name, "n": len(chosen)}
        row |= _counts(chosen, {"setting": setting, "length": _values(frame, "length")})
        del row["total"]
        if "headline" in frame:
            row["headline"] = int(chosen["headline"].eq(True).sum())
        rows.append(row)
    return pd.DataFrame(rows) if rows else None


def _spans(segments: Sequence[Segment]) -> pd.DataFrame | None:
    spans = [(span, segment.id) for segment in segments for span in segment.spans]
    rows = [
        {
            "type": kind,
            "spans": sum(span.type == kind for span, _ in spans),
            "with alternatives": sum(span.type == kind and bool(span.alternatives) for span, _ in spans),
            "segments": len({identity for span, identity in spans if span.type == kind}),
        }
        for kind in sorted({span.type for span, _ in spans})
    ]
    return pd.DataFrame(rows) if rows else None


def _targets(segments: Sequence[Segment]) -> pd.DataFrame | None:
    targets = [target for segment in segments for target in segment.targets]
    rows = [
        {
            "category": category,
            "targets": sum(target.category == category for target in targets),
            "auto-evaluable": sum(target.category == category and target.auto_evaluable for target in targets),
        }
        for category in sorted({target.category for target in targets})
    ]
    return pd.DataFrame(rows) if rows else None


def _lengths(frame: pd.DataFrame, split: list[Any]) -> pd.DataFrame:
    parts = [(str(value), frame[frame["split"] == value]) for value in split] if len(split) > 1 else []
    rows = []
    for name, part in [*parts, ("all", frame)]:
        shortest, p10, median, p90, longest = _ranks(part["words"], (0, 10, 50, 90, 100))
        rows.append(
            {
                "split": name,
                "n": len(part),
                "min": shortest,
                "p10": p10,
                "median": median,
                "p90": p90,
                "max": longest,
                "mean words": f"{part['words'].mean():.1f}",
                "median chars": _ranks(part["characters"], (50,))[0],
                "max chars": int(part["characters"].max()),
                "total chars": int(part["characters"].sum()),
            }
        )
    return pd.DataFrame(rows)


def _ranks(values: pd.Series[int], percent: Sequence[int]) -> list[int]:
    return [int(value) for value in np.percentile(values.to_numpy(), percent, method="inverted_cdf")]


def _line(cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
