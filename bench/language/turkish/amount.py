"""Numbers that say how much: money, percentages, fractions, units, ranges, ordinals and plain numbers.

Conventions: a minus or plus before a number is a sign of its own (see `word.sign`), so the rules here open with a
digit, a currency sign or a percent sign. A suffix after a unit or a currency moves to the spoken unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from .lexicon import CURRENCIES, MONTHS, PER, UNITS, Currency
from .normal import lower
from .number import FULL, INTEGER, NUMBER, distinct, integer, letter_names, merged, number, ordinal, value
from .rule import DASH, END, LETTER, SMALL, SUFFIX, after, any_of, before, opens_ordinal, right, rule
from .suffix import attach, inflect, template, with_form

_CURRENCY = any_of(tuple(CURRENCIES))
_SIGN = "[₺€$£¥]"
_UNIT = any_of(tuple(UNITS))
_MEASURED = rf"(?:[ ]?({_UNIT})(?![\w/²³]))?"
_SCALE = "bin|milyon|milyar|trilyon"
_MEASURE = rf"(?:[ ]?({_UNIT})(?![\w/²³])|[ ]?({_CURRENCY}))?"


def _spoken_unit(numbers: Sequence[str], unit: str) -> list[str]:
    """Every number with every reading of the unit."""
    forms = [form if "{}" in form else "{} " + form for form in UNITS[unit]]
    return [form.replace("{}", spoken) for spoken in numbers for form in forms]


def _money(written: str, scale: str | None, currency: Currency, suffix: str | None) -> list[str]:
    """19,90 TL is lira and kuruş; with one decimal or a scale word it is a decimal number of lira."""
    names = currency.names
    match = re.fullmatch(rf"({INTEGER})[,.]([0-9]{{2}})", written)
    if match and currency.sub and not scale:
        whole, part = value(match[1]), value(match[2])
        main = [f"{whole} {name}" for name in names]
        decimal = [f"{whole} virgül {part} {name}" for name in names]
        hundredths = f"{value(str(int(match[2])))} {currency.sub}"
        if match[2] == "00":
            return [*main, f"{main[0]} sıfır {currency.sub}", *decimal]
        with_sub = [f"{amount} {hundredths}" for amount in main]
        if match[1] == "0":
            return [hundredths, *decimal, *with_sub]
        bare = f"{main[0]} {value(str(int(match[2])))}"
        return [*with_sub, *([bare] if match[2][0] != "0" and not suffix else []), *decimal]
    tail = f" {scale}" if scale else ""
    return [f"{spoken}{tail} {name}" for spoken in number(written) for name in names]


@rule(rf"({FULL})(?:[ ]?({_SCALE}))?[ ]?({_CURRENCY})(?:/({any_of(PER)}){END}|{SUFFIX})")
def money(match: re.Match[str]) -> list[str]:
    """19,90 TL, 40 TL/ay"""
    sums = _money(match[1], match[2], CURRENCIES[match[3]], match[5])
    if match[4]:
        return [form.replace("{}", spoken) for form in PER[match[4]] for spoken in sums]
    return attach(sums, match[5])


@rule(rf"({_SIGN})[ ]?({NUMBER})(?:[ ]({_SCALE}){END})?{SUFFIX}")
def money_after_sign(match: re.Match[str]) -> list[str]:
    """€5'lik: the writer harmonised with beş, so the order stays and the suffix goes to the currency."""
    return attach(_money(match[2], match[3], CURRENCIES[match[1]], match[4]), match[4], rivals=0)


@rule(rf"(TL|TRY|USD|EUR|GBP|CHF)[ ]?({NUMBER})(?:[ ]({_SCALE}){END})?{SUFFIX}")
def money_after_code(match: re.Match[str]) -> list[str]:
    """USD 100"""
    return attach(_money(match[2], match[3], CURRENCIES[match[1]], match[4]), match[4], rivals=0)


def _descends(first: str, last: str) -> bool:
    """Whether the first run of digits is no smaller than the last: a score or a result, no range."""
    width = max(len(first), len(last))
    return first.zfill(width) >= last.zfill(width)


def _joined(first: str, last: str, *, years: bool) -> list[str]:
    """Two numbers of a range. They stand side by side only where they cannot be heard as another number."""
    beside = [f"{first} {last}"] if not merged(first, last) else []
    ile, ila = f"{first} ile {last}", f"{first} ila {last}"
    return [ile, *beside, ila] if years else [*beside, ile, ila]


@rule(rf"({FULL}){DASH}({NUMBER})(?:[ ]({_SCALE}){END})?{_MEASURE}(?![-/][0-9]){SUFFIX}")
def span(match: re.Match[str]) -> list[str] | None:
    """3-5 gün, 500-750 TL, 1998-2004, 2-1"""
    first, last, scale, unit, currency, suffix = match.groups()
    low, high = number(first), number(last)
    if re.match("[ ]*=", right(match)):
        return [f"{low[0]} eksi {high[0]}"]
    pairs = [(a, b) for a in low[: 1 + ("," in first)] for b in high[: 1 + ("," in last)]]
    if first.isdigit() and last.isdigit() and not (scale or unit or currency) and _descends(first, last):
        beside = [f"{low[0]} {high[0]}"] if not merged(low[0], high[0]) else []
        return attach([*beside, f"{with_form(low[0], '(y)A')} {high[0]}"], suffix)
    named = after(match, "span_after")
    season = first.isdigit() and last.isdigit() and int(last) - int(first) == 1  # 2024-2025 sezonu
    years = not (unit or currency) and (
        (re.fullmatch("[12][0-9]{3}-[12][0-9]{3}", f"{first}-{last}") is not None and (named or not season))
        or (len(first) == len(last) == 4 and named)
    )
    joined = [reading for a, b in pairs for reading in _joined(a, b, years=years)]
    if scale:
        joined = [f"{reading} {scale}" for reading in joined]
    if unit:
        joined = _spoken_unit(joined, unit)
    elif currency:
        joined = [f"{reading} {name}" for reading in joined for name in CURRENCIES[currency].names]
    return attach(joined, suffix)


@rule(rf"([%‰])[ ]?([-–]?)({NUMBER})(?:{DASH}([%‰]?)({NUMBER}))?{SUFFIX}")
def percent(match: re.Match[str]) -> list[str]:
    """%20, %10-15, %5-%10, %62,7'si"""
    return _percent(match[1], match[3], match[5], match[6], minus=match[2], again=match[4])


@rule(rf"({FULL})(?:{DASH}({NUMBER}))?[ ]?([%‰])(?![ ]?[0-9]){SUFFIX}")
def percent_after(match: re.Match[str]) -> list[str]:
    """20%"""
    return _percent(match[3], match[1], match[2], match[4])


def _percent(
    sign: str, first: str, last: str | None, suffix: str | None, *, minus: str = "", again: str | None = ""
) -> list[str]:
    """`again` is the sign before the last number, which is then said twice."""
    head = "binde " if sign == "‰" else "yüzde "
    numbers: Sequence[str] = number(first)
    if last:
        numbers = [
            f"{a}{join}{said}{b}"
            for said in ((head, "") if again else ("",))
            for a in numbers
            for b in number(last)
            for join in (" ", " ila ", " ile ")
            if join != " " or said or not merged(a, b)
        ]
    heads = [f"eksi {head}", f"{head}eksi "] if minus else [head]
    return attach([start + spoken for start in heads for spoken in numbers], suffix, possessive=True)


def _quotes(match: re.Match[str]) -> bool:
    """Whether the last quotation mark before the match opened a quotation, which the mark of the match then closes."""
    opening = match.string.rfind('"', 0, match.start())
    return opening == 0 or (opening > 0 and match.string[opening - 1] in " (\n")


def _unit_of(match: re.Match[str], unit: str | None) -> str | None:
    """The unit, unless it is a quotation mark."""
    return None if unit == '"' and _quotes(match) else unit


_VULGAR = {
    "½": ("1", "2"),
    "¼": ("1", "4"),
    "¾": ("3", "4"),
    "⅓": ("1", "3"),
    "⅔": ("2", "3"),
    "⅕": ("1", "5"),
    "⅛": ("1", "8"),
}


def _part_of(readings: list[str], unit: str | None, suffix: str | None) -> list[str]:
    """Part of a unit: 1/2 m, ¾ L. Without one the writer harmonised with the visible digit, so the order stays. The
    half of something is yarısı, not yarımı."""
    if unit:
        return attach(_spoken_unit(readings, unit), suffix)
    owned = suffix is not None and (template(lower(suffix)) or "").startswith(("(s)I", "(y)I"))
    readings = ["yarı" if owned and reading == "yarım" else reading for reading in readings]
    return attach(readings, suffix, possessive=True, rivals=0)


def _fraction(numerator: str, denominator: str) -> list[str]:
    top, bottom = value(numerator), value(denominator)
    parts, over = f"{with_form(bottom, 'DA')} {top}", f"{top} bölü {bottom}"
    if (numerator, denominator) == ("1", "2"):
        return ["yarım", over]
    return [parts, "çeyrek", over] if (numerator, denominator) == ("1", "4") else [parts, over]


@rule(rf"([0-9]+)[ ]([0-9]{{1,2}})/([0-9]{{1,3}})(?![/0-9]){_MEASURED}{SUFFIX}")
def mixed_fraction(match: re.Match[str]) -> list[str] | None:
    """2 1/2, 2 1/2 m"""
    if int(match[2]) >= int(match[3]) or match[2] == "0":
        return None
    return _part_of(_mixed(match[1], match[2], match[3]), _unit_of(match, match[4]), match[5])


@rule(rf"([0-9]+)[ ]?([{''.join(_VULGAR)}]){_MEASURED}(?:'([{LETTER}]+){END})?")
def mixed_vulgar(match: re.Match[str]) -> list[str]:
    """2½, 2½ L"""
    return _part_of(_mixed(match[1], *_VULGAR[match[2]]), _unit_of(match, match[3]), match[4])


def _mixed(whole: str, numerator: str, denominator: str) -> list[str]:
    spoken, top, bottom = value(whole), value(numerator), value(denominator)
    tam = [f"{spoken} tam {top} bölü {bottom}", f"{spoken} tam {with_form(bottom, 'DA')} {top}"]
    return [f"{spoken} buçuk", *tam] if (numerator, denominator) == ("1", "2") else tam[::-1]


@rule(rf"([{''.join(_VULGAR)}]){_MEASURED}(?:'([{LETTER}]+){END})?")
def vulgar(match: re.Match[str]) -> list[str]:
    """½, ½ L"""
    return _part_of(_fraction(*_VULGAR[match[1]]), _unit_of(match, match[2]), match[3])


@rule(rf"(?<!/)([0-9]{{1,4}})/([0-9]{{1,4}})(?![/0-9])(?:-([{SMALL}])(?![\w']))?{_MEASURED}{SUFFIX}")
def fraction(match: re.Match[str]) -> list[str]:
    """3/4'ü, 1/2 m; a clause, a period or a door number is no fraction: 12/3, 6/2-b, 2025/2"""
    top, bottom, letter, unit, suffix = match.groups()
    if letter:
        clause = _over(match, top, bottom, None)
        return attach([f"{words} {name}" for words in clause for name in letter_names(letter)], suffix)
    if unit := _unit_of(match, unit):
        return _part_of(_over(match, top, bottom, None), unit, suffix)
    return _over(match, top, bottom, suffix)


def _over(match: re.Match[str], top: str, bottom: str, suffix: str | None) -> list[str]:
    """a/b by what a and b are and what stands beside it."""
    if (top, bottom) in (("7", "24"), ("24", "7")):
        other = ["yedi yirmi dört"] if top == "24" else []
        return attach([f"{value(top)} {value(bottom)}", *other], suffix)
    if re.fullmatch("(?:0?[1-9]|1[0-2])/(?:19|20)[0-9]{2}", f"{top}/{bottom}"):  # a month: 12/2026
        beside = [f"{value(top)} {value(bottom)}"] if distinct(value(top), value(bottom)) else []
        return attach(
            [*beside, f"{MONTHS[int(top) - 1]} {value(bottom)}", f"{value(top)} bölü {value(bottom)}"], suffix
        )
    whole = int(top) >= int(bottom) or top[0] == "0" or bottom[0] == "0"
    if whole or len(top) > 3 or before(match, "citation"):
        beside = [f"{value(top)} {value(bottom)}"] if distinct(value(top), value(bottom)) else []
        others = [f"{value(top)} taksim {value(bottom)}", f"{with_form(value(top), '(y)A')} {value(bottom)}"]
        over = f"{value(top)} bölü {value(bottom)}"
        if len(top) == 4 and len(bottom) < 3 and not before(match, "citation"):  # a period: 2024/11
            return attach([*beside, over, *others], suffix)
        return attach([over, *beside, *others], suffix)
    readings = _fraction(top, bottom)
    if (top, bottom) == ("1", "2") and re.match("[ ]*oran", right(match)):
        readings = ["bir bölü iki", "ikide bir", "yarı"]
    return _part_of(readings, None, suffix)


_WHOLE = r"(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,7})"


@rule(rf"(?<!:)({_WHOLE}):({_WHOLE})(?![:0-9]|\.[0-9]){SUFFIX}")
def ratio(match: re.Match[str]) -> list[str]:
    """1:500, 1:25.000"""
    sides = [side.replace(".", "") for side in match.groups()[:2]]
    top, bottom = map(value, sides)
    readings = [f"{top} bölü {bottom}", f"{with_form(bottom, 'DA')} {top}", f"{top} iki nokta {bottom}"]
    if int(sides[0]) >= int(sides[1]) or (len(sides[1]) == 2 and not after(match, "scale")):  # a result: 3:1
        beside = [f"{top} {bottom}"] if distinct(top, bottom) else []
        readings = [*beside, *readings, f"{with_form(top, '(y)A')} {bottom}"]
    return attach(readings, match[3], rivals=1)


@rule(rf"({FULL})[ ]?({_UNIT})(?![\w/²³]){SUFFIX}")
def measure(match: re.Match[str]) -> list[str] | None:
    """5 kg'lık, 120 km/sa, 55\""""
    if match[2] == '"' and _quotes(match):
        return None
    readings = _spoken_unit(number(match[1]), match[2])
    if match[2] == "m" and not match[3] and (length := re.fullmatch("([0-9]+),([0-9]{2})", match[1])):
        readings.append(f"{value(length[1])} metre {value(length[2])}")  # 1,75 m
    return attach(readings, match[3])


@rule(rf"(?=[0-9.,]+[ ]?A[ ])({NUMBER})[ ]?A(?=[ ])")
def ampere(match: re.Match[str]) -> list[str] | None:
    """16 A sigorta; elsewhere an A after a number is a letter"""
    if not after(match, "current"):
        return None
    return [f"{spoken} amper" for spoken in number(match[1])]


@rule(rf"(?!0[xX])({FULL})((?:[ ]?[xX×][ ]?{NUMBER})+)(?:[ ]?({_UNIT})(?![\w/²³]))?{SUFFIX}")
def product(match: re.Match[str]) -> list[str]:
    """10 x 15 cm"""
    sides = [value(match[1]) if match[1].isdigit() else number(match[1])[0]]
    sides += [number(side)[0] for side in re.findall(NUMBER, match[2])]
    readings = [" çarpı ".join(sides)]
    if len(sides) == 2:
        readings.append(f"{with_form(sides[0], '(y)A')} {sides[1]}")
    if all(distinct(a, b) for a, b in pairwise(sides)):
        readings.append(" ".join(sides))
    return attach(_spoken_unit(readings, match[3]) if match[3] else readings, match[4])


_OWNED = "s[ıiuü](?:n(?:[ıiuü]n?|[ae]|[dt][ae]n?))?"


@rule(
    rf"({INTEGER})\.(?:'([{LETTER}]+)|(?=[{SMALL}])(?:[ıiuü]?n?c[ıiuü])?"
    rf"({_OWNED}|l[ıiuü][kğ][{SMALL}]*|y[ıiuü][mz]|n[ıiuü]n)?){END}"
)
def ordinal_suffixed(match: re.Match[str]) -> list[str]:
    """3.'sü, 3.sü, 3.'yü, 3.lük, 3.yüz; the ending of 3.cü and 3.üncü says what the dot says"""
    suffix = match[2] or match[3]
    return attach([ordinal(match[1])], suffix, possessive=suffix is not None and lower(suffix)[0] != "y")


@rule(rf"([0-9]+){DASH}([0-9]+)\.(?=[ ]*[{LETTER}])")
def ordinal_span(match: re.Match[str]) -> list[str] | None:
    """7-8. sınıf"""
    if not opens_ordinal(match):
        return None
    first, last = match[1], ordinal(match[2])
    return [f"{value(first)} {last}", f"{ordinal(first)} {last}", f"{ordinal(first)} ve {last}"]


@rule(rf"({INTEGER})\.(?=[ ]*[{LETTER}]|,)")
def ordinal_dotted(match: re.Match[str]) -> list[str] | None:
    """3. kat; before a capital only where the noun is one that is counted so, else the dot may end a sentence"""
    readings = [ordinal(match[1]), value(match[1])]
    return readings if opens_ordinal(match) else readings[::-1]


@rule(rf"({INTEGER})'?((?:[ıiuüIİUÜ]?[nN][cC][ıiuüIİUÜ])[{LETTER}]*){END}")
def ordinal_worded(match: re.Match[str]) -> list[str]:
    """4'üncü, 3ncü, 1'inciyiz"""
    form = template(lower(match[2])) or "(I)ncI"
    return ["".join(inflect(value(match[1]), form))]


@rule(rf"([0-9]+(?:\.[0-9]+){{2,}})(?!\.?[0-9]){SUFFIX}")
def version(match: re.Match[str]) -> list[str] | None:
    """4.2.1"""
    if re.fullmatch(INTEGER, match[1]) and not before(match, "version"):
        return None
    return attach([" nokta ".join([value(part) for part in match[1].split(".")])], match[2])


@rule(rf"([vV])([0-9]+(?:\.[0-9]+)*)(?!\.?[0-9]){SUFFIX}")
def version_lettered(match: re.Match[str]) -> list[str] | None:
    """v2.0"""
    if match[1] == "V" and "." not in match[2]:
        return None
    digits = " nokta ".join([value(part) for part in match[2].split(".")])
    return attach([f"{letter} {digits}" for letter in ("ve", "versiyon", "vi")], match[3])


_GENERATIONS = {"G": ("ge", "ci"), "D": ("de", "di", "boyutlu"), "K": ("ka", "ke", "key"), "p": ("pe", "pi")}


@rule(rf"([0-9]+[.,][0-9]+|[0-9]+)([GDKp]){SUFFIX}")
def generation(match: re.Match[str]) -> list[str]:
    """5G, 3D, 4K, 1080p"""
    return attach([f"{spoken} {name}" for spoken in number(match[1]) for name in _GENERATIONS[match[2]]], match[3])


@rule(r"([0-9]{1,2})\)(?=[ ])")
def enumerator(match: re.Match[str]) -> list[str]:
    """1) Adınız"""
    return [value(match[1]), ordinal(match[1])]


_TIME = re.compile(
    r"(?:[01]?[0-9]|2[0-4])\.(?:0[1-9]|[1-5][0-9])"
)  # 14.30 may be a time wherever nothing says that it is none


@rule(rf"({NUMBER}){SUFFIX}")
def plain(match: re.Match[str]) -> list[str]:
    """17, 3,5 milyon, 2024'ün: the readings of a whole number as a code do not compete for the suffix"""
    written, suffix = match.groups()
    if re.fullmatch(INTEGER, written):
        return attach(integer(written), suffix, rivals=1)
    readings = number(written, version="." in written and before(match, "version"))
    if _TIME.fullmatch(written) and not (before(match, "not_time_before") or after(match, "not_time_after")):
        readings = (*readings, " ".join(map(value, written.split("."))))
    return attach(readings, suffix)


@rule(rf"({INTEGER})([{SMALL}]{{2,}}){END}")
def glued(match: re.Match[str]) -> list[str] | None:
    """90larda: a suffix without its apostrophe"""
    return attach([value(match[1])], match[2]) if template(match[2]) else None


@rule(rf"([0-9]+)(?:'([{LETTER}]+){END})?")
def leftover(match: re.Match[str]) -> list[str]:
    """Digits inside a word or after a dot, which no other rule may open"""
    return attach(integer(match[1]), match[2], rivals=1)
