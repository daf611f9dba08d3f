"""Turkish suffixes behind an apostrophe: whether any reading of what they stand on asks for their vowels.

Conventions: the writer's suffix says which reading was meant (`100'e` is yüze, `TL'ye` te leye), so a suffix whose
vowels fit no reading is a slip. Judged are numbers, signs, units and acronyms, whose readings the verbaliser knows
together with those that the row lists, and of these the ones that the lattice has, where it has any; and names that
end in a sounded vowel (Ankara'ya). After a sign a writer may also go by the digit that is seen (€3'lük, read avroluk).
Other names are not judged: the writing does not say how they end in speech (Google'ın), and loanwords take front
suffixes on back vowels (Kemal'e). Neither are consonants, nor robustness rows, which may be wrong on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from bench.fault import Fault
from bench.language import turkish
from bench.language.turkish.normal import lower
from bench.language.turkish.suffix import inflect, template
from bench.lattice import parse, paths, words
from bench.segment import Segment

_SUFFIXED = re.compile(r"(?:(?P<before>\S+) )?(?P<stem>[^\s'’(\"“]+)['’](?P<suffix>[a-zçğıöşü]+)")
_NAME = re.compile(r"[A-ZÇĞİÖŞÜ][a-zçğıöşü]*[aıouiöü]")  # a last e may be silent: Apple, Skype
_FOREIGN = re.compile(r"[qwxQWX]|oo|ee|ou|sh|ph|th|ck")
_SIGN = re.compile(r"[^\w\s]+(?=\d)")
_VOWELS = "aeıioöuü"
_PATHS = 64  # readings of one token that are looked at


def faults(segment: Segment, stated: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """`harmony` and a sentence for every suffix that fits no reading. Nothing for another language."""
    if segment.language.partition("-")[0] != "tr" or stated.get("robustness") is True:
        return
    said = _said(segment)
    for match in _SUFFIXED.finditer(segment.text):
        stem, suffix = match["stem"], match["suffix"]
        if (form := template(suffix)) is None:
            continue
        asked = {reading: _asked(reading, form) for reading in _heard(segment, stated, stem, match["before"])}
        meant = {reading: ends for reading, ends in asked.items() if any(word.startswith(ends[0][0]) for word in said)}
        fits = {end for ends in (meant or asked).values() for _, end in ends}
        if sign := _SIGN.match(stem):
            seen = turkish.normalise(turkish.verbalise(stem[sign.end() :]))
            fits |= {end for _, end in _asked(seen, form)}
        if fits and _sound(suffix) not in map(_sound, fits):
            yield (
                "harmony",
                f"{stem}'{suffix} has a suffix that no reading asks for; after "
                f"{', '.join(map(repr, sorted(meant or asked)))} it is {' or '.join(map(repr, sorted(fits)))}.",
            )


def _said(segment: Segment) -> tuple[str, ...]:
    """All words that the row accepts."""
    try:
        return words(parse(segment.lattice or ""))
    except Fault:
        return ()


def _heard(segment: Segment, stated: Mapping[str, Any], stem: str, before: str | None) -> set[str]:
    """The readings of a stem: none where its sound cannot be told from its letters."""
    if stem.isalpha() and not (stem.isupper() and len(stem) > 1):
        if _NAME.fullmatch(stem) and not _FOREIGN.search(stem) and not segment.pron_hint:
            return {stem}
        if not (before and before[-1].isdigit()):
            return set()  # a name, or a word that is no unit here
        return set(_readings(f"{before} {stem}") - _readings(before))
    listed = {
        reading
        for acronym in stated.get("acronyms") or ()
        if isinstance(acronym, dict) and acronym.get("written") == stem
        for reading in (acronym.get("canonical"), *(acronym.get("alts") or ()))
        if isinstance(reading, str)
    }
    return set(_readings(stem) | listed | (_readings(f"{before} {stem}") if before else set()))


@lru_cache(4096)
def _readings(written: str) -> frozenset[str]:
    """The last two words of every reading: what a suffix stands on, and what tells lira from Türk lirası."""
    heard: set[str] = set()
    for read in islice(paths(parse(turkish.verbalise(written, mode="set"))), _PATHS):
        if read and any(letter in _VOWELS for letter in read[-1]) and not any(map(str.isdigit, read[-1])):
            heard.add(" ".join(read[-2:]))
    return frozenset(heard)


def _asked(reading: str, form: str) -> tuple[tuple[str, str], ...]:
    """The last word and the suffix as this reading asks for it, as a case and as a possessive (%20'si)."""
    both = (inflect(lower(reading), form, possessive=own) for own in (False, True))
    return tuple((stem.rpartition(" ")[2], suffix) for stem, suffix in both)


def _sound(suffix: str) -> str:
    return "".join(letter for letter in suffix if letter in _VOWELS)
