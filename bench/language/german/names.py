"""German abbreviations, acronyms, Roman numerals and signs.

Conventions: an abbreviation that is also a word needs what follows it.
"""

from __future__ import annotations

import re
from typing import Any

from bench.language import roman, scan
from bench.language.german.codes import letters_of
from bench.language.german.times import ending_by_noun, ordinal_ending
from bench.language.german.words import inflected, ordinal, words
from bench.language.scan import HELD, keys, one_of, rule, text_after, text_before

_LEXICON: dict[str, Any] = scan.lexicon("german")


@rule(r"(?<!\w)(\w+)(str|nr|(?<=\w{4})pl)\.(?!\w)")
def compound(match: re.Match[str]) -> str:
    """Hauptstr., Kundennr., Bahnhofspl."""
    return match[1] + {"str": "straße", "nr": "nummer", "pl": "platz"}[match[2]]


_ABBREVIATIONS = {re.sub(r"[. ]", "", key): reading for key, reading in _LEXICON["abbreviation"].items()}
_WRITTEN_ABBREVIATION = "|".join(
    (f"[{key[0]}{key[0].upper()}]" if key[0].islower() else key[0]) + re.escape(key[1:]).replace(r"\.", r"\. ?")
    for key in sorted(_LEXICON["abbreviation"], key=len, reverse=True)
)


# Words of their own at the end of a sentence.
_ALSO_WORDS = frozenset(["So", "Do", "Mi", "Di", "S", "Art", "Mag", "Wo", "Pl", "bes", "gem", "Bd", "tel", "sen"])


_OPENING = re.compile(r"(?:^|[.!?:;(\n])\s*$")


@rule(rf"(?<![\w.])({_WRITTEN_ABBREVIATION})\.(?!\w)")
def abbreviation(match: re.Match[str]) -> str | None:
    key = re.sub(r"[. ]", "", match[1])
    if key not in _ABBREVIATIONS:  # a capital where a sentence opens, and something follows: Ca. 20 Minuten
        if not _OPENING.search(text_before(match)) or not re.match(r"\s*[\w\U000f0000-\U0010ffff]", text_after(match)):
            return None
        key = key[0].lower() + key[1:]
    if key in _ALSO_WORDS and not re.match(r"\s*[\w§\U000f0000-\U0010ffff]|-\w", text_after(match)):
        return None
    if key == "So" and _OPENING.search(text_before(match)) and re.match(r"\s+[A-ZÄÖÜ]", text_after(match)):
        return "{so|sonntag}"
    if key == "Fr" and re.match(r"\s+[A-ZÄÖÜ][a-zäöü]", text_after(match)):
        return "frau"
    return str(_ABBREVIATIONS[key])


@rule(r"(?<![\w.])(Dr|Prof|Hbf|Nr|bzw|usw|ca|inkl|ggf|bspw|evtl|zzgl|bzgl|vsl|Kd|Mio|Mrd|Std|MwSt|Tel|Abs|lt)(?![\w.])")
def bare_abbreviation(match: re.Match[str]) -> str:
    return str(_LEXICON["acronym"].get(match[1]) or _ABBREVIATIONS[match[1]])


_LABELLED = re.compile(r"\b(?:Platz|Gleis|Reihe|Halle|Klasse|Typ|Teil|Block|Buchstabe|Gruppe|Haus|Eingang|Ziffer)\s+$")


_COUNTED = r"(?:Jahrhunderts?|Weltkriegs?|Kapitels?|Internationale|Parteitags?|Legislaturperiode|Republik|Olympiade)"
_NUMBERED = (
    r"(?:Kapitel|Teil|Band|Typ|Klasse|Stufe|Phase|Akt|Abschnitt|Artikel|Hartz|Weltkrieg|Mond|Schedule|Block|Buch)"
)


@rule(rf"\b({_NUMBERED})\s+({roman.PATTERN})(?![\w.-]|'\w)")
def numbered(match: re.Match[str]) -> str | None:
    """Kapitel IV; a lone X or V may be a letter, C or D is one."""
    number = roman.value(match[2])
    if number is None or match[2] in ("C", "D", "L", "M"):
        return None
    letter = [match[2].lower()] if len(match[2]) == 1 else []
    return f"{match[1]} {one_of(words(number)[0], *letter)}"


@rule(rf"(?<![\w.])({roman.PATTERN})\.(?=\s+{_COUNTED}\b)")
def counted(match: re.Match[str]) -> str | None:
    """XIV. Jahrhundert, im II. Weltkrieg."""
    number = roman.value(match[1])
    if number is None:
        return None
    return inflected(str(number), ordinal_ending(text_before(match), ending_by_noun(text_after(match))))


@rule(rf"(?<=[a-zäöüß] )({roman.PATTERN})\.(?=\s|$|,)")
def numeral(match: re.Match[str]) -> str | None:
    """Ludwig XIV., des XX. Parlaments; Platz C. is a letter."""
    number = roman.value(match[1])
    if number is None or match[1] in ("C", "D", "L", "M") or _LABELLED.search(text_before(match)):
        return None
    if re.search(r"\b(?:de[rsmn]|das|die|im|am|vom|zum)\s+$", text_before(match), re.IGNORECASE):
        return inflected(str(number), ordinal_ending(text_before(match)))
    cases = [("der", "e"), ("des", "en"), ("dem", "en"), ("den", "en"), ("die", "e"), ("der", "en")]
    if re.search(rf"(?:a|{'|'.join(_LEXICON['queen'])})\s+$", text_before(match)):
        cases.insert(0, ("die", "e"))
    return one_of(*(f"{article} {ordinal(str(number), ending)}" for article, ending in cases))


@rule(r"(?<![\w.])([^\W\d_])\.(?: ?([^\W\d_])\.)+(?!\w)")
def dotted(match: re.Match[str]) -> str:
    return " ".join(match[0].replace(".", " ").lower().split())


@rule(rf"(?<!\w)({keys(_LEXICON['acronym'])}|[A-ZÄÖÜ]{{2,}}s?)(?!\w)")
def acronym(match: re.Match[str]) -> str:
    token = match[1]
    if token.endswith("s") and token not in _LEXICON["acronym"] and len(token) > 2 and token[:-1].isupper():
        return f"{scan.first(letters_of(token[:-1]))}s"
    return letters_of(token)


_SIGNS = {
    "§": "{paragraf|paragraph}", "&": "und", "+": "plus", "=": "{gleich|ist gleich|ist}", "@": "{at|ät}",
    "*": "{stern|sternchen|sterntaste|die sterntaste|der sterntaste|den stern}",
    "#": "{raute|der raute|der rautetaste|rautetaste|die raute|die rautetaste|hashtag}", "°": "grad", "%": "prozent",
    "×": "mal", "±": "plus minus", "÷": "geteilt durch", "<": "kleiner als", ">": "größer als",
    ":": "{geteilt durch|zu}", "€": "euro", "→": "",
}  # fmt: skip


_NUMBER_BEFORE, _NUMBER_AHEAD = r"(?<=[0-9\U000f0000-\U0010ffff] )", r"(?= [0-9\U000f0000-\U0010ffff])"


@rule(
    rf"§§?|[&=@%°×÷€±]|{_NUMBER_BEFORE}[<>:]{_NUMBER_AHEAD}|(?<!\w)#(?=[^\W\d_])"
    r"|(?<=[0-9\U000f0000-\U0010ffff])#(?!\w)|(?<!\S)\+(?!\w)|(?<=[\w+])\+(?!\w)|(?<=\s)[#*](?=\s|[.,!?-]|$)"
    r"|(?<!\S)[*#](?=[0-9\U000f0000-\U0010ffff])"
)
def sign(match: re.Match[str]) -> str:
    if match[0] == "#" and text_after(match)[:1].isalpha():
        return "{hashtag|raute|}"
    if (
        match[0] == "#"
        and re.search(r"[a-zäöüß] $", text_before(match))
        and re.match(rf"{HELD}(?!#)", text_after(match))
    ):
        return "{nummer|raute|hashtag|}"  # Ticket #4711
    if match[0] == "+" and re.match(r"\s\D", text_after(match)) and text_before(match)[-2:-1].isalpha():
        return "{plus|und}"  # Obst + Gemüse
    return "{paragrafen|paragraphen}" if match[0] == "§§" else _SIGNS[match[0]]


_BOUNDS = {
    ">": "{mehr als|größer als|über}", "<": "{weniger als|kleiner als|unter}", "≥": "{mindestens|größer gleich}",
    "≤": "{höchstens|kleiner gleich}", "~": "{circa|zirka|ungefähr|etwa|rund}", "≈": "{circa|zirka|ungefähr|etwa|rund}",
}  # fmt: skip


@rule(r"(?<![^\s(])([<>≥≤~≈]) ?(?=[0-9\U000f0000-\U0010ffff])")
def bound(match: re.Match[str]) -> str:
    """>100 Gäste, ~50"""
    return _BOUNDS[match[1]]


@rule(r"(?<=[0-9\U000f0000-\U0010ffff]) ?x ?(?=[0-9\U000f0000-\U0010ffff])")
def multiplied(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{mal|x}"


@rule(r"(?<!\w)www(?!\w)")
def www(match: re.Match[str]) -> str:  # noqa: ARG001
    return "{www|w w w}"
