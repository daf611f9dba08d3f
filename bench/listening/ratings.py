"""What came back from listeners, checked against the design, and what is excluded with which reason.

Conventions: a return is the JSON file that a study page gives (`*.json`), or a server's journal (`*.jsonl`), a record a
line. A record names its design's sha256, its page's code and its participant (a random name that the page drew). A
vote is a row: one question about one clip or pair. Values of pairs are recoded so that a positive value says that
`condition`, which stands first in the design, is better than `against`. Nothing is dropped: a vote that does not
count keeps its row and says why in `excluded`. Experts are a panel of their own, never excluded and never pooled.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from bench import journal
from bench.fault import Fault
from bench.listening import page
from bench.listening.design import Design, Trial
from bench.listening.record import About, Checked, Finished, Introduced, Told, Vote, parse
from bench.listening.scale import Question

Entry = dict[str, Any]  # a record with the design, the page and the participant that it is of
Row = dict[str, Any]  # a line of a frame
VOTE = (
    "code", "participant", "panel", "locality", "familiarity", "session", "trial", "place", "kind", "question",
    "condition", "against", "segment", "value", "answer", "expected", "first", "seconds", "plays", "faults",
)  # fmt: skip
PERSON = (
    "code", "participant", "panel", "locality", "familiarity", "device", "native", "hearing", "recent",
    "headphones", "quiet", "finished",
)  # fmt: skip
EXCLUSION = ("level", "code", "session", "trial", "rule", "reason")


@dataclass(frozen=True, eq=False, slots=True)
class Ratings:
    """`votes`: a row a vote, with `excluded` (why, or ""). `people`: a row a participant, as they answered.

    `exclusions`: level (listener, session or vote), code, session, trial, rule, reason. `strays`: what could not be
    taken as a vote at all, each with its reason.
    """

    votes: pd.DataFrame
    people: pd.DataFrame
    exclusions: pd.DataFrame
    strays: pd.DataFrame


def read(paths: Iterable[Path]) -> Iterator[Entry]:
    """Every record of files or folders of returns, in order. Raises Fault for what is no return."""
    for path in paths:
        found = sorted(p for p in path.iterdir() if p.suffix in (".json", ".jsonl")) if path.is_dir() else [path]
        for file in found:
            if not file.is_file():
                raise Fault("There is no such file of ratings.", file=file)
            if file.suffix == ".jsonl":
                yield from journal.entries(file)
                continue
            try:
                held = json.loads(file.read_bytes())
                head = {key: held[key] for key in ("design", "code", "participant")}
                yield from [{**head, "record": record} for record in held["records"]]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise Fault(
                    f"This is not what a study page gives ({error!r}); ask for the file again.", file=file
                ) from None


def collect(design: Design, records: Iterable[Entry]) -> Ratings:
    """Votes, people and exclusions of returns. Raises Fault where a return belongs to another design."""
    kept: dict[tuple[str, str], dict[int, Told]] = {}
    strays: list[Row] = []
    for entry in records:
        if entry.get("design") != design.sha256:
            raise Fault(
                f"A return of page {entry.get('code')!r} belongs to the design {str(entry.get('design'))[:12]}, and "
                f"this one is {design.sha256[:12]}. Analyse it with the design that it was made under."
            )
        code, who = str(entry.get("code")), str(entry.get("participant"))
        if code not in design.places:
            raise Fault(f"A return names the page {code!r}, which this design has not.")
        told = parse(entry.get("record"))
        if told is None:
            strays.append({"code": code, "participant": who, "trial": "", "reason": "a record that is none"})
        else:
            kept.setdefault((code, who), {}).setdefault(told.seq, told)
    votes: list[Row] = []
    people: list[Row] = []
    exclusions: list[Row] = []
    taken: set[str] = set()
    for (code, who), by_number in kept.items():
        records_ = [by_number[number] for number in sorted(by_number)]
        person = _person(design, code, who, records_)
        if code in taken:
            strays += [{"code": code, "participant": who, "trial": "", "reason": "a second person on one page"}]
            continue
        taken.add(code)
        people.append(person)
        own = list(_votes(design, person, records_, strays))
        votes += own
        exclusions += judge(design, person, records_, own)
    frame = _excluded(pd.DataFrame(votes, columns=list(VOTE)), exclusions)
    return Ratings(
        frame,
        pd.DataFrame(people, columns=list(PERSON)),
        pd.DataFrame(exclusions, columns=list(EXCLUSION)),
        pd.DataFrame(strays, columns=["code", "participant", "trial", "reason"]),
    )


def _person(design: Design, code: str, who: str, told: list[Told]) -> Row:
    """What a participant said of themselves, the results of the checks, and the sessions that they finished."""
    answers = next((record.answers for record in reversed(told) if isinstance(record, Introduced)), About())
    checks = {name: f"{_right(design, told, name)} of {len(page.key(design, name))}" for name in page.SIDES}
    return {
        "code": code,
        "participant": who,
        "panel": "expert" if answers.expert else "blind",
        **answers.model_dump(exclude={"expert"}),
        **checks,
        "finished": sum(isinstance(record, Finished) for record in told),
    }


def _right(design: Design, told: list[Told], name: str) -> int:
    """How many trials of a check were answered rightly; one that was not done was not."""
    given = {r.n: r.answer for r in reversed(told) if isinstance(r, Checked) and r.name == name}
    return sum(given.get(n) == right for n, right in enumerate(page.key(design, name)))


def _votes(design: Design, person: Row, told: list[Told], strays: list[Row]) -> Iterator[Row]:
    trials = {t.id: (number, place, t) for number, s in enumerate(design.places[person["code"]].sessions)
              for place, t in enumerate(s.trials)}  # fmt: skip
    questions = {question.key: question for question in design.questions}
    seen: set[tuple[str, str]] = set()
    for record in (r for r in told if isinstance(r, Vote)):
        key = (record.trial, record.question)
        fault = "" if key[0] in trials and key[1] in questions else "no such trial or question"
        fault = fault or ("answered twice; the first answer counts" if key in seen else "")
        if not fault:
            seen.add(key)
            number, place, trial = trials[key[0]]
            rows = list(_answers(design, trial, questions[key[1]], record.value))
            fault = "" if rows else f"the answer {str(record.value)[:40]!r} is not on the scale"
        if fault:
            strays.append(
                {"code": person["code"], "participant": person["participant"], "trial": key[0], "reason": fault}
            )
            continue
        first = key[1] == design.questions[0].key  # the answers of gold and trap items are to the first question
        shared = {k: person[k] for k in ("code", "participant", "panel", "locality", "familiarity")}
        shared |= {"session": number, "trial": key[0], "place": place, "kind": trial.kind, "question": key[1]}
        shared |= {
            "segment": trial.segment,
            "expected": trial.expected if first else None,
            "seconds": record.answer_ms / 1000,
            "plays": sum(record.plays),
            "faults": "; ".join(record.faults),
        }
        yield from ({**shared, **row} for row in rows)


def _answers(design: Design, trial: Trial, question: Question, value: Any) -> Iterator[Row]:
    """The rows of an answer: condition, against, value, answer, first; none where it is not on the scale."""
    names = [design.clips[name].condition for name in trial.clips]
    plain: Row = {"condition": names[-1], "against": "", "answer": "", "first": ""}
    kind = question.answer
    if kind == "points" and isinstance(value, int) and value in question.points:
        if design.presentation != "pair":
            yield {**plain, "value": float(value)}
            return
        order = [condition.name for condition in design.conditions]
        first, second = names
        turned = first in order and second in order and order.index(first) < order.index(second)
        ends = (first, second) if turned else (second, first)
        recoded = -float(value) if turned else float(value)  # the page asks about the second clip
        yield {
            **plain,
            "condition": ends[0],
            "against": ends[1],
            "value": recoded + 0.0,
            "answer": value,
            "first": first,
        }
    elif kind == "text" and isinstance(value, str):
        yield {**plain, "value": float("nan"), "answer": value}
    elif kind == "choice" and isinstance(value, str) and (value in trial.options or value == ""):
        yield {**plain, "value": float(value == trial.right) if trial.right else float("nan"), "answer": value}
    elif kind == "slider" and isinstance(value, dict) and set(value) == set(trial.clips[1:]):
        scores = {name: score for name, score in value.items() if 0 <= score <= 100}
        for name, score in scores.items() if len(scores) == len(value) else ():
            yield {**plain, "condition": design.clips[name].condition, "value": float(score)}


def judge(design: Design, person: Row, told: list[Told], votes: list[Row]) -> Iterator[Row]:
    """The exclusions that the design declares, for one participant. Experts are judged too: their table says so."""
    rules, code = design.exclusions, person["code"]

    def out(level: str, rule: str, reason: str, session: Any = "", trial: str = "") -> Row:
        return {"level": level, "code": code, "session": session, "trial": trial, "rule": rule, "reason": reason}

    for name in page.SIDES if rules.checks else ():
        asked, right = getattr(design.checks, name), _right(design, told, name)
        if asked and right < (least := getattr(design.checks, f"{name}_right")):
            yield out("listener", "checks", f"{name} check: {right} of {asked} right, {least} needed")
    for rule, bad in (("native", False), ("hearing", False), ("recent", True)):
        if getattr(rules, rule) and person[rule] is bad:
            yield out("listener", rule, _SAID[rule])
    finished = {record.session for record in told if isinstance(record, Finished)}
    for number in sorted({vote["session"] for vote in votes}):
        own = [vote for vote in votes if vote["session"] == number]
        if rules.unfinished and number not in finished:
            yield out("session", "unfinished", "the session was not finished", number)
        for vote in own:
            if vote["expected"] is None:
                continue
            given = vote["answer"] if design.presentation == "pair" else vote["value"]
            apart = abs(given - vote["expected"])
            if vote["kind"] == "trap" and rules.trap and apart > 0:
                yield out(
                    "session", "trap", f"trap answered {given:g}, not {vote['expected']:g}", number, vote["trial"]
                )
            if vote["kind"] == "gold" and rules.gold_within is not None and apart > rules.gold_within:
                told_ = f"gold answered {given:g}, not within {rules.gold_within:g} of {vote['expected']:g}"
                yield out("session", "gold", told_, number, vote["trial"])
        for key in (question.key for question in design.questions if question.answer == "points"):
            given_ = Counter(v["answer"] or v["value"] for v in own if v["kind"] == "test" and v["question"] == key)
            if rules.straight_line and len(given_) == 1 and sum(given_.values()) >= rules.straight_line:
                yield out(
                    "session", "straight line", f"one answer to all {sum(given_.values())} items of {key}", number
                )
    for vote in votes:
        if rules.faltered and vote["faults"] and vote["kind"] == "test":
            yield out("vote", "faltered", f"playback: {vote['faults']}", vote["session"], vote["trial"])


_SAID = {
    "native": "does not speak the language as a native",
    "hearing": "reported hearing loss",
    "recent": "took part in a listening test in the last 7 days",
}


def _excluded(votes: pd.DataFrame, exclusions: list[Row]) -> pd.DataFrame:
    """The votes with the first reason that keeps each from counting, or ""."""
    reasons: dict[tuple[Any, ...], str] = {}
    for out in exclusions:
        key = {"listener": (out["code"],), "session": (out["code"], out["session"])}.get(out["level"])
        reasons.setdefault(key or (out["code"], out["session"], out["trial"]), f"{out['rule']}: {out['reason']}")
    keys = votes[["code", "session", "trial"]].itertuples(index=False, name=None)
    return votes.assign(excluded=[next((reasons[k[:n]] for n in (1, 2, 3) if k[:n] in reasons), "") for k in keys])
