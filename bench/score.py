"""From transcripts to counts, from counts to rates.

Conventions: one row is one expected utterance as one recogniser heard it through one channel, under one normaliser.
Counts are made per row and add; a rate is computed once, from sums. The denominator is that of the canonical
reading. A row with a cause (its audio or transcript is missing, failed or empty) counts all words as deleted.
Takes of a segment are averaged first, so that a segment weighs once. Reference before hypothesis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from bench import normaliser as rules
from bench.align import align, encode_references
from bench.lattice import canonical, parse
from bench.normaliser import Normaliser
from bench.segment import Segment

KEY = ["system", "voice", "track", "channel", "recogniser", "normaliser"]
COUNTS = ["words", "substitutions", "deletions", "insertions", "characters", "character_errors"]


def reference(segment: Segment, track: str, rule: Normaliser) -> str:
    """The lattice that a transcript is held against.

    Under our own rule: on track R all accepted readings, on track S strictly the canonical one. Under another
    tool's rule, which knows no lattice: the text that was spoken, through that rule.
    """
    if rule.name != "earshot":
        return _linear(rule(segment.written(track) or ""))
    accepted = segment.lattice if segment.lattice is not None else _linear(rule(segment.spoken or segment.text))
    return accepted if track == "R" else _linear(" ".join(canonical(parse(accepted))))


def _linear(text: str) -> str:
    return "".join("\\" + letter if letter in "{|}\\" else letter for letter in text)


def score(rows: pd.DataFrame, segments: Sequence[Segment], *, language: str, normaliser: str) -> pd.DataFrame:
    """The rows with their counts.

    `rows` has the columns system, voice, track, segment, take, channel, recogniser, transcript (None where there is
    none) and cause (None, or what is missing). Added are normaliser, reference (the canonical reading), hypothesis
    (the normalised transcript), the COUNTS, and the flags hallucinated (more than 1.5 x the reference's words + 3)
    and truncated (fewer than half of them), which are those of the TR-TTS-Bench card.
    """
    rule = rules.get(normaliser, language)
    by_id = {segment.id: segment for segment in segments}
    wanted = list(dict.fromkeys(zip(rows["segment"], rows["track"], strict=True)))
    lattices = [reference(by_id[segment], track, rule) for segment, track in wanted]
    place = {key: at for at, key in enumerate(wanted)}
    index = np.array([place[key] for key in zip(rows["segment"], rows["track"], strict=True)], np.int64)
    heard = {text: rule(text) for text in rows["transcript"].dropna().unique()}
    lost = rows["cause"].notna().to_numpy()
    hypotheses = ["" if gone else heard[text] for gone, text in zip(lost, rows["transcript"], strict=True)]
    found = align(encode_references(lattices), hypotheses, index)
    readings = [" ".join(canonical(parse(lattice))) for lattice in lattices]
    return rows.assign(
        normaliser=normaliser,
        reference=[readings[at] for at in index],
        hypothesis=hypotheses,
        words=found.words,
        substitutions=np.where(lost, 0, found.substitutions),
        deletions=np.where(lost, found.words, found.deletions),
        insertions=np.where(lost, 0, found.insertions),
        characters=found.characters,
        character_errors=np.where(lost, found.characters, found.character_errors),
        hallucinated=~lost & (found.hypothesis_words > 1.5 * found.words + 3),
        truncated=~lost & (found.hypothesis_words < 0.5 * found.words),
    )


def summary(scores: pd.DataFrame, by: Sequence[str] = KEY) -> pd.DataFrame:
    """A row a group, in order of first appearance: sums over segments of the means over takes, and the rates.

    Columns: `by`, segments, the COUNTS, failed, hallucinated and truncated (rows), wer and cer (NaN where the
    references are empty, which is undefined). For a headline, give the headline rows only.
    """
    keys = list(by)
    flags = scores.assign(failed=scores["cause"].notna())
    columns = [*COUNTS, "failed", "hallucinated", "truncated"]
    takes = flags.groupby([*keys, "segment"], sort=False, observed=True)[columns].mean()
    sums = takes.groupby(level=keys, sort=False, observed=True).agg(["sum"]).droplevel(1, axis=1)
    sums.insert(0, "segments", takes.groupby(level=keys, sort=False, observed=True).size())
    errors = sums["substitutions"] + sums["deletions"] + sums["insertions"]
    sums["wer"] = (errors / sums["words"]).where(sums["words"] > 0)
    sums["cer"] = (sums["character_errors"] / sums["characters"]).where(sums["characters"] > 0)
    return sums.reset_index()
