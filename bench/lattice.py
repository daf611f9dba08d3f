r"""The readings of one utterance that count as right, as a lattice of words.

Written `a b {c d|e} f`: words part at white space, a group in braces holds options parted by bars. The first
option is the canonical one, an option may be empty, and groups nest. `\{`, `\|`, `\}` and `\\` write those four
characters themselves. There is no limit on the number of paths, only on the depth of nesting.

Conventions: a lattice is a sequence of parts, each a word or a group; a path takes one option of every group
that it meets. Words and groups are numbered in file order: a word's number is its *place*, and every option of a
group counts, so that a group covers one unbroken range of places. A group is numbered where its brace opens.
Columns count from 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from bench.fault import Fault

DEPTH = 64  # deeper nesting than this is a slip of the pen

_TOKEN = re.compile(r"[{|}]|(?:\\.|[^\s\\{|}])+|\\", re.DOTALL)
_ESCAPED, _ITSELF = re.compile(r"\\(.)", re.DOTALL), r"\1"
_SPECIAL = re.compile(r"[\\{|}]")
_SYNTAX = re.compile("[{|}]")
_FLAT = re.compile(r"\{([^{|}]*)(?:\|[^{|}]*)*\}")  # a group that holds no other
_RUN = re.compile(r"(?:\\[\\{|}]|[^\\{|}])+")


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives at one place, in file order; the first is canonical."""

    options: tuple[Lattice, ...]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Words and groups in the order in which they are spoken."""

    parts: tuple[str | Group, ...] = ()


def parse(text: str) -> Lattice:
    """The lattice that `text` writes. Raises Fault with the column where the text is not well formed."""
    if not _SPECIAL.search(text):
        return Lattice(tuple(text.split()))
    parts: list[str | Group] = []
    options: list[Lattice] = []
    outer: list[tuple[list[str | Group], list[Lattice], int]] = []
    for match in _TOKEN.finditer(text):
        token, column = match.group(), match.start() + 1
        if token == "{":
            if len(outer) == DEPTH:
                raise Fault(f"Column {column}: groups nest deeper than {DEPTH}; write the readings out flat.")
            outer.append((parts, options, column))
            parts, options = [], []
        elif token in ("|", "}"):
            if not outer:
                what = "a bar outside of a group" if token == "|" else "a closing brace with no group open"
                raise Fault(f"Column {column}: {what}; write \\{token} if the character itself is meant.")
            options.append(Lattice(tuple(parts)))
            parts = []
            if token == "}":
                group = Group(tuple(options))
                parts, options, _ = outer.pop()
                parts.append(group)
        else:
            parts.append(_word(token, column))
    if outer:
        raise Fault(
            f"Column {outer[-1][2]}: this brace is never closed; expected a closing brace after its last option."
        )
    return Lattice(tuple(parts))


def _word(token: str, column: int) -> str:
    for match in _ESCAPED.finditer(token):
        if match.group(1) not in "\\{|}":
            token, column = "\\", column + match.start()
            break
    if token == "\\":
        raise Fault(f"Column {column}: a backslash stands only before a brace, a bar or a backslash; write it twice.")
    return _ESCAPED.sub(_ITSELF, token)


def linear(words: Iterable[str]) -> Lattice:
    """The lattice with one path. Raises Fault for a word that is empty or has white space in it."""
    path = tuple(words)
    for place, word in enumerate(path):
        if word.split() != [word]:
            raise Fault(f"Word {place} is {word!r}; expected characters without white space.")
    return Lattice(path)


def escape(word: str) -> str:
    """The word as it is written in a lattice."""
    return _SPECIAL.sub(r"\\\g<0>", word)


def text(lattice: Lattice) -> str:
    """The lattice in its own syntax: `parse(text(lattice)) == lattice`."""
    return " ".join(
        escape(part) if isinstance(part, str) else "{" + "|".join(map(text, part.options)) + "}"
        for part in lattice.parts
    )


def canonical(lattice: Lattice) -> tuple[str, ...]:
    """The words of the first option throughout."""
    words: list[str] = []
    for part in lattice.parts:
        if isinstance(part, str):
            words.append(part)
        else:
            words.extend(canonical(part.options[0]))
    return tuple(words)


def reading(written: str) -> str:
    """The canonical reading of a lattice as written, single spaces between its words. Raises Fault as `parse` does."""
    left = written
    if "\\" not in left:
        for _ in range(DEPTH):
            if "{" not in left:
                break
            left = _FLAT.sub(r" \1 ", left)
        if not _SYNTAX.search(left):
            return " ".join(left.split())
    return " ".join(canonical(parse(written)))


def mapped(written: str, fold: Callable[[str], str], settled: Callable[[str], bool] | None = None) -> str:
    """A lattice as written with each unbroken run of its words under `fold`, text to text; what that leaves as it is
    keeps its spaces, and a malformed lattice stays one. `settled` may say of a text, cheaply, that `fold` leaves each
    of its words as it is, wherever it stands."""
    if settled is not None and settled(_SYNTAX.sub(" ", written)):
        return written

    def under(run: re.Match[str]) -> str:
        words = escape(fold(_ESCAPED.sub(_ITSELF, run[0])))
        return run[0] if words == run[0].strip() else f" {words} "

    return _RUN.sub(under, written)


def count(lattice: Lattice) -> int:
    """The number of paths, exact; two paths with the same words count twice."""
    return math.prod(sum(map(count, part.options)) for part in lattice.parts if isinstance(part, Group))


def paths(lattice: Lattice) -> Iterator[tuple[str, ...]]:
    """Every path's words, the canonical one first. For small lattices: see `count`."""
    choices = [
        [(part,)] if isinstance(part, str) else [path for option in part.options for path in paths(option)]
        for part in lattice.parts
    ]
    for chosen in product(*choices):
        yield tuple(word for stretch in chosen for word in stretch)


def words(lattice: Lattice) -> tuple[str, ...]:
    """The words of all options, by place."""
    found: list[str] = []
    for part in lattice.parts:
        if isinstance(part, str):
            found.append(part)
        else:
            found.extend(word for option in part.options for word in words(option))
    return tuple(found)


Spots = Sequence[tuple[str, int, int]]


def spots(lattice: Lattice) -> Spots:
    """Each word of the canonical reading with the first place and the end of the part that it belongs to."""
    found: list[tuple[str, int, int]] = []
    place = 0
    for part in lattice.parts:
        if isinstance(part, str):
            found.append((part, place, place + 1))
            place += 1
            continue
        stop = place + sum(len(words(option)) for option in part.options)
        found += [(word, place, stop) for word in canonical(part.options[0])]
        place = stop
    return found


def locate(reading: Spots, stretch: Sequence[str], after: int = 0) -> range | None:
    """The places of the first stretch, from place `after` on, that canonically reads `stretch`; None if there is none.

    A group of which the stretch takes any part belongs to it whole, so that an alternative of a typed span is
    judged as that span.
    """
    wanted = [*stretch]
    for start in range(len(reading) - len(wanted) + 1) if wanted else ():
        if reading[start][0] == wanted[0] and reading[start][1] >= after:
            found = reading[start : start + len(wanted)]
            if [word for word, _, _ in found] == wanted:
                return range(found[0][1], found[-1][2])
    return None
