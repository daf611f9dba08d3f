"""From a run to the parts that say how far its recognisers agree.

Conventions: recognisers are paired in the protocol's order. The word error rate between two of them is that of one
normalised transcript against the other, over the mean of their lengths, so that neither is the reference. They
disagree about an entity in a row where exactly one of them got every span of its type. Both are of the same audio, and
both are signals: words that recognisers write differently are words that a person should hear.
"""

from __future__ import annotations

from itertools import combinations

import pandas as pd

from bench import conclusion
from bench.align import align, encode_references
from bench.inference import Table as Result
from bench.inference import compare, disagreement
from bench.lattice import escape
from bench.part import Part, Prose, Table
from bench.run import Run
from bench.score import entities

PAIR = ["one", "other", "system", "rate", "lo", "hi", "n"]
NAMES = {"one": "recogniser", "other": "and", "lo": "from", "hi": "to"}
ANY = "any entity"


def disagreements(run: Run, scores: pd.DataFrame, *, channel: str, signature: str) -> list[Part]:
    """How far each two recognisers differ on a channel: in words, and about entities."""
    rows = scores[scores["channel"] == channel]
    if rows["recogniser"].nunique() < 2:
        return []
    words = between(rows)
    shown = _ordered(run, words.rows)
    tracks = ["track"] if len(run.protocol.tracks) > 1 else []
    formats = dict.fromkeys(("rate", "lo", "hi"), ".1%")
    note = "Words that two recognisers wrote differently from the same audio, over the mean of their lengths."
    parts: list[Part] = [
        Prose("# Where recognisers disagree"),
        Table(
            shown[[*tracks, *PAIR]],
            f"Words, {channel}",
            formats,
            {**NAMES, "rate": "WER between them"},
            {"rate": f"{words.signature}|{signature}"},
            note,
            run.protocol.conflict_of_interest,
        ),
    ]
    about = mistaken(run, rows)
    if about is not None:
        note = "The share of the rows with such an entity in which exactly one of the two got all of them."
        parts.append(
            Table(
                _ordered(run, about.rows)[[*tracks, "entity", *PAIR]],
                f"Entities, {channel}",
                formats,
                {**NAMES, "rate": "rows in dispute"},
                {"rate": f"{about.signature}|{signature}"},
                note,
                run.protocol.conflict_of_interest,
            )
        )
    return parts


def between(scores: pd.DataFrame) -> Result:
    """The word error rate between the normalised transcripts of each two recognisers.

    Columns: system, track, channel, one, other, rate, lo, hi, n, method, grey. The rate of a row is twice its errors
    over the sum of the two lengths. Raises Fault where one recogniser has rows that another lacks.
    """
    key = ["system", "voice", "track", "channel", "segment", "take"]
    kept = [*key, *(name for name in ("cluster", "headline") if name in scores)]
    parts = []
    for one, other in combinations(dict.fromkeys(scores["recogniser"]), 2):
        left, right = (scores[scores["recogniser"] == name] for name in (one, other))
        both = left[[*kept, "hypothesis"]].merge(
            right[[*key, "hypothesis"]], on=key, suffixes=("", "_other"), validate="one_to_one"
        )
        found = align(encode_references(map(escape, both["hypothesis"])), list(both["hypothesis_other"]))
        lengths = found.words + found.hypothesis_words
        parts.append(both[kept].assign(one=one, other=other, errors=2 * found.errors, words=lengths))
    by = ("track", "channel", "one", "other")
    compared = compare(pd.concat(parts, ignore_index=True), by=by, metric="WER between recognisers")
    columns = ["system", *by, "rate", "lo", "hi", "n", "method", "grey"]
    return Result(compared.rates[columns], compared.signature)


def mistaken(run: Run, scores: pd.DataFrame) -> Result | None:
    """How often each two recognisers disagree about an entity, by type and about any; None where there is none."""
    spans = entities(scores, run.frozen.chosen, language=run.protocol.language)
    if spans.empty:
        return None
    key = ["system", "voice", "track", "channel", "recogniser", "segment", "take"]
    right = spans.pivot_table(index=key, columns="type", values="right", aggfunc="min").astype("boolean")
    right[ANY] = spans.groupby(key)["right"].min().astype("boolean")
    kept = [*key, *(name for name in ("cluster", "headline") if name in scores)]
    return disagreement(scores[kept].merge(right.reset_index(), on=key, how="left"), list(right.columns))


def _ordered(run: Run, rows: pd.DataFrame) -> pd.DataFrame:
    """Pairs of recognisers in the protocol's order, each with the first of the two first."""
    place = [part.name for part in run.protocol.recognisers].index
    turned = rows["one"].map(place) > rows["other"].map(place)
    rows = rows.assign(one=rows["one"].where(~turned, rows["other"]), other=rows["other"].where(~turned, rows["one"]))
    ranks = rows.assign(one=rows["one"].map(place), other=rows["other"].map(place))
    return conclusion.order(run, rows.loc[ranks.sort_values(["one", "other"], kind="stable").index])
