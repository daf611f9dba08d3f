"""German codes: addresses on the net, telephone numbers, IBANs, plates, letters mixed with digits.

Conventions: a code has all readings of its digits, digit by digit first; groups as written bound the pairs.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.german.times import MONTH
from bench.language.german.words import code, words, year
from bench.language.scan import END, START, keys, one_of, rule, text_before

_LEXICON: dict[str, Any] = scan.lexicon("german")


# Digits after one of these are a code, and are read one by one.
CODE_WORD = re.compile(
    r"(?:\bpin|\btan|code|kennwort|passwort|nummer|nr\.?|durchwahl|notruf|iban|\bblz|\bplz|ziffern?|endet auf|kennung|"
    r"wählen sie|rufen sie|telefon|hotline)\b(?:\W+\w+){0,3}\W*$",
    re.IGNORECASE,
)
# The number right after one of these is a code.
NAMED = re.compile(
    r"(?:#|\b(?:ticket|vorgang|auftrag|bestellung|rechnung|buchung|referenz|vertrag))\s*$", re.IGNORECASE
)
_SIGN_NAMES = {
    ".": "{punkt|dot}", "-": "{minus|bindestrich|strich}", "_": "unterstrich", "@": "{at|ät}",
    "/": "{slash|schrägstrich}", ":": "doppelpunkt", "+": "plus", "~": "tilde", "?": "fragezeichen", "=": "gleich",
    "&": "und", "#": "raute",
}  # fmt: skip


def _net(text: str) -> str:
    said = []
    for part in re.findall(r"[^\W\d_]+|[0-9]+|.", text.rstrip("/")):
        if part.isascii() and part.isdigit():
            said.append(code(part, best="cardinal" if len(part) < 3 and part[0] != "0" else "digits"))
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
def address(match: re.Match[str]) -> str:
    return _net(match[0])


def _spaced(text: str) -> str:
    return " ".join(code(group) for group in re.findall("[0-9]+", text))


@rule(
    rf"(?<![\w.,:/+-])(?:\+[0-9]{{1,3}}[ /-]?)(?:\(0\) ?)?[0-9]+(?:[ /-][0-9]+)*{END}"
    rf"|(?<!\w)\(0[0-9]+\) ?[0-9]+(?:[ -][0-9]+)*{END}"
)
def phone(match: re.Match[str]) -> str:
    return f"{{plus|}} {_spaced(match[0])}" if match[0].startswith("+") else _spaced(match[0])


@rule(rf"{START}(?<![0-9] )0(?:[0-9]{{1,5}}(?: ?[/-] ?|[ /-])| [0-9]{{2,4}} ?/ ?)[0-9]+(?:[ -][0-9]+)*{END}")
def area_phone(match: re.Match[str]) -> str:
    return _spaced(match[0])


_EXTENSIONS = {
    "Durchwahl": "durchwahl", "DW": "{durchwahl|d w}", "App.": "apparat", "Apparat": "apparat",
    "Nebenstelle": "nebenstelle", "Klappe": "klappe",
}  # fmt: skip
_LINES = {"Fax": "fax", "Telefax": "telefax", "Telefon": "telefon", "Tel.": "telefon"}


@rule(rf"(?<!\w)(?:({keys(_EXTENSIONS)}):? ?-?|({keys(_LINES)}):? ?-)([0-9]{{1,5}}){END}")
def extension(match: re.Match[str]) -> str:
    """Durchwahl -14, Fax -99: the hyphen is no minus."""
    name = _EXTENSIONS[match[1]] if match[1] else _LINES[match[2]]
    return f"{name} {code(match[3], best='cardinal' if len(match[3]) == 2 else 'digits')}"


@rule(r"(?<![\w-])([A-Z]{2})([0-9]{2})((?: ?[0-9]{4})+(?: ?[0-9]{1,3})?)(?!\w)")
def iban(match: re.Match[str]) -> str:
    digits = match[3].replace(" ", "")
    groups = match[3].split() if " " in match[3] else [digits[at : at + 4] for at in range(0, len(digits), 4)]
    return " ".join([*match[1], code(match[2]), *map(code, groups)])


@rule(rf"(?<![\w-])([A-ZÄÖÜ]{{1,3}})[- ]([A-Z]{{1,2}})[- ]([0-9]{{1,4}})([EH])?{END}")
def plate(match: re.Match[str]) -> str | None:
    if match[0][len(match[1])] == " " and match[1] in _LEXICON["acronym"]:
        return None
    return " ".join([*match[1], *match[2], code(match[3]), *(match[4] or "")])


_SEVERAL = re.compile(r"\b(?:Nrn?\.?|Nummern?|Seiten?|S\.)\s*$")


@rule(
    rf"(?<![\w.,:/$£€-])[0-9]+(?:[- ][0-9]+)+(?![\w%°€]|[.,:/][0-9]|-\w| ?(?:€|Euro|Uhr|Prozent)|\. ?(?:[0-9]|{MONTH}))"
)
def groups_rule(match: re.Match[str]) -> str | None:
    groups = re.split("[- ]", match[0])
    hyphens = match[0].count("-")
    if (
        len(groups) == 2
        and hyphens
        and max(map(len, groups)) < 4
        and (re.match("0[0-9]", groups[0]) or CODE_WORD.search(text_before(match)))
    ):
        several = _SEVERAL.search(text_before(match)) and int(groups[0]) < int(groups[1])
        between = "{bis||strich|minus}" if several else "{|bis|strich|minus}"
        return f"{code(groups[0])} {between} {code(groups[1])}"
    if hyphens:
        years = all(len(group) == 4 and 1000 <= int(group) < 2100 for group in groups)
        is_code = len(groups) > 2 or groups[-1].startswith("0") or (max(map(len, groups)) > 3 and not years)
    else:
        grouped = len(groups[0]) < 4 and all(len(group) == 3 for group in groups[1:]) and groups[0][0] != "0"
        is_code = (len(groups) > 2 or len(groups[0]) == len(groups[1]) > 2) and not (grouped and len(groups[0]) < 3)
    return " ".join(map(code, groups)) if is_code else None


@rule(rf"{START}[0-9]+(?:/[0-9]+)+{END}")
def slashed(match: re.Match[str]) -> str | None:
    """File numbers, 2024/5571; two short parts are a fraction or a season."""
    groups = match[0].split("/")
    if len(groups) == 2 and max(map(len, groups)) < 4 and not groups[1].startswith("0"):
        return None
    if len(groups[0]) < 3 and re.fullmatch("(?:19|20)[0-9]{2}", groups[1]) and len(groups) == 2:
        said = code(groups[0], best="cardinal" if groups[0][0] != "0" else "digits")
        if not CODE_WORD.search(text_before(match)):  # KW 3/2026
            return f"{said} {{|schrägstrich|slash}} {one_of(year(groups[1]), code(groups[1]))}"
    return " {schrägstrich|slash|strich|} ".join(map(code, groups))


def letters_of(letters: str) -> str:
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
def dialect_hour(match: re.Match[str]) -> str | None:
    """Hours as the dialects write them: um 5e, am 6i."""
    number = int(match[1])
    if not 0 < number < 13:
        return None
    return words(number)[0] + "e" if match[2] == "e" else str(_LEXICON["alemannic"]["hours"][number])


@rule(r"\b([Kk]lock )([0-9]{1,2})(?![\w:.,][0-9]|\w)")
def low_german(match: re.Match[str]) -> str | None:
    """An hour after Klock is said in the Low German way."""
    hours: list[str] = _LEXICON["low_german"]["hours"]
    return f"{match[1]}{hours[int(match[2])]}" if 0 < int(match[2]) < len(hours) else None


@rule(rf"{START}([0-9]{{1,2}}) (?=Franke(?:\W|$))")
def alemannic(match: re.Match[str]) -> str:
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


@rule(
    r"(?<![\w.,:/$£€'])(?=[\w-]*[0-9])(?=[\w-]*[^\W\d_])"
    r"[A-ZÄÖÜa-zäöüß0-9]+(?:-[0-9A-Z][0-9A-Z]*(?![a-zäöüß]))*(?![\w'])"
)
def mixed(match: re.Match[str]) -> str | None:
    """Letters and digits in one token: A7-K9, U7, 12a, 5G."""
    token = match[0]
    if token.isdigit() or re.fullmatch(r"[0-9]+(?:er|ern|mal|fach|x|te|ten|ter|tes|st|ste|sten|[a-zäöüß]{2,})", token):
        return None
    said = []
    groups = re.findall("[0-9]+", token)
    long = len(groups) > 1 and max(map(len, groups)) > 3
    many = long or re.search(r"[^\W\d_].*[0-9].*[^\W\d_].*[0-9]", token)
    if re.fullmatch("[A-Z]2[A-Z]", token):
        return f"{token[0]} {{zwei|to}} {token[2]}"  # B2B
    for part in re.findall(r"(?<![^-])[^\W\d_]*[a-zäöüß][^\W\d_]*(?![^-])|[^\W\d_]+|[0-9]+", token):
        if len(part) > 1 and not part.isupper() and part.isalpha() and re.search(rf"(?<![^-]){part}(?![^-])", token):
            said.append(part)  # Top-10
        elif part.isdigit():
            said.append(code(part, best="cardinal" if len(part) < 4 and part[0] != "0" and not many else "digits"))
        else:
            said.append(letters_of(part))
    return " ".join(said)
