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


@rule(
    r"(?<![\w.'&])([NS][EW]|[NSEW])(?:\.(?=\s+[A-Z0-9])|\.?(?=,|\s*$)|(?=\s+[A-Z])|(?<=[A-Z]{2})(?=\s+[0-9]+(?:st|nd|rd|th)\b))"
)
def direction(match: re.Match[str]) -> str | None:
    on_street = (
        rf"(?:{HELD}|\b[0-9]+|\b(?:Street|Road|Drive|Lane|Avenue|Highway|Dr|St|{keys(_LEXICON['address'])})\.?)\s+$"
    )
    before_ordinal = len(match[1]) == 2 and re.match(r"\.?\s+[0-9]+(?:st|nd|rd|th)\s+[A-Z]", text_after(match))
    if not re.search(on_street, text_before(match)) and not before_ordinal:
        return None
    if re.search(rf"(?:[0-9]|{HELD})\s+$", text_before(match)) and not re.match(r"\.?\s+\S", text_after(match)):
        return None  # 1500 W
    name = str(_LEXICON["direction"][match[1]])
    return one_of(name, " ".join(match[1].lower())) if len(match[1]) == 2 else name


@rule(
    rf"(?<![\w.])({keys(_LEXICON['region'])})(?=\s+(?:[0-9]{{5}}\b|[A-Z][0-9][A-Z]))"
    rf"|(?<=[a-z], )(?!OK|OR|IN|ME|HI|OH|ID|PA)({keys(_LEXICON['region'])})(?=[.,;?!]*(?:\s|$))"
)
def region(match: re.Match[str]) -> str:
    """Two letters before a postal code, or after a town: Boston, MA."""
    letters = match[1] or match[2]
    return one_of(_LEXICON["region"][letters], " ".join(letters.lower()))


@rule(rf"(?<!\w)(Nos?|#)(?:\.\s?|(?<=#):?\s?)(?=[0-9]|{HELD}|(?-i:[A-Z]+-?[0-9]))", re.IGNORECASE)
def numero(match: re.Match[str]) -> str:
    if match[1] == "#" and re.search(r"\b(?:dial|press|then)\s+$", text_before(match), re.IGNORECASE):
        return "{pound|hash|number}"
    return "{number|pound|hashtag|}" if match[1] == "#" else "numbers" if match[1].lower() == "nos" else "number"


@rule(rf"(?<![\w.])({keys(_LEXICON['abbreviation'])})\.(?!\w)")
def abbreviation(match: re.Match[str]) -> str | None:
    if match[1] == "p" and not re.match(rf"\s*(?:[0-9]|{HELD})", text_after(match)):
        return None
    return str(_LEXICON["abbreviation"][match[1]])


_COUNTED = re.compile(
    "Chapter|Part|Act|War|Type|Phase|Section|Volume|Bowl|Level|Class|Stage|Title|Article|Mark|Scene|Book|Appendix"
)


_RULER = re.compile(r"\b(?:King|Queen|Pope|Emperor|Empress|Tsar)\s+$")


@rule(rf"\b([A-Z][\w']+) ({roman.PATTERN})('s)?(?![\w']|\.\w)")
def numeral(match: re.Match[str]) -> str | None:
    """Henry VIII, Chapter IV. A single letter is a numeral only where things are counted."""
    number, counted = roman.value(match[2]), _COUNTED.fullmatch(match[1])
    reigned = match[2] in "VXI" and match[1] in _LEXICON["monarch"]
    if number is None or match[1].isupper() or (len(match[2]) == 1 and not (counted or reigned)):
        return None
    ends = match[3] or re.match(r"\s*(?:[.,;:!?)]|$)", text_after(match))
    if match[2] == "I" and not counted and not ends and not _RULER.search(text_before(match)):
        return None  # So did James I think
    said = [f"the {ordinal(str(number))}", cardinal(str(number))]
    return f"{match[1]} " + one_of(*(f"{way}{match[3] or ''}" for way in (reversed(said) if counted else said)))


@rule(r"(?<![\w.])((?:[A-Za-z]\.){2,})('s)?(?!\w)")
def dotted(match: re.Match[str]) -> str | None:
    return " ".join(match[1].replace(".", " ").lower().split()) + (match[2] or "")


@rule(r"(?<![\w.'])([A-Z]{2,}s?|[A-Z](?:&[A-Z])+|PhDs?|SaaS|iOS|Ok)('s)?(?!\w)")
def acronym(match: re.Match[str]) -> str:
    """FBI, ATMs, AT&T, the FBI's"""
    token = match[1]
    if "&" in token:
        said = " and ".join(" ".join(side) for side in token.lower().split("&"))
    elif token.endswith("s") and token not in _LEXICON["acronym"]:
        plain = letters_of(token[:-1])
        said = one_of(f"{plain}s", f"{plain}'s") if "{" not in plain else plain
    else:
        said = letters_of(token)
    return re.sub(r"(?=[|}]|$)(?<=\w)", "'s", said) if match[2] else said


_SIGNS = {
    "&": "and", "+": "plus", "=": "{equals|is}", "@": "at", "#": "{pound|hash|number|hashtag}", "*": "{star|asterisk}",
    "°": "degrees", "%": "{percent|per cent}", "×": "{times|by}", "÷": "divided by", "§": "section", "©": "copyright",
    "x": "{by|times}", "/": "{divided by|over|slash}", "<": "less than", ">": "greater than",
}  # fmt: skip


@rule(r"(?<!\S)w/o?(?=\s|\w)")
def with_or_without(match: re.Match[str]) -> str:
    return "without" if match[0].endswith("o") else "with"


_NUMBER_BEFORE, _NUMBER_AHEAD = r"(?<=[0-9\U000f0000-\U0010ffff] )", r"(?= [0-9\U000f0000-\U0010ffff])"


@rule(
    rf"[&=@%°×÷§]|{_NUMBER_BEFORE}[/<>]{_NUMBER_AHEAD}|#(?<=\b[A-G]#)(?!\w)|(?<!\w)#(?=[A-Za-z])"
    r"|(?<!\S)\+(?!\w)|(?<=\s)[#*](?=\s|[.,!?]|$)|(?<!\S)\*(?=[0-9\U000f0000-\U0010ffff])"
    r"|(?<=[\w+\U000f0000-\U0010ffff])\+(?!\w)|(?<=[0-9\U000f0000-\U0010ffff])#(?!\w)"
    rf"|{_NUMBER_BEFORE}x{_NUMBER_AHEAD}"
)
def sign(match: re.Match[str]) -> str:
    if match[0] == "#" and text_before(match)[-1:].isalpha():
        return "sharp"  # C#
    if match[0] == "#" and text_after(match)[:1].isalpha():
        return "{hashtag|hash|pound|}"
    return _SIGNS[match[0]]


_BOUNDS = {
    ">": "{greater than|more than|over}", "<": "{less than|under}", "≥": "{at least|greater than or equal to}",
    "≤": "{at most|less than or equal to}", "~": "{about|approximately|around}", "≈": "{about|approximately|around}",
    "±": "{plus or minus|plus minus}",
}  # fmt: skip


@rule(r"(?<![^\s(])([<>≥≤~≈±]) ?(?=[0-9\U000f0000-\U0010ffff])")
def bound(match: re.Match[str]) -> str:
    """> 5, ~50, ± 2"""
    return _BOUNDS[match[1]]


@rule(r"(?<!\w)www(?!\w)")
def www(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{www|w w w}"
