"""A study before it: the pre-registration, read off the frozen design.

Conventions: what stands here was fixed before the first listener, and the design's sha256 says so. A study is called
designed after a Recommendation, never conforming to it. What can be counted is counted from the design afresh.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pandas as pd

from bench import caveat
from bench.listening import allocate, charts, page, power, scale
from bench.listening.design import Design
from bench.listening.spread import Spread
from bench.part import Chart, Conflict, Figure, KeyFigures, Part, Prose, Signature, Table
from bench.wording import safe

AFTER = (
    "This study is **designed after** ITU-T P.800 and P.808 (and ITU-R BS.1534 for a MUSHRA-like scale); it claims "
    "conformity to none of them. Mean opinion scores of other experiments are not comparable with these."
)
IDEAL = 20  # minutes of a session
HOW = {
    "single": "one clip",
    "reference": "the reference, then the clip",
    "pair": "two clips, each order equally often",
    "panel": "all clips of a text beside the reference",
}


def preregistration(design: Design) -> list[Part]:
    """All that the frozen design fixes, to be read and published before the first listener."""
    return [*designed(design), *_rests(design)]


def designed(design: Design) -> list[Part]:
    """The same without its signature, as a part of another page."""
    return [*_frozen(design), *_asked(design), *_allocated(design), *_judged(design)]


def _frozen(design: Design) -> Iterator[Part]:
    votes = _votes(design)
    yield Prose(f"# What is asked\n\n{safe(design.purpose)}\n\n{AFTER}")
    longest = lasts(design)
    if longest > IDEAL:
        yield Prose(f"**A session lasts {longest:g} minutes; ITU-T P.800 asks for {IDEAL} at best and never over 45.**")
    test = sum(votes.values()) / max(len(votes), 1)
    yield KeyFigures(
        (
            Figure("Listeners", str(len(design.listeners)), f"{_sessions(design)}, {longest:g} minutes at the longest"),
            Figure("Texts", str(len(design.texts)), f"{len(design.conditions)} conditions, one voice each"),
            Figure("Votes a clip", f"{test:g}", "of each tested clip, for each question"),
            Figure("Level", f"{design.level:g} dBov", "active speech level, ITU-T P.56, after the line"),
        )
    )


def _asked(design: Design) -> Iterator[Part]:
    yield Prose("# Questions\n\nOne construct a question; each has its own results.")
    for question in design.questions:
        rows = [
            {"point": str(point), "label": label}
            for point, label in zip(question.points, question.labels, strict=False)
        ]
        heard = f"Heard {question.plays} time(s)." if question.plays else "Heard to the end, as often as one likes."
        text = (
            f"## {safe(question.measures.capitalize())}\n\n> {safe(question.prompt)}\n\n"
            f"Presented: {HOW[question.presentation]}. {heard} Direction: "
            f"{safe(question.direction)}. {safe(question.source)}."
        )
        yield Prose(text)
        if rows:
            yield Table(pd.DataFrame(rows), f"Answers to “{question.prompt}”")


def _allocated(design: Design) -> Iterator[Part]:
    votes, told = _votes(design), scale.words(design.language)
    heard = told["hear_once" if any(question.plays for question in design.questions) else "hear"]
    least, condition = min(votes.values()), _condition_votes(design)
    frame = pd.DataFrame([c.model_dump() for c in design.conditions])
    reached = "reached" if least >= 8 and condition >= 96 else "not reached"
    localities = ", ".join(design.localities) or "as each listener writes it"
    yield Prose(
        f"# Who hears what\n\n{_balance(design)} The order of conditions is a Williams square, that of texts random. "
        f"Each tested clip or pair has at least {least} votes and each condition "
        f"{condition}; ITU-T P.808 asks for 8 and 96, which is {reached}. Files carry blind ids, "
        "which are drawn with a seed that stays in the frozen design, whose sha256 is below, until the last rating is "
        "in.\n\n"
        f"Playback: {safe(design.playback)}. Channel: {safe(', '.join(design.channels))}; track {design.track}.\n\n"
        f"Recruitment: {safe(design.recruitment.rstrip('.'))}. Language: {safe(design.language)}. "
        f"Locality: {safe(localities)}. Locality and familiarity describe listeners; they test nobody.\n\n"
        f"Before the first clip, each listener sets the volume once, says which of three tones is quietest "
        f"({design.checks.headphones} times; one is in opposite phase, so that it fades from loudspeakers) and whether "
        f"there was speech 30 dB below the level ({design.checks.quiet} times). The instructions:\n\n"
        f"> {safe(told['setting'])} {safe(heard)}"
    )
    if text := early(design):
        yield Prose(f"**The volume is set by a tested text, {safe(text)}, which is so heard before it is rated.**")
    yield Table(frame, "Conditions", names={"conflict_of_interest": "conflict of interest"})
    kinds = Counter(t.kind for listener in design.listeners for s in listener.sessions for t in s.trials)
    rows = pd.DataFrame(
        [{"kind": kind, "trials": kinds[kind]} for kind in ("training", "test", "control", "gold", "trap")]
    )
    yield Table(rows, "Trials of all listeners")


def _judged(design: Design) -> Iterator[Part]:
    rules, checks = design.exclusions, design.checks
    within = rules.gold_within
    ears = f"fewer than {checks.headphones_right} of {checks.headphones} right in the headphone check"
    room = f"fewer than {checks.quiet_right} of {checks.quiet} right in the check of the room"
    lines = [
        (rules.checks and checks.headphones, f"listener: {ears}"),
        (rules.checks and checks.quiet, f"listener: {room}"),
        (rules.native, "listener: does not speak the language as a native"),
        (rules.hearing, "listener: reported hearing loss"),
        (rules.recent, "listener: a listening test in the last 7 days"),
        (rules.trap, "session: a trap item answered wrongly"),
        (within is not None, f"session: a gold item further than {within or 0:g} from its answer"),
        (rules.straight_line, f"session: one answer to all test items, where they are {rules.straight_line} or more"),
        (rules.unfinished, "session: not finished"),
        (rules.faltered, "vote: the playback of a clip faltered"),
        (
            design.presentation == "panel",
            f"listener: hidden reference below {rules.reference_below:g} on more than {rules.reference_share:.0%} of "
            f"the items, items apart where more than {rules.item_share:.0%} of the listeners do so",
        ),
    ]  # fmt: skip
    stated = "\n".join(f"- {safe(text)}" for on, text in lines if on)
    model = design.model
    yield Prose(
        f"# What is left out, declared now\n\n{stated}\n\nEvery exclusion is listed with its reason, and every "
        "result is shown with and without it. Those who make speech systems or could recognise one are "
        "a panel of their own and enter no pooled figure.\n\n# How it is compared\n\n"
        + "\n".join(f"- {safe(t)}" for t in (model.estimate, model.interval, model.check, model.test, model.adjustment))
        + f"\n- Level of the test: {model.alpha:g}.\n\nSample size: {safe(design.size)}."
    )


def _rests(design: Design) -> Iterator[Part]:
    yield Prose("# What it rests on")
    yield Conflict(conflicts(design))
    yield Signature(f"design sha256 {design.sha256}|run:{design.run}|set:{design.text_set}", "Design")


def lasts(design: Design) -> float:
    """Minutes of the longest session, as expected."""
    return max(session.minutes for listener in design.listeners for session in listener.sessions)


def early(design: Design) -> str:
    """The tested text that listeners hear while they set the volume; "" where training or another item serves."""
    segment = design.clips[page.example(design)].segment
    return segment if segment in {text.id for text in design.texts} else ""


def _votes(design: Design) -> Counter[str]:
    tested = (t for listener in design.listeners for s in listener.sessions for t in s.trials if t.kind == "test")
    return Counter(" ".join(t.clips if design.presentation != "panel" else [t.segment]) for t in tested)


def _condition_votes(design: Design) -> int:
    """The votes of the condition, or pair, that has fewest."""
    counted: Counter[str] = Counter()
    for clips, votes in _votes(design).items():
        names = [design.clips[clip].condition for clip in clips.split() if clip in design.clips]
        counted[" ".join(sorted(names))] += votes
    return min(counted.values())


def _balance(design: Design) -> str:
    cells: dict[tuple[str, ...], int] = {}
    texts = {text.id: at for at, text in enumerate(design.texts)}
    heard: list[list[allocate.Heard]] = []
    for listener in design.listeners:
        own: list[allocate.Heard] = []
        for trial in (t for s in listener.sessions for t in s.trials if t.segment in texts):
            names = [design.clips[clip].condition for clip in trial.clips]
            key = tuple(sorted(names) if design.presentation == "panel" else names)
            own.append((texts[trial.segment], cells.setdefault(key, len(cells))))
        heard.append(own)
    found = allocate.balance(heard, len(texts), len(cells))
    if not found.exact:
        return f"Counted from the design: each text in each condition {found.pairs[0]} to {found.pairs[1]} times."
    return (
        f"Counted from the design: each text is heard in each of {len(cells)} arrangement(s) exactly "
        f"{found.pairs[0]} times, each arrangement stands at each place exactly {found.places[0]} "
        "times, and nobody hears a text twice."
    )


def _sessions(design: Design) -> str:
    numbers = {len(listener.sessions) for listener in design.listeners}
    return f"{max(numbers)} session(s) each"


def sample_size(
    design: Design, spread: Spread, *, effects: Sequence[float] = (), repeats: int = 400, assumed: bool = False
) -> list[Part]:
    """Power and precision of studies like this one by their number of listeners, from a pilot's spread.

    `effects` are true differences in points of the first question's scale, or in shares. `assumed` says that the spread
    is that of a rehearsal.
    """
    question = design.questions[0]
    shares = question.answer in ("text", "choice") or question.key == "preference"
    apart = design.reference if design.presentation in ("reference", "panel") else ""
    names = [condition.name for condition in design.conditions if condition.name != apart]
    if len(names) < 2:
        return [Prose("# Sample size\n\nPower is simulated for studies that compare two conditions or more.")]
    layout = power.Layout(texts=len(design.texts), conditions=len(names), presentation=design.presentation)
    cells = layout.arrangements
    sizes = sorted({cells * max(1, round(factor * 24 / cells)) for factor in (0.5, 1, 1.5, 2, 3, 4)})
    wished = effects or EFFECTS["share" if shares else question.answer]
    table = power.curve(spread, layout, effects=wished, listeners=sizes, repeats=repeats)
    parts = ", ".join(
        f"{name.replace('_', ' x ')} {value:.2f}"
        for name, value in spread.deviations.items()
        if value or name != "listener_text"
    )
    wanted = power.needed(table, power=0.8)
    said = "; ".join(f"{effect:g}: {size or f'more than {sizes[-1]}'}" for effect, size in wanted.items())
    whence = "assumed for a rehearsal" if assumed else "estimated from the ratings at hand"
    prose = (
        f"# Sample size\n\nListeners for a power of 80 % by true difference: {said}. Standard deviations of a vote, "
    )
    prose += f"{whence}: {parts}."
    note = "Simulated over the allocation and the test of this design."
    if spread.covariance:
        note += " Bands: the 95% interval that the pilot leaves, for its spread is a guess."
    empty = [name for name in table if table[name].isna().all()]
    return [
        Prose(prose),
        Chart(charts.power(table), "Power by listeners", note),
        Table(table.drop(columns=empty), "Power and precision", _SHARES, _NAMES),
    ]


EFFECTS = {"points": (0.1, 0.2, 0.4), "slider": (2.0, 4.0, 8.0), "share": (0.02, 0.05, 0.1)}
_SHARES = dict.fromkeys(("power", "power_lo", "power_hi", "error"), ".1%") | dict.fromkeys(
    ("half_width", "half_lo", "half_hi"), ".3g"
)
_NAMES = {"effect": "true difference", "error": "error of the simulation", "half_width": "half width of a mean"}


def conflicts(design: Design) -> dict[str, str]:
    """The conflict-of-interest line of the study and of each condition."""
    return {"This study": design.conflict_of_interest, **{c.name: c.conflict_of_interest for c in design.conditions}}


def interest(design: Design) -> str:
    """The conflict-of-interest line of a study, with those of its conditions that state any."""
    stated = [(c.name, c.conflict_of_interest) for c in design.conditions]
    return caveat.interests(design.conflict_of_interest, stated, whose="the study")
