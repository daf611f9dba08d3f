"""The pins: one list for pip and for conda, complete, and what runs here."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
PYTHONS = ("3.11", "3.12", "3.13")


def pins(python: str) -> dict[str, str]:
    lines = [line.split("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines()]
    wanted = [Requirement(line) for line in lines if line]
    here = [pin for pin in wanted if pin.marker is None or pin.marker.evaluate({"python_version": python})]
    names = [canonicalize_name(pin.name) for pin in here]
    assert len(names) == len(set(names)), "a package is pinned twice"
    return {name: str(pin.specifier) for name, pin in zip(names, here, strict=True)}


def test_environment_yml_installs_the_same_pins() -> None:
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())
    python, pip, section = conda["dependencies"]
    assert python == f"python{PROJECT['requires-python']}"
    assert pip == "pip"
    assert section == {"pip": ["-c constraints.txt", "-e .[demo,test]"]}


def test_every_dependency_is_pinned_inside_its_bounds_on_every_python() -> None:
    named = [Requirement(line) for line in [*PROJECT["dependencies"], *EXTRAS["demo"], *EXTRAS["test"]]]
    for python in PYTHONS:
        held = pins(python)
        for dependency in named:
            pin = held[canonicalize_name(dependency.name)]
            assert pin.startswith("=="), dependency
            assert dependency.specifier.contains(pin.removeprefix("==")), dependency


def test_what_is_installed_is_what_is_pinned_and_all_of_it() -> None:
    """Walks from Earshot's own dependencies to theirs, so that a new indirect one must be pinned too."""
    held = pins("3.11" if version("numpy") == pins("3.11")["numpy"].removeprefix("==") else "3.12")
    todo = [Requirement(line) for line in [*PROJECT["dependencies"], *EXTRAS["demo"], *EXTRAS["test"]]]
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        asked = todo.pop()
        name, extras = canonicalize_name(asked.name), frozenset(asked.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            assert f"=={version(name)}" == held[name], name
        except PackageNotFoundError:
            raise AssertionError(f"{name} is needed and not installed") from None
        for line in requires(name) or []:
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
                todo.append(needed)
