"""Dates and times.

Conventions: readers take the hour, minute, day and month as written, since their leading zero may be spoken. A time
is read by the 24-hour clock as it is written; no hour is turned into another.
"""

from __future__ import annotations

import re
from itertools import product

from .lexicon import MONTHS, SHORT_DAYS, SHORT_MONTHS
from .normal import lower
from .number import distinct, merged, spell, unique, value
from .rule import DASH, END, LETTER, SUFFIX, after, any_of, before, left, right, rule
from .suffix import attach, with_form

_HOUR = "([01]?[0-9]|2[0-4])"
_MINUTE = "([0-5][0-9])"
_CASE = re.compile("(?:[yn]?[ae]|y?[ıiuü]|[dt][ae]n?|[dt][ae]ki.*|n?[ıiuü]n|s?[ıiuü]n[dt]?[ae]n?)")
_AN_HOUR = re.compile(r"(?<!\w)[Ss](?:aat|AAT)")
_MONEY_OR_UNIT = re.compile(
    rf"[ ]?(?:TL|₺|\$|€|£|%|G(?!\w)|[GMTK]B|USD|EUR|[mk]?[gml](?!\w)|cm|mm|°)|[.,:][0-9]|[{LETTER}]"
)


def _plain(digits: str) -> str:
    """Without its leading zeros."""
    return value(digits.lstrip("0") or "0")


def _date(day: str, month: str, year: str, suffix: str | None) -> list[str] | None:
    if not (1 <= int(day) <= 31 and 1 <= int(month) <= 12):
        return None
    spoken = value(year)
    named = f"{_plain(day)} {MONTHS[int(month) - 1]} {spoken}"
    return attach(
        unique([named, f"{value(day)} {value(month)} {spoken}", f"{_plain(day)} {_plain(month)} {spoken}"]), suffix
    )


@rule(rf"([0-9]{{1,2}})([./-])([0-9]{{1,2}})\2([0-9]{{4}}){SUFFIX}")
def date(match: re.Match[str]) -> list[str] | None:
    """29.11.2026"""
    return _date(match[1], match[3], match[4], match[5])


@rule(rf"([0-9]{{2}})([./])([0-9]{{2}})\2([0-9]{{2}})(?![./:][0-9]){SUFFIX}")
def short_date(match: re.Match[str]) -> list[str] | None:
    """29.11.26"""
    return None if before(match, "version") else _date(match[1], match[3], match[4], match[5])


@rule(rf"([12][0-9]{{3}})([./-])([0-9]{{1,2}})\2([0-9]{{1,2}}){SUFFIX}")
def iso_date(match: re.Match[str]) -> list[str] | None:
    """2026-11-29"""
    year, month, day, suffix = match[1], match[3], match[4], match[5]
    if not (1 <= int(day) <= 31 and 1 <= int(month) <= 12):
        return None
    name = MONTHS[int(month) - 1]
    readings = [
        f"{_plain(day)} {name} {value(year)}",
        f"{value(year)} {name} {_plain(day)}",
        f"{value(year)} {value(month)} {value(day)}",
    ]
    return attach(unique(readings), suffix)


@rule(rf"([0-9]{{1,2}})[ ]({any_of(SHORT_MONTHS)})(?:\.|(?![{LETTER}]))(?:[ ]([12][0-9]{{3}}))?{SUFFIX}")
def short_month(match: re.Match[str]) -> list[str]:
    """24 Ara. 2026"""
    words = [_plain(match[1]), SHORT_MONTHS[match[2]], *([value(match[3])] if match[3] else [])]
    return attach([" ".join(words)], match[4])


@rule(rf"({any_of(SHORT_DAYS)})(?:[ ]?[-–][ ]?({any_of(SHORT_DAYS)}))?\.?{END}")
def weekday(match: re.Match[str]) -> list[str] | None:
    """Pzt, Pzt-Cum; a lone Sal, Per or Paz may be a word"""
    if match[2]:
        return [f"{SHORT_DAYS[match[1]]}{join}{SHORT_DAYS[match[2]]}" for join in (" ", " ile ", " ila ")]
    return [SHORT_DAYS[match[1]]] if match[1] in ("Pzt", "Pts", "Cmt", "Cts") or match[0][-1] == "." else None


@rule(rf"([0-9]{{1,2}})[./]([0-9]{{1,2}})\.?(?=[ ]*[Tt]arih){END}")
def day_month(match: re.Match[str]) -> list[str] | None:
    """15.06 tarihinde"""
    return _day_month(match[1], match[2])


@rule(rf"(0[1-9]|1[0-2])\.((?:19|20)[0-9]{{2}})(?![.,:/-]?[0-9]){SUFFIX}")
def month_year(match: re.Match[str]) -> list[str]:
    """05.2026"""
    month, year = match[1], value(match[2])
    return attach(
        unique([f"{value(month)} {year}", f"{MONTHS[int(month) - 1]} {year}", f"{_plain(month)} {year}"]), match[3]
    )


def _day_month(day: str, month: str) -> list[str] | None:
    if not (1 <= int(day) <= 31 and 1 <= int(month) <= 12):
        return None
    named = f"{_plain(day)} {MONTHS[int(month) - 1]}"
    return unique([named, f"{value(day)} {value(month)}", f"{_plain(day)} {_plain(month)}"])


def _times(hour: str, minute: str) -> list[str]:
    """The readings of a time without a suffix that keep hour and minute apart."""
    plain, padded = _plain(hour), value(hour)
    if int(minute) == 0:
        tail = "sıfır sıfır"
        if int(hour) == 0:
            return [tail, f"{tail} {tail}", "sıfır"]
        return unique([plain, f"{plain} {tail}", padded, f"{padded} {tail}"])
    minutes = value(minute)
    if int(hour) == 0:
        return unique([f"{spell(hour)} {minutes}", f"sıfır {minutes}"])
    readings = [f"{plain} {minutes}"]
    if minute == "30":
        readings.append(f"{plain} buçuk")
    elif minute[0] == "0" and distinct(plain, _plain(minute)):
        readings.append(f"{plain} {_plain(minute)}")
    return unique([*readings, f"{padded} {minutes}"])


def _past_or_to(hour: str, minute: str, suffix: str | None) -> list[str]:
    """sekizi beş geçe, dokuza çeyrek kala: adverbs already, so the locative is not written on them."""
    minutes = int(minute)
    if minutes in (0, 30) or int(hour) == 0:
        return []
    away = minutes if minutes < 30 else 60 - minutes
    spoken = "çeyrek" if away == 15 else value(str(away))
    if minutes < 30:
        phrase = f"{with_form(_plain(hour), '(y)I')} {spoken} geçe"
    else:
        phrase = f"{with_form(value(str(int(hour) + 1)), '(y)A')} {spoken} kala"
    return [phrase] if not suffix or re.fullmatch("[dt][ae]", suffix) else attach([phrase], suffix)


def clock(hour: str, minute: str, suffix: str | None) -> list[str]:
    """The readings of a time of day with its suffix."""
    suffix = lower(suffix) if suffix else None
    readings = attach(_times(hour, minute), suffix)
    noon = attach(["yarım"], suffix) if (hour, minute) == ("12", "30") else []
    return [*readings, *_past_or_to(hour, minute, suffix), *noon]


def _an_hour_is_named(match: re.Match[str]) -> bool:
    return _AN_HOUR.search(left(match)) is not None


@rule(rf"{_HOUR}([:.]){_MINUTE}{DASH}{_HOUR}\2{_MINUTE}(?![:.,]?[0-9]){SUFFIX}")
def time_range(match: re.Match[str]) -> list[str] | None:
    """09:00-18:00"""
    suffix = match[6]
    if match[2] == ".":
        quarters = {match[3], match[5]} <= {"00", "15", "30", "45"}
        if _MONEY_OR_UNIT.match(right(match)):
            return None
        if not (match[1][0] == "0" or quarters or _an_hour_is_named(match) or after(match, "span_after")):
            return None
    first, last = _times(match[1], match[3]), attach(_times(match[4], match[5]), suffix)
    pairs = list(product(first, last))
    return unique(
        [f"{a}{join}{b}" for join in (" ", " ile ", " ila ") for a, b in pairs if join != " " or not merged(a, b)]
    )


@rule(rf"([0-9]{{1,2}}):([0-5][0-9]):([0-5][0-9]){SUFFIX}")
def elapsed(match: re.Match[str]) -> list[str]:
    """2:09:48"""
    parts = [int(part) for part in match.groups()[:3]]
    named = [
        f"{value(str(part))} {unit}" for part, unit in zip(parts, ("saat", "dakika", "saniye"), strict=True) if part
    ]
    digits = [_plain(match[1]), value(match[2]), value(match[3])]
    bare = [_plain(part) for part in match.groups()[:3]]
    readings = [" ".join(named or ["sıfır saniye"]), " ".join(digits)]
    if distinct(bare[0], bare[1]) and distinct(bare[1], bare[2]):
        readings.append(" ".join(bare))
    return attach(unique(readings), match[4])


@rule(rf"{_HOUR}([:.]){_MINUTE}(?![:.,]?[0-9]){SUFFIX}")
def time(match: re.Match[str]) -> list[str] | None:
    """14:30, and 14.30 where the context says that it is a time"""
    hour, suffix = match[1], match[4]
    if after(match, "scale"):
        return None
    if match[2] == ".":
        if _MONEY_OR_UNIT.match(right(match)) or after(match, "not_time_after"):
            return None
        if before(match, "not_time_before"):
            return None
        case = suffix is not None and _CASE.fullmatch(lower(suffix))
        if not (case or hour[0] == "0" or after(match, "departure") or _an_hour_is_named(match)):
            return None
    dated = _day_month(hour, match[3]) if match[2] == "." and not _an_hour_is_named(match) else None
    return unique([*clock(hour, match[3], suffix), *attach(dated or [], suffix)])
