"""How fast rows are scored, as ratios to jiwer measured in one run: `python benchmarks/scoring.py [--write]`.

Conventions: 5,000 seeded rows of about 19 words, half of them with alternatives, up to 256 paths each, and
hypotheses with about 6 % of the words wrong. jiwer aligns the same hypotheses with the canonical readings alone.
A time is the least of several, by the wall clock; compiled kernels are warm; a table of more than one system is
aligned on all cores. `--write` keeps the output in docs/benchmark-scoring.md.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import platform
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

import jiwer
import numba
import numpy as np
import pandas as pd

from bench import align, lattice
from bench.score import score, summary
from bench.segment import Segment

PAGE = Path(__file__).parents[1] / "docs" / "benchmark-scoring.md"
ROWS, SYSTEMS, MANY = 5_000, 10, 900_000
SYLLABLES = re.findall("..", "bacedıelfögühaizjakolimünaorperisutüvayoza")


class Words:
    """A seeded vocabulary with a long tail, as speech has."""

    def __init__(self, rng: random.Random, size: int = 6_000) -> None:
        self.rng = rng
        seen: dict[str, None] = {}
        while len(seen) < size:
            seen["".join(rng.choices(SYLLABLES, k=rng.choice((1, 2, 2, 3, 3, 4))))] = None
        self.words = list(seen)
        self.weights = list(accumulate((rank + 3) ** -0.9 for rank in range(size)))

    def some(self, n: int) -> list[str]:
        return self.rng.choices(self.words, cum_weights=self.weights, k=n)


def references(words: Words, n: int) -> list[str]:
    """Lattices: a log-normal number of words, half of the rows with one to eight groups of two to four options."""
    rng = words.rng
    texts = []
    for row in range(n):
        length = min(96, max(1, round(rng.lognormvariate(2.76, 0.60))))
        groups = 1 + min(7, int(rng.expovariate(0.55))) if row % 2 else 0
        parts = words.some(length)
        paths = 1
        for place in sorted(rng.sample(range(length), min(length, groups))):
            first = [parts[place], *words.some(rng.choice((0, 0, 1, 1, 2)))]
            others = [first[:-1], [*first[:-1], *words.some(1)], words.some(rng.choice((1, 1, 2, 3)))]
            options = [first, *rng.sample(others, rng.choice((1, 1, 1, 1, 2, 3)))]
            if paths * len(options) > 256:
                break
            paths *= len(options)
            parts[place] = "{" + "|".join(" ".join(option) for option in options) + "}"
        texts.append(" ".join(parts))
    return texts


def hear(words: Words, reading: lattice.Lattice, wrong: float = 0.06) -> str:
    """One path with errors: a group is read in its first way two times in three."""
    rng = words.rng
    heard: list[str] = []
    for part in reading.parts:
        if isinstance(part, lattice.Group):
            option = part.options[0] if rng.random() < 2 / 3 else rng.choice(part.options)
            heard += lattice.canonical(option)
        else:
            heard.append(part)
    out: list[str] = []
    for word in heard:
        draw = rng.random() / wrong
        if draw >= 1:
            out.append(word)
        elif draw < 0.6:
            out += words.some(1)
        elif draw >= 0.8:
            out += [word, *words.some(1)]
    return " ".join(out)


def least(*works: Callable[[], object], rounds: int = 20) -> list[float]:
    """Milliseconds of the quickest of several calls of each, by the wall clock; in turns, so that all meet the same
    changes of the machine's clock."""
    spans: list[list[float]] = [[] for _ in works]
    gc.collect()
    for _ in range(rounds):
        for work, mine in zip(works, spans, strict=True):
            start = time.perf_counter()
            work()
            mine.append(time.perf_counter() - start)
    return [1_000 * min(mine) for mine in spans]


def high() -> float:
    """Gigabytes of memory of this process at its highest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)


def peak_of_score(rows: int) -> float:
    """As `peak`, of `bench.score.score` on a frame: 18 of 180 systems' transcripts differ, all are held."""
    words = Words(random.Random(7))
    readings = [lattice.parse(text) for text in references(words, ROWS)]
    segments = [
        Segment(f"row-{row:05}", "tr", "", " ".join(lattice.canonical(reading)), lattice.text(reading))
        for row, reading in enumerate(readings)
    ]
    heard = [hear(words, readings[row % ROWS]) for row in range(18 * ROWS)]
    frame = pd.DataFrame(
        {
            "system": [f"system-{row // ROWS}" for row in range(rows)],
            "voice": "", "track": "R", "segment": [segments[row % ROWS].id for row in range(rows)], "take": 0,
            "channel": "", "recogniser": "", "diagnostic": False, "looped": False, "headline": True,
            "transcript": [heard[row % len(heard)] for row in range(rows)], "cause": None,
        }
    )  # fmt: skip
    assert len(summary(score(frame, segments, language="tr", bound=False))) == rows // ROWS
    return high()


def peak(rows: int) -> float:
    """Gigabytes of memory at the highest of aligning `rows` rows, this process's interpreter and texts included."""
    words = Words(random.Random(7))
    texts = references(words, ROWS)
    readings = [lattice.parse(text) for text in texts]
    index = np.arange(rows) % ROWS
    heard = [hear(words, readings[row]) for row in index]
    ready = align.encode_references(texts)
    found = align.align(ready, heard, index, trace=True)
    assert len(found) == rows
    return high()


Row = tuple[str, str, str, str]  # the work, what it took, that as a ratio, what it is held to


def alignment() -> tuple[str, list[Row]]:
    """From lattices and normalised transcripts to counts."""
    words = Words(random.Random(7))
    texts = references(words, ROWS)
    readings = [lattice.parse(text) for text in texts]
    plain = [" ".join(lattice.canonical(reading)) for reading in readings]
    systems = [[hear(words, reading) for reading in readings] for _ in range(SYSTEMS)]
    first = systems[0]
    everything = [text for system in systems for text in system]
    index = np.tile(np.arange(ROWS), SYSTEMS)

    def one(trace: bool = False) -> align.Alignments:
        return align.align(align.encode_references(texts), first, trace=trace)

    def every() -> align.Alignments:
        return align.align(align.encode_references(texts), everything, index)

    start = time.perf_counter()
    one(trace=True)
    load = time.perf_counter() - start
    theirs, encoding, whole, traced, ten = least(
        lambda: jiwer.process_words(plain, first),
        lambda: align.encode_references(texts),
        one,
        lambda: one(trace=True),
        every,
    )
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        memory = pool.apply(peak, (MANY,))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        whole_memory = pool.apply(peak_of_score, (MANY,))

    ready = align.encode_references(texts)
    shape = (
        f"{ROWS:,} rows, {ready.words.mean():.1f} words and {ready.characters.mean():.0f} characters a row, "
        f"{np.mean([lattice.count(r) > 1 for r in readings]):.0%} with alternatives, "
        f"up to {max(map(lattice.count, readings))} paths."
    )
    return shape, [
        ("jiwer.process_words, canonical readings", f"{theirs:.1f} ms", "1.00 x jiwer", ""),
        ("encoding the references", f"{encoding:.1f} ms", f"{encoding / theirs:.2f} x jiwer", ""),
        ("lattice WER, S/D/I and both CERs, from text", f"{whole:.1f} ms", f"{whole / theirs:.2f} x jiwer", "0.5"),
        ("the same and the columns of every row", f"{traced:.1f} ms", f"{traced / theirs:.2f} x jiwer", ""),
        (f"{SYSTEMS} systems, WER, S/D/I and both CERs", f"{ten:.1f} ms", f"{ten / whole:.2f} x one system", "4"),
        (f"{MANY:,} rows with columns, peak memory", f"{memory:.2f} GB", "", "2 GB"),
        (f"{MANY:,} rows scored in a frame, peak memory", f"{whole_memory:.2f} GB", "", "2 GB"),
        ("first call in a new process, cached or not", f"{load:.1f} s", "", ""),
    ]


PROGRAM = """
import gc
import sys
gc.set_threshold(1_000_000)  # as `bench` does
from pathlib import Path
from bench import formats
from bench.formats import hypotheses
from bench.score import score, summary
text_set = formats.read(Path(sys.argv[1]))
rows = hypotheses.read(Path(sys.argv[2]), text_set, "R")
bound = len(sys.argv) > 3
print(summary(score(rows, text_set.segments, language="tr", bound=bound), ["system"])["wer"].item())
gc.freeze()
"""


def whole_process() -> tuple[str, list[Row]]:
    """The Turkish set again and again, with other digits in each transcript, so that no text is read twice."""
    rng = random.Random(5)
    source = [json.loads(line) for line in (PAGE.parents[1] / "data/tr.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        texts, heard = Path(folder, "set.jsonl"), Path(folder, "system_R.jsonl")
        with texts.open("w") as one, heard.open("w") as two:
            for row in range(ROWS):
                segment = source[row % len(source)] | {"id": f"row-{row:05}"}
                spoken = re.sub("[0-9]", lambda _: str(rng.randrange(10)), segment["text"])
                one.write(json.dumps(segment, ensure_ascii=False) + "\n")
                two.write(json.dumps({"id": segment["id"], "hyp": spoken}, ensure_ascii=False) + "\n")
        best = process(texts, heard)
        both = process(texts, heard, "set")
    about = f"{ROWS:,} Turkish rows read, verbalised, normalised and scored by one new process, warm caches."
    return about, [
        ("verbalise, normalise, score, mode best", f"{best:.2f} s", "", "1.5 s"),
        ("the same and the optimistic bound of mode set", f"{both:.2f} s", "", ""),
    ]


def process(*arguments: str | Path) -> float:
    """The shortest of some runs of PROGRAM, in seconds; the first fills the caches and does not count."""
    times = []
    for _ in range(6):
        started = time.perf_counter()
        root = PAGE.parents[1]
        subprocess.run([sys.executable, "-c", PROGRAM, *arguments], cwd=root, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return min(times[1:])


SECTIONS: dict[str, Callable[[], tuple[str, list[Row]]]] = {"Alignment": alignment, "Whole process": whole_process}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help=f"keep the output in docs/{PAGE.name}")
    write = options.parse_args().write

    page = (
        "# Benchmark: scoring\n\n"
        f"`python benchmarks/scoring.py --write` with Python {platform.python_version()}, numba {numba.__version__}, "
        f"numpy {np.__version__} and jiwer {version('jiwer')} on {multiprocessing.cpu_count()} cores.\n"
    )
    for title, section in SECTIONS.items():
        about, rows = section()
        lines = ["| work | measured | ratio | at most |", "|---|---|---|---|"]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        page += f"\n## {title}\n\n{about}\n\n" + "\n".join(lines) + "\n"
    sys.stdout.write(page)
    if write:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
