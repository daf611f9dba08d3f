"""How far a leaderboard of target decisions can be trusted, as tidy tables.

Conventions: every function takes `Evidence` (what the transcripts hold) or `Scores` (what a rule made of it) and
returns a pandas frame with one observation a row, in the order of its input. Only auto-evaluable targets are counted.
Units of resampling are the targets' spans (`span`, the default: texts made from templates repeat them) or the
segments (`record`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Literal

import pandas as pd

from bench import targets
from bench.fault import Fault
from bench.targets import PUBLISHED, Evidence, Result, Rule, Scores

Unit = Literal["span", "record"]

RULES = tuple(map(targets.rule, ("majority=2", "positive+majority=2", "majority=1", "plurality", "unanimity")))


def unit(result: Result, unit: Unit) -> str:
    """The name of the unit that a result belongs to."""
    return result.target.span if unit == "span" else result.segment.id


def counts(scores: Sequence[Scores], unit_of: Unit = "span", *, category: str | None = None) -> pd.DataFrame:
    """Per-unit sums for resampling: index = unit in code-point order, columns = (system, correct | wrong | targets).

    Sums over the rows are the systems' counts. Raises Fault where the systems were not asked the same targets.
    """
    asked = [[(result.segment.id, result.target.id) for result in one.results] for one in scores]
    if any(other != asked[0] for other in asked[1:]):
        raise Fault("The systems were not asked the same targets; score them over one dataset.")
    columns = {}
    for one in scores:
        sums = targets.breakdown(
            (result for result in one.results if category is None or result.target.category == category),
            lambda result: unit(result, unit_of),
        )
        for measure in ("correct", "wrong", "targets"):
            columns[one.system, measure] = {name: getattr(part, measure) for name, part in sums.items()}
    return pd.DataFrame(columns, dtype="int64").rename_axis(index=unit_of, columns=["system", "measure"])


def sensitivity(evidence: Sequence[Evidence], rules: Iterable[Rule] = RULES) -> pd.DataFrame:
    """The board under every rule with all routes, and under each route alone: a row a (rule, routes, system).

    Columns: rule, routes (joined by +), system, rank, was (its rank under the first rule), correct, wrong, unknown,
    strict, coverage.
    """
    boards = [(rule, evidence) for rule in rules]
    names = sorted({route for one in evidence for route in one.routes})
    if len(names) > 1:
        alone = Rule(correct=1, wrong=1, routes=1)
        boards += [(alone, [targets.only(one, [name]) for one in evidence]) for name in names]
    rows = []
    was: dict[str, int] = {}
    for rule, heard in boards:
        scores = sorted((targets.decide(one, rule) for one in heard), key=targets.standing)
        for rank, one in enumerate(scores, start=1):
            number = one.counts
            rows.append(
                {
                    "rule": repr(rule),
                    "routes": "+".join(one.routes),
                    "system": one.system,
                    "rank": rank,
                    "was": was.setdefault(one.system, rank),
                    "correct": number.correct,
                    "wrong": number.wrong,
                    "unknown": number.unknown,
                    "strict": number.strict,
                    "coverage": number.coverage,
                }
            )
    return pd.DataFrame(rows)


def agreement(scores: Sequence[Scores]) -> pd.DataFrame:
    """How often two routes decide alike: a row a (system, pair of routes).

    Columns: system, route, other, targets, alike (both decide the same, unknown included), decides (the vote is what
    the pair says where it is alike, else unknown: where this nears `targets`, further routes hardly matter), share
    (alike of targets).
    """
    rows = []
    for one in scores:
        judged = [result for result in one.results if result.target.auto_evaluable]
        for a, b in combinations(range(len(one.routes)), 2):
            pairs = [(result.decisions[a], result.decisions[b], result.decision) for result in judged]
            alike = sum(first == second for first, second, _ in pairs)
            rows.append(
                {
                    "system": one.system,
                    "route": one.routes[a],
                    "other": one.routes[b],
                    "targets": len(pairs),
                    "alike": alike,
                    "decides": sum(vote == (first if first == second else "unknown") for first, second, vote in pairs),
                    "share": alike / len(pairs) if pairs else 0.0,
                }
            )
    return pd.DataFrame(rows)


def written(evidence: Sequence[Evidence], rule: Rule = PUBLISHED) -> pd.DataFrame:
    """Which route writes spans as they are written (`3.5%`, `F-35`), so that no reading can be told from it.

    A row a (system, route): targets, unknown (the route decided nothing), written (of these, the transcript holds the
    written form), share (written of unknown).
    """
    rows = []
    for one in evidence:
        for n, route in enumerate(one.routes):
            findings = [
                heard[n]
                for question, heard in zip(one.questions, one.findings, strict=True)
                if question.target.auto_evaluable
            ]
            unknown = [finding for finding in findings if rule.hear(finding)[0] == "unknown"]
            forms = sum(finding.written for finding in unknown)
            rows.append(
                {
                    "system": one.system,
                    "route": route,
                    "targets": len(findings),
                    "unknown": len(unknown),
                    "written": forms,
                    "share": forms / len(unknown) if unknown else 0.0,
                }
            )
    return pd.DataFrame(rows)


def readings(scores: Sequence[Scores]) -> pd.DataFrame:
    """The exact reading that each route's transcript was found to hold: a row a (system, target, route).

    Columns: system, segment, target, span, category, vote, route, decision, matched (folded; "" for unknown).
    """
    rows = [
        (one.system, result.segment.id, *_about(result), result.decision, route, decision, matched)
        for one in scores
        for result in one.results
        for route, decision, matched in zip(one.routes, result.decisions, result.matched, strict=True)
    ]
    columns = ["system", "segment", "target", "span", "category", "vote", "route", "decision", "matched"]
    return pd.DataFrame(rows, columns=columns)


def _about(result: Result) -> tuple[str, str, str]:
    return result.target.id, result.target.span, result.target.category
