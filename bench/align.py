"""Hypotheses against lattices of accepted readings: counts of word and character errors that add.

The alignment of a row is the path of the reference's lattice, and of the hypothesis's where that is a lattice too,
with the fewest word errors, then the most hits, then, resolving groups from the last one backwards, the first
option in file order; the reference's groups before the hypothesis's.

Conventions: reference before hypothesis. The denominator is fixed: the words (characters) of the canonical reading,
whatever path was taken, so that a difference of two systems has one denominator. Characters are code points
without spaces. Character errors are those along the path of the words; the least character errors are the minimum
over all paths. An empty reference has no errors when the hypothesis is empty, else one insertion a word. The loops
are compiled (`bench.kernels`); where numba is missing `bench.twin` gives the same numbers, slowly.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from bench import twin
from bench.fault import Fault
from bench.lattice import DEPTH, Lattice, canonical, linear, parse, text, words

Integers = NDArray[np.int32]
CHUNK = 1 << 13  # hypotheses at a time: bounds the memory of a large table, and gives every core work


@cache
def compiled() -> Any:
    """`bench.kernels`, loaded when first used, which takes 0.3 s; None where numba is missing."""
    return import_module("bench.kernels") if find_spec("numba") else None


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
    deletion; `hit` is true where the two words are equal. Where alignments of the same path tie, the last
    column that can be a hit or a substitution is one, before a deletion, before an insertion.
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
    codes: Any = None  # kernels.Codes, or None where numba is missing
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
    if compiled() is None:
        readings = [canonical(_parse(lattice, row, "Reference")) for row, lattice in enumerate(texts)]
        words = np.array([len(reading) for reading in readings], np.int32)
        characters = np.array([sum(map(len, reading)) for reading in readings], np.int32)
        return References(texts, words, characters)
    codes, vocabulary = _encode(texts, True, None, "Reference")
    words, characters = np.zeros(len(texts), np.int32), np.zeros(len(texts), np.int32)
    compiled().canonical_size(codes, words, characters)
    return References(texts, words, characters, codes, vocabulary)


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
    index = np.arange(len(references), dtype=np.int64) if rows is None else np.asarray(rows, np.int64)
    if len(index) != len(hypotheses):
        what = "references" if rows is None else "row numbers"
        raise Fault(f"There are {len(index)} {what} and {len(hypotheses)} hypotheses; expected one for each.")
    if len(index) and not 0 <= index.min() <= index.max() < len(references):
        wrong = index.min() if index.min() < 0 else index.max()
        raise Fault(f"Row number {wrong} is not one of the {len(references)} references, which count from 0.")
    counts = np.zeros((len(index), 7), np.int32)
    some = _plain if compiled() is None else _compiled

    def work(at: int) -> Trace | None:
        chunk = slice(at, at + CHUNK)
        return some(references, hypotheses[chunk], index[chunk], counts[chunk], trace)

    starts = range(0, len(index), CHUNK)
    if len(starts) > 1 and compiled() is not None:  # the kernels run without the interpreter's lock
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            traces = list(pool.map(work, starts))
    else:
        traces = list(map(work, starts))
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
    codes = references.codes
    branched = any(isinstance(hypothesis, Lattice) for hypothesis in hypotheses)
    texts = [h if isinstance(h, str) and not branched else text(_lattice(h)) for h in hypotheses]
    other, _ = _encode(texts, branched, references.vocabulary, "Hypothesis")
    letters, other_letters = (_spread(codes), _spread(other)) if branched else (codes, other)
    room = int((np.diff(codes.node)[index] + np.diff(other.node)).sum()) if traced else 0
    start = np.zeros(len(index) + 1 if traced else 0, np.int64)
    columns = np.empty((2, room), np.int32)
    hit = np.empty(room, np.bool_)
    found = (start, columns[0], columns[1], hit)
    compiled().align(codes, other, index, letters, other_letters, counts, traced, found)
    if not traced:
        return None
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


def _encode(texts: Sequence[str], syntax: bool, vocabulary: Any, what: str) -> tuple[Any, Any]:
    """Rows as Codes, with the vocabulary learnt from them where none is given."""
    kernels = compiled()
    row = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=row[1:])
    symbols = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    size = len(symbols)
    room = size + len(texts)  # every node has a character of its own, but for the starts
    codes = kernels.Codes(
        label=np.empty(room, np.int32),
        back=np.empty(room, np.int32),
        begin=np.empty(room + 1, np.int64),
        node=np.zeros(len(texts) + 1, np.int64),
        head=np.empty(len(texts), np.int32),
        tail=np.empty(len(texts), np.int32),
        end=np.empty(size if syntax else 0, np.int32),
        next=np.empty(size if syntax else 0, np.int32),
        chars=np.empty(size, np.uint32),
    )
    keys = np.empty(room, np.uint64)
    nodes, ends, chars, bad = kernels.encode(symbols, row, syntax, DEPTH, codes, keys)
    if bad >= 0:
        _parse(texts[bad], bad, what)
    codes = codes._replace(
        label=codes.label[:nodes],
        back=codes.back[:nodes],
        begin=codes.begin[: nodes + 1],
        end=codes.end[:ends],
        next=codes.next[:ends],
        chars=codes.chars[:chars],
    )
    if vocabulary is not None:
        kernels.number(codes, keys, vocabulary, False)
        return codes, vocabulary
    codes = kernels.Codes(*(array.copy() for array in codes))  # these are kept: let go of the room to spare
    vocabulary = kernels.Vocabulary(
        slot=np.full(1 << max(2 * nodes, 2).bit_length(), -1, np.int32),
        hash=np.empty(nodes, np.uint64),
        begin=np.empty(nodes, np.int64),
        stop=np.empty(nodes, np.int64),
        chars=codes.chars,
    )
    kernels.number(codes, keys, vocabulary, True)
    return codes, vocabulary


def _spread(codes: Any) -> Any:
    """The rows with one node a character."""
    kernels = compiled()
    room = len(codes.label) + len(codes.chars)  # starts and places where options rejoin keep their node
    wide = kernels.Codes(
        label=np.empty(room, np.int32),
        back=np.empty(room, np.int32),
        begin=np.empty(room + 1, np.int64),
        node=np.zeros_like(codes.node),
        head=np.empty_like(codes.head),
        tail=np.empty_like(codes.tail),
        end=np.empty_like(codes.end),
        next=np.empty_like(codes.next),
        chars=codes.chars,
    )
    kernels.spread(codes, wide)
    return wide


def backtrace(reference: str | Lattice, hypothesis: str | Lattice) -> Backtrace:
    """One row aligned for display, in plain Python. Raises Fault for a malformed reference."""
    lattice = parse(reference) if isinstance(reference, str) else reference
    other = _lattice(hypothesis)
    found = twin.align(lattice, other)
    spoken, heard = words(lattice), words(other)
    columns, places = [], []
    for (x, y), hit in zip(found.columns, found.hit, strict=True):
        op = "I" if x < 0 else "D" if y < 0 else "=" if hit else "S"
        columns.append(Column(None if x < 0 else spoken[x], None if y < 0 else heard[y], op))
        places.append(None if x < 0 else x)
    return Backtrace(tuple(columns), tuple(places), found.options)
