"""How far a leaderboard of target decisions can be trusted, as tidy tables.

Conventions: every function takes `Evidence` (what the transcripts hold) or `Scores` (what a rule made of it) and
returns a pandas frame with one observation a row, in the order of its input. Only auto-evaluable targets are counted.
Units of resampling are the targets' spans (`span`, the default: texts made from templates repeat them, and a system
reads a span alike wherever it stands) or the segments (`record`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import pandas as pd

from bench import inference, targets
from bench.fault import Fault
from bench.inference import Comparison
from bench.inference.comparison import REPLICATES, SEED
from bench.inference.estimate import estimates
from bench.inference.sums import WHOLE, collect
from bench.targets import Evidence, Result, Scores
from bench.votes import PUBLISHED, Rule

Unit = Literal["span", "record"]
Part = Literal["category", "group", "domain"]

RULES = (
    PUBLISHED,
    Rule(first="positive"),
    Rule(correct=1, wrong=1),
    Rule(vote="plurality"),
    Rule(vote="unanimity"),
)


def rows(scores: Sequence[Scores]) -> pd.DataFrame:
    """Every auto-evaluable target of every system, in the form that `bench.inference.compare` reads.

    Columns: system, segment (record and target), record, span, category, group, domain, and 0 or 1 for correct,
    wrong and decided. Raises Fault where the systems were not asked the same targets.
    """
    asked = [[(result.segment.id, result.target.id) for result in one.results] for one in scores]
    if any(other != asked[0] for other in asked[1:]):
        raise Fault("The systems were not asked the same targets; score them over one dataset.")
    table = [
        {
            "system": one.system,
            "segment": f"{result.segment.id} {result.target.id}",
            "record": result.segment.id,
            "span": result.target.span,
            **{name: key(result) for name, key in targets.BREAKDOWNS.items()},
            "correct": int(result.decision == "correct"),
            "wrong": int(result.decision == "wrong"),
            "decided": int(result.decision in ("correct", "wrong")),
        }
        for one in scores
        for result in one.results
        if result.target.auto_evaluable
    ]
    if not table:
        raise Fault("None of the targets can be judged automatically; there is nothing to compare.")
    return pd.DataFrame(table)


def counts(scores: Sequence[Scores], unit: Unit = "span") -> pd.DataFrame:
    """Per-unit sums: index = unit in code-point order, columns = (system, correct | wrong | targets).

    Sums over the rows are the systems' counts. Raises Fault where the systems were not asked the same targets.
    """
    table = rows(scores).assign(targets=1)
    sums = table.pivot_table(index=unit, columns="system", values=["correct", "wrong", "targets"], aggfunc="sum")
    ordered = [(one.system, measure) for one in scores for measure in ("correct", "wrong", "targets")]
    return sums.swaplevel(axis="columns")[ordered].rename_axis(columns=["system", "measure"])


def compare(
    scores: Sequence[Scores],
    unit: Unit = "span",
    *,
    measure: Literal["correct", "decided"] = "correct",
    by: Part | None = None,
    seed: int = SEED,
    B: int = REPLICATES,
) -> Comparison:
    """Rates with intervals, paired tests, ranks and ties of strict accuracy, or of coverage (`decided`).

    The whole comes first, then a stratum for each value of `by`. Fewer than 50 units are grey: no letters.
    """
    return _compare(rows(scores), unit, measure=measure, by=by, seed=seed, B=B)


def _compare(
    table: pd.DataFrame, unit: Unit, *, measure: str = "correct", by: Part | None, seed: int, B: int
) -> Comparison:
    return inference.compare(
        table.assign(cluster=table[unit]),
        by=(),
        unit="cluster",
        errors=measure,
        words=None,
        better="higher",
        metric="target accuracy" if measure == "correct" else "coverage",
        strata=() if by is None else ((by,),),
        seed=seed,
        B=B,
    )


def _ends(
    table: pd.DataFrame, unit: Unit, *, measure: str = "correct", by: Part | None, seed: int, B: int
) -> pd.DataFrame:
    """The intervals that `_compare` gives, without its tests: index = (stratum, system), columns lo and hi."""
    sums = collect(
        table.assign(cluster=table[unit]),
        by=(),
        unit="cluster",
        errors=measure,
        words=None,
        strata=() if by is None else ((by,),),
    )
    ends = {
        (one.slice.stratum, system): (interval.lo, interval.hi)
        for one in estimates(sums, seed=seed, replicates=B, tests=False)
        for system, interval in zip(one.slice.systems, one.interval, strict=True)
    }
    return pd.DataFrame.from_dict(ends, orient="index", columns=["lo", "hi"]).set_axis(
        pd.MultiIndex.from_tuples(ends, names=["stratum", "system"])
    )


def board(scores: Sequence[Scores], *, by: Part | None = None, seed: int = SEED, B: int = REPLICATES) -> pd.DataFrame:
    """The leaderboard and what it establishes: a row a (part, system), part "all" first, then the values of `by`.

    Columns: part, rank (by strict accuracy, then coverage), system, targets, correct, wrong, unknown, strict,
    resolved (nan where nothing is decided), coverage, unknown_rate, disagreement_rate, routes (their number),
    published (the published rule over at least three routes); of strict accuracy lo and hi by span, method, n (spans),
    grey (too few spans to tell systems apart), rank_lo and rank_hi (what the tests leave open), letters (systems that
    share one are tied), record_lo and record_hi (the interval by record); coverage_lo and coverage_hi.
    """
    how: dict[str, Any] = {"by": by, "seed": seed, "B": B}
    key, judged = ["stratum", "system"], rows(scores)
    known = _compare(judged, "span", **how).rates.set_index(key)
    known = known[["lo", "hi", "method", "n", "grey", "rank_lo", "rank_hi", "letters"]]
    known = known.join(_ends(judged, "record", **how).add_prefix("record_"))
    known = known.join(_ends(judged, "span", measure="decided", **how).add_prefix("coverage_"))
    table = []
    for stratum, part, results in _parts(scores, by):
        ranked = sorted((replace(one, results=results[one.system]) for one in scores), key=targets.standing)
        for rank, one in enumerate(ranked, start=1):
            number = one.counts
            table.append(
                {
                    "stratum": stratum,
                    "part": part,
                    "rank": rank,
                    "system": one.system,
                    "targets": number.targets,
                    "correct": number.correct,
                    "wrong": number.wrong,
                    "unknown": number.unknown,
                    "strict": number.strict,
                    "resolved": number.resolved if number.correct + number.wrong else math.nan,
                    "coverage": number.coverage,
                    "unknown_rate": number.unknown_rate,
                    "disagreement_rate": number.disagreement_rate,
                    "routes": len(one.routes),
                    "published": one.published,
                }
            )
    return pd.DataFrame(table).join(known, on=key).drop(columns="stratum")


def _parts(scores: Sequence[Scores], by: Part | None) -> Iterator[tuple[str, str, dict[str, tuple[Result, ...]]]]:
    """The name of each stratum in a comparison, that of the part, and its results by system; the whole first."""
    yield WHOLE, WHOLE, {one.system: one.results for one in scores}
    if by is None:
        return
    key = targets.BREAKDOWNS[by]
    for part in targets.breakdown(scores[0].results, key):
        yield (
            f"{by}={part}",
            part,
            {one.system: tuple(result for result in one.results if key(result) == part) for one in scores},
        )


def sensitivity(evidence: Sequence[Evidence], rules: Iterable[Rule] = RULES) -> pd.DataFrame:
    """The board under every rule with all routes, and under each route alone: a row a (rule, routes, system).

    A rule that asks for more routes than there are is fitted to their number, as its name then says. Columns: rule,
    routes (joined by +), system, rank, was (its rank under the first rule), correct, wrong, unknown, strict, coverage.
    """
    fewest = min((len(one.routes) for one in evidence), default=0)
    boards = [(rule, evidence) for rule in dict.fromkeys(rule.fit(fewest) for rule in rules)]
    names = sorted({route for one in evidence for route in one.routes})
    if len(names) > 1:
        alone = Rule(correct=1, wrong=1, routes=1)
        boards += [(alone, [targets.only(one, [name]) for one in evidence if name in one.routes]) for name in names]
    table = []
    was: dict[str, int] = {}
    for rule, heard in boards:
        scores = targets.ranked(heard, rule)
        for rank, one in enumerate(scores, start=1):
            number = one.counts
            table.append(
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
    return pd.DataFrame(table)


def agreement(scores: Sequence[Scores]) -> pd.DataFrame:
    """How often two routes decide alike: a row a (system, pair of routes).

    Columns: system, route, other, targets, alike (both decide the same, unknown included), decides (the vote is what
    the pair says where it is alike, else unknown: where this nears `targets`, further routes hardly matter), share
    (alike of targets).
    """
    table = []
    for one in scores:
        judged = [result for result in one.results if result.target.auto_evaluable]
        for a, b in combinations(range(len(one.routes)), 2):
            pairs = [(result.decisions[a], result.decisions[b], result.decision) for result in judged]
            alike = sum(first == second for first, second, _ in pairs)
            table.append(
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
    return pd.DataFrame(table)


def written(evidence: Sequence[Evidence], rule: Rule = PUBLISHED) -> pd.DataFrame:
    """Which route writes spans as they are written (`3.5%`, `F-35`), so that no reading can be told from it.

    A row a (system, route): targets, unknown (the route decided nothing), written (of these, the transcript holds the
    written form), share (written of unknown).
    """
    table = []
    for one in evidence:
        for n, route in enumerate(one.routes):
            findings = [
                heard[n]
                for question, heard in zip(one.questions, one.findings, strict=True)
                if question.target.auto_evaluable
            ]
            unknown = [finding for finding in findings if rule.hear(finding.negative, finding.positive)[0] == "unknown"]
            forms = sum(finding.written for finding in unknown)
            table.append(
                {
                    "system": one.system,
                    "route": route,
                    "targets": len(findings),
                    "unknown": len(unknown),
                    "written": forms,
                    "share": forms / len(unknown) if unknown else 0.0,
                }
            )
    return pd.DataFrame(table)


def readings(scores: Sequence[Scores]) -> pd.DataFrame:
    """The exact reading that each route's transcript was found to hold: a row a (system, target, route).

    Columns: system, segment, target, span, category, vote, route, decision, matched (folded; "" for unknown).
    """
    table = [
        {
            "system": one.system,
            "segment": result.segment.id,
            "target": result.target.id,
            "span": result.target.span,
            "category": result.target.category,
            "vote": result.decision,
            "route": route,
            "decision": decision,
            "matched": matched,
        }
        for one in scores
        for result in one.results
        for route, decision, matched in zip(one.routes, result.decisions, result.matched, strict=True)
    ]
    return pd.DataFrame(table)
