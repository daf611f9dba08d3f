"""How long a slice of a large score table takes: its rows, its rates, their intervals.

Run from the repository root: python -m benchmarks.slicing. It prints its figures and writes docs/benchmark-slicing.md.
The table has 900,000 rows: 10 systems, 5,000 segments in 20 groups, 6 channels, 3 recognisers. Figures are medians of
rounds in which every variant runs once, so that a busy machine slows all of them alike; BLAS is held to one thread.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # run as a script, this file would hide the package's module of the same name
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported

import platform  # noqa: E402
import statistics  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

from bench import slicing  # noqa: E402

SEGMENTS, SYSTEMS, GROUPS, ROUNDS, BOUND = 5_000, 10, 20, 7, 0.3
CHANNELS = ("fb", "nb8k", "g711a", "g711u", "g711u+loss=3%", "opus")
RECOGNISERS = ("one", "two", "three")


def scores() -> pd.DataFrame:
    """Skewed words and difficulties, each system a little worse than the one before."""
    rng = np.random.default_rng(1)
    words = np.clip(np.round(rng.lognormal(2.76, 0.6, SEGMENTS)), 1, 96).astype(int)
    difficulty, group = rng.beta(1, 14, SEGMENTS), rng.integers(0, GROUPS, SEGMENTS)
    shape = (len(RECOGNISERS), len(CHANNELS), SYSTEMS, SEGMENTS)
    recogniser, channel, system, segment = (axis.ravel() for axis in np.indices(shape))
    return pd.DataFrame(
        {
            "system": np.array([f"s{k:02}" for k in range(SYSTEMS)])[system],
            "voice": "v",
            "track": "R",
            "segment": np.array([f"t{k:05}" for k in range(SEGMENTS)])[segment],
            "take": 0,
            "channel": np.array(CHANNELS)[channel],
            "recogniser": np.array(RECOGNISERS)[recogniser],
            "group": np.array([f"g{k:02}" for k in range(GROUPS)])[group[segment]],
            "words": words[segment],
            "errors": rng.binomial(words[segment], np.clip(difficulty[segment] * (0.8 + 0.06 * system), 0, 1)),
        }
    )


def measure(variants: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median time of each variant in seconds, over rounds of all of them, after one that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(ROUNDS + 1):
        for name, run in variants.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found[1:]) for name, found in times.items()}


def main() -> None:
    frame = scores()
    stratum = {"group": ["g03"]}
    family = {**stratum, "channel": ["g711u"], "recogniser": ["one"]}
    times = measure(
        {
            "stratum": lambda: slicing.rates(slicing.cut(frame, stratum)),
            "cut": lambda: slicing.cut(frame, stratum),
            "family": lambda: slicing.rates(slicing.cut(frame, family)),
        }
    )
    rows = [
        ("one stratum in all channels and recognisers: rows, rates, intervals of 180 rates", times["stratum"]),
        ("its rows alone", times["cut"]),
        ("one stratum, one channel, one recogniser: rows, rates, intervals of 10 rates", times["family"]),
    ]
    page = [
        "# Benchmark: slicing",
        "",
        f"Written by `python -m benchmarks.slicing`. {len(frame):,} rows, B = {slicing.REPLICATES:,}, median of",
        f"{ROUNDS} rounds, one BLAS thread; Python {platform.python_version()}, NumPy {np.__version__},",
        f"pandas {pd.__version__}, {os.cpu_count()} cores.",
        "",
        "| what | ms | x first row |",
        "|---|---:|---:|",
        *(f"| {what} | {1000 * seconds:.0f} | {seconds / times['stratum']:.2f} |" for what, seconds in rows),
        "",
        f"Bound: a slice in under {1000 * BOUND:.0f} ms; measured {1000 * times['stratum']:.0f} ms, "
        f"{times['stratum'] / BOUND:.2f} of it.",
        "",
    ]
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs" / "benchmark-slicing.md").write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))


if __name__ == "__main__":
    main()
