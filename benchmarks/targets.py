"""How long a seven-system board takes: CN-NewsTTS Bench v0.1, 16,800 transcripts, from the command line and inside.

Run from the repository's root with the public data at hand:

    EARSHOT_SHARED=../shared python benchmarks/targets.py

It prints the table and writes docs/benchmark-targets.md. Ratios are taken within one run, against the time to parse
the JSON of the same transcripts and do nothing with it: the floor for anything that reads them. Times are those of
the processor, which a busy machine changes less than it does the time on the wall.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench import target_tables, targets
from bench.release import newstts

ROOT = Path(__file__).parents[1]
RUNS = 5


def best(work: Callable[[], object]) -> float:
    """The shortest of several runs, in seconds of processor time."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def process(*words: object, **environment: str) -> float:
    """Processor time, user and system, of one Python process, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *map(str, words)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, env=os.environ | environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parse(folder: Path) -> None:
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                json.loads(line)


def main() -> None:
    data = Path(os.environ.get("EARSHOT_SHARED") or ROOT.parent / "shared") / "data" / "cn-newstts"
    dataset, transcripts, merged = data / "dataset/test_public.jsonl", data / "transcripts", data / "merged"
    if not dataset.is_file():
        raise SystemExit(f"{dataset} is missing; set EARSHOT_SHARED to the folder that holds data/cn-newstts.")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "board"
        evidence = newstts.gather(dataset, merged=merged)
        scores = targets.ranked(evidence)
        words = ("-m", "bench.cli", "targets", "--dataset", dataset, "--transcripts", transcripts)
        figures = {
            "parse the JSON of 16,800 one-route rows (floor)": best(lambda: parse(transcripts)),
            "board from one-route transcripts: merge, score, write": best(
                lambda: newstts.board(dataset, transcripts=transcripts, out=out)
            ),
            "board from merged transcripts: score, write": best(lambda: newstts.board(dataset, merged=merged, out=out)),
            "intervals by span and record, tests, ranks, ties: B = 10,000": best(lambda: target_tables.board(scores)),
            "vote sensitivity: 5 rules and 3 single routes, from what was found": best(
                lambda: target_tables.sensitivity(evidence)
            ),
            "whole process: the imports alone": min(
                process("-c", "import bench.cli, bench.release.newstts, bench.target_tables") for _ in range(RUNS)
            ),
            "whole process: `bench targets`, board printed": min(process(*words) for _ in range(RUNS)),
            "whole process: the same with `--out`, 37 files written": min(
                process(*words, "--out", out) for _ in range(RUNS)
            ),
            "whole process: the same with `--report`, page written": process(
                *words, "--report", out.with_suffix(".html")
            ),
            "whole process, once after an installation: numba compiles": process(
                *words, NUMBA_CACHE_DIR=str(Path(folder) / "cache")
            ),
        }
    floor = next(iter(figures.values()))
    table = [
        "| work | s | x floor |",
        "|---|---:|---:|",
        *(f"| {name} | {seconds:.3f} | {seconds / floor:.1f} |" for name, seconds in figures.items()),
    ]
    text = "\n".join(
        [
            "# Benchmark: target-level scoring",
            "",
            "Seven systems, three routes, 800 records with 1,008 targets; 37 files written, byte-identical to the",
            f"published ones. Shortest of {RUNS} runs; Python {platform.python_version()}, {os.cpu_count()} cores.",
            "All in processor time, user and system. Made by `benchmarks/targets.py`.",
            "",
            *table,
            "",
        ]
    )
    print(text)
    (ROOT / "docs" / "benchmark-targets.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
