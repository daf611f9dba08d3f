"""What a rule of the verbaliser is, and the pieces that rules are written with.

Conventions: a rule is a pattern, tried at one place of the text, and a reader that gives the readings of what
matched, in order of preference and with the written suffix attached, or None to leave it to the rules after it.
Readers are pure; the text around the match is seen through `before` and `after` alone, and only against closed lists
of cues.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from .lexicon import CUES
from .normal import lower

Reader = Callable[[re.Match[str]], Sequence[str] | None]

LETTER = "A-Za-zÇĞİÖŞÜçğıöşüÂÎÛâîû"
CAPITAL = "A-ZÇĞİÖŞÜ"
SMALL = "a-zçğıöşüâîû"
END = r"(?!\w)"
SUFFIX = rf"(?:'([{LETTER}]+))?{END}"
LISTED = "[ ](?:bent|bend|şık|seçene)"  # what a letter may name: b bendi
DASH = r"[ ]?[-–—][ ]?"
_WINDOW = 40


@dataclass(frozen=True, slots=True)
class Rule:
    """A named pattern with the reader of its matches."""

    name: str
    pattern: re.Pattern[str]
    read: Reader


def rule(pattern: str) -> Callable[[Reader], Rule]:
    """Turns a reader into the rule of its name."""
    compiled = re.compile(pattern)
    return lambda reader: Rule(reader.__name__, compiled, reader)


def any_of(written: Iterable[str]) -> str:
    """A pattern for any of these, the longest first."""
    return "|".join(re.escape(sign) for sign in sorted(written, key=len, reverse=True))


_NOUN = re.compile(
    rf"(?:{any_of(CUES['ordinal_nouns'])})(?:l[ae]r)?"
    "(?:s?[ıiuü](?:n[dt]?[ae]n?|n[ıiuü]n?)?|[dt][ae](?:n|ki)?|y?[ae]|n?[ıiuü]n)?"
)


@cache
def _cue(name: str, where: str) -> re.Pattern[str]:
    words = any_of(CUES[name])
    return re.compile(
        rf"(?<!\w)(?:{words})(?:[ ](?:ise|da|de))?[ ]?[:.]?[ ]*$" if where == "before" else rf"[ ]*(?:{words})"
    )


def left(match: re.Match[str]) -> str:
    """The text just before the match, as much of it as a cue may need."""
    return match.string[max(match.start() - _WINDOW, 0) : match.start()]


def right(match: re.Match[str]) -> str:
    """The text just after the match."""
    return match.string[match.end() : match.end() + _WINDOW]


def before(match: re.Match[str], cue: str) -> bool:
    """Whether a word of the cue list stands just before the match."""
    return _cue(cue, "before").search(lower(left(match))) is not None


def after(match: re.Match[str], cue: str) -> bool:
    """Whether a word that begins with one of the cue list follows the match."""
    return _cue(cue, "after").match(lower(right(match))) is not None


def opens_ordinal(match: re.Match[str]) -> bool:
    """Whether the dot that ends the match makes an ordinal: before a comma or a small letter; before a capital only
    where the noun is counted so or is a ruler, since the dot may as well end the sentence."""
    follows = re.match(rf",|[ ]*([{LETTER}]+)", right(match))
    if follows is None or follows[1] is None:
        return follows is not None
    word = lower(follows[1])
    small = follows[1][0] == word[0]
    return small or word in CUES["rulers"] or _NOUN.fullmatch(word) is not None
