"""German: written text to words.

Conventions: `normalise` folds casing, punctuation and typographic variants, and what is the same word in German:
ß and ss, zwo and zwei, number compounds joined or split (compounds are joined, the way they are written), an
apostrophe inside a word, and ue for ü where no other word is spelled so. It never makes one number into another:
digits read one by one stay apart. `verbalise` reads numbers, signs and abbreviations as words; where the written form
does not say case or gender (3. Stock, 1 Tag), all forms are readings in mode "set" and the context chooses the first.
"""

from __future__ import annotations

import re

from bench.language import scan
from bench.language.german.rules import RULES

VERSION = "1.2.0"

# Kept: a letter with its marks and the signs that change a number; group 2 vanishes, group 1 parts words.
_KEPT_OR_PUNCTUATION = re.compile(
    r"[^\W_][\u0300-\u036f]+|(?<=[0-9])[.,:/](?=[0-9])|(?<!\w)[-+.](?=[0-9])|[$¢-¥₠-₿%‰°]"
    r"|(?:(?<=[^\W_])(')(?=[^\W_])|([^\w\s]|_))"
)
_UMLAUTS: dict[str, str] = scan.lexicon("german")["umlaut"]
_UMLAUT = re.compile(rf"\b(?:{'|'.join(_UMLAUTS)})\b")
_ZWO = re.compile(r"\bzwo(?=$| |und|hundert|tausend|te|mal)|(?<=hundert)zwo\b|(?<=tausend)zwo\b")

_UNIT = "(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)"
_TEEN = "(?:zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn)"
_TENS = "(?:zwanzig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)"
_COMPOUND = f"(?:{_UNIT} ?und ?{_TENS}|{_TENS}|{_TEEN})"
_BELOW_HUNDRED = f"(?:{_COMPOUND}|eins|{_UNIT})"
_HUNDRED = f"(?:(?:(?!zehn){_TEEN}|{_UNIT}) ?)?hundert(?: ?(?:und ?)?{_BELOW_HUNDRED}(?![a-zäöü]*hundert| ?hundert))?"
_NUMERAL = re.compile(
    rf"(?<!\w)(?:(?:(?:{_HUNDRED}|{_BELOW_HUNDRED}) ?)?tausend(?: ?(?:und ?)?(?:{_HUNDRED}|{_BELOW_HUNDRED}))?"
    rf"|{_HUNDRED}|{_COMPOUND}|zwanzig (?:{_COMPOUND}))(?:s?t(?:e[nmrs]?)?)?(?!\w)"
)
_DIGIT_BEFORE = re.compile(r"(?:null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun) $")
_DIGIT_AFTER = re.compile(r" (?:null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun)\b(?! ?(?:hundert|tausend|und))")


def normalise(text: str) -> str:
    """Lower-case words parted by single spaces. Idempotent; total on any text."""
    text = scan.plain(scan.plain(text).lower()).replace("ß", "ss")
    text = _KEPT_OR_PUNCTUATION.sub(lambda match: "" if match[1] else " " if match[2] else match[0], text)
    text = _UMLAUT.sub(lambda match: _UMLAUTS[match[0]], " ".join(text.split()))
    return _NUMERAL.sub(_join, _ZWO.sub("zwei", text))


def verbalise(text: str, mode: str = "best") -> str:
    """Numbers, signs and abbreviations of a transcript as words.

    `best` gives one reading; `set` a lattice `a {b|c} d` of all readings of the same written characters, its words
    normalised, the best one first. Raises ValueError for another mode.
    """
    if mode not in ("best", "set"):
        raise ValueError(f"The mode is {mode!r}; expected is 'best' or 'set'.")
    text = scan.plain(text)
    if scan.is_shouted(text):
        text = text.lower()
    pieces = scan.read(text, RULES)
    return scan.best(pieces) if mode == "best" else scan.lattice(pieces, normalise)


def signature() -> str:
    """The rule in the signature of every number: its name and version, and the sha256 of the lexicon."""
    return f"de_norm:{VERSION}|lexicon:{scan.digest('german')}"


def _join(match: re.Match[str]) -> str:
    """One compound, unless its ends belong to digits that are read one by one."""
    said = match[0]
    head, tail = "", ""
    if _DIGIT_BEFORE.search(match.string[: match.start()]) and (alone := re.match(rf"{_UNIT} (?=hundert)", said)):
        head, said = alone[0], said[alone.end() :]
    if _DIGIT_AFTER.match(match.string, match.end()) and (alone := re.search(rf" (?:eins|{_UNIT})$", said)):
        said, tail = said[: alone.start()], alone[0]
    return head + said.replace(" ", "") + tail
