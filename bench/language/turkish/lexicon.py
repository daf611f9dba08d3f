"""The word lists behind Turkish: acronyms, abbreviations, signs, units, currencies and the cues of the context.

Conventions: the lists are TOML files in `wordlists/`, part of the protocol; `digest()` is the sha256 over their bytes
in the order of their names. A list of readings is ordered, the preferred one first; readings are lower case.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

FILES = ("cues.toml", "units.toml", "words.toml")

Readings = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Currency:
    """The names of a currency and of its hundredth ("" where none is spoken)."""

    names: tuple[str, ...]
    sub: str


def _bytes(name: str) -> bytes:
    return (files(__package__) / "wordlists" / name).read_bytes()


@cache
def digest() -> str:
    """sha256 (hex) over the word lists."""
    return hashlib.sha256(b"\0".join(name.encode() + b"\0" + _bytes(name) for name in FILES)).hexdigest()


def _readings(table: Mapping[str, Iterable[str]]) -> Readings:
    return MappingProxyType({written: tuple(readings) for written, readings in table.items()})


_cues, _units, _words = (tomllib.loads(_bytes(name).decode("utf-8")) for name in FILES)

MONTHS = tuple[str, ...](_words["months"])
SHORT_MONTHS: Mapping[str, str] = MappingProxyType(_words["short_months"])
SHORT_DAYS: Mapping[str, str] = MappingProxyType(_words["short_days"])
LATIN_I = frozenset[str](_words["latin_i"])
SPELLED = frozenset[str](_words["spelled"])
SPOKEN = frozenset[str](_words["spoken"])
LETTERS = _readings(_words["letters"])
ACRONYMS = _readings(_words["acronyms"])
MODELS = _readings(_words["models"])
TITLES = _readings(_words["titles"])
ABBREVIATIONS = _readings(_words["abbreviations"])
BEFORE_NUMBER = _readings(_words["before_number"])
DOTTED = _readings(_words["dotted"])
SYMBOLS = _readings(_words["symbols"])
ADDRESS = _readings(_words["address"])
UNITS = _readings(_units["units"])
PER = _readings(_units["per"])
BARE_UNITS = tuple[str, ...](_units["bare"]["signs"])
CURRENCIES: Mapping[str, Currency] = MappingProxyType(
    {sign: Currency(tuple(entry["names"]), entry["sub"]) for sign, entry in _units["currencies"].items()}
)
CUES: Mapping[str, tuple[str, ...]] = MappingProxyType({name: tuple(words) for name, words in _cues.items()})
