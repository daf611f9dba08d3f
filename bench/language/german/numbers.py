"""German numbers without a unit: fractions, ordinals, scores, seasons, versions, bare digit strings.

Conventions: a number's context decides only which reading comes first, never which readings there are.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.german.amounts import FEMININE_UNIT, NUMBER, counted, is_feminine, one_before, ungrouped
from bench.language.german.codes import CODE_WORD, NAMED
from bench.language.german.times import DATIVE, MONTH, NOMINATIVE, ending_by_noun, ordinal_ending, until
from bench.language.german.words import cardinal, code, decimal, inflected, ordinal, spelled, words, year
from bench.language.scan import END, HELD, START, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("german")

_YEAR_WORD = re.compile(rf"\b(?:seit|jahr|jahre|jahrgang|anno|ab|bis|von|in|im|vor|nach|um|{MONTH})\W+$", re.IGNORECASE)

# What a number names after one of these is not counted: Artikel 1 Grundgesetz.
_NUMBERED = re.compile(
    r"(?:\b(?:die|nummer|nr\.?|taste|platz|gleis|stufe|zimmer|halle|tor|artikel|art\.|absatz|abs\.|satz|kapitel|kap\."
    r"|seite|s\.|band|bd\.|teil|abschnitt|ziffer|punkt|linie|terminal|schalter|etage|raum|haus|hausnummer|kategorie"
    r"|klasse|gruppe|liga|phase|version|schritt|lektion|folge|staffel|zone|wagen|reihe|anlage|option|formel|agenda)"
    r"|§|stra(?:ß|ss)e)\s+$",
    re.IGNORECASE,
)
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
_PARTS = {2: "halbe", 3: "drittel", 7: "siebtel", 8: "achtel"}


def _fraction(top: str, bottom: str) -> str:
    if (top, bottom) == ("1", "2"):
        return "{ein halber|einen halben|ein halbes|eine halbe|einer halben|einem halben|einhalb|ein halb}"
    size = int(bottom)
    name = _PARTS.get(size) or words(size)[0] + ("tel" if size < 20 else "stel")
    count = "ein" if top == "1" else words(int(top))[0]
    return one_of(f"{count} {name}", f"{count}{name}", *([f"einen {name}"] if top == "1" else []))


# Units that fractions are used with; a lone capital is no unit here.
_MEASURE = keys(unit for unit in _LEXICON["unit"] if unit in "lmght" or (len(unit) > 1 and "/" not in unit))


def _measured(top: str, bottom: str, unit: str) -> str:
    """1/2 l, 3/4 h"""
    one, *many = _LEXICON["unit"][unit]
    if (top, bottom) == ("1", "2"):
        feminine = FEMININE_UNIT.fullmatch(one)
        halves = ("eine halbe", "einer halben") if feminine else ("ein halber", "einen halben", "ein halbes")
        return f"{one_of(*halves)} {one}"
    said = _fraction(top, bottom)
    if top == "1" and FEMININE_UNIT.fullmatch(one):
        said = one_of(said.replace("ein", "eine", 1), said)
    return f"{said} {one_of(one, *many)}"


@rule(r"(?<![\w/])24/7(?![\w/])")
def always(match: re.Match[str]) -> str:  # noqa: ARG001
    return "vierundzwanzig {|stunden} sieben {|tage}"


@rule(rf"{START}((?:1[0-9]|20)[0-9]{{2}})[/-]([0-9]{{2}}|(?:1[0-9]|20)[0-9]{{2}}){END}")
def season(match: re.Match[str]) -> str:
    first, second = match[1], match[2]
    long_second = year(second) if len(second) == 4 else code(second, best="cardinal")
    between = "{bis|}" if "-" in match[0] else "{|bis}"
    short, short_second = (code(part[-2:], best="cardinal") for part in (first, second))
    return one_of(f"{year(first)} {between} {long_second}", f"{short} {between} {short_second}")


@rule(
    r"(?<![\w.,:/])(?:([0-9]+)(?: |(?=[½⅓⅔¼¾⅛⅜⅝⅞])))?(?:([0-9]{1,3})/([1-9][0-9]{0,2})|([½⅓⅔¼¾⅛⅜⅝⅞]))"
    rf"(?: ?({_MEASURE})(?![\w²³-]|/[0-9])\.?)?(?![\w/]|[.,:][0-9])"
)
def fractions(match: re.Match[str]) -> str | None:
    top, bottom = _VULGAR[match[4]].split("/") if match[4] else (match[2], match[3])
    large = int(bottom) > 20 and int(bottom) % 25  # no part of anything: 112/26
    sides = (code(part, best="cardinal") if large else cardinal(part) for part in (top, bottom))
    slashed = " {schrägstrich|slash|durch|} ".join(sides)
    noun = re.match(r" ([A-ZÄÖÜ]\w*)", text_after(match))
    if top.startswith("0") or bottom == "1":
        return slashed
    if match[1]:
        stem = words(int(match[1]))[0] if len(match[1]) < 7 else spelled(match[1])
        unit = f" {one_of(*_LEXICON['unit'][match[5]][1:])}" if match[5] else ""
        if (top, bottom) == ("1", "2"):
            return one_of(*(["eineinhalb", "anderthalb"] if match[1] == "1" else [f"{stem}einhalb"])) + unit
        return f"{stem} {_fraction(top, bottom)}{unit}"
    if match[5]:
        return _measured(top, bottom, match[5])
    said = _fraction(top, bottom)
    if noun and is_feminine(noun[1]):  # eine halbe Stunde, eine Viertelstunde
        said = one_of("eine halbe" if bottom == "2" else said.replace("ein", "eine", 1), said) if top == "1" else said
    if top == bottom:
        return one_of(f"{cardinal(top)} {{|zu}} {cardinal(bottom)}", slashed, said)  # 50/50
    return one_of(slashed, said) if large else one_of(said, slashed)


@rule(rf"{START}({NUMBER}):({NUMBER}){END}")
def score(match: re.Match[str]) -> str:
    return f"{cardinal(ungrouped(match[1]))} zu {cardinal(ungrouped(match[2]))}"


_WEEKDAY = re.compile(r"(?<![Aa]m )\b(?:(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Sonnabend),\s+$")
_LAST_ORDINAL = re.compile(
    rf"\b(?:am|zum|vom|dem|den)\s+(?:[0-9]+\. ?(?:bis|und|oder|[-–])(?: zum)? ?)?$"
    rf"|(?:tag|Mittwoch|Sonnabend),?\s+der\s+$|{_WEEKDAY.pattern}"
)


@rule(
    r"(?<![\w.,:/])([0-9]{1,3}(?:\.[0-9]{3})*)\.(?=(?:\s+(?:bis|und|oder|sowie|[-–])|,)\s+(?:zum )?[0-9]{1,3}\."
    r"|[-–]?[-–/ ](?:[A-ZÄÖÜa-zäöüß])|\s*[?!\"]?\s*$)"
)
def ordinal_rule(match: re.Match[str]) -> str | None:
    """3. Stock; at the end only after what no cardinal follows: am 11., Freitag, der 13."""
    before, after = text_before(match), text_after(match)
    digits = ungrouped(match[1])
    if int(digits) == 0:
        return None
    if not re.search(r"\w", after) and not _LAST_ORDINAL.search(before):
        return None  # a full stop
    governed = DATIVE.search(before) or NOMINATIVE.search(before)
    if _WEEKDAY.search(before):
        return one_of(inflected(digits, "er"), f"der {ordinal(digits, 'e')}", f"{{den|dem}} {ordinal(digits, 'en')}")
    if not governed and re.match(r"\s+(?:Wir|Sie|Ich|Er|Es|Bitte|Das|Die|Der|Danach|Dann|Und|Aber|Ihr|Wenn)\b", after):
        return None
    reading = until(before) + inflected(digits, ordinal_ending(before, ending_by_noun(after)))
    return reading if governed or re.match(r"\s+[a-zäöü]", after) else one_of(reading, cardinal(digits))


@rule(
    rf"(?<![\w.,:/])({NUMBER})(?: (?=x(?! ?[0-9\U000f0000-\U0010ffff]))|-)?"
    r"(?:(x|er|ern|mal|fach|te|ten|ter|tes|tem|ste|sten|ster|stes)"
    r"|(?<=-)(jährig|tägig|stündig|minütig|monatig|prozentig|stellig|köpfig)(\w*))(?!\w)"
)
def suffixed(match: re.Match[str]) -> str:
    number = ungrouped(match[1])[:12]
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


@rule(rf"(?<=[0-9%°\U000f0000-\U0010ffff]) ?[-–—] ?(?=[0-9])|(?<=[0-9])[-–—](?={HELD})|(?<={HELD}) ?[-–—] ?(?={HELD})")
def dash(match: re.Match[str]) -> str:
    if re.match(r"\s*[0-9]+ ?=", text_after(match)):
        return "minus"
    return "{bis|zu|minus|strich|}"


@rule(rf"(?<![\w.,:/])(-)?({NUMBER}),([0-9]+)(?:-?(x|fach|mal)(\w*)|([A-Z]{{1,3}}))(?!\w|[,.-]?[0-9])")
def decimal_suffixed(match: re.Match[str]) -> str:
    """1,5x, 2,5fach, 3,5G"""
    number = ("minus " if match[1] else "") + decimal(ungrouped(match[2]), match[3])
    if match[6]:
        return f"{number} {' '.join(match[6])}"
    return f"{number} {{mal|x}}" if match[4] == "x" else f"{number} {match[4]}{match[5]}"


@rule(r"(?<![\w.,:/])([vV]?)([0-9]+(?:\.[0-9]+)+)(?!\w|,[0-9])")
def version(match: re.Match[str]) -> str | None:
    parts = match[2].split(".")
    if match[1]:
        return f"{{v|version}} {' punkt '.join(code(part, best='cardinal') for part in parts)}"
    if len(parts[0]) < 4 and all(len(part) == 3 for part in parts[1:]) and parts[0][0] != "0":
        return None
    return " punkt ".join(code(part, best="cardinal") for part in parts)


@rule(rf"(?<![\w.,:/])([-+])?({NUMBER})(,[0-9]+)?(?![,.:/][0-9])(?!\w)")
def number_rule(match: re.Match[str]) -> str | None:
    sign = {"-": "minus ", "+": "plus ", None: ""}[match[1]]
    if match[3]:
        return sign + decimal(ungrouped(match[2]), match[3][1:])
    if not match[2].isdigit():
        return sign + cardinal(ungrouped(match[2]))
    return sign + code_in_context(match[2], text_before(match), text_after(match))


def code_in_context(digits: str, before: str, after: str) -> str:
    """A bare digit string in all its readings; what stands before and after it says which one is best."""
    noun = re.match(r"\s([a-zäöü]+ )?([A-ZÄÖÜ][\wäöüß-]*)", after)
    if digits == "1":
        if re.match(rf"(?:{HELD}| bis )[0-9]+ [A-ZÄÖÜ]", after):
            return "{ein|eins|einem|eine|einen|einer}"
        if re.match("-[A-ZÄÖÜ][a-zäöü]", after) and not before.endswith("-"):
            return "{ein|eins}"  # 1-Zimmer-Wohnung
        if not noun or _NUMBERED.search(before):
            return "{eins|ein|eine|einen}"
        return one_before(noun[2], before)
    if len(digits) == 1:
        return cardinal(digits)
    if digits.startswith("0"):
        return code(digits)
    coded = CODE_WORD.search(before) or NAMED.search(before)
    if len(digits) == 2:
        return code(digits, best="cardinal")
    counts = noun and not noun[1]
    if coded or (digits in ("110", "112", "115", "116117", "118") and not counts):
        return code(digits)
    if counts and digits.endswith("01"):
        return one_of(code(digits, best="cardinal"), counted(digits))
    a_year = ("1100" <= digits < "2100" and _YEAR_WORD.search(before)) or ("1500" <= digits < "2100" and not noun)
    if len(digits) == 4 and a_year:
        return one_of(year(digits), code(digits, best="cardinal"))
    if len(digits) <= 4 or digits.endswith("000"):
        return code(digits, best="cardinal")
    return code(digits)


@rule("[0-9]+")
def leftover(match: re.Match[str]) -> str:
    """Digits in a context that no rule knows, so that none is left unread."""
    return code_in_context(match[0], "", "")
