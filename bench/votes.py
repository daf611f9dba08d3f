"""How several recognisers' answers about one target become a decision: rules as values.

Conventions: a *route* is one recogniser. It answers with the wrong and the right reading that its transcript holds,
which a rule first turns into that route's decision and then, over all routes, into one. A rule's `repr` is its name,
in tables, in files and on the command line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bench.fault import Fault

Decision = Literal["correct", "wrong", "unknown", "excluded"]

VOTES = ("majority", "unanimity", "plurality")
PUBLISHED_ROUTES = 3  # CN-NewsTTS Bench refuses fewer


@dataclass(frozen=True, slots=True, repr=False)
class Rule:
    """How the readings found become one decision. `repr` is its name: `majority=2`, `positive+unanimity+routes=1`.

    * `first`: where one transcript holds both a wrong and a right reading, which of them counts.
    * `vote`: `majority`: correct where at least `correct` routes say so, else wrong where at least `wrong` do;
      `unanimity`: what every route says; `plurality`: the more frequent of the two, routes that know nothing
      abstaining. All else is unknown.
    * `routes`: the least number of routes. Below three a result is marked as not comparable with the published.

    The default is the rule of CN-NewsTTS Bench v0.1, whose threshold stays two however many routes there are.
    """

    first: Literal["negative", "positive"] = "negative"
    vote: Literal["majority", "unanimity", "plurality"] = "majority"
    correct: int = 2
    wrong: int = 2
    routes: int = PUBLISHED_ROUTES

    def __post_init__(self) -> None:
        if self.first not in ("negative", "positive") or self.vote not in VOTES:
            raise Fault(f"A rule is negative or positive first and one of {', '.join(VOTES)}; found {self}.")
        if min(self.correct, self.wrong, self.routes) < 1:
            raise Fault(f"Thresholds and the number of routes are at least 1; found {self}.")
        if self.vote != "majority" and (self.correct, self.wrong) != (2, 2):
            raise Fault(f"Only a majority has thresholds; found {self.correct} and {self.wrong} with {self.vote}.")

    def __repr__(self) -> str:
        threshold = f"={self.correct}" if self.correct == self.wrong else f"={self.correct}/{self.wrong}"
        parts = [
            "positive" if self.first == "positive" else "",
            self.vote + (threshold if self.vote == "majority" else ""),
            f"routes={self.routes}" if self.routes != PUBLISHED_ROUTES else "",
        ]
        return "+".join(part for part in parts if part)

    @property
    def least(self) -> int:
        """The least number of routes with which the rule can decide."""
        return max(self.routes, self.correct, self.wrong) if self.vote == "majority" else self.routes

    def fit(self, routes: int) -> Rule:
        """This rule, with its thresholds and its least number of routes lowered to `routes` where they are above."""
        n = max(routes, 1)
        fitted = replace(self, routes=min(self.routes, n))
        if self.vote != "majority":
            return fitted
        return replace(fitted, correct=min(self.correct, n), wrong=min(self.wrong, n))

    def hear(self, negative: str, positive: str) -> tuple[Decision, str]:
        """One route's decision from the wrong and the right reading found ("" for none), and the one that made it."""
        order: tuple[tuple[Decision, str], ...] = (("wrong", negative), ("correct", positive))
        for decision, reading in order if self.first == "negative" else order[::-1]:
            if reading:
                return decision, reading
        return "unknown", ""

    def poll(self, decisions: Sequence[Decision]) -> Decision:
        """One decision from those of all routes."""
        correct, wrong = decisions.count("correct"), decisions.count("wrong")
        if self.vote == "majority":
            return "correct" if correct >= self.correct else "wrong" if wrong >= self.wrong else "unknown"
        if self.vote == "unanimity":
            return "correct" if correct == len(decisions) else "wrong" if wrong == len(decisions) else "unknown"
        return "correct" if correct > wrong else "wrong" if wrong > correct else "unknown"


PUBLISHED = Rule()


def rule(name: str) -> Rule:
    """The rule of that name, as `repr` writes it; `majority` reads as `majority=2`. Raises Fault."""
    fields: dict[str, str | int] = {}
    for part in name.replace(" ", "").split("+"):
        key, _, value = part.partition("=")
        numbers = value.split("/")
        if part in ("negative", "positive"):
            fields["first"] = part
        elif part in VOTES:
            fields["vote"] = part
        elif key == "majority" and len(numbers) <= 2 and all(map(str.isdecimal, numbers)):
            fields |= {"vote": key, "correct": int(numbers[0]), "wrong": int(numbers[-1])}
        elif key == "routes" and value.isdecimal():
            fields["routes"] = int(value)
        else:
            raise Fault(
                f"{part!r} in the rule {name!r} is not known; expected parts such as positive, majority=2, "
                "majority=2/1 (right/wrong), unanimity, plurality or routes=1, joined by +."
            )
    return Rule(**fields)  # type: ignore[arg-type]  # the keys above are the fields, with their types
