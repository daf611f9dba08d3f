"""The study page: one file a listener, complete and blind.

Conventions: a page holds the clips of one listener under their blind ids, in the order of these ids, and what is asked.
It names no system, path, channel or kind of item, and no right answer; practice is called practice. Clips are masked,
so that the source shows to no eye which of them is silent or padded; that is no secret from a program. A page opens
from a disk, on a phone, offline, and may reach nothing but the server that it came from. The same design gives the same
bytes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from bench import journal
from bench.audio import read
from bench.listening import clips, scale
from bench.listening.design import Design, Listener

SIDES = {"headphones": 3, "quiet": 2}


def key(design: Design, name: str) -> tuple[int, ...]:
    """The right answers of a check: which of three tones is quietest, or whether (1) there was speech."""
    count = getattr(design.checks, name)
    rng = np.random.default_rng([design.seed, SIDES[name], 9])
    return tuple(clips.turns(count, SIDES[name], rng))


def write(design: Design, sounds: Mapping[str, bytes], folder: Path) -> list[Path]:
    """Write `pages/<code>.html` of a study for every listener; `sounds` are its clips by blind id."""
    played = checks(design, sounds)
    written = []
    for listener in design.listeners:
        path = folder / "pages" / f"{listener.code}.html"
        journal.write(path, render(design, listener, sounds, played).encode())
        written.append(path)
    return written


def checks(design: Design, sounds: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """The clips of the checks and of the volume, by name and blind id, in playing order."""
    opposite = np.random.default_rng([design.seed, 10]).integers(0, 3, design.checks.headphones)
    tones = [clips.tones(right, int(side)) for right, side in zip(key(design, "headphones"), opposite, strict=True)]
    speech = sounds[example(design)]
    quiet = [(clips.faint if right else clips.silence)(read(speech)) for right in key(design, "quiet")]
    found = {"headphones": tones, "quiet": quiet, "volume": [speech]}
    return {
        name: {
            clips.blind(design.seed, design.name, "check", name, n): content
            for n, content in enumerate(clips.alike(contents))
        }
        for name, contents in found.items()
    }


def example(design: Design) -> str:
    """The clip that the volume is set by: one of the training, or else a gold or control item, or else a tested one."""
    trials = [trial for listener in design.listeners for session in listener.sessions for trial in session.trials]
    clips_of = (t.clips[-1] for kind in ("training", "gold", "control") for t in trials if t.kind == kind)
    return next(clips_of, design.stimuli[0].id)


def render(
    design: Design, listener: Listener, sounds: Mapping[str, bytes], played: Mapping[str, Mapping[str, bytes]]
) -> str:
    """The page of one listener; `played` are the clips of the checks."""
    used = {clip for session in listener.sessions for trial in session.trials for clip in trial.clips}
    held = {name: sounds[name] for name in used}
    for contents in played.values():
        held |= contents
    words = scale.words(design.language)
    asked = ("key", "prompt", "answer", "points", "labels", "plays")
    study: dict[str, Any] = {
        "design": design.sha256,
        "code": listener.code,
        "language": design.language,
        "words": words,
        "variety": design.variety,
        "localities": design.localities,
        "presentation": design.presentation,
        "minutes": max(1, round(sum(session.minutes for session in listener.sessions))),
        "questions": [question.model_dump(include=set(asked)) for question in design.questions],
        "checks": {name: list(played[name]) for name in SIDES},
        "volume": next(iter(played["volume"])),
        "sessions": [
            [
                {
                    "id": trial.id,
                    "practice": trial.kind == "training",
                    "clips": trial.clips,
                    "options": trial.options,
                }
                for trial in session.trials
            ]
            for session in listener.sessions
        ],
    }
    code, style, frame = (files("bench.listening").joinpath(f"study.{end}").read_text("utf-8") for end in _ENDS)
    code = f"\n{code}"
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; media-src blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "language": html.escape(design.language),
        "policy": policy,
        "title": html.escape(words["title"]),
        "style": style,
        "clips": "\n".join(_embedded(name, held[name]) for name in sorted(held)),
        "study": json.dumps(study, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "code": code,
    }
    before, _, rest = frame.partition("{language}")
    page = [before, parts.pop("language")]
    for name, part in parts.items():
        between, _, rest = rest.partition("{" + name + "}")
        page += [between, part]
    return "".join([*page, rest])


_ENDS = ("js", "css", "html")


def masked(name: str, content: bytes) -> bytes:
    """A clip as the page holds it: mixed with the high bytes of a linear congruential generator that its id starts.

    The page does the same again to get the clip back.
    """
    power = np.cumprod(np.full(len(content), 1664525, np.uint32), dtype=np.uint32)
    shift = np.cumsum(np.concatenate([np.ones(1, np.uint32), power])[: len(content)], dtype=np.uint32)
    state = power * np.uint32(int(name[:8], 16)) + np.uint32(1013904223) * shift
    return bytes(np.frombuffer(content, np.uint8) ^ (state >> np.uint32(24)).astype(np.uint8))


def _embedded(name: str, content: bytes) -> str:
    text = base64.b64encode(masked(name, content)).decode()
    return f'<script type="text/plain" id="clip-{name}">{text}</script>'
