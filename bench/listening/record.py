"""What a study page tells: one record at a time, in a shape that is checked wherever it comes from.

Conventions: a record has a number (`seq`, from 0, in the order of events) and a `kind`. Returns come from people's
machines, so nothing about them is believed: `parse` gives a typed record, or None for what is none. Fields that are
not named here (the browser, the clock) are kept in the file and not read.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

Number = Annotated[int, Field(ge=0, lt=2**53)]
Word = Annotated[str, Field(max_length=200)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    seq: Number


class About(BaseModel):
    """What a participant says of themselves; None where it was not said."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    native: bool | None = None
    hearing: bool | None = None
    recent: bool | None = None
    expert: bool | None = None
    locality: Word = ""
    familiarity: Word = ""
    device: Word = ""


class Introduced(_Record):
    """The participant has answered the questions about themselves."""

    kind: Literal["listener"]
    answers: About


class Checked(_Record):
    """One trial of a check before the study."""

    kind: Literal["check"]
    name: Word
    n: Number
    answer: Number


class Vote(_Record):
    """One question about one trial. `plays` and `faults` are those of its clips; times are in milliseconds."""

    kind: Literal["vote"]
    trial: Word
    question: Word
    value: (
        int | Annotated[float, Field(allow_inf_nan=False)] | Annotated[str, Field(max_length=2000)] | dict[str, float]
    )
    plays: list[Number] = []
    answer_ms: Number = 0
    faults: list[Word] = []


class Finished(_Record):
    """A session came to its end."""

    kind: Literal["finished"]
    session: Number


Told = Introduced | Checked | Vote | Finished
_SHAPE: TypeAdapter[Told] = TypeAdapter(Annotated[Told, Field(discriminator="kind")])


def parse(record: Any) -> Told | None:
    """The record in its type; None for what is none."""
    try:
        return _SHAPE.validate_python(record)
    except ValidationError:
        return None
