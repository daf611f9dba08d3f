"""The compiled loops of the word alignment: the costs of one graph against another, the path that they settle.

Conventions: `a` is the reference and `b` the hypothesis, both rows of `bench.codes.Codes`; a stretch of a row is
named by its first node and its number of nodes. A cost packs errors and hits into one int64, so that the smaller of
two is the one with fewer errors, then more hits. Where options rejoin, costs take the element-wise minimum: the work
grows with the words of a lattice, never with its paths. Arrays named as room to work in are overwritten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.codes import JOIN, START, Array, Codes, Paths, compiled

STEP: Any = np.int64(1 << 31)  # one error
HIT: Any = np.int64(-1)
NONE: Any = np.int64(0)  # typed, or numba compiles a function once more for the literal


@compiled
def fill(cost: Array, a: Codes, i: int, rows: int, b: Codes, j: int, columns: int) -> None:
    """cost[x, y] of the `rows` nodes of `a` from node i on against the `columns` nodes of `b` from node j on."""
    label_a, back_a, end_a, next_a = a.label, a.back, a.end, a.next
    label_b, back_b, end_b, next_b = b.label, b.back, b.end, b.next
    line = end_b.size == 0  # whether no row of `b` has groups
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
        if line and x > 0:  # as nearly every hypothesis is: no options to look for
            best, corner = cost[x, 0], cost[above, 0]
            for y in range(1, columns):
                over = cost[above, y]
                best = min(min(best, over) + STEP, corner + (HIT if label_b[j + y] == word else STEP))
                cost[x, y], corner = best, over
            continue
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
def _forward(middle: Array, length: int, skipped: int, nodes: int, left: int, path: Array, at: int) -> int:
    """Write a row's whole path: the trimmed words before, the resolved ones, the trimmed ones after; gives its end."""
    for x in range(1, skipped + 1):
        path[at] = x
        at += 1
    for k in range(length - 1, -1, -1):
        path[at] = skipped + middle[k]
        at += 1
    for x in range(nodes - left, nodes):
        path[at] = x
        at += 1
    return at


@compiled
def _line(a: Codes, base: int, path: Array, start: int, stop: int) -> Codes:
    """`path[start:stop]` as a row of its own; for `fill`, so without characters."""
    label = np.empty(stop - start + 1, np.int32)
    label[0] = START
    for k in range(start, stop):
        label[k - start + 1] = a.label[base + path[k]]
    return Codes(label, np.ones(label.size, np.int32), a.begin, a.node, a.head, a.tail, a.end, a.next, a.chars)


@compiled
def align(a: Codes, b: Codes, rows: Array, out: Array, paths: Paths) -> None:
    """Row k of `b`, the hypotheses, against row `rows[k]` of `a`, the references.

    Fills `paths`, and the first five columns of `out` int32[k, 7]: hits, substitutions, deletions, insertions, words
    of the hypothesis.
    """
    start_a, path_a, start_b, path_b = paths.start_a, paths.node_a, paths.start_b, paths.node_b
    most_a, most_b = NONE, NONE  # nodes of the longest rows
    for k in range(rows.size):
        most_a = max(most_a, a.node[rows[k] + 1] - a.node[rows[k]])
        most_b = max(most_b, b.node[k + 1] - b.node[k])
    cost, cost_b = np.empty((most_a, most_b), np.int64), np.empty((most_b, most_a), np.int64)
    middle, live = np.empty(most_a + most_b, np.int64), np.zeros((2, most_a + most_b), np.bool_)
    start_a[0], start_b[0] = 0, 0
    for k in range(rows.size):
        r = rows[k]
        i, j = a.node[r], b.node[k]
        rows_a, rows_b = a.node[r + 1] - i, b.node[k + 1] - j

        # Equal words before the first group and after the last one belong to some best alignment of every path.
        skipped, left = NONE, NONE
        limit = min(a.head[r], b.head[k])
        while skipped < limit and a.label[i + skipped + 1] == b.label[j + skipped + 1]:
            skipped += 1
        least_a, least_b = max(a.tail[r], skipped), max(b.tail[k], skipped)
        while rows_a - 1 - left > least_a and rows_b - 1 - left > least_b:
            if a.label[i + rows_a - 1 - left] != b.label[j + rows_b - 1 - left]:
                break
            left += 1
        paths.skipped[k], paths.left[k] = skipped, left
        m, n = rows_a - skipped - left, rows_b - skipped - left

        fill(cost, a, i + skipped, m, b, j + skipped, n)
        key = cost[m - 1, n - 1]
        errors = (key + STEP - 1) // STEP
        hits = errors * STEP - key + skipped + left

        if a.tail[r] > 0:
            found = resolve(cost, a, i + skipped, m, b, j + skipped, n, live, middle)
            start_a[k + 1] = _forward(middle, found, skipped, rows_a, left, path_a, start_a[k])
        else:
            start_a[k + 1] = _forward(middle, NONE, rows_a - 1, rows_a, NONE, path_a, start_a[k])
        words_a = start_a[k + 1] - start_a[k]
        if b.tail[k] > 0:
            line = _line(a, i, path_a, start_a[k], start_a[k + 1])
            fill(cost_b, b, j, rows_b, line, NONE, words_a + 1)
            found = resolve(cost_b, b, j, rows_b, line, NONE, words_a + 1, live, middle)
            start_b[k + 1] = _forward(middle, found, NONE, rows_b, NONE, path_b, start_b[k])
        else:
            start_b[k + 1] = _forward(middle, NONE, rows_b - 1, rows_b, NONE, path_b, start_b[k])
        words_b = start_b[k + 1] - start_b[k]
        deletions = errors - (words_b - hits)
        out[k, 0], out[k, 1], out[k, 2] = hits, words_a - hits - deletions, deletions
        out[k, 3], out[k, 4] = errors - (words_a - hits), words_b


@compiled
def least(a: Codes, b: Codes, rows: Array, out: Array) -> None:
    """The last column of `out` where row k of `b` has groups: the fewest errors, of which hits are not counted.

    `a` and `b` are rows spread to characters.
    """
    for k in range(rows.size):
        if b.tail[k] > 0 and out[k, 5] > 0:
            i, j = a.node[rows[k]], b.node[k]
            m, n = a.node[rows[k] + 1] - i, b.node[k + 1] - j
            cost = np.empty((m, n), np.int64)
            fill(cost, a, i, m, b, j, n)
            out[k, 6] = (cost[m - 1, n - 1] + STEP - 1) // STEP


@compiled
def columns(
    a: Codes, b: Codes, rows: Array, paths: Paths, start: Array, reference: Array, hypothesis: Array, hit: Array
) -> None:
    """Write every row's columns, as `bench.align.Trace` has them.

    Read from the end, a hit or a substitution goes before a deletion, and a deletion before an insertion.
    """
    start_a, path_a, start_b, path_b = paths.start_a, paths.node_a, paths.start_b, paths.node_b
    n = NONE
    for k in range(rows.size):
        i, j = a.node[rows[k]], b.node[k]
        line_a = _line(a, i, path_a, start_a[k], start_a[k + 1])
        line_b = _line(b, j, path_b, start_b[k], start_b[k + 1])
        x, y = start_a[k + 1] - start_a[k], start_b[k + 1] - start_b[k]
        cost = np.empty((x + 1, y + 1), np.int64)
        fill(cost, line_a, NONE, x + 1, line_b, NONE, y + 1)
        low = n
        while x > 0 or y > 0:
            here = cost[x, y]
            same = x > 0 and y > 0 and line_a.label[x] == line_b.label[y]
            if x > 0 and y > 0 and cost[x - 1, y - 1] + (HIT if same else STEP) == here:
                x, y = x - 1, y - 1
                reference[n], hypothesis[n], hit[n] = path_a[start_a[k] + x], path_b[start_b[k] + y], same
            elif x > 0 and cost[x - 1, y] + STEP == here:
                x -= 1
                reference[n], hypothesis[n], hit[n] = path_a[start_a[k] + x], -1, False
            else:
                y -= 1
                reference[n], hypothesis[n], hit[n] = -1, path_b[start_b[k] + y], False
            n += 1
        start[k + 1] = n
        high = n - 1
        while low < high:
            reference[low], reference[high] = reference[high], reference[low]
            hypothesis[low], hypothesis[high] = hypothesis[high], hypothesis[low]
            hit[low], hit[high] = hit[high], hit[low]
            low, high = low + 1, high - 1
        _place(a, i, reference, start[k], n)
        _place(b, j, hypothesis, start[k], n)


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
