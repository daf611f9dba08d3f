"""German amounts: money, percentages, temperatures, units.

Conventions: a point groups thousands, a comma parts decimals.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.german.words import cardinal, decimal, words
from bench.language.scan import END, HELD, in_quotation, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("german")


NUMBER = r"(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]{1,3}(?:'[0-9]{3})+|[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+|[0-9]+)"

_AMOUNT = rf"{NUMBER}(?:,[0-9]+)?"


def ungrouped(number: str) -> str:
    return re.sub(r"[.' \u00a0\u202f]", "", number)


def counted(number: str) -> str:
    """A cardinal before what it counts: 101 is also hundertein."""
    said = cardinal(ungrouped(number))
    ends_in_one = number.endswith("01") and said.endswith(("eins", "eins}"))
    return one_of(said, re.sub(r"eins(?=[|}]|$)", "ein", said)) if ends_in_one else said


def _amount(number: str) -> str:
    """A number with or without grouping, and with or without a decimal part."""
    whole, _, fraction = number.partition(",")
    return decimal(ungrouped(whole), fraction) if fraction else counted(whole)


_CURRENCY = keys(_LEXICON["currency"])
_SCALE = r"(?:Mio\.?|Mrd\.?|Bio\.|Tsd\.|Million(?:en)?|Milliarden?)"


_ONE = {noun.lower(): reading.strip("{}").split("|") for reading, nouns in _LEXICON["one"].items() for noun in nouns}
_WITH_DATIVE = re.compile(r"\b(?:mit|in|nach|vor|seit|bei|von|zu|aus|ab|binnen|innerhalb)\s+$", re.IGNORECASE)
_WITH_ACCUSATIVE = re.compile(
    r"\b(?:für|um|ohne|gegen|durch|pro|je|(?:(?:hab|brauch|benötig|erhalt|bekomm|nehm|bestell|buch|kauf|find|seh)"
    r"(?:e|en|t)|hat|gibt|erhält|möchten?|warten?)(?: (?:sie|ich|wir|er|es|noch|nur|jetzt|bitte|genau)){0,3})\s+$",
    re.IGNORECASE,
)


_FEMININE = re.compile(
    "(?:e|ung|heit|keit|schaft|ion|tät|in|anz|enz|ik|ur|[lrtn]ei|kunft|schrift|sicht|fahrt|wahl|zahl|zeit|macht|uhr)$"
)
_NEUTER = re.compile("(?:[^auo]chen|lein|ment|ium|äum)$")
_NO_HEADS = {"euro", "meter", "grad", "uhr", "mal"}  # Büro is no compound of theirs, nor is Armbanduhr neuter


def _forms_of_one(noun: str) -> list[str] | None:
    """What 1 is before a noun of the lexicon, or before a compound that ends in one: Feiertag is as Tag."""
    heads = (noun[place:].lower() for place in range(2, len(noun) - 2))
    return _ONE.get(noun.lower()) or next(
        (_ONE[head] for head in heads if head in _ONE and head not in _NO_HEADS), None
    )


def is_feminine(noun: str) -> bool:
    known = _forms_of_one(noun)
    return known[0] == "eine" if known else _FEMININE.search(noun) is not None


def is_neuter(noun: str) -> bool:
    known = _forms_of_one(noun)
    return known == ["ein"] if known else _NEUTER.search(noun) is not None


def one_before(noun: str, before: str) -> str:
    """What a lone 1 is before a noun, in all cases and genders; the words before it say which case is likely."""
    feminine = is_feminine(noun)
    likely = _forms_of_one(noun) or (["eine"] if feminine else ["ein"] if is_neuter(noun) else ["ein", "einen"])
    if _WITH_DATIVE.search(before):
        likely = ["einer" if feminine else "einem", *likely]
    elif _WITH_ACCUSATIVE.search(before) and "einen" in likely:
        likely = ["einen", *likely]
    return one_of(*likely, "ein", "eine", "einen", "eins", "einem", "einer", "eines")


def _scaled(number: str, scale: str) -> str:
    one, many = _LEXICON["scale"][scale.strip()]
    if number == "1":
        return f"{'eine' if one != 'tausend' else 'ein'} {one}"
    return f"{_amount(number)} {many}"


_FEMININE_MONEY = re.compile(r"\b(kron)en\b|\blira\b")


def _one_unit(unit: str, before: str) -> str:
    """A single unit of money: ein Euro, für einen Euro, mit einem Euro, eine Krone."""
    if _FEMININE_MONEY.search(unit):
        forms, unit = ["eine", "einer"], unit.replace("kronen", "krone")
    else:
        forms = ["ein", "einem"] if "pfund" in unit else ["ein", "einen", "einem"]
        unit = unit.replace("britische", "britisches").replace("polnische", "polnischer")
    if _WITH_DATIVE.search(before):
        forms.reverse()
    elif _WITH_ACCUSATIVE.search(before) and "einen" in forms:
        forms = ["einen", "ein", "einem"]
    return f"{one_of(*forms)} {unit}"


def _money(number: str, symbol: str, scale: str | None, before: str) -> str:
    unit, cent = _LEXICON["currency"][symbol]
    if re.fullmatch(r"[0-9]+\.[0-9]{2}", number):
        number = number.replace(".", ",")  # CHF 12.50
    if scale:
        return f"{_scaled(number, scale)} {unit}"
    whole, _, fraction = number.partition(",")
    euros = _one_unit(unit, before) if ungrouped(whole) == "1" else f"{counted(whole)} {unit}"
    if not fraction or fraction == "00":
        return euros
    if len(fraction) != 2:
        return f"{decimal(ungrouped(whole), fraction)} {unit}"
    coins = f"{'ein' if fraction == '01' else words(int(fraction))[0]} {cent}"
    if whole == "0":
        return one_of(coins, f"{decimal('0', fraction)} {unit}", f"null {unit} {{und|}} {coins}")
    bare = words(int(fraction))[0]
    tails = [bare, f"und {coins}", coins] + ([f"null {bare}"] if fraction[0] == "0" else [])
    return one_of(f"{euros} {one_of(*tails)}", f"{decimal(ungrouped(whole), fraction)} {unit}")


_DASH = r"(?:,[-–—]{1,2}|\.[-–—]{1,2})?"


_SUM = rf"(?:{_AMOUNT}|[0-9]+\.[0-9]{{2}}(?![0-9]))"


@rule(
    rf"(?<![\w.,:/])(-)?({_SUM}){_DASH} ?(?:({_SCALE}) ?)?({_CURRENCY})(?!\w)"
    rf"|(?<!\w)({_CURRENCY}) ?(-)?({_SUM}){_DASH}(?: ?({_SCALE}))?{END}"
)
def sum(match: re.Match[str]) -> str:
    minus = "minus " if match[1] or match[6] else ""
    number, scale, symbol = match[2] or match[7], match[3] or match[8], match[4] or match[5]
    return minus + _money(number, symbol, scale, text_before(match))


@rule(r"(?<!\w)([0-9]+)-€-(?=\w)")
def compound_sum(match: re.Match[str]) -> str:
    return f"{'ein' if match[1] == '1' else cardinal(match[1])} euro"


@rule(rf"(?<![\w.,:/])({_AMOUNT}) ({_SCALE})(?!\w)")
def large(match: re.Match[str]) -> str:
    return _scaled(match[1], match[2])


@rule(rf"(?<![\w.,:/])([-+])?({_AMOUNT}|[0-9]+\.[0-9]+) ?(%|‰)(ig\w*)?")
def percent(match: re.Match[str]) -> str:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[4] and match[2].isdigit() and len(match[2]) < 13:
        return sign + one_of(*(f"{stem}prozent{match[4]}" for stem in words(int(match[2]))))
    pointed = re.fullmatch(r"([0-9]+)\.([0-9]{1,2})", match[2])
    if pointed:
        number = decimal(pointed[1], pointed[2], point="punkt")
    else:
        number = "{ein|eins}" if match[2] == "1" else _amount(match[2])
    return f"{sign}{number} {'prozent' if match[3] == '%' else 'promille'}{match[4] or ''}"


@rule(rf"(?<![\w.,:/])([-+])?({_AMOUNT}) ?°( ?[CF])?(?!\w)")
def degrees(match: re.Match[str]) -> str:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    scale = {"C": " {celsius|}", "F": " {fahrenheit|}", "": ""}[(match[3] or "").strip()]
    return f"{sign}{'ein' if match[2] == '1' else _amount(match[2])} grad{scale}"


_ADDRESS = re.compile(r"(?:zimmer|haus|nr\.?|nummer|wohnung|raum|saal|stra(?:ß|ss)e|str\.|weg|platz)\s+$", re.I)
FEMININE_UNIT = re.compile(r"\w*(?:stunde|minute|sekunde|tonne|person)")


@rule(
    rf"(?<![\w.,:/])(?<![^\W\d_]-)(?<![^\W\d_][0-9]-)([-+])?({_AMOUNT})([ -]?)"
    rf"({keys(_LEXICON['unit'])})(?![\w²³])(?!-[a-zäöü])(\.(?=\s*[a-zäöü,]))?"
)
def unit_rule(match: re.Match[str]) -> str | None:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[4] == "A" and (not match[3] or (match[2], match[3]) == ("1", "-")):
        return None  # 7A is a code, a 1-A-Lage is the best
    if match[4] == "A" and (_ADDRESS.search(text_before(match)) or re.match("-[A-Z](?!\\w)", text_after(match))):
        return None  # Zimmer 12 A, Gleis 12 A-D
    if match[4] == '"' and in_quotation(match):
        return None
    one, *many = _LEXICON["unit"][match[4]]
    if match[2] == "1":
        forms = ["eine", "einer"] if FEMININE_UNIT.fullmatch(one) else ["ein", "einen", "einem"]
        if _WITH_DATIVE.search(text_before(match)):
            forms.reverse()
        return f"{sign}{one_of(*forms)} {one}"
    said = f"{sign}{_amount(match[2])} {one_of(*many)}"
    if match[2] == "0,5":
        halves = (
            ["eine halbe", "einer halben"]
            if FEMININE_UNIT.fullmatch(one)
            else ["ein halber", "einen halben", "ein halbes"]
        )
        return one_of(said, f"{sign}{one_of(*halves)} {one}")
    metres = re.fullmatch("([0-9]+),([0-9][1-9]|[1-9]0)", match[2])
    if match[4] == "m" and metres:  # 1,80 m is also ein meter achtzig
        whole = "ein" if metres[1] == "1" else cardinal(metres[1])
        return one_of(said, f"{sign}{whole} meter {_hundredths(metres[2])}")
    return said


def _hundredths(digits: str) -> str:
    said = cardinal(digits.lstrip("0"))
    return one_of(said, f"null {said}") if digits[0] == "0" else said


@rule(
    rf"(?<![\w.,:/])([0-9]+(?:,[0-9]+)?)((?: ?[x×] ?[0-9]+(?:,[0-9]+)?)+)"
    rf"(?: ?({keys(_LEXICON['unit'])})(?![\w²³]))?(?!\w|[.,:][0-9])"
)
def dimensions(match: re.Match[str]) -> str:
    """20x30 cm"""
    sides = [_amount(side) for side in (match[1], *re.findall("[0-9]+(?:,[0-9]+)?", match[2]))]
    return f"{' {mal|x} '.join(sides)} {one_of(*_LEXICON['unit'][match[3]][1:]) if match[3] else ''}"


@rule(r"(?<![\w.,:/])([0-9]+) ?(?:(?:h|Std\.?) ?([0-9]+) ?(?:min|Min)|(?:min|Min\.?) ?([0-9]+) ?(?:s|sek|Sek|sec))\b")
def hours_minutes(match: re.Match[str]) -> str:
    """2 Std. 30 Min., 4 min 30 s"""
    larger, smaller = ("stunde", "minute") if match[2] else ("minute", "sekunde")
    said = (
        f"eine {unit}" if number == "1" else f"{cardinal(number)} {unit}n"
        for number, unit in ((match[1], larger), (match[2] or match[3], smaller))
    )
    return " {|und} ".join(said)


_PER = {"tag": "am", "monat": "im", "jahr": "im", "woche": "{in der|die}", "stunde": "{in der|die}"}


@rule(rf"(?:(?<={HELD}) ?/ ?(?:(100|1\.000) ?)?|(?<=[a-zäöüß])(/))({keys(_LEXICON['per'])})(?!\w)")
def per(match: re.Match[str]) -> str | None:
    """/kWh, /100 km; after a word only where it is counted: 7 Tage/Woche"""
    if match[2] and not re.search(r"[0-9] \w+$", text_before(match)):
        return None
    unit = _LEXICON["per"][match[3]]
    if match[1]:
        return f"{{auf|pro|je}} {cardinal(ungrouped(match[1]))} {unit}"
    return one_of(f"{{pro|je}} {unit}", *([f"{_PER[unit]} {unit}"] if unit in _PER else []))
