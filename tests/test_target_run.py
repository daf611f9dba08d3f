"""The Mandarin set from audio to board: real speech, a real recogniser, real files, and a submission of them."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import soundfile

from bench import pipeline, report, results, run, target_views
from bench.formats.submission import problems
from bench.formats.transcripts import read_merged
from bench.part import Folded, KeyFigures
from bench.release import newstts
from bench.release import run as released
from bench.run import Run
from bench.votes import PUBLISHED
from bench.work import processes

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three lines on one line: what `bench demo --language zh` does with ten on five."""
    folder = tmp_path_factory.mktemp("zh")
    text = (ROOT / "protocols" / "demo-zh.toml").read_text()
    text = text.replace("sample = 10", "sample = 3").replace('"../data', f'"{ROOT}/data')
    text = re.sub(r"tracks = \[.*?\]\nchannels = \[.*?\]", 'tracks = ["R"]\nchannels = ["g711a"]', text)
    text += '[[recogniser]]\nname = "counter"\nadapter = "tests.own_adapters:Counter"\ndiagnostic = true\n'
    (folder / "short.toml").write_text(text)
    asked = run.create(folder / "short.toml", folder / "run")
    with processes(2) as executor:
        pipeline.execute(asked, executor, width=2)
    return asked


def test_every_target_is_on_the_board_and_no_diagnostic_recogniser_votes(spoken: Run, tmp_path: Path) -> None:
    scores = released.board(spoken, "g711a", PUBLISHED.fit(1))
    asked = [target for segment in spoken.frozen.chosen for target in segment.targets if target.auto_evaluable]
    assert [one.system for one in scores] == ["espeak.cmn"]
    assert scores[0].counts.targets == len(asked) >= 3
    assert scores[0].routes == ("whisper-base",)
    newstts.write(scores, tmp_path / "board")
    with (tmp_path / "board/espeak.cmn/target_scores.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["span"] for row in rows if row["auto_evaluable"] == "True"] == [target.span for target in asked]
    board = json.loads((tmp_path / "board/leaderboard.json").read_text(encoding="utf-8"))
    assert board["comparable_with_published"] is False
    heard = released.heard(spoken, spoken.protocol.systems[0], "g711a")
    assert all(text["whisper-base"] for text in heard.values())


def test_a_submission_made_from_the_audio_is_one_that_the_rules_take(spoken: Run, tmp_path: Path) -> None:
    out = tmp_path / "espeak.cmn"
    command = [sys.executable, "-m", "bench.cli", "targets", "export", str(spoken.path), "--system", "espeak.cmn"]
    command += ["--channel", "g711a", "--organization", "Own", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ids = [segment.id for segment in spoken.frozen.text_set.segments]
    assert problems(out, ids, subset=True) == ()
    chosen = {segment.id for segment in spoken.frozen.chosen}
    for name in chosen:
        info = soundfile.info(out / f"audio/{name}.wav")
        assert (info.samplerate, info.channels, info.subtype) == (24_000, 1, "PCM_16")
        assert info.duration > 1
    assert read_merged(out)["espeak.cmn"].keys() == chosen


def test_the_report_of_the_run_has_its_targets(spoken: Run) -> None:
    parts = target_views.of_run(spoken)
    (figures,) = [part for part in parts if isinstance(part, KeyFigures)]
    scores = released.board(spoken, "g711a", PUBLISHED.fit(1))
    assert figures.figures[0].value == f"{scores[0].counts.strict:.1%}"
    (folded,) = [part for part in parts if isinstance(part, Folded)]
    assert len(folded.frame) == len(scores[0].results)
    assert "channel=g711a" in folded.signature
    page = results.publish(spoken).read_text("utf-8")
    assert "Readings matched" in page
    assert "not comparable" in page
    assert report.render("t", parts) == report.render("t", target_views.of_run(spoken))


def test_a_board_of_an_unfinished_run_says_so_first_and_gives_no_answer(spoken: Run, tmp_path: Path) -> None:
    half = Path(shutil.copytree(spoken.path, tmp_path / "half"))
    journal = half / "transcripts" / "whisper-base.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    command = [sys.executable, "-m", "bench.cli", "targets", "board", "--channel", "g711a"]
    said = {}
    for path in (half, spoken.path):
        page = tmp_path / f"{path.name}.html"
        done = subprocess.run([*command, str(path), "--report", str(page)], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said[path.name] = (
            done.stdout.startswith("Unfinished: 1 of 6 transcripts"),
            "targets read right" in page.read_text("utf-8"),
        )
    assert said == {"half": (True, False), "run": (False, True)}
