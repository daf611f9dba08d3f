"""`bench targets` as a person meets it: sentences with file and line, exit status 2, and nothing half done."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bench import formats
from bench.audio import clip
from bench.formats.submission import Card
from bench.release.submission import export

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden" / "targets"
DATASET = GOLDEN / "dataset.jsonl"
ASKED = ("own_001", "own_002", "own_003", "own_004")


def bench(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.cli", "targets", *map(str, words)]
    wide = os.environ | {"COLUMNS": "500"}  # a long path would break the line in the middle of a sentence
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=wide)


def merged(folder: Path, *, routes: str = "abc", ids: tuple[str, ...] = ASKED, line: str | None = None) -> list[str]:
    rows = [json.dumps({"id": one, "asr": dict.fromkeys(routes, "")}) for one in ids]
    (folder / "x.asr.jsonl").write_text("\n".join([*rows, *([line] if line else [])]) + "\n", encoding="utf-8")
    return ["--merged", str(folder)]


def one_route(folder: Path, *, line: str) -> list[str]:
    rows = [{"tts_provider": "x", "id": one, "asr_id": "a", "text": ""} for one in ASKED]
    (folder / "a.jsonl").write_text("\n".join([*map(json.dumps, rows), line]) + "\n", encoding="utf-8")
    return ["--transcripts", str(folder)]


BAD: dict[str, tuple[Callable[[Path], list[str]], str]] = {
    "too few routes": (
        lambda f: merged(f, routes="ab"),
        "heard: System x has 2 routes (a, b); the rule majority=2 needs at least 3",
    ),
    "a missing id": (lambda f: merged(f, ids=ASKED[:3]), "x.asr.jsonl: System x has no transcript of 1 segments"),
    "no asr": (lambda f: merged(f, line='{"id": "own_004"}'), "line 5: Segment own_004: the key 'asr' is missing"),
    "no JSON": (lambda f: merged(f, line="oops"), "x.asr.jsonl, line 5: The line is not JSON"),
    "no JSON of one route": (lambda f: one_route(f, line="oops"), "a.jsonl, line 5: The line is not JSON"),
    "a route without a system": (lambda f: one_route(f, line='{"id": "own_001"}'), "line 5: The key 'tts_provider'"),
    "neither kind": (lambda _: [], "Give either a folder of one-route transcripts"),
    "an unknown rule": (lambda f: [*merged(f), "--rule", "most"], "'most' in the rule 'most' is not known"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_a_sentence_with_status_2_and_leaves_nothing(case: str, tmp_path: Path) -> None:
    spoil, sentence = BAD[case]
    folder = tmp_path / "heard"
    folder.mkdir()
    words = spoil(folder)
    done = bench("--dataset", DATASET, *words, "--out", tmp_path / "board", "--report", tmp_path / "page.html")
    assert done.returncode == 2, done.stdout
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["heard"]


def test_a_board_and_its_page_are_written_and_printed(tmp_path: Path) -> None:
    out, page = tmp_path / "board", tmp_path / "page.html"
    words = ("--dataset", DATASET, "--merged", GOLDEN / "merged", "--out", out, "--report", page)
    done = bench(*words)
    assert done.returncode == 0, done.stderr
    assert (out / "leaderboard.csv").read_bytes() == (GOLDEN / "board/leaderboard.csv").read_bytes()
    assert "Fewer than 50 spans" in done.stdout
    assert "Conflict of interest: As stated" in done.stdout
    first = page.read_bytes()
    assert b"<h1><bdi>Targets of dataset</bdi></h1>" in first
    shutil.rmtree(out)
    page.unlink()
    again = bench(*words)
    assert again.stdout == done.stdout
    assert page.read_bytes() == first


def test_two_routes_are_allowed_when_asked_for_and_marked(tmp_path: Path) -> None:
    done = bench("--dataset", DATASET, *merged(tmp_path, routes="ab"), "--rule", "majority=2+routes=2")
    assert done.returncode == 0, done.stderr
    assert "not comparable with the published board" in done.stdout


def test_a_folder_that_is_no_run_has_no_board(tmp_path: Path) -> None:
    for words in (["board", tmp_path], ["export", tmp_path, "--system", "x", "--out", "o", "--organization", "y"]):
        done = bench(*words)
        assert done.returncode == 2
        assert "There is no run here" in " ".join(done.stderr.split())


def test_a_submission_is_validated_with_every_reason(tmp_path: Path) -> None:
    tone = clip(0.1 * np.sin(np.arange(16_000) / 20), 16_000)
    made = tmp_path / "alpha"
    export(made, [(one, tone, {}) for one in ASKED], Card("alpha", "Alpha 1", "Own"), dataset=formats.read(DATASET))
    done = bench("validate", made, "--dataset", DATASET)
    assert (done.returncode, done.stdout) == (0, f"{made}: the published validator would take it.\n")
    (made / "audio" / "own_002.wav").unlink()
    sums = tmp_path / "sums"
    sums.write_text(f"{'0' * 64}  audio/own_001.wav\n")
    done = bench("validate", made, "--dataset", DATASET, "--sums", sums)
    assert done.returncode == 1, done.stderr
    missing, different = done.stdout.splitlines()
    assert "Item own_002: there is no file audio/own_002.wav" in missing
    assert "own_001.wav: The sha256 is " in different
    assert bench("validate", made, "--dataset", DATASET, "--sums", tmp_path / "none").returncode == 2


def test_routes_are_merged_a_file_a_system(tmp_path: Path) -> None:
    rows = [{"tts_provider": "x", "id": one, "asr_id": route, "text": "一"} for route in "ba" for one in ASKED]
    heard, out = tmp_path / "heard", tmp_path / "merged"
    heard.mkdir()
    (heard / "all.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    done = bench("merge", "--dataset", DATASET, "--transcripts", heard, "--out", out)
    assert (done.returncode, done.stdout) == (0, f"{out}\n"), done.stderr
    lines = [json.loads(line) for line in (out / "x.asr.jsonl").read_text("utf-8").splitlines()]
    assert [line["id"] for line in lines] == [segment.id for segment in formats.read(DATASET).segments]
    assert all(set(line["asr"]) == {"a", "b"} for line in lines)
