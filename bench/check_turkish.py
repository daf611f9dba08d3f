"""Turkish suffixes behind an apostrophe: whether any reading of what they stand on asks for their vowels.

Conventions: the writer's suffix says which reading was meant (`100'e` is yüze, `TL'ye` te leye), so a suffix whose
vowels fit no reading is a slip. Judged are numbers, signs, units and acronyms, whose readings the verbaliser knows
together with those that the row lists; and names that end in a sounded vowel (Ankara'ya). Other names are not: the
writing does not say how they end in speech (Google'ın), and loanwords take front suffixes on back vowels
(Kemal'e). Consonants are not judged, and neither are robustness rows, which may be wrong on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from bench.lattice import parse, paths
from bench.segment import Segment

_SUFFIXED = re.compile(r"(?:(?P<before>\S+) )?(?P<stem>[^\s'’(\"“]+)['’](?P<suffix>[a-zçğıöşü]+)")
_NAME = re.compile(r"[A-ZÇĞİÖŞÜ][a-zçğıöşü]*[aıouiöü]")  # a last e may be silent: Apple, Skype
_FOREIGN = re.compile(r"[qwxQWX]|oo|ee|ou|sh|ph|th|ck")
_VOWELS = "aeıioöuü"
_PATHS = 64  # readings of one token that are looked at


def faults(segment: Segment, stated: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """`harmony` and a sentence for every suffix that fits no reading. Nothing for another language."""
    if segment.language.partition("-")[0] != "tr" or stated.get("robustness") is True:
        return
    for match in _SUFFIXED.finditer(segment.text):
        stem, suffix = match["stem"], match["suffix"]
        heard = _heard(segment, stated, stem, match["before"])
        asked = {form for reading in heard if (form := _suffix(reading, suffix))}
        if asked and not any(_sound(form) == _sound(suffix) for form in asked):
            yield (
                "harmony",
                f"{stem}'{suffix} has a suffix that no reading asks for; after "
                f"{', '.join(map(repr, sorted(heard)))} it is {' or '.join(map(repr, sorted(asked)))}.",
            )


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
    from bench.language import turkish

    heard: set[str] = set()
    for place, words in enumerate(paths(parse(turkish.verbalise(written, mode="set")))):
        if place == _PATHS:
            break
        if words and any(letter in _VOWELS for letter in words[-1]) and not any(map(str.isdigit, words[-1])):
            heard.add(" ".join(words[-2:]))  # what the suffix stands on; a second word tells lira from Türk lirası
    return frozenset(heard)


def _suffix(reading: str, written: str) -> str | None:
    """The written suffix as this reading asks for it; None where the suffix is not known."""
    from bench.language.turkish.normal import lower
    from bench.language.turkish.suffix import inflect, template

    form = template(written)
    if form is None or not reading:
        return None
    as_case, as_possessive = (inflect(lower(reading), form, possessive=own)[1] for own in (False, True))
    return as_possessive if _sound(as_possessive) == _sound(written) else as_case


def _sound(suffix: str) -> str:
    return "".join(letter for letter in suffix if letter in _VOWELS)
