"""From transcripts to counts, from counts to rates.

Conventions: one row is one expected utterance as one recogniser heard it through one channel, under one normaliser.
Counts are made per row and add; a rate is computed once, from sums. The denominator is that of the canonical
reading. A row with a cause (its audio or transcript is missing, failed or empty) counts all words as deleted.
Takes of a segment are averaged first, so that a segment weighs once. Reference before hypothesis. On track R the
reference is the lattice of accepted readings, on track S strictly the canonical one, with the lattice beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench import normaliser as rules
from bench.align import Alignments, References, align, encode_references, least_errors
from bench.fault import Fault
from bench.lattice import escape, locate, mapped, parse, reading, spots
from bench.normaliser import Normaliser
from bench.segment import Segment

KEY = ("system", "voice", "track", "channel", "recogniser", "normaliser")
COUNTS = ("words", "substitutions", "deletions", "insertions", "lattice_errors", "set_errors")
CHARACTERS = ("characters", "character_errors", "least_character_errors")
FLAGS = ("wrong", "failed", "hallucinated", "truncated", "looped")
Progress = Callable[[str, int, int], None]  # step, done, total
_DIGITS = re.compile(r"\d(?:[\d.,:/ ]*\d)?")


@dataclass(frozen=True, slots=True)
class Rates:
    """The names of the rates that `summary` adds, each with its numerator and denominator, in the order shown."""

    name: str
    errors: tuple[str, ...]
    size: str


RATES = (
    Rates("wer", ("substitutions", "deletions", "insertions"), "words"),
    Rates("lattice_wer", ("lattice_errors",), "words"),
    Rates("set_wer", ("set_errors",), "words"),
    Rates("cer", ("character_errors",), "characters"),
    Rates("tight_cer", ("least_character_errors",), "characters"),
    Rates("ser", ("wrong",), "segments"),
    Rates("failure_rate", ("failed",), "segments"),
    Rates("hallucination_rate", ("hallucinated",), "segments"),
    Rates("truncation_rate", ("truncated",), "segments"),
    Rates("loop_rate", ("looped",), "segments"),
)


def accepted(segment: Segment, track: str, rule: Normaliser) -> str:
    """The lattice of all readings of a segment that count as right under a rule, the canonical one first.

    Our own rule has the set's lattice, under the rule once more since the set may have been written under an older one.
    Another tool's rule knows none: it gets the text that was spoken.
    """
    if rule.readings is None:
        return escape(rule(segment.written(track) or ""))
    if segment.lattice is None:
        return escape(rule(segment.spoken or segment.text))
    spelled = not _DIGITS.search(segment.lattice)  # as in every set without faults
    if rule.fold and spelled:
        return mapped(segment.lattice, rule.fold, rule.settled)
    return mapped(segment.lattice, rule.apply)


def held(lattice: str, track: str) -> str:
    """What a segment is held to of the lattice of all that is accepted: on track S its canonical reading alone."""
    return escape(reading(lattice)) if track == "S" else lattice


def score(
    rows: pd.DataFrame,
    segments: Sequence[Segment],
    *,
    language: str,
    normaliser: str = "earshot",
    bound: bool = True,
    progress: Progress = lambda *_: None,
) -> pd.DataFrame:
    """The rows with their counts.

    `rows` has the columns system, voice, track, segment, take, channel, recogniser, looped, transcript (None where
    there is none) and cause (None, or what is missing). Added are normaliser, reference (the canonical reading),
    hypothesis (the normalised transcript), COUNTS, CHARACTERS and FLAGS, and digits (the numbers that the recogniser
    wrote in digits). `set_errors` are those of the best reading of the same written characters: the optimistic bound
    of a transcript in digits; without `bound`, which costs as much again, they are those of the lattice. A
    hallucination has more than 1.5 x the reference's words + 3, a truncation fewer than half (the card of
    TR-TTS-Bench). `progress` is told how many of the distinct transcripts have been read. Raises Fault for a segment
    that is not in the text set, and for a malformed lattice.
    """
    rule = rules.get(normaliser, language)
    keys, index = _keys(rows, segments)
    whole = [accepted(segment, track, rule) for segment, track in keys]
    readings = [_reading(segment, lattice) for (segment, _), lattice in zip(keys, whole, strict=True)]
    strict = [held(lattice, track) for (_, track), lattice in zip(keys, whole, strict=True)]
    lost = rows["cause"].notna().to_numpy()
    hypotheses = _hypotheses(rows, rule, progress)
    lattices = encode_references(whole)
    loose = align(lattices, hypotheses, index)
    found = loose if strict == whole else align(encode_references(strict), hypotheses, index)
    least = _bound(rows, rule, lattices, index, loose, lost, progress) if bound else loose.errors

    def unless_lost(counts: NDArray[np.int32], size: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(lost, size, counts)

    none = np.zeros_like(found.words)
    errors = unless_lost(found.errors, found.words)
    return rows.assign(
        normaliser=normaliser,
        reference=[readings[at] for at in index],
        hypothesis=hypotheses,
        words=found.words,
        substitutions=unless_lost(found.substitutions, none),
        deletions=unless_lost(found.deletions, found.words),
        insertions=unless_lost(found.insertions, none),
        lattice_errors=unless_lost(loose.errors, found.words),
        set_errors=unless_lost(least, found.words),
        characters=found.characters,
        character_errors=unless_lost(found.character_errors, found.characters),
        least_character_errors=unless_lost(found.least_character_errors, found.characters),
        wrong=lost | (errors > 0),
        failed=lost,
        hallucinated=~lost & (found.hypothesis_words > 1.5 * found.words + 3),
        truncated=~lost & (found.hypothesis_words < 0.5 * found.words),
        digits=[0 if gone else len(_DIGITS.findall(t)) for gone, t in zip(lost, rows["transcript"], strict=True)],
    )


def _keys(rows: pd.DataFrame, segments: Sequence[Segment]) -> tuple[list[tuple[Segment, str]], NDArray[np.int64]]:
    """Each segment and track that occurs, in order of first appearance, and each row's place among them."""
    by_id = {segment.id: segment for segment in segments}
    keys = list(zip(rows["segment"], rows["track"], strict=True))
    place = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    unknown = next((segment for segment, _ in place if segment not in by_id), None)
    if unknown is not None:
        raise Fault(f"The text set has no segment {unknown!r}; score it with the set that it was spoken from.")
    return [(by_id[segment], track) for segment, track in place], np.array([place[key] for key in keys], np.int64)


def _reading(segment: Segment, lattice: str) -> str:
    try:
        return reading(lattice)
    except Fault as fault:
        raise Fault(f"Segment {segment.id!r}: its lattice is malformed. {fault}") from None


def _distinct(transcripts: pd.Series[str], step: str, progress: Progress) -> Iterator[str]:
    """Each transcript once."""
    texts = transcripts.unique()
    for number, words in enumerate(texts, start=1):
        yield words
        if number % 500 == 0 or number == len(texts):
            progress(step, number, len(texts))


def _hypotheses(rows: pd.DataFrame, rule: Normaliser, progress: Progress = lambda *_: None) -> list[str]:
    lost = rows["cause"].notna()
    spoken = {words: rule(words) for words in _distinct(rows.loc[~lost, "transcript"], "normalise", progress)}
    return ["" if gone else spoken[words] for gone, words in zip(lost, rows["transcript"], strict=True)]


def _bound(
    rows: pd.DataFrame,
    rule: Normaliser,
    whole: References,
    index: NDArray[np.int64],
    best: Alignments,
    lost: NDArray[np.bool_],
    progress: Progress,
) -> NDArray[np.int32]:
    """The least errors over all readings of each transcript; only those with errors and several readings are aligned
    anew."""
    errors = best.errors.copy()
    if rule.readings is None:
        return errors
    wrong = np.flatnonzero(~lost & (errors > 0))
    heard = rows["transcript"].iloc[wrong]
    lattices = {words: rule.readings(words) for words in _distinct(heard, "all readings", progress)}
    several = {words: lattice for words, lattice in lattices.items() if "{" in lattice}
    at = wrong[[words in several for words in heard]]
    if at.size:
        transcripts = [several[words] for words in heard if words in several]
        errors[at] = np.minimum(errors[at], least_errors(whole, transcripts, index[at]))
    return errors


def entities(rows: pd.DataFrame, segments: Sequence[Segment], *, language: str) -> pd.DataFrame:
    """A row for each typed span of each row of `rows`, scored or not: whether it was right.

    A span is right when every word of the accepted option that was heard hits and nothing is inserted inside it, under
    our own rule. Columns: those of `rows` that are keys or strata, span, type, right. `bench.targets`, where several
    recognisers decide by vote, says when to use which.
    """
    rule = rules.get("earshot", language)
    keys, index = _keys(rows, segments)
    strict = [held(accepted(segment, track, rule), track) for segment, track in keys]
    lost = rows["cause"].notna().to_numpy()
    known = "hypothesis" in rows and (rows["normaliser"] == rule.name).all()
    hypotheses = rows["hypothesis"].tolist() if known else _hypotheses(rows, rule)
    found = align(encode_references(strict), hypotheses, index, trace=True)
    assert found.trace is not None
    spans = [_places(segment, lattice, rule) for (segment, _), lattice in zip(keys, strict, strict=True)]
    at, names, types, right = [], [], [], []
    for row, key in enumerate(index):
        for name, kind, places in spans[key]:
            at.append(row)
            names.append(name)
            types.append(kind)
            right.append(not lost[row] and found.trace.right(row, places))
    kept = [column for column in rows.columns if column not in ("transcript", "reference", "hypothesis")]
    return rows[kept].iloc[at].assign(span=names, type=types, right=np.array(right, bool)).reset_index(drop=True)


def _places(segment: Segment, written: str, rule: Normaliser) -> list[tuple[str, str, range]]:
    """Each typed span with its places in the lattice, found from left to right as the spans are listed."""
    found = []
    read = spots(parse(written)) if segment.spans else ()
    after: dict[str, int] = {}
    for span in segment.spans:
        words = rule.fold(span.text) if rule.fold and not _DIGITS.search(span.text) else rule(span.text)
        places = locate(read, words.split(), after.get(words, 0))
        if places is None:
            raise Fault(f"Segment {segment.id!r}: the span {span.text!r} does not occur in the reading {written!r}.")
        after[words] = places.stop
        found.append((span.text, span.type, places))
    return found


def summary(scores: pd.DataFrame, by: Sequence[str] = KEY) -> pd.DataFrame:
    """A row a group, in order of first appearance: sums over segments of the means over takes, and the RATES.

    A rate whose denominator is zero is undefined (NaN). For a headline, give the headline rows only.
    """
    keys = list(by)
    columns = [*COUNTS, *CHARACTERS, *FLAGS, "digits"]
    takes = scores.groupby(list(dict.fromkeys([*keys, "segment"])), sort=False, observed=True, dropna=False)[
        columns
    ].mean()
    groups = takes.groupby(level=keys, sort=False, observed=True, dropna=False)
    sums = groups.sum()
    sums.insert(0, "segments", groups.size())
    for rate in RATES:
        sums[rate.name] = (sums[list(rate.errors)].sum(axis=1) / sums[rate.size]).where(sums[rate.size] > 0)
    return sums.reset_index()
