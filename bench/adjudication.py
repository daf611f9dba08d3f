"""What people say where a recogniser and the reference part: verdicts, and the rates that follow from them.

Conventions: a verdict is about one row, a take as one recogniser heard it through one channel. Verdicts are appended to
the run's verdicts.jsonl and never changed; of several about one row the last one holds. The adjudicated transcript
stands in for the side that was wrong: for the recogniser's transcript where the system was right or the recogniser
wrong, for the reference where the reference was wrong. An unclear row is counted and changes nothing. Adjudicated
rates are over the adjudicated rows alone, whose number stands beside them; those rows were chosen, not drawn, so that
they have no interval and say nothing of the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, get_args

import pandas as pd

from bench import caveat
from bench import run as runs
from bench.fault import Fault
from bench.journal import Entry, Journal, entries
from bench.part import Part, Prose, Table
from bench.protocol import Case
from bench.run import Run
from bench.score import score
from bench.segment import Segment

Kind = Literal["system right", "recogniser wrong", "reference wrong", "unclear"]
KINDS: tuple[str, ...] = get_args(Kind)
ROW = ["system", "voice", "track", "segment", "take", "channel", "recogniser"]
ERRORS = ["substitutions", "deletions", "insertions"]
HEADINGS = {"before": "as scored", "after": "adjudicated", "system_right": "system right"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judgement of one row. `text` is what was said, in words; where the system was right, or nobody can tell, it
    may be empty."""

    case: Case
    channel: str
    recogniser: str
    verdict: Kind
    text: str
    who: str
    when: str
    note: str = ""


def now() -> str:
    """The time of a verdict: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def record(run: Run, verdict: Verdict) -> None:
    """Append a verdict to the run's verdicts.jsonl.

    Raises Fault where the run has no such row, nobody's name stands under the verdict, its kind is unknown, or the
    adjudicated transcript is missing where the verdict needs one.
    """
    known = run.channels(), [part.name for part in run.protocol.recognisers]
    if verdict.case not in run.expected() or verdict.channel not in known[0] or verdict.recogniser not in known[1]:
        raise Fault(f"The run has no row {_named(verdict)}; a verdict is about a row of the run.", file=run.path)
    if verdict.verdict not in KINDS:
        raise Fault(f"The verdict is {verdict.verdict!r}; expected one of {', '.join(KINDS)}.")
    if not verdict.who.strip():
        raise Fault("The verdict has no name under it; say who judged.")
    if verdict.verdict in ("recogniser wrong", "reference wrong") and not verdict.text.strip():
        raise Fault(f"A verdict {verdict.verdict!r} needs the adjudicated transcript: what was said, in words.")
    fields = {name: value for name, value in asdict(verdict).items() if name != "case"}
    with runs.locked(run), Journal(run.path / "verdicts.jsonl") as log:
        log.append({**runs.fields(verdict.case), **fields})


def verdicts(run: Run) -> list[Verdict]:
    """The verdict that holds on each row, in the order in which the rows were first judged."""
    held: dict[tuple[Case, str, str], Verdict] = {}
    for entry in entries(run.path / "verdicts.jsonl"):
        verdict = _read(entry)
        held[verdict.case, verdict.channel, verdict.recogniser] = verdict
    return list(held.values())


def adjudicate(run: Run, scores: pd.DataFrame, held: Iterable[Verdict]) -> pd.DataFrame:
    """The rows of `scores` that a verdict decides, with `verdict`, `adjudicated` (the text) and their counts both ways.

    `scores` are those of one normaliser. `errors` and `words` are as they were scored; `adjudicated_errors` and
    `adjudicated_words` those of the adjudicated transcript under the same rule. Unclear rows are left out.
    """
    clear = {_key(verdict): verdict for verdict in held if verdict.verdict != "unclear"}
    keys = scores[ROW].itertuples(index=False, name=None)
    decided = {at: clear[key] for at, key in enumerate(keys) if key in clear}
    rows = scores.iloc[list(decided)]
    segments = {segment.id: segment for segment in run.frozen.chosen}
    made: list[Segment] = []  # a segment a row, since the text of a row may stand in for its reference
    heard: list[tuple[str | None, str | None]] = []  # transcript, cause
    for transcript, cause, verdict in zip(rows["transcript"], rows["cause"], decided.values(), strict=True):
        segment = replace(segments[verdict.case.segment], id=str(len(made)))
        if verdict.verdict == "reference wrong":
            made.append(replace(segment, text=verdict.text, spoken=verdict.text, lattice=None, spans=()))
            heard.append((transcript, cause))
        else:
            made.append(segment)
            heard.append((verdict.text, None))
    again = rows.assign(segment=[segment.id for segment in made])
    again[["transcript", "cause"]] = pd.DataFrame(heard, rows.index, ["transcript", "cause"], dtype=object)
    if made:
        again = score(again, made, language=run.protocol.language, normaliser=str(rows["normaliser"].iloc[0]))
    kinds = [verdict.verdict for verdict in decided.values()]
    right = pd.Series(kinds, rows.index, dtype=object) == "system right"  # an accepted reading was said, any of them
    return rows.assign(
        errors=rows[ERRORS].sum(axis=1),
        verdict=kinds,
        adjudicated=[verdict.text for verdict in decided.values()],
        adjudicated_errors=again[ERRORS].sum(axis=1).to_numpy(int) * ~right.to_numpy(bool),
        adjudicated_words=again["words"].to_numpy(),
    )


def rates(decided: pd.DataFrame) -> pd.DataFrame:
    """A row a system, track, channel and recogniser: the number of verdicts, how many of each kind, and the word error
    rate of the adjudicated rows as they were scored (`before`) and adjudicated (`after`).

    Takes of a segment that were both judged count each; a rate over no words is undefined (NaN).
    """
    found = []
    by = ["system", "track", "channel", "recogniser"]
    for family, part in decided.groupby(by, sort=False):
        row: dict[str, Any] = {**dict(zip(by, family, strict=True)), "verdicts": len(part)}
        row["before"] = _rate(part["errors"].sum(), part["words"].sum())
        row["after"] = _rate(part["adjudicated_errors"].sum(), part["adjudicated_words"].sum())
        row |= {kind.replace(" ", "_"): int((part["verdict"] == kind).sum()) for kind in KINDS[:-1]}
        found.append(row)
    columns = [*by, "verdicts", "before", "after", *(kind.replace(" ", "_") for kind in KINDS[:-1])]
    return pd.DataFrame(found, columns=columns)


def parts(run: Run, scores: pd.DataFrame, *, signature: str) -> list[Part]:
    """Human-adjudicated word error rates beside those of the same rows as scored; nothing without a verdict."""
    held = verdicts(run)
    if not held:
        return []
    decided = adjudicate(run, scores, held)
    unclear = sum(verdict.verdict == "unclear" for verdict in held)
    who = len({verdict.who for verdict in held})
    told = (
        f"{len(held)} {'verdict' if len(held) == 1 else 'verdicts'} by {who} {'person' if who == 1 else 'people'}, "
        f"{unclear} of them unclear. These rows were chosen, not drawn: the rates say what the verdicts change on "
        "them, and nothing about the rest."
    )
    signed = f"WER|human-adjudicated:{len(decided)}|{signature}"
    notes = {_key(verdict): (verdict.who, verdict.note) for verdict in held}
    said = [notes[key] for key in decided[ROW].itertuples(index=False, name=None)]
    columns = ["system", "segment", "verdict", "adjudicated", "hypothesis", "errors", "adjudicated_errors"]
    listed = decided[[*columns, "track", "channel", "recogniser"]]
    listed = listed.assign(who=[who for who, _ in said], note=[note for _, note in said])
    table = rates(decided)
    if len(run.protocol.tracks) == 1:
        table, listed = (frame.drop(columns="track") for frame in (table, listed))
    return [
        Prose(f"# Human-adjudicated\n\n{told}"),
        *(
            [
                Table(
                    table,
                    "Word error rate of the adjudicated rows",
                    {"before": ".1%", "after": ".1%"},
                    HEADINGS,
                    {"before": signed, "after": signed},
                    conflict=caveat.conflict(run),
                ),
                Table(listed, "Verdicts", names={"hypothesis": "heard", "adjudicated": "adjudicated transcript"}),
            ]
            if len(decided)
            else []
        ),
    ]


def _key(verdict: Verdict) -> tuple[Any, ...]:
    case = verdict.case
    return (case.system, case.voice, case.track, case.segment, case.take, verdict.channel, verdict.recogniser)


def _named(verdict: Verdict) -> str:
    return " / ".join(map(str, _key(verdict)))


def _read(entry: Entry) -> Verdict:
    return Verdict(runs.case(entry), **{name: entry[name] for name in Verdict.__slots__ if name != "case"})


def _rate(errors: float, words: float) -> float:
    return errors / words if words else float("nan")
