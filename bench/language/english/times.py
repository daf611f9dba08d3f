"""English dates and clock times.

Conventions: numeric dates are month first, the North American way; day first is an alternative where both could be
a month.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.english.words import below_hundred, cardinal, code, ordinal, spelled, year
from bench.language.scan import END, HELD, START, keys, one_of, rule

_LEXICON: dict[str, Any] = scan.lexicon("english")


_MONTHS = {name.lower(): full for short, full in _LEXICON["month"].items() for name in (short, full)}

MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)

MONTH_NAMES = list(dict.fromkeys(_LEXICON["month"].values()))

_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"

_HALF = r"[ap]\.? ?m\b\.?"


def date_readings(month: str, day: str, year_reading: str = "", numeric: str = "") -> str:
    ordered = ordinal(day)
    ways = [f"{month} {ordered}", f"{month} the {ordered}", f"the {ordered} of {month}", f"{ordered} of {month}"]
    return f"{one_of(*ways, *([numeric] if numeric else []))} {year_reading}".strip()


def _short_year(digits: str) -> str:
    if len(digits) == 4:
        return year(digits)
    return one_of(year("20" + digits) if int(digits) < 50 else year("19" + digits), code(digits, best="cardinal"))


@rule(rf"{START}([0-9]{{1,2}})([/.-])([0-9]{{1,2}})\2([0-9]{{4}}|[0-9]{{2}}){END}")
def numeric_date(match: re.Match[str]) -> str | None:
    first, second = int(match[1]), int(match[3])
    readings = []
    said_year = _short_year(match[4])
    for month, day, day_digits in ((first, second, match[3]), (second, first, match[1])):
        if 1 <= month <= 12 and 1 <= day <= 31:
            numeric = one_of(
                f"{of_date(match[1])} {of_date(match[3])}",
                f"{MONTH_NAMES[month - 1]} {cardinal(day_digits.lstrip('0'))}",
            )
            readings.append(date_readings(MONTH_NAMES[month - 1], day_digits, numeric=numeric))
    return f"{one_of(*readings)} {said_year}" if readings else None


def of_date(digits: str) -> str:
    return (
        code(digits, best="cardinal") if not digits.startswith("0") else one_of(spelled(digits), cardinal(digits[1:]))
    )


@rule(rf"{START}([12][0-9]{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]){END}")
def iso_date(match: re.Match[str]) -> str:
    said = date_readings(MONTH_NAMES[int(match[2]) - 1], match[3], year(match[1]))
    return one_of(said, f"{year(match[1])} {of_date(match[2])} {of_date(match[3])}")


@rule(
    rf"(?<!\w)({MONTH})\.? (?:the )?({_DAY})(?:st|nd|rd|th)?(?:( ?[-–—] ?)({_DAY})(?:st|nd|rd|th)?)?"
    rf"(?:,? ((?:1[0-9]|20)[0-9]{{2}}))?(?![\w]|[:/][0-9]|,[0-9]{{3}})"
)
def month_day(match: re.Match[str]) -> str:
    month, said_year = _month_name(match[1]), year(match[5]) if match[5] else ""
    if match[3]:
        return f"{month} {{|the}} {ordinal(match[2])} {{to|through}} {{|the}} {ordinal(match[4])} {said_year}"
    return date_readings(month, match[2], said_year, f"{month} {cardinal(match[2].lstrip('0'))}")


@rule(
    rf"(?<![\w.,:/])(the )?({_DAY})(st|nd|rd|th)?( of)? ({MONTH})\b\.?"
    r"(?:,? ((?:1[0-9]|20)[0-9]{2}))?(?![\w]|[:/][0-9])",
    re.IGNORECASE,
)
def day_month(match: re.Match[str]) -> str | None:
    month = _month_name(match[5])
    if match[5].islower() and not (match[3] or match[4]):
        return None
    said, ordered, said_year = cardinal(match[2].lstrip("0")), ordinal(match[2]), year(match[6]) if match[6] else ""
    if match[1] or match[4]:
        return f"{match[1] or '{|the} '}{ordered} {'of' if match[4] else '{of|}'} {month} {said_year}"
    day_first = f"{{the {ordered} of|{ordered} of|{ordered}|{said}}} {month}"
    return f"{one_of(day_first, f'{month} {ordered}', f'{month} the {ordered}')} {said_year}"


def _month_name(written: str) -> str:
    return str(_MONTHS.get(written.lower().rstrip("."), written.lower()))


@rule(rf"(?<!\w)({MONTH})(?:(\.)(?= [a-z0-9(,]|[,;:]|\s*$)|(?= [0-9]{{4}}\b))")
def month_alone(match: re.Match[str]) -> str | None:
    if not match[2] and match[1].lower() in _LEXICON["month"].values():
        return None
    name = _month_name(match[1])
    return None if name == match[1].lower() else name


_WEEKDAY = keys(_LEXICON["weekday"])


@rule(rf"(?<!\w)({_WEEKDAY})\.? ?[-–—] ?({_WEEKDAY})\b\.?")
def weekdays(match: re.Match[str]) -> str:
    return f"{_LEXICON['weekday'][match[1]]} {{to|through}} {_LEXICON['weekday'][match[2]]}"


@rule(
    rf"(?<!\w)(?<!the )({_WEEKDAY})"
    rf"(?:\.|(?=, |, ?{MONTH}| {HELD}| [0-9]{{1,2}}(?::[0-9]{{2}})? ?(?:[ap]\.?m|[-–])))"
)
def weekday(match: re.Match[str]) -> str:
    return str(_LEXICON["weekday"][match[1]])


def _half(written: str | None) -> str:
    if not written:
        return ""
    return "{p m|pm}" if written[0] in "pP" else "{a m|am}"


def _clock(hour: int, minute: int, half: str, padded: bool = False) -> str:
    """All readings of a clock time; `half` is the reading of a written a.m. or p.m., empty where none is written.

    `padded` says that the hour is written with a leading zero, as the twenty-four hours are: 08:00.
    """
    spoken = below_hundred(hour % 12 or 12)
    coming = below_hundred(hour % 12 + 1)
    this = below_hundred(hour) if hour else one_of("zero", "zero zero", "oh oh", "twelve")
    after = f" {half}" if half else ""
    afternoon = " {p m|pm|}" if hour > 12 else " {a m|am|}" if hour == 0 else ""
    if minute == 0:
        if half:
            named = ["noon" if half.startswith("{p") else "midnight"] if hour == 12 else []
            return one_of(f"{spoken} {{|o'clock}}{after}", *named)
        if hour > 12 or hour == 0:
            wide = f"{this} hundred {{|hours}}"
            return one_of(
                wide, f"{this} o'clock", f"{spoken} o'clock", f"{spoken} {'{p m|pm}' if hour else '{a m|am}'}"
            )
        extra = ["noon"] if hour == 12 else []
        if padded:
            extra += [f"{{oh|zero}} {spoken} hundred {{|hours}}", f"{spoken} {{a m|am}}"]
        return one_of(f"{this} o'clock", this, f"{this} hundred {{|hours}}", *extra)
    minutes = below_hundred(minute)
    said = f"{{oh {minutes}|{minutes}|zero {minutes}}}" if minute < 10 else minutes
    readings = [f"{this} {said}{after}"]
    if padded and hour and not half:
        readings += [f"{{oh|zero}} {spoken} {said}", f"{spoken} {said} {{a m|am}}"]
    if hour > 12 or hour == 0:
        readings.append(f"{spoken} {said}{afternoon}")
    past = {15: "{|a} quarter", 30: "half"}.get(minute, minutes)
    if minute <= 30:
        readings.append(f"{past} {{past|after}} {spoken}{after or afternoon}")
    if minute > 30:
        left = {45: "{|a} quarter"}.get(minute, below_hundred(60 - minute))
        readings.append(f"{left} {{to|of|before|til}} {coming}{after or afternoon}")
    return one_of(*readings)


@rule(rf"{START}([0-9]{{1,2}}):([0-5][0-9]):([0-5][0-9]){END}")
def duration(match: re.Match[str]) -> str:
    parts = [(int(match[place]), unit) for place, unit in ((1, "hour"), (2, "minute"), (3, "second"))]
    counted = [f"{below_hundred(count)} {unit}{'' if count == 1 else 's'}" for count, unit in parts]
    bare = " ".join(
        f"oh {below_hundred(n)}" if place and n < 10 else below_hundred(n) for place, (n, _) in enumerate(parts)
    )
    return one_of(f"{counted[0]} {counted[1]} {{|and}} {counted[2]}", bare)


@rule(
    rf"{START}([01]?[0-9]|2[0-4])[:.]([0-5][0-9])(?:\s?({_HALF})|(?:\s?h(?:ours|rs)?\b)?)(?![\w]|[:.,/%][0-9]|%)",
    re.IGNORECASE,
)
def time(match: re.Match[str]) -> str | None:
    hour, minute = int(match[1]), int(match[2])
    if "." in match[0][:3] and not match[3]:
        return None
    return _clock(hour, minute, _half(match[3]), padded=match[1].startswith("0"))


@rule(rf"{START}(1[0-2]|0?[1-9])\s?({_HALF})(?!\w)", re.IGNORECASE)
def hour_rule(match: re.Match[str]) -> str:
    said = f"{below_hundred(int(match[1]))} {{|o'clock}} {_half(match[2])}"
    return one_of(said, "noon" if match[2][0] in "pP" else "midnight") if match[1] == "12" else said


@rule(r"(?<!\w)([AaPp])\.\s?[Mm]\.")
def half_alone(match: re.Match[str]) -> str:
    return _half(match[1])
