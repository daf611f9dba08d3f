"""Written spans become readings: ordered rules over a transcript, and the two ways to write the result down.

Conventions: a reading is a string in lattice syntax, `a {b|c d} e`, whose first options are the best reading; options
may be empty and groups may nest, so that independent choices multiply without being listed. A rule is a pattern and a
function from its match to a reading, or to None where the span is not the rule's after all. Rules run in order, each
over the whole text; a span that has been read is held under one private character, so that a later rule cannot read
it again and sees it as a boundary. Characters that the lattice syntax or the holding needs are taken out of the text
first: they are punctuation to every language here. Nothing raises, whatever the text.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_RESERVED = re.compile("[{|}\ue000-\uf8ff\U000f0000-\U0010ffff]")
HELD = "[\U000f0000-\U0010ffff]"  # a span that an earlier rule has read
START = r"(?<![\w.,:/])"  # no number begins inside another
END = r"(?![\w]|[.,:/][0-9])"
_HELD = re.compile(HELD)
_VOWELS = frozenset("AEIOUYÄÖÜ")
_FIRST_HELD, _MOST_HELD = 0xF0000, 0x10FFFF - 0xF0000

_APOSTROPHES = dict.fromkeys(map(ord, "‘’‛ʼ´`′＇"), "'")
_HYPHENS = dict.fromkeys(map(ord, "‐‑−﹣－"), "-")
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0xFFE0: "¢", 0xFFE1: "£", 0xFFE5: "¥"}


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and what its match is read as; None leaves the match as it stands."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], str | None]


def rule(pattern: str, flags: int = 0) -> Callable[[Callable[[re.Match[str]], str | None]], Rule]:
    """Make a function the reading of a pattern."""
    return lambda read: Rule(re.compile(pattern, flags), read)


def keys(table: Iterable[str]) -> str:
    """The entries of a lexicon table as alternatives of a pattern, the longest first."""
    return "|".join(re.escape(key) for key in sorted(table, key=len, reverse=True))


def text_before(match: re.Match[str]) -> str:
    """The sixty characters before a match."""
    return match.string[max(0, match.start() - 60) : match.start()]


def text_after(match: re.Match[str]) -> str:
    """The sixty characters after a match."""
    return match.string[match.end() : match.end() + 60]


_QUOTATION = re.compile(r"(?:^|[\s(])\"[^\"]*$")


def in_quotation(match: re.Match[str]) -> bool:
    """Whether a quotation mark before a match has opened a quotation, which a mark at its end then closes."""
    return _QUOTATION.search(text_before(match)) is not None


def plain(text: str) -> str:
    """Typographic variants folded: invisible characters out, NFC, one apostrophe, one hyphen, no wide ASCII."""
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return text.translate(_WIDE).translate(_APOSTROPHES).translate(_HYPHENS)


_CAPITALS = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")


def is_shouted(text: str) -> bool:
    """Whether a transcript is in capitals throughout, so that they mark neither acronyms nor names."""
    if any(letter.islower() for letter in text):
        return False
    words: list[str] = _CAPITALS.findall(text)
    return sum(word.isupper() and not _VOWELS.isdisjoint(word) for word in words) > 2


def read(text: str, rules: Iterable[Rule]) -> list[str]:
    """Literal text and readings in turn, literal first: even places are literal, odd places are readings."""
    held: list[str] = []

    def hold(rule: Rule, match: re.Match[str]) -> str:
        reading = rule.read(match) if len(held) < _MOST_HELD else None
        if reading is None:
            return match[0]
        held.append(reading)
        return chr(_FIRST_HELD + len(held) - 1)

    text = _RESERVED.sub(" ", text)
    for each in rules:
        text = each.pattern.sub(lambda match, each=each: hold(each, match), text)  # type: ignore[misc]
    pieces: list[str] = []
    end = 0
    for match in _HELD.finditer(text):
        # A reading may hold earlier ones, where a rule has matched around them.
        pieces += [text[end : match.start()], _release(match[0], held)]
        end = match.end()
    return [*pieces, text[end:]]


def _release(text: str, held: Sequence[str]) -> str:
    while _HELD.search(text):
        text = _HELD.sub(lambda match: f" {held[ord(match[0]) - _FIRST_HELD]} ", text)
    return text


def best(pieces: Sequence[str]) -> str:
    """The text with every span read in its first way."""
    return " ".join(first(piece) if place % 2 else piece for place, piece in enumerate(pieces))


def lattice(pieces: Sequence[str], normalise: Callable[[str], str]) -> str:
    """The text with every span read in all its ways, its words normalised, in lattice syntax."""
    return tidy(" ".join(pieces), normalise)


def one_of(*readings: str) -> str:
    """A group of alternatives, each once, the first one best; a single alternative needs no group."""
    distinct = list(dict.fromkeys(readings))
    return distinct[0] if len(distinct) == 1 else "{" + "|".join(distinct) + "}"


def first(reading: str) -> str:
    """The best path of a reading: the first option of every group."""
    written: list[str] = []
    taking = [True]
    for part in re.split(r"([{|}])", reading):
        if part == "{":
            taking.append(taking[-1])
        elif part == "|":
            taking[-1] = False
        elif part == "}":
            taking.pop()
        elif taking[-1]:
            written.append(part)
    return " ".join(" ".join(written).split())


def tidy(reading: str, normalise: Callable[[str], str]) -> str:
    """The same lattice with its words normalised, one space between neighbours and none inside the braces."""
    written = ""
    for part in re.split(r"([{|}])", reading):
        if part not in ("{", "|", "}"):
            part = normalise(part)
        if part and part not in "|}" and written and written[-1] not in "{|":
            written += " "
        written += part
    return written


@cache
def lexicon(language: str) -> dict[str, Any]:
    """The data file of a language, beside its modules."""
    return tomllib.loads(_file(language).decode())


@cache
def digest(language: str) -> str:
    """The sha256 of a language's data file, in hexadecimal."""
    return sha256(_file(language)).hexdigest()


def _file(language: str) -> bytes:
    return files("bench.language").joinpath(language, "lexicon.toml").read_bytes()
