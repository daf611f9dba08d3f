"""How long `bench demo` works: begun in an empty folder, and again when all is done.

Run it from the clone, `python benchmarks/demo.py [--language en] [--write]`, on a machine that does nothing else.
With --write the page docs/benchmark-demo.md is made anew.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmark-demo.md"


def seconds(*words: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "bench.cli", *words], cwd=ROOT, check=True, capture_output=True)
    return time.perf_counter() - started


def measure(language: str) -> str:
    with tempfile.TemporaryDirectory() as runs:
        words = ("demo", "--language", language, "--runs", runs, "--no-show", "--workers", "2")
        first, second = seconds(*words), seconds(*words)
        page = Path(runs, f"demo-{language}", "report", "index.html").stat().st_size / 1e6
    load = f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"| {language} | {first:.1f} | {second:.1f} | {page:.1f} | {load} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=["en", "tr", "de", "zh"], action="append")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    lines = [measure(language) for language in asked.language or ["en", "tr", "de", "zh"]]
    text = "\n".join(
        [
            "# The demo",
            "",
            "`bench demo` from an empty folder to the report, and again when all is done; two worker processes.",
            "Bounds: 90 s for English at first, 5 s when all is done.",
            "",
            "| language | first, s | again, s | report, MB | machine |",
            "|---|---:|---:|---:|---|",
            *lines,
            "",
        ]
    )
    print(text)
    if asked.write:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
