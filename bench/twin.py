"""The alignment in plain Python: the oracle of the compiled kernels, and the fall-back where numba is missing.

Written from the rule rather than from the kernels: every cell carries the whole key that is to be least, which is
(errors, -hits, options of the reference, options of the hypothesis), options latest first. The key of a cell is
compared as it stands, so nothing has to be resolved afterwards.

Conventions: as in `bench.align`. About thirty times slower than the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from bench.lattice import Group, Lattice, canonical, linear

Options = tuple[int, ...]
Cell = tuple[int, int, Options, Options]


class Node(NamedTuple):
    """A word with its one predecessor, or, without a word, the place where the options of a group rejoin."""

    word: str | None
    before: tuple[int, ...]
    number: int  # the word's place, or the group's number


class Row(NamedTuple):
    """What the alignment of one row comes to; see `bench.align.Alignments`. Columns are pairs of places."""

    hits: int
    substitutions: int
    deletions: int
    insertions: int
    words: int
    hypothesis_words: int
    character_errors: int
    least_character_errors: int
    characters: int
    columns: list[tuple[int, int]]
    hit: list[bool]
    options: tuple[int | None, ...]


def graph(lattice: Lattice) -> list[Node]:
    """The lattice as nodes in topological order; node 0 is the start and the last node the end."""
    nodes = [Node(None, (), -1)]
    places, groups = count(), count()

    def grow(parts: Sequence[str | Group], end: int) -> int:
        for part in parts:
            if isinstance(part, str):
                nodes.append(Node(part, (end,), next(places)))
            else:
                group = next(groups)
                ends = tuple([grow(option.parts, end) for option in part.options])
                nodes.append(Node(None, ends, group))
            end = len(nodes) - 1
        return end

    grow(lattice.parts, 0)
    return nodes


def letters(lattice: Lattice) -> Lattice:
    """The same lattice with every word spelt as one-character words."""
    parts: list[str | Group] = []
    for part in lattice.parts:
        if isinstance(part, str):
            parts.extend(part)
        else:
            parts.append(Group(tuple(map(letters, part.options))))
    return Lattice(tuple(parts))


def table(reference: Sequence[Node], hypothesis: Sequence[Node]) -> list[list[Cell]]:
    """The least key of every pair of nodes."""
    rows: list[list[Cell]] = []
    for x, (word, before, _) in enumerate(reference):
        if x and word is None:
            column = zip(*(rows[end] for end in before), strict=True)
            rows.append([min((e, h, (o, *mine), other) for o, (e, h, mine, other) in enumerate(c)) for c in column])
            continue
        above = rows[before[0]] if x else None
        row: list[Cell] = []
        for y, (other_word, ends, _) in enumerate(hypothesis):
            if y and other_word is None:
                row.append(min((row[e][0], row[e][1], row[e][2], (o, *row[e][3])) for o, e in enumerate(ends)))
                continue
            ways: list[Cell] = [] if x or y else [(0, 0, (), ())]
            if above is not None:
                errors, hits, mine, other = above[y]
                ways.append((errors + 1, hits, mine, other))
            if y:
                errors, hits, mine, other = row[ends[0]]
                ways.append((errors + 1, hits, mine, other))
            if above is not None and y:
                errors, hits, mine, other = above[ends[0]]
                same = word == other_word
                ways.append((errors, hits - 1, mine, other) if same else (errors + 1, hits, mine, other))
            row.append(min(ways))
        rows.append(row)
    return rows


def follow(nodes: Sequence[Node], latest: Options) -> tuple[list[tuple[int, str]], tuple[int | None, ...]]:
    """The path that the options, latest first, take: its words with their places, and every group's option."""
    options: list[int | None] = [None] * sum(node.word is None for node in nodes[1:])
    path: list[tuple[int, str]] = []
    turn = iter(latest)
    at = len(nodes) - 1
    while at:
        node = nodes[at]
        if node.word is None:
            options[node.number] = taken = next(turn)
            at = node.before[taken]
        else:
            path.append((node.number, node.word))
            at = node.before[0]
    return path[::-1], tuple(options)


def columns(reference: Sequence[str], hypothesis: Sequence[str]) -> list[tuple[int, int]]:
    """Two paths aligned as pairs of indices, -1 where there is no word; ties as in `bench.align.Trace`."""
    cells = table(graph(linear(reference)), graph(linear(hypothesis)))
    keys = [[errors * (1 << 31) + hits for errors, hits, *_ in row] for row in cells]
    pairs = []
    x, y = len(reference), len(hypothesis)
    while x or y:
        same = x and y and reference[x - 1] == hypothesis[y - 1]
        if x and y and keys[x - 1][y - 1] + (-1 if same else 1 << 31) == keys[x][y]:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        elif x and keys[x - 1][y] + (1 << 31) == keys[x][y]:
            x -= 1
            pairs.append((x, -1))
        else:
            y -= 1
            pairs.append((-1, y))
    return pairs[::-1]


def least(reference: Lattice, hypothesis: Lattice) -> int:
    """The least number of errors over all paths of both."""
    return table(graph(reference), graph(hypothesis))[-1][-1][0]


def align(reference: Lattice, hypothesis: Lattice) -> Row:
    """One row, whole."""
    nodes, others = graph(reference), graph(hypothesis)
    errors, misses, mine, theirs = table(nodes, others)[-1][-1]
    path, options = follow(nodes, mine)
    heard, _ = follow(others, theirs)
    words, spoken = [word for _, word in path], [word for _, word in heard]
    hits = -misses
    deletions = errors - (len(heard) - hits)
    insertions = errors - (len(path) - hits)
    reading = canonical(reference)
    pairs = columns(words, spoken)
    return Row(
        hits=hits,
        substitutions=errors - deletions - insertions,
        deletions=deletions,
        insertions=insertions,
        words=len(reading),
        hypothesis_words=len(heard),
        character_errors=least(letters(linear(words)), letters(linear(spoken))),
        least_character_errors=least(letters(reference), letters(hypothesis)),
        characters=sum(map(len, reading)),
        columns=[(path[x][0] if x >= 0 else -1, heard[y][0] if y >= 0 else -1) for x, y in pairs],
        hit=[x >= 0 and y >= 0 and words[x] == spoken[y] for x, y in pairs],
        options=options,
    )
