"""Hypotheses against lattices of accepted readings: counts of word and character errors that add.

The alignment of a row is the path of the reference's lattice, and of the hypothesis's where that is a lattice too,
with the fewest word errors, then the most hits, then, resolving groups from the last one backwards, the first
option in file order; the reference's groups before the hypothesis's.

Conventions: reference before hypothesis. The denominator is fixed: the words (characters) of the canonical reading,
whatever path was taken, so that a difference of two systems has one denominator. Characters are code points
without spaces. Character errors are those along the path of the words; the least character errors are the minimum
over all paths. An empty reference has no errors when the hypothesis is empty, else one insertion a word. The loops
are compiled (`bench.kernels`, `bench.letters`); where numba is missing `bench.twin` gives the same numbers, slowly.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from bench import twin
from bench.fault import Fault
from bench.lattice import Lattice, canonical, linear, parse, text, words

Integers = NDArray[np.int32]
CHUNK = 1 << 11  # hypotheses at a time: what one core works on then lies in its cache
MANY = 1 << 13  # hypotheses from which on it pays to give every core work


@cache
def compiled() -> bool:
    """Whether numba is here. It and what needs it are loaded when first used, which takes 0.3 s."""
    return find_spec("numba") is not None


@dataclass(frozen=True, slots=True)
class Counts:
    """Word errors of one row or of many: they add. `words` is the canonical reading's number of words."""

    hits: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    words: int = 0

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(
            self.hits + other.hits,
            self.substitutions + other.substitutions,
            self.deletions + other.deletions,
            self.insertions + other.insertions,
            self.words + other.words,
        )

    def __radd__(self, other: object) -> Counts:
        return self if other == 0 else NotImplemented  # the start of sum()

    def __truediv__(self, other: object) -> NoReturn:
        raise TypeError("Counts do not average: add them and take the rate of the sum.")

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def rate(self) -> float | None:
        """Errors over words; None, undefined, where the references are all empty."""
        return self.errors / self.words if self.words else None


@dataclass(frozen=True, eq=False, slots=True)
class Trace:
    """The columns of every row's alignment, end to end: row k has those from `start[k]` to `start[k + 1]`.

    `reference` and `hypothesis` are places in their lattices (see `bench.lattice`), -1 in an insertion and a
    deletion; `hit` is true where the two words are equal. Where alignments of the same paths tie, reading from the
    end a hit or a substitution goes before a deletion, and a deletion before an insertion.
    """

    start: NDArray[np.int64]
    reference: Integers
    hypothesis: Integers
    hit: NDArray[np.bool_]

    def right(self, row: int, places: range) -> bool:
        """Whether every reference word of the path in `places` hits and nothing is inserted between them."""
        columns = slice(self.start[row], self.start[row + 1])
        reference = self.reference[columns]
        inside = np.flatnonzero((reference >= places.start) & (reference < places.stop))
        return inside.size == 0 or bool(self.hit[columns][inside[0] : inside[-1] + 1].all())


@dataclass(frozen=True, eq=False, slots=True)
class Alignments:
    """One number a row, int32[rows]. `words` and `characters` are the canonical reading's, the denominators."""

    hits: Integers
    substitutions: Integers
    deletions: Integers
    insertions: Integers
    words: Integers
    hypothesis_words: Integers
    character_errors: Integers
    least_character_errors: Integers
    characters: Integers
    trace: Trace | None = None

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def errors(self) -> Integers:
        return self.substitutions + self.deletions + self.insertions

    def counts(self, rows: Any = slice(None)) -> Counts:
        """The sum over rows: a slice, a mask or indices."""
        fields = (self.hits, self.substitutions, self.deletions, self.insertions, self.words)
        return Counts(*(int(field[rows].sum(dtype=np.int64)) for field in fields))


@dataclass(frozen=True, eq=False, slots=True)
class References:
    """Lattices made ready once for any number of systems. Made by `encode_references`."""

    texts: tuple[str, ...]
    words: Integers  # of the canonical readings
    characters: Integers
    codes: Any = None  # bench.codes.Codes, or None where numba is missing
    vocabulary: Any = None

    def __len__(self) -> int:
        return len(self.texts)


class Column(NamedTuple):
    """One column of an alignment: `op` is "=", "S", "D" or "I"."""

    reference: str | None
    hypothesis: str | None
    op: str


@dataclass(frozen=True, slots=True)
class Backtrace:
    """The alignment of one row, for people to read.

    `places` gives each column's place in the reference's lattice (None in an insertion); `options` the option
    taken of every group of the reference, numbered in file order (None in a group that the path does not meet).
    """

    columns: tuple[Column, ...]
    places: tuple[int | None, ...]
    options: tuple[int | None, ...]

    @property
    def counts(self) -> Counts:
        """The columns counted; `words` is that of the path, not of the canonical reading."""
        ops = [column.op for column in self.columns]
        hits, substitutions, deletions, insertions = (ops.count(op) for op in "=SDI")
        return Counts(hits, substitutions, deletions, insertions, hits + substitutions + deletions)


def encode_references(lattices: Iterable[str | Lattice]) -> References:
    """Make references ready for `align`. Raises Fault with the row (from 0) and the column of a malformed lattice."""
    texts = tuple(lattice if isinstance(lattice, str) else text(lattice) for lattice in lattices)
    if not compiled():
        readings = [canonical(_parse(lattice, row, "Reference")) for row, lattice in enumerate(texts)]
        words = np.array([len(reading) for reading in readings], np.int32)
        characters = np.array([sum(map(len, reading)) for reading in readings], np.int32)
        return References(texts, words, characters)
    from bench.codes import encode, sizes

    codes, vocabulary = encode(texts, True, None, "Reference")
    return References(texts, *sizes(codes), codes, vocabulary)


def align(
    references: References,
    hypotheses: Sequence[str | Lattice],
    rows: Sequence[int] | NDArray[np.integer[Any]] | None = None,
    *,
    trace: bool = False,
) -> Alignments:
    """Align hypothesis k with reference `rows[k]`, or with reference k where `rows` is not given.

    A hypothesis is normalised text, of which white space parts the words and every other character is itself, or
    a Lattice, of which the best path counts. With `trace` the columns come too. Raises Fault where the lengths
    do not agree or a row is not a reference.
    """
    index = _index(references, hypotheses, rows)
    counts = np.zeros((len(index), 7), np.int32)
    some = _compiled if compiled() else _plain

    def work(bounds: tuple[int, int]) -> Trace | None:
        chunk = slice(*bounds)
        return some(references, hypotheses[chunk], index[chunk], counts[chunk], trace)

    if len(index) > MANY and compiled():  # the kernels run without the interpreter's lock
        cores, parts = os.cpu_count() or 1, -(-len(index) // CHUNK)
        edges = np.linspace(0, len(index), -(-parts // cores) * cores + 1).astype(int).tolist()
        with ThreadPoolExecutor(cores) as pool:
            traces = list(pool.map(work, pairwise(edges)))
    else:
        traces = [work((0, len(index)))]
    counts = np.ascontiguousarray(counts.T)
    return Alignments(
        hits=counts[0],
        substitutions=counts[1],
        deletions=counts[2],
        insertions=counts[3],
        words=references.words[index],
        hypothesis_words=counts[4],
        character_errors=counts[5],
        least_character_errors=counts[6],
        characters=references.characters[index],
        trace=_join([found for found in traces if found is not None]) if trace else None,
    )


def least_errors(
    references: References, lattices: Sequence[str], rows: Sequence[int] | NDArray[np.integer[Any]]
) -> Integers:
    """The fewest word errors, int32[rows], of hypothesis k against reference `rows[k]` over all paths of both.

    The hypotheses are lattices as written; what `align` says of characters and columns is not looked for. Raises Fault
    as `align` does, and where a lattice is malformed.
    """
    index = _index(references, lattices, rows)
    if not compiled():
        pairs = zip(index, lattices, strict=True)
        found = [twin.align(parse(references.texts[row]), parse(lattice)) for row, lattice in pairs]
        return np.array([sum(one[1:4]) for one in found], np.int32)
    from bench import codes, kernels

    errors = np.zeros(len(index), np.int32)
    for first in range(0, len(index), CHUNK):
        chunk = slice(first, first + CHUNK)
        counts = np.zeros((len(index[chunk]), 7), np.int32)
        other, _ = codes.encode(lattices[chunk], True, references.vocabulary, "Hypothesis")
        paths = codes.paths(references.codes, other, index[chunk])
        kernels.align(references.codes, other, index[chunk], counts, paths)
        errors[chunk] = counts[:, 1:4].sum(axis=1)
    return errors


def _index(
    references: References,
    hypotheses: Sequence[str | Lattice],
    rows: Sequence[int] | NDArray[np.integer[Any]] | None,
) -> NDArray[np.int64]:
    """The reference of each hypothesis. Raises Fault where the lengths do not agree or a row is not a reference."""
    index = np.arange(len(references), dtype=np.int64) if rows is None else np.asarray(rows, np.int64)
    if len(index) != len(hypotheses):
        what = "references" if rows is None else "row numbers"
        raise Fault(f"There are {len(index)} {what} and {len(hypotheses)} hypotheses; expected one for each.")
    if len(index) and not 0 <= index.min() <= index.max() < len(references):
        wrong = index.min() if index.min() < 0 else index.max()
        raise Fault(f"Row number {wrong} is not one of the {len(references)} references, which count from 0.")
    return index


def _lattice(hypothesis: str | Lattice) -> Lattice:
    return hypothesis if isinstance(hypothesis, Lattice) else linear(hypothesis.split())


def _join(traces: Sequence[Trace]) -> Trace:
    starts = [np.zeros(1, np.int64)]
    for part in traces:
        starts.append(part.start[1:] + starts[-1][-1])
    nothing = np.zeros(0, np.int32)
    return Trace(
        np.concatenate(starts),
        np.concatenate([nothing, *(part.reference for part in traces)]),
        np.concatenate([nothing, *(part.hypothesis for part in traces)]),
        np.concatenate([nothing.astype(bool), *(part.hit for part in traces)]),
    )


def _compiled(
    references: References,
    hypotheses: Sequence[str | Lattice],
    index: NDArray[np.int64],
    counts: Integers,
    traced: bool,
) -> Trace | None:
    from bench import codes, kernels, letters

    mine = references.codes
    branched = any(isinstance(hypothesis, Lattice) for hypothesis in hypotheses)
    texts = [text(_lattice(h)) for h in hypotheses] if branched else cast(Sequence[str], hypotheses)
    other, _ = codes.encode(texts, branched, references.vocabulary, "Hypothesis")
    paths = codes.paths(mine, other, index)
    kernels.align(mine, other, index, counts, paths)
    letters.measure(mine, other, index, counts, paths)
    if branched:
        kernels.least(codes.spread(mine), codes.spread(other), index, counts)
    if not traced:
        return None
    room = int(paths.start_a[-1] + paths.start_b[-1])
    start, columns, hit = np.zeros(len(index) + 1, np.int64), np.empty((2, room), np.int32), np.empty(room, np.bool_)
    kernels.columns(mine, other, index, paths, start, columns[0], columns[1], hit)
    used = int(start[-1])
    return Trace(start, columns[0, :used].copy(), columns[1, :used].copy(), hit[:used].copy())


def _plain(
    references: References,
    hypotheses: Sequence[str | Lattice],
    index: NDArray[np.int64],
    counts: Integers,
    traced: bool,
) -> Trace | None:
    start, pairs, hit = [0], [], []
    for row, (reference, hypothesis) in enumerate(zip(index, hypotheses, strict=True)):
        found = twin.align(parse(references.texts[reference]), _lattice(hypothesis))
        counts[row] = (*found[:4], *found[5:8])
        pairs += found.columns
        hit += found.hit
        start.append(len(pairs))
    if not traced:
        return None
    columns = np.array(pairs, np.int32).reshape(-1, 2)
    return Trace(np.array(start, np.int64), columns[:, 0].copy(), columns[:, 1].copy(), np.array(hit, bool))


def _parse(lattice: str, row: int, what: str) -> Lattice:
    try:
        return parse(lattice)
    except Fault as fault:
        raise Fault(f"{what} {row}: {fault}") from None


def columns(references: Sequence[str], hypotheses: Sequence[str], rows: Sequence[int]) -> list[tuple[Column, ...]]:
    """The alignment of each row for people to read: hypothesis k with reference `rows[k]`, a lattice as written."""
    trace = align(encode_references(references), hypotheses, rows, trace=True).trace
    assert trace is not None
    spoken = [words(parse(reference)) for reference in references]
    found = []
    for k, (row, hypothesis) in enumerate(zip(rows, hypotheses, strict=True)):
        here = slice(trace.start[k], trace.start[k + 1])
        heard = hypothesis.split()
        found.append(
            tuple(
                _column(spoken[row], heard, x, y, hit)
                for x, y, hit in zip(trace.reference[here], trace.hypothesis[here], trace.hit[here], strict=True)
            )
        )
    return found


def _column(spoken: Sequence[str], heard: Sequence[str], x: int, y: int, hit: bool) -> Column:
    op = "I" if x < 0 else "D" if y < 0 else "=" if hit else "S"
    return Column(None if x < 0 else spoken[x], None if y < 0 else heard[y], op)


def backtrace(reference: str | Lattice, hypothesis: str | Lattice) -> Backtrace:
    """One row aligned for display, in plain Python. Raises Fault for a malformed reference."""
    lattice = parse(reference) if isinstance(reference, str) else reference
    other = _lattice(hypothesis)
    found = twin.align(lattice, other)
    spoken, heard = words(lattice), words(other)
    pairs = list(zip(found.columns, found.hit, strict=True))
    shown = tuple(_column(spoken, heard, x, y, hit) for (x, y), hit in pairs)
    places = tuple(None if x < 0 else x for (x, _), _ in pairs)
    return Backtrace(shown, places, found.options)
