"""Numbers in Turkish words, and the readings of a written number.

Conventions: functions take the written digits as text, since a leading zero is spoken; they return readings in order
of preference. Words are separate; bir is not spoken before yüz and bin. Readings vary how the same digits are
grouped, never the digits: a grouping that a listener could cut elsewhere (640 512 against 645 112) is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise, product

from .lexicon import LETTERS
from .normal import lower
from .suffix import with_form

UNITS = ("sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")
TENS = ("", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan")
SCALES = ((10**15, "katrilyon"), (10**12, "trilyon"), (10**9, "milyar"), (10**6, "milyon"), (1000, "bin"))
LONGEST = 18  # digits of a number that has a name; a longer one is read digit by digit

# Thousands by dots, or by spaces where the whole run fits; else a plain run. Any other dot is decimal.
INTEGER = (
    r"(?:[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3}){2,})(?![0-9])"
    r"|(?<![0-9] )[1-9][0-9]{0,2}(?:[ \u00a0\u202f][0-9]{3})+(?![ \u00a0\u202f]?[0-9])|[0-9]+)"
)
NUMBER = rf"(?:{INTEGER}(?:,[0-9]+(?!,?[0-9]))?(?!\.?[0-9])|[0-9]+\.[0-9]+(?![.,]?[0-9])|[0-9]+)"
FULL = rf"(?>{NUMBER})"  # all of a number or nothing: the engine does not come back for a shorter one

_SEPARATORS = str.maketrans("", "", "., \u00a0\u202f")
_INTEGER = re.compile(INTEGER)
_VALUES = {name: i for i, name in enumerate(UNITS)} | {name: 10 * i for i, name in enumerate(TENS) if name}
_SCALES = {name: number for number, name in SCALES}
_ROMAN = re.compile("(?=[IVXLCM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_LETTERS = "â î û a b c ç d e f g ğ h ı i j k l m n o ö p r s ş t u ü v y z"
_SPOKEN = "a i u a be ce çe de e fe ge yumuşak_ge he ı i je ke le me ne o ö pe re se şe te u ü ve ye ze"
_NAMES = {letter: name.replace("_", " ") for letter, name in zip(_LETTERS.split(), _SPOKEN.split(), strict=True)}


@lru_cache(1 << 16)
def cardinal(number: int) -> str:
    """0 … 10^18 - 1 in words."""
    if number < 10:
        return UNITS[number]
    words = []
    for value, name in SCALES:
        count, number = divmod(number, value)
        if count:
            words.append(name if value == 1000 and count == 1 else f"{cardinal(count)} {name}")
    hundreds, rest = divmod(number, 100)
    if hundreds:
        words.append("yüz" if hundreds == 1 else f"{UNITS[hundreds]} yüz")
    tens, unit = divmod(rest, 10)
    if tens:
        words.append(TENS[tens])
    if unit:
        words.append(UNITS[unit])
    return " ".join(words)


def ordinal(digits: str) -> str:
    return with_form(value(digits), "(I)ncI")


def spell(digits: str) -> str:
    """Digit by digit."""
    return " ".join([UNITS[int(digit)] for digit in digits])


@lru_cache(1 << 14)
def value(digits: str) -> str:
    """Digits as a number, thousands separators dropped: the leading zeros one by one, the rest as a cardinal."""
    digits = digits.translate(_SEPARATORS)
    rest = digits.lstrip("0")
    if len(rest) > LONGEST:
        return spell(digits)
    zeros = ["sıfır"] * (len(digits) - len(rest))
    return " ".join([*zeros, cardinal(int(rest))] if rest else zeros)


@lru_cache(1 << 14)
def _is_cardinal(words: tuple[str, ...]) -> bool:
    total = current = 0
    for word in words:
        if word in _VALUES:
            current += _VALUES[word]
        elif word == "yüz":
            current = max(current, 1) * 100
        else:
            total += max(current, 1) * _SCALES.get(word, 0)
            current = 0
    return 0 < total + current < 10**LONGEST and cardinal(total + current) == " ".join(words)


def merged(left: str, right: str) -> bool:
    """Whether two numbers in a row are heard as one: beş, yüz is beş yüz."""
    return _is_cardinal((*left.split(), *right.split()))


@lru_cache(1 << 14)
def distinct(left: str, right: str) -> bool:
    """Whether the words of two numbers in a row can be heard as these two only: not as one number, nor cut elsewhere
    (altı yüz kırk | beş yüz on iki is also altı yüz kırk beş | yüz on iki)."""
    first = [word for word in left.split() if word != "sıfır"]
    words = (*first, *right.split())
    if _is_cardinal(words):
        return False
    cuts = (cut for cut in range(1, len(words)) if cut != len(first))
    return not any(_is_cardinal(words[:cut]) and _is_cardinal(words[cut:]) for cut in cuts)


def grouped(digits: str, *lengths: int) -> list[str]:
    """The digits in groups of these lengths, each as a number; no reading where the words could be cut elsewhere."""
    ends = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    groups = [value(digits[end - length : end]) for end, length in zip(ends, lengths, strict=True)]
    pairs = pairwise(groups)
    return [" ".join(groups)] if all(distinct(left, right) for left, right in pairs) else []


def pairs(digits: str) -> list[str]:
    """Two by two; an odd run ends in three."""
    if len(digits) < 4:
        return []
    odd = len(digits) % 2
    return grouped(digits, *[2] * (len(digits) // 2 - odd), *[3] * odd)


def triples(digits: str) -> list[str]:
    """Three by three from the left, what is left over at the end."""
    rest = len(digits) % 3
    return grouped(digits, *[3] * (len(digits) // 3), *[rest] * (rest > 0)) if len(digits) > 4 else []


def unique(readings: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(readings))


@lru_cache(1 << 12)
def integer(written: str) -> tuple[str, ...]:
    """A number in running text: as a cardinal first; seven or more digits without separators one by one first, unless
    they count thousands (2500000)."""
    digits = written.translate(_SEPARATORS)
    cardinal_first = [value(written), spell(digits)]
    if digits == written and digits[0] == "0" and len(digits) > 4:
        return code(digits)
    if digits != written or len(digits) < 3:
        return tuple(unique(cardinal_first[: len(digits)]))
    other = [*pairs(digits), *triples(digits)]
    if len(digits) >= 7 and not digits.endswith("000"):
        return tuple(unique([spell(digits), *other, value(digits)]))
    return tuple(unique([*cardinal_first, *other]))


@lru_cache(1 << 12)
def code(digits: str) -> tuple[str, ...]:
    """A number that names something: up to three digits as a number, four in pairs unless they count hundreds
    (4500), more digit by digit first."""
    if len(digits) < 4:
        return tuple(unique([value(digits), spell(digits)]))
    if len(digits) == 4:
        whole = [value(digits), spell(digits)]
        in_pairs = digits[0] != "0" and not digits.endswith("00")
        return tuple(unique([*(pairs(digits) if in_pairs else ()), *whole, *pairs(digits)]))
    split = grouped(digits, 2, 3) if len(digits) == 5 else []
    return tuple(unique([spell(digits), *split, *pairs(digits), *triples(digits), value(digits)]))


@lru_cache(1 << 12)
def number(written: str, *, version: bool = False) -> tuple[str, ...]:
    """A number that counts or measures, with or without decimals. `version` has the dot read rather than a half."""
    if _INTEGER.fullmatch(written):
        return (value(written),)
    whole, comma, part = written.partition(",")
    if comma:
        whole_words = value(whole)
        read = [f"{whole_words} virgül {value(part)}", f"{whole_words} virgül {spell(part)}"]
        if part == "5":
            read = (
                [f"{whole_words} buçuk", *read] if whole.strip("0") else [*read, *(["yarım"] if whole == "0" else [])]
            )
        if len(part) == 3 and len(whole) < 4 and whole[0] != "0":  # 1,250 written in the English way
            read.append(value(whole + part))
        return tuple(unique(read))
    whole, _, part = written.partition(".")
    words = value(whole)
    read = [f"{words} {sign} {tail}" for sign in ("nokta", "virgül") for tail in (value(part), spell(part))]
    half = [f"{words} buçuk"] if part == "5" and whole.strip("0") else []
    return tuple(unique([*read, *half] if version else [*half, *read]))


def roman(numeral: str) -> int | None:
    """The value of a Roman number in its canonical form, or None."""
    if not _ROMAN.fullmatch(numeral):
        return None
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


@lru_cache(1 << 12)
def letter_names(letters: str) -> tuple[str, ...]:
    """The letters by name. A letter with two names keeps the one chosen: KVKK is ke ve ke ke or ka ve ka ka."""
    letters = lower(letters)
    varied = [letter for letter in LETTERS if letter in letters]
    chosen = (dict(zip(varied, names, strict=True)) for names in product(*(LETTERS[letter] for letter in varied)))
    return tuple(" ".join([(_NAMES | names)[letter] for letter in letters]) for names in chosen)
