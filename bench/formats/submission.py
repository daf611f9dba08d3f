"""A submission to CN-NewsTTS Bench: the system's card, the manifest of its audio, and lists of checksums.

Conventions: a submission is a folder with `system_card.json`, `manifest.json` and mostly `audio/`. Only the raw track
exists: the card says that no external front end, rewriting, SSML or manual fix touched the text. `problems` applies
the published validator's rules and answers in sentences; none means that it would take the submission. URLs are not
fetched.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.fault import Fault
from bench.formats.newstts import content, kind

CARD, MANIFEST = "system_card.json", "manifest.json"
NAMES = ("model_id", "model_name", "organization")
FLAGS = ("external_frontend", "llm_rewrite", "ssml", "manual_text_fix")


@dataclass(frozen=True, slots=True)
class Card:
    """Who speaks, and the four flags of the raw track: what was done to the text before the system got it.

    `details` holds further keys; usual are open_source, model_url, provider, api_or_checkpoint, voice, language,
    sample_rate, audio_format, generation_date, submission_date and notes.
    """

    model_id: str
    model_name: str
    organization: str
    external_frontend: bool = False
    llm_rewrite: bool = False
    ssml: bool = False
    manual_text_fix: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def raw(self) -> bool:
        return not any(getattr(self, flag) for flag in FLAGS)

    def document(self) -> dict[str, Any]:
        """The object of `system_card.json`, required keys first."""
        names = {name: getattr(self, name) for name in NAMES}
        return (
            names | {"raw_model_track": self.raw} | {flag: getattr(self, flag) for flag in FLAGS} | dict(self.details)
        )


@dataclass(frozen=True, slots=True)
class Item:
    """One clip: the segment's id and where its audio is, a path relative to the submission or a URL."""

    id: str
    audio_path: str | None = None
    audio_url: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    card: Card
    dataset: str
    items: tuple[Item, ...]


def read(folder: Path) -> Submission:
    """The submission in `folder`. Raises Fault at the first thing in its card or manifest that the rules refuse."""
    card, manifest = _object(folder / CARD), _object(folder / MANIFEST)
    for file, problem in [*_card(card), *_manifest(manifest, card)]:
        raise Fault(problem, file=folder / file)
    named = {key: card[key] for key in (*NAMES, *FLAGS)}
    details = {key: value for key, value in card.items() if key not in (*named, "raw_model_track")}
    items = tuple(Item(str(item["id"]), item.get("audio_path"), item.get("audio_url")) for item in manifest["items"])
    return Submission(Card(**named, details=details), str(manifest["dataset"]), items)


def problems(folder: Path, ids: Sequence[str], *, subset: bool = False, audio_exists: bool = True) -> tuple[str, ...]:
    """Why the published validator would refuse the submission in `folder`, a sentence a reason; () where it would not.

    `ids` are the dataset's. `subset` allows some of them to be missing; without `audio_exists` nobody looks whether
    the files are there.
    """
    documents: dict[str, dict[str, Any]] = {}
    found: list[str] = []
    for file in (CARD, MANIFEST):
        try:
            documents[file] = _object(folder / file)
        except Fault as fault:
            found.append(str(fault))
    card, manifest = documents.get(CARD), documents.get(MANIFEST)
    if card is not None:
        found += [f"{folder / file}: {problem}" for file, problem in _card(card)]
    if manifest is None:
        return tuple(found)
    found += [f"{folder / file}: {problem}" for file, problem in _manifest(manifest, card)]
    items = [item for item in _items(manifest) if isinstance(item, dict)]
    listed = [str(item.get("id")) for item in items]
    if unknown := sorted(set(listed) - set(ids)):
        found.append(
            f"{folder / MANIFEST}: The dataset has no record {', '.join(unknown[:5])} ({len(unknown)} in all)."
        )
    if not subset and (missing := [identity for identity in ids if identity not in set(listed)]):
        found.append(
            f"{folder / MANIFEST}: {len(missing)} records of the dataset have no item, the first "
            f"{', '.join(missing[:5])}; every record needs one."
        )
    for item in items if audio_exists else ():
        path = item.get("audio_path")
        if isinstance(path, str) and path and not (folder / path).is_file():
            found.append(f"{folder / MANIFEST}: Item {item.get('id')}: there is no file {path}.")
    return tuple(found)


def _object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise Fault("The file is missing; a submission has a system_card.json and a manifest.json.", file=path)
    try:
        value = json.loads(content(path))
    except json.JSONDecodeError as error:
        raise Fault(f"The file is not JSON ({error.msg}).", file=path, line=error.lineno) from None
    if not isinstance(value, dict):
        raise Fault(f"The file holds {kind(value)}; expected a JSON object.", file=path)
    return value


def _card(card: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in NAMES:
        if key not in card:
            yield CARD, f"The key {key!r} is missing."
    for key, expected in (("raw_model_track", True), *((flag, False) for flag in FLAGS)):
        if key not in card:
            yield CARD, f"The key {key!r} is missing; the raw track needs {str(expected).lower()}."
        elif card[key] is not expected:
            yield CARD, f"{key} is {json.dumps(card[key])}; the raw track needs exactly {str(expected).lower()}."


def _items(manifest: Mapping[str, Any]) -> list[Any]:
    items = manifest.get("items")
    return items if isinstance(items, list) else []


def _manifest(manifest: Mapping[str, Any], card: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    for key in ("model_id", "dataset"):
        if key not in manifest:
            yield MANIFEST, f"The key {key!r} is missing."
    if card is not None and manifest.get("model_id") != card.get("model_id"):
        yield (
            MANIFEST,
            f"model_id is {manifest.get('model_id')!r}, the card's {card.get('model_id')!r}; they are equal.",
        )
    if not _items(manifest):
        yield MANIFEST, f"items is {kind(manifest.get('items'))}; expected a list with an object a record."
    seen: set[str] = set()
    for n, item in enumerate(_items(manifest), start=1):
        if not isinstance(item, dict) or not item.get("id"):
            yield MANIFEST, f"Item {n} has no id; expected an object with id and audio_path or audio_url."
            continue
        identity = str(item["id"])
        if identity in seen:
            yield MANIFEST, f"Item {identity} stands twice; ids are unique."
        seen.add(identity)
        places = [key for key in ("audio_path", "audio_url") if item.get(key)]
        if len(places) != 1:
            yield MANIFEST, f"Item {identity} has {' and '.join(places) or 'no audio'}; expected one of path and URL."


# ------------------------------------------------------------------------------------------------------- checksums

_SUM = re.compile(r"([0-9a-fA-F]{64}) [ *](.+)")


def read_checksums(path: Path) -> dict[str, str]:
    """A list as sha256sum writes it: relative path -> sha256. Raises Fault for a line that is not an entry."""
    sums: dict[str, str] = {}
    for line, text in enumerate(content(path).splitlines(), start=1):
        if not text.strip():
            continue
        entry = _SUM.fullmatch(text.rstrip())
        if not entry:
            raise Fault("The line is not an entry; expected 64 hexadecimal digits and a path.", file=path, line=line)
        sums[entry[2]] = entry[1].lower()
    return sums


def verify(sums: Mapping[str, str], root: Path) -> tuple[str, ...]:
    """The entries that the files below `root` do not bear out, a sentence each; () where all do."""
    found = []
    for name, expected in sums.items():
        path = root / name
        if not path.is_file():
            found.append(f"{path}: The file is missing.")
        elif (actual := hashlib.sha256(path.read_bytes()).hexdigest()) != expected:
            found.append(f"{path}: The sha256 is {actual}; the list has {expected}.")
    return tuple(found)
