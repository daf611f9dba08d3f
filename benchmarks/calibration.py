"""Coverage, family-wise error and power by simulation, on more sets and sizes than the tests have time for.

Run from the repository root: python -m benchmarks.calibration [SETS]. It prints its figures and writes
docs/benchmark-calibration.md. The populations are those of tests/test_inference_calibration.py; all is seeded, so that
the same number of sets gives the same page.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # so that `bench` and `tests` are those of this tree, however this file is run
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported

import numpy as np  # noqa: E402

from bench.inference.plan import errors_of_differences, smallest  # noqa: E402
from tests.test_inference_calibration import RATE, coverage, false_alarms, piece, population, power  # noqa: E402

UNITS = (20, 30, 50, 100, 200, 400, 1000)
FAMILIES = ((1.0, 1.0), (1.0,) * 4, (1.0,) * 10, (1.0, 1.0, 1.0, 1.5))
FACTORS = (1.1, 1.15, 1.2, 1.3)


def main() -> None:
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    error = 100 * np.sqrt(0.05 * 0.95 / sets)
    page = [
        "# Calibration of the statistics",
        "",
        f"Written by `python -m benchmarks.calibration {sets}`: {sets:,} simulated sets a figure, whose standard error",
        f"is {error:.1f} points at 5 %. Words are lognormal, difficulties beta(1, 14); clusters",
        "hold 1 to 11 segments that share half of their difficulty; the second system is 1.2 times as bad.",
        "",
        "## Coverage of 95 % intervals",
        "",
        "| units | kind | rate | difference | methods |",
        "|---|---|---|---|---|",
    ]
    for units in UNITS:
        for clusters in (False, True):
            rate, difference, methods = coverage(units, clusters=clusters, sets=sets, seed=units)
            kind = "clusters" if clusters else "segments"
            page.append(f"| {units} | {kind} | {rate:.3f} | {difference:.3f} | {', '.join(sorted(methods))} |")
            print(page[-1], flush=True)
    page += [
        "",
        "## Family-wise error of Holm's procedure at 5 %",
        "",
        "| systems, by how bad they are | error |",
        "|---|---|",
    ]
    for factors in FAMILIES:
        alarms = false_alarms(factors, units=100, sets=sets, seed=17)
        page.append(f"| {', '.join(f'{factor:g}' for factor in factors)} | {alarms:.3f} |")
        print(page[-1], flush=True)
    page += [
        "",
        "## Power at the planned number of segments (planned: 0.80)",
        "",
        "| factor | segments | power |",
        "|---|---|---|",
    ]
    for factor in FACTORS:
        pilot = piece(*population(np.random.default_rng(2), 100_000, clusters=False, factors=(1, factor)))
        (spread,) = errors_of_differences(pilot)
        units = int(np.ceil(100_000 * (smallest(spread) / ((factor - 1) * RATE)) ** 2))
        page.append(f"| {factor:g} | {units} | {power(units, factor=factor, sets=sets, seed=3):.3f} |")
        print(page[-1], flush=True)
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs" / "benchmark-calibration.md").write_text("\n".join([*page, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
