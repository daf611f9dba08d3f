"""Adapters by name: find the class, make it with the settings of a protocol, refuse what is not pinned.

Conventions: an adapter is named by a short name ("espeak") or by an import path ("package.module:Class"). Its
settings are the keyword arguments of its constructor. What comes back has a name, a version that pins what
speaks or hears, and the methods of its kind; anything else is a Fault that says what to mend.
"""

from __future__ import annotations

import datetime
import difflib
import functools
import hashlib
import importlib
import inspect
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, get_type_hints

import pydantic

from bench.fault import Fault

# A version with one of these words, or of nothing but those, names whatever is there today.
LOOSE = frozenset(("latest", "newest", "current", "nightly"))
VAGUE = frozenset(
    ("head", "main", "master", "trunk", "default", "stable", "version", "unknown", "none", "n", "a", "na")
)


def make(
    kind: str, adapter: str, settings: Mapping[str, Any], names: Mapping[str, str], methods: Mapping[str, Sequence[str]]
) -> Any:
    """An adapter of a `kind` (a word for messages) from its short name in `names` or its import path.

    `methods` maps each accepted method to its keyword arguments after the first; the adapter has at least one.
    Raises Fault for an unknown name, a missing package, wrong settings, a missing member, or an unpinned version.
    """
    made = _construct(_class(kind, adapter, names), adapter, settings)
    for member in ("name", "version"):
        if not hasattr(made, member):
            raise Fault(f"{adapter} has no {member}; a {kind} has name, version and {' or '.join(methods)}().")
        value = getattr(made, member)
        if not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise Fault(f"{adapter}: its {member} is {value!r}; expected one line of text.")
    pinned(made.version, adapter)
    found = [method for method in methods if callable(getattr(made, method, None))]
    if not found:
        raise Fault(f"{adapter} has no {' or '.join(methods)}(); a {kind} has name, version and that method.")
    for method in found:
        _accepts(getattr(made, method), method, methods[method], adapter)
    return made


def pinned(version: str, adapter: str) -> None:
    """Refuse a version that names whatever is there today. Raises Fault.

    Where a back end cannot be pinned, the honest version is "dated observation YYYY-MM-DD".
    """
    words = set(re.findall(r"[0-9a-z]+", version.lower()))
    if words & LOOSE or words <= VAGUE:
        raise Fault(
            f"{adapter}: the version is {version!r}, which pins nothing. State the model's exact version, or "
            f'"dated observation {datetime.date.today():%Y-%m-%d}" where the back end cannot be pinned.'
        )
    if version.startswith("dated observation"):
        try:
            datetime.date.fromisoformat(version.removeprefix("dated observation").strip())
        except ValueError:
            raise Fault(f'{adapter}: the version is {version!r}; expected "dated observation YYYY-MM-DD".') from None


def package(module: str, *, distribution: str, extra: str | None = "demo") -> Any:
    """Import an optional package. Raises Fault that names the distribution and Earshot's extra which installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if not _holds(error.name, module):
            raise
        mend = f"pip install 'earshot[{extra}]'" if extra else "pip install earshot"
        raise Fault(f"The package {distribution} is not installed; {mend} brings it.") from None


def release(distribution: str) -> str:
    """The name of an installed distribution with its version."""
    return f"{distribution} {installed(distribution)}"


def sha256(*paths: Path) -> str:
    """sha256 in hex of files one after the other; of a folder, of all its files with their names, in sorted order."""
    return _sha256(tuple(path.resolve() for path in paths))


@functools.cache
def _sha256(paths: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
            if file is not path:
                digest.update(file.relative_to(path).as_posix().encode() + b"\0")
            with file.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()


def _class(kind: str, adapter: str, names: Mapping[str, str]) -> Any:
    place = names.get(adapter, adapter)
    if not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", place):
        near = difflib.get_close_matches(adapter, names, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise Fault(
            f"There is no {kind} {adapter!r}.{hint} Known: {', '.join(sorted(names))}; or package.module:Class."
        )
    module, _, name = place.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # a person's own module lies in the folder from which bench is called
    try:
        found = getattr(importlib.import_module(module), name, None)
    except ModuleNotFoundError as error:
        if _holds(error.name, module):
            raise Fault(
                f"There is no module {error.name!r} for the {kind} {adapter!r}; "
                "install it, or call bench from the folder that holds it."
            ) from None
        raise Fault(f"The {kind} {adapter!r} needs the package {error.name!r}, which is not installed.") from None
    if not isinstance(found, type):
        raise Fault(f"The module {module!r} has no class {name!r} for the {kind} {adapter!r}.")
    return found


def _holds(missing: str | None, module: str) -> bool:
    """Whether a missing module is the one asked for or a package around it, and not one that it imports."""
    return missing is not None and f"{module}.".startswith(f"{missing}.")


def _construct(found: Any, adapter: str, settings: Mapping[str, Any]) -> Any:
    signature = inspect.signature(found)
    try:
        signature.bind(**settings)
    except TypeError as error:
        known = ", ".join(signature.parameters) or "none"
        raise Fault(f"{adapter}: its settings do not fit ({error}). Known settings: {known}.") from None
    return found(**_typed(found, adapter, settings))


def _typed(found: Any, adapter: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as the constructor's annotations have them: a protocol file knows lists but no tuples."""
    try:
        hints = get_type_hints(found.__init__)
    except NameError:  # a hint that exists for a type checker alone
        hints = {}
    values = dict(settings)
    for key in values.keys() & hints.keys():
        try:
            values[key] = pydantic.TypeAdapter(hints[key]).validate_python(values[key])
        except pydantic.ValidationError as error:
            why = error.errors()[0]["msg"]
            raise Fault(f"{adapter}: the setting {key} is {values[key]!r}. {why}.") from None
        except pydantic.errors.PydanticUserError:  # a type of the class's own, which it checks itself
            continue
    return values


def _accepts(method: Any, name: str, keywords: Sequence[str], adapter: str) -> None:
    try:
        inspect.signature(method).bind(None, **dict.fromkeys(keywords))
    except TypeError as error:
        wanted = ", ".join(["one value", *(f"{keyword}=" for keyword in keywords)])
        raise Fault(f"{adapter}: {name}() does not fit ({error}); it is called with {wanted}.") from None
