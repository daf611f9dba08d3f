"""What a person writes to get a study: the plan.

Conventions: a plan is a TOML file beside which its paths are looked up. Clips come from a run (`system`, `segment`,
`channel`) or from a `file`. What a plan does not say has the default of its model; every default is written into the
design that `bench.listening.make` makes of it. The seed is best left out: it is drawn then, and kept in the frozen
design alone. Whoever knows it can work out which blind id is which system.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from bench.fault import Fault
from bench.listening import design as frozen
from bench.listening.scale import Part
from bench.protocol import Name


class Source(Part):
    """Where a clip comes from: a case of the run on a channel (its condition's by default), a file, or a text that a
    system says for the occasion, as in a trap: "Please choose poor"."""

    system: str = ""
    segment: str = ""
    channel: str = ""
    file: str = ""
    say: str = ""
    adapter: str = "espeak"
    voice: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(map(bool, (self.file, self.say, self.system and self.segment))) != 1:
            raise ValueError("a clip has either a file, or a text to say, or a system and a segment")
        return self


class Extra(Part):
    """A training, gold, trap or control item: its clips in playing order, and the right answer where there is one."""

    clips: Annotated[tuple[Source, ...], Field(min_length=1)]
    answer: float | None = None


class Probe(Part):
    """The readings that listeners choose between; `right` is one of them, by default the one that the text set has for
    the segment in `pron_hint`."""

    segment: str
    options: Annotated[tuple[str, ...], Field(min_length=2)]
    right: str = ""

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if len(set(self.options)) < len(self.options):
            raise ValueError("two options of a probe are the same")
        if self.right and self.right not in self.options:
            raise ValueError(f"the right reading {self.right!r} is none of the options")
        return self


class Pilot(Part):
    """A study whose ratings tell the spread, and what is wanted: `power` for a true difference `effect`, or a
    `half_width` of the 95 % interval of a condition's mean."""

    study: Path
    effect: Annotated[float, Field(gt=0)] | None = None
    power: Annotated[float, Field(gt=0, lt=1)] = 0.8
    half_width: Annotated[float, Field(gt=0)] | None = None

    @model_validator(mode="after")
    def _one_wish(self) -> Self:
        if (self.effect is None) == (self.half_width is None):
            raise ValueError("a pilot plans for an effect, or for a half_width")
        return self


class Plan(Part):
    """A plan as read from its file."""

    name: Name
    version: str
    language: str
    purpose: str
    conflict_of_interest: str
    recruitment: str = "not stated"
    localities: tuple[str, ...] = ()  # to choose from; without any, listeners write their own
    variety: str = ""
    run: Path
    track: str = "R"
    channels: Annotated[tuple[str, ...], Field(min_length=1)]
    systems: tuple[str, ...] = ()
    segments: tuple[str, ...] = ()
    questions: Annotated[tuple[str, ...], Field(min_length=1)]
    reference: str = ""
    anchor_hz: Annotated[float, Field(gt=0, lt=8000)] = 3500
    listeners: Annotated[int, Field(ge=1)]
    texts_each: Annotated[int, Field(ge=1)] | None = None
    session_minutes: Annotated[float, Field(gt=0, le=45)] = 20  # ITU-T P.800: 20 at best, never over 45
    level: Annotated[float, Field(ge=-60, le=-10)] = -26
    pilot: Pilot | None = None
    size: str = "not planned by a pilot"
    seed: Annotated[int, Field(ge=0)] | None = None
    checks: frozen.Checks = frozen.Checks()
    exclusions: frozen.Exclusions = frozen.Exclusions()
    model: frozen.Model = frozen.Model()
    training: tuple[Extra, ...] = ()
    gold: tuple[Extra, ...] = ()
    trap: tuple[Extra, ...] = ()
    control: tuple[Extra, ...] = ()
    probe: tuple[Probe, ...] = ()

    @model_validator(mode="after")
    def _what_is_done(self) -> Self:
        if self.model != frozen.Model(alpha=self.model.alpha):
            raise ValueError("the comparison is what bench study analyse does; of [model], alpha alone can be chosen")
        return self

    @model_validator(mode="after")
    def _one_probe_each(self) -> Self:
        if len({probe.segment for probe in self.probe}) < len(self.probe):
            raise ValueError("two probes are of the same segment; nobody hears a text twice")
        return self


def read(path: Path) -> Plan:
    """The plan in a TOML file. Raises Fault."""
    if not path.is_file():
        raise Fault("There is no such plan.", file=path)
    try:
        return Plan.model_validate(tomllib.loads(path.read_text("utf-8")))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Fault(f"This is not TOML ({error}).", file=path) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the plan"
        raise Fault(f"The key {where}: {first['msg']} ({error.error_count()} fault(s) in all.)", file=path) from None
