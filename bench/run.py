"""A run on disk: what was asked, what came, what was heard.

    runs/<name>/
      protocol.toml            frozen copy; its sha256 is in the manifest, in every journal line and signature
      text_set.jsonl           frozen copy (in its own format), so that the run can be scored again from itself
      manifest.json            versions, hardware, hashes, dates, conflicts of interest, licences
      takes.jsonl              one line an attempt at a take
      audio/raw/...            the response as it came     audio/playback/...   FLAC, mono, 16 bit, its own rate
      transcripts/<recogniser>.jsonl   one line a (take, channel)
      scores.parquet, report/  derived: delete them and `bench report` makes them again

Conventions: journals and raw audio are measurements and are never changed. Expected keys come from the protocol;
what is to do is what is expected less what the journals hold. A directory has one writer at a time (a lock).
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from bench import __version__, audio, channels, journal, protocol
from bench.fault import Fault
from bench.protocol import Case, Frozen

K = TypeVar("K")
PACKAGES = (
    "av",
    "ctranslate2",
    "espeakng-loader",
    "faster-whisper",
    "numba",
    "numpy",
    "onnxruntime",
    "piper-tts",
    "pocketsphinx",
    "scipy",
    "soundfile",
    "soxr",
)


@dataclass(frozen=True)
class Run:
    """A run directory that holds a frozen protocol. Made by `create`, found again by `Run.open`."""

    path: Path
    frozen: Frozen

    @classmethod
    def open(cls, path: Path) -> Run:
        """The run in a directory. Raises Fault where there is none."""
        held = path / "protocol.toml"
        if not held.is_file():
            raise Fault("There is no run here: a run's directory has a protocol.toml.", file=path)
        found = cls(path, protocol.read(held, text_set=_text_set(path)))
        if (path / "manifest.json").is_file():
            begun = found.manifest["protocol"]["sha256"]
            if begun != found.frozen.sha256:
                raise Fault(
                    f"The run's protocol was edited: its sha256 is {found.frozen.sha256}, the run began with {begun}. "
                    "What a run expects is fixed when it begins: restore the file, or begin a new run.",
                    file=held,
                )
        return found

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def protocol(self) -> protocol.Protocol:
        return self.frozen.protocol

    @cached_property
    def manifest(self) -> dict[str, Any]:
        path = self.path / "manifest.json"
        if not path.is_file():
            raise Fault("The run has not begun; carry its protocol out with bench run.", file=self.path)
        loaded: dict[str, Any] = json.loads(path.read_text())
        return loaded

    def expected(self) -> list[Case]:
        return list(protocol.expected(self.frozen))

    def channels(self) -> list[str]:
        """The canonical names of the protocol's channels, in its order."""
        return [str(channels.parse(name)) for name in self.protocol.channels]

    def take_lines(self) -> Iterator[journal.Entry]:
        return journal.entries(self.path / "takes.jsonl")

    def transcript_lines(self, recogniser: str) -> Iterator[journal.Entry]:
        return journal.entries(self.transcripts_path(recogniser))

    def takes(self) -> dict[Case, journal.Entry]:
        """For each case that was tried, its good attempt or else its last one."""
        return _settled((case(entry), entry) for entry in self.take_lines())

    def transcripts(self, recogniser: str) -> dict[tuple[Case, str], journal.Entry]:
        """For each (case, channel) that was heard, its good attempt or else its last one."""
        return _settled(((case(entry), str(entry["channel"])), entry) for entry in self.transcript_lines(recogniser))

    def transcripts_path(self, recogniser: str) -> Path:
        return self.path / "transcripts" / f"{recogniser}.jsonl"

    def scores(self) -> pd.DataFrame:
        """The scored rows as they were last written. Raises Fault where the run was never scored."""
        path = self.path / "scores.parquet"
        if not path.is_file():
            raise Fault(f"The run has no scores yet; make them with bench report {self.path}.", file=path)
        return pd.read_parquet(path)

    def playback(self, case: Case) -> audio.Clip | None:
        """What a listener hears of a case before any channel; None where the system delivered nothing."""
        entry = self.takes().get(case)
        return audio.read(self.path / entry["playback"]) if entry and entry["outcome"] == "ok" else None


def case(entry: journal.Entry) -> Case:
    """The utterance that a journal line is about."""
    return Case(entry["system"], entry["voice"], entry["track"], entry["segment"], entry["take"])


def _settled(lines: Iterable[tuple[K, journal.Entry]]) -> dict[K, journal.Entry]:
    kept: dict[K, journal.Entry] = {}
    for key, entry in lines:
        if key not in kept or kept[key]["outcome"] != "ok":
            kept[key] = entry
    return kept


def _text_set(path: Path) -> Path:
    found = sorted(path.glob("text_set.*"))
    if len(found) != 1:
        raise Fault(f"The run has {len(found)} files text_set.*; expected one. Restore it from a copy.", file=path)
    return found[0]


def create(source: Path, path: Path) -> Run:
    """The run of a protocol in a directory: begun if there is none, continued if it is of the same protocol.

    Raises Fault when the directory holds a run of another protocol or another text set: what a protocol names
    must not change under it.
    """
    frozen = protocol.read(source)
    held = path / "protocol.toml"
    if held.exists():
        if held.read_bytes() != frozen.raw:
            raise Fault(
                f"This run follows another state of the protocol than {source} has now. Restore the protocol, or "
                "start a new run under another name: bench run PROTOCOL --name NAME.",
                file=path,
            )
        return Run.open(path)
    for stale in path.glob("text_set.*"):  # of a call that was killed before it put the protocol beside it
        stale.unlink()
    suffix = frozen.protocol.text_set.file.suffix
    text = (source.parent / frozen.protocol.text_set.file).read_bytes()
    journal.write(path / f"text_set{suffix}", text)
    journal.write(held, frozen.raw)  # last: a directory with a protocol has all that it needs
    return Run.open(path)


@contextmanager
def locked(run: Run) -> Iterator[None]:
    """Holds the run's lock. Raises Fault when another process is writing to the run. The kernel gives the lock
    back when the process ends, however it ends."""
    with (run.path / "lock").open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            raise Fault(
                f"Process {stream.read().strip() or 'unknown'} is writing to this run. Wait for it or stop it.",
                file=run.path,
            ) from None
        for torn in run.path.rglob(f"{journal.BESIDE}*"):  # of a writer that was killed
            torn.unlink()
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        yield


def describe(run: Run, systems: dict[str, str], recognisers: dict[str, tuple[str, str, bool]]) -> None:
    """Write the manifest, or check that what it names is still what is here.

    `systems` gives a version for each "system/voice", `recognisers` (configuration, version, diagnostic) for each
    name. Raises Fault when a version differs from the one that the run began with.
    """
    path = run.path / "manifest.json"
    proto = run.protocol
    pinned = {
        "protocol": {"name": proto.name, "version": proto.version, "sha256": run.frozen.sha256},
        "text_set": {"name": proto.text_set.file.stem, "sha256": run.frozen.text_set.sha256},
        "systems": [
            {**part.model_dump(mode="json"), "voice_label": part.label, "version": systems[f"{part.name}/{part.label}"]}
            for part in proto.systems
        ],
        "recognisers": [
            {
                **part.model_dump(mode="json"),
                "configuration": recognisers[part.name][0],
                "version": recognisers[part.name][1],
                "diagnostic": recognisers[part.name][2],
            }
            for part in proto.recognisers
        ],
        "conflict_of_interest": proto.conflict_of_interest,
        "licences": sorted({s.licence for s in run.frozen.chosen if s.licence}),
    }
    manifest = json.loads(path.read_text()) if path.exists() else {"begun": _now(), **pinned, "sessions": []}
    _refuse_change(manifest, pinned, path)
    session = {"started": _now(), "earshot": __version__, **machine(), "packages": packages()}
    manifest = {**manifest, "sessions": [*manifest["sessions"], session]}
    journal.write(path, (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode())


def _refuse_change(manifest: dict[str, Any], pinned: dict[str, Any], path: Path) -> None:
    for kind in ("systems", "recognisers"):
        for before, now in zip(manifest[kind], pinned[kind], strict=True):  # one protocol, so one list
            dated = before["version"].startswith("dated observation")
            for key in ("configuration", "diagnostic", *(() if dated else ("version",))):
                if before.get(key) != now.get(key):
                    raise Fault(
                        f"{kind[:-1].capitalize()} {now['name']!r} has changed since the run began: its {key} was "
                        f"{before.get(key)!r}, it is {now.get(key)!r}. Install the former version, or start a new run "
                        "under another name: bench run PROTOCOL --name NAME.",
                        file=path,
                    )


@cache
def machine() -> dict[str, Any]:
    """The machine in words. Transcripts of 8-bit models depend on the instruction set, so it is named."""
    info = Path("/proc/cpuinfo")
    fields: dict[str, str] = {}
    for line in info.read_text().split("\n\n")[0].splitlines() if info.exists() else []:
        name, _, value = line.partition(":")
        fields[name.strip()] = value.strip()
    flags = fields.get("flags", fields.get("Features", "")).split()
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": fields.get("model name", platform.processor()),
        "cores": os.cpu_count(),
        "instruction_set": [flag for flag in ("avx", "avx2", "avx512f", "asimd") if flag in flags],
    }


def packages() -> dict[str, str]:
    """The versions of the packages that can change a sound or a transcript."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def fields(case: Case) -> dict[str, Any]:
    """A case as the leading fields of a journal line."""
    return asdict(case)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
