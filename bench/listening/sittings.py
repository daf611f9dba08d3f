"""How a listener's trials are cut into sessions that tire nobody, and what stands between them.

Conventions: times are expected ones, of clips and of answers; the first session has the welcome, the checks and the
training too. Sessions hold equally many trials, each a gold and a trap item in turn and its share of the controls, none
of them first. ITU-T P.800 asks for sessions of 20 minutes at best and never over 45.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.fault import Fault
from bench.listening.design import Kind, Session, Trial
from bench.listening.plan import Plan
from bench.listening.scale import Question

ANSWER = {"points": 6.0, "choice": 8.0, "text": 20.0, "slider": 10.0}  # seconds that an answer is expected to take
BEFORE, CHECK = 60.0, 8.0  # seconds of what comes before the first session, and of each trial of a check

Extras = Mapping[Kind, Sequence[Trial]]


def count(
    plan: Plan, questions: Sequence[Question], trials: Sequence[Trial], extras: Extras, seconds: Mapping[str, float]
) -> int:
    """The least number of sessions of which none is longer than planned. Raises Fault where there is none."""
    added = sum(max((_lasts(questions, [t], seconds) for t in extras[kind]), default=0.0) for kind in ("gold", "trap"))
    longest = 0.0
    for number in range(1, len(trials) + 1):
        parts = [
            _lasts(questions, [*(trials[n] for n in part), *extras["control"][turn::number]], seconds) + added
            for turn, part in enumerate(_dealt(len(trials), number))
        ]
        parts[0] += _begins(plan) + _lasts(questions, extras["training"], seconds)
        longest = max(parts)
        if longest <= plan.session_minutes:
            return number
    raise Fault(
        f"However the study is cut, a session takes {longest:.0f} minutes, and session_minutes allows "
        f"{plan.session_minutes:g}: take fewer training or control items, or shorter texts."
    )


def cut(
    plan: Plan,
    questions: Sequence[Question],
    trials: Sequence[Trial],
    extras: Extras,
    seconds: Mapping[str, float],
    *,
    number: int,
    listener: int,
    rng: np.random.Generator,
) -> tuple[Session, ...]:
    """The trials of a listener in so many sessions, with what stands between them."""
    controls = [extras["control"][place] for place in rng.permutation(len(extras["control"]))]
    sessions = []
    for turn, part in enumerate(_dealt(len(trials), number)):
        mixed = [trials[place] for place in part]
        added = controls[turn::number]
        for kind in ("gold", "trap"):
            deck = extras[kind]
            added += [deck[(listener + turn) % len(deck)]] if deck else []
        for trial in added:  # never the first thing of a session
            mixed.insert(int(rng.integers(1, len(mixed) + 1)), trial)
        mixed = [*extras["training"], *mixed] if turn == 0 else mixed
        named = tuple(trial.model_copy(update={"id": f"{turn}.{place}"}) for place, trial in enumerate(mixed))
        spent = _lasts(questions, named, seconds) + (0 if turn else _begins(plan))
        sessions.append(Session(minutes=round(spent, 1), trials=named))
    return tuple(sessions)


def _lasts(questions: Sequence[Question], trials: Sequence[Trial], seconds: Mapping[str, float]) -> float:
    """Minutes that trials are expected to take; of a panel each clip but the reference is answered."""
    asked = sum(ANSWER[question.answer] for question in questions)
    panel = questions[0].presentation == "panel"
    told = (sum(seconds[c] for c in t.clips) + asked * (len(t.clips) - 1 if panel else 1) for t in trials)
    return sum(told) / 60


def _begins(plan: Plan) -> float:
    """Minutes of the welcome and the checks, which come before the first session."""
    return (BEFORE + CHECK * (plan.checks.headphones + plan.checks.quiet)) / 60


def _dealt(trials: int, sessions: int) -> list[NDArray[np.intp]]:
    """The places of trials, cut into sessions of equally many."""
    return np.array_split(np.arange(trials), sessions)
