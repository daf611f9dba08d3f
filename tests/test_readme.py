"""The README does what it says: its commands are those of CI, its protocol parts are read, its snippets run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
import soundfile

from bench import formats, protocol
from bench.protocol import RecogniserPart, SystemPart

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)


def test_every_protocol_part_is_read() -> None:
    parts = [tomllib.loads(block) for block in blocks("toml")]
    systems = [SystemPart.model_validate(part) for block in parts for part in block.get("system", [])]
    recognisers = [RecogniserPart.model_validate(part) for block in parts for part in block.get("recogniser", [])]
    assert [system.adapter for system in systems] == ["own_system:Hum"]
    assert [recogniser.name for recogniser in recognisers] == ["mine", "whisper-large-v3"]


def test_your_own_system_and_recogniser_go_through_a_run_as_told(tmp_path: Path) -> None:
    """In a copy of the clone, with the parts of the README put where it says."""
    for name in ("data", "protocols"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for example in ("own_system.py", "own_recogniser.py"):
        shutil.copy(ROOT / "docs/examples" / example, tmp_path)
    system, recogniser, _ = blocks("toml")
    mine = tmp_path / "protocols/mine.toml"
    text = (tmp_path / "protocols/demo-en.toml").read_text().replace("sample = 10", "sample = 1")
    mine.write_text(text[: text.index("[[system]]")] + system + recogniser)
    command = [sys.executable, "-m", "bench.cli", "run", "protocols/mine.toml", "--workers", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert "Report: runs/mine/report/index.html" in done.stdout
    assert "Conflict of interest:" in done.stdout
    assert len(protocol.read(mine).chosen) == 1


def test_the_line_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (snippet,) = blocks("python")
    monkeypatch.chdir(tmp_path)
    soundfile.write("voice.wav", 0.3 * np.sin(np.arange(48000) / 10), 24000)
    named: dict[str, object] = {}
    exec(snippet, named)
    heard = named["heard"]
    assert isinstance(heard, np.ndarray)
    assert (len(heard), heard.dtype) == (16000, np.dtype("float32"))


def test_the_score_alone(tmp_path: Path) -> None:
    (printed,) = [block for block in blocks("sh") if "bench score" in block]
    words = printed.split()
    assert words[:2] == [".venv/bin/bench", "score"]
    for track in ("R", "S"):
        rows = formats.read(ROOT / "data/tr.jsonl").segments
        lines = (json.dumps({"id": row.id, "hyp": row.spoken}) + "\n" for row in rows)
        (tmp_path / f"mine_{track}.jsonl").write_text("".join(lines))
    (tmp_path / "data").symlink_to(ROOT / "data")
    command = [sys.executable, "-m", "bench.cli", *words[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert "TN penalty" in done.stdout
    assert (tmp_path / "scores/scores.json").is_file()


def test_every_file_that_is_named_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
    for path in re.findall(r"`((?:docs|protocols|notebooks|data)/[\w./-]+\.\w+)`", README):
        assert (ROOT / path).exists() or path == "protocols/mine.toml", path
