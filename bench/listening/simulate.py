"""Simulated listeners: returns of a study as its page would give them, with a truth that is known.

Conventions: for tests, and to rehearse an analysis before the first listener comes; a report on them says so. A vote on
a scale is a latent quality plus the listener, the text and a rest, rounded to the nearest point. Some listeners are
careless: they answer anything, and so fail traps. All is seeded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from bench.listening import page
from bench.listening.design import Design, Trial
from bench.listening.ratings import Entry
from bench.listening.scale import Question
from bench.listening.spread import Spread

SPREAD = Spread(listener=0.48, text=0.33, listener_condition=0.15, text_condition=0.2, residual=0.75)


def listen(
    design: Design,
    quality: Mapping[str, float],
    *,
    spread: Spread = SPREAD,
    careless: int = 0,
    experts: int = 0,
    localities: tuple[str, ...] = ("",),
    seed: int = 0,
) -> Iterator[Entry]:
    """Records of every listener of a design. `quality` is the latent mean of each condition, in points of the scale.

    The first `careless` listeners answer at random, the last `experts` say that they could recognise a system.
    """
    rng = np.random.default_rng([seed, 3])
    said = {text.id: text.spoken or text.text for text in design.texts}
    texts = {text.id: rng.normal(0, spread.text) for text in design.texts}
    mixed = {(t, c): rng.normal(0, spread.text_condition) for t in texts for c in quality}
    for number, place in enumerate(design.listeners):
        head = {"design": design.sha256, "code": place.code, "participant": f"simulated {number}"}
        own = rng.normal(0, spread.listener)
        liked = {c: rng.normal(0, spread.listener_condition) for c in quality}
        told: list[dict[str, Any]] = [
            {
                "kind": "listener",
                "answers": {
                    "native": True, "hearing": True, "recent": False, "familiarity": "daily", "device": "headphones",
                    "expert": number >= len(design.listeners) - experts,
                    "locality": localities[number % len(localities)],
                },
            }
        ]  # fmt: skip
        for name in ("headphones", "quiet"):
            right = enumerate(page.key(design, name))
            told += [{"kind": "check", "name": name, "n": n, "answer": value} for n, value in right]
        for turn, session in enumerate(place.sessions):
            for trial in session.trials:
                for question in design.questions:
                    felt = {clip: _felt(design, clip, trial, quality, own, texts, mixed, liked) for clip in trial.clips}
                    value = _answer(
                        question, trial, felt, said.get(trial.segment, ""), spread.residual, number < careless, rng
                    )
                    vote = {
                        "kind": "vote",
                        "session": turn,
                        "trial": trial.id,
                        "question": question.key,
                        "value": value,
                    }
                    timing = {"plays": [1] * len(trial.clips), "answer_ms": int(rng.integers(900, 6000)), "faults": []}
                    told.append({**vote, **timing})
            told.append({"kind": "finished", "session": turn})
        yield from ({**head, "record": {"seq": at, **record}} for at, record in enumerate(told))


def _felt(
    design: Design, clip: str, trial: Trial, quality: Mapping[str, float], own: float,
    texts: Mapping[str, float], mixed: Mapping[tuple[str, str], float], liked: Mapping[str, float],
) -> float:  # fmt: skip
    name = design.clips[clip].condition
    shared = quality.get(name, 3.0) + own + texts.get(trial.segment, 0.0)
    return shared + mixed.get((trial.segment, name), 0.0) + liked.get(name, 0.0)


def _answer(
    question: Question, trial: Trial, felt: dict[str, float], said: str, residual: float, careless: bool,
    rng: np.random.Generator,
) -> Any:  # fmt: skip
    noise = rng.normal(0, residual)
    heard = [felt[clip] for clip in trial.clips]
    match question.answer:
        case "points":
            if careless:
                return int(rng.choice(question.points))
            if trial.expected is not None:
                return int(trial.expected)
            if question.presentation == "pair":
                gap = heard[1] - heard[0] + noise
                return min(question.points, key=lambda point: abs(point - gap))
            return min(question.points, key=lambda point: abs(point - heard[-1] - noise))
        case "slider":
            base = {clip: 20 * (felt[clip] + rng.normal(0, residual) - 0.5) for clip in trial.clips[1:]}
            return {clip: float(np.clip(round(score), 0, 100)) for clip, score in base.items()}
        case "choice":
            return str(rng.choice(trial.options)) if careless or noise > 1 else trial.right
    return (
        ""
        if careless
        else " ".join(word for word in said.split() if rng.random() < (felt[trial.clips[-1]] + noise) / 5)
    )
