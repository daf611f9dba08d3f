"""English: written text to words.

Conventions: `normalise` folds casing, punctuation and typographic variants and nothing else; signs that change a
number (currency, per cent, minus, the point or comma inside a number) stay, so that it never makes one number into
another. `verbalise` reads numbers, signs and abbreviations as words. A written span that can be read in several ways
has all of them in mode "set"; the first is the one in mode "best". Words parted by a hyphen are two words. Clock
halves are two letters, `a m`; a transcript's `am` after a time is the same, as a word it is left alone.
"""

from __future__ import annotations

import re

from bench.language import scan
from bench.language.english.rules import RULES

VERSION = "1.2.0"

# Kept: a letter with its marks, an apostrophe inside a word, and the signs that change a number. All else parts words.
_KEPT_OR_PUNCTUATION = re.compile(
    r"[^\W_][\u0300-\u036f]+|(?<=[^\W_])'(?=[^\W_])|(?<=[0-9])[.,:/](?=[0-9])|(?<!\w)[-+.](?=[0-9])|[$¢-¥₠-₿%‰°]"
    r"|([^\w\s]|_)"
)


def normalise(text: str) -> str:
    """Lower-case words parted by single spaces. Idempotent; total on any text."""
    # Lower-casing can take a letter apart (İ), so letters are composed again before anything is dropped.
    text = scan.plain(scan.plain(text).lower())
    return " ".join(_KEPT_OR_PUNCTUATION.sub(lambda match: " " if match[1] else match[0], text).split())


def verbalise(text: str, mode: str = "best") -> str:
    """Numbers, signs and abbreviations of a transcript as words.

    `best` gives one reading; `set` a lattice `a {b|c} d` of all readings of the same written characters, its words
    normalised, the best one first. Raises ValueError for another mode.
    """
    if mode not in ("best", "set"):
        raise ValueError(f"The mode is {mode!r}; expected is 'best' or 'set'.")
    text = scan.plain(text)
    if scan.is_shouted(text):
        text = text.lower()
    pieces = scan.read(text, RULES)
    return scan.best(pieces) if mode == "best" else scan.lattice(pieces, normalise)


def signature() -> str:
    """The rule in the signature of every number: its name and version, and the sha256 of the lexicon."""
    return f"en_norm:{VERSION}|lexicon:{scan.digest('english')}"
