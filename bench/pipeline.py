"""The first steps of a run: synthesise every expected utterance, then let every recogniser hear every channel.

Conventions: a take, and a hearing of it, is tried at most 1 + `retries` times over all sessions of a run, and
every attempt has its journal line. What failed is never dropped: it stays an expected row and scores as
deletions. A recogniser hears the playback conversion (16 bit, the response's own rate) through the channel.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bench import audio, channels, recognisers, run, systems
from bench.fault import Fault
from bench.journal import Entry, Journal, write
from bench.level import receive
from bench.loop import looped
from bench.protocol import Case, RecogniserPart, SystemPart
from bench.run import Run
from bench.score import Progress
from bench.work import drain

DIED = "the worker process died"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a take. `before` is the error of the attempt before it."""

    case: Case
    number: int
    before: str | None

    @property
    def suspect(self) -> bool:
        return self.before == DIED


@dataclass(frozen=True, slots=True)
class Hearing:
    """One try at letting a recogniser hear a take through a channel."""

    case: Case
    channel: str
    before: str | None

    @property
    def suspect(self) -> bool:
        return self.before == DIED


def execute(asked: Run, executor: Executor, *, width: int = 1, progress: Progress = lambda *_: None) -> None:
    """Synthesise and transcribe all that the run still lacks. `width` is the number of workers of the executor.

    Raises Fault when another process writes to the run, when what the protocol names has changed, or when a
    worker died; in each case the same call goes on later.
    """
    with run.locked(asked):
        if not outstanding_takes(asked) and not any(
            outstanding_hearings(asked, p.name) for p in asked.protocol.recognisers
        ):
            return
        run.describe(asked, *_versions(asked))
        synthesise(asked, executor, width, progress)
        transcribe(asked, executor, width, progress)


def _versions(asked: Run) -> tuple[dict[str, str], dict[str, tuple[str, str, bool]]]:
    speakers = {f"{p.name}/{p.label}": systems.load(p.adapter, p.settings).version for p in asked.protocol.systems}
    panel = {}
    for part in asked.protocol.recognisers:
        loaded = recognisers.load(part.adapter, part.settings)
        panel[part.name] = (loaded.name, loaded.version, loaded.diagnostic or part.diagnostic)
    return speakers, panel


def outstanding_takes(asked: Run) -> list[Attempt]:
    """The next attempt at each case that has no good take and may be tried again, in the protocol's order."""
    tried = Counter(run.case(entry) for entry in asked.take_lines())
    last = asked.takes()
    return [
        Attempt(case, tried[case], last[case]["error"] if case in last else None)
        for case in asked.expected()
        if tried[case] <= asked.protocol.retries and not (case in last and last[case]["outcome"] == "ok")
    ]


def outstanding_hearings(asked: Run, recogniser: str) -> list[Hearing]:
    """What a recogniser has still to hear of the good takes, in the protocol's order."""
    tried = Counter((run.case(entry), entry["channel"]) for entry in asked.transcript_lines(recogniser))
    last = asked.transcripts(recogniser)
    takes = asked.takes()
    return [
        Hearing(case, name, last[case, name]["error"] if (case, name) in last else None)
        for case in asked.expected()
        if case in takes and takes[case]["outcome"] == "ok"
        for name in asked.channels()
        if tried[case, name] <= asked.protocol.retries
        and not ((case, name) in last and last[case, name]["outcome"] == "ok")
    ]


def synthesise(asked: Run, executor: Executor, width: int, progress: Progress) -> None:
    """Try every outstanding case until it has a good take or no attempt left. The caller holds the lock."""
    parts = {(part.name, part.label): part for part in asked.protocol.systems}
    segments = {segment.id: segment for segment in asked.frozen.chosen}
    total = len(asked.expected())
    done = total - len(outstanding_takes(asked))

    def submit(attempt: Attempt) -> Future[tuple[Entry, bytes]]:
        case = attempt.case
        text = segments[case.segment].written(case.track)
        assert text is not None, "protocol.read refuses a track that a segment has no text for"
        return executor.submit(_speak, parts[case.system, case.voice], text, case, asked.frozen.seed(case))

    with Journal(asked.path / "takes.jsonl") as log:

        def record(attempt: Attempt, answer: tuple[Entry, bytes] | None) -> None:
            nonlocal done
            entry, raw = answer or ({"started": _now(), "outcome": "failed", "error": DIED}, b"")
            head = {
                **run.fields(attempt.case),
                "attempt": attempt.number,
                "retry_cause": attempt.before,
                "seed": asked.frozen.seed(attempt.case),
                "protocol_sha256": asked.frozen.sha256,
            }
            kept = _keep(asked, attempt, entry, raw)
            log.append({**head, **kept})
            done += kept["outcome"] == "ok" or attempt.number == asked.protocol.retries
            progress("synthesise", done, total)

        drain(lambda: outstanding_takes(asked), submit, record, width)


def _speak(part: SystemPart, text: str, case: Case, seed: int) -> tuple[Entry, bytes]:
    """One attempt, in a worker: the fields of its journal line, and the raw response."""
    here = None if part.region else run.machine()  # a hosted system's machine is not this one
    entry: Entry = {"started": _now(), "hardware": part.hardware or here, "region": part.region, "version": None}
    request = {"text": text, "voice": part.voice, "seed": seed, "settings": part.settings}
    try:
        system = _adapter(systems.load, part.adapter, part.settings)
        entry["version"] = system.version
        if isinstance(system, systems.Archive):
            speech = system.find(case.segment, track=case.track, take=case.take)
        else:
            speech = system.synthesise(text, voice=part.voice, seed=seed)
    except Exception as error:  # whatever an adapter raises is an outcome of the system under test
        return {**entry, "request": request, "outcome": "failed", "error": _sentence(error)}, b""
    return {
        **entry,
        "request": {**request, **speech.request},
        "submitted_ns": speech.submitted_ns,
        "first_audio_ns": speech.first_audio_ns,
        "completed_ns": speech.completed_ns,
        "format": speech.format,
        "outcome": "ok",
        "error": None,
    }, speech.audio


def _keep(asked: Run, attempt: Attempt, entry: Entry, raw: bytes) -> Entry:
    """Store the raw response and its playback conversion; judge an answer that holds no sound."""
    if entry["outcome"] != "ok":
        return entry
    if not raw:
        return {**entry, "outcome": "empty", "error": "the response was empty"}
    if not entry["format"].isalnum():
        return {**entry, "outcome": "failed", "error": f"the adapter names the format {entry['format']!r}, no suffix"}
    case = attempt.case
    stem = f"{case.system}/{case.voice}/{case.track}/{case.segment}.{case.take}"
    entry = {**entry, "raw": f"audio/raw/{stem}.{attempt.number}.{entry['format']}"}
    entry["raw_sha256"] = hashlib.sha256(raw).hexdigest()
    write(asked.path / entry["raw"], raw)
    try:
        sound, intake = receive(raw)
    except Fault as fault:
        return {**entry, "outcome": "failed", "error": str(fault)}
    entry |= {
        "rate": intake.rate,
        "seconds": round(intake.seconds, 6),
        "encoding": intake.encoding,
        "downmixed_from": intake.channels if intake.downmixed else None,
        "level_dbov": _finite(intake.level.active),
        "activity": round(intake.level.activity, 4),
        "peak_dbov": _finite(intake.peak),
        "clipped": intake.over,
    }
    if not sound.samples.any():
        return {**entry, "outcome": "empty", "error": "the response is digital silence"}
    flac = audio.encode(sound)
    write(asked.path / f"audio/playback/{stem}.flac", flac)
    return {
        **entry,
        "playback": f"audio/playback/{stem}.flac",
        "playback_sha256": hashlib.sha256(flac).hexdigest(),
    }


def transcribe(asked: Run, executor: Executor, width: int, progress: Progress) -> None:
    """Let each recogniser hear each channel of each good take, one recogniser after the other. The caller holds
    the lock. Raises Fault when stored audio is not what the journal recorded."""
    takes = {case: entry for case, entry in asked.takes().items() if entry["outcome"] == "ok"}
    total = len(takes) * len(asked.channels()) * len(asked.protocol.recognisers)
    done = total - sum(len(outstanding_hearings(asked, part.name)) for part in asked.protocol.recognisers)
    for part in asked.protocol.recognisers:

        def submit(hearing: Hearing, part: RecogniserPart = part) -> Future[Entry]:
            case = hearing.case
            path = asked.path / takes[case]["playback"]
            flac = path.read_bytes()
            if hashlib.sha256(flac).hexdigest() != takes[case]["playback_sha256"]:
                raise Fault("The audio is not what the journal recorded. Restore it from a copy.", file=path)
            seed = channels.parse(hearing.channel).seed(asked.frozen.text_set.name, case.segment, case.take)
            return executor.submit(_listen, part, flac, hearing.channel, seed)

        with Journal(asked.transcripts_path(part.name)) as log:

            def record(hearing: Hearing, answer: Entry | None, log: Journal = log) -> None:
                nonlocal done
                entry = answer or {"started": _now(), "outcome": "failed", "error": DIED, "text": None}
                head = {**run.fields(hearing.case), "channel": hearing.channel, "retry_cause": hearing.before}
                log.append({**head, "protocol_sha256": asked.frozen.sha256, **entry})
                done += entry["outcome"] == "ok"
                progress("transcribe", done, total)

            drain(lambda name=part.name: outstanding_hearings(asked, name), submit, record, width)  # type: ignore[misc]


def _listen(part: RecogniserPart, flac: bytes, channel: str, seed: int) -> Entry:
    """One transcript, in a worker: the fields of its journal line."""
    entry: Entry = {"started": _now(), "recogniser": None, "version": None, "heard_sha256": None}
    try:
        recogniser = _adapter(recognisers.load, part.adapter, part.settings)
        entry |= {"recogniser": recogniser.name, "version": recogniser.version}
        sent = channels.parse(channel).carry(audio.read(flac), seed=seed)
        entry |= {"heard_sha256": sent.clip.checksum, "clipped": sent.clipped, "lost": sent.lost, "frames": sent.frames}
        transcript = recogniser.transcribe(sent.clip)
    except Exception as error:  # a recogniser that fails on a clip is an outcome, shown under its own cause
        return {**entry, "outcome": "failed", "error": _sentence(error), "text": None}
    return {
        **entry,
        "outcome": "ok",
        "error": None,
        "seconds": round(transcript.seconds, 4),
        "looped": looped(transcript.text),
        "text": transcript.text,
    }


_loaded = threading.local()  # a model is loaded once a thread and let go with it; threads share nothing


def _adapter(load: Callable[[str, dict[str, Any]], Any], adapter: str, settings: dict[str, Any]) -> Any:
    key = (load.__module__, adapter, json.dumps(settings, sort_keys=True))
    if not hasattr(_loaded, "adapters"):
        _loaded.adapters = {}
    if key not in _loaded.adapters:
        _loaded.adapters[key] = load(adapter, settings)
    return _loaded.adapters[key]


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def _finite(decibel: float) -> float | None:
    return round(decibel, 3) if math.isfinite(decibel) else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
