"""How far the power that a pilot promises is from the truth, and how often its interval holds it.

Run from the repository root: python -m benchmarks.pilots [PILOTS]. It prints its figures and writes
docs/benchmark-pilots.md. The votes are those of tests/test_listening_simulation.py; all is seeded.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[0] = str(ROOT)  # so that `bench` and `tests` are those of this tree, however this file is run
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when NumPy is first imported

import numpy as np  # noqa: E402

from bench.listening import power  # noqa: E402
from bench.listening.spread import spread  # noqa: E402
from tests.test_listening_simulation import PLANNED, TRUTH, pilot  # noqa: E402

SIZES = ((24, 60), (24, 100), (48, 60), (48, 100), (96, 100))
EFFECTS = (0.15, 0.2, 0.25)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    parts = ", ".join(f"{name.replace('_', ' x ')} {value:g}" for name, value in TRUTH.deviations.items() if value)
    page = [
        "# What a pilot of a listening study promises",
        "",
        f"Written by `python -m benchmarks.pilots {count}`. Planned are 24 listeners, 100 texts and 4 systems; "
        "standard",
        f"deviations of a vote are {parts}. {count} simulated pilots a row; off is the power that a pilot promises",
        "less the simulated truth, in points.",
        "",
        "| pilot: listeners | texts | true difference | true power | off, mean | off, mean size | interval: width "
        "| holds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    true = {e: power.outlook(TRUTH, PLANNED, effect=e, listeners=24, seed=2, repeats=4000).power for e in EFFECTS}
    for listeners, texts in SIZES:
        pilots = [spread(pilot(TRUTH, listeners, texts, 4, 1000 + seed)) for seed in range(count)]
        for effect in EFFECTS:
            told = [power.outlook(p, PLANNED, effect=effect, listeners=24, seed=1, repeats=500) for p in pilots]
            off = 100 * (np.array([one.power for one in told]) - true[effect])
            width = 100 * np.mean([one.power_hi - one.power_lo for one in told])
            holds = np.mean([one.power_lo - 0.02 <= true[effect] <= one.power_hi + 0.02 for one in told])
            page.append(
                f"| {listeners} | {texts} | {effect:g} | {true[effect]:.1%} | {off.mean():+.1f} | "
                f"{np.abs(off).mean():.1f} | {width:.0f} | {holds:.0%} |"
            )
            print(page[-1], flush=True)
    page += ["", "An end of an interval is itself simulated, and is given 2 points for it."]
    (ROOT / "docs").mkdir(exist_ok=True)
    (ROOT / "docs" / "benchmark-pilots.md").write_text("\n".join([*page, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
