"""What there is to hear of a run: which takes, through every channel, with each transcript aligned.

Conventions: a take is named by its `Case`; a choice of takes is a list of cases, the most telling first. Sound is made
when it is asked for, by sending the stored playback through the channel again: the same samples that the recognisers
heard, since channels are deterministic. The words that differ are those that the score counted, against the accepted
reading that it counted them against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import pandas as pd

from bench import channels, normaliser
from bench.align import columns
from bench.audio import encode
from bench.fault import Fault
from bench.player import Operation, Take
from bench.protocol import Case
from bench.run import Run
from bench.score import accepted, held

CASE = ["system", "voice", "track", "segment", "take"]


@dataclass(frozen=True)
class Versions(Mapping[str, bytes]):
    """What came out of each channel of a run, as FLAC, made when it is looked up. Empty where there is no sound."""

    run: Run
    case: Case

    @cached_property
    def _names(self) -> tuple[str, ...]:
        entry = self.run.takes().get(self.case)
        return tuple(self.run.channels()) if entry and entry["outcome"] == "ok" else ()

    def __getitem__(self, name: str) -> bytes:
        if name not in self._names:
            raise KeyError(name)
        sound = self.run.playback(self.case)
        assert sound is not None, "a good take has a playback"
        channel = channels.parse(name)
        seed = channel.seed(self.run.frozen.text_set.name, self.case.segment, self.case.take)
        return encode(channel.transmit(sound, seed=seed))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def worst(scores: pd.DataFrame) -> pd.Series[float]:
    """Word errors a word, over all that the scores hold."""
    return _rates(scores, []).iloc[:, 0]


def disagreement(scores: pd.DataFrame) -> pd.Series[float]:
    """How far apart the recognisers' word error rates are: the largest less the smallest."""
    rates = _rates(scores, ["recogniser"])
    return rates.max(axis=1) - rates.min(axis=1)


def line_only(scores: pd.DataFrame) -> pd.Series[float]:
    """What the worst line adds to the word error rate on the first channel, which is the widest band."""
    rates = _rates(scores, ["channel"])[list(dict.fromkeys(scores["channel"]))]
    return rates.iloc[:, 1:].max(axis=1) - rates.iloc[:, 0] if rates.shape[1] > 1 else rates.iloc[:, 0]


RULES: Mapping[str, Callable[[pd.DataFrame], pd.Series[float]]] = MappingProxyType(
    {"worst": worst, "disagree": disagreement, "line": line_only}
)


def choose(scores: pd.DataFrame, rule: str = "all") -> list[Case]:
    """Cases by a rule: `all` and `none`, or `worst:50`, `disagree:50`, `line:50` (the 50 highest by that measure).

    Among equals the order is that of the scores. Raises Fault for another rule.
    """
    name, _, number = rule.partition(":")
    if rule == "none" or scores.empty:
        return []
    if rule == "all":
        return [_case(key) for key in scores[CASE].drop_duplicates().itertuples(index=False)]
    if name not in RULES or not number.isdecimal():
        raise Fault(f"The rule {rule!r} for clips is unknown; expected all, none, or {', '.join(RULES)} with a number.")
    ranked = RULES[name](scores).sort_values(ascending=False, kind="stable", na_position="last")
    return [_case(key) for key in ranked.index[: int(number)].tolist()]


def matching(run: Run, scores: pd.DataFrame, words: str) -> pd.DataFrame:
    """The rows whose segment has all of these words in its id or its written text, whatever their capitals."""
    wanted = words.casefold().split()
    told = {s.id: f"{s.id} {s.text} {s.spoken or ''}".casefold() for s in run.frozen.chosen}
    kept = {name for name, text in told.items() if all(word in text for word in wanted)}
    return scores[scores["segment"].isin(kept)]


def takes(run: Run, scores: pd.DataFrame, cases: Sequence[Case], *, voices: bool = False) -> tuple[Take, ...]:
    """The cases as the player shows them; `voices` says the voice beside the system's name.

    `scores` are those of one normaliser; what they hold of a case is what is shown with it.
    """
    segments = {segment.id: segment for segment in run.frozen.chosen}
    rows = {_case(key): part for key, part in scores.groupby(CASE, sort=False)}
    found = []
    for case in cases:
        said: dict[str, dict[str, str]] = {}
        marked: dict[str, dict[str, list[Operation]]] = {}
        part = rows[case]
        heard = part[["channel", "recogniser", "transcript", "cause"]].itertuples(index=False)
        for (channel, recogniser, transcript, cause), operations in zip(heard, alignments(run, part), strict=True):
            said.setdefault(channel, {})[recogniser] = transcript if isinstance(transcript, str) else f"({cause})"
            marked.setdefault(channel, {})[recogniser] = operations
        name = f"{case.system} ({case.voice})" if voices else case.system
        track = f" · track {case.track}" if len(run.protocol.tracks) > 1 else ""
        number = f" · take {case.take}" if max(run.protocol.takes.values()) > 1 else ""
        written = segments[case.segment].written(case.track) or ""
        found.append(Take(f"{case.segment}{track}{number}", name, written, Versions(run, case), said, marked))
    return tuple(found)


def alignments(run: Run, scores: pd.DataFrame) -> list[list[Operation]]:
    """For each row, the words that its score counted: reference, hypothesis, operation."""
    segments = {segment.id: segment for segment in run.frozen.chosen}

    keys = list(zip(scores["segment"], scores["track"], scores["normaliser"], strict=True))
    place = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    references = []
    for segment, track, name in place:
        rule = normaliser.get(name, run.protocol.language)
        references.append(held(accepted(segments[segment], track, rule), track))
    found = columns(references, scores["hypothesis"].tolist(), [place[key] for key in keys])
    return [[(column.reference, column.hypothesis, column.op) for column in row] for row in found]


def _case(key: Any) -> Case:
    return Case(*key)


def _rates(scores: pd.DataFrame, across: list[str]) -> pd.DataFrame:
    """Word error rates: a row a case, in the scores' order, a column a value of `across`."""
    counts = scores.assign(errors=scores["substitutions"] + scores["deletions"] + scores["insertions"])
    sums = counts.groupby([*CASE, *across], sort=False, observed=True)[["errors", "words"]].sum()
    rates = (sums["errors"] / sums["words"].where(sums["words"] > 0)).rename("rate")
    return rates.unstack(across, sort=False) if across else rates.to_frame()
