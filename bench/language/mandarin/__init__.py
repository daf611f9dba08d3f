"""Mandarin: digits to characters, where the text says how they were read.

Conventions: a token is one Han character, or one run of Latin letters, or one number. `normalise` folds width and
case, 〇 into 零, letters spelled with spaces into one run, and drops punctuation; Han characters stay as they are.
`verbalise` reads digits only. A sign between or beside numbers (98-95, 3:1, 3/4, 3.5%, 26℃, $5, 720km) no longer says
what was spoken: such a span stays as written, unresolved, and so does a long bare number that could be a count or a
code. What a number counts, what precedes it and the shape of a year or a model say how the others were read.
"""

from __future__ import annotations

import re
import unicodedata

from bench.language import scan
from bench.language.mandarin.rules import RULES

VERSION = "1.2.0"

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"[{_HAN}]"
    r"|(?<![A-Za-z0-9])-[0-9]+(?:\.[0-9]+)*|[0-9]+(?:\.[0-9]+)*|\d+"
    rf"|(?:(?![{_HAN}])[^\W\d_][\u0300-\u036f]*)+|[%‰℃°$¢-¥₠-₿]"
)
_SPELLED = re.compile(r"(?<!\S)[a-z](?: [a-z])+(?!\S)")
_ZERO = re.compile("〇|(?<=[零〇一二三四五六七八九])[○◯]|[○◯](?=[零〇一二三四五六七八九])")
_GROUPING = re.compile("(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_SQUARED = re.compile("[\u3371-\u337a\u3380-\u33df]")


def normalise(text: str) -> str:
    """Lower-case tokens parted by single spaces. Idempotent; total on any text."""
    text = _ZERO.sub("零", _GROUPING.sub("", scan.plain(_plain(text).lower())))
    return _SPELLED.sub(lambda match: match[0].replace(" ", ""), " ".join(_TOKEN.findall(text)))


def verbalise(text: str, mode: str = "best") -> str:
    """The digits of a transcript as characters, where they can be read.

    `best` gives one reading; `set` a lattice `a {b|c} d` of all readings of the same written characters, its words
    normalised, the best one first. Raises ValueError for another mode.
    """
    if mode not in ("best", "set"):
        raise ValueError(f"The mode is {mode!r}; expected is 'best' or 'set'.")
    pieces = scan.read(_plain(text), RULES)
    return scan.best(pieces) if mode == "best" else scan.lattice(pieces, normalise)


def signature() -> str:
    """The rule in the signature of every number: its name and version, and the sha256 of the lexicon."""
    return f"zh_norm:{VERSION}|lexicon:{scan.digest('mandarin')}"


def _plain(text: str) -> str:
    """Squared units (㎞, ㎡) are their letters and signs; a wide comma never groups digits."""
    text = text.replace("，", "、")
    return scan.plain(_SQUARED.sub(lambda match: _apart(match[0]), text))


def _apart(squared: str) -> str:
    """What a squared unit is made of: ㎡ is m²."""
    return "".join(chr(int(code, 16)) for code in unicodedata.decomposition(squared).split()[1:])
