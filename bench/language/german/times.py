"""German dates, with the endings of their ordinals, and clock times.

Conventions: dates are day first; where no article governs an ordinal all its endings are readings.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.german.amounts import is_feminine, is_neuter
from bench.language.german.words import cardinal, code, inflected, ordinal, spelled, words, year
from bench.language.scan import END, HELD, START, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("german")


_MONTHS = {
    full: number for number, full in enumerate(
        ["januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
         "dezember"], start=1)
}  # fmt: skip

_MONTH_NAMES = list(_MONTHS)

MONTH = "(?:Januar|Jänner|Februar|Feber|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"

_SHORT_MONTH = rf"(?:{keys(_LEXICON['month'])})\.?"

_POSSESSIVE = "(?:[mdsk]?ein|ihr|unser|eur)"
DATIVE = re.compile(
    rf"\b(?:am|dem|den|vom|zum|zur|beim|im|des|bis|ab|seit|jedem|jeden|diesem|diesen|{_POSSESSIVE}e[mnrs]|der \w+"
    r"|(?:in|mit|bei|nach|von|zu|aus|vor|seit|an|auf|unter|über|neben|während|wegen|trotz|gegenüber|laut|ab) der)\s+$",
    re.I,
)
NOMINATIVE = re.compile(
    rf"\b(?:der|die|das|ins|aufs|fürs|ans|übers|ums|diese[rs]?|jede[rs]?|welche[rs]?|{_POSSESSIVE}e)\s+$", re.I
)
_BARE_DATIVE = re.compile(r"\b(?:in|mit|aus|nach|bei)\s+$", re.I)


_ENUMERATED = re.compile(
    rf"(?:{HELD}|(?:[0-9]{{1,2}}\.){{1,2}}(?:[0-9]{{2,4}})?)\s+(?:und|oder|sowie|bis)\s+(?:zum\s+)?$|{HELD}$"
)


def ordinal_ending(before: str, alone: str = "er") -> str:
    """The likeliest ending of an ordinal after these words; `alone` where nothing governs it."""
    before = _ENUMERATED.sub("", before)
    if re.search(rf"\b[Aa]m (?:\w+tag|Mittwoch|Sonnabend|(?:Mo|Di|Mi|Do|Fr|Sa|So)\.?|{HELD}),?\s+$", before):
        return "en"
    if DATIVE.search(before):
        return "en"
    if NOMINATIVE.search(before):
        return "e"
    if _BARE_DATIVE.search(before):
        return "er" if alone == "e" else "em"
    return alone


def ending_by_noun(after: str) -> str:
    """The ending of an ordinal that nothing governs, by the noun that follows."""
    noun = re.match(r"\s+(?:(?:und|oder|sowie|bis) [0-9]+\. )?([A-ZÄÖÜ]\w*)", after)
    if not noun:
        return "er"
    known = (ending for ending, nouns in _LEXICON["ordinal_noun"].items() if noun[1] in nouns)
    return next(known, "e" if is_feminine(noun[1]) else "es" if is_neuter(noun[1]) else "er")


def _day(digits: str, before: str) -> str:
    best = ordinal_ending(before)
    ways = [inflected(digits, best)]
    if not re.search(r"\b(?:am|dem|den|vom|zum|der|des|im|beim)\s+$", before, re.I):
        ways += [f"der {ordinal(digits, 'e')}", f"{{dem|den|am}} {ordinal(digits, 'en')}"]
    return until(before) + one_of(*ways)


def until(before: str) -> str:
    """`bis 14. März` is also said bis zum vierzehnten."""
    return "{|zum} " if re.search(r"\bbis\s+$", before) else ""


def _month_of(digits: str, best: str) -> str:
    name = _MONTH_NAMES[int(digits) - 1]
    numbered = inflected(digits, best)
    austrian = {"1": ["jänner"], "2": ["feber"]}.get(digits.lstrip("0"), [])
    return one_of(numbered, name, *austrian)


_DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
_MON = "(?:0?[1-9]|1[0-2])"


@rule(
    rf"{START}({_DAY})\. ?({_MON})\. ?((?:1[0-9]|20)[0-9]{{2}}|[0-9]{{2}}(?!\w|\.[0-9]| ?Uhr))(?!\w)"
    rf"|{START}({_DAY})\. ?({_MON})\.(?!\w|[0-9])"
)
def numeric_date(match: re.Match[str]) -> str:
    day, month = match[1] or match[4], match[2] or match[5]
    said = f"{_day(day, text_before(match))} {_month_of(month, ordinal_ending(text_before(match)))}"
    if not match[3]:
        return said
    if len(match[3]) == 2:
        return f"{said} {one_of(code(match[3], best='cardinal'), year('20' + match[3]), year('19' + match[3]))}"
    return f"{said} {year(match[3])}"


@rule(rf"(?:(?<=\b[Aa]m )|(?<=\b[Vv]om ))({_DAY})\.({_MON})(?![\w%:]|[.,][0-9]| ?(?:Uhr|bis))")
def undotted_date(match: re.Match[str]) -> str:
    """Am 31.10"""
    before = text_before(match)
    return f"{_day(match[1], before)} {_month_of(match[2], ordinal_ending(before))}"


@rule(rf"{START}([12][0-9]{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]){END}")
def iso_date(match: re.Match[str]) -> str:
    name = _MONTH_NAMES[int(match[2]) - 1]
    day, month = _day(match[3], text_before(match)), one_of(name, inflected(match[2], "er"))
    day_last = code(match[3], best="cardinal") if match[3][0] != "0" else code(match[3])
    return one_of(
        f"{day} {month} {year(match[1])}",
        f"{year(match[1])} {one_of(spelled(match[2]), cardinal(match[2].lstrip('0')))} {day_last}",
    )


@rule(rf"{START}({_DAY})\. ?([-–/]) ?(?=({_DAY})\. ?(?:{MONTH}|{_MON}\.))")
def day_range(match: re.Match[str]) -> str:
    return f"{_day(match[1], text_before(match))} {'{|und|oder|bis}' if match[2] == '/' else 'bis {|zum}'}"


_NO_MONTH = re.compile(r"\b(?:KW|[Kk]alenderwoche|Nr\.?|\w*[Nn]ummer|Version|Az\.?|Aktenzeichen)\s+$")


@rule(rf"{START}(0[1-9]|1[0-2])[/.]((?:19|20)[0-9]{{2}}){END}")
def month_year(match: re.Match[str]) -> str | None:
    """Anfang 08/2027, bis 07.2030; but not KW 12/2027"""
    if _NO_MONTH.search(text_before(match)):
        return None
    month = cardinal(match[1].lstrip("0"))
    return f"{one_of(_MONTH_NAMES[int(match[1]) - 1], spelled(match[1]), month)} {{|schrägstrich}} {year(match[2])}"


@rule(rf"{START}({_DAY})\. ?(?:({MONTH})\b|({_SHORT_MONTH})(?!\w))(?: ((?:1[0-9]|20)[0-9]{{2}})\b)?")
def day_month(match: re.Match[str]) -> str:
    month = match[2] or _LEXICON["month"][match[3].rstrip(".")]
    return f"{_day(match[1], text_before(match))} {month} {year(match[4]) if match[4] else ''}"


@rule(
    rf"(?<!\w)(?:({keys(_LEXICON['month'])})\.(?=,| [0-9a-zäöü]| ?[-–]|$)|({keys(_LEXICON['month'])}) (?=[0-9]{{4}}\b))"
)
def month_alone(match: re.Match[str]) -> str:
    return str(_LEXICON["month"][match[1] or match[2]])


@rule(rf"(?<!\w)(?:(Mo|Di|Mi|Do|Fr|Sa|So)\.?,(?= ?(?:[0-9]|{HELD}|de[mn] ))|(Mo|Di|Mi|Do|Fr|Sa)(?= (?:[0-9]|{HELD})))")
def weekday(match: re.Match[str]) -> str:
    """Mo, 3. Mai; Sa 10-14 Uhr, but not So 10 Leute"""
    return _weekday_name(match[1] or match[2])


@rule(r"(?<!\w)(Mo|Di|Mi|Do|Fr|Sa|So)(\.?) ?([-–]|bis|und|,) ?(Mo|Di|Mi|Do|Fr|Sa|So)\b\.?")
def weekdays(match: re.Match[str]) -> str:
    between = {"und": "und", ",": ""}.get(match[3], "bis")
    return f"{_weekday_name(match[1])} {between} {_weekday_name(match[4])}"


def _weekday_name(short: str) -> str:
    return "freitag" if short == "Fr" else str(_LEXICON["abbreviation"][short])


def _hour_word(hour: int) -> str:
    return "ein" if hour == 1 else words(hour)[0]


def _minutes(minute: int) -> str:
    return "{eins|eine minute}" if minute == 1 else f"{words(minute)[0]} {{minuten|}}"


def _clock(hour: int, minute: int, said_uhr: bool) -> str:
    short, coming = words(hour % 12 or 12)[0], words(hour % 12 + 1)[0]
    hours = one_of("null", "vierundzwanzig") if hour == 0 else _hour_word(hour)
    if minute == 0:
        noon = ["mittag"] if hour == 12 else ["mitternacht"] if hour in (0, 24) else []
        wide = [f"{_hour_word(hour % 12 or 12)} uhr"] if hour > 12 else []
        return one_of(f"{hours} uhr", *wide, f"{hours} uhr null null", *noon, *([] if said_uhr else [short]))
    minutes = cardinal(str(minute))
    readings = [f"{hours} uhr {minutes if minute >= 10 else one_of(minutes, f'null {minutes}')}"]
    if hour > 12 or hour == 0:
        readings.append(f"{_hour_word(hour % 12 or 12)} uhr {minutes}")
    if minute in (15, 45):
        readings.append(f"viertel {'nach ' + short if minute == 15 else 'vor ' + coming}")
        readings += [f"viertel {coming}"] if minute == 15 else [f"{{dreiviertel|drei viertel}} {coming}"]
    elif minute == 30:
        readings.append(f"halb {coming}")
    elif minute < 30:
        readings.append(f"{_minutes(minute)} nach {short}")
    else:
        readings.append(f"{_minutes(60 - minute)} vor {coming}")
    if 20 <= minute < 30:
        readings.append(f"{cardinal(str(30 - minute))} vor halb {coming}")
    if 30 < minute <= 40:
        readings.append(f"{cardinal(str(minute - 30))} nach halb {coming}")
    return one_of(*readings)


@rule(r"(?<!\w)Q([1-4])(?!\w)")
def quarter(match: re.Match[str]) -> str:
    return one_of(f"q {cardinal(match[1])}", f"{inflected(match[1], 'es')} quartal")


@rule(rf"(?:(?<=\b[Bb]is )|(?<=\b[Bb]is: )|(?<=\b[Zz]um ))(0[1-9]|1[0-2])/([2-4][0-9]){END}")
def valid_until(match: re.Match[str]) -> str:
    """Gültig bis 08/28: a month and a year, as cards have them."""
    month = one_of(spelled(match[1]), cardinal(match[1].lstrip("0")), _MONTH_NAMES[int(match[1]) - 1])
    return f"{month} {{|schrägstrich}} {one_of(cardinal(match[2]), year('20' + match[2]), spelled(match[2]))}"


_SCORING = re.compile(
    r"\b(?:spiel|satz|halbzeit|ergebnis|endet|steht|führ|gew[ao]nn|siegt|sieg|verl[oi]e?r|unterl[ai]e?g)[^.!?]*(?<!um )"
    r"(?<!gegen )(?<!ab )(?<!bis )(?<!von )$",
    re.IGNORECASE,
)
_LASTING = re.compile(r"(?:\b(?:in|nach|für|etwa|circa|ca\.|rund|dauert)|dauer|zeit|länge):? $", re.IGNORECASE)


def _span(larger: int, smaller: int, unit: str, sub: str) -> str:
    """An hour and minutes, or a minute and seconds."""
    counted = _counted(larger, unit)
    if not smaller:
        return counted
    halves = {1: ["{anderthalb|eineinhalb} stunden"]}.get(larger, [f"{words(larger)[0]}einhalb stunden"])
    rest = one_of(words(smaller)[0], f"{{|und}} {_counted(smaller, sub)}")
    return one_of(f"{counted} {rest}", *(halves if (unit, smaller) == ("stunde", 30) and larger else []))


@rule(rf"{START}([0-9]{{1,3}}):([0-5][0-9]) ?(?:(min|Min|Minuten)|(?:Std|Stunden))\b(?!\w)")
def elapsed(match: re.Match[str]) -> str:
    """3:45 min, 1:30 Std."""
    unit, sub = ("minute", "sekunde") if match[3] else ("stunde", "minute")
    return one_of(
        _span(int(match[1]), int(match[2]), unit, sub),
        f"{cardinal(match[1])} {cardinal(match[2].lstrip('0') or '0')} {{|{unit}n}}",
    )


@rule(rf"{START}([0-9]{{1,2}}):([0-5][0-9]):([0-5][0-9])(?: ?(?:h|Std\.?|Stunden)\b)?{END}")
def duration(match: re.Match[str]) -> str:
    hours, minutes, seconds = (int(group) for group in match.groups())
    return f"{_counted(hours, 'stunde')} {_counted(minutes, 'minute')} {{|und}} {_counted(seconds, 'sekunde')}"


def _counted(number: int, unit: str) -> str:
    return f"eine {unit}" if number == 1 else f"{words(number)[0]} {unit}n"


@rule(
    rf"{START}([01]?[0-9]|2[0-4])[:.]([0-5][0-9])( ?Uhr\b| ?h\b)?"
    r"(?:( ?[-–] ?)([01]?[0-9]|2[0-4])[:.]([0-5][0-9])( ?Uhr\b| ?h\b)?)?(?![\w]|[:.,/%][0-9]| ?%)"
)
def time(match: re.Match[str]) -> str | None:
    """14:30 Uhr; without Uhr it may be a score."""
    spoken = bool(match[3] or match[7])
    later = re.match(r" ?(?:bis|und|oder|[-–]) ?[0-9]{1,2}[.:][0-9]{2} ?Uhr", text_after(match))
    if "." in match[0][:3] and not spoken and not later:
        return None
    said = _clock(int(match[1]), int(match[2]), spoken)
    short = _hour_word(int(match[1])) + ("" if match[2] == "00" else f" {cardinal(match[2].lstrip('0'))}")
    if later:
        return one_of(said, short)
    if match[4]:
        return f"{one_of(said, short)} bis {_clock(int(match[5]), int(match[6]), spoken)}"
    if (match[3] or "").endswith("h"):
        lasting = _span(int(match[1]), int(match[2]), "stunde", "minute")
        return one_of(lasting, said) if _LASTING.search(text_before(match)) else one_of(said, lasting)
    if spoken or match[2].startswith("0") or "." in match[0]:
        return said
    score = f"{cardinal(match[1])} zu {cardinal(match[2])}"
    return one_of(score, said) if _SCORING.search(text_before(match)) else one_of(said, score)


@rule(rf"{START}([01]?[0-9]|2[0-4])(?: ?[-–] ?([01]?[0-9]|2[0-4]))? ?(?:Uhr\b|(h\b))")
def hour_rule(match: re.Match[str]) -> str | None:
    """8 Uhr, um 8 h; bis 22 h"""
    if match[3] and not re.search(r"\b(?:[Uu]m|[Bb]is|[Aa]b|[Gg]egen) $", text_before(match)):
        return None
    lasting = match[3] and not re.search(r"\b[Uu]m $", text_before(match))
    if lasting and re.match(r" [A-ZÄÖÜ]", text_after(match)):
        return None  # ab 3 h Arbeit
    hours = f"{words(int(match[1]))[0]} bis {_hour_word(int(match[2]))}" if match[2] else _hour_word(int(match[1]))
    return one_of(f"{hours} uhr", *([f"{hours} stunden"] if lasting else []))
