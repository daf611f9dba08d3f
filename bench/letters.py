"""The compiled loops of the character errors: along the path of the words, and the least of all paths.

Conventions: texts are code points without spaces, as `bench.codes.Codes` keeps them. The edit distance is that of
Myers (1999) as Hyyrö (2003) extends it: a column of the table is two bit vectors, its vertical differences of +1
(`vp`) and of -1 (`vn`), in blocks of 64. Where the options of a group rejoin, columns take the element-wise minimum,
difference by difference. Arrays named as room to work in are overwritten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.codes import JOIN, Array, Codes, Paths, compiled

NONE: Any = np.int64(0)  # typed, or numba compiles a function once more for the literal
FULL: Any = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO: Any = np.uint64(0)
ONE: Any = np.uint64(1)
TOP: Any = np.uint64(63)


@compiled
def _advance(
    vp: Array, vn: Array, x: int, blocks: int, chars: Array, begin: int, stop: int, slot: Array, where: Array
) -> None:
    """Move the vertical differences of column x over `chars[begin:stop]` (Myers 1999, Hyyrö 2003, blocks of 64).

    `slot[code point]` is a symbol's row in `where`, or 0; what lies beyond it was not learnt either.
    """
    for c in range(begin, stop):
        symbol = slot[chars[c]] if chars[c] < slot.size else 0
        plus, minus, carry = ONE, ZERO, ZERO
        for b in range(blocks):
            match, p, q = where[symbol, b], vp[x, b], vn[x, b]
            t = match & p
            s = t + p
            over = ONE if s < t else ZERO
            s2 = s + carry
            carry = over | (ONE if s2 < s else ZERO)
            d = (s2 ^ p) | match | q
            hp = q | ~(d | p)
            hn = d & p
            hps = (hp << ONE) | plus
            hns = (hn << ONE) | minus
            plus, minus = hp >> TOP, hn >> TOP
            vp[x, b] = hns | ~(d | hps)
            vn[x, b] = hps & d


@compiled
def _height(vp: Array, vn: Array, x: int, length: int) -> int:
    """The sum of column x's vertical differences."""
    total = 0
    for y in range(length):
        shift = np.uint64(y & 63)
        total += int((vp[x, y >> 6] >> shift) & ONE) - int((vn[x, y >> 6] >> shift) & ONE)
    return total


@compiled
def _learn(chars: Array, start: int, stop: int, slot: Array, where: Array) -> None:
    """Note in `where[symbol, block]` where in `chars[start:stop]` each symbol stands; symbol 0 stands nowhere."""
    symbols = 0
    blocks = (stop - start + 63) >> 6
    for y in range(stop - start):
        symbol = slot[chars[start + y]]
        if symbol == 0:
            symbols += 1
            symbol = symbols
            slot[chars[start + y]] = symbol
            for b in range(blocks):
                where[symbol, b] = ZERO
        where[symbol, y >> 6] |= ONE << np.uint64(y & 63)


@compiled
def _lower(vp: Array, vn: Array, x: int, other: int, above: Any, length: int) -> None:
    """Column x becomes the element-wise minimum of itself and column `other`; its top cell is `above` higher."""
    more = max(above, 0)  # by how much column x is higher, where it is
    for b in range((length + 63) >> 6):
        p, q, r, s = vp[x, b], vn[x, b], vp[other, b], vn[other, b]
        plus, minus, bit = ZERO, ZERO, ONE
        for _ in range(min(64, length - 64 * b)):
            step = np.int64(p & ONE) - np.int64(q & ONE)
            above += step - np.int64(r & ONE) + np.int64(s & ONE)
            step += more - max(above, 0)
            more = max(above, 0)
            plus |= bit if step > 0 else ZERO
            minus |= bit if step < 0 else ZERO
            p, q, r, s, bit = p >> ONE, q >> ONE, r >> ONE, s >> ONE, bit << ONE
        vp[x, b], vn[x, b] = plus, minus


@compiled
def _nearest(
    a: Codes, i: int, rows: int, length: int, slot: Array, where: Array, vp: Array, vn: Array, top: Array
) -> int:
    """The least edit distance of any path of `a` to the learnt text of `length` characters.

    `vp`, `vn` uint64[>= rows, >= blocks] and `top` int64[>= rows], the top cells of the columns, are room to work in.
    """
    label, back, begin, end, following, chars = a.label, a.back, a.begin, a.end, a.next, a.chars
    blocks = (length + 63) >> 6
    for b in range(blocks):
        vp[0, b], vn[0, b] = FULL, ZERO
    top[0] = 0
    for x in range(1, rows):
        option = back[i + x] if label[i + x] == JOIN else -1
        before = x - (end[option] if option >= 0 else back[i + x])
        for b in range(blocks):
            vp[x, b], vn[x, b] = vp[before, b], vn[before, b]
        top[x] = top[before]
        if option < 0:
            _advance(vp, vn, x, blocks, chars, begin[i + x], begin[i + x + 1], slot, where)
            top[x] += begin[i + x + 1] - begin[i + x]
            continue
        option = following[option]
        while option >= 0:
            before = x - end[option]
            _lower(vp, vn, x, before, top[x] - top[before], length)
            top[x] = min(top[x], top[before])
            option = following[option]
    found: int = top[rows - 1]
    return found + _height(vp, vn, rows - 1, length)


@compiled
def _gather(a: Codes, base: int, path: Array, start: int, stop: int, out: Array) -> int:
    """The characters of `path[start:stop]`, end to end; gives their number."""
    n = 0
    for k in range(start, stop):
        for c in range(a.begin[base + path[k]], a.begin[base + path[k] + 1]):
            out[n] = a.chars[c]
            n += 1
    return n


@compiled
def _distance(a: Array, size_a: int, b: Array, size_b: int, slot: Array, where: Array, vp: Array, vn: Array) -> int:
    """The edit distance of two texts."""
    start = 0
    while start < size_a and start < size_b and a[start] == b[start]:
        start += 1
    while size_a > start and size_b > start and a[size_a - 1] == b[size_b - 1]:
        size_a -= 1
        size_b -= 1
    if size_a == start or size_b == start:
        return size_a - start + size_b - start
    length = size_b - start
    blocks = (length + 63) >> 6
    for block in range(blocks):
        vp[0, block], vn[0, block] = FULL, ZERO
    _learn(b, start, size_b, slot, where)
    _advance(vp, vn, NONE, blocks, a, start, size_a, slot, where)
    for y in range(start, size_b):
        slot[b[y]] = 0
    return size_a - start + _height(vp, vn, NONE, length)


@compiled
def measure(a: Codes, b: Codes, rows: Array, out: Array, paths: Paths) -> None:
    """The last two columns of `out` int32[k, 7], zeros before: errors along the path, and the least of all paths.

    Where row k of `b` has groups the two are the same here.
    """
    start_a, path_a, start_b, path_b = paths.start_a, paths.node_a, paths.start_b, paths.node_b
    most, letters = NONE, NONE  # nodes and characters of the longest rows
    for k in range(rows.size):
        r = rows[k]
        most = max(most, a.node[r + 1] - a.node[r])
        letters = max(letters, a.begin[a.node[r + 1]] - a.begin[a.node[r]], b.begin[b.node[k + 1]] - b.begin[b.node[k]])
    text_a, text_b = np.empty(letters, np.uint32), np.empty(letters, np.uint32)
    top = NONE  # the largest code point of the hypotheses, which are what is learnt
    for c in range(b.chars.size):
        top = max(top, np.int64(b.chars[c]))
    slot = np.zeros(top + 1, np.int32)
    where = np.zeros((letters + 1, (letters + 63) // 64 + 1), np.uint64)
    vp, vn = np.empty((most, where.shape[1]), np.uint64), np.empty((most, where.shape[1]), np.uint64)
    tops = np.empty(most, np.int64)
    for k in range(rows.size):
        if out[k, 1] + out[k, 2] + out[k, 3] == 0:
            continue
        r, skipped, left = rows[k], paths.skipped[k], paths.left[k]
        i, j = a.node[r], b.node[k]
        if b.tail[k] > 0:
            skipped, left = NONE, NONE
        size_a = _gather(a, i, path_a, start_a[k] + skipped, start_a[k + 1] - left, text_a)
        size_b = _gather(b, j, path_b, start_b[k] + skipped, start_b[k + 1] - left, text_b)
        along = _distance(text_a, size_a, text_b, size_b, slot, where, vp, vn)
        out[k, 5], out[k, 6] = along, along
        if along > 0 and a.tail[r] > 0 and b.tail[k] == 0:
            m = a.node[r + 1] - i - skipped - left
            _learn(text_b, NONE, size_b, slot, where)
            out[k, 6] = _nearest(a, i + skipped, m, size_b, slot, where, vp, vn, tops)
            for y in range(size_b):
                slot[text_b[y]] = 0
