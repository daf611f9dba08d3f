"""Writing that is no number: acronyms, abbreviations, single letters, Roman numbers, addresses of the web, signs.

Conventions: the word lists come first; what they do not hold is spelled when it has no vowel, else left as it is. A
text all in capitals has no acronyms but those of the lists.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from .lexicon import (
    ABBREVIATIONS,
    ACRONYMS,
    ADDRESS,
    BARE_UNITS,
    BEFORE_NUMBER,
    DOTTED,
    LATIN_I,
    SPELLED,
    SPOKEN,
    SYMBOLS,
    TITLES,
    UNITS,
)
from .normal import lower
from .number import cardinal, integer, letter_names, roman, value
from .rule import CAPITAL, END, LETTER, LISTED, SMALL, SUFFIX, after, any_of, before, left, opens_ordinal, right, rule
from .suffix import attach, template, with_form

_VOWEL = re.compile("[AEIİOÖUÜ]")
_LISTED = SPELLED | SPOKEN | LATIN_I | ACRONYMS.keys()
_SMALL = re.compile(f"[{SMALL}]")


def acronym_readings(letters: str, *, shouted: bool = False) -> Sequence[str] | None:
    """The readings of a run of capitals, or None where it is a word."""
    if letters in ACRONYMS:
        return ACRONYMS[letters]
    if letters in SPOKEN or letters in LATIN_I:
        return None
    if letters in SPELLED or not (shouted or _VOWEL.search(letters)):
        return letter_names(letters)
    return None


@lru_cache(64)
def shouted(text: str) -> bool:
    """Whether a text of several words has no small letter, and a word among them that is no acronym."""
    if _SMALL.search(text):
        return False
    words = re.findall(rf"[{CAPITAL}]{{2,}}", text)
    return len(words) > 1 and any(_VOWEL.search(word) and word not in _LISTED for word in words)


@rule(rf"([{CAPITAL}]{{2,}})(?:'([{LETTER}]+))?{END}")
def acronym(match: re.Match[str]) -> Sequence[str] | None:
    """SGK'ye"""
    readings = acronym_readings(match[1], shouted=shouted(match.string))
    return None if readings is None else attach(readings, match[2])


@rule(rf"([{CAPITAL}]{{2,}})([{SMALL}]+){END}")
def acronym_inflected(match: re.Match[str]) -> Sequence[str] | None:
    """KDVli: only for listed acronyms and known suffixes"""
    known = match[1] in ACRONYMS or match[1] in SPELLED or not _VOWEL.search(match[1])
    readings = acronym_readings(match[1])
    return attach(readings, match[2]) if known and readings and template(match[2]) else None


@rule(rf"((?:[{CAPITAL}]\.){{1,}}[{CAPITAL}])\.?{SUFFIX}")
def dotted(match: re.Match[str]) -> Sequence[str] | None:
    """T.C., A.Ş.'nin, S.G.K."""
    letters = match[1].replace(".", "")
    readings = DOTTED.get(match[1]) or acronym_readings(letters)
    if readings is None and len(letters) > 2:
        readings = letter_names(letters)
    return attach(readings, match[2]) if readings else None


@rule(rf"([{CAPITAL}])'([{LETTER}]+){END}")
def letter_inflected(match: re.Match[str]) -> Sequence[str] | None:
    """A'dan Z'ye; the O of O'Connor is no letter"""
    return attach(letter_names(match[1]), match[2]) if template(lower(match[2])) else None


@rule(rf"([{CAPITAL}])(?![\w'])")
def letter(match: re.Match[str]) -> Sequence[str] | None:
    """B Blok"""
    return letter_names(match[1])


@rule(r"[xX](?=[ ]?[0-9])")
def times(match: re.Match[str]) -> list[str] | None:
    """24 ay x 500"""
    return ["çarpı"] if match.start() else None


@rule(rf"([xqw])(?:'([{SMALL}]+))?(?![{LETTER}])")
def foreign_letter(match: re.Match[str]) -> list[str]:
    """x'in"""
    return attach(letter_names(match[1]), match[2])


@rule(rf"([{SMALL}])(?:'([{SMALL}]+){END}|(?=\)|[ ]?[=+]|{LISTED}))")
def small_letter(match: re.Match[str]) -> Sequence[str] | None:
    """y'nin, c) , y = 3, b bendi"""
    known = not match[2] or template(match[2])
    return attach(letter_names(match[1]), match[2]) if known else None


@rule(rf"([IVX]+)(?:\.(?=[ ]+[{LETTER}])|'?(?:[Iıiuüİ]?nc[ıiuü])([{SMALL}]*){END})")
def roman_ordinal(match: re.Match[str]) -> list[str] | None:
    """XIX. yüzyıl, II. Mehmet"""
    number = roman(match[1])
    if not number or (len(match[0]) == 2 and not opens_ordinal(match)):
        return None  # V. Putin
    stem = with_form(cardinal(number), "(I)ncI")
    if not match[2]:
        return [stem]
    return attach([stem], match[2], possessive=True)


_NAME_BEFORE = re.compile(rf"(?<!\w)[{CAPITAL}][{SMALL}]+[ ]$")
_REPEATED = re.compile("V+|X+")


@rule(rf"([IVX]{{1,5}})(?![.\w]){SUFFIX}")
def roman_cardinal(match: re.Match[str]) -> list[str] | None:
    """IV numaralı, Bölüm II, Rocky II"""
    number = roman(match[1])
    long = len(match[1]) > 2 and match[1] != "XXX" and not shouted(match.string)
    named = _NAME_BEFORE.search(left(match)) and not _REPEATED.fullmatch(match[1])
    known = long or (len(match[1]) > 1 and (named or before(match, "roman_before")))
    if not number or not (known or after(match, "roman_after")):
        return None
    return attach([cardinal(number)], match[2])


_UNIT = any_of(BARE_UNITS)


@rule(rf"({_UNIT})(?![\w/²³]){SUFFIX}")
def bare_unit(match: re.Match[str]) -> list[str]:
    """km'de"""
    return attach(UNITS[match[1]], match[2])


def abbreviation(word: str, *, starts: bool, numbers: bool) -> Sequence[str] | None:
    """The readings of a word before a dot. `starts` says that something follows: a title never ends a text; `numbers`
    that a number does."""
    if numbers and lower(word) in BEFORE_NUMBER:
        return BEFORE_NUMBER[lower(word)]
    if word in TITLES and (starts or word in _ADDRESS_WORDS):
        return TITLES[word]
    return ABBREVIATIONS.get(word) or ABBREVIATIONS.get(lower(word))


_ADDRESS_WORDS = frozenset({"Mah", "Mh", "Cad", "Cd", "Sk", "Sok", "Blv", "Bulv", "Apt", "Şti", "Ltd", "Md"})


@rule(r"(vb|vs|vd|yy|[bB]kz|[öÖ]rn)(?![\w.'])")
def undotted(match: re.Match[str]) -> Sequence[str]:
    """vb belgeler"""
    return ABBREVIATIONS[lower(match[1])]


@rule(rf"(Dr|Prof|Doç|Uzm|Ltd|Mah|Cad|Apt)(?=[ ][{CAPITAL}0-9])|(Şti)(?![\w.'])")
def undotted_title(match: re.Match[str]) -> Sequence[str]:
    """Dr Ayşe, Ltd Şti"""
    return TITLES[match[0]]


_ENDINGS = "com|net|org|edu|gov|info|io|tr"
_NAME = f"[{LETTER}0-9_-]"
_PATH = rf"(?:/[{LETTER}0-9_./?=&%#-]*[{LETTER}0-9_])?"
WEB = re.compile(
    rf"(?:https?://)?(?P<address>(?<![{LETTER}0-9_.+-])[{LETTER}0-9_.+-]+@{_NAME}+(?:\.{_NAME}+)+"
    rf"|(?<![\w.@])@[{LETTER}]{_NAME}*"
    rf"|www\.{_NAME}+(?:\.{_NAME}+)+{_PATH}"
    rf"|(?<![{LETTER}0-9_.@-]){_NAME}+(?:\.{_NAME}+)*\.(?:{_ENDINGS}){_PATH}){SUFFIX}",
    re.IGNORECASE,
)
_ADDRESS_TOKEN = re.compile(rf"[{LETTER}]+|[0-9]+|.")


def web(match: re.Match[str]) -> list[str]:
    """destek@ornek.com.tr, www.ornek.net/kayit"""
    parts: list[Sequence[str]] = []
    previous = ""
    for token in _ADDRESS_TOKEN.findall(match["address"]):
        word = token.lower() if token.isascii() else lower(token)
        if token.isdigit():
            parts.append(integer(token)[:2])
        elif word in ("com", "tr") and previous != ".":
            parts.append([word])
        elif len(word) == 1 and word.isalpha():
            parts.append(letter_names(word)[:1])
        else:
            parts.append(ADDRESS.get(word, (word,)))
        previous = token
    return attach(_consistent(parts), match[2])


def _consistent(parts: Sequence[Sequence[str]]) -> list[str]:
    """Every combination in which the same sign is read the same way throughout."""
    varied = list(dict.fromkeys(tuple(part) for part in parts if len(part) > 1))[:6]
    readings = []
    for choice in product(*varied):
        chosen = dict(zip(varied, choice, strict=True))
        readings.append(" ".join([chosen.get(tuple(part), part[0]) for part in parts]))
    return readings


@rule(rf"#([{LETTER}][{LETTER}0-9_]*)")
def hashtag(match: re.Match[str]) -> list[str]:
    """#kampanya"""
    spoken = re.sub("[0-9]+", lambda digits: f" {value(digits[0])} ", lower(match[1]).replace("_", " "))
    return [f"{name} {spoken}" for name in ("hashtag", "heştek", "diyez", "etiket")]


@rule("/")
def divided(match: re.Match[str]) -> list[str]:  # noqa: ARG001
    """8 / 2"""
    return ["bölü"]


@rule("-")
def minus(match: re.Match[str]) -> list[str] | None:
    """-40; a hyphen after a letter, a digit or a bracket is none"""
    return None if re.search(r"[\w)'\"]$", left(match)) else ["eksi"]


_SIGNS = "".join(re.escape(sign) for sign in SYMBOLS)


@rule(rf"([{_SIGNS}])(?:'([{SMALL}]+){END})?")
def sign(match: re.Match[str]) -> Sequence[str]:
    """A sign that no rule about numbers has read: #'e; the & of Ar&Ge may be silent"""
    if match[0] == "&" and re.fullmatch(f"[{LETTER}]{{2}}", left(match)[-1:] + right(match)[:1]):
        return [*SYMBOLS["&"], ""]
    return attach(SYMBOLS[match[1]], match[2])
