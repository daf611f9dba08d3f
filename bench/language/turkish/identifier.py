"""Numbers that name something: telephones, IBAN, plates, codes and addresses.

Conventions: the digits are never changed, padded or completed; readings differ in how the same digits are grouped.
Letters are read by name, hyphens inside a code are silent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, product

from .lexicon import ACRONYMS, MODELS, SPELLED, TITLES
from .normal import normalise
from .number import code, distinct, grouped, integer, letter_names, pairs, spell, triples, unique, value
from .rule import CAPITAL, END, SMALL, SUFFIX, after, before, left, right, rule
from .suffix import attach

_GAP = r"[ .-]?"
_MOST = 512  # readings of one span; beyond them only the first reading of every part is kept


def _every(parts: Sequence[Sequence[str]]) -> list[str]:
    """Every combination of the readings of the parts, the preferred ones first."""
    total = 1
    for part in parts:
        total *= len(part)
    return [" ".join(words) for words in product(*(parts if total <= _MOST else [part[:1] for part in parts]))]


@rule(rf"[Tt][Rr][ ]?([0-9]{{2}})((?:[ ]?[0-9]){{8,}}){SUFFIX}")
def iban(match: re.Match[str]) -> list[str]:
    """TR00 1234 5678 …: digit by digit, in pairs, or in the groups of four of its print form"""
    body = match[2].replace(" ", "")
    fours = grouped(body, *[4] * (len(body) // 4), *[len(body) % 4] * (len(body) % 4 > 0))
    readings = [spell(body), *pairs(body), *fours]
    return attach(
        [f"te re {head} {rest}" for rest in readings for head in unique([value(match[1]), spell(match[1])])], match[3]
    )


def _area(digits: str) -> list[str]:
    """The three digits after the leading zero: 532 as beş yüz otuz iki, beş otuz iki or beş üç iki."""
    split = f"{value(digits[0])} {value(digits[1:])}" if digits[1] != "0" else value(digits)
    return unique([value(digits), split, spell(digits)])


def _group(digits: str) -> list[str]:
    if set(digits) == {"0"}:
        return [spell(digits)]
    return list(code(digits)) if len(digits) > 3 else unique([value(digits), spell(digits)])


def _telephone(head: str, area: str, *groups: str) -> list[str]:
    """A digit-wise area before a group that begins with bare yüz is left out: … üç iki yüz yirmi üç is heard as 3
    223."""
    digitwise = spell(area)
    readings = _every([[head] if head else [""], _area(area), *(_group(group) for group in groups)])
    wrong = f" {digitwise} yüz"
    return [reading for reading in (r.strip() for r in readings) if wrong not in f" {reading}"]


@rule(rf"(?:\+|00)90[ ]?\(?([0-9]{{3}})\)?{_GAP}([0-9]{{3}}){_GAP}([0-9]{{2}}){_GAP}([0-9]{{2}}){SUFFIX}")
def telephone_abroad(match: re.Match[str]) -> list[str]:
    """+90 532 123 45 67"""
    head = "artı doksan" if match[0][0] == "+" else "sıfır sıfır doksan"
    return attach(_telephone(head, *match.groups()[:4]), match[5])


@rule(rf"0[ ]?\(?([0-9]{{3}})\)?[ ]?{_GAP}([0-9]{{3}}){_GAP}([0-9]{{2}}){_GAP}([0-9]{{2}}){SUFFIX}")
def telephone(match: re.Match[str]) -> list[str]:
    """0532 123 45 67, 05321234567"""
    return attach(_telephone("sıfır", *match.groups()[:4]), match[5])


@rule(rf"0[ ]?([0-9]{{3}})[ ]([0-9]{{3}})[ ]([0-9])[ ]([0-9]{{3}}){SUFFIX}")
def telephone_service(match: re.Match[str]) -> list[str]:
    """0850 909 0 111"""
    return attach(_telephone("sıfır", *match.groups()[:4]), match[5])


@rule(rf"(444)[ ]?([0-9])[ ]?([0-9]{{3}}){SUFFIX}")
def telephone_444(match: re.Match[str]) -> list[str]:
    """444 0 908"""
    return attach(_every([_group(group) for group in match.groups()[:3]]), match[4])


_LOCAL_AREA = "[1-9][0-9]{2}(?=-)|[2-5][0-9]{2}(?=[ ])|5[0-5][0-9]"


@rule(rf"({_LOCAL_AREA})([ -]?)([0-9]{{3}})\2([0-9]{{2}})\2?([0-9]{{2}}){SUFFIX}")
def telephone_local(match: re.Match[str]) -> list[str] | None:
    """532-123-4567, 532 123 45 67, 5321234567"""
    area, middle, last = match[1], match[3], (match[4], match[5])
    if not match[2] and before(match, "code"):
        return None
    readings = _telephone("", area, middle, *last)
    whole = [value("".join(last))] if match[0].count(match[2]) == 2 else []
    readings += [f"{head} {tail}" for head in _telephone("", area, middle) for tail in whole]
    return attach(unique(readings), match[6])


@rule(rf"([0-9]{{4}}(?:[ -][0-9]{{4}}){{2,}}){SUFFIX}")
def fours(match: re.Match[str]) -> list[str]:
    """7340 1185 2296"""
    digits = re.sub("[ -]", "", match[1])
    return attach([spell(digits), *pairs(digits), *grouped(digits, *[4] * (len(digits) // 4))], match[2])


@rule(rf"([0-9]{{3}})[ -]([0-9]{{3}})(?![ -]?[0-9]){SUFFIX}")
def one_time_code(match: re.Match[str]) -> list[str] | None:
    """640 512 after a word such as kod"""
    if not before(match, "code"):
        return None
    digits = match[1] + match[2]
    return attach(unique([spell(digits), *pairs(digits), *triples(digits)]), match[3])


@rule(rf"([0-9]+(?:-[0-9]+)+){SUFFIX}")
def code_groups(match: re.Match[str]) -> list[str] | None:
    """84-1192 after a word such as numaranız: the hyphen is silent"""
    groups = match[1].split("-")
    if not before(match, "code") or (len(groups) == 2 and max(map(len, groups)) < 4):
        return None
    readings = product(*map(code, groups))
    apart = [" ".join(words) for words in readings if all(distinct(a, b) for a, b in pairwise(words))]
    return attach(unique([*apart, " ".join(map(spell, groups))]), match[2])


@rule(rf"([0-9]{{4,}}){SUFFIX}")
def code_number(match: re.Match[str]) -> Sequence[str] | None:
    """4512 after a word such as hane; five digits before a place name or posta kodu"""
    digits = match[1]
    if len(digits) == 5 and (before(match, "postal_code") or after(match, "postal_code") or _before_place(match)):
        split = [f"{value(digits[:2])} {value(digits[2:])}"] if digits[2:] != "000" else []
        return attach(unique([*split, *integer(digits)]), match[2])
    return attach(code(digits), match[2]) if before(match, "code") else None


def _before_place(match: re.Match[str]) -> bool:
    """Whether five digits open a text or a clause and a name follows: 34742 Kadıköy."""
    clause = re.search(r"(?:^|[,.;:\n])[ ]*$", left(match))
    return clause is not None and re.match(rf"[ ]+[{CAPITAL}]", right(match)) is not None


@rule(rf"0[xX]([0-9A-Fa-f]+){END}")
def hexadecimal(match: re.Match[str]) -> list[str]:
    """0x80070057"""
    tokens = re.findall("[A-Fa-f]+|[0-9]+", match[1])
    return _every([["sıfır iks"], *(code(token) if token.isdigit() else letter_names(token) for token in tokens)])


@rule(rf"([0-9]{{2}})[ ]([{CAPITAL}]{{1,3}})[ ]([0-9]{{2,5}}){SUFFIX}")
def plate(match: re.Match[str]) -> list[str] | None:
    """34 ABC 123: the zero of 06 is spoken"""
    if not 1 <= int(match[1]) <= 81:
        return None
    return attach(_every([[value(match[1])], letter_names(match[2]), code(match[3])]), match[4])


@rule(
    rf"(?=[{CAPITAL}0-9-]*[0-9])(?=[0-9-]*[{CAPITAL}])"
    rf"([{CAPITAL}]+-?[0-9][{CAPITAL}0-9]*(?:-[{CAPITAL}0-9]+)*|[{CAPITAL}]{{1,4}}(?:-[{CAPITAL}0-9]+)+"
    rf"|[0-9]+[{CAPITAL}][{CAPITAL}0-9]*(?:-[{CAPITAL}0-9]+)*){SUFFIX}"
)
def letters_and_digits(match: re.Match[str]) -> list[str] | None:
    """SP-48213, K7T9QX, A3, D-100, 9A"""
    tokens = re.findall(rf"[{CAPITAL}]+|[0-9]+", match[1])
    parts: list[Sequence[str]] = []
    for token in tokens:
        if token in MODELS:
            parts.append([*letter_names(token), *MODELS[token]])
        elif not token.isdigit():
            parts.append(letter_names(token) if len(token) <= 4 else ACRONYMS.get(token, (normalise(token),)))
        elif len(tokens) > 2 and re.fullmatch("(?:19|20)[0-9]{2}", token):
            parts.append(unique([value(token), *code(token)]))
        else:
            parts.append(code(token))
    return attach(_every(parts), match[2])


@rule(rf"([{CAPITAL}]{{2,3}})((?:[ ][0-9]{{4}}){{2,4}}|(?<=[{CAPITAL}]{{2}})[ ][0-9]{{3,4}}){SUFFIX}")
def letters_before_digits(match: re.Match[str]) -> list[str] | None:
    """EX 2086, KT 7715 0386: a flight or a policy, where the letters are no acronym"""
    letters, digits = match[1], match[2].replace(" ", "")
    single = len(digits) < 5
    if letters in ACRONYMS or letters in SPELLED or letters == "NO" or (single and len(letters) > 2):
        return None
    numbers = [spell(digits), *pairs(digits)]
    if single:
        year = re.fullmatch("(?:19|20)[0-9]{2}", digits)
        numbers = unique([value(digits), *code(digits)]) if year else list(code(digits))
    return attach(_every([letter_names(letters), numbers]), match[3])


@rule(rf"([0-9]{{1,4}})([{SMALL}]){END}")
def small_letter(match: re.Match[str]) -> list[str]:
    """2x, 9a"""
    return _every([[value(match[1])], letter_names(match[2])])


@rule(rf"([{CAPITAL}](?:-[{CAPITAL}]){{2,}}){SUFFIX}")
def spelled_out(match: re.Match[str]) -> list[str]:
    """A-B-C"""
    return attach(letter_names(match[1].replace("-", "")), match[2])


@rule(r"(?:[Nn][Oo]|[Nn]u)(?:[ ]?:[ ]?|\.[ ]?|(?=[ ][0-9]))(?=[ 0-9])")
def door(match: re.Match[str]) -> list[str]:
    """No: 12; after a noun (sipariş no: 12, Kapı No 3) it may be inflected"""
    inflected = match[0][0] == "n" or match[0][-1] not in ":. "
    return ["no", "numara", "numarası"] if inflected else ["numara", "no"]


@rule(r"Tel(?=[ ]?:)")
def telephone_word(_: re.Match[str]) -> Sequence[str]:
    """Tel: 0212"""
    return TITLES["Tel"]


@rule(r"([EK])\.[ ]?(?=[0-9]{4}/[0-9])")
def docket(match: re.Match[str]) -> list[str]:
    """E. 2023/115 K. 2024/87"""
    return ["esas"] if match[1] == "E" else ["karar"]


@rule("no(?=[ ][0-9A-Z])")
def number_of(_: re.Match[str]) -> list[str]:
    """Poliçe no 0045"""
    return ["no", "numara", "numarası"]


@rule(r"([DK])[ ]?[:.][ ]?(?=[0-9]{1,3}(?![0-9/]))")
def flat(match: re.Match[str]) -> list[str]:
    """D: 6, K: 3"""
    return ["daire"] if match[1] == "D" else ["kat"]


@rule(rf"([0-9]+)/([{CAPITAL}]){SUFFIX}")
def door_letter(match: re.Match[str]) -> list[str]:
    """5/B"""
    names = letter_names(match[2])
    return attach(
        [f"{value(match[1])}{join}{name}" for join in (" bölü ", " ", " taksim ") for name in names], match[3]
    )
