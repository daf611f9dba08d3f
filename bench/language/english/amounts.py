"""English amounts: money, percentages, temperatures, lengths, units.

Conventions: a unit has its singular and plural among the readings; the context chooses the first.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.english.words import below_hundred, cardinal, decimal
from bench.language.scan import END, HELD, START, in_quotation, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("english")


_NUMBER = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"


def _plain_number(text: str) -> str:
    """A number with or without grouping commas, and with or without a decimal part."""
    whole, _, fraction = text.replace(",", "").partition(".")
    return decimal(whole, fraction) if fraction else cardinal(whole)


_SYMBOL = r"(?:US|CA|C|A)?\$|[£€¥₹]"
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion)\b|\s?(?:K|k|M|MM|m|mn|B|bn|T)(?![\w/]))"
# Nouns that a sum or a measure describes: a hundred dollar bill, a ten pound bag.
_DESCRIBED = re.compile(rf"[ -](?:{keys(_LEXICON['described'])})\b")
_ATTRIBUTE = re.compile(r"\b(?:an?|the|this|that|your|my|our|one|each|every)\s+$", re.IGNORECASE)


def _money(symbol: str, number: str, scale: str | None, attributive: bool) -> str:
    one, many, cent, cents = _LEXICON["currency"][symbol]
    units = one_of(one, *many) if attributive else one_of(*many, one)
    whole, _, fraction = number.replace(",", "").partition(".")
    if scale:
        count = "{one|a}" if number == "1" else _plain_number(number)
        said = f"{count} {_LEXICON['scale'][scale.strip()]} {units}"
        return one_of(said, f"{count} k") if scale in ("K", "k") else said
    if not fraction:
        return f"{'one' if attributive else '{one|a}'} {one}" if whole == "1" else f"{cardinal(whole)} {units}"
    if len(fraction) != 2:
        return f"{decimal(whole, fraction)} {units}"
    said, units = ("{one|a}", one) if whole == "1" and not attributive else (cardinal(whole), one_of(*many))
    units = one if whole == "1" else units
    small = below_hundred(int(fraction))
    coins = f"{small} {cent if fraction == '01' else cents}"
    if fraction == "00":
        return f"{said} {units} {{|and zero {cents}}}"
    if whole in ("0", ""):
        return one_of(coins, f"zero {units} {{and|}} {coins}", f"{decimal(whole, fraction)} {units}")
    bare = f"oh {small}" if int(fraction) < 10 else small
    ways = [f"{units} and {coins}", f"{units} {coins}", f"{units} {bare}", bare]
    if symbol == "£":
        ways = [ways[2], ways[0], ways[1], ways[3]] if int(fraction) >= 10 else [*ways, f"{units} {small}"]
    if attributive:  # a three dollar fifty cent charge
        ways.insert(0, f"{one} {{|and}} {small} {cent}")
    return one_of(f"{said} {one_of(*ways)}", f"{decimal(whole, fraction)} {units}")


@rule(rf"(?<!\w)(-)?({_SYMBOL})\s?(-)?({_NUMBER})\s?[-–—]\s?(?:{_SYMBOL})?({_NUMBER})({_SCALE})?{END}")
def money_range(match: re.Match[str]) -> str | None:
    if match[1] or match[3]:
        return None
    units = one_of(*_LEXICON["currency"][match[2]][1])
    scale = _LEXICON["scale"][match[6].strip()] if match[6] else ""
    return (
        f"{cardinal(match[4].replace(',', ''))} {{|{units}}} to {cardinal(match[5].replace(',', ''))} {scale} {units}"
    )


@rule(rf"(-)?({_SYMBOL})\s?(-)?({_NUMBER}(?:\.[0-9]+)?|\.[0-9]+)({_SCALE})?(?![\w]|[.,:][0-9])")
def symbol_money(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] or match[3] else ""
    after = text_after(match)
    governed = _ATTRIBUTE.search(text_before(match)) and re.match(r"[ -][a-z]", after)
    attributive = bool(governed or _DESCRIBED.match(after)) or after.startswith("-")
    return minus + _money(match[2], match[4], match[5], attributive)


@rule(
    rf"(?<!\w)(?:(USD|CAD|GBP|EUR)\s?({_NUMBER}(?:\.[0-9]+)?)({_SCALE})?"
    rf"|({_NUMBER}(?:\.[0-9]+)?)({_SCALE})?\s?(USD|CAD|GBP|EUR|[€£]))(?!\w)"
)
def named_money(match: re.Match[str]) -> str:
    return _money(match[1] or match[6], match[2] or match[4], match[3] or match[5], False)


@rule(rf"{START}([0-9]+)\s?¢")
def cents_rule(match: re.Match[str]) -> str:
    return f"{cardinal(match[1])} {'cent' if match[1] == '1' else 'cents'}"


_PARTS_OF_ONE = {".5": "{|one|a} half", ".25": "{one|a} quarter", ".75": "three quarters"}


@rule(rf"(?<![\w.,:/])(-)?({_NUMBER}(?:\.[0-9]+)?|\.[0-9]+)\s?(%|‰)")
def percent(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] else ""
    said = f"{minus}{_plain_number(match[2])} {'{percent|per cent}' if match[3] == '%' else '{per mille|per mil}'}"
    part = _PARTS_OF_ONE.get(match[2].lstrip("0")) if match[3] == "%" and not minus else None
    return one_of(said, f"{part} {{|a|of a|of one}} {{percent|per cent}}") if part else said


@rule(rf"(?<![\w.,:/])(-)?({_NUMBER}(?:\.[0-9]+)?)\s?°\s?([CF])?(?!\w)")
def degrees(match: re.Match[str]) -> str:
    minus = "{minus|negative} " if match[1] else ""
    scale = {"C": " {celsius|centigrade|}", "F": " {fahrenheit|}", None: ""}[match[3]]
    return f"{minus}{_plain_number(match[2])} {'degree' if match[2] == '1' else 'degrees'}{scale}"


@rule(rf"{START}([0-9]+)'\s?([0-9]{{1,2}})(?:\"|''|”)|{START}([0-9]+) ?ft\.? ([0-9]{{1,2}}) ?in\b\.?")
def height(match: re.Match[str]) -> str:
    feet, inches = match[1] or match[3], match[2] or match[4]
    unit = "inch" if inches == "1" else "inches"
    return f"{cardinal(feet)} {one_of(f'{{foot|feet}} {cardinal(inches)} {{|{unit}}}', cardinal(inches))}"


_CURRENT = re.compile(r"\s*(?:[.,;:!?)]|$|(?:fuse|breaker|circuit|outlet|charger|adapter|current|max|at|of)\b)")
_PLACE = re.compile(rf"\b(?:{keys(_LEXICON['place'])})\W*$", re.IGNORECASE)


def _units(number: str, unit: str, attributive: bool) -> str:
    one, *many = _LEXICON["unit"][unit]
    return one if number == "1" else one_of(one, *many) if attributive else one_of(*many, one)


@rule(
    r"(?<![\w.,:/])([0-9]+(?:\.[0-9]+)?) ?[x×] ?([0-9]+(?:\.[0-9]+)?)(?: ?[x×] ?([0-9]+(?:\.[0-9]+)?))?"
    r"(?:[ -]?(in|ft|cm|mm|m)\b\.?)?(?!\w)"
)
def dimensions(match: re.Match[str]) -> str:
    said = " {by|times} ".join(_plain_number(part) for part in match.groups()[:3] if part)
    if not match[4]:
        return said
    described = re.match(" [a-z]", text_after(match))
    if match[4] == "in" and not described:
        return f"{said} {{inches|inch}}"
    return f"{said} " + ("{inch|inches}" if match[4] == "in" else _units("2", match[4], attributive=True))


@rule(r"(?<![\w.,:/])([0-9]+) ?(?:hrs?|h)\b\.?,? ([0-9]+) ?(?:mins?|m)\b\.?")
def hours_minutes(match: re.Match[str]) -> str:
    hours = f"{cardinal(match[1])} {'hour' if match[1] == '1' else 'hours'}"
    return f"{hours} {{|and}} {cardinal(match[2])} {'minute' if match[2] == '1' else 'minutes'}"


@rule(
    rf"(?<![\w.,:/])(?<![^\W\d_]-)(?<![^\W\d_][0-9]-)(-)?({_NUMBER}(?:\.[0-9]+)?)([ -]?)"
    rf"({keys(_LEXICON['unit'])})(?![\w²³])\.?(?=[^0-9]|$)"
)
def unit_rule(match: re.Match[str]) -> str | None:
    if match[4] in ("m", "l", "L", "W", "V", "g", "A") and match[3] == "-":
        return None
    before, after = text_before(match), text_after(match)
    if match[4] == "A" and (not match[3] or _PLACE.search(before) or not _CURRENT.match(after)):
        return None  # Seat 15 A
    if match[4] == '"' and in_quotation(match):
        return None
    minus = "{minus|negative} " if match[1] else ""
    attributive = match[3] == "-" or _DESCRIBED.match(after) is not None
    said = f"{minus}{_plain_number(match[2])} {_units(match[2], match[4], attributive)}"
    if match[2] in ("0.5", ".5") and match[3] == " " and not minus:  # 0.5 mi
        one = _LEXICON["unit"][match[4]][0]
        return one_of(said, f"{{half {{a|an|}}|a half|one half}} {one}")
    return said


@rule(rf"{START}({_NUMBER}(?:\.[0-9]+)?) in\.(?= [a-z])")
def inches_rule(match: re.Match[str]) -> str:
    return f"{_plain_number(match[1])} {{inches|inch}}"


@rule(rf"(?<={HELD})\s?/\s?({keys(_LEXICON['per'])})(?!\w)")
def per(match: re.Match[str]) -> str:
    return f"{{{'an' if match[1] in ('hr', 'hour', 'h') else 'a'}|per}} {_LEXICON['per'][match[1]]}"
