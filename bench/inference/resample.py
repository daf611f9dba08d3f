"""Random numbers for all statistics: resampling counts and random signs, and their products with per-unit sums.

Conventions: a unit is a segment or a cluster; a replicate is one random weighting of all units. Every statistic
is a ratio of sums, so a replicate is only ever seen as `weights @ sums`. Weights come from the counter-based
generator Philox4x32-10 (Salmon et al., SC11, "Parallel random numbers: as easy as 1, 2, 3"): the key is the seed,
the counter holds the block, the replicate and the purpose. A replicate is therefore the same whatever the size of
a chunk, the number of threads or the statistics asked for, and all of them see the same replicates. Sums are whole
numbers, so the products are exact: in float32 below 2**24, in float64 below 2**53.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bench.fault import Fault

Purpose = Literal["counts", "signs", "second"]
PURPOSES: dict[Purpose, int] = {"counts": 0, "signs": 1, "second": 2}
CHUNK_CELLS = 1 << 19  # weights held at a time and thread: 2 MiB of float32, which a core's cache holds
BATCH_CELLS = 1 << 24  # products held at a time: 64 MiB of float32

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_K0, _K1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _WORD = np.uint64(0xFFFFFFFF), np.uint64(32)


@njit(cache=True, nogil=True)
def _philox(first, replicate, purpose, seed, out):  # type: ignore[no-untyped-def]
    """Fill out (blocks, 4), uint32, with the blocks first, first + 1, ... of one replicate's stream."""
    for j in range(out.shape[0]):
        a, b = np.uint64(first + j) & _LOW, np.uint64(0)
        c, d = np.uint64(replicate) & _LOW, np.uint64(purpose)
        k, m = seed & _LOW, seed >> _WORD
        for _ in range(10):
            p, q = _M0 * a, _M1 * c
            a, b = (q >> _WORD) ^ b ^ k, q & _LOW
            c, d = (p >> _WORD) ^ d ^ m, p & _LOW
            k, m = (k + _K0) & _LOW, (m + _K1) & _LOW
        out[j, 0], out[j, 1], out[j, 2], out[j, 3] = a, b, c, d


@njit(cache=True, nogil=True)
def _count(first, purpose, seed, place, out):  # type: ignore[no-untyped-def]
    """Row r of out (replicates, units), float32: how often replicate first + r draws the unit at each place."""
    units = out.shape[1]
    n = np.uint64(units)
    reject = np.uint64((1 << 32) % units)  # Lemire (2019): draws below it would favour some units
    words = np.empty((256, 4), np.uint32)
    for r in range(out.shape[0]):
        out[r] = 0
        drawn, block = 0, 0
        while drawn < units:
            _philox(block, first + r, purpose, seed, words)
            block += 256
            for j in range(256):
                for i in range(4):
                    product = np.uint64(words[j, i]) * n
                    if drawn < units and (product & _LOW) >= reject:
                        out[r, place[product >> _WORD]] += 1
                        drawn += 1


@njit(cache=True, nogil=True)
def _flip(first, purpose, seed, place, out):  # type: ignore[no-untyped-def]
    """Row r of out (replicates, units), float32: +1 or -1 for each unit, 32 units to a word, lowest bit first."""
    units = out.shape[1]
    words = np.empty(((units + 127) // 128, 4), np.uint32)
    for r in range(out.shape[0]):
        _philox(0, first + r, purpose, seed, words)
        for unit in range(units):
            word = words[unit >> 7, (unit >> 5) & 3]
            out[r, place[unit]] = np.float32(2 * np.int64((word >> np.uint32(unit & 31)) & np.uint32(1)) - 1)


def weights(
    first: int, size: int, units: int, *, purpose: Purpose, seed: int, place: NDArray[np.intp] | None = None
) -> NDArray[np.float32]:
    """The replicates first, first + 1, ... as rows of shape (size, units): counts that add up to `units`, or signs.

    Unit u has column place[u], or u where there is no `place`.
    """
    out = np.empty((size, units), np.float32)
    fill = _flip if purpose == "signs" else _count
    fill(first, PURPOSES[purpose], np.uint64(seed), np.arange(units) if place is None else place, out)
    return out


def weights_twin(first: int, size: int, units: int, *, purpose: Purpose, seed: int) -> NDArray[np.float32]:
    """What `weights` gives, said once more in NumPy: the definition that the compiled kernels are held to."""
    out = np.empty((size, units), np.float32)
    for row in range(size):
        if purpose == "signs":
            words = philox_twin(np.arange(-(-units // 128)), first + row, PURPOSES[purpose], seed)
            bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")[:units]
            out[row] = 2 * bits.astype(np.float32) - 1
        else:
            words = philox_twin(np.arange(-(-units // 4) + 64), first + row, PURPOSES[purpose], seed)
            product = words.astype(np.uint64) * np.uint64(units)
            fair = product[(product & _LOW) >= np.uint64((1 << 32) % units)][:units]
            out[row] = np.bincount((fair >> _WORD).astype(np.intp), minlength=units)
    return out


def philox_twin(blocks: NDArray[np.intp], replicate: int, purpose: int, seed: int) -> NDArray[np.uint32]:
    """The words of the given blocks of one replicate's stream, in order, shape (4 x blocks,)."""
    a = blocks.astype(np.uint64)
    b = np.zeros_like(a)
    c, d = np.full_like(a, replicate), np.full_like(a, purpose)
    k, m = np.uint64(seed) & _LOW, np.uint64(seed) >> _WORD
    for _ in range(10):
        p, q = _M0 * a, _M1 * c
        a, b, c, d = (q >> _WORD) ^ b ^ k, q & _LOW, (p >> _WORD) ^ d ^ m, p & _LOW
        k, m = (k + _K0) & _LOW, (m + _K1) & _LOW
    return np.stack([a, b, c, d], axis=1).astype(np.uint32).ravel()


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Sums of some units: `index` (n,) says which of all units they are, `sums` (n, columns) are whole numbers."""

    index: NDArray[np.intp]
    sums: NDArray[np.int64]


def products(
    blocks: Sequence[Block], units: int, *, purpose: Purpose, seed: int, replicates: int, threads: int = 1
) -> Iterator[NDArray[Any]]:
    """For each block in turn weights[:, index] @ sums, transposed: shape (columns, replicates), whole numbers.

    The weights are those of all `units`, whichever units a block holds. They are made once for as many blocks as
    BATCH_CELLS allows and made again, the same, for the next. Raises Fault where sums would pass 2**53.
    """
    batch: list[Block] = []
    cells = 0
    for block in blocks:
        size = block.sums.shape[1] * replicates
        if batch and cells + size > BATCH_CELLS:
            yield from _multiply(batch, units, purpose, seed, replicates, threads)
            batch, cells = [], 0
        batch.append(block)
        cells += size
    if batch:
        yield from _multiply(batch, units, purpose, seed, replicates, threads)


def _multiply(
    blocks: Sequence[Block], units: int, purpose: Purpose, seed: int, replicates: int, threads: int
) -> list[NDArray[Any]]:
    place = _layout(blocks, units)
    columns: list[slice | NDArray[np.intp]] = []
    factors = []
    for block in blocks:
        order = np.argsort(place[block.index])
        at = place[block.index][order]
        together = len(at) > 0 and at[-1] - at[0] == len(at) - 1
        columns.append(slice(at[0], at[-1] + 1) if together else at)
        factors.append(block.sums[order].astype(_exact(block.sums, units)))
    out = [np.empty((factor.shape[1], replicates), factor.dtype) for factor in factors]
    step = max(1, min(replicates, CHUNK_CELLS // units))

    def work(first: int) -> None:
        last = min(first + step, replicates)
        rows = weights(first, last - first, units, purpose=purpose, seed=seed, place=place)
        for column, factor, product in zip(columns, factors, out, strict=True):
            product[:, first:last] = (rows[:, column].astype(factor.dtype, copy=False) @ factor).T

    starts = range(0, replicates, step)
    if threads == 1:
        for first in starts:
            work(first)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, starts))
    return out


def _layout(blocks: Sequence[Block], units: int) -> NDArray[np.intp]:
    """A place for each unit that keeps those of a block side by side, as far as the first blocks allow.

    A block on neighbouring columns multiplies a view of the weights; any other has to gather them first.
    """
    place = np.full(units, -1)
    taken = 0
    for index in [block.index for block in blocks if len(block.index) < units] + [np.arange(units)]:
        fresh = index[place[index] < 0]
        place[fresh] = np.arange(taken, taken + len(fresh))
        taken += len(fresh)
    return place


def _exact(sums: NDArray[np.int64], units: int) -> type[np.float32] | type[np.float64]:
    """The narrowest type in which no weighted sum of this column can be rounded, whatever the weights."""
    largest = int(np.abs(sums).max(initial=0)) * units
    if largest < 1 << 24:
        return np.float32
    if largest < 1 << 53:
        return np.float64
    raise Fault(f"A unit holds {largest // units} errors or words; expected fewer than 2**53 over {units} units.")
