"""Who hears which text in which cell, and in which order: balanced exactly, or refused.

Conventions: a cell is what a trial plays of a text: a system, an ordered pair of systems, or all of them. Texts, cells
and listeners are numbers from 0. A listener hears a text at most once. Listeners come in groups as large as there are
cells: inside a group every text moves on by one cell from listener to listener (a Latin square), so each (text, cell)
is heard once a group, and each cell stands at each place once a group. The order of cells is that of a Williams
square (Williams 1949): in each run through the cells, each follows each other equally often. All is seeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bench.fault import Fault

Heard = tuple[int, int]  # text, cell


@dataclass(frozen=True, slots=True)
class Balance:
    """What an allocation holds, counted from it afresh; each is (least, most).

    `pairs`: votes of a (text, cell). `places`: how often a cell stands at a place, over listeners. `follows`: how
    often one cell follows another. `share`: how often a listener hears a cell. `repeats`: texts heard twice.
    """

    pairs: tuple[int, int]
    places: tuple[int, int]
    follows: tuple[int, int]
    share: tuple[int, int]
    repeats: int

    @property
    def exact(self) -> bool:
        return self.pairs[0] == self.pairs[1] and self.places[0] == self.places[1] and self.repeats == 0


def williams(cells: int) -> list[list[int]]:
    """The rows of a Williams square: `cells` of them, twice as many where the number is odd.

    Each row holds each cell once, each column too (in each half), and each cell follows each other equally often.
    """
    base = [0]
    for step in range(1, cells):
        base.append((step + 1) // 2 if step % 2 else cells - step // 2)
    rows = [[(value + shift) % cells for value in base] for shift in range(cells)]
    return rows if cells % 2 == 0 else rows + [row[::-1] for row in rows]


def allocate(texts: int, cells: int, listeners: int, *, each: int | None = None, seed: int = 0) -> list[list[Heard]]:
    """For each listener the (text, cell) in the order of hearing. `each` is how many texts a listener hears (all).

    Raises Fault where that cannot balance exactly, and says which numbers do.
    """
    each = texts if each is None else each
    if min(texts, cells, listeners, each) < 1 or each > texts:
        raise Fault(f"There are {texts} texts, {cells} cells, {listeners} listeners and {each} texts a listener.")
    if texts % each:
        near = [n for n in range(1, texts + 1) if texts % n == 0]
        raise Fault(f"{texts} texts cannot be dealt in equal parts of {each}; a listener may hear {_near(near, each)}.")
    blocks = texts // each
    step = cells * blocks
    if listeners % step:
        less, more = listeners // step * step, -(-listeners // step) * step
        raise Fault(
            f"{listeners} listeners do not balance {cells} cells over {blocks} part(s) of the texts; "
            f"take {f'{less} or ' if less else ''}{more}."
        )
    rng = np.random.default_rng([seed, 808])
    square = williams(cells)
    dealt = rng.permutation(texts)
    found: list[list[Heard]] = []
    for group in range(listeners // cells):
        chosen = rng.permutation(dealt.reshape(blocks, each)[group % blocks])
        names = rng.permutation(cells)  # which cell a number of the square stands for in this group
        order = _order(square, each, rng)
        for shift in range(cells):
            row = [(cell + shift) % cells for cell in order]
            found.append([(text, int(names[cell])) for text, cell in zip(_mixed(chosen, row, rng), row, strict=True)])
    return [found[place] for place in rng.permutation(len(found))]


def _order(square: list[list[int]], each: int, rng: np.random.Generator) -> list[int]:
    """Rows of the square in random turn, every row before one comes again, cut at `each`."""
    order: list[int] = []
    while len(order) < each:
        for row in rng.permutation(len(square)):
            order += square[row]
    return order[:each]


def _mixed(chosen: NDArray[np.intp], row: Sequence[int], rng: np.random.Generator) -> list[int]:
    """The texts in another order for each listener: those of one cell change places among themselves."""
    texts = chosen.copy()
    cells = np.array(row)
    for cell in np.unique(cells):
        places = np.flatnonzero(cells == cell)
        texts[places] = texts[rng.permutation(places)]
    return [int(text) for text in texts]


def balance(found: Sequence[Sequence[Heard]], texts: int, cells: int) -> Balance:
    """Count what an allocation holds."""
    pairs = np.zeros((texts, cells), np.int64)
    places = np.zeros((max(map(len, found)), cells), np.int64)
    follows = np.zeros((cells, cells), np.int64)
    share = np.zeros((len(found), cells), np.int64)
    repeats = 0
    for listener, heard in enumerate(found):
        repeats += len(heard) - len({text for text, _ in heard})
        for place, (text, cell) in enumerate(heard):
            pairs[text, cell] += 1
            places[place, cell] += 1
            share[listener, cell] += 1
        for (_, first), (_, second) in pairwise(heard):
            follows[first, second] += 1
    apart = follows[~np.eye(cells, dtype=bool)] if cells > 1 else follows.ravel()
    return Balance(_ends(pairs), _ends(places), _ends(apart), _ends(share), repeats)


def _ends(counts: NDArray[np.int64]) -> tuple[int, int]:
    return int(counts.min()), int(counts.max())


def _near(numbers: list[int], wanted: int) -> str:
    below, above = max(n for n in numbers if n < wanted), min(n for n in numbers if n > wanted)
    return f"{below} or {above}"
