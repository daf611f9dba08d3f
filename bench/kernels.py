"""The compiled loops under `bench.align`: text to flat graphs, and the costs of one graph against another.

Conventions: many rows lie end to end in one `Codes`. Each row is a graph in topological order: node 0 is the
start, a word is a node with one predecessor, and where the options of a group rejoin stands a JOIN, whose
predecessors are the ends of the options in file order. Predecessors are stored as distances back, so that a
stretch of a row can be aligned where it lies. A cost packs errors and hits into one int64, so that the smaller
of two is the one with fewer errors, then more hits. Where options rejoin, costs take the element-wise minimum:
the work grows with the words of a lattice, never with its paths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit

Array = np.ndarray[Any, np.dtype[Any]]
F = TypeVar("F", bound=Callable[..., Any])

START, JOIN, UNKNOWN = -1, -2, -3
STEP: Any = np.int64(1 << 31)  # one error
HIT: Any = np.int64(-1)
FAR: Any = np.int64(1 << 60)
NONE: Any = np.int64(0)  # typed, or numba compiles a function once more for the literal
PRIME: Any = np.uint64(0x100000001B3)  # FNV-1a, 64 bits
BASIS: Any = np.uint64(0xCBF29CE484222325)
FULL: Any = np.uint64(0xFFFFFFFFFFFFFFFF)
ZERO: Any = np.uint64(0)
ONE: Any = np.uint64(1)
TOP: Any = np.uint64(63)
OPEN, BAR, CLOSE, BACKSLASH = ord("{"), ord("|"), ord("}"), ord("\\")
CODE_POINTS = 0x110000


def compiled(function: F) -> F:
    """numba's njit with the cache on disk and without the interpreter's lock."""
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


class Vocabulary(NamedTuple):
    """An open-addressing table from words to their numbers; the words lie in `chars`."""

    slot: Array  # int32[power of two]: a word's number, or -1
    hash: Array  # uint64[words]
    begin: Array  # int64[words]
    stop: Array  # int64[words]
    chars: Array  # uint32[...]


@compiled
def _is_space(c: Any) -> Any:
    """What str.split() parts at."""
    if c <= 32:
        return c == 32 or 9 <= c <= 13 or 28 <= c <= 31
    if c < 0x1680:
        return c == 0x85 or c == 0xA0
    return 0x2000 <= c <= 0x200A or c in (0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)


@compiled
def encode(text: Array, row: Array, syntax: bool, depth: int, out: Codes, keys: Array) -> Any:
    """Fill `out`, but for the words' numbers; gives (nodes, ends, characters, first faulty row or -1).

    `text` uint32[...] holds the rows' code points end to end, row k from `row[k]` to `row[k + 1]`. With `syntax`
    braces, bars and backslashes mean what they mean in a lattice; without it they are characters. `keys`
    uint64[n] takes a hash of each word, for `number`.
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
def number(codes: Codes, keys: Array, words: Vocabulary, learn: bool) -> int:
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
def spread(codes: Codes, out: Codes) -> Any:
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
def canonical_size(codes: Codes, words: Array, characters: Array) -> None:
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


@compiled
def fill(cost: Array, a: Codes, i: int, rows: int, b: Codes, j: int, columns: int) -> None:
    """cost[x, y] of the `rows` nodes of `a` from node i on against the `columns` nodes of `b` from node j on."""
    label_a, back_a, end_a, next_a = a.label, a.back, a.end, a.next
    label_b, back_b, end_b, next_b = b.label, b.back, b.end, b.next
    for x in range(rows):
        word = label_a[i + x]
        if x > 0 and word == JOIN:
            option = back_a[i + x]
            above = x - end_a[option]
            for y in range(columns):
                cost[x, y] = cost[above, y]
            option = next_a[option]
            while option >= 0:
                above = x - end_a[option]
                for y in range(columns):
                    cost[x, y] = min(cost[x, y], cost[above, y])
                option = next_a[option]
            continue
        above = x - back_a[i + x]
        cost[x, 0] = cost[above, 0] + STEP if x > 0 else 0
        for y in range(1, columns):
            other = label_b[j + y]
            if other == JOIN:
                option = back_b[j + y]
                best = cost[x, y - end_b[option]]
                option = next_b[option]
                while option >= 0:
                    best = min(best, cost[x, y - end_b[option]])
                    option = next_b[option]
            else:
                left = y - back_b[j + y]
                best = cost[x, left] + STEP
                if x > 0:
                    best = min(best, cost[above, y] + STEP)
                    best = min(best, cost[above, left] + (HIT if other == word else STEP))
            cost[x, y] = best


@compiled
def resolve(cost: Array, a: Codes, i: int, rows: int, b: Codes, j: int, columns: int, live: Array, path: Array) -> int:
    """The path of `a` that the tie rule takes, as its word nodes from last to first; gives their number.

    Walks back from the end and keeps every column from which the end can still be reached at the least cost, so
    that an option counts as tied whichever of the tied alignments runs through it. `live` bool[2, >= columns] is
    room to work in, all False before and after; the columns kept lie in [low, high].
    """
    label_a, back_a, end_a, next_a = a.label, a.back, a.end, a.next
    label_b, back_b, end_b, next_b = b.label, b.back, b.end, b.next
    now, low, high = 0, columns - 1, columns - 1
    live[now, high] = True
    x, length = rows - 1, 0
    while x > 0:
        word = label_a[i + x]
        if word == JOIN:
            option = back_a[i + x]
            found = False
            while not found:
                end = x - end_a[option]
                for y in range(low, high + 1):
                    if live[now, y] and cost[end, y] == cost[x, y]:
                        found = True
                option = next_a[option]
            for y in range(low, high + 1):
                live[now, y] = live[now, y] and cost[end, y] == cost[x, y]
            x = end
            continue
        end = x - back_a[i + x]
        before, first, last = 1 - now, columns, 0
        y = high
        while y >= low:
            if live[now, y]:
                live[now, y] = False
                here, other = cost[x, y], label_b[j + y]
                if y > 0 and other == JOIN:
                    option = back_b[j + y]
                    while option >= 0:
                        left = y - end_b[option]
                        if cost[x, left] == here:
                            live[now, left] = True
                            low = min(low, left)
                        option = next_b[option]
                else:
                    if cost[end, y] + STEP == here:
                        live[before, y] = True
                        first, last = min(first, y), max(last, y)
                    if y > 0:
                        left = y - back_b[j + y]
                        if cost[x, left] + STEP == here:
                            live[now, left] = True
                            low = min(low, left)
                        if cost[end, left] + (HIT if other == word else STEP) == here:
                            live[before, left] = True
                            first, last = min(first, left), max(last, left)
            y -= 1
        now, low, high = before, first, last
        path[length] = x
        length += 1
        x = end
    for y in range(low, high + 1):
        live[now, y] = False
    return length


@compiled
def _advance(
    vp: Array, vn: Array, x: int, blocks: int, chars: Array, begin: int, stop: int, slot: Array, where: Array
) -> None:
    """Move the vertical differences of column x over `chars[begin:stop]` (Myers 1999, Hyyrö 2003, blocks of 64)."""
    for c in range(begin, stop):
        symbol = slot[chars[c]]
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
def _nearest(
    a: Codes, i: int, rows: int, length: int, slot: Array, where: Array, vp: Array, vn: Array, best: Array
) -> int:
    """The least edit distance of any path of `a` to the learnt text of `length` characters.

    `vp`, `vn` uint64[>= rows, >= blocks] and `best` int64[2, >= max(rows, length + 1)] are room to work in.
    """
    label, back, begin, end, following, chars = a.label, a.back, a.begin, a.end, a.next, a.chars
    blocks = (length + 63) >> 6
    for b in range(blocks):
        vp[0, b], vn[0, b] = FULL, ZERO
    best[1, 0] = 0  # best[1] holds the top cell of each column
    for x in range(1, rows):
        if label[i + x] != JOIN:
            before = x - back[i + x]
            for b in range(blocks):
                vp[x, b], vn[x, b] = vp[before, b], vn[before, b]
            _advance(vp, vn, x, blocks, chars, begin[i + x], begin[i + x + 1], slot, where)
            best[1, x] = best[1, before] + begin[i + x + 1] - begin[i + x]
            continue
        option = back[i + x]
        for y in range(length + 1):
            best[0, y] = FAR
        while option >= 0:
            before = x - end[option]
            value = best[1, before]
            best[0, 0] = min(best[0, 0], value)
            for b in range(blocks):
                p, q = vp[before, b], vn[before, b]
                for y in range(64 * b, min(64 * b + 64, length)):
                    value += np.int64(p & ONE) - np.int64(q & ONE)
                    p, q = p >> ONE, q >> ONE
                    best[0, y + 1] = min(best[0, y + 1], value)
            option = following[option]
        best[1, x] = best[0, 0]
        for b in range(blocks):
            p, q = ZERO, ZERO
            for y in range(min(64 * b + 64, length) - 1, 64 * b - 1, -1):
                step = best[0, y + 1] - best[0, y]
                p = (p << ONE) | np.uint64(step > 0)
                q = (q << ONE) | np.uint64(step < 0)
            vp[x, b], vn[x, b] = p, q
    top: int = best[1, rows - 1]
    return top + _height(vp, vn, rows - 1, length)


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
def _forward(middle: Array, length: int, skipped: int, nodes: int, left: int, path: Array) -> int:
    """A whole row's path in order: the trimmed words before, the resolved ones between, the trimmed ones after."""
    n = 0
    for x in range(1, skipped + 1):
        path[n] = x
        n += 1
    for k in range(length - 1, -1, -1):
        path[n] = skipped + middle[k]
        n += 1
    for x in range(nodes - left, nodes):
        path[n] = x
        n += 1
    return n


@compiled
def _line(a: Codes, base: int, path: Array, length: int) -> Codes:
    """A path as a row of its own; for `fill`, so without characters."""
    label = np.empty(length + 1, np.int32)
    label[0] = START
    for k in range(length):
        label[k + 1] = a.label[base + path[k]]
    return Codes(label, np.ones(length + 1, np.int32), a.begin, a.node, a.head, a.tail, a.end, a.next, a.chars)


@compiled
def align(
    a: Codes, b: Codes, rows: Array, letters_a: Codes, letters_b: Codes, out: Array, traced: bool, trace: Any
) -> None:
    """Row k of `b`, the hypotheses, against row `rows[k]` of `a`, the references.

    `out` int32[k, 7]: hits, substitutions, deletions, insertions, words of the hypothesis, character errors along
    the path, least character errors. With `traced`, `trace` is filled: (start int64[k + 1], the place of the
    reference's word int32[], of the hypothesis's int32[], whether they are equal bool[]); -1 is no word.
    `letters_a` and `letters_b` are the `spread` rows where the hypotheses have groups; otherwise nobody looks.
    """
    cost = np.empty((64, 64), np.int64)
    middle, path_a, path_b = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
    text_a, text_b = np.empty(0, np.uint32), np.empty(0, np.uint32)
    live = np.zeros((2, 0), np.bool_)
    vp, vn, best = np.empty((0, 0), np.uint64), np.empty((0, 0), np.uint64), np.empty((2, 0), np.int64)
    slot = np.zeros(CODE_POINTS, np.int32)
    where = np.zeros((64, 8), np.uint64)
    columns = NONE
    for k in range(rows.size):
        r = rows[k]
        i, j = a.node[r], b.node[k]
        rows_a, rows_b = a.node[r + 1] - i, b.node[k + 1] - j
        if rows_a + rows_b > path_a.size:
            middle = np.empty(2 * (rows_a + rows_b), np.int64)
            path_a, path_b = np.empty_like(middle), np.empty_like(middle)
            live = np.zeros((2, middle.size), np.bool_)

        # Equal words before the first group and after the last one belong to some best alignment of every path.
        skipped, left = 0, 0
        limit = min(a.head[r], b.head[k])
        while skipped < limit and a.label[i + skipped + 1] == b.label[j + skipped + 1]:
            if a.label[i + skipped + 1] < 0:
                break
            skipped += 1
        least_a, least_b = max(a.tail[r], skipped), max(b.tail[k], skipped)
        while rows_a - 1 - left > least_a and rows_b - 1 - left > least_b:
            label = a.label[i + rows_a - 1 - left]
            if label < 0 or label != b.label[j + rows_b - 1 - left]:
                break
            left += 1
        i0, j0 = i + skipped, j + skipped
        m, n = rows_a - skipped - left, rows_b - skipped - left

        if m > cost.shape[0] or n > cost.shape[1]:
            cost = np.empty((max(m, cost.shape[0]), max(n, cost.shape[1])), np.int64)
        fill(cost, a, i0, m, b, j0, n)
        key = cost[m - 1, n - 1]
        errors = (key + STEP - 1) // STEP
        hits = errors * STEP - key + skipped + left

        if errors == 0 and not traced:
            words_a = hits  # every path that ties has the same words
        elif a.tail[r] > 0:
            found = resolve(cost, a, i0, m, b, j0, n, live, middle)
            words_a = _forward(middle, found, skipped, rows_a, left, path_a)
        else:
            words_a = _forward(middle, NONE, rows_a - 1, rows_a, NONE, path_a)
        if errors == 0 and not traced:
            words_b = hits
        elif b.tail[k] > 0:
            line = _line(a, i, path_a, words_a)
            if rows_b > cost.shape[0] or words_a + 1 > cost.shape[1]:
                cost = np.empty((max(rows_b, cost.shape[0]), max(words_a + 1, cost.shape[1])), np.int64)
            fill(cost, b, j, rows_b, line, NONE, words_a + 1)
            found = resolve(cost, b, j, rows_b, line, NONE, words_a + 1, live, middle)
            words_b = _forward(middle, found, NONE, rows_b, NONE, path_b)
        else:
            words_b = _forward(middle, NONE, rows_b - 1, rows_b, NONE, path_b)
        deletions = errors - (words_b - hits)
        out[k, 0], out[k, 1], out[k, 2] = hits, words_a - hits - deletions, deletions
        out[k, 3], out[k, 4] = errors - (words_a - hits), words_b

        along, least = 0, 0
        if errors > 0:
            size_a, size_b = a.begin[i + rows_a] - a.begin[i], b.begin[j + rows_b] - b.begin[j]
            if max(size_a, size_b) > text_a.size:
                text_a = np.empty(2 * max(size_a, size_b), np.uint32)
                text_b = np.empty(2 * max(size_a, size_b), np.uint32)
            blocks = (size_b + 63) // 64
            if size_b + 1 > where.shape[0] or blocks > where.shape[1]:
                where = np.zeros((max(size_b + 1, where.shape[0]), max(blocks, where.shape[1])), np.uint64)
            if rows_a > vp.shape[0] or blocks > vp.shape[1] or size_b >= best.shape[1]:
                vp = np.empty((max(rows_a, vp.shape[0]), max(blocks, vp.shape[1])), np.uint64)
                vn = np.empty_like(vp)
                best = np.empty((2, max(vp.shape[0], 64 * vp.shape[1] + 1)), np.int64)
            size_a = _gather(a, i, path_a, skipped, words_a - left, text_a)
            size_b = _gather(b, j, path_b, skipped, words_b - left, text_b)
            along = _distance(text_a, size_a, text_b, size_b, slot, where, vp, vn)
            least = along
            if along > 0 and b.tail[k] > 0:
                i0, j0 = letters_a.node[r], letters_b.node[k]
                m, n = letters_a.node[r + 1] - i0, letters_b.node[k + 1] - j0
                if m > cost.shape[0] or n > cost.shape[1]:
                    cost = np.empty((max(m, cost.shape[0]), max(n, cost.shape[1])), np.int64)
                fill(cost, letters_a, i0, m, letters_b, j0, n)
                least = (cost[m - 1, n - 1] + STEP - 1) // STEP
            elif along > 0 and a.tail[r] > 0:
                _learn(text_b, NONE, size_b, slot, where)
                least = _nearest(a, i0, m, size_b, slot, where, vp, vn, best)
                for y in range(size_b):
                    slot[text_b[y]] = 0
        out[k, 5], out[k, 6] = along, least

        if traced:
            columns = _trace(a, i, path_a, words_a, b, j, path_b, words_b, columns, trace)
            trace[0][k + 1] = columns


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
def _trace(
    a: Codes, i: int, path_a: Array, words_a: int, b: Codes, j: int, path_b: Array, words_b: int, at: int, trace: Any
) -> int:
    """Write the columns of one row from `at` on; gives where they end.

    Read from the end, a hit or a substitution goes before a deletion, and a deletion before an insertion.
    """
    line_a, line_b = _line(a, i, path_a, words_a), _line(b, j, path_b, words_b)
    cost = np.empty((words_a + 1, words_b + 1), np.int64)
    fill(cost, line_a, NONE, words_a + 1, line_b, NONE, words_b + 1)
    _, reference, hypothesis, hit = trace
    x, y, n = words_a, words_b, at
    while x > 0 or y > 0:
        here = cost[x, y]
        same = x > 0 and y > 0 and line_a.label[x] == line_b.label[y]
        if x > 0 and y > 0 and cost[x - 1, y - 1] + (HIT if same else STEP) == here:
            x, y = x - 1, y - 1
            reference[n], hypothesis[n], hit[n] = path_a[x], path_b[y], same
        elif x > 0 and cost[x - 1, y] + STEP == here:
            x -= 1
            reference[n], hypothesis[n], hit[n] = path_a[x], -1, False
        else:
            y -= 1
            reference[n], hypothesis[n], hit[n] = -1, path_b[y], False
        n += 1
    low, high = at, n - 1
    while low < high:
        reference[low], reference[high] = reference[high], reference[low]
        hypothesis[low], hypothesis[high] = hypothesis[high], hypothesis[low]
        hit[low], hit[high] = hit[high], hit[low]
        low, high = low + 1, high - 1
    _place(a, i, reference, at, n)
    _place(b, j, hypothesis, at, n)
    return n


@compiled
def _place(codes: Codes, base: int, nodes: Array, start: int, stop: int) -> None:
    """Turn nodes of one row, in order, into places: words counted in file order."""
    node, place = 0, -1
    for k in range(start, stop):
        if nodes[k] >= 0:
            while node < nodes[k]:
                node += 1
                if codes.label[base + node] != JOIN:
                    place += 1
            nodes[k] = place
