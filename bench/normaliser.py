"""Rules that make a reference and a transcript comparable: Earshot's own, and those of other tools beside them.

Conventions: a normaliser is a value. `apply` is pure and is used on the reference and on the
hypothesis alike. The rule named `earshot` is the language's own (`bench.language`): a transcript is
verbalised, then normalised, and since spoken forms come through the verbaliser unchanged the same function serves the
reference. All others are comparability columns: they reproduce what a published table was scored with, mistakes
included, and are never the headline.

* `whisper`: OpenAI's normaliser as packaged in whisper-normalizer; the English rule for English, the basic rule for
  the rest, split into characters where a language has no spaces.
* `handset`: the published rule of handset-bench 0.1.0, English only: every digit stands alone on both sides, so that
  a number read in any way scores as its digits. It cannot tell five dollars from five pounds or 1.5 from 15.
* `module:function`: a function of the user's own, text to text, by its import path.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from inspect import getsource

from bench.fault import Fault

LANGUAGES = {"de": "german", "en": "english", "tr": "turkish", "zh": "mandarin"}


@dataclass(frozen=True, slots=True)
class Normaliser:
    """`apply` maps a text to words parted by single spaces; `signature` pins the rule and its data.

    `readings`, where a rule has it, gives the lattice of all readings of the same written characters, for mode `set`;
    `fold` is the rule for what is spelled out already, as the options of a lattice are; `settled` says of a text,
    cheaply, that `fold` leaves each of its words as it is, wherever it stands.
    """

    name: str
    signature: str
    apply: Callable[[str], str]
    readings: Callable[[str], str] | None = None
    fold: Callable[[str], str] | None = None
    settled: Callable[[str], bool] | None = None

    def __call__(self, text: str) -> str:
        return self.apply(text)


def get(name: str, language: str) -> Normaliser:
    """The normaliser of that name for a language given as a BCP 47 tag; only the primary subtag matters.

    `name` is `earshot`, `whisper`, `handset`, or `module:function`. Raises Fault for an unknown name or language, for
    `handset` outside of English, and where an import path leads nowhere.
    """
    primary = language.replace("_", "-").split("-")[0].lower()
    if name == "earshot":
        return _earshot(primary)
    if name == "whisper":
        apply, rule = (_whisper_english, "english") if primary == "en" else (_whisper_basic, "basic")
        if primary == "zh":
            apply, rule = _whisper_characters, "basic-characters"
        return Normaliser(name, f"whisper-{rule}-{_package_version()}", apply)
    if name == "handset":
        if primary != "en":
            raise Fault(f"The normaliser handset is for English, the text is {language!r}; take earshot or whisper.")
        return Normaliser(name, f"handset-0.1.0-{_package_version()}", _handset)
    if ":" in name:
        return _user(name)
    raise Fault(f"There is no normaliser {name!r}; known are earshot, whisper, handset, and module:function.")


def module(language: str) -> str:
    """The import path of the language module that a BCP 47 tag falls under. Raises Fault where there is none."""
    primary = language.replace("_", "-").split("-")[0].lower()
    # Dialects of German are written with their own tags; their rows are scored by the German rule.
    primary = {"gsw": "de", "bar": "de", "nds": "de", "ksh": "de", "swg": "de", "cmn": "zh"}.get(primary, primary)
    if primary not in LANGUAGES:
        raise Fault(f"Earshot has no rule for the language {primary!r}; it has {', '.join(sorted(LANGUAGES))}.")
    return f"bench.language.{LANGUAGES[primary]}"


def _earshot(language: str) -> Normaliser:
    path = module(language)
    own = import_module(path)
    settled = getattr(own, "settled", None)
    return Normaliser("earshot", own.signature(), _OwnRule(path), _OwnReadings(path), own.normalise, settled)


@dataclass(frozen=True, slots=True)
class _OwnRule:
    """Verbalise, then normalise. Named by its module, so that the value can be sent to another process."""

    module: str

    def __call__(self, text: str) -> str:
        language = import_module(self.module)
        written: str = language.normalise(language.verbalise(text))
        return written


@dataclass(frozen=True, slots=True)
class _OwnReadings:
    """All readings of what was written, as a lattice of normalised words."""

    module: str

    def __call__(self, text: str) -> str:
        readings: str = import_module(self.module).verbalise(text, mode="set")
        return readings


def _user(path: str) -> Normaliser:
    module_name, _, function_name = path.partition(":")
    try:
        function = getattr(import_module(module_name), function_name)
    except (ImportError, AttributeError, ValueError) as reason:
        raise Fault(f"The normaliser {path!r} cannot be imported: {reason}. Expected is module:function.") from reason
    if not callable(function):
        raise Fault(f"The normaliser {path!r} is {type(function).__name__}; expected is a function, text to text.")
    return Normaliser(path, f"{path}-{_digest_of(function)}", function)


def _digest_of(function: Callable[[str], str]) -> str:
    """What pins a user's rule: its source where there is one; the data that it reads is the user's to pin."""
    try:
        return sha256(getsource(function).encode()).hexdigest()[:12]
    except (OSError, TypeError):
        return "unpinned"


def _package_version() -> str:
    return version("whisper-normalizer")


@cache
def _english() -> Callable[[str], str]:
    from whisper_normalizer.english import EnglishTextNormalizer

    rule: Callable[[str], str] = EnglishTextNormalizer()
    return rule


@cache
def _basic(characters: bool) -> Callable[[str], str]:
    from whisper_normalizer.basic import BasicTextNormalizer

    rule: Callable[[str], str] = BasicTextNormalizer(split_letters=characters)
    return rule


def _whisper_english(text: str) -> str:
    return " ".join(_english()(text).split())


def _whisper_basic(text: str) -> str:
    return " ".join(_basic(False)(text).split())


def _whisper_characters(text: str) -> str:
    return " ".join(_basic(True)(text).split())


_DIGIT = re.compile(r"\d+(?:st|nd|rd|th)\b|\d", re.IGNORECASE)
_DIGIT_WORDS = {
    word: str(digit)
    for digit, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
} | {"oh": "0"}  # fmt: skip


def _handset(text: str) -> str:
    """Brackets open, digits part, Whisper's English rule, no symbols, digits part again, digit words become digits."""
    text = _DIGIT.sub(r" \g<0> ", re.sub(r"[()\[\]{}]", " ", text))
    text = re.sub(r"[^\w\s]", " ", _english()(text))
    words = _DIGIT.sub(r" \g<0> ", text).split()
    text = " ".join(_DIGIT_WORDS.get(word, word) for word in words)
    return re.sub(r"\b([ap]) m\b", r"\1m", text)
