"""A study's design: all that is fixed before anybody listens, frozen and hashed.

Conventions: `design.json` is canonical JSON (keys in the order of the model, UTF-8, one line feed at its end) with the
sha256 of the rest in its first key. It is the key to the blind ids, so it stays with those who run the study until the
last rating is in; every rating carries the hash, and the analysis accepts no other. A condition is what is compared: a
system, its voice where the system has several, on one channel. Levels are active speech levels in dBov (ITU-T P.56).
"""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from bench import journal
from bench.fault import Fault
from bench.listening.scale import Part, Presentation, Question

Kind = Literal["training", "test", "control", "gold", "trap"]


class Text(Part):
    """What was read aloud: written text, and the accepted readings that a transcription is scored against."""

    id: str
    text: str
    spoken: str | None = None
    lattice: str | None = None


class Condition(Part):
    """What is compared. `voice` is one voice in one configuration: no more is concluded."""

    name: str
    system: str
    voice: str
    conflict_of_interest: str = ""


class Stimulus(Part):
    """A clip under its blind id; `seconds` with the silence that makes all clips of a text equally long.

    `sha256` is that of the file in `clips/`, `level` the active speech level that it was aligned to.
    """

    id: str
    condition: str
    segment: str
    channel: str
    source: str
    seconds: float
    sha256: str


class Trial(Part):
    """One screen. `expected` is the right answer of a gold or trap item, `options` the readings of a probe."""

    id: str
    kind: Kind
    segment: str
    clips: tuple[str, ...]
    expected: float | None = None
    options: tuple[str, ...] = ()
    right: str = ""


class Session(Part):
    """What is heard in one sitting; `minutes` are expected ones."""

    minutes: float
    trials: tuple[Trial, ...]


class Listener(Part):
    """A place in the study, under the blind code that its page carries."""

    code: str
    sessions: tuple[Session, ...]


class Checks(Part):
    """Checks before the first session: so many trials, and how many must be right; 0 trials leave a check out.

    `headphones`: which of three tones is quietest, one of them in opposite phase between the ears, so that it fades
    from loudspeakers (after Woods et al. 2017). `quiet`: was there speech, 30 dB below the level of the study.
    """

    headphones: int = 6
    headphones_right: int = 5
    quiet: int = 4
    quiet_right: int = 4


class Exclusions(Part):
    """What is left out, declared before collection. A rule that is off holds nothing against anybody.

    Of a listener: a failed check, no native level, hearing loss, a listening test in the last 7 days. Of a session: a
    trap answered wrongly, a gold item answered further from its answer than `gold_within`, the same answer to every
    one of at least `straight_line` test items, a session that was not finished. Of a vote: a clip whose playback
    faltered. Of a listener of a MUSHRA-like study: the hidden reference below `reference_below` on more than
    `reference_share` of the items, items apart where more than `item_share` of all listeners do so (ITU-R BS.1534-3).
    """

    checks: bool = True
    native: bool = True
    hearing: bool = True
    recent: bool = True
    trap: bool = True
    gold_within: float | None = 1
    straight_line: int = 10
    unfinished: bool = True
    faltered: bool = True
    reference_below: float = 90
    reference_share: float = 0.15
    item_share: float = 0.25


class Model(Part):
    """The comparison, declared before collection."""

    estimate: str = "Mean of the kept votes of a condition; differences of conditions, votes of the blind panel only."
    interval: str = "95 %, variance clustered two ways (listener, text), t with min(listeners, texts) − 1."
    check: str = "Linear mixed model: condition fixed, listener and text random; shown beside, decides nothing."
    test: str = "Two-sided t test of each pairwise difference by the same two-way clustered variance."
    adjustment: str = "Holm over all pairs of a question."
    alpha: Annotated[float, Field(gt=0, lt=1)] = 0.05


class Design(Part):
    """The whole. Made by `bench.listening.plan.make`, read by `read`."""

    format: Literal[1] = 1
    name: str
    version: str
    language: str
    purpose: str
    conflict_of_interest: str
    recruitment: str
    localities: tuple[str, ...]
    variety: str
    questions: tuple[Question, ...]
    conditions: tuple[Condition, ...]
    reference: str
    anchor: str
    track: str
    channels: tuple[str, ...]
    run: str
    text_set: str
    texts: tuple[Text, ...]
    stimuli: tuple[Stimulus, ...]
    listeners: tuple[Listener, ...]
    playback: str
    level: float
    checks: Checks
    exclusions: Exclusions
    model: Model
    size: str
    session_minutes: float
    seed: int

    @property
    def presentation(self) -> Presentation:
        return self.questions[0].presentation

    @cached_property
    def clips(self) -> dict[str, Stimulus]:
        return {stimulus.id: stimulus for stimulus in self.stimuli}

    @cached_property
    def places(self) -> dict[str, Listener]:
        return {listener.code: listener for listener in self.listeners}

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(_canonical(self)).hexdigest()


def _canonical(design: Design) -> bytes:
    return json.dumps(design.model_dump(mode="json"), ensure_ascii=False, separators=(",", ":")).encode()


def write(design: Design, path: Path) -> None:
    """Freeze a design. Raises Fault where another one is frozen there: it may have been listened to."""
    if path.exists() and read(path).sha256 != design.sha256:
        raise Fault(
            "Another design is frozen here. A changed plan is a new study: give it another --out; delete this file "
            "only if nobody has listened yet.",
            file=path,
        )
    body = json.dumps({"sha256": design.sha256, **design.model_dump(mode="json")}, ensure_ascii=False, indent=1)
    journal.write(path, f"{body}\n".encode())


def read(path: Path) -> Design:
    """The frozen design in a file, or in the directory of a study. Raises Fault where it was changed after freezing."""
    path = path / "design.json" if path.is_dir() else path
    if not path.is_file():
        raise Fault("There is no design here; bench study design makes one from a plan.", file=path)
    try:
        held = json.loads(path.read_bytes())
        digest = held.pop("sha256")
        design = Design.model_validate(held)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        told = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise Fault(f"This is not a frozen design ({told}). Restore it from a copy.", file=path) from None
    if design.sha256 != digest:
        raise Fault(
            f"The design was changed after it was frozen: its content has sha256 {design.sha256[:12]}, and it says "
            f"{str(digest)[:12]}. Restore the frozen file.",
            file=path,
        )
    return design
