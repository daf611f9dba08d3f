"""Turkish suffixes: a written one becomes a template, and is inflected again on every reading of what it stands on.

Conventions: a template is a string in which A is a/e, I is ı/i/u/ü, D is t/d and C is ç/c by the harmony and the
voicing of what precedes, and every other letter stands for itself; a buffer in brackets leads: (y) (n) (s) (ş) are
spoken after a vowel, (I) after a consonant. `4'de` and `4'te` have one template, so both give dörtte; `4'ten` has
another. (G. Lewis, Turkish Grammar, 2nd ed., chapters 1-3, for the alternations.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from .normal import lower

VOWELS = "aeıioöuü"
_FRONT, _ROUND, _VOICELESS = "eiöü", "oöuü", "çfhkpsşt"
_ARCHIPHONEME = str.maketrans("aeıiuüdtcç", "AAIIIIDDCC")

# Written suffix, as archiphonemes, against the head of its template; group 1 is what follows the head.
_TEMPLATES = tuple(
    (re.compile(pattern), head)
    for pattern, head in (
        (r"I?nCI(.*)", "(I)ncI"),
        (r"ş?Ar", "(ş)Ar"),
        (r"y?A", "(y)A"),
        (r"y?I", "(y)I"),
        (r"n?In", "(n)In"),
        (r"DA((?:n|kI.*)?)", "DA"),
        (r"y?lA", "(y)lA"),
        (r"lAr(.*)", "lAr"),
        (r"lI(k.*|ğ.*)", "lI"),
        (r"lI(.*)", "lI"),
        (r"sI(z.*|nIz|n)", "sI"),
        (r"s?I(n(?:In?|A|DAn?|DAkI.*|CA|lA))", "(s)I"),
        (r"sI(.*)", "(s)I"),
        (r"I?([mn]Iz.*)", "(I)"),
        (r"I?(m(?:[AI]n?|DAn?|In)?)", "(I)"),
        (r"y(I[mz])", "(y)"),
        (r"I(z)", "(y)I"),
        (r"CA", "CA"),
        (r"CI(.*)", "CI"),
        (r"DIr(.*)", "DIr"),
        (r"y?kAn", "(y)ken"),
        (r"y?DI(.*)", "(y)DI"),
        (r"y?sA(.*)", "(y)sA"),
        (r"y?mIş(.*)", "(y)mIş"),
    )
)

_SOFTENED = {"dört": "dörd", "buçuk": "buçuğ", "çeyrek": "çeyreğ"}
# Compounds that already carry the possessive: cases take n, and a derivation drops it.
_POSSESSED = {
    "lirası": "lira",
    "doları": "dolar",
    "sterlini": "sterlin",
    "frangı": "frank",
    "yeni": "yen",
    "riyali": "riyal",
    "şirketi": "şirket",
    "cumhuriyeti": "cumhuriyet",
}
_DERIVED = ("lIk", "lIğ", "lI", "sIz")
_PRONOMINAL = {"(y)A": "nA", "(y)I": "nI", "DA": "nDA", "DAn": "nDAn"}


@lru_cache(4096)
def template(written: str) -> str | None:
    """The template of a written suffix (lower case, without the apostrophe), or None where none is known."""
    form = written.translate(_ARCHIPHONEME)
    for pattern, head in _TEMPLATES:
        match = pattern.fullmatch(form)
        if match:
            tail = next((group for group in match.groups() if group), "")
            return head + re.sub("kI", "ki", tail) if head == "DA" else head + tail.replace("nCI", "ncI")
    return None


@lru_cache(1 << 16)
def inflect(stem: str, form: str, *, possessive: bool = False) -> tuple[str, str]:
    """The stem (softened where it must be) and the suffix as spoken after it. `possessive` reads an accusative as the
    third person's possessive, as percentages and fractions have it: %62,7'si."""
    if possessive and form == "(y)I":
        form = "(s)I"
    word = stem.rsplit(" ", 1)[-1]
    bare = _POSSESSED.get(word)
    if bare and " " in stem:
        if form == "(s)I":
            return stem, ""
        if form.startswith(_DERIVED):
            stem, word = stem[: -len(word)] + bare, bare
        else:
            form = _PRONOMINAL.get(form, form)
    # A reading spelled in the English way ends as it is spoken: gigabyte is gigabayt.
    vowel_final = stem[-1] in VOWELS and not word.endswith("byte")
    if form[0] == "(":
        buffer, form = form[1], form[3:]
        if (buffer == "I") != vowel_final:
            form = buffer + form
    if word in _SOFTENED and form[0] in "AI":
        stem = stem[: -len(word)] + _SOFTENED[word]
    last = next((letter for letter in reversed(stem) if letter in VOWELS), "e")
    if word.endswith("saat"):
        last = "e"
    elif word.endswith("byte"):
        last = "a"
    spoken, previous = "", stem[-1]
    for letter in form:
        if letter == "A":
            letter = "e" if last in _FRONT else "a"
        elif letter == "I":
            letter = ("ü" if last in _ROUND else "i") if last in _FRONT else ("u" if last in _ROUND else "ı")
        elif letter == "D":
            letter = "t" if previous in _VOICELESS else "d"
        elif letter == "C":
            letter = "ç" if previous in _VOICELESS else "c"
        if letter in VOWELS:
            last = letter
        previous = letter
        spoken += letter
    return stem, spoken


def attach(
    readings: Sequence[str], written: str | None, *, possessive: bool = False, rivals: int | None = None
) -> list[str]:
    """Every reading with the written suffix. Among the first `rivals` (all, without it) those on which the suffix
    sounds as it is written come first, then those that take it with the same buffer (2 kg'ye is kiloya, not
    kilograma); 0 keeps the order, where the writer harmonised with the visible digit."""
    if not written:
        return list(readings)
    written = lower(written)
    form = template(written)
    if form is None:
        return [reading + written for reading in readings]
    inflected = [inflect(reading, form, possessive=possessive) for reading in readings]
    first = inflected[:rivals]
    if len(first) > 1:
        shape = written.translate(_ARCHIPHONEME)
        first.sort(key=lambda pair: (pair[1] != written) + (pair[1].translate(_ARCHIPHONEME) != shape))
    return [stem + suffix for stem, suffix in (*first, *inflected[len(first) :])]


def with_form(stem: str, form: str) -> str:
    """A stem inflected by a template."""
    return "".join(inflect(stem, form))
