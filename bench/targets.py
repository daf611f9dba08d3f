"""Targets: spans with readings known to be right and to be wrong, looked for in the transcripts of several routes.

A target asks one narrow question of a system: was this span read in a way that is known to be right, or in a way
that is known to be wrong? Each route (a recogniser) answers for itself, and a rule turns the answers into one
decision. Finding is apart from deciding: `find` writes down which readings each transcript holds, `decide` applies
a `Rule` to that, so that any number of rules costs one search.

Entity accuracy (`bench.score.entities`) asks the same of a typed span, and `targets` makes targets of spans, so that a
text set needs only one of the two. They differ in how they answer, which says when to use which. An entity is looked
for where it stands: one transcript is verbalised (`750` becomes its words) and aligned with the accepted readings, and
the span is right or not; it is an error rate of a recognised system, kept beside the WER. A target is looked for
anywhere in the transcripts of several recognisers, as they wrote it: digits say nothing of how they were read, readings
known to be wrong are told apart from what was not understood, and a vote decides. Words (not digits) that are right as
an entity are correct as a target for that recogniser; a target may also be so by words that stand elsewhere.

Conventions: a reading is found where its folded form is a substring of the folded transcript; position and count do
not matter. `fold` is the folding of CN-NewsTTS Bench v0.1; for languages that write spaces, `words` makes a folding
that finds whole words only. Segments go by id, targets in file order. Counts add; rates are computed once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bench.fault import Fault
from bench.formats.newstts import fold
from bench.segment import Segment, Target
from bench.votes import PUBLISHED, PUBLISHED_ROUTES, Decision, Rule

Fold = Callable[[str], str]
Transcripts = Mapping[str, Mapping[str, str]]  # segment id -> route -> text


def words(normalise: Fold) -> Fold:
    """A folding for languages that write spaces: a reading is found as whole words of the normalised transcript."""

    def fold_words(text: str) -> str:
        tokens = normalise(text).split()
        return f" {' '.join(tokens)} " if tokens else ""

    return fold_words


# --------------------------------------------------------------------------------------------- finding and deciding


@dataclass(frozen=True, slots=True)
class Finding:
    """The longest wrong and the longest right reading that one transcript holds, folded; "" for none."""

    negative: str
    positive: str
    written: bool  # the transcript holds the span as it is written, so that no reading can be told from it


@dataclass(frozen=True, slots=True)
class Question:
    """A target of a segment with its folded readings, longest first and equal lengths in code-point order."""

    segment: Segment
    target: Target
    negative: tuple[str, ...]
    positive: tuple[str, ...]
    span: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the transcripts of one system hold: for every question, one finding a route in the order of `routes`."""

    system: str
    routes: tuple[str, ...]
    questions: tuple[Question, ...]
    findings: tuple[tuple[Finding, ...], ...]


def targets(segment: Segment) -> tuple[Target, ...]:
    """The segment's targets; where it has none, its spans as targets whose right readings are the accepted ones."""
    if segment.targets:
        return segment.targets
    return tuple(
        Target(f"{segment.id}_t{n}", span.text, -1, -1, span.type, "other", (span.text, *span.alternatives), ())
        for n, span in enumerate(segment.spans, start=1)
    )


def questions(segments: Iterable[Segment], fold: Fold = fold) -> tuple[Question, ...]:
    """Every target of every segment, by segment id, folded once for all systems."""

    def folded(readings: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            sorted({fold(reading) for reading in readings} - {""}, key=lambda reading: (-len(reading), reading))
        )

    return tuple(
        Question(segment, target, folded(target.negative), folded(target.positive), fold(target.span))
        for segment in sorted(segments, key=lambda segment: segment.id)
        for target in targets(segment)
    )


def find(asked: Sequence[Question], transcripts: Transcripts, *, system: str, fold: Fold = fold) -> Evidence:
    """Look for every reading in the transcripts of one system.

    The routes are those of all its transcripts, sorted; a route that a segment lacks heard nothing there. Raises
    Fault where a segment of `asked` has no transcript.
    """
    routes = tuple(sorted({route for texts in transcripts.values() for route in texts}))
    missing = sorted({question.segment.id for question in asked} - transcripts.keys())
    if missing:
        raise Fault(
            f"System {system} has no transcript of {len(missing)} segments, the first {', '.join(missing[:5])}; "
            "every segment of the dataset needs one."
        )
    heard: dict[str, tuple[str, ...]] = {}
    findings = []
    for question in asked:
        segment = question.segment.id
        if segment not in heard:
            heard[segment] = tuple(fold(transcripts[segment].get(route, "")) for route in routes)
        findings.append(
            tuple(
                Finding(
                    next((reading for reading in question.negative if reading in text), ""),
                    next((reading for reading in question.positive if reading in text), ""),
                    bool(question.span) and question.span in text,
                )
                for text in heard[segment]
            )
        )
    return Evidence(system, routes, tuple(asked), tuple(findings))


def only(evidence: Evidence, routes: Sequence[str]) -> Evidence:
    """The evidence of some of its routes, in the order given. Raises Fault for a route that it does not have."""
    if absent := [route for route in routes if route not in evidence.routes]:
        raise Fault(f"System {evidence.system} has no route {absent[0]!r}; it has {', '.join(evidence.routes)}.")
    at = [evidence.routes.index(route) for route in routes]
    findings = tuple(tuple(heard[n] for n in at) for heard in evidence.findings)
    return replace(evidence, routes=tuple(routes), findings=findings)


@dataclass(frozen=True, slots=True)
class Result:
    """One target of one system: every route's decision with the reading that made it, and the vote."""

    segment: Segment
    target: Target
    decisions: tuple[Decision, ...]
    matched: tuple[str, ...]
    decision: Decision

    @property
    def disagreement(self) -> bool:
        """Whether the routes differ, an unknown being an answer of its own; never for an excluded target."""
        return self.target.auto_evaluable and len(set(self.decisions)) > 1


@dataclass(frozen=True, slots=True)
class Scores:
    """All targets of one system under one rule."""

    system: str
    routes: tuple[str, ...]
    rule: Rule
    results: tuple[Result, ...]

    @property
    def published(self) -> bool:
        """Whether the decisions are those of the published protocol: its rule, over at least its three routes."""
        return self.rule == PUBLISHED and len(self.routes) >= PUBLISHED_ROUTES

    @property
    def counts(self) -> Counts:
        return total(self.results)


def decide(evidence: Evidence, rule: Rule = PUBLISHED) -> Scores:
    """Apply a rule. Raises Fault where there are fewer routes than the rule, or its thresholds, ask for."""
    found = len(evidence.routes)
    if found < rule.least:
        raise Fault(
            f"System {evidence.system} has {found} route{'' if found == 1 else 's'} "
            f"({', '.join(evidence.routes) or 'none'}); the rule {rule} needs at least {rule.least}. "
            f"Add transcripts of other recognisers, or take the rule {rule.fit(found)}, whose results are marked."
        )
    results = []
    for question, findings in zip(evidence.questions, evidence.findings, strict=True):
        heard = [rule.hear(finding.negative, finding.positive) for finding in findings]
        decisions = tuple(decision for decision, _ in heard)
        voted = rule.poll(decisions) if question.target.auto_evaluable else "excluded"
        results.append(
            Result(question.segment, question.target, decisions, tuple(reading for _, reading in heard), voted)
        )
    return Scores(evidence.system, evidence.routes, rule, tuple(results))


def ranked(evidence: Iterable[Evidence], rule: Rule = PUBLISHED) -> tuple[Scores, ...]:
    """The systems under a rule, best first: the board. Raises Fault as `decide` does."""
    return tuple(sorted((decide(one, rule) for one in evidence), key=standing))


# ---------------------------------------------------------------------------------------------------------- counts


@dataclass(frozen=True, slots=True)
class Counts:
    """How many targets were decided which way. Counts add; the rates are 0.0 where they have no denominator."""

    targets: int = 0
    correct: int = 0
    wrong: int = 0
    disagreements: int = 0
    excluded: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.targets + other.targets,
            self.correct + other.correct,
            self.wrong + other.wrong,
            self.disagreements + other.disagreements,
            self.excluded + other.excluded,
        )

    @property
    def unknown(self) -> int:
        return self.targets - self.correct - self.wrong

    @property
    def strict(self) -> float:
        """Correct of all targets: an unknown counts against the system."""
        return _ratio(self.correct, self.targets)

    @property
    def resolved(self) -> float:
        """Correct of those decided."""
        return _ratio(self.correct, self.correct + self.wrong)

    @property
    def coverage(self) -> float:
        """Decided of all targets."""
        return _ratio(self.correct + self.wrong, self.targets)

    @property
    def unknown_rate(self) -> float:
        return _ratio(self.unknown, self.targets)

    @property
    def disagreement_rate(self) -> float:
        return _ratio(self.disagreements, self.targets)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def total(results: Iterable[Result]) -> Counts:
    """The counts of results; targets that are not auto-evaluable are only counted as excluded."""
    targets = correct = wrong = disagreements = excluded = 0
    for result in results:
        if result.target.auto_evaluable:
            targets += 1
            correct += result.decision == "correct"
            wrong += result.decision == "wrong"
            disagreements += result.disagreement
        else:
            excluded += 1
    return Counts(targets, correct, wrong, disagreements, excluded)


def breakdown(results: Iterable[Result], key: Callable[[Result], str]) -> dict[str, Counts]:
    """Counts for every value of `key` that an auto-evaluable target has, in code-point order."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        if result.target.auto_evaluable:
            groups.setdefault(key(result), []).append(result)
    return {name: total(groups[name]) for name in sorted(groups)}


def domain(result: Result) -> str:
    return str(result.segment.strata.get("domain", ""))


BREAKDOWNS: Mapping[str, Callable[[Result], str]] = {
    "category": lambda result: result.target.category,
    "group": lambda result: result.target.group,
    "domain": domain,
}


def standing(scores: Scores) -> tuple[float, float, float, str]:
    """The sorting key of a board: strict accuracy, then coverage, then unknown rate (all to six digits), then name."""
    counts = scores.counts
    return -round(counts.strict, 6), -round(counts.coverage, 6), round(counts.unknown_rate, 6), scores.system
