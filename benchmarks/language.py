"""How fast transcripts are verbalised and normalised: `python benchmarks/language.py [--write]`.

Conventions: the written text of the language's own set, one sentence a call, one core. A time is the least of several
rounds in processor time; caches are warm, as they are after the first few hundred rows of a run. The yardstick is
Whisper's basic normaliser on the same sentences, which reads no number aloud; the ratio to it is what compares two
machines. `--write` keeps the output in docs/benchmark-language.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from whisper_normalizer.basic import BasicTextNormalizer

from bench.language import turkish

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmark-language.md"
ROUNDS = 15


def rate(call: Callable[[str], object], sentences: list[str]) -> float:
    """Sentences a second."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for sentence in sentences:
            call(sentence)
        least = min(least, time.process_time() - start)
    return len(sentences) / least


def page() -> str:
    rows = [json.loads(line) for line in (ROOT / "data" / "tr.jsonl").read_text("utf-8").splitlines()]
    sentences = [row["text"] for row in rows]
    yardstick = rate(BasicTextNormalizer(), sentences)
    steps: dict[str, Callable[[str], object]] = {
        "`normalise`": turkish.normalise,
        "`verbalise`": turkish.verbalise,
        "`normalise(verbalise(text))`": lambda text: turkish.normalise(turkish.verbalise(text)),
        '`verbalise(text, "set")`': lambda text: turkish.verbalise(text, "set"),
    }
    lines = [
        "# Speed of the languages",
        "",
        "Written by `python benchmarks/language.py --write`: "
        f"the {len(sentences)} written sentences of the Turkish set,",
        f"{sum(map(len, sentences)) / len(sentences):.0f} characters on average, one core, least of {ROUNDS} rounds",
        "in processor time. The yardstick is Whisper's basic normaliser, which leaves numbers as they are.",
        "",
        f"Python {platform.python_version()}, whisper-normalizer {version('whisper-normalizer')}.",
        "",
        "| Turkish | sentences a second | x yardstick |",
        "|---|---:|---:|",
        f"| Whisper's basic normaliser | {yardstick:,.0f} | 1.0 |",
    ]
    for name, call in steps.items():
        speed = rate(call, sentences)
        lines.append(f"| {name} | {speed:,.0f} | {speed / yardstick:.1f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help=f"keep the output in {PAGE.relative_to(ROOT)}")
    text = page()
    print(text, end="")
    if parser.parse_args().write:
        PAGE.write_text(text, encoding="utf-8")
