"""The Turkish verbaliser: what was written becomes what is read aloud.

Conventions: `verbalise` sees a transcript as it came, before anything is lowered, and nothing else: no reference, no
locale, no model. One pass from left to right; at each place that could open a span the rules are tried in the fixed
order below and the first that reads it wins. What no rule reads stays as it is and counts as an error. In mode "best"
every span has the first of its readings; mode "set" gives the lattice of all readings of the same characters, its
words normalised.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from . import amount, clock, identifier, word
from .lexicon import BARE_UNITS, SHORT_DAYS
from .normal import APOSTROPHES, compose, normalise, plain
from .rule import CAPITAL, LETTER, LISTED, SMALL, Rule, any_of
from .suffix import attach

MODES = ("best", "set")

NUMBER_RULES: tuple[Rule, ...] = (
    clock.date,
    clock.short_date,
    clock.iso_date,
    clock.time_range,
    clock.elapsed,
    clock.time,
    clock.day_month,
    clock.month_year,
    clock.short_month,
    identifier.telephone_abroad,
    identifier.telephone,
    identifier.telephone_service,
    identifier.telephone_444,
    identifier.telephone_local,
    identifier.hexadecimal,
    amount.money,
    amount.percent_after,
    amount.mixed_fraction,
    amount.mixed_vulgar,
    amount.fraction,
    identifier.door_letter,
    amount.ratio,
    amount.measure,
    amount.ampere,
    amount.product,
    amount.ordinal_suffixed,
    amount.ordinal_span,
    amount.ordinal_dotted,
    amount.ordinal_worded,
    amount.version,
    amount.generation,
    identifier.fours,
    identifier.one_time_code,
    identifier.code_groups,
    amount.span,
    identifier.plate,
    identifier.letters_and_digits,
    amount.enumerator,
    identifier.code_number,
    amount.plain,
    amount.glued,
    identifier.small_letter,
    amount.leftover,
)
CAPITAL_RULES: tuple[Rule, ...] = (
    identifier.iban,
    amount.money_after_code,
    amount.version_lettered,
    word.roman_ordinal,
    word.roman_cardinal,
    identifier.door,
    identifier.telephone_word,
    identifier.docket,
    identifier.flat,
    clock.weekday,
    word.undotted_title,
    identifier.letters_and_digits,
    identifier.letters_before_digits,
    identifier.spelled_out,
    word.dotted,
    word.bare_unit,
    word.acronym,
    word.acronym_inflected,
    word.letter_inflected,
    word.times,
    word.letter,
)
SMALL_RULES: tuple[Rule, ...] = (
    identifier.iban,
    identifier.door,
    identifier.number_of,
    word.bare_unit,
    word.undotted,
    word.times,
    word.foreign_letter,
    word.small_letter,
    amount.version_lettered,
)
SIGN_RULES: tuple[Rule, ...] = (
    word.hashtag,
    identifier.telephone_abroad,
    amount.money_after_sign,
    amount.percent,
    amount.vulgar,
    word.minus,
    word.divided,
    word.sign,
)

_SIGNS = re.escape("%‰₺€$£¥#*+=&^~≈±×÷§@<>≥≤°√²³½¼¾⅓⅔⅕⅛")
_BARE = any_of(BARE_UNITS)
_DAY = rf"(?:{any_of(SHORT_DAYS)})(?=\.|[ ]?[-–])|Pzt|Pts|Cmt|Cts"
_SHORT = rf"Tel(?=[ ]?:)|(?:Dr|Prof|Doç|Uzm|Ltd|Mah|Cad|Apt)(?=[ ])|Şti|{_DAY}"
# Where a span may open. The scanner jumps from one to the next; most words hold none. Every alternative begins with
# its first character and ends with the group that names it: so the engine sees at once which cannot begin here.
_TRIGGER = re.compile(
    rf"[0-9](?P<digit>)|[{_SIGNS}](?P<sign>)|\.(?<=[{LETTER}]\.)(?P<dot>)"
    rf"|-(?=[0-9%₺€$£])(?P<minus>)|/(?<=[0-9][ ]/)(?=[ ][0-9])(?P<slash>)"
    rf"|(?=[{LETTER}])(?<!\w)(?:(?=[{CAPITAL}])(?<!\w')"
    rf"(?:[{CAPITAL}](?=[{CAPITAL}0-9.:'-]|\W|$)|N[ou](?=[ ]?[.:]|[ ][0-9])|[MG](?=bps|Hz)"
    rf"|(?=[{CAPITAL}][{SMALL}]{{1,3}}(?!\w))(?:{_SHORT}))(?P<capital>)"
    rf"|(?=[{LETTER}]{{1,4}}+(?![{LETTER}]))(?<!\w')(?:[xqw](?![{LETTER}])|v(?=[0-9])"
    rf"|[{SMALL}](?='|\)|[ ]?[=+]|{LISTED})"
    rf"|(?=\w{{1,4}}(?!\w))(?:{_BARE}|vb|vs|vd|yy|[bB]kz|[öÖ]rn)(?!\w)|no(?=[ ]?[.:]|[ ][0-9A-Z])|tr(?=[ ]?[0-9]))"
    r"(?P<small>))"
)
_WEB_HINT = re.compile(r"@|\w\.[A-Za-z]{2}")
_EMPHASIS = re.compile(r"(\*\*|__|```|``|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
# `# tuşuna basın` opens with a key of the telephone, not with a heading.
_BULLET = re.compile(r"(?m)^[ \t]*(?:[-*•]|#{1,6})[ \t]+(?=\S)(?!(?:tuş|işaret|(?:ve|veya|ya da|ile)\b))")
_NUMBERED = re.compile(r"\b([Nn])o\.l([ıu])\b")  # 5 No.lu
_YEAR = re.compile(r"(?<!\w)'([0-9]{2})(?=[ ])")
_TYPOGRAPHIC = re.compile(f"[{APOSTROPHES[1:]}\u2212\u2010\u2011]")
_CURLY = str.maketrans(dict.fromkeys(APOSTROPHES, "'") | {"\u2212": "-", "\u2010": "-", "\u2011": "-"})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the prepared text that a rule reads: where it lies, which rule, and the readings in order."""

    start: int
    end: int
    rule: str
    readings: tuple[str, ...]


def prepare(text: str) -> str:
    """Composed, apostrophes and hyphens made plain, silent markup dropped."""
    if not plain(text):
        text = compose(text)
    if "*" in text or "`" in text or "__" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if "\n" in text or text[:1] in " \t-*•#":
        text = _BULLET.sub("", text)
    if _TYPOGRAPHIC.search(text):
        text = text.translate(_CURLY)
    if "o.l" in text:
        text = _NUMBERED.sub(r"\1ol\2", text)
    return _YEAR.sub(r"\1", text) if "'" in text else text


def scan(text: str) -> list[Span]:
    """The spans of a prepared text, left to right and without overlap."""
    spans: list[Span] = []
    start = 0
    for match in word.WEB.finditer(text) if _WEB_HINT.search(text) else ():
        _scan(text, start, match.start(), spans)
        spans.append(Span(match.start(), match.end(), "web", tuple(word.web(match))))
        start = match.end()
    _scan(text, start, len(text), spans)
    return spans


_RULES = {"digit": NUMBER_RULES, "capital": CAPITAL_RULES, "small": SMALL_RULES}
_RULES |= dict.fromkeys(("sign", "minus", "slash"), SIGN_RULES)
_INSIDE = re.compile(r"[\w.,']")
_LETTERS = re.compile(rf"[{LETTER}]+")
_NUMBER_AHEAD = re.compile("[ ]?[0-9]")
_AFTER_DOT = re.compile(rf"\.(?:'([{LETTER}]+)(?!\w))?")


def _scan(text: str, start: int, stop: int, spans: list[Span]) -> None:
    at = start
    while found := _TRIGGER.search(text, at, stop):
        at, kind = found.start(), found.lastgroup or ""
        span = _abbreviation(text, start, at, stop) if kind == "dot" else _read(text, at, stop, kind)
        if span is not None:
            spans.append(span)
            start = at = span.end
        elif kind == "capital" and (letters := _LETTERS.match(text, at)):
            at = letters.end()
        else:
            at += 1


def _read(text: str, at: int, stop: int, kind: str) -> Span | None:
    rules = _RULES[kind]
    if kind == "digit" and at and _INSIDE.match(text, at - 1):
        rules = (amount.leftover,)
    for rule in rules:
        match = rule.pattern.match(text, at, stop)
        if match:
            readings = rule.read(match)
            if readings:
                return Span(at, match.end(), rule.name, tuple(readings))
    return None


def _abbreviation(text: str, start: int, dot: int, stop: int) -> Span | None:
    """The word before a dot, where it is an abbreviation."""
    first = dot
    while first > start and text[first - 1].isalpha():
        first -= 1
    if first > start and (text[first - 1].isalnum() or text[first - 1] in "._'"):
        return None
    numbers = _NUMBER_AHEAD.match(text, dot + 1, stop) is not None
    readings = word.abbreviation(text[first:dot], starts=dot + 1 < stop, numbers=numbers)
    if readings is None or (match := _AFTER_DOT.match(text, dot, stop)) is None:
        return None
    return Span(first, match.end(), "abbreviation", tuple(attach(readings, match[1])))


def verbalise(text: str, mode: str = "best") -> str:
    """What a transcript says, in words. `mode` is "best" (one reading a span) or "set" (a lattice `a {b|c} d` of all
    readings, normalised). Never raises on any text; raises ValueError for another mode."""
    if mode not in MODES:
        raise ValueError(f"The mode of the verbaliser is {' or '.join(MODES)}, not {mode!r}.")
    text = prepare(text)
    pieces: list[str] = []
    at = 0
    for span in scan(text):
        if mode == "best":
            pieces += (text[at : span.start], span.readings[0])
        else:
            options = dict.fromkeys(normalise(reading) for reading in span.readings)
            pieces += (
                normalise(text[at : span.start]),
                "{" + "|".join(options) + "}" if len(options) > 1 else "".join(options),
            )
        at = span.end
    pieces.append(text[at:] if mode == "best" else normalise(text[at:]))
    return " ".join(" ".join(pieces).split())


def flags(text: str) -> tuple[str, ...]:
    """What a reader of a score should know about a transcript: "grouping" (a number such as 1,250, a decimal here, may
    be 1250 elsewhere), "unread" (digits or currency signs that no rule reads stay in it)."""
    prepared = prepare(text)
    spans = scan(prepared)
    edges = [0, *(edge for span in spans for edge in (span.start, span.end)), len(prepared)]
    rest = "".join(prepared[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    found = {
        "grouping": any(_GROUPING.search(prepared, span.start, span.end) for span in spans),
        "unread": any(unicodedata.category(character) in ("Nd", "Nl", "No", "Sc") for character in rest),
    }
    return tuple(name for name, holds in found.items() if holds)


_GROUPING = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2},[0-9]{3}(?![0-9.,])")
