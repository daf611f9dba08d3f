"""How long the statistics of a table take, against one call of scipy.stats.bootstrap in the same run.

Run from the repository root: python -m benchmarks.statistics. It prints its figures and writes
docs/benchmark-statistics.md. Ratios are of medians over rounds in which every variant runs once, so that a busy machine
slows all of them alike; BLAS is held to one thread. Peak memory is that of a fresh process.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # run as a script, this file would hide the standard library's module of the same name
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported

import platform  # noqa: E402
import resource  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import time  # noqa: E402
from collections.abc import Callable  # noqa: E402
from typing import Any  # noqa: E402

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import scipy  # noqa: E402

from bench.inference import compare  # noqa: E402

B, SEGMENTS, SYSTEMS, STRATA, MANY = 10_000, 5_000, 10, 20, 50
ROUNDS = 5


def scores(systems: int) -> pd.DataFrame:
    """Skewed words and difficulties, each system a little worse than the one before, in 20 strata."""
    rng = np.random.default_rng(1)
    words = np.clip(np.round(rng.lognormal(2.76, 0.6, SEGMENTS)), 1, 96).astype(int)
    difficulty = rng.beta(1, 14, SEGMENTS)
    fixed = pd.DataFrame(
        {
            "track": "R",
            "channel": "clean",
            "recogniser": "r",
            "segment": [f"t{k:05}" for k in range(SEGMENTS)],
            "take": 0,
            "words": words,
            "setting": [f"g{k:02}" for k in rng.integers(0, STRATA, SEGMENTS)],
        }
    )
    factors = 0.8 + 0.6 * np.arange(systems) / systems
    parts = [
        fixed.assign(system=f"s{k:02}", errors=rng.binomial(words, np.clip(difficulty * factor, 0, 1)))
        for k, factor in enumerate(factors)
    ]
    return pd.concat(parts, ignore_index=True)


def measure(variants: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median time of each variant in seconds, over rounds of all of them, after one that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(ROUNDS + 1):
        for name, run in variants.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found[1:]) for name, found in times.items()}


def memory() -> tuple[float, float]:
    """Peak memory in MB of this process after a comparison of 50 systems: what it added, and all of it."""
    frame = scores(MANY)
    compare(scores(2).query("segment < 't00100'"), B=100)  # imports and compiled kernels are in the base
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    compare(frame, B=B)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return after - before, after


def main() -> None:
    # Before anything else: a child's peak starts from what its parent held.
    command = [sys.executable, "-c", "from benchmarks.statistics import memory; print(*memory())"]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    added, total = (float(figure) for figure in output.split())
    frame, many = scores(SYSTEMS), scores(MANY)
    one = frame[frame["system"] == "s00"]
    sample = one["errors"].to_numpy(float), one["words"].to_numpy(float)

    def rate(errors: Any, words: Any, axis: int = -1) -> Any:
        return errors.sum(axis) / words.sum(axis)

    def percentile() -> Any:
        return scipy.stats.bootstrap(
            sample, rate, paired=True, vectorized=True, n_resamples=B, method="percentile", batch=100
        )

    times = measure(
        {
            "one": lambda: compare(frame, B=B),
            "strata": lambda: compare(frame, B=B, strata=[["setting"]]),
            "many": lambda: compare(many, B=B),
            "scipy": lambda: scipy.stats.bootstrap(sample, rate, paired=True, vectorized=True),
            "scipy percentile": percentile,
        }
    )
    rows = [
        ("`compare`, 10 systems: intervals, 45 differences, tests, ranks", times["one"], "1"),
        ("the same on the whole and 20 strata", times["strata"], f"{times['strata'] / times['one']:.2f}"),
        ("`compare`, 50 systems, 1,225 differences", times["many"], f"{times['many'] / times['one']:.2f}"),
        (
            "`scipy.stats.bootstrap`, library defaults, one system",
            times["scipy"],
            f"{times['scipy'] / times['one']:.2f}",
        ),
        (
            "`scipy.stats.bootstrap`, percentile in batches of 100, one system",
            times["scipy percentile"],
            f"{times['scipy percentile'] / times['one']:.2f}",
        ),
    ]
    page = [
        "# Benchmark: statistics",
        "",
        f"Written by `python -m benchmarks.statistics`. B = {B:,}, {SEGMENTS:,} segments, median of {ROUNDS} rounds,",
        f"one BLAS thread; Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__},",
        f"{os.cpu_count()} cores. Only the ratios carry over to another machine.",
        "",
        "| what | seconds | x first row |",
        "|---|---|---|",
        *(f"| {what} | {seconds:.3f} | {ratio} |" for what, seconds, ratio in rows),
        "",
        "| bound | measured |",
        "|---|---|",
        f"| 10 systems at most 0.6 x one default `scipy.stats.bootstrap` | {times['one'] / times['scipy']:.2f} |",
        f"| 20 strata at most 3.5 x one stratum | {times['strata'] / times['one']:.2f} |",
        f"| peak memory at 50 systems below 300 MB | {added:.0f} MB added, {total:.0f} MB in all |",
        "",
    ]
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs" / "benchmark-statistics.md").write_text("\n".join(page), encoding="utf-8")
    print("\n".join(page))


if __name__ == "__main__":
    main()
