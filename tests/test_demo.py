"""`bench demo` as the README promises it, on real engines: nothing here is made up."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from bench import pipeline, results, run
from bench.run import Run
from bench.work import processes

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    runs = tmp_path_factory.mktemp("runs")
    command = [sys.executable, "-m", "bench.cli", "demo", "--runs", str(runs), "--no-show", "--workers", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert "synthesise" not in again.stderr  # all was done
    assert again.stdout == done.stdout
    return runs / "demo-en", done.stdout


def test_every_expected_row_is_there_and_scored(demo: tuple[Path, str]) -> None:
    asked = Run.open(demo[0])
    scores = asked.scores()
    assert len(asked.expected()) == 20
    assert len(scores) == 20 * 5 * 2 * len(asked.protocol.normalisers)
    assert scores["cause"].isna().all()
    assert scores.groupby("recogniser")["diagnostic"].first().to_dict() == {
        "whisper-tiny.en": False,
        "pocketsphinx": True,
    }


def test_the_table_is_plausible_and_signed(demo: tuple[Path, str]) -> None:
    path, said = demo
    scores = Run.open(path).scores()
    top = scores[(scores["normaliser"] == "handset") & (scores["recogniser"] == "whisper-tiny.en")]
    errors = (
        top[["substitutions", "deletions", "insertions"]].sum(axis=1).groupby([top["system"], top["channel"]]).sum()
    )
    words = top["words"].groupby([top["system"], top["channel"]]).sum()
    rate = errors / words
    assert rate["piper", "fb"] < 0.12
    assert rate["piper", "fb"] < rate["espeak", "fb"] < rate["espeak", "g711u"]
    assert "Conflict of interest:" in said
    assert re.search(r"set=en@[0-9a-f]{12}\|protocol=demo-en@[0-9a-f]{12}\|recognisers=whisper-tiny.en\(", said)
    assert "index.html" in said


def test_loss_is_nested_and_recorded(demo: tuple[Path, str]) -> None:
    heard = Run.open(demo[0]).transcripts("whisper-tiny.en")
    lossy = [entry for (_, channel), entry in heard.items() if channel == "g711u+loss=3%"]
    share = sum(len(entry["lost"]) for entry in lossy) / sum(entry["frames"] for entry in lossy)
    assert 0.01 < share < 0.06
    assert all(entry["lost"] == [] for (_, channel), entry in heard.items() if channel == "g711u")


def test_scores_are_rebuilt_from_the_run_alone_to_the_byte(demo: tuple[Path, str]) -> None:
    asked = Run.open(demo[0])
    before = (asked.path / "scores.parquet").read_bytes()
    page = (asked.path / "report/index.html").read_bytes()
    (asked.path / "scores.parquet").unlink()
    results.publish(asked)
    assert (asked.path / "scores.parquet").read_bytes() == before
    assert (asked.path / "report/index.html").read_bytes() == page


def test_the_report_holds_the_clips_and_asks_nothing_of_the_network(demo: tuple[Path, str]) -> None:
    page = (demo[0] / "report/index.html").read_text()
    assert "default-src 'none'" in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page.split("<script", 1)[0])


@pytest.mark.parametrize("language", ["tr", "de", "zh"])
def test_the_other_languages_go_the_same_way(language: str, tmp_path: Path) -> None:
    """Two segments on one line stand for the ten on five that `bench demo --language` does."""
    source = ROOT / "protocols" / f"demo-{language}.toml"
    text = source.read_text().replace("sample = 10", "sample = 2").replace('"../data', f'"{ROOT}/data')
    text = re.sub(r"channels = \[.*?\]", 'channels = ["g711a"]', text)
    (tmp_path / "short.toml").write_text(text)
    asked = run.create(tmp_path / "short.toml", tmp_path / "run")
    with processes(2) as executor:
        pipeline.execute(asked, executor, width=2)
    scores = results.scores(asked)
    assert sorted(scores["track"].unique()) == ["R", "S"]
    assert len(scores) == 4 * len(asked.protocol.normalisers)
    assert set(scores["cause"].dropna()) <= {"transcript empty"}  # Whisper may find no word in espeak's voice
    assert (scores["character_errors"] < 0.9 * scores["characters"]).any()  # some of it is understood
    assert pd.notna(scores["reference"]).all()


def test_whisper_base_is_put_together_once_and_pinned() -> None:
    from bench.recognisers import load

    version = load("faster-whisper", {"model": "base", "language": "tr"}).version
    assert "d01c3014881c" in version
