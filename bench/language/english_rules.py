"""The written spans of English and how they are read: the ordered rules behind `bench.language.english.verbalise`.

Conventions: dates are month first, the North American way, with day first as an alternative where both parts could be
a month. A number's context decides only which reading comes first, never which readings there are.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.english_number import below_hundred, cardinal, code, decimal, ordinal, spelled, year
from bench.language.scan import Rule, one_of, rule

_LEXICON: dict[str, Any] = scan.lexicon("english.toml")


def _any(table: str) -> str:
    return "|".join(re.escape(key) for key in sorted(_LEXICON[table], key=len, reverse=True))


_MONTHS = {name.lower(): full for short, full in _LEXICON["month"].items() for name in (short, full)}
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_MONTH_NAMES = list(dict.fromkeys(_LEXICON["month"].values()))
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_HELD = "[\U000f0000-\U0010ffff]"
_START = r"(?<![\w.,:/])"
_END = r"(?![\w]|[.,:/][0-9])"
_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"
_HALF = r"[ap]\.? ?m\b\.?"
_CODE_WORD = re.compile(
    r"\b(?:code|pin|pass(?:code|word)|number|digits?|id|account|confirmation|reference|order|tracking|ticket|case|"
    r"claim|serial|policy|member|ends?|ending|card|ext|extension|room|flight|dial|call|text|press|routing|zip|"
    r"invoice|booking|gate|model|license|licence|plate)\b(?:\W+[\w']+){0,3}\W*$",
    re.IGNORECASE,
)
_YEAR_WORD = re.compile(
    rf"\b(?:in|since|by|of|from|until|till|year|years|before|after|during|{_MONTH})\W+$", re.IGNORECASE
)
_STREET_AHEAD = re.compile(
    rf"\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\w']*\s+){{1,3}}(?:St|Street|Drive|Dr|Road|Avenue|Lane|Court|Way|Boulevard|{_any('address')})\b"
)


def is_shouted(text: str) -> bool:
    """Whether a transcript is in capitals throughout, so that they mark neither acronyms nor names."""
    return not any(letter.islower() for letter in text) and len(re.findall(r"[A-Z]{2,}", text)) > 2


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 60) : match.start()]


def _after(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 60]


def _plain_number(text: str) -> str:
    """A number with or without grouping commas, and with or without a decimal part."""
    whole, _, fraction = text.replace(",", "").partition(".")
    return decimal(whole, fraction) if fraction else cardinal(whole)


# --- Addresses on the net ---------------------------------------------------------------------------------------------

_SIGN_NAMES = {
    ".": "dot", "-": "{dash|hyphen}", "_": "underscore", "@": "at", "/": "{slash|forward slash}", ":": "colon",
    "+": "plus", "~": "tilde", "?": "question mark", "=": "equals", "&": "and", "%": "percent", "#": "hash",
}  # fmt: skip


def _net(text: str) -> str:
    words = []
    for part in re.findall(r"[A-Za-z]+|[0-9]+|.", text.rstrip("/")):
        if part.isascii() and part.isdigit():
            words.append(code(part))
        elif part.lower() == "www":
            words.append("{w w w|www}")
        elif part.lower() in ("http", "https", "ftp", "uk", "io", "eu", "us", "ca"):
            words.append(one_of(" ".join(part), part))
        else:
            words.append(_SIGN_NAMES.get(part, part))
    return " ".join(words)


@rule(r"(?<![\w.])[\w+.-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[\w-]+(?:\.[\w-]+)+(?:/[\w./~?=&%#-]*[\w/])?")
def _address(match: re.Match[str]) -> str:
    return _net(match[0])


@rule(
    r"(?<![\w.@-])(?:[A-Za-z][\w-]*\.)+(?:com|org|net|io|edu|gov|info|app|dev|biz|ca|co\.uk)(?:/[\w./~-]*[\w/])?(?![\w-])"
)
def _domain(match: re.Match[str]) -> str:
    return _net(match[0])


# --- Telephone numbers and codes ---------------------------------------------------------------------------------------


def _area(digits: str) -> str:
    return code(digits, best="cardinal" if digits.endswith("00") else "digits")


@rule(r"(?<![\w-])(?:(\+)?(1)[-. ]?)?(?:\(([0-9]{3})\) ?|([0-9]{3})[-. ])([0-9]{3})[-. ]([0-9]{4})(?![\w]|-[0-9])")
def _phone(match: re.Match[str]) -> str:
    plus, country, bracketed, area, exchange, line = match.groups()
    words = ["{plus|}"] if plus else []
    words += ["one"] if country else []
    return " ".join([*words, _area(bracketed or area), _area(exchange), code(line)])


@rule(r"(?<![\w.])\+[0-9]{1,3}(?:[ -][0-9]{2,5}){2,5}(?![\w-])")
def _foreign_phone(match: re.Match[str]) -> str:
    return " ".join(["plus", *(code(group) for group in re.findall("[0-9]+", match[0]))])


@rule(r"(?<![\w.,:/$£€-])[0-9]+(?:[- ][0-9]+)+(?![\w%°]|[.,:/][0-9]|-\w)")
def _groups(match: re.Match[str]) -> str | None:
    groups = re.split("[- ]", match[0])
    hyphens = match[0].count("-")
    if hyphens and hyphens < len(groups) - 1:
        return None
    if hyphens:
        years = [len(group) == 4 and 1000 <= int(group) < 2100 for group in groups]
        is_code = len(groups) > 2 or groups[-1].startswith("0") or (max(map(len, groups)) > 3 and not years[0])
    else:
        is_code = len(groups) > 2 or len(groups[0]) == len(groups[1]) > 2
    if not is_code:
        return None
    return " ".join(code(group) if len(group) > 1 else spelled(group) for group in groups)


def _letters(letters: str) -> str:
    """Letters of a code: spelled, unless they are a known word."""
    known: str | None = _LEXICON["acronym"].get(letters)
    if known is not None:
        return known
    if len(letters) > 3 and not letters.isupper():
        return letters
    spelled_out = " ".join(letters.lower())
    if len(letters) > 3 and re.search("[AEIOUY]", letters) and not re.search("[^AEIOUY]{4}", letters):
        return one_of(letters.lower(), spelled_out)
    return spelled_out


@rule(
    r"(?<![\w.,:/$£€'])(?=[0-9A-Za-z-]*[0-9])(?=[0-9A-Za-z-]*[A-Za-z])[0-9A-Za-z]+(?:-[0-9A-Z][0-9A-Za-z]*)*(?![\w'])"
)
def _mixed(match: re.Match[str]) -> str | None:
    """Capitals and digits in one token: K7T9QX, HB-20871-C, 4B, I-95."""
    token = match[0]
    if re.fullmatch(r"[0-9]+(?:st|nd|rd|th|s|[a-z]{2,})", token, re.IGNORECASE) or re.search("-[A-Z][a-z]", token):
        return None
    if re.fullmatch("[0-9]+[KMkx]", token):
        said = cardinal(token[:-1])
        other = "{times|x}" if token[-1] == "x" else one_of(_LEXICON["scale"][token[-1]], token[-1].lower())
        return f"{said} {other}" if token[-1] in "x" or len(token) > 2 else f"{said} {token[-1].lower()}"
    words = []
    for part in re.findall(r"[A-Za-z]+|[0-9]+", token):
        if part.isdigit():
            best = "digits"
            if len(part) < 3 and not part.startswith("0") and not re.search(r"[A-Za-z].*[0-9].*[A-Za-z].*[0-9]", token):
                best = "cardinal"
            words.append(_area(part) if token.startswith("1-") else code(part, best=best))
        elif token.startswith("I-"):
            words.append("{i|interstate}")
        else:
            words.append(_letters(part))
    return " ".join(words)


# --- Dates ------------------------------------------------------------------------------------------------------------


def _date(month: str, day: str, year_reading: str = "", numeric: str = "") -> str:
    ordered = ordinal(day)
    ways = [f"{month} {ordered}", f"{month} the {ordered}", f"the {ordered} of {month}", f"{ordered} of {month}"]
    return f"{one_of(*ways, *([numeric] if numeric else []))} {year_reading}".strip()


def _short_year(digits: str) -> str:
    if len(digits) == 4:
        return year(digits)
    return one_of(year("20" + digits) if int(digits) < 50 else year("19" + digits), code(digits, best="cardinal"))


@rule(rf"{_START}([0-9]{{1,2}})([/.-])([0-9]{{1,2}})\2([0-9]{{4}}|[0-9]{{2}}){_END}")
def _numeric_date(match: re.Match[str]) -> str | None:
    first, second = int(match[1]), int(match[3])
    readings = []
    said_year = _short_year(match[4])
    for month, day, day_digits in ((first, second, match[3]), (second, first, match[1])):
        if 1 <= month <= 12 and 1 <= day <= 31:
            numeric = f"{_of_date(match[1])} {_of_date(match[3])}"
            readings.append(_date(_MONTH_NAMES[month - 1], day_digits, numeric=numeric))
    return f"{one_of(*readings)} {said_year}" if readings else None


def _of_date(digits: str) -> str:
    return (
        code(digits, best="cardinal") if not digits.startswith("0") else one_of(spelled(digits), cardinal(digits[1:]))
    )


@rule(rf"{_START}([12][0-9]{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]){_END}")
def _iso_date(match: re.Match[str]) -> str:
    said = _date(_MONTH_NAMES[int(match[2]) - 1], match[3], year(match[1]))
    return one_of(said, f"{year(match[1])} {_of_date(match[2])} {_of_date(match[3])}")


@rule(
    rf"(?<!\w)({_MONTH})\.? (?:the )?({_DAY})(?:st|nd|rd|th)?(?:( ?[-–—] ?)({_DAY})(?:st|nd|rd|th)?)?"
    rf"(?:,? ((?:1[0-9]|20)[0-9]{{2}}))?(?![\w]|[:/][0-9]|,[0-9]{{3}})"
)
def _month_day(match: re.Match[str]) -> str:
    month, said_year = _month_name(match[1]), year(match[5]) if match[5] else ""
    if match[3]:
        return f"{month} {{|the}} {ordinal(match[2])} {{to|through}} {{|the}} {ordinal(match[4])} {said_year}"
    return _date(month, match[2], said_year, f"{month} {cardinal(match[2].lstrip('0'))}")


@rule(
    rf"(?<![\w.,:/])(the )?({_DAY})(st|nd|rd|th)?( of)? ({_MONTH})\b\.?(?:,? ((?:1[0-9]|20)[0-9]{{2}}))?(?![\w]|[:/][0-9])",
    re.IGNORECASE,
)
def _day_month(match: re.Match[str]) -> str | None:
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


@rule(rf"(?<!\w)({_MONTH})(?:(\.)(?= [a-z0-9(,]|[,;:]|\s*$)|(?= [0-9]{{4}}\b))")
def _month_alone(match: re.Match[str]) -> str | None:
    if not match[2] and match[1].lower() in _LEXICON["month"].values():
        return None
    name = _month_name(match[1])
    return None if name == match[1].lower() else name


_WEEKDAY = _any("weekday")


@rule(rf"(?<!\w)({_WEEKDAY})\.? ?[-–—] ?({_WEEKDAY})\b\.?")
def _weekdays(match: re.Match[str]) -> str:
    return f"{_LEXICON['weekday'][match[1]]} {{to|through}} {_LEXICON['weekday'][match[2]]}"


@rule(rf"(?<!\w)(?<!the )({_WEEKDAY})(?:\.|(?=, |, ?{_MONTH}))")
def _weekday(match: re.Match[str]) -> str:
    return str(_LEXICON["weekday"][match[1]])


# --- Times ------------------------------------------------------------------------------------------------------------


def _half(written: str | None) -> str:
    if not written:
        return ""
    return "{p m|pm}" if written[0] in "pP" else "{a m|am}"


def _clock(hour: int, minute: int, half: str) -> str:
    """All readings of a clock time; `half` is the reading of a written a.m. or p.m., empty where none is written."""
    spoken = below_hundred(hour % 12 or 12)
    coming = below_hundred(hour % 12 + 1)
    this = below_hundred(hour) if hour else one_of("zero", "zero zero", "twelve")
    after = f" {half}" if half else ""
    afternoon = " {p m|pm|}" if hour > 12 else ""
    if minute == 0:
        if half:
            return f"{spoken} {{|o'clock}}{after}"
        if hour > 12 or hour == 0:
            wide = f"{this} hundred {{|hours}}"
            return one_of(
                wide, f"{this} o'clock", f"{spoken} o'clock", f"{spoken} {'{p m|pm}' if hour else '{a m|am}'}"
            )
        extra = ["noon"] if hour == 12 else []
        return one_of(f"{this} o'clock", this, f"{this} hundred {{|hours}}", *extra)
    minutes = below_hundred(minute)
    said = f"{{oh {minutes}|{minutes}|zero {minutes}}}" if minute < 10 else minutes
    readings = [f"{this} {said}{after}"]
    if hour > 12 or hour == 0:
        readings.append(f"{spoken} {said}{afternoon}")
    past = {15: "{|a} quarter", 30: "half"}.get(minute, minutes)
    if minute <= 30:
        readings.append(f"{past} {{past|after}} {spoken}{after or afternoon}")
    if minute > 30:
        left = {45: "{|a} quarter"}.get(minute, below_hundred(60 - minute))
        readings.append(f"{left} {{to|of|before|til}} {coming}{after or afternoon}")
    return one_of(*readings)


@rule(rf"{_START}([0-9]{{1,2}}):([0-5][0-9]):([0-5][0-9]){_END}")
def _duration(match: re.Match[str]) -> str:
    parts = [(int(match[place]), unit) for place, unit in ((1, "hour"), (2, "minute"), (3, "second"))]
    counted = [f"{below_hundred(count)} {unit}{'' if count == 1 else 's'}" for count, unit in parts]
    bare = " ".join(
        f"oh {below_hundred(n)}" if place and n < 10 else below_hundred(n) for place, (n, _) in enumerate(parts)
    )
    return one_of(f"{counted[0]} {counted[1]} {{|and}} {counted[2]}", bare)


@rule(
    rf"{_START}([01]?[0-9]|2[0-4])[:.]([0-5][0-9])(?:\s?({_HALF})|(?:\s?h(?:ours|rs)?\b)?)(?![\w]|[:.,/%][0-9]|%)",
    re.IGNORECASE,
)
def _time(match: re.Match[str]) -> str | None:
    hour, minute = int(match[1]), int(match[2])
    if "." in match[0][:3] and not match[3]:
        return None
    return _clock(hour, minute, _half(match[3]))


@rule(rf"{_START}(1[0-2]|0?[1-9])\s?({_HALF})(?!\w)", re.IGNORECASE)
def _hour(match: re.Match[str]) -> str:
    return f"{below_hundred(int(match[1]))} {{|o'clock}} {_half(match[2])}"


@rule(r"(?<!\w)([AaPp])\.\s?[Mm]\.")
def _half_alone(match: re.Match[str]) -> str:
    return _half(match[1])


# --- Amounts ----------------------------------------------------------------------------------------------------------

_SYMBOL = r"(?:US|CA|C|A)?\$|[£€¥₹]"
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion)\b|\s?(?:K|k|M|MM|m|mn|B|bn|T)(?![\w/]))"
_ATTRIBUTE = re.compile(r"\b(?:an?|the|this|that|your|my|our|one|each|every)\s+$", re.IGNORECASE)


def _money(symbol: str, number: str, scale: str | None, attributive: bool) -> str:
    one, many, cent, cents = _LEXICON["currency"][symbol]
    units = one_of(one, *many) if attributive else one_of(*many, one)
    whole, _, fraction = number.replace(",", "").partition(".")
    if scale:
        return f"{_plain_number(number)} {_LEXICON['scale'][scale.strip()]} {units}"
    if not fraction:
        return f"{cardinal(whole)} {one if whole == '1' else units}"
    if len(fraction) != 2:
        return f"{decimal(whole, fraction)} {units}"
    said, units = cardinal(whole), one if whole == "1" else one_of(*many)
    small = below_hundred(int(fraction))
    coins = f"{small} {cent if fraction == '01' else cents}"
    if fraction == "00":
        return f"{said} {units} {{|and zero {cents}}}"
    if whole in ("0", ""):
        return one_of(coins, f"zero {units} {{and|}} {coins}", f"{decimal(whole, fraction)} {units}")
    bare = f"oh {small}" if int(fraction) < 10 else small
    ways = [f"{units} and {coins}", f"{units} {coins}", f"{units} {bare}", bare]
    if symbol == "£" and int(fraction) >= 10:
        ways = [ways[2], ways[0], ways[1], ways[3]]
    return one_of(f"{said} {one_of(*ways)}", f"{decimal(whole, fraction)} {units}")


@rule(rf"(?<!\w)(-)?({_SYMBOL})\s?(-)?({_NUMBER})\s?[-–—]\s?(?:{_SYMBOL})?({_NUMBER})({_SCALE})?{_END}")
def _money_range(match: re.Match[str]) -> str | None:
    if match[1] or match[3]:
        return None
    units = one_of(*_LEXICON["currency"][match[2]][1])
    scale = _LEXICON["scale"][match[6].strip()] if match[6] else ""
    return (
        f"{cardinal(match[4].replace(',', ''))} {{|{units}}} to {cardinal(match[5].replace(',', ''))} {scale} {units}"
    )


@rule(rf"(-)?({_SYMBOL})\s?(-)?({_NUMBER}(?:\.[0-9]+)?|\.[0-9]+)({_SCALE})?(?![\w]|[.,:][0-9])")
def _symbol_money(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] or match[3] else ""
    attributive = bool(_ATTRIBUTE.search(_before(match)) and re.match(r"[ -][a-z]", _after(match)))
    return minus + _money(match[2], match[4], match[5], attributive or _after(match).startswith("-"))


@rule(
    rf"(?<!\w)(?:(USD|CAD|GBP|EUR)\s?({_NUMBER}(?:\.[0-9]+)?)({_SCALE})?|({_NUMBER}(?:\.[0-9]+)?)({_SCALE})?\s?(USD|CAD|GBP|EUR|[€£]))(?!\w)"
)
def _named_money(match: re.Match[str]) -> str:
    return _money(match[1] or match[6], match[2] or match[4], match[3] or match[5], False)


@rule(rf"{_START}([0-9]+)\s?¢")
def _cents(match: re.Match[str]) -> str:
    return f"{cardinal(match[1])} {'cent' if match[1] == '1' else 'cents'}"


@rule(rf"(?<![\w.,:/])(-)?({_NUMBER}(?:\.[0-9]+)?|\.[0-9]+)\s?(%|‰)")
def _percent(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] else ""
    return f"{minus}{_plain_number(match[2])} {'{percent|per cent}' if match[3] == '%' else '{per mille|per mil}'}"


@rule(rf"(?<![\w.,:/])(-)?({_NUMBER}(?:\.[0-9]+)?)\s?°\s?([CF])?(?!\w)")
def _degrees(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] else ""
    scale = {"C": " {celsius|centigrade|}", "F": " {fahrenheit|}", None: ""}[match[3]]
    return f"{minus}{_plain_number(match[2])} {'degree' if match[2] == '1' else 'degrees'}{scale}"


@rule(rf"{_START}([0-9]+)'\s?([0-9]{{1,2}})(?:\"|''|”)|{_START}([0-9]+) ?ft\.? ([0-9]{{1,2}}) ?in\b\.?")
def _height(match: re.Match[str]) -> str:
    feet, inches = match[1] or match[3], match[2] or match[4]
    return f"{cardinal(feet)} {{foot|feet}} {cardinal(inches)} {{|inches}}"


def _units(number: str, unit: str, attributive: bool) -> str:
    one, *many = _LEXICON["unit"][unit]
    return one if number == "1" else one_of(one, *many) if attributive else one_of(*many, one)


@rule(
    r"(?<![\w.,:/])([0-9]+(?:\.[0-9]+)?) ?[x×] ?([0-9]+(?:\.[0-9]+)?)(?: ?[x×] ?([0-9]+(?:\.[0-9]+)?))?(?:[ -]?(in|ft|cm|mm|m)\b\.?)?(?!\w)"
)
def _dimensions(match: re.Match[str]) -> str:
    said = " {by|times} ".join(_plain_number(part) for part in match.groups()[:3] if part)
    if not match[4]:
        return said
    return f"{said} " + ("{inch|inches}" if match[4] == "in" else _units("2", match[4], attributive=True))


@rule(r"(?<![\w.,:/])([0-9]+) ?(?:hrs?|h)\b\.?,? ([0-9]+) ?(?:mins?|m)\b\.?")
def _hours_minutes(match: re.Match[str]) -> str:
    hours = f"{cardinal(match[1])} {'hour' if match[1] == '1' else 'hours'}"
    return f"{hours} {{|and}} {cardinal(match[2])} {'minute' if match[2] == '1' else 'minutes'}"


@rule(rf"(?<![\w.,:/])(-)?({_NUMBER}(?:\.[0-9]+)?)([ -]?)({_any('unit')})(?![\w²³])\.?(?=[^0-9]|$)")
def _unit(match: re.Match[str]) -> str | None:
    if match[4] in ("m", "l", "L", "W", "V", "g") and match[3] == "-":
        return None
    minus = "{minus|negative} " if match[1] else ""
    return f"{minus}{_plain_number(match[2])} {_units(match[2], match[4], match[3] == '-')}"


@rule(rf"{_START}({_NUMBER}(?:\.[0-9]+)?) in\.(?= [a-z])")
def _inches(match: re.Match[str]) -> str:
    return f"{_plain_number(match[1])} {{inches|inch}}"


@rule(rf"(?<={_HELD})\s?/\s?({_any('per')})(?!\w)")
def _per(match: re.Match[str]) -> str:
    return f"{{{'an' if match[1] in ('hr', 'hour', 'h') else 'a'}|per}} {_LEXICON['per'][match[1]]}"


# --- Fractions, ordinals, plain numbers --------------------------------------------------------------------------------

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
    count = cardinal(top) if plural else "{one|a}"
    return f"{count} {one_of(*names)}"


@rule(r"(?<![\w/])24/7(?![\w/])")
def _always(match: re.Match[str]) -> str:  # noqa: ARG001
    return "twenty four {|hours a day} seven {|days a week}"


_LONG_UNIT = "|".join(re.escape(unit) for unit in sorted(_LEXICON["unit"], key=len, reverse=True) if len(unit) > 1)


@rule(
    r"(?<![\w.,:/])(?:([0-9]+)(?: |-|(?=[½⅓⅔¼¾⅛⅜⅝⅞])))?(?:([0-9]{1,3})/([0-9]{1,3})|([½⅓⅔¼¾⅛⅜⅝⅞]))"
    rf"(?: ?({_LONG_UNIT})\b\.?)?(?![\w/]|[.,:][0-9])"
)
def _fractions(match: re.Match[str]) -> str | None:
    whole = match[1]
    unit = f" {one_of(*_LEXICON['unit'][match[5]][slice(1 if whole else 0, None)])}" if match[5] else ""
    top, bottom = _VULGAR[match[4]].split("/") if match[4] else (match[2], match[3])
    if bottom.startswith("0") or top.startswith("0"):
        return None if int(bottom) > 31 or whole or unit else _month_slash_day(top, bottom)
    slashed = f"{cardinal(top)} {{|slash|over|out of}} {cardinal(bottom)}"
    if whole:
        return f"{cardinal(whole)} and {_fraction(top, bottom, mixed=True)}{unit}"
    if unit:
        return _fraction(top, bottom, False, before_noun=True) + unit
    if bottom == "1":
        return slashed
    said = _fraction(top, bottom, False, bool(re.match(r" (?!of\b|a\b|an\b)[a-z]", _after(match))))
    date = _month_slash_day(top, bottom)
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
    return _date(_MONTH_NAMES[int(month) - 1], day, numeric=f"{_of_date(month)} {_of_date(day)}")


@rule(r"(?<![\w.,:/])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
def _ordinal(match: re.Match[str]) -> str:
    return ordinal(match[1].replace(",", ""))


@rule(r"(?<!\w)'?([0-9]{2}|[0-9]{4})'?s(?!\w)")
def _decade(match: re.Match[str]) -> str | None:
    if match[1] == "00":
        return "two thousands"
    if not match[1].endswith("0"):
        return None
    stem = scan.first(year(match[1])) if len(match[1]) == 4 else below_hundred(int(match[1]))
    return stem[:-1] + "ies" if stem.endswith("y") else stem + "s"


@rule(r"(?<!\w)'([0-9]{2})(?!\w)")
def _short(match: re.Match[str]) -> str:
    return code(match[1], best="cardinal") if match[1][0] != "0" else spelled(match[1])


@rule(
    rf"(?<=[0-9%°CFm.\U000f0000-\U0010ffff]) ?[-–—] ?(?=[$£€]?[0-9])|(?<=[0-9])[-–—](?={_HELD})|(?<={_HELD}) ?[-–—] ?(?={_HELD})"
)
def _to(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{to||through|dash}"


@rule(r"(?<![\w.,:/])([0-9]+(?:\.[0-9]+){2,})(?![\w])")
def _version(match: re.Match[str]) -> str:
    parts = match[1].split(".")
    if len(parts) > 3:
        return " {dot|point} ".join(code(part) for part in parts)
    return " {point|dot|} ".join(code(part, best="cardinal") for part in parts)


@rule(r"(?<![\w.,:/])([-+])?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(\.[0-9]+)?(?=[\s\W_]|$)(?<=[0-9])(?![,.:/][0-9]|,[0-9])")
def _number(match: re.Match[str]) -> str | None:
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
    return sign + code_in_context(whole, _before(match), _after(match))


def code_in_context(digits: str, before: str, after: str) -> str:
    """A bare digit string in all its readings; what stands before and after it says which one is best."""
    if len(digits) == 1:
        return cardinal(digits)
    if digits.startswith("0"):
        return code(digits)
    box = re.search(r"(?:Box|Suite|Ste\.?|Unit|Apt\.?)\s*$", before)
    if len(digits) == 2:
        return code(digits, best="cardinal")
    if len(digits) == 4 and not _CODE_WORD.search(before):
        if _STREET_AHEAD.match(after) or box:
            return one_of(*_address_first(digits))
        if digits[0] in "12" and int(digits) < 2100 and (int(digits) >= 1900 or _YEAR_WORD.search(before)):
            return one_of(year(digits), code(digits, best="cardinal"))
        if digits.endswith("00") or re.match(r"\s[a-z]{3,}", after):
            return code(digits, best="cardinal")
        return code(digits)
    if len(digits) == 3:
        if box or _STREET_AHEAD.match(after):
            return code(digits, best="cardinal" if digits.endswith("00") else "pairs")
        short = re.search(
            r"\b(?:call|dial|text|room|flight|code|pin|ext|extension|area|number|digits|gate)\W+(?:[A-Z]+ )?$",
            before,
            re.I,
        )
        return code(digits, best="digits" if short else "cardinal")
    if digits.endswith("000") and not _CODE_WORD.search(before):
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


# --- Abbreviations, acronyms, signs ------------------------------------------------------------------------------------


@rule(rf"(?<![\w.])({_any('title')})(?:\.|(?= [A-Z]))(?!\w)")
def _title(match: re.Match[str]) -> str:
    return str(_LEXICON["title"][match[1]])


@rule(r"(?<![\w.])Dr\b\.?")
def _doctor(match: re.Match[str]) -> str:
    ahead = re.match(r"\s+[A-Z](?!\b\.?(?:\s|$))", _after(match))
    named = re.search(r"[0-9].*\s[A-Z][\w']+\s+$", _before(match)[-40:])
    return "{doctor|drive}" if ahead and not named else "{drive|doctor}"


@rule(r"(?<![\w.])St\b\.?(?!\w)")
def _saint(match: re.Match[str]) -> str:
    ahead = re.match(r"\s+[A-Z][\w']", _after(match)) and not re.match(
        r"\s+(?:Unit|Apt|Suite|Ste|[NS][EW]\b)", _after(match)
    )
    named = re.search(rf"[0-9].*\s[A-Z][\w']+\s+$|{_HELD}\s+$", _before(match)[-40:])
    after_number = re.search(rf"(?:^|\s)(?:[0-9]+|{_HELD})\s+$", _before(match))
    return "{saint|street}" if ahead and (not named or after_number) else "{street|saint}"


@rule(rf"(?<![\w.])({_any('address')})(?:\.|(?= [A-Z0-9{_HELD[1:]})|(?=,|$))(?!\w)")
def _street(match: re.Match[str]) -> str | None:
    return str(_LEXICON["address"][match[1]])


@rule(r"(?<![\w.])P\. ?O\.(?= |$)|(?<!\w)PO(?= Box)")
def _post_office(match: re.Match[str]) -> str:  # noqa: ARG001
    return "p o"


@rule(r"(?<![\w.'&])([NS][EW]|[NSEW])(?:\.(?=\s+[A-Z0-9])|\.?(?=,|\s*$)|(?=\s+[A-Z]))")
def _direction(match: re.Match[str]) -> str | None:
    on_street = rf"(?:{_HELD}|\b[0-9]+|\b(?:Street|Road|Drive|Lane|Avenue|Highway|Dr|St|{_any('address')})\.?)\s+$"
    return str(_LEXICON["direction"][match[1]]) if re.search(on_street, _before(match)) else None


@rule(rf"(?<![\w.])({_any('region')})(?=\s+(?:[0-9]{{5}}\b|[A-Z][0-9][A-Z]))")
def _region(match: re.Match[str]) -> str:
    return one_of(_LEXICON["region"][match[1]], " ".join(match[1].lower()))


@rule(r"(?<!\w)(Nos?|#)(?:\.\s?|(?<=#)\s?)(?=[0-9])", re.IGNORECASE)
def _numero(match: re.Match[str]) -> str:
    if match[1] == "#" and re.search(r"\b(?:dial|press|then)\s+$", _before(match), re.IGNORECASE):
        return "{pound|hash|number}"
    return "{number|pound|hashtag}" if match[1] == "#" else "numbers" if match[1].lower() == "nos" else "number"


@rule(rf"(?<![\w.])({_any('abbreviation')})\.(?!\w)")
def _abbreviation(match: re.Match[str]) -> str:
    return str(_LEXICON["abbreviation"][match[1]])


_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11, "XII": 12, "XIII": 13, "XIV": 14, "XV": 15, "XVI": 16, "XVIII": 18, "XX": 20, "XXI": 21}  # fmt: skip


@rule(r"\b([A-Z][\w']+) (II|III|IV|VI{0,3}|IX|XI{0,3}|XI?V|XVI|XVIII|XXI?)(?![\w'.])")
def _roman(match: re.Match[str]) -> str | None:
    if match[1].isupper():
        return None
    number = str(_ROMAN[match[2]])
    counted = re.fullmatch(
        "Chapter|Part|Act|War|Type|Phase|Section|Volume|Bowl|Level|Class|Stage|Title|Article|Rocky|Mark|Scene|Book",
        match[1],
    )
    if len(match[2]) == 1 and not counted:
        return None
    said = [cardinal(number), f"the {ordinal(number)}"]
    return f"{match[1]} {one_of(*(said if counted else said[::-1]))}"


@rule(r"(?<![\w.])(?:[A-Za-z]\.){2,}(?!\w)")
def _dotted(match: re.Match[str]) -> str | None:
    return " ".join(match[0].replace(".", " ").lower().split())


@rule(r"(?<![\w.'])(?:[A-Z]{2,}s?|[A-Z](?:&[A-Z])+|PhDs?|SaaS)(?!\w)")
def _acronym(match: re.Match[str]) -> str:
    token = match[0]
    if "&" in token:
        return " and ".join(token.lower().split("&"))
    if token.endswith("s") and token not in _LEXICON["acronym"]:
        return _letters(token[:-1]) + "s" if "{" not in _letters(token[:-1]) else _letters(token[:-1])
    return _letters(token)


_SIGNS = {
    "&": "and", "+": "plus", "=": "equals", "@": "at", "#": "{pound|hash|number|hashtag}", "*": "{star|asterisk}",
    "°": "degrees", "%": "{percent|per cent}", "×": "{times|by}", "÷": "divided by", "§": "section", "©": "copyright",
}  # fmt: skip


@rule(r"(?<!\S)w/o?(?=\s|\w)")
def _with(match: re.Match[str]) -> str:
    return "without" if match[0].endswith("o") else "with"


@rule(
    r"[&=@%°×÷§]|(?<!\S)\+(?!\w)|(?<=\s)[#*](?=\s|[.,!?]|$)|(?<!\S)\*(?=[0-9\U000f0000-\U0010ffff])|(?<=[\w+\U000f0000-\U0010ffff])\+(?!\w)"
)
def _sign(match: re.Match[str]) -> str:
    return _SIGNS[match[0]]


@rule(r"(?<!\w)www(?!\w)")
def _www(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{www|w w w}"


@rule("[0-9]+")
def _leftover(match: re.Match[str]) -> str:
    """Digits in a context that no rule knows, so that none is left unread."""
    return code_in_context(match[0], "", "")


RULES: tuple[Rule, ...] = (
    _address, _domain, _phone, _foreign_phone, _iso_date, _numeric_date, _month_day, _day_month, _month_alone,
    _weekdays, _weekday, _duration, _time, _hour, _half_alone, _money_range, _symbol_money, _named_money, _cents,
    _percent, _degrees, _height, _dimensions, _hours_minutes, _direction, _unit, _inches, _per, _always, _groups, _fractions,
    _decade, _short, _ordinal, _post_office, _region, _numero, _mixed, _to, _version, _number, _title,
    _doctor, _saint, _street, _abbreviation, _roman, _dotted, _acronym, _with, _sign, _www, _leftover,
)  # fmt: skip
