"""The analysis of a study as its design declares it: every question for itself, with and without exclusions.

Conventions: `analyse` gives tidy frames. `basis` says which votes a row rests on: "kept" (after the declared
exclusions) or "all". Localities come before the pooled figure, and experts stand apart. A transcription counts word
errors by words, a probe and a preference shares. p-values are those of the two-way clustered test, adjusted by Holm
over the pairs of a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from bench import normaliser
from bench.align import align, encode_references
from bench.inference.test import holm
from bench.listening import estimate, models
from bench.listening.design import Design
from bench.listening.ratings import Ratings
from bench.listening.scale import Question
from bench.listening.spread import Spread, spread
from bench.score import accepted
from bench.segment import Segment

BASES = ("kept", "all")
ENDS = ["value", "lo", "hi"]
MEAN = ("condition", "against", *ENDS, "votes", "listeners", "texts", "naive_lo", "naive_hi")
PAIR = ("a", "b", "difference", "lo", "hi", "p", "votes", "p_holm", "verdict")


@dataclass(frozen=True, eq=False, slots=True)
class Result:
    """One question. Frames, each with a column `basis` where both bases are given:

    `means` (a condition, or a pair with `against`; blind panel): value, lo, hi, votes, listeners, texts, mixed,
    mixed_lo, mixed_hi, naive_lo, naive_hi; `pairs`: a, b, difference, lo, hi, p, p_holm, verdict; `files` a clip (kept
    votes); `localities` and `experts` as `means`; `distribution` basis, panel, condition, against, answer, votes;
    `items` the gold, trap and control items with what was answered.
    """

    question: Question
    means: pd.DataFrame
    pairs: pd.DataFrame
    files: pd.DataFrame
    localities: pd.DataFrame
    experts: pd.DataFrame
    distribution: pd.DataFrame
    items: pd.DataFrame
    spread: models.Mixed | None
    preference: pd.DataFrame
    worth: models.BradleyTerry | None


@dataclass(frozen=True, eq=False, slots=True)
class Analysis:
    """All questions of a study, and the ratings that they rest on, with every exclusion that was applied."""

    design: Design
    ratings: Ratings
    results: tuple[Result, ...]
    spared: tuple[str, ...] = ()  # items of a MUSHRA-like study that its post-screening held against nobody

    @property
    def signature(self) -> str:
        """The line that the figures rest on."""
        d = self.design
        return (
            f"listening|design:{d.sha256[:12]}|interval:two-way clustered (listener, text), t(min − 1), 95 %|"
            f"test:t, Holm, alpha:{d.model.alpha:g}|level:{d.level:g} dBov|{d.run.split(',')[0]}"
        )


def analyse(design: Design, ratings: Ratings) -> Analysis:
    """The declared analysis. Raises Fault where a transcription cannot be scored in the design's language."""
    spared: list[str] = []
    if design.presentation == "panel":
        ratings, spared = _screen(design, ratings)
    votes = _scored(design, ratings.votes)
    ratings = replace(ratings, votes=votes)
    results = tuple(
        _result(design, question, votes[votes["question"] == question.key]) for question in design.questions
    )
    return Analysis(design, ratings, results, tuple(spared))


def _screen(design: Design, ratings: Ratings) -> tuple[Ratings, list[str]]:
    votes = ratings.votes
    blind = votes[(votes["panel"] == "blind") & (votes["kind"] == "test") & (votes["excluded"] == "")]
    out = models.screened(blind, design.reference, design.exclusions)
    rows = [
        {"level": "listener", "code": code, "session": "", "trial": "", "rule": "hidden reference", "reason": why}
        for code, why in out.items()
    ]
    told = votes["code"].map(lambda code: out.get(code, ""))
    excluded = votes["excluded"].where((votes["excluded"] != "") | (told == ""), "hidden reference: " + told)
    exclusions = pd.concat([ratings.exclusions, pd.DataFrame(rows, columns=ratings.exclusions.columns)])
    spared = models.spared(blind, design.reference, design.exclusions)
    screened = replace(ratings, votes=votes.assign(excluded=excluded), exclusions=exclusions.reset_index(drop=True))
    return screened, spared


def _scored(design: Design, votes: pd.DataFrame) -> pd.DataFrame:
    """The votes with `size`, what a value counts by: the words of a transcription, 1 for all else."""
    votes = votes.assign(size=1.0)
    written = votes["question"].isin([q.key for q in design.questions if q.answer == "text"])
    known = {text.id: text for text in design.texts}
    chosen = votes[written & votes["segment"].isin(list(known))]
    if chosen.empty:
        return votes
    rule = normaliser.get("earshot", design.language)
    names = list(dict.fromkeys(chosen["segment"]))
    segments = [Segment(**known[name].model_dump(), language=design.language) for name in names]
    references = encode_references([accepted(segment, design.track, rule) for segment in segments])
    index = chosen["segment"].map(names.index).to_numpy(np.int32)
    found = align(references, [rule(str(text)) for text in chosen["answer"]], index)
    votes.loc[chosen.index, "value"] = found.errors.astype(float)
    votes.loc[chosen.index, "size"] = found.words.astype(float)
    return votes


def _result(design: Design, question: Question, votes: pd.DataFrame) -> Result:
    if question.key == "preference":
        votes = votes.assign(value=(votes["value"] > 0).astype(float))
    test = votes[(votes["kind"] == "test") & votes["value"].notna()]
    blind, expert = test[test["panel"] == "blind"], test[test["panel"] == "expert"]
    kept = blind[blind["excluded"] == ""]
    bases = {"kept": kept, "all": blind}
    fitted = None if question.answer == "text" else models.mixed(_cells(kept))
    paired = question.key == "preference"
    signed = kept.assign(value=kept["value"] - 0.5)
    places = [{"locality": place, **row} for place, part in kept.groupby("locality") for row in means(part)]
    return Result(
        question,
        _with_mixed(
            pd.DataFrame(
                [{"basis": name, **row} for name, part in bases.items() for row in means(part)],
                columns=["basis", *MEAN],
            ),
            fitted,
        ),
        pd.DataFrame(
            [{"basis": name, **row} for name, part in bases.items() for row in pairs(design, question, part)],
            columns=["basis", *PAIR],
        ),
        _files(kept),
        pd.DataFrame(places, columns=["locality", *MEAN]),
        pd.DataFrame(list(means(expert)), columns=list(MEAN)),
        _distribution(votes, question),
        _items(votes),
        fitted,
        models.binomial(signed) if paired and len(kept) else pd.DataFrame(),
        models.bradley_terry(signed) if paired and len(kept) else None,
    )


def means(votes: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """A row a condition (or a pair): its mean with the two-way clustered interval, and the naive one as a warning."""
    for (name, against), part in votes.groupby(["condition", "against"], sort=True):
        found = estimate.mean(part["value"], part["code"], part["segment"], part["size"])
        low, high = estimate.naive(part["value"] / part["size"])
        yield {
            "condition": name, "against": against, "value": found.value, "lo": found.lo, "hi": found.hi,
            "votes": found.votes, "listeners": found.listeners, "texts": found.texts,
            "naive_lo": low, "naive_hi": high,
        }  # fmt: skip


def pairs(design: Design, question: Question, votes: pd.DataFrame) -> list[dict[str, Any]]:
    """All pairs of conditions: difference of means, or of a pair's mean from no difference, with Holm's adjustment.

    The anchor and the reference of a study with one are in no pair. `verdict` names the better one or says that there
    is no evidence; where fewer is better (word errors) the lower one is better.
    """
    rows: list[dict[str, Any]] = []
    if design.presentation == "pair":
        for (a, b), part in votes.groupby(["condition", "against"], sort=True):
            middle = 0.5 if question.key == "preference" else 0.0
            found = estimate.mean(part["value"] - middle, part["code"], part["segment"])
            rows.append({"a": a, "b": b, **_told(found)})
    else:
        present = set(votes["condition"])
        apart = design.reference if design.presentation in ("reference", "panel") else ""
        names = [c.name for c in design.conditions if c.name in present and c.name != apart]
        for a, b in combinations(names, 2):
            part = votes[votes["condition"].isin([a, b])]
            first = part["condition"] == a
            found = estimate.difference(part["value"], first, part["code"], part["segment"], part["size"])
            rows.append({"a": a, "b": b, **_told(found)})
    adjusted = holm(np.array([row["p"] for row in rows], np.float64))
    lower = question.answer == "text"
    for row, p in zip(rows, adjusted, strict=True):
        row["p_holm"] = float(p)
        better = row["a"] if (row["difference"] > 0) != lower else row["b"]
        clear = p <= design.model.alpha
        row["verdict"] = f"{better} is better" if clear else "too few" if np.isnan(p) else "no evidence"
    return rows


def _told(found: estimate.Estimate) -> dict[str, Any]:
    return {"difference": found.value, "lo": found.lo, "hi": found.hi, "p": found.p, "votes": found.votes}


def _cells(votes: pd.DataFrame) -> pd.DataFrame:
    joined = votes["condition"] + np.where(votes["against"] == "", "", " / " + votes["against"])
    return votes.assign(condition=joined)[["condition", "code", "segment", "value"]]


def _with_mixed(frame: pd.DataFrame, spread: models.Mixed | None) -> pd.DataFrame:
    """The means with those of the mixed model, which was fitted to the kept votes."""
    if frame.empty or spread is None:
        return frame.assign(mixed=np.nan, mixed_lo=np.nan, mixed_hi=np.nan)
    joined = frame["condition"] + np.where(frame["against"] == "", "", " / " + frame["against"])
    found = frame.assign(cell=joined).merge(spread.means.rename(columns={"condition": "cell"}), how="left", on="cell")
    columns = ["mixed", "mixed_lo", "mixed_hi"]
    found.loc[found["basis"] != "kept", columns] = np.nan
    return found.drop(columns="cell")


def _files(votes: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for (name, against, segment), part in votes.groupby(["condition", "against", "segment"], sort=True):
        middle, low, high = estimate.of_file(part["value"] / part["size"])
        rows.append((name, against, segment, middle, low, high, len(part)))
    return pd.DataFrame(rows, columns=["condition", "against", "segment", *ENDS, "votes"])


def _distribution(votes: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Every answer of every test vote, counted: nothing smoothed, nothing left out."""
    test = votes[(votes["kind"] == "test") & votes["value"].notna()]
    answers = test["value"] if question.answer != "slider" else (test["value"] // 10 * 10).clip(upper=90)
    if question.answer == "text":
        answers = (test["value"] / test["size"]).clip(upper=1).mul(10).round() / 10
    columns = ["basis", "panel", "condition", "against", "answer"]
    both = [test.assign(basis="all", answer=answers), test[test["excluded"] == ""].assign(basis="kept", answer=answers)]
    counted = pd.concat(both).groupby(columns, sort=True).size().rename("votes").reset_index()
    return counted.astype({"answer": float})


def _items(votes: pd.DataFrame) -> pd.DataFrame:
    """Gold and trap items of the first question, and control items: what was expected and what was answered."""
    wanted = (votes["kind"] == "control") | (votes["kind"].isin(["gold", "trap"]) & votes["expected"].notna())
    extra = votes[wanted].assign(expected=lambda f: f["expected"].astype(float))
    keys = ["kind", "condition", "against", "segment", "expected"]
    found = extra.groupby(keys, dropna=False, sort=True)["value"].agg(["mean", "min", "max", "size"]).reset_index()
    return found.rename(columns={"size": "votes"})


def pilot(analysis: Analysis, key: str = "") -> Spread:
    """The spread of the kept votes of a question (the first), to plan the next study by. Raises Fault as `spread`.

    The reference and the anchor of a study with one are left out: they are rated apart from what is compared.
    """
    design, votes = analysis.design, analysis.ratings.votes
    kept = votes[(votes["kind"] == "test") & (votes["excluded"] == "") & (votes["panel"] == "blind")]
    kept = kept[(kept["question"] == (key or design.questions[0].key)) & kept["value"].notna()]
    if design.presentation == "panel":
        kept = kept[kept["condition"].isin([c.name for c in design.conditions if c.name != design.reference])]
    share = kept["value"] > 0 if (key or design.questions[0].key) == "preference" else kept["value"] / kept["size"]
    return spread(_cells(kept.assign(value=share.astype(float))))


def panels(ratings: Ratings) -> pd.DataFrame:
    """Who took part: panel, locality, familiarity, people, and how many of them have a vote that counts."""
    counted = set(ratings.votes.loc[ratings.votes["excluded"] == "", "code"])
    people = ratings.people.assign(counted=ratings.people["code"].isin(counted))
    by: Sequence[str] = ["panel", "locality", "familiarity"]
    found = people.groupby(list(by), dropna=False)["counted"].agg(["size", "sum"]).reset_index()
    return found.rename(columns={"size": "people", "sum": "with votes that count"})
