"""Whether a sequence of words or a run of characters is a path of a lattice: the tests' own, independent reader."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

Node = list[Any]


def parse(lattice: str) -> Node:
    """Words, and lists of options for groups."""
    tokens = re.findall(r"[{|}]|[^\s{|}]+", lattice)
    place = 0

    def sequence() -> Node:
        nonlocal place
        nodes: Node = []
        while place < len(tokens) and tokens[place] not in "|}":
            place += 1
            if tokens[place - 1] != "{":
                nodes.append(tokens[place - 1])
                continue
            options = [sequence()]
            while tokens[place] == "|":
                place += 1
                options.append(sequence())
            place += 1
            nodes.append(options)
        return nodes

    nodes = sequence()
    assert place == len(tokens), f"unbalanced: {lattice}"
    return nodes


def covers(lattice: str, reading: str, *, spaces: bool = True) -> bool:
    """Whether `reading` is a path; with `spaces=False` joined and split words are the same."""
    target: Sequence[str] = reading.split() if spaces else reading.replace(" ", "")

    def step(nodes: Node, starts: set[int]) -> set[int]:
        for node in nodes:
            if isinstance(node, list):
                starts = set().union(*(step(option, starts) for option in node))
            elif spaces:
                starts = {at + 1 for at in starts if at < len(target) and target[at] == node}
            else:
                starts = {at + len(node) for at in starts if str(target).startswith(node, at)}
        return starts

    return len(target) in step(parse(lattice), {0})


def errors(lattice: str, words: Sequence[str]) -> int:
    """Word errors of `words` against the nearest path."""

    def walk(nodes: Node, row: list[int]) -> list[int]:
        for node in nodes:
            if isinstance(node, list):
                row = [min(column) for column in zip(*(walk(option, row) for option in node), strict=True)]
                continue
            new = [row[0] + 1]
            for place, word in enumerate(words, start=1):
                new.append(min(row[place] + 1, new[-1] + 1, row[place - 1] + (word != node)))
            row = new
        return row

    return walk(parse(lattice), list(range(len(words) + 1)))[-1]


def readings(lattice: str) -> set[str]:
    """All paths, for lattices that have few."""

    def expand(nodes: Node) -> list[str]:
        paths = [""]
        for node in nodes:
            tails = [tail for option in node for tail in expand(option)] if isinstance(node, list) else [node]
            paths = [f"{path} {tail}" for path in paths for tail in tails]
        return paths

    return {" ".join(path.split()) for path in expand(parse(lattice))}
