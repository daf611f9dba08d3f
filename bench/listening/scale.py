"""The questions that listeners are asked: one construct a question, its exact wording and labels in four languages.

Conventions: `scales.json` holds the wording; `question` gives it in one language. Points stand in the order in which
their labels are shown, best first; the direction is said in words. A translation is ours unless the source says
otherwise. Two questions may share a clip only where both are asked about a single clip.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from bench.fault import Fault

LANGUAGES = ("en", "de", "tr", "zh")
Presentation = Literal["single", "reference", "pair", "panel"]
Answer = Literal["points", "text", "choice", "slider"]


class Part(BaseModel):
    """A piece of a design: frozen, and without a key that nobody knows."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Question(Part):
    """A question as it is shown. `plays` is how often a clip may be heard; 0 is as often as one likes.

    A single clip, a reference before a clip, a pair, or a panel of clips beside a reference (`presentation`) is
    answered by one of `points`, by `text`, by a `choice` between readings, or on a slider from 0 to 100 for each clip.
    """

    key: str
    measures: str
    presentation: Presentation
    answer: Answer
    prompt: str
    points: tuple[int, ...]
    labels: tuple[str, ...]
    direction: str
    source: str
    plays: int = 0


@cache
def _scales() -> dict[str, dict[str, Any]]:
    held: dict[str, dict[str, Any]] = json.loads(files("bench.listening").joinpath("scales.json").read_text("utf-8"))
    return held


def keys() -> tuple[str, ...]:
    """The names of all scales."""
    return tuple(_scales())


def question(key: str, language: str, *, variety: str = "") -> Question:
    """A scale in a language (`en`, `de`, `tr`, `zh`, with or without a region). Regional adherence names its `variety`.

    Raises Fault for a scale or a language that is not there, and where the variety is missing.
    """
    if key not in _scales():
        raise Fault(f"The scale {key!r} is unknown; known are {', '.join(keys())}.")
    held = dict(_scales()[key])
    wording = held.pop("wording")
    spoken = language.split("-")[0].lower()
    if spoken not in wording:
        raise Fault(f"The scales have no wording in {language!r}; they have {', '.join(wording)}.")
    prompt = wording[spoken]["prompt"]
    if "{variety}" in prompt and not variety.strip():
        raise Fault(f'The scale {key!r} asks about a variety; give the key variety, as in "Munich Bavarian".')
    made = {**held, "key": key, "prompt": prompt.replace("{variety}", variety), "labels": wording[spoken]["labels"]}
    return Question.model_validate(made)


def words(language: str) -> dict[str, str]:
    """What a study page says besides its questions, in a language. Raises Fault as `question` does."""
    held: dict[str, dict[str, str]] = json.loads(files("bench.listening").joinpath("words.json").read_text("utf-8"))
    spoken = language.split("-")[0].lower()
    if spoken not in held:
        raise Fault(f"The study page has no words in {language!r}; it has {', '.join(held)}.")
    return held[spoken]
