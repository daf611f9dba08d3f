"""Lattices as flat graphs of numbers, for the compiled loops: text in, arrays out, many rows at once.

Conventions: the rows of one `Codes` lie end to end. Each row is a graph in topological order: node 0 is the start, a
word is a node with one predecessor, and where the options of a group rejoin stands a JOIN, whose predecessors are
the ends of the options in file order. Predecessors are stored as distances back, so that a stretch of a row can be
aligned where it lies. Words are numbered by a `Vocabulary` that is learnt from the references; a word of a
hypothesis that no reference has is UNKNOWN, which is equal to nothing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit

from bench.fault import Fault
from bench.lattice import DEPTH, parse

Array = np.ndarray[Any, np.dtype[Any]]
F = TypeVar("F", bound=Callable[..., Any])

START, JOIN, UNKNOWN = -1, -2, -3
PRIME: Any = np.uint64(0x100000001B3)  # FNV-1a, 64 bits
BASIS: Any = np.uint64(0xCBF29CE484222325)
OPEN, BAR, CLOSE, BACKSLASH = ord("{"), ord("|"), ord("}"), ord("\\")


def _load_numba() -> None:
    """Load what numba would load at its first call, without scipy's linear algebra, which takes a fifth of that time.

    numba asks for it to multiply floats in `np.convolve`, and has a loop of its own where it is not there. Nobody
    else may find it missing: so only where there is nobody else, and where it has not been loaded anyway.
    """
    blas = "scipy.linalg.cython_blas"
    if "scipy.linalg" in sys.modules or threading.active_count() > 1:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # which refuses an import of that name
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[blas]


_load_numba()


def compiled(function: F) -> F:
    """numba's njit with the cache on disk and without the interpreter's lock.

    The cache of a function notices changes of its own file only, so what calls one another stands in one file.
    """
    return cast(F, njit(cache=True, nogil=True)(function))


class Codes(NamedTuple):
    """Rows as flat graphs. `n` nodes, `e` ends of options, `k` rows, `c` characters of words, all rows together."""

    label: Array  # int32[n]: the word's number in the vocabulary, or START, JOIN, UNKNOWN
    back: Array  # int32[n]: of a word, the distance to its predecessor; of a JOIN, the index of its first end
    begin: Array  # int64[n + 1]: where a node's characters begin in `chars`; they end where the next node's begin
    node: Array  # int64[k + 1]: where a row's nodes begin
    head: Array  # int32[k]: the last node before the first group; the last node of all where there is none
    tail: Array  # int32[k]: the JOIN that closes the last group; 0 where there is none
    end: Array  # int32[e]: the distance from a JOIN back to the end of an option
    next: Array  # int32[e]: the index of the next option's end; -1 after the last
    chars: Array  # uint32[c]


class Paths(NamedTuple):
    """The paths that an alignment took: row k's words are the nodes `node_a[start_a[k]:start_a[k + 1]]`."""

    start_a: Array  # int64[k + 1], of the reference
    node_a: Array  # int32[...], counted from the row's start
    start_b: Array  # the same of the hypothesis
    node_b: Array
    skipped: Array  # int64[k]: equal words at the start, before any group
    left: Array  # int64[k]: equal words at the end, after any group


class Vocabulary(NamedTuple):
    """An open-addressing table from words to their numbers; the words lie in `chars`."""

    slot: Array  # int32[power of two]: a word's number, or -1
    hash: Array  # uint64[words]
    begin: Array  # int64[words]
    stop: Array  # int64[words]
    chars: Array  # uint32[...]


def encode(texts: Sequence[str], syntax: bool, vocabulary: Vocabulary | None, what: str) -> tuple[Codes, Vocabulary]:
    """Rows as Codes, with the vocabulary learnt from them where none is given.

    With `syntax` the texts are lattices, else words between white space. Raises Fault with `what`, the row (from 0)
    and the column where a lattice is malformed.
    """
    row = np.zeros(len(texts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)), out=row[1:])
    symbols = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    size = len(symbols)
    codes = _room(size + len(texts), len(texts), size if syntax else 0, size)  # a node has a character, or is a start
    keys = np.empty(size + len(texts), np.uint64)
    nodes, ends, chars, bad = _encode(symbols, row, syntax, DEPTH, codes, keys)
    if bad >= 0:
        try:
            parse(texts[bad])
        except Fault as fault:
            raise Fault(f"{what} {bad}: {fault}") from None
    codes = codes._replace(
        label=codes.label[:nodes],
        back=codes.back[:nodes],
        begin=codes.begin[: nodes + 1],
        end=codes.end[:ends],
        next=codes.next[:ends],
        chars=codes.chars[:chars],
    )
    if vocabulary is not None:
        _number(codes, keys, vocabulary, False)
        return codes, vocabulary
    codes = Codes(*(array.copy() for array in codes))  # these are kept: let go of the room to spare
    vocabulary = Vocabulary(
        slot=np.full(1 << max(2 * nodes, 2).bit_length(), -1, np.int32),
        hash=np.empty(nodes, np.uint64),
        begin=np.empty(nodes, np.int64),
        stop=np.empty(nodes, np.int64),
        chars=codes.chars,
    )
    _number(codes, keys, vocabulary, True)
    return codes, vocabulary


def spread(codes: Codes) -> Codes:
    """The same rows with one node a character, labelled by its code point."""
    room = len(codes.label) + len(codes.chars)  # starts and places where options rejoin keep their node
    wide = _room(room, len(codes.head), len(codes.end), 0)._replace(chars=codes.chars)
    _spread(codes, wide)
    return wide


def sizes(codes: Codes) -> tuple[Array, Array]:
    """Words and characters of every row's canonical reading, int32[rows] each."""
    words, characters = np.zeros((2, len(codes.head)), np.int32)
    _sizes(codes, words, characters)
    return words, characters


def paths(a: Codes, b: Codes, rows: Array) -> Paths:
    """Room for the paths of rows of `b` against the `rows` of `a`."""
    k = len(rows)
    nodes_a, nodes_b = int(np.diff(a.node)[rows].sum()), len(b.label)
    return Paths(
        np.zeros(k + 1, np.int64),
        np.empty(nodes_a, np.int32),
        np.zeros(k + 1, np.int64),
        np.empty(nodes_b, np.int32),
        np.empty(k, np.int64),
        np.empty(k, np.int64),
    )


def _room(nodes: int, rows: int, ends: int, chars: int) -> Codes:
    return Codes(
        label=np.empty(nodes, np.int32),
        back=np.empty(nodes, np.int32),
        begin=np.empty(nodes + 1, np.int64),
        node=np.zeros(rows + 1, np.int64),
        head=np.empty(rows, np.int32),
        tail=np.empty(rows, np.int32),
        end=np.empty(ends, np.int32),
        next=np.empty(ends, np.int32),
        chars=np.empty(chars, np.uint32),
    )


@compiled
def _is_space(c: Any) -> Any:
    """What str.split() parts at."""
    if c <= 32:
        return c == 32 or 9 <= c <= 13 or 28 <= c <= 31
    if c < 0x1680:
        return c == 0x85 or c == 0xA0
    return 0x2000 <= c <= 0x200A or c in (0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)


@compiled
def _encode(text: Array, row: Array, syntax: bool, depth: int, out: Codes, keys: Array) -> Any:
    """Fill `out`, but for the words' numbers; gives (nodes, ends, characters, first faulty row or -1).

    `text` uint32[...] holds the rows' code points end to end, row k from `row[k]` to `row[k + 1]`. With `syntax`
    braces, bars and backslashes mean what they mean in a lattice; without it they are characters. `keys`
    uint64[n] takes a hash of each word, for `_number`.
    """
    label, back, begin, node, heads, tails, ends, following, chars = out
    entry = np.empty(depth, np.int64)  # the node before each open group, its first and its latest end
    first = np.empty(depth, np.int64)
    latest = np.empty(depth, np.int64)
    n, e, c = 0, 0, 0
    for k in range(row.size - 1):
        base = n
        node[k] = n
        label[n], back[n], begin[n] = START, 0, c
        n += 1
        current = 0  # the node that the next one follows, counted from the row's start
        head, tail, level = -1, 0, 0
        at, stop = row[k], row[k + 1]
        while at < stop:
            symbol = text[at]
            if _is_space(symbol):
                at += 1
                continue
            if syntax and symbol == OPEN:
                if level == depth:
                    return n, e, c, k
                if head < 0:
                    head = current
                entry[level], first[level], latest[level] = current, -1, -1
                level += 1
                at += 1
                continue
            if syntax and symbol in (BAR, CLOSE):
                if level == 0:
                    return n, e, c, k
                ends[e], following[e] = current, -1
                if first[level - 1] < 0:
                    first[level - 1] = e
                else:
                    following[latest[level - 1]] = e
                latest[level - 1] = e
                e += 1
                current = entry[level - 1]
                if symbol == CLOSE:
                    level -= 1
                    current = n - base
                    if level == 0:
                        tail = current
                    label[n], back[n], begin[n] = JOIN, first[level], c
                    n += 1
                    option = first[level]
                    while option >= 0:
                        ends[option] = current - ends[option]
                        option = following[option]
                at += 1
                continue
            begin[n] = c
            key = BASIS
            while at < stop:
                symbol = text[at]
                if _is_space(symbol):
                    break
                if syntax and symbol >= BACKSLASH:
                    if symbol in (OPEN, BAR, CLOSE):
                        break
                    if symbol == BACKSLASH:
                        at += 1
                        if at == stop:
                            return n, e, c, k
                        symbol = text[at]
                        if symbol not in (OPEN, BAR, CLOSE, BACKSLASH):
                            return n, e, c, k
                chars[c] = symbol
                c += 1
                at += 1
                key = (key ^ np.uint64(symbol)) * PRIME
            label[n], back[n], keys[n] = UNKNOWN, n - base - current, key
            current = n - base
            n += 1
        if level > 0:
            return n, e, c, k
        heads[k] = n - base - 1 if head < 0 else head
        tails[k] = tail
    node[row.size - 1] = n
    begin[n] = c
    return n, e, c, -1


@compiled
def _number(codes: Codes, keys: Array, words: Vocabulary, learn: bool) -> int:
    """Label every word with its number; gives how many words the vocabulary then has.

    A word that the vocabulary lacks stays UNKNOWN, or enters it with `learn`; `words.chars` is then `codes.chars`.
    """
    label, begin, chars = codes.label, codes.begin, codes.chars
    slots, hashes, begins, stops, known_chars = words
    mask = slots.size - 1
    known = 0
    for n in range(label.size):
        if label[n] != UNKNOWN:
            continue
        key = keys[n]
        length = begin[n + 1] - begin[n]
        at = np.int64((key ^ (key >> np.uint64(32))) & np.uint64(mask))
        while True:
            found = slots[at]
            if found < 0:
                break
            if hashes[found] == key and stops[found] - begins[found] == length:
                same = 0
                while same < length and known_chars[begins[found] + same] == chars[begin[n] + same]:
                    same += 1
                if same == length:
                    break
            at = (at + 1) & mask
        if found >= 0:
            label[n] = found
        elif learn:
            slots[at], hashes[known] = known, key
            begins[known], stops[known] = begin[n], begin[n + 1]
            label[n] = known
            known += 1
    return known


@compiled
def _spread(codes: Codes, out: Codes) -> Any:
    """The same rows with one node a character, labelled by its code point; gives the number of nodes."""
    n = 0
    last = np.empty(codes.label.size, np.int64)  # where each node's last character went
    for k in range(codes.node.size - 1):
        base, start = codes.node[k], n
        out.node[k] = n
        for a in range(base, codes.node[k + 1]):
            if codes.label[a] == START or codes.label[a] == JOIN:
                out.label[n] = codes.label[a]
                out.back[n] = codes.back[a]
                out.begin[n] = codes.begin[a]
                if codes.label[a] == JOIN:
                    option = codes.back[a]
                    while option >= 0:
                        out.end[option] = n - last[a - codes.end[option]]
                        out.next[option] = codes.next[option]
                        option = codes.next[option]
                n += 1
            else:
                for c in range(codes.begin[a], codes.begin[a + 1]):
                    out.label[n] = codes.chars[c]
                    out.back[n] = n - last[a - codes.back[a]] if c == codes.begin[a] else 1
                    out.begin[n] = c
                    n += 1
            last[a] = n - 1
        out.head[k] = last[base + codes.head[k]] - start
        out.tail[k] = last[base + codes.tail[k]] - start if codes.tail[k] > 0 else 0
    out.node[codes.node.size - 1] = n
    out.begin[n] = codes.chars.size
    return n


@compiled
def _sizes(codes: Codes, words: Array, characters: Array) -> None:
    """Words and characters of the first option throughout, for every row."""
    for k in range(codes.node.size - 1):
        a = codes.node[k + 1] - 1
        while codes.label[a] != START:
            if codes.label[a] == JOIN:
                a -= codes.end[codes.back[a]]
            else:
                words[k] += 1
                characters[k] += codes.begin[a + 1] - codes.begin[a]
                a -= codes.back[a]
