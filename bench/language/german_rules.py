"""The written spans of German and how they are read: the ordered rules behind `bench.language.german.verbalise`.

Conventions: a point groups thousands, a comma parts decimals, dates are day first. A number's context decides only
which reading comes first, never which readings there are.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.german_number import cardinal, code, decimal, inflected, ordinal, spelled, words, year
from bench.language.scan import Rule, one_of, rule

_LEXICON: dict[str, Any] = scan.lexicon("german.toml")


def _any(table: str) -> str:
    return "|".join(re.escape(key) for key in sorted(_LEXICON[table], key=len, reverse=True))


_HELD = "[\U000f0000-\U0010ffff]"
_START = r"(?<![\w.,:/])"
_END = r"(?![\w]|[.,:/][0-9])"
_NUMBER = r"(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,3}(?:'[0-9]{3})+|[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+|[0-9]+)"
_AMOUNT = rf"{_NUMBER}(?:,[0-9]+)?"
_MONTHS = {
    full: number for number, full in enumerate(
        ["januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november",
         "dezember"], start=1)
}  # fmt: skip
_MONTH_NAMES = list(_MONTHS)
_MONTH = "(?:Januar|Jänner|Februar|Feber|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"
_SHORT_MONTH = rf"(?:{_any('month')})\.?"
_CODE_WORD = re.compile(
    r"(?:\bpin|\btan|code|kennwort|passwort|nummer|nr\.?|durchwahl|notruf|iban|\bblz|\bplz|ziffern?|endet auf|kennung|"
    r"wählen sie|rufen sie|telefon|hotline)\b(?:\W+\w+){0,3}\W*$",
    re.IGNORECASE,
)
_YEAR_WORD = re.compile(
    rf"\b(?:seit|jahr|jahre|jahrgang|anno|ab|bis|von|in|im|vor|nach|um|{_MONTH})\W+$", re.IGNORECASE
)


def is_shouted(text: str) -> bool:
    """Whether a transcript is in capitals throughout, so that they mark no acronyms."""
    return not any(letter.islower() for letter in text) and len(re.findall(r"[A-ZÄÖÜ]{2,}", text)) > 2


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - 60) : match.start()]


def _after(match: re.Match[str]) -> str:
    return match.string[match.end() : match.end() + 60]


def _digits(number: str) -> str:
    return re.sub(r"[.' \u00a0\u202f]", "", number)


def _amount(number: str) -> str:
    """A number with or without grouping, and with or without a decimal part."""
    whole, _, fraction = number.partition(",")
    return decimal(_digits(whole), fraction) if fraction else cardinal(_digits(whole))


# --- Addresses on the net ---------------------------------------------------------------------------------------------

_SIGN_NAMES = {
    ".": "{punkt|dot}", "-": "{minus|bindestrich|strich}", "_": "unterstrich", "@": "{at|ät}", "/": "{slash|schrägstrich}",
    ":": "doppelpunkt", "+": "plus", "~": "tilde", "?": "fragezeichen", "=": "gleich", "&": "und", "#": "raute",
}  # fmt: skip


def _net(text: str) -> str:
    said = []
    for part in re.findall(r"[^\W\d_]+|[0-9]+|.", text.rstrip("/")):
        if part.isascii() and part.isdigit():
            said.append(code(part))
        elif part.lower() == "www":
            said.append("{w w w|www}")
        elif part.lower() in ("http", "https", "de", "at", "ch", "eu", "io", "org", "net"):
            said.append(one_of(" ".join(part), part) if len(part) < 3 or part.startswith("h") else part)
        else:
            said.append(_SIGN_NAMES.get(part, part))
    return " ".join(said)


@rule(
    r"(?<![\w.])[\w+.-]+@[\w-]+(?:\.[\w-]+)+|(?:https?://|www\.)[\w-]+(?:\.[\w-]+)+(?:/[\w./~?=&%#-]*[\w/])?"
    r"|(?<![\w.@-])(?:[^\W\d_][\w-]*\.)+(?:com|org|net|de|at|ch|eu|info)(?:/[\w./~-]*[\w/])?(?![\w-])"
)
def _address(match: re.Match[str]) -> str:
    return _net(match[0])


# --- Telephone numbers and codes --------------------------------------------------------------------------------------


def _spaced(text: str) -> str:
    return " ".join(code(group) for group in re.findall("[0-9]+", text))


@rule(rf"(?<![\w.,:/+-])(?:\+[0-9]{{1,3}}[ /-]?)(?:\(0\) ?)?[0-9]+(?:[ /-][0-9]+)*{_END}|(?<!\w)\(0[0-9]+\) ?[0-9]+(?:[ -][0-9]+)*{_END}")
def _phone(match: re.Match[str]) -> str:
    return f"{{plus|}} {_spaced(match[0])}" if match[0].startswith("+") else _spaced(match[0])


@rule(rf"{_START}(?<![0-9] )0[0-9]{{1,5}}(?: ?[/-] ?|[ /-])[0-9]+(?:[ -][0-9]+)*{_END}")
def _area_phone(match: re.Match[str]) -> str:
    return _spaced(match[0])


@rule(rf"(?<!\w)(Durchwahl|DW|App\.|Apparat)( )?-([0-9]{{1,5}}){_END}")
def _extension(match: re.Match[str]) -> str:
    word = _LEXICON["acronym"].get(match[1], match[1].rstrip("."))
    return f"{word} {code(match[3], best='cardinal' if len(match[3]) == 2 else 'digits')}"


@rule(r"(?<![\w-])([A-Z]{2})([0-9]{2})((?: ?[0-9]{4})+(?: ?[0-9]{1,3})?)(?!\w)")
def _iban(match: re.Match[str]) -> str:
    digits = match[3].replace(" ", "")
    groups = match[3].split() if " " in match[3] else [digits[at : at + 4] for at in range(0, len(digits), 4)]
    return " ".join([*match[1], code(match[2]), *map(code, groups)])


@rule(rf"(?<![\w-])([A-ZÄÖÜ]{{1,3}})[- ]([A-Z]{{1,2}})[- ]([0-9]{{1,4}})([EH])?{_END}")
def _plate(match: re.Match[str]) -> str | None:
    if match[0][len(match[1])] == " " and match[1] in _LEXICON["acronym"]:
        return None
    return " ".join([*match[1], *match[2], code(match[3]), *(match[4] or "")])


@rule(rf"(?<![\w.,:/$£€-])[0-9]+(?:[- ][0-9]+)+(?![\w%°€]|[.,:/][0-9]|-\w| ?(?:€|Euro|Uhr|Prozent)|\. ?(?:[0-9]|{_MONTH}))")
def _groups(match: re.Match[str]) -> str | None:
    groups = re.split("[- ]", match[0])
    hyphens = match[0].count("-")
    if hyphens:
        years = all(len(group) == 4 and 1000 <= int(group) < 2100 for group in groups)
        is_code = len(groups) > 2 or groups[-1].startswith("0") or max(map(len, groups)) > 3 and not years
    else:
        grouped = len(groups[0]) < 4 and all(len(group) == 3 for group in groups[1:]) and groups[0][0] != "0"
        is_code = (len(groups) > 2 or len(groups[0]) == len(groups[1]) > 2) and not (grouped and len(groups[0]) < 3)
    return " ".join(map(code, groups)) if is_code else None


def _letters(letters: str) -> str:
    """Letters of a code or an acronym: spelled, unless they are a known word."""
    known: str | None = _LEXICON["acronym"].get(letters)
    if known is not None:
        return known
    if len(letters) > 3 and not letters.isupper():
        return letters
    spelled_out = " ".join(letters.lower())
    if len(letters) > 3 and re.search("[AEIOUYÄÖÜ]", letters) and not re.search("[^AEIOUYÄÖÜ]{4}", letters):
        return one_of(letters.lower(), spelled_out)
    return spelled_out


_HOURS = {"e": "e", "i": "i"}


@rule(r"(?<![\w.,:/])([0-9]{1,2})([ei])(?!\w)")
def _dialect_hour(match: re.Match[str]) -> str | None:
    """Hours as the dialects write them: um 5e, am 6i."""
    number = int(match[1])
    if not 0 < number < 13:
        return None
    return words(number)[0] + "e" if match[2] == "e" else str(_LEXICON["alemannic"]["hours"][number])


@rule(r"\b([Kk]lock )([0-9]{1,2})(?![\w:.,][0-9]|\w)")
def _low_german(match: re.Match[str]) -> str | None:
    """An hour after Klock is said in the Low German way."""
    hours: list[str] = _LEXICON["low_german"]["hours"]
    return f"{match[1]}{hours[int(match[2])]}" if 0 < int(match[2]) < len(hours) else None


@rule(rf"{_START}([0-9]{{1,2}}) (?=Franke(?:\W|$))")
def _alemannic(match: re.Match[str]) -> str:
    """A sum in Franke, without the standard's n, is said in the Alemannic way."""
    units: list[str] = _LEXICON["alemannic"]["units"]
    number = int(match[1])
    if number < 13:
        return units[number]
    tens, ones = divmod(number, 10)
    if tens < 2:
        return units[ones] + "zäh"
    stem = {2: "zwänzg", 3: "drissg", 4: "vierzg", 5: "füfzg", 6: "sächzg", 7: "sibezg", 8: "achtzg", 9: "nünzg"}[tens]
    return one_of(*(f"{units[ones]}e{ten}" if ones else ten for ten in (stem, stem[:-1] + "ig")))


@rule(r"(?<![\w.,:/$£€'])(?=[\w-]*[0-9])(?=[\w-]*[^\W\d_])[A-ZÄÖÜa-zäöüß0-9]+(?:-[0-9A-Z][0-9A-Z]*(?![a-zäöüß]))*(?![\w'])")
def _mixed(match: re.Match[str]) -> str | None:
    """Letters and digits in one token: A7-K9, U7, 12a, 5G."""
    token = match[0]
    if re.fullmatch(r"[0-9]+(?:er|ern|mal|fach|x|te|ten|ter|tes|st|ste|sten|[a-zäöüß]{2,})", token):
        return None
    said = []
    for part in re.findall(r"[^\W\d_]+|[0-9]+", token):
        if part.isdigit():
            many = re.search(r"[^\W\d_].*[0-9].*[^\W\d_].*[0-9]", token)
            said.append(code(part, best="cardinal" if len(part) < 4 and part[0] != "0" and not many else "digits"))
        else:
            said.append(_letters(part))
    return " ".join(said)


# --- Dates ------------------------------------------------------------------------------------------------------------

_DATIVE = re.compile(r"\b(?:am|dem|den|vom|zum|zur|beim|im|des|bis|ab|ins?|seit|einem|einer|jedem|diesem|der \w+|und)\s+$|[\U000f0000-\U0010ffff]$", re.I)
_NOMINATIVE = re.compile(r"\b(?:der|die|das|diese|dieser|dieses|jede|welche|welcher)\s+$", re.I)


def _ending(before: str, alone: str = "er") -> str:
    """The likeliest ending of an ordinal after these words; `alone` where nothing governs it."""
    if _NOMINATIVE.search(before):
        return "e"
    return "en" if _DATIVE.search(before) else alone


def _ending_before(after: str) -> str:
    """The ending of an ordinal that nothing governs, by the noun that follows."""
    noun = re.match(r"\s+([\w]+)", after)
    return next((ending for ending, nouns in _LEXICON["ordinal_noun"].items() if noun and noun[1] in nouns), "er")


def _day(digits: str, before: str) -> str:
    best = _ending(before)
    ways = [inflected(digits, best)]
    if not re.search(r"\b(?:am|dem|den|vom|zum|der|des|im|beim)\s+$", before, re.I):
        ways += [f"der {ordinal(digits, 'e')}", f"{{dem|den|am}} {ordinal(digits, 'en')}"]
    return _until(before) + one_of(*ways)


def _until(before: str) -> str:
    """`bis 14. März` is also said bis zum vierzehnten."""
    return "{|zum} " if re.search(r"\bbis\s+$", before) else ""


def _month_of(digits: str, best: str) -> str:
    name = _MONTH_NAMES[int(digits) - 1]
    numbered = inflected(digits, best)
    austrian = {"1": ["jänner"], "2": ["feber"]}.get(digits.lstrip("0"), [])
    return one_of(numbered, name, *austrian)


_DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
_MON = "(?:0?[1-9]|1[0-2])"


@rule(rf"{_START}({_DAY})\. ?({_MON})\. ?((?:1[0-9]|20)[0-9]{{2}}|[0-9]{{2}}(?!\w|\.[0-9]| ?Uhr))(?!\w)|{_START}({_DAY})\. ?({_MON})\.(?!\w|[0-9])")
def _numeric_date(match: re.Match[str]) -> str:
    day, month = match[1] or match[4], match[2] or match[5]
    said = f"{_day(day, _before(match))} {_month_of(month, _ending(_before(match)))}"
    if not match[3]:
        return said
    if len(match[3]) == 2:
        return f"{said} {one_of(code(match[3], best='cardinal'), year('20' + match[3]), year('19' + match[3]))}"
    return f"{said} {year(match[3])}"


@rule(rf"{_START}([12][0-9]{{3}})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]){_END}")
def _iso_date(match: re.Match[str]) -> str:
    name = _MONTH_NAMES[int(match[2]) - 1]
    day, month = _day(match[3], _before(match)), one_of(name, inflected(match[2], "er"))
    day_last = code(match[3], best="cardinal") if match[3][0] != "0" else code(match[3])
    return one_of(f"{day} {month} {year(match[1])}", f"{year(match[1])} {one_of(spelled(match[2]), cardinal(match[2].lstrip('0')))} {day_last}")


@rule(rf"{_START}({_DAY})\.( ?[-–] ?)(?=({_DAY})\. ?(?:{_MONTH}|{_MON}\.))")
def _day_range(match: re.Match[str]) -> str:
    return f"{_day(match[1], _before(match))} bis {{|zum}}"


@rule(rf"{_START}({_DAY})\. ?(?:({_MONTH})\b|({_SHORT_MONTH})(?!\w))(?: ((?:1[0-9]|20)[0-9]{{2}})\b)?")
def _day_month(match: re.Match[str]) -> str:
    month = match[2] or _LEXICON["month"][match[3].rstrip(".")]
    return f"{_day(match[1], _before(match))} {month} {year(match[4]) if match[4] else ''}"


@rule(rf"(?<!\w)(?:({_any('month')})\.(?=,| [0-9a-zäöü]|$)|({_any('month')}) (?=[0-9]{{4}}\b))")
def _month_alone(match: re.Match[str]) -> str:
    return str(_LEXICON["month"][match[1] or match[2]])


@rule(r"(?<!\w)(Mo|Di|Mi|Do|Fr|Sa|So)(\.?) ?([-–]|bis|und|,) ?(Mo|Di|Mi|Do|Fr|Sa|So)\b\.?")
def _weekdays(match: re.Match[str]) -> str:
    between = {"und": "und", ",": ""}.get(match[3], "bis")
    return f"{_weekday_name(match[1])} {between} {_weekday_name(match[4])}"


def _weekday_name(short: str) -> str:
    return "freitag" if short == "Fr" else str(_LEXICON["abbreviation"][short])


# --- Times ------------------------------------------------------------------------------------------------------------


def _hour_word(hour: int) -> str:
    return "ein" if hour == 1 else words(hour)[0]


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
        readings.append(f"{minutes} {{minuten|}} nach {short}")
    else:
        readings.append(f"{cardinal(str(60 - minute))} {{minuten|}} vor {coming}")
    if 20 <= minute < 30:
        readings.append(f"{cardinal(str(30 - minute))} vor halb {coming}")
    if 30 < minute <= 40:
        readings.append(f"{cardinal(str(minute - 30))} nach halb {coming}")
    return one_of(*readings)


@rule(rf"{_START}([0-9]{{1,2}}):([0-5][0-9]):([0-5][0-9])(?: ?(?:h|Std\.?|Stunden)\b)?{_END}")
def _duration(match: re.Match[str]) -> str:
    hours, minutes, seconds = (int(group) for group in match.groups())
    return f"{_counted(hours, 'stunde')} {_counted(minutes, 'minute')} {{|und}} {_counted(seconds, 'sekunde')}"


def _counted(number: int, unit: str) -> str:
    return f"eine {unit}" if number == 1 else f"{words(number)[0]} {unit}n"


@rule(rf"{_START}([01]?[0-9]|2[0-4])[:.]([0-5][0-9])( ?Uhr\b| ?h\b)?(?:( ?[-–] ?)([01]?[0-9]|2[0-4])[:.]([0-5][0-9])( ?Uhr\b| ?h\b)?)?(?![\w]|[:.,/%][0-9]| ?%)")
def _time(match: re.Match[str]) -> str | None:
    spoken = bool(match[3] or match[7])
    if "." in match[0][:3] and not spoken:
        return None
    said = _clock(int(match[1]), int(match[2]), spoken)
    if match[4]:
        return f"{said} bis {_clock(int(match[5]), int(match[6]), spoken)}"
    return said


@rule(rf"{_START}([01]?[0-9]|2[0-4])(?: ?[-–] ?([01]?[0-9]|2[0-4]))? ?Uhr\b")
def _hour(match: re.Match[str]) -> str:
    hours = f"{words(int(match[1]))[0]} bis {_hour_word(int(match[2]))}" if match[2] else _hour_word(int(match[1]))
    return f"{hours} uhr"


# --- Amounts ----------------------------------------------------------------------------------------------------------

_CURRENCY = _any("currency")
_SCALE = r"(?:Mio\.?|Mrd\.?|Bio\.|Tsd\.|Million(?:en)?|Milliarden?)"


def _one(unit: str) -> str:
    """What a lone 1 is before a noun."""
    for reading, nouns in _LEXICON["one"].items():
        if unit.lower() in (noun.lower() for noun in nouns):
            others = [form for form in ("ein", "eine", "einen", "eins", "einer", "einem") if form not in reading]
            return f"{reading[:-1]}|{'|'.join(others[:2])}}}" if reading.startswith("{") else one_of(reading, *others)
    feminine = re.search("(?:e|ung|heit|keit|schaft|ion|tät|in)$", unit)
    return "{eine|ein|eins|einen|einem|einer|eines}" if feminine else "{ein|einen|eine|eins|einem|einer|eines}"


def _scaled(number: str, scale: str) -> str:
    one, many = _LEXICON["scale"][scale.strip()]
    if number == "1":
        return f"{'eine' if one != 'tausend' else 'ein'} {one}"
    return f"{_amount(number)} {many}"


def _money(number: str, symbol: str, scale: str | None) -> str:
    unit, cent = _LEXICON["currency"][symbol]
    if re.fullmatch(r"[0-9]+\.[0-9]{2}", number):
        number = number.replace(".", ",")  # CHF 12.50
    if scale:
        return f"{_scaled(number, scale)} {unit}"
    whole, _, fraction = number.partition(",")
    euros = "{ein|einen|einem}" if _digits(whole) == "1" else cardinal(_digits(whole))
    if not fraction or fraction == "00":
        return f"{euros} {unit}"
    if len(fraction) != 2:
        return f"{decimal(_digits(whole), fraction)} {unit}"
    coins = f"{'ein' if fraction == '01' else words(int(fraction))[0]} {cent}"
    if whole == "0":
        return one_of(coins, f"{decimal('0', fraction)} {unit}", f"null {unit} {{und|}} {coins}")
    bare = words(int(fraction))[0]
    tails = [bare, f"und {coins}", coins] + ([f"null {bare}"] if fraction[0] == "0" else [])
    return one_of(f"{euros} {unit} {one_of(*tails)}", f"{decimal(_digits(whole), fraction)} {unit}")


_DASH = r"(?:,[-–—]{1,2}|\.[-–—]{1,2})?"


_SUM = rf"(?:{_AMOUNT}|[0-9]+\.[0-9]{{2}}(?![0-9]))"


@rule(rf"(?<![\w.,:/])(-)?({_SUM}){_DASH} ?(?:({_SCALE}) ?)?({_CURRENCY})(?!\w)(?<!Fr\.)|(?<!\w)({_CURRENCY}) ?(-)?({_SUM}){_DASH}(?: ?({_SCALE}))?{_END}")
def _sum(match: re.Match[str]) -> str:
    minus = "minus " if match[1] or match[6] else ""
    number, scale, symbol = match[2] or match[7], match[3] or match[8], match[4] or match[5]
    return minus + _money(number, symbol, scale)


@rule(rf"(?<!\w)([0-9]+)-€-(?=\w)")
def _compound_sum(match: re.Match[str]) -> str:
    return f"{cardinal(match[1])} euro"


@rule(rf"(?<![\w.,:/])({_AMOUNT}) ({_SCALE})(?!\w)")
def _large(match: re.Match[str]) -> str:
    return _scaled(match[1], match[2])


@rule(rf"(?<![\w.,:/])([-+])?({_AMOUNT}|[0-9]+\.[0-9]+) ?(%|‰)(ig\w*)?")
def _percent(match: re.Match[str]) -> str:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[4]:
        stems = words(int(_digits(match[2]))) if match[2].isdigit() and len(match[2]) < 13 else [_amount(match[2]) + " "]
        return sign + one_of(*(f"{stem}prozent{match[4]}" for stem in stems))
    number = "ein" if match[2] == "1" else _amount(match[2]) if not re.fullmatch(r"[0-9]+\.[0-9]{1,2}", match[2]) else decimal(*match[2].split("."), "punkt")
    return f"{sign}{number} {'prozent' if match[3] == '%' else 'promille'}"


@rule(rf"(?<![\w.,:/])([-+])?({_AMOUNT}) ?°( ?[CF])?(?!\w)")
def _degrees(match: re.Match[str]) -> str:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    scale = {"C": " {celsius|}", "F": " {fahrenheit|}", "": ""}[(match[3] or "").strip()]
    return f"{sign}{'ein' if match[2] == '1' else _amount(match[2])} grad{scale}"


_FEMININE_UNIT = re.compile(r"(?:stunde|minute|sekunde|tonne)$")


@rule(rf"(?<![\w.,:/])([-+])?({_AMOUNT})([ -]?)({_any('unit')})(?![\w²³])(?!-[a-zäöü])(\.(?=\s*[a-zäöü,]))?")
def _unit(match: re.Match[str]) -> str | None:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[4] == "A" and not match[3]:
        return None  # 7A is a code
    one, *many = _LEXICON["unit"][match[4]]
    if match[2] == "1":
        return f"{sign}{'eine' if _FEMININE_UNIT.search(one) else '{ein|einen}'} {one}"
    return f"{sign}{_amount(match[2])} {one_of(*many)}"


@rule(rf"(?<={_HELD}) ?/ ?({_any('per')})(?!\w)")
def _per(match: re.Match[str]) -> str:
    return f"{{pro|je}} {_LEXICON['per'][match[1]]}"


# --- Fractions, ordinals, plain numbers -------------------------------------------------------------------------------

_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
_PARTS = {2: "halbe", 3: "drittel", 7: "siebtel", 8: "achtel"}


def _fraction(top: str, bottom: str) -> str:
    if (top, bottom) == ("1", "2"):
        return "{ein halber|einen halben|ein halbes|eine halbe|einer halben|einem halben|einhalb|ein halb}"
    size = int(bottom)
    name = _PARTS.get(size) or words(size)[0] + ("tel" if size < 20 else "stel")
    count = "ein" if top == "1" else words(int(top))[0]
    return one_of(f"{count} {name}", f"{count}{name}")


@rule(r"(?<![\w/])24/7(?![\w/])")
def _always(match: re.Match[str]) -> str:  # noqa: ARG001
    return "vierundzwanzig {|stunden} sieben {|tage}"


@rule(rf"{_START}((?:1[0-9]|20)[0-9]{{2}})[/-]([0-9]{{2}}|(?:1[0-9]|20)[0-9]{{2}}){_END}")
def _season(match: re.Match[str]) -> str:
    first, second = match[1], match[2]
    long_second = year(second) if len(second) == 4 else code(second, best="cardinal")
    between = "{bis|}" if "-" in match[0] else "{|bis}"
    short = code(first[2:], best="cardinal")
    return one_of(f"{year(first)} {between} {long_second}", f"{short} {between} {long_second}")


@rule(r"(?<![\w.,:/])(?:([0-9]+)(?: |(?=[½⅓⅔¼¾⅛⅜⅝⅞])))?(?:([0-9]{1,3})/([1-9][0-9]{0,2})|([½⅓⅔¼¾⅛⅜⅝⅞]))(?![\w/]|[.,:][0-9])")
def _fractions(match: re.Match[str]) -> str | None:
    top, bottom = _VULGAR[match[4]].split("/") if match[4] else (match[2], match[3])
    slashed = f"{cardinal(top)} {{schrägstrich|slash|durch|}} {cardinal(bottom)}"
    if top.startswith("0") or bottom == "1":
        return slashed
    if match[1]:
        stem = words(int(match[1]))[0] if len(match[1]) < 7 else spelled(match[1])
        if (top, bottom) == ("1", "2"):
            return one_of(*(["eineinhalb", "anderthalb"] if match[1] == "1" else [f"{stem}einhalb"]))
        return f"{stem} {_fraction(top, bottom)}"
    return one_of(_fraction(top, bottom), slashed)


@rule(rf"{_START}([0-9]{{1,3}}):([0-9]{{1,3}}){_END}")
def _score(match: re.Match[str]) -> str:
    return f"{cardinal(match[1])} zu {cardinal(match[2])}"


@rule(
    r"(?<![\w.,:/])([0-9]{1,3})\.(?=\s+(?:bis|und|oder|sowie|[-–])\s+(?:zum )?[0-9]{1,3}\.|[-–]?[-–/ ](?:[A-ZÄÖÜa-zäöüß])"
    r"|(?<=\bam [0-9]\.)\s*$|(?<=\bam [0-9][0-9]\.)\s*$|(?<=\bzum [0-9]\.)\s*$|(?<=\bzum [0-9][0-9]\.)\s*$)"
)
def _ordinal(match: re.Match[str]) -> str | None:
    before, after = _before(match), _after(match)
    if int(match[1]) == 0:
        return None
    governed = _DATIVE.search(before) or _NOMINATIVE.search(before)
    if not governed and re.match(r"\s+(?:Wir|Sie|Ich|Er|Es|Bitte|Das|Die|Der|Danach|Dann|Und|Aber|Ihr|Wenn)\b", after):
        return None
    reading = _until(before) + inflected(match[1], _ending(before, _ending_before(after)))
    return reading if governed or re.match(r"\s+[a-zäöü]", after) else one_of(reading, cardinal(match[1]))


@rule(r"(?<![\w.,:/])([0-9]+)(?:-?(x|er|ern|mal|fach|te|ten|ter|tes|tem|ste|sten|ster|stes)|-(jährig|tägig|stündig|minütig|monatig|prozentig|stellig|köpfig)(\w*))(?!\w)")
def _suffixed(match: re.Match[str]) -> str:
    number = match[1] if len(match[1]) < 13 else match[1][:12]
    stem = scan.first(year(number)) if len(number) == 4 and match[2] in ("er", "ern") else words(int(number))[0]
    if match[3]:
        stem = stem.removesuffix("s") if stem.endswith("eins") else stem
        return f"{stem}{match[3]}{match[4]}"
    ending = match[2]
    if ending == "x":
        stem = stem.removesuffix("s") if stem.endswith("eins") else stem
        return one_of(f"{stem}mal", f"{stem} mal", f"{words(int(number))[0]} x")
    if ending[0] in "st" and ending != "er":
        return ordinal(number, ending[1:].removeprefix("t"))
    stem = stem.removesuffix("s") if stem.endswith("eins") and ending in ("mal", "fach") else stem
    return f"{stem}{ending}"


@rule(rf"(?<=[0-9%°\U000f0000-\U0010ffff]) ?[-–—] ?(?=[0-9])|(?<=[0-9])[-–—](?={_HELD})|(?<={_HELD}) ?[-–—] ?(?={_HELD})")
def _to(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{bis|zu|strich|}"


@rule(r"(?<![\w.,:/])([0-9]+(?:\.[0-9]+)+)(?!\w|,[0-9])")
def _version(match: re.Match[str]) -> str | None:
    parts = match[1].split(".")
    if len(parts[0]) < 4 and all(len(part) == 3 for part in parts[1:]) and parts[0][0] != "0":
        return None
    return " punkt ".join(code(part, best="cardinal") for part in parts)


@rule(rf"(?<![\w.,:/])([-+])?({_NUMBER})(,[0-9]+)?(?![,.:/][0-9])(?!\w)")
def _number(match: re.Match[str]) -> str | None:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[3]:
        return sign + decimal(_digits(match[2]), match[3][1:])
    if not match[2].isdigit():
        return sign + cardinal(_digits(match[2]))
    return sign + code_in_context(match[2], _before(match), _after(match))


def code_in_context(digits: str, before: str, after: str) -> str:
    """A bare digit string in all its readings; what stands before and after it says which one is best."""
    noun = re.match(r"\s([a-zäöü]+ )?([A-ZÄÖÜ][\wäöüß-]*)", after)
    if digits == "1":
        if not noun or re.search(r"(?:die|nummer|taste|platz|gleis|stufe|zimmer|halle|tor)\s+$", before, re.I):
            return "{eins|ein|eine|einen}"
        return _one(noun[2])
    if len(digits) == 1:
        return cardinal(digits)
    if digits.startswith("0"):
        return code(digits)
    coded = _CODE_WORD.search(before)
    if len(digits) == 2:
        return code(digits, best="cardinal")
    if digits in ("110", "112", "115", "116117", "118") or coded:
        return code(digits)
    a_year = "1100" <= digits < "2100" and _YEAR_WORD.search(before) or "1500" <= digits < "2100" and not noun
    if len(digits) == 4 and a_year:
        return one_of(year(digits), code(digits, best="cardinal"))
    if len(digits) <= 4 or digits.endswith("000"):
        return code(digits, best="cardinal")
    return code(digits)


# --- Abbreviations, acronyms, signs -----------------------------------------------------------------------------------


@rule(r"(?<!\w)(\w+[sz]?)str\.(?!\w)")
def _street(match: re.Match[str]) -> str:
    return f"{match[1]}straße"


_ABBREVIATIONS = {re.sub(r"[. ]", "", key): reading for key, reading in _LEXICON["abbreviation"].items()}
_WRITTEN_ABBREVIATION = "|".join(
    re.escape(key).replace(r"\.", r"\. ?") for key in sorted(_LEXICON["abbreviation"], key=len, reverse=True)
)


# Words of their own at the end of a sentence.
_ALSO_WORDS = frozenset(["So", "Do", "Mi", "Di", "S", "Art", "Mag", "Wo", "Pl", "bes", "gem", "Bd"])


@rule(rf"(?<![\w.])({_WRITTEN_ABBREVIATION})\.(?!\w)")
def _abbreviation(match: re.Match[str]) -> str | None:
    key = re.sub(r"[. ]", "", match[1])
    if key in _ALSO_WORDS and not re.match(r"\s*[\w\U000f0000-\U0010ffff]", _after(match)):
        return None
    if key == "Fr" and re.match(r"\s+[A-ZÄÖÜ][a-zäöü]", _after(match)):
        return "frau"
    return str(_ABBREVIATIONS[key])


@rule(r"(?<![\w.])(Dr|Prof|Hbf|Nr|bzw|usw|ca|inkl|ggf|Mio|Mrd|Std|MwSt|Tel|Abs|lt)(?![\w.])")
def _bare_abbreviation(match: re.Match[str]) -> str:
    return str(_LEXICON["acronym"].get(match[1]) or _ABBREVIATIONS[match[1]])


_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9, "X": 10, "XI": 11, "XII": 12, "XIV": 14, "XV": 15, "XVI": 16, "XX": 20}  # fmt: skip


@rule(r"(?<=[a-zäöüß] )(I{1,3}|IV|VI{0,3}|IX|XI{0,2}|XI?V|XVI|XX)\.(?=\s|$|,)")
def _roman(match: re.Match[str]) -> str:
    number = str(_ROMAN[match[1]])
    if re.search(r"\b(?:de[rsmn]|das|die|im|am|vom|zum)\s+$", _before(match), re.IGNORECASE):
        return inflected(number, _ending(_before(match)))
    return one_of(*(f"{article} {ordinal(number, ending)}" for article, ending in (("der", "e"), ("des", "en"), ("dem", "en"), ("den", "en"), ("die", "e"))))


@rule(r"(?<![\w.])([^\W\d_])\.(?: ?([^\W\d_])\.)+(?!\w)")
def _dotted(match: re.Match[str]) -> str:
    return " ".join(match[0].replace(".", " ").lower().split())


@rule(rf"(?<!\w)({_any('acronym')}|[A-ZÄÖÜ]{{2,}}s?)(?!\w)")
def _acronym(match: re.Match[str]) -> str:
    token = match[1]
    if token.endswith("s") and token not in _LEXICON["acronym"] and len(token) > 2 and token[:-1].isupper():
        return _letters(token[:-1])
    return _letters(token)


_SIGNS = {
    "§": "{paragraf|paragraph}", "&": "und", "+": "plus", "=": "gleich", "@": "{at|ät}", "*": "{stern|sternchen}",
    "#": "{raute|der raute|der rautetaste|rautetaste|die raute|die rautetaste|hashtag}", "°": "grad", "%": "prozent",
    "×": "mal", "÷": "geteilt durch", "€": "euro", "~": "{circa|ungefähr}", "→": "",
}  # fmt: skip


@rule(r"§§?|[&=@%°×÷€]|(?<!\S)\+(?!\w)|(?<=\s)[#*](?=\s|[.,!?-]|$)|(?<!\S)\*(?=[0-9\U000f0000-\U0010ffff])|(?<!\S)#(?=[0-9\U000f0000-\U0010ffff])")
def _sign(match: re.Match[str]) -> str:
    return "{paragrafen|paragraphen}" if match[0] == "§§" else _SIGNS[match[0]]


@rule(rf"(?<=[0-9\U000f0000-\U0010ffff]) ?x ?(?=[0-9\U000f0000-\U0010ffff])")
def _times(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{mal|x}"


@rule(r"(?<!\w)www(?!\w)")
def _www(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{www|w w w}"


@rule("[0-9]+")
def _leftover(match: re.Match[str]) -> str:
    """Digits in a context that no rule knows, so that none is left unread."""
    return code_in_context(match[0], "", "")


RULES: tuple[Rule, ...] = (
    _address, _iso_date, _phone, _area_phone, _extension, _iban, _plate, _time, _hour, _duration, _day_range,
    _numeric_date, _day_month, _month_alone, _weekdays, _sum, _compound_sum, _large, _percent, _degrees, _unit,
    _per, _always, _season, _groups, _fractions, _score, _ordinal, _suffixed, _dialect_hour, _alemannic, _low_german, _mixed, _to,
    _version, _number, _street, _abbreviation, _bare_abbreviation, _roman, _dotted, _acronym, _sign, _times, _www,
    _leftover,
)  # fmt: skip
