"""What several layouts write alike: required and optional text, lists of names, strata, and spans.

Conventions: null is the same as a field that is not there. A Fault names the field, what it holds and what was
expected; the reader adds file and line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from bench.fault import Fault
from bench.formats.record import FLAGS, Record
from bench.segment import Span

_SPAN_FIELDS = ("span", "alts", "type")


def present(record: Mapping[str, Any]) -> Record:
    """The record without its nulls."""
    return {name: value for name, value in record.items() if value is not None}


def text(record: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A text; without a default it must be there and not be blank. Raises Fault."""
    value = record.get(name, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise Fault(f"The field {name!r} is {value!r}; expected text{' that is not blank' * (default is None)}.")
    return value


def optional(record: Mapping[str, Any], name: str) -> str | None:
    """A text, or None where there is none. Raises Fault for anything else."""
    return text(record, name, "") or None


def names(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of names; a bare text is a list of one. Raises Fault for anything else."""
    value = record.get(name, ())
    if isinstance(value, str):
        return (value,) if value else ()
    return _texts(value, name)


def strata(record: Mapping[str, Any], names: Iterable[str]) -> Record:
    """Those of the strata `names` that a row has. Raises Fault for a flag among them that is neither true nor false."""
    found = {name: record[name] for name in names if name in record}
    for name in FLAGS:
        if not isinstance(found.get(name, False), bool):
            raise Fault(f"The field {name!r} is {found[name]!r}; expected true or false, in CSV also 1, 0, yes or no.")
    return found


def spans(record: Mapping[str, Any], name: str) -> tuple[tuple[Span, ...], Record]:
    """The spans in the field `name`, each {span, alts, type}, and what to keep of it: `{name: [rest, ...]}`, a rest a
    span, where one has further fields, and otherwise nothing. Raises Fault."""
    entries = record.get(name, ())
    if not isinstance(entries, list | tuple) or not all(isinstance(entry, dict) for entry in entries):
        raise Fault(f"The field {name!r} is {entries!r}; expected a list of spans with the fields span, alts and type.")
    read = tuple(
        Span(text(entry, "span"), _texts(entry.get("alts") or (), "alts"), entry.get("type") or "other")
        for entry in entries
    )
    rest = [{key: value for key, value in entry.items() if key not in _SPAN_FIELDS} for entry in entries]
    return read, {name: rest} if any(rest) else {}


def others(record: Mapping[str, Any], known: Set[str]) -> Record:
    """The fields that a layout has no place for."""
    return {name: value for name, value in record.items() if name not in known}


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise Fault(f"The field {name!r} is {value!r}; expected a list of texts.")
    return tuple(value)
