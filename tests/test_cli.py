"""The command line as a person meets it: sentences, exit statuses, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.run import Run
from tests.test_run import make

ROOT = Path(__file__).parents[1]
BENCH = [sys.executable, "-m", "bench.cli"]


def bench(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*BENCH, *words], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "nowhere.toml"], "bench: nowhere.toml: There is no such protocol."),
        (["status", "docs"], "There is no run here"),
        (["run", "protocols/demo-en.toml", "--name", "../x"], "The run's name is '../x'"),
    ],
)
def test_a_fault_is_one_sentence_and_status_2(words: list[str], sentence: str) -> None:
    done = bench(*words)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_stops_and_the_same_command_goes_on(presses: int, tmp_path: Path) -> None:
    texts = [f"Line {n} is free now." for n in range(1, 9)]
    source = make(tmp_path, texts, adapter="espeak", settings="{}", voice="en-us", recogniser="pocketsphinx")
    words = ["run", str(source), "--runs", str(tmp_path / "runs"), "--workers", "2"]
    process = subprocess.Popen(
        [*BENCH, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    journal = tmp_path / "runs/p/transcripts/rec.jsonl"
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") >= 3):
        time.sleep(0.01)
    for _ in range(presses):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.3)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Nothing is lost" in said
    assert "Traceback" not in said
    held = Run.open(tmp_path / "runs/p")
    before = held.transcripts("rec")
    assert 3 <= len(before) < 16
    assert "to do" in bench("status", str(held.path)).stdout

    done = bench(*words)
    assert done.returncode == 0, done.stderr
    after = held.transcripts("rec")
    assert len(after) == 16
    assert {key: after[key] for key in before} == before
    assert "Conflict of interest: none" in done.stdout
    assert "WER %, rec (diagnostic" in done.stdout
