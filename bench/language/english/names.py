"""English abbreviations, titles, streets, acronyms and signs.

Conventions: what depends on case or place (St., Dr., N.) has both readings, the likelier first.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import roman, scan
from bench.language.english.codes import letters_of
from bench.language.english.words import cardinal, ordinal
from bench.language.scan import HELD, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("english")


@rule(rf"(?<![\w.])({keys(_LEXICON['title'])})(?:\.|(?= [A-Z]))(?!\w)")
def title(match: re.Match[str]) -> str:
    return str(_LEXICON["title"][match[1]])


@rule(r"(?<![\w.])Dr\b\.?")
def doctor(match: re.Match[str]) -> str:
    ahead = re.match(r"\s+[A-Z](?!\b\.?(?:\s|$))", text_after(match))
    named = re.search(r"[0-9].*\s[A-Z][\w']+\s+$", text_before(match)[-40:])
    return "{doctor|drive}" if ahead and not named else "{drive|doctor}"


@rule(r"(?<![\w.])St\b\.?(?!\w)")
def saint(match: re.Match[str]) -> str:
    ahead = re.match(r"\s+[A-Z][\w']", text_after(match)) and not re.match(
        r"\s+(?:Unit|Apt|Suite|Ste|[NS][EW]\b)", text_after(match)
    )
    named = re.search(rf"[0-9].*\s[A-Z][\w']+\s+$|{HELD}\s+$", text_before(match)[-40:])
    after_number = re.search(rf"(?:^|\s)(?:[0-9]+|{HELD})\s+$", text_before(match))
    return "{saint|street}" if ahead and (not named or after_number) else "{street|saint}"


@rule(rf"(?<![\w.])({keys(_LEXICON['address'])})(?:\.|(?= [A-Z0-9{HELD[1:]})|(?=,|$))(?!\w)")
def street(match: re.Match[str]) -> str | None:
    return str(_LEXICON["address"][match[1]])


@rule(r"(?<![\w.])P\. ?O\.(?= |$)|(?<!\w)PO(?= Box)")
def post_office(match: re.Match[str]) -> str:  # noqa: ARG001
    return "p o"


@rule(r"(?<![\w.'&])([NS][EW]|[NSEW])(?:\.(?=\s+[A-Z0-9])|\.?(?=,|\s*$)|(?=\s+[A-Z]))")
def direction(match: re.Match[str]) -> str | None:
    on_street = (
        rf"(?:{HELD}|\b[0-9]+|\b(?:Street|Road|Drive|Lane|Avenue|Highway|Dr|St|{keys(_LEXICON['address'])})\.?)\s+$"
    )
    return str(_LEXICON["direction"][match[1]]) if re.search(on_street, text_before(match)) else None


@rule(rf"(?<![\w.])({keys(_LEXICON['region'])})(?=\s+(?:[0-9]{{5}}\b|[A-Z][0-9][A-Z]))")
def region(match: re.Match[str]) -> str:
    return one_of(_LEXICON["region"][match[1]], " ".join(match[1].lower()))


@rule(r"(?<!\w)(Nos?|#)(?:\.\s?|(?<=#)\s?)(?=[0-9])", re.IGNORECASE)
def numero(match: re.Match[str]) -> str:
    if match[1] == "#" and re.search(r"\b(?:dial|press|then)\s+$", text_before(match), re.IGNORECASE):
        return "{pound|hash|number}"
    return "{number|pound|hashtag}" if match[1] == "#" else "numbers" if match[1].lower() == "nos" else "number"


@rule(rf"(?<![\w.])({keys(_LEXICON['abbreviation'])})\.(?!\w)")
def abbreviation(match: re.Match[str]) -> str | None:
    if match[1] == "p" and not re.match(rf"\s*(?:[0-9]|{HELD})", text_after(match)):
        return None
    return str(_LEXICON["abbreviation"][match[1]])


_COUNTED = re.compile(
    "Chapter|Part|Act|War|Type|Phase|Section|Volume|Bowl|Level|Class|Stage|Title|Article|Mark|Scene|Book|Appendix"
)


@rule(rf"\b([A-Z][\w']+) ({roman.PATTERN})(?![\w']|\.\w)")
def numeral(match: re.Match[str]) -> str | None:
    """Henry VIII, Chapter IV. A single letter is a numeral only where things are counted."""
    number, counted = roman.value(match[2]), _COUNTED.fullmatch(match[1])
    if number is None or match[1].isupper() or (len(match[2]) == 1 and not counted):
        return None
    said = [f"the {ordinal(str(number))}", cardinal(str(number))]
    return f"{match[1]} {one_of(*(reversed(said) if counted else said))}"


@rule(r"(?<![\w.])(?:[A-Za-z]\.){2,}(?!\w)")
def dotted(match: re.Match[str]) -> str | None:
    return " ".join(match[0].replace(".", " ").lower().split())


@rule(r"(?<![\w.'])(?:[A-Z]{2,}s?|[A-Z](?:&[A-Z])+|PhDs?|SaaS)(?!\w)")
def acronym(match: re.Match[str]) -> str:
    token = match[0]
    if "&" in token:
        return " and ".join(token.lower().split("&"))
    if token.endswith("s") and token not in _LEXICON["acronym"]:
        return letters_of(token[:-1]) + "s" if "{" not in letters_of(token[:-1]) else letters_of(token[:-1])
    return letters_of(token)


_SIGNS = {
    "&": "and", "+": "plus", "=": "equals", "@": "at", "#": "{pound|hash|number|hashtag}", "*": "{star|asterisk}",
    "°": "degrees", "%": "{percent|per cent}", "×": "{times|by}", "÷": "divided by", "§": "section", "©": "copyright",
    "/": "{divided by|over|slash}", "<": "less than", ">": "greater than",
}  # fmt: skip


@rule(r"(?<!\S)w/o?(?=\s|\w)")
def with_or_without(match: re.Match[str]) -> str:
    return "without" if match[0].endswith("o") else "with"


_NUMBER_BEFORE, _NUMBER_AHEAD = r"(?<=[0-9\U000f0000-\U0010ffff] )", r"(?= [0-9\U000f0000-\U0010ffff])"


@rule(
    rf"[&=@%°×÷§]|{_NUMBER_BEFORE}[/<>]{_NUMBER_AHEAD}|#(?<=\b[A-G]#)(?!\w)|(?<!\w)#(?=[A-Za-z])"
    r"|(?<!\S)\+(?!\w)|(?<=\s)[#*](?=\s|[.,!?]|$)|(?<!\S)\*(?=[0-9\U000f0000-\U0010ffff])"
    r"|(?<=[\w+\U000f0000-\U0010ffff])\+(?!\w)"
)
def sign(match: re.Match[str]) -> str:
    if match[0] == "#" and text_before(match)[-1:].isalpha():
        return "sharp"  # C#
    if match[0] == "#" and text_after(match)[:1].isalpha():
        return "{hashtag|hash|pound|}"
    return _SIGNS[match[0]]


@rule(r"(?<!\w)www(?!\w)")
def www(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{www|w w w}"
