"""The statistics of one slice: rates, differences, tests and ranks of the systems of a family, from shared replicates.

Conventions: the statistic of a system is the mean over components of errors / words: its rate where there is one
component, a panel mean where each recogniser is one. Arrays over systems are in the order of the slice, arrays over
pairs in that of `test.pairs`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.inference import test
from bench.inference.interval import (
    CARRIERS,
    ENOUGH,
    UNDEFINED,
    Floats,
    Interval,
    beyond_interval,
    newcombe,
    percentile,
    rate_interval,
)
from bench.inference.resample import Block, Purpose, products
from bench.inference.sums import Slice, Sums

CELLS = 1 << 21  # differences held at a time: 16 MiB of float64


@dataclass(frozen=True, eq=False, slots=True)
class Estimate:
    """What is known of one slice: for each system `value`, its `interval` and its `replicates` (S, B); for each pair
    the difference a - b with its interval, and p by randomisation and by the centred bootstrap."""

    slice: Slice
    value: Floats
    interval: list[Interval]
    replicates: Floats
    difference: Floats
    difference_interval: list[Interval]
    p: Floats
    p_bootstrap: Floats

    @property
    def units(self) -> int:
        return len(self.slice.index)


def estimates(
    sums: Sums,
    *,
    seed: int,
    replicates: int,
    threads: int = 1,
    tests: bool = True,
    purpose: Purpose = "counts",
) -> Iterator[Estimate]:
    """An Estimate of each slice, in order, all from the same replicates; without `tests` every p is nan.

    Slices with fewer than 200 units and one component also resample squares and products, for the bootstrap-t.
    """
    packed = [_pack(part) for part in sums.slices]
    resampled = products(
        [block for block, _ in packed], sums.units, purpose=purpose, seed=seed, replicates=replicates, threads=threads
    )
    flipped = _flipped(sums, packed, seed, replicates, threads) if tests else iter([None] * len(packed))
    for part, (_, places), product, signed in zip(sums.slices, packed, resampled, flipped, strict=True):
        yield _estimate(part, product, signed, places)


Places = NDArray[np.intp]  # (kinds, components, systems): where a slice's errors, words, e e, e w and w w are resampled


def _pack(part: Slice) -> tuple[Block, Places]:
    """Each distinct column of a slice once: systems of a family mostly share their words."""
    e, w = part.errors, part.words
    kinds = [e, w]
    if len(part.index) < ENOUGH and e.shape[1] == 1:
        kinds += [e * e, e * w, w * w]
    columns = np.stack(kinds, axis=1).reshape(len(part.index), -1).T
    known: dict[bytes, int] = {}
    places = [known.setdefault(column.tobytes(), len(known)) for column in columns]
    first = [places.index(place) for place in range(len(known))]
    block = Block(part.index, np.ascontiguousarray(columns[first].T))
    return block, np.reshape(places, (len(kinds), *e.shape[1:]))


def _flipped(
    sums: Sums, packed: Sequence[tuple[Block, Places]], seed: int, replicates: int, threads: int
) -> Iterator[NDArray[Any]]:
    """The columns of errors and words of each slice with random signs; one number of randomisations serves all."""
    count = test.randomisations(max(len(part.systems) for part in sums.slices), replicates)
    blocks = [Block(block.index, block.sums[:, : places[:2].max() + 1]) for block, places in packed]
    return products(blocks, sums.units, purpose="signs", seed=seed, replicates=count, threads=threads)


def _estimate(part: Slice, product: NDArray[Any], signed: NDArray[Any] | None, places: Places) -> Estimate:
    errors, words = part.errors.astype(np.float64), part.words.astype(np.float64)
    total_e, total_w = errors.sum(axis=0), words.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = (total_e / total_w).mean(axis=0)
        sample = [product[place].astype(np.float64) for place in places]
        rates = sample[0] / sample[1]
        replicates = rates.mean(axis=0)
        student = None
        if len(sample) == 5:
            spread = sample[2] - 2 * rates * sample[3] + rates**2 * sample[4]
            student = (np.sqrt(np.maximum(spread, 0)) / sample[1])[0]
    interval = [
        _one(errors[..., s], words[..., s], replicates[s], None if student is None else student[s])
        for s in range(len(part.systems))
    ]
    a, b = test.pairs(len(part.systems))
    difference = value[a] - value[b]
    between, p_bootstrap = _differences(errors, words, value, replicates, interval)
    p = np.full(len(a), np.nan)
    if signed is not None:
        p = test.randomisation(total_e, total_w, signed[places[0]], signed[places[1]])
        p[np.isnan(difference)] = np.nan
    return Estimate(part, value, interval, replicates, difference, between, p, p_bootstrap)


def _one(errors: Floats, words: Floats, replicates: Floats, student: Floats | None) -> Interval:
    """The interval of one system, whose errors and words are (n, components)."""
    if errors.shape[1] == 1:
        scale = math.sqrt(len(errors) / max(1, len(errors) - 1))
        return rate_interval(errors[:, 0], words[:, 0], replicates, None if student is None else scale * student)
    if len(errors) < 2 or (words.sum(axis=0) == 0).any():
        return UNDEFINED
    lo, hi = percentile(np.sort(replicates), len(errors))
    return Interval(float(lo), float(hi), "percentile" if len(errors) >= ENOUGH else "t percentile")


def _differences(
    errors: Floats, words: Floats, value: Floats, replicates: Floats, interval: Sequence[Interval]
) -> tuple[list[Interval], Floats]:
    """The interval of each difference a - b, and its p by the centred bootstrap, a few pairs at a time."""
    n = len(errors)
    a, b = test.pairs(len(value))
    found: list[Interval] = []
    p = np.full(len(a), np.nan)
    step = max(1, CELLS // replicates.shape[1])
    for first in range(0, len(a), step):
        some = slice(first, first + step)
        drawn = np.sort(replicates[a[some]] - replicates[b[some]], axis=1)
        p[some] = test.centred(drawn, value[a[some]] - value[b[some]])
        ends = percentile(drawn, n) if n > 1 else (drawn[:, 0], drawn[:, 0])
        for i, j, lo, hi in zip(a[some], b[some], *ends, strict=True):
            same_words = errors.shape[1] == 1 and (words[..., i] == words[..., j]).all()
            unlike = ((errors[..., i] != errors[..., j]) | (words[..., i] != words[..., j])).any(axis=1)
            if n < 2 or np.isnan(value[i] - value[j]):
                found.append(UNDEFINED)
            elif np.count_nonzero(unlike) < CARRIERS and same_words:
                found.append(beyond_interval(errors[:, 0, i], errors[:, 0, j], words[:, 0, i]))
            elif np.count_nonzero(unlike) < CARRIERS:
                found.append(Interval(*newcombe(value[i], interval[i], value[j], interval[j]), "hybrid"))
            else:
                found.append(Interval(float(lo), float(hi), "percentile" if n >= ENOUGH else "t percentile"))
    p[np.isnan(value[a] - value[b])] = np.nan
    return found, p
