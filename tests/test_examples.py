"""Every example of the documentation runs, on real engines, and says what it did."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAID = {
    "speak_espeak": "repeated to the byte: True",
    "speak_piper": "piper.wav",
    "speak_command": "command.wav: 1.25 s",
    "speak_folder": "greeting.1.wav",
    "own_system": "own-system.wav: 1.98 s",
    "hear_faster_whisper": "Your order number is 4821.",
    "hear_pocketsphinx": "the doctor will see you on monday",
    "own_recogniser": "heard 'sound sound sound'",
}


@pytest.mark.parametrize("name", SAID)
def test_an_example_runs_and_says_what_it_did(name: str, tmp_path: Path) -> None:
    script = ROOT / "docs" / "examples" / f"{name}.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert SAID[name] in run.stdout
    assert not run.stderr
