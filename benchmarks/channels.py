"""How many seconds of audio one core puts through each condition in a second, beside handset-bench's `phone_line`.

`python benchmarks/channels.py [--write]`: with `--write` the page in docs is renewed. With the extra `peers` installed
the peer is measured in the same process, without it the page says that it is missing. Conventions: one core and one
thread; all candidates take turns in every round, so that what else the machine does falls on all of them; a figure is
the median of the rounds, by processor time.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from bench.audio import Clip, clip
from bench.channels import LINES, parse, phone_line

PAGE = Path(__file__).parents[1] / "docs" / "benchmark-channels.md"
SECONDS = 5
ROUNDS = 31
RATES = (8_000, 16_000, 22_050, 24_000, 44_100, 48_000)
CONDITIONS = (*LINES, "g711u+loss=3%", "g711a+burst=3%x4", "g711u+level=-26", "handset+loss=3%")


def sound(rate: int) -> Clip:
    """Noise whose loudness wavers as that of speech does, about -26 dBov."""
    time_line = np.arange(SECONDS * rate) / rate
    loudness = 0.04 * (1.1 + np.sin(2 * np.pi * 3 * time_line))
    return clip(np.random.default_rng(0).standard_normal(len(time_line)) * loudness, rate)


def speeds(candidates: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of audio a second, by candidate: the median over rounds in which all take turns."""
    for run in candidates.values():
        run()  # tables, filters and imports are made once
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        for name, run in candidates.items():
            begin = time.process_time()
            run()
            taken[name].append(time.process_time() - begin)
    return {name: SECONDS / statistics.median(times) for name, times in taken.items()}


def peer(speech: Clip) -> Callable[[], object] | None:
    """handset-bench's `phone_line` on the same samples, or None where the extra `peers` is not installed."""
    try:
        import torch
        from handset_bench import codec
    except ImportError:
        return None
    torch.set_num_threads(1)
    samples = torch.from_numpy(speech.samples.copy())
    return partial(codec.phone_line, samples, speech.rate, loss_p=0.03, seed=7)


def versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for package in ("numpy", "scipy", "soxr", "av", "handset-bench", "torch", "torchaudio"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            found.append(f"{package} missing")
    return ", ".join(found)


def page() -> str:
    lines = [
        "# Speed of the line conditions",
        "",
        f"Written by `python benchmarks/channels.py --write`: {SECONDS} s of audio, one core, the median of {ROUNDS}",
        "rounds in which all take turns. Figures are seconds of audio in a second of processor time; what counts is",
        "the ratio, taken in one run.",
        "",
        versions() + ".",
        "",
        "## `phone_line` and its peer",
        "",
        "Mu-law, 3 % loss, samples in memory to samples at 8 kHz. Ours is bit-exact G.711 behind a linear-phase band;",
        "handset-bench's is a continuous curve behind a Butterworth filter.",
        "",
        "| input rate | Earshot | handset-bench | ratio |",
        "|---:|---:|---:|---:|",
    ]
    for rate in RATES:
        speech = sound(rate)
        candidates: dict[str, Callable[[], object]] = {"ours": partial(phone_line, speech.samples, rate)}
        other = peer(speech)
        if other is not None:
            candidates["theirs"] = other
        speed = speeds(candidates)
        theirs = f"{speed['theirs']:,.0f} | {speed['ours'] / speed['theirs']:.1f}" if other else "not installed | "
        lines.append(f"| {rate:,} Hz | {speed['ours']:,.0f} | {theirs} |")
    speech = sound(24_000)
    lines += [
        "",
        "## Every condition, 24 kHz in, 16 kHz out",
        "",
        "| condition | seconds a second |",
        "|---|---:|",
    ]
    conditions = {name: partial(parse(name).transmit, speech, seed=7) for name in CONDITIONS}
    lines += [f"| `{name}` | {speed:,.0f} |" for name, speed in speeds(conditions).items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    text = page()
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    print(text, end="")
