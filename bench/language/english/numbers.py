"""English numbers without a unit: fractions, ordinals, decades, ranges, versions, bare digit strings.

Conventions: a number's context decides only which reading comes first, never which readings there are.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.english.codes import CODE_WORD
from bench.language.english.times import MONTH, MONTH_NAMES, date_readings, of_date
from bench.language.english.words import below_hundred, cardinal, code, decimal, ordinal, spelled, year
from bench.language.scan import END, HELD, START, in_quotation, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("english")

# What is counted follows the number: 1250 people.
_COUNTED = re.compile(r"\s(?!(?:and|are|but|for|from|has|now|please|then|today|was|will|with|you|your)\b)[a-z]{3,}")
# Three digits are said one by one after these, and after letters: flight AX 912.
_DIALLED = re.compile(
    r"\b(?:[Cc]all|[Dd]ial|[Tt]ext|[Rr]oom|[Ff]light|[Cc]ode|(?i:pin|ext|area|gate)|[Ee]xtension|[Nn]umber|[Dd]igits"
    r"|[Hh]ighway|Hwy|[Rr]oute|Rte|[Ii]nterstate)\W+$"
    r"|\b[A-Z]{2,3} $"
)
_YEAR_WORD = re.compile(
    rf"\b(?:in|since|by|of|from|until|till|year|years|before|after|during|{MONTH})\W+$", re.IGNORECASE
)

_STREET_AHEAD = re.compile(
    rf"\s+(?:(?:[NSEW]\.?|{HELD})\s+)?(?:[A-Z][\w']*\s+){{1,3}}"
    rf"(?:St|Street|Drive|Dr|Road|Avenue|Lane|Court|Way|Boulevard|{keys(_LEXICON['address'])})\b"
)

_ON = re.compile(rf"(?:\b(?:[Oo]n|[Bb]y|until|[Ss]ince|[Ff]rom|[Dd]ue|dated)|{HELD},?)\s+$")  # a date follows
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
_PARTS = {2: ["half", "halves"], 4: ["quarter", "quarters"]}


def _fraction(top: str, bottom: str, mixed: bool, before_noun: bool = False) -> str:
    if (top, bottom) == ("1", "2"):
        if mixed:
            return "{a|one} half"
        return "{half a|one half|a half|one half a|half}" if before_noun else "{one half|half|a half}"
    plural = top != "1"
    names = [ordinal(bottom) + ("s" if plural else "")]
    if int(bottom[:2]) in _PARTS and len(bottom) == 1:
        named = _PARTS[int(bottom)][plural]
        names = [named] if bottom == "2" else [named, *names]
        if (top, bottom) == ("3", "4") and before_noun:
            names.append("quarter")  # three quarter cup
    count = cardinal(top) if plural else "{one|a|}" if before_noun else "{one|a}"
    return f"{count} {one_of(*names)}" + (" {|of a|of an}" if before_noun else "")


@rule(r"(?<![\w/])24/7(?![\w/])")
def always(match: re.Match[str]) -> str:  # noqa: ARG001
    return "twenty four {|hours a day} seven {|days a week}"


_COUNT = "(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"

_LONG_UNIT = "|".join(re.escape(unit) for unit in sorted(_LEXICON["unit"], key=len, reverse=True) if len(unit) > 1)


@rule(
    r"(?<![\w.,:/])(?:([0-9]+)(?: |-|(?=[½⅓⅔¼¾⅛⅜⅝⅞])))?(?:([0-9]{1,3})/([0-9]{1,3})|([½⅓⅔¼¾⅛⅜⅝⅞]))"
    rf"(?: ?({_LONG_UNIT}|in(?=\.))\b\.?|([\"″]))?(?![\w/]|[.,:][0-9])"
)
def fractions(match: re.Match[str]) -> str | None:
    whole, measure = match[1], match[5] or match[6]
    if measure == "in":
        measure = '"'
    if match[6] and in_quotation(match):
        measure = None
    unit = f" {one_of(*_LEXICON['unit'][measure][slice(1 if whole else 0, None)])}" if measure else ""
    top, bottom = _VULGAR[match[4]].split("/") if match[4] else (match[2], match[3])
    if bottom.startswith("0") or top.startswith("0"):
        return None if int(bottom) > 31 or whole or unit else _month_slash_day(top, bottom)
    slashed = f"{cardinal(top)} {{|slash|over|out of}} {cardinal(bottom)}"
    if whole:
        return f"{cardinal(whole)} and {_fraction(top, bottom, mixed=True)}{unit}"
    if unit:
        return _fraction(top, bottom, False, before_noun=True) + unit
    date = _month_slash_day(top, bottom)
    if bottom == "1":
        dated = date is not None and _ON.search(text_before(match))
        return one_of(str(date), slashed) if dated else one_of(slashed, *([date] if date else []))
    said = _fraction(top, bottom, False, bool(re.match(r" (?!of\b|a\b|an\b)[a-z]", text_after(match))))
    if date and _ON.search(text_before(match)):
        return one_of(date, said, slashed)
    if int(top) >= int(bottom) or int(bottom) not in (2, 3, 4, 5, 6, 8, 10, 16, 32, 64, 100):
        return (
            one_of(date, slashed, said)
            if date and int(bottom) > 10
            else one_of(slashed, said, *([date] if date else []))
        )
    return one_of(said, slashed, *([date] if date else []))


def _month_slash_day(month: str, day: str) -> str | None:
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    name = MONTH_NAMES[int(month) - 1]
    numeric = one_of(f"{of_date(month)} {of_date(day)}", f"{name} {cardinal(day.lstrip('0'))}")
    return date_readings(name, day, numeric=numeric)


@rule(r"(?<![\w.,:/])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
def ordinal_rule(match: re.Match[str]) -> str:
    return ordinal(match[1].replace(",", ""))


@rule(r"(?<=[0-9])-(to|by|in|on|and|or)-(?=[0-9])")
def linked(match: re.Match[str]) -> str:
    """9-to-5, 2-by-4"""
    return match[1]


@rule(r"(?<![\w.,:/])([0-9]*[2-9][0-9])ers(?!\w)")
def team(match: re.Match[str]) -> str:
    """The 49ers."""
    said = scan.first(cardinal(match[1]))
    return said + ("rs" if said.endswith("e") else "ers")


@rule(rf"(?<![\w.,:/])(-)?({_COUNT})?(\.[0-9]+)([A-Za-z]{{1,2}})(?![\w]|[.,-]?[0-9])")
def decimal_suffixed(match: re.Match[str]) -> str:
    """1.5M, 2.5x, 3.5G"""
    minus, letters = "{minus|negative} " if match[1] else "", " ".join(match[4].lower())
    number = minus + decimal((match[2] or "").replace(",", ""), match[3][1:])
    if match[4] == "x":
        return f"{number} {{times|x}}"
    return f"{number} {one_of(_LEXICON['scale'][match[4]], letters) if match[4] in _LEXICON['scale'] else letters}"


@rule(r"(?<!\w)'?([0-9]{2}|[0-9]{4})'?s(?!\w)")
def decade(match: re.Match[str]) -> str | None:
    if match[1] == "00":
        return "two thousands"
    if not match[1].endswith("0"):
        return None
    stem = scan.first(year(match[1])) if len(match[1]) == 4 else below_hundred(int(match[1]))
    return stem[:-1] + "ies" if stem.endswith("y") else stem + "s"


@rule(r"(?<!\w)'([0-9]{2})(?!\w)")
def short_rule(match: re.Match[str]) -> str:
    return code(match[1], best="cardinal") if match[1][0] != "0" else spelled(match[1])


@rule(
    rf"(?<=[0-9%°CFm.\U000f0000-\U0010ffff]) ?[-–—] ?(?=[$£€]?[0-9])|(?<=[0-9])[-–—](?={HELD})"
    rf"|(?<={HELD}) ?[-–—] ?(?={HELD})"
)
def dash(match: re.Match[str]) -> str:
    if re.match(r"[0-9.]+ ?=", text_after(match)):
        return "minus"
    apart = match[0][0] == match[0][-1] == " "  # as in a sum
    return "{to||through|dash|minus}" if apart else "{to||through|dash}"


@rule(rf"{START}({_COUNT}):({_COUNT}){END}")
def score(match: re.Match[str]) -> str:
    return f"{cardinal(match[1].replace(',', ''))} {{to|}} {cardinal(match[2].replace(',', ''))}"


@rule(r"(?<!\w)1 (hundred|thousand|million|billion|trillion)\b")
def one_large(match: re.Match[str]) -> str:
    return f"{{one|a}} {match[1]}"


@rule(r"(?<![\w.,:/])[vV]([0-9]+(?:\.[0-9]+)+)(?!\w)")
def lettered_version(match: re.Match[str]) -> str:
    """v2.0"""
    return "{v|version} " + " {point|dot} ".join(code(part, best="cardinal") for part in match[1].split("."))


@rule(r"(?<![\w.,:/])([0-9]+(?:\.[0-9]+){2,})(?![\w])")
def version(match: re.Match[str]) -> str:
    parts = match[1].split(".")
    if len(parts) > 3:
        return " {dot|point} ".join(code(part) for part in parts)
    return " {point|dot|} ".join(code(part, best="cardinal") for part in parts)


@rule(r"(?<![\w.,:/])([-+])?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(\.[0-9]+)?(?=[\s\W_]|$)(?<=[0-9])(?![,.:/][0-9]|,[0-9])")
def number(match: re.Match[str]) -> str | None:
    sign = {"-": "{minus|negative} ", "+": "plus ", None: ""}[match[1]]
    whole, fraction = match[2] or "", (match[3] or "")[1:]
    if fraction:
        said = decimal(whole.replace(",", ""), fraction)
        if len(fraction) == 2 and fraction[0] != "0" and whole and len(whole) < 4:
            # A bare price: 19.99 is nineteen ninety nine.
            said = one_of(said, f"{cardinal(whole)} {below_hundred(int(fraction))}")
        return sign + said
    if "," in whole:
        digits = whole.replace(",", "")
        pairs = [scan.first(code(digits, best="pairs"))] if len(digits) == 4 and digits[1:3] != "00" else []
        return sign + one_of(cardinal(digits), *pairs)
    return sign + code_in_context(whole, text_before(match), text_after(match))


def code_in_context(digits: str, before: str, after: str) -> str:
    """A bare digit string in all its readings; what stands before and after it says which one is best."""
    if len(digits) == 1:
        return "{zero|oh|nothing|nil}" if digits == "0" and re.search(rf"[0-9]{HELD}$", before) else cardinal(digits)
    if digits == "911":
        return "{nine one one|nine double one|nine eleven}"  # the emergency number is never nine hundred eleven
    if digits.startswith("0"):
        return code(digits)
    box = re.search(r"(?:Box|Suite|Ste\.?|Unit|Apt\.?)\s*$", before)
    if len(digits) == 2:
        return code(digits, best="cardinal")
    if len(digits) == 4 and not CODE_WORD.search(before):
        if _STREET_AHEAD.match(after) or box:
            return one_of(*_address_first(digits))
        if digits[0] in "12" and int(digits) < 2100 and (int(digits) >= 1900 or _YEAR_WORD.search(before)):
            return one_of(year(digits), code(digits, best="cardinal"))
        if digits.endswith("00") or _COUNTED.match(after):
            return code(digits, best="cardinal")
        return code(digits)
    if len(digits) == 3:
        if box or _STREET_AHEAD.match(after):
            return code(digits, best="cardinal" if digits.endswith("00") else "pairs")
        return code(digits, best="digits" if _DIALLED.search(before) else "cardinal")
    if digits.endswith("000") and not CODE_WORD.search(before):
        return code(digits, best="cardinal")
    return code(digits)


def _address_first(digits: str) -> list[str]:
    hundreds, rest = int(digits[:2]), digits[2:]
    if rest == "00":
        return [
            scan.first(cardinal(digits)) if digits[1] == "0" else f"{below_hundred(hundreds)} hundred",
            code(digits),
        ]
    said = f"oh {below_hundred(int(rest))}" if rest[0] == "0" else below_hundred(int(rest))
    return [f"{below_hundred(hundreds)} {said}", code(digits, best="pairs")]


@rule("[0-9]+")
def leftover(match: re.Match[str]) -> str:
    """Digits in a context that no rule knows, so that none is left unread."""
    return code_in_context(match[0], "", "")
