"""English codes: addresses on the net, telephone numbers, groups of digits, letters mixed with digits.

Conventions: a code has all readings of its digits, digit by digit first; groups as written bound the pairs.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import scan
from bench.language.english.words import cardinal, code, ordinal, spelled, year
from bench.language.scan import END, START, one_of, rule, text_before

_LEXICON: dict[str, Any] = scan.lexicon("english")


# Digits after one of these are a code, and are read one by one.
CODE_WORD = re.compile(
    r"\b(?:code|pin|pass(?:code|word)|number|digits?|id|account|confirmation|reference|order|tracking|ticket|case|"
    r"claim|serial|policy|member|ends?|ending|card|ext|extension|room|flight|dial|call|text|press|routing|zip|"
    r"invoice|booking|gate|model|license|licence|plate)\b(?:\W+[\w']+){0,3}\W*$",
    re.IGNORECASE,
)
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
def address(match: re.Match[str]) -> str:
    return _net(match[0])


@rule(
    r"(?<![\w.@-])(?:[A-Za-z][\w-]*\.)+(?:com|org|net|io|edu|gov|info|app|dev|biz|ca|co\.uk)"
    r"(?:/[\w./~-]*[\w/])?(?![\w-])"
)
def domain(match: re.Match[str]) -> str:
    return _net(match[0])


@rule(r"(?<![\w-])([A-Z]{2})([0-9]{2})((?: ?[A-Z0-9]{4}){2,}(?: ?[A-Z0-9]{1,3})?)(?!\w)")
def iban(match: re.Match[str]) -> str:
    rest = match[3].replace(" ", "")
    groups = match[3].split() if " " in match[3] else [rest[at : at + 4] for at in range(0, len(rest), 4)]
    parts = [part for group in groups for part in re.findall("[A-Z]|[0-9]+", group)]
    return " ".join([*match[1].lower(), code(match[2]), *(code(p) if p.isdigit() else p.lower() for p in parts)])


def _area(digits: str) -> str:
    return code(digits, best="cardinal" if digits.endswith("00") else "digits")


@rule(r"(?<![\w-])(?:(\+)?(1)[-. ]?)?(?:\(([0-9]{3})\) ?|([0-9]{3})[-. ])([0-9]{3})[-. ]([0-9]{4})(?![\w]|-[0-9])")
def phone(match: re.Match[str]) -> str:
    plus, country, bracketed, area, exchange, line = match.groups()
    words = ["{plus|}"] if plus else []
    words += ["one"] if country else []
    return " ".join([*words, _area(bracketed or area), _area(exchange), code(line)])


@rule(r"(?<![\w.])\+[0-9]{1,3}(?:[ -][0-9]{2,5}){2,5}(?![\w-])")
def foreign_phone(match: re.Match[str]) -> str:
    return " ".join(["plus", *(code(group) for group in re.findall("[0-9]+", match[0]))])


@rule(r"(?<![\w.,:/$£€-])[0-9]+(?:[- ][0-9]+)+(?![\w%°]|[.,:/][0-9]|-\w)")
def groups_rule(match: re.Match[str]) -> str | None:
    groups = re.split("[- ]", match[0])
    hyphens = match[0].count("-")
    if hyphens and hyphens < len(groups) - 1:
        return None
    if (
        len(groups) == 2
        and hyphens
        and max(map(len, groups)) < 4
        and (re.match("0[0-9]", groups[0]) or CODE_WORD.search(text_before(match)))
    ):
        return f"{code(groups[0])} {{|to|through|dash}} {code(groups[1])}"
    if hyphens:
        years = [len(group) == 4 and 1000 <= int(group) < 2100 for group in groups]
        is_code = len(groups) > 2 or re.match("0[0-9]", groups[-1]) or (max(map(len, groups)) > 3 and not years[0])
    else:
        is_code = len(groups) > 2 or len(groups[0]) == len(groups[1]) > 2
    if not is_code:
        return None
    return " ".join(code(group) if len(group) > 1 else spelled(group) for group in groups)


@rule(rf"{START}[0-9]+(?:/[0-9]+)+{END}")
def slashed(match: re.Match[str]) -> str | None:
    """File numbers, 2024/5571; two short parts are a fraction or a date."""
    groups = match[0].split("/")
    if len(groups) == 2 and max(map(len, groups)) < 4:
        return None
    return " {slash||dash} ".join(map(code, groups))


def letters_of(letters: str) -> str:
    """Letters of a code: spelled, unless they are a known word."""
    known: str | None = _LEXICON["acronym"].get(letters)
    if known is not None:
        return known
    if len(letters) > 3 and not letters.isupper():
        return letters
    spelled_out = " ".join(letters.lower())
    if len(letters) > 3 and re.search("[AEIOU]", letters) and not re.search("[^AEIOUY]{4}", letters):
        return one_of(letters.lower(), spelled_out)
    return spelled_out


@rule(
    r"(?<![\w.,:/$£€'])(?=[0-9A-Za-z-]*[0-9])(?=[0-9A-Za-z-]*[A-Za-z])"
    r"[0-9A-Za-z]+(?:-[0-9A-Z][0-9A-Za-z]*)*('s)?(?![\w'])"
)
def mixed(match: re.Match[str]) -> str | None:
    """Capitals and digits in one token: K7T9QX, HB-20871-C, 4B, I-95, 3M's."""
    said = _mixed(match[0].removesuffix("'s"), text_before(match))
    return said + (match[1] or "") if said and (not match[1] or said[-1].isalpha()) else None


def _mixed(token: str, before: str) -> str | None:
    if re.fullmatch(r"[0-9]+(?:(?i:st|nd|rd|th)|s|[a-z]{2,})", token) or re.search("-[A-Z][a-z]", token):
        return None
    if re.fullmatch("[0-9]+[KMkx]", token):
        said = cardinal(token[:-1])
        if token == "2x":
            return "{two times|two x|twice}"
        other = "{times|x}" if token[-1] == "x" else one_of(_LEXICON["scale"][token[-1]], token[-1].lower())
        return f"{said} {other}" if token[-1] in "x" or len(token) > 2 else f"{said} {token[-1].lower()}"
    if re.fullmatch("Q[1-4]", token):
        return one_of(f"q {cardinal(token[1])}", f"{ordinal(token[1])} quarter", f"the {ordinal(token[1])} quarter")
    if re.fullmatch("[A-Z]2[A-Z]", token):
        return f"{token[0].lower()} {{two|to}} {token[2].lower()}"
    if re.fullmatch("x[0-9]{2,5}", token):
        return f"{{x|extension}} {code(token[1:])}"
    words = []
    for part in re.findall(r"(?<![^-])[a-z]{2,}(?![^-])|[A-Za-z]+|[0-9]+", token):
        if part.isdigit() and re.fullmatch("FY[0-9]{4}", token):
            words.append(one_of(year(part), code(part)))
        elif part.isdigit():
            best = "digits"
            if len(part) < 3 and not part.startswith("0") and not re.search(r"[A-Za-z].*[0-9].*[A-Za-z].*[0-9]", token):
                best = "cardinal"
            if len(part) == 3 and part.endswith("00"):
                best = "cardinal"
            elif re.fullmatch("[A-Z]-?[1-9][1-9]0", token) and not CODE_WORD.search(before):
                best = "pairs"  # an F-150
            words.append(_area(part) if token.startswith("1-") else code(part, best=best))
        elif part.islower() and len(part) > 1 and re.search(rf"(?<![^-]){part}(?![^-])", token):
            words.append(part)  # 9-to-5, top-10
        elif re.fullmatch("[A-Z][a-z]+", part) and token.startswith(f"{part}-"):
            words.append(part)
        elif token.startswith("I-"):
            words.append("{i|interstate}")
        else:
            words.append(letters_of(part))
    return " ".join(words)
