"""What is wrong with the readings of one segment, and with what a row states about them.

Conventions: `faults` yields a rule's name and a sentence; `bench.check` has the rules. `stated` is the row as it
stands in the file. A field that a row does not have is not a fault here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from bench import length, normaliser
from bench.fault import Fault
from bench.lattice import Lattice, canonical, count, parse, words
from bench.segment import SPAN_TYPES, Segment

MOST_PATHS = 256
_DIGITS = re.compile(r"\d+")

Found = Iterator[tuple[str, str]]


def faults(segment: Segment, stated: Mapping[str, Any]) -> Found:
    """Rule and sentence of every fault in the readings, counts and flags of a segment."""
    lattice: Lattice | None = None
    if segment.lattice is not None:
        try:
            lattice = parse(segment.lattice)
        except Fault as fault:
            yield "lattice", f"The lattice cannot be read. {fault}"
    yield from _digits(segment, lattice)
    if lattice is not None:
        yield from _canonical(segment, lattice, stated)
        if (paths := count(lattice)) > MOST_PATHS:
            yield "paths", f"The lattice has {paths} paths; expected at most {MOST_PATHS}."
    for span in segment.spans:
        if segment.spoken is not None and span.text not in segment.spoken:
            yield "spoken-span", f"The span {span.text!r} does not occur in the spoken form."
        if span.type not in SPAN_TYPES:
            yield "span-type", f"The span {span.text!r} has the type {span.type!r}; known are {', '.join(SPAN_TYPES)}."
    if lattice is not None or segment.lattice is None:
        yield from _counts(segment, lattice, stated)
    yield from _headline(stated)


def _digits(segment: Segment, lattice: Lattice | None) -> Found:
    places = {
        "the spoken form": segment.spoken or "",
        "the lattice": " ".join(words(lattice)) if lattice else "",
        "a span": " ".join(f"{span.text} {' '.join(span.alternatives)}" for span in segment.spans),
    }
    found = [f"{place} has {digits[0]!r}" for place, text in places.items() if (digits := _DIGITS.findall(text))]
    if found:
        yield "spoken-digit", f"Readings are written out in words, but {', '.join(found)}."


def _canonical(segment: Segment, lattice: Lattice, stated: Mapping[str, Any]) -> Found:
    path = " ".join(canonical(lattice))
    fold = _rule(segment.language)
    if segment.spoken is not None and fold(path) != (spoken := fold(segment.spoken)):
        yield "canonical", f"The canonical path is {path!r}; the spoken form reads {spoken!r}."
    linear = stated.get("ref_canonical")
    if linear is not None and (not isinstance(linear, str) or fold(linear) != fold(path)):
        yield "canonical", f"ref_canonical is {linear!r}; the canonical path is {path!r}."


def _rule(language: str) -> Any:
    """The language's own folding; where there is none, case and punctuation alone."""
    try:
        return import_module(normaliser.module(language)).normalise
    except Fault:
        return lambda text: " ".join(re.findall(r"\w+", text.casefold()))


def _counts(segment: Segment, lattice: Lattice | None, stated: Mapping[str, Any]) -> Found:
    spoken = length.words(segment)
    facts = {
        "n_words": (spoken, "words of the canonical reading" if segment.spoken else "words of the text"),
        "n_chars": (len(segment.text), "characters of the text"),
        "n_paths": (count(lattice) if lattice is not None else None, "paths of the lattice"),
    }
    for name, (fact, what) in facts.items():
        value = stated.get(name)
        if value is not None and fact is not None and (isinstance(value, bool) or value != fact):
            yield "count", f"{name} is {value!r}; the {what} are {fact}."
    if (stated_bucket := stated.get("length_bucket")) is not None and stated_bucket != length.bucket(spoken):
        yield "bucket", f"length_bucket is {stated_bucket!r}; {spoken} spoken words are {length.bucket(spoken)!r}."


def _headline(stated: Mapping[str, Any]) -> Found:
    """The card's rule; in the German layout a row of a locality is never a headline row either."""
    causes = ("difficulty", "wer_visible", "robustness")
    if stated.get("headline") is None or all(stated.get(cause) is None for cause in causes):
        return
    difficulty, visible, robustness = (stated.get(cause) for cause in causes)
    expected = difficulty != "D4" and visible != "N" and not robustness and stated.get("locality") is None
    if robustness not in (None, True, False):
        yield "headline", f"robustness is {robustness!r}; expected true or false."
    elif stated["headline"] is not expected:
        yield (
            "headline",
            f"headline is {stated['headline']!r}; difficulty {difficulty}, wer_visible {visible}, robustness "
            f"{robustness} and locality {stated.get('locality')} make it {str(expected).lower()}.",
        )
