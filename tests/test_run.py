"""A run on disk: expected rows, resume, retries, refusals, and death at any moment."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from distributed import LocalCluster

from bench import audio, pipeline, protocol, results, run
from bench.fault import Fault
from bench.journal import Journal, entries, write
from bench.run import Run
from bench.work import cluster, drain, processes

ROOT = Path(__file__).parents[1]


def make(folder: Path, texts: list[str], **change: object) -> Path:
    """A protocol over a text set of its own; the systems and recognisers are those of own_adapters."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "id": f"s{i}",
            "language_tag": "en",
            "text": t,
            "text_spoken": t,
            "ref_lattice": t,
            "category": "x",
            "license": "CC0-1.0",
        }
        for i, t in enumerate(texts)
    ]
    (folder / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    fill = {
        "sha256": hashlib.sha256((folder / "set.jsonl").read_bytes()).hexdigest(),
        "adapter": "tests.own_adapters:Moody",
        "settings": f'{{ diary = "{folder / "diary"}" }}',
        "voice": "none",
        "recogniser": "tests.own_adapters:Counter",
        "channels": '["fb", "g711a+loss=3%"]',
        "takes": "",
        "tracks": '["R"]',
        **change,
    }
    (folder / "p.toml").write_text(
        """
name = "test"
version = "1"
language = "en"
purpose = "a test"
conflict_of_interest = "none"
tracks = {tracks}
channels = {channels}
{takes}
[text_set]
file = "set.jsonl"
sha256 = "{sha256}"
[[system]]
name = "sut"
adapter = "{adapter}"
voice = "{voice}"
settings = {settings}
licence = "none"
conflict_of_interest = "none"
[[recogniser]]
name = "rec"
adapter = "{recogniser}"
""".format(**fill)
    )
    return folder / "p.toml"


def carry_out(source: Path, path: Path) -> Run:
    asked = run.create(source, path)
    with ThreadPoolExecutor(2) as executor:
        pipeline.execute(asked, executor, width=2)
    return asked


def bench_run(source: Path, runs: Path, *, workers: int) -> list[str]:
    """`bench run` as a command line, for a process of its own that can be killed."""
    words = ["run", source, "--runs", runs, "--workers", workers]
    return [sys.executable, "-m", "bench.cli", *map(str, words)]


def lines(path: Path) -> list[dict]:
    return list(entries(path))


def test_every_outcome_has_its_lines_and_nothing_is_dropped(tmp_path: Path) -> None:
    texts = ["fine", "fail", "once", "empty", "silent", "noise", "short"]
    asked = carry_out(make(tmp_path, texts), tmp_path / "run")
    takes = lines(tmp_path / "run/takes.jsonl")
    attempts = Counter(line["segment"] for line in takes)
    assert attempts == {"s0": 1, "s1": 3, "s2": 2, "s3": 3, "s4": 3, "s5": 3, "s6": 1}
    settled = {case.segment: entry["outcome"] for case, entry in asked.takes().items()}
    assert settled == {
        "s0": "ok", "s1": "failed", "s2": "ok", "s3": "empty", "s4": "empty", "s5": "failed", "s6": "ok",
    }  # fmt: skip
    second = next(line for line in takes if line["segment"] == "s2" and line["attempt"] == 1)
    assert second["retry_cause"] == "TimeoutError: the server is busy"
    heard = Counter(
        (line["segment"], line["channel"], line["outcome"]) for line in lines(asked.transcripts_path("rec"))
    )
    assert heard == {
        ("s0", "fb", "ok"): 1, ("s0", "g711a+loss=3%", "ok"): 1,
        ("s2", "fb", "ok"): 1, ("s2", "g711a+loss=3%", "ok"): 1,
        ("s6", "fb", "failed"): 3, ("s6", "g711a+loss=3%", "failed"): 3,
    }  # fmt: skip
    assert not pipeline.outstanding_takes(asked)
    assert not pipeline.outstanding_hearings(asked, "rec")


def test_what_was_lost_is_printed_with_its_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = carry_out(make(tmp_path, ["fine", "fail", "silent", "short"]), tmp_path / "run")
    results.show(asked, results.scores(asked))
    shown = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "Lost: 2 of 4 takes; they count as errors, see bench status." in shown
    assert "1 empty, sut none: the response is digital silence" in shown
    assert "Lost: 2 of 4 hearings of rec; they count as errors, see bench status." in shown
    results.status(asked)
    assert {*filter(lambda line: line[:2] in ("1 ", "2 "), shown)} <= {
        line.strip() for line in capsys.readouterr().out.splitlines()
    }
    assert results.lost([{"outcome": "ok"}]).total() == 0


def test_a_line_says_all_that_is_needed_to_do_it_again(tmp_path: Path) -> None:
    asked = carry_out(make(tmp_path, ["fine"]), tmp_path / "run")
    (line,) = lines(tmp_path / "run/takes.jsonl")
    assert line["request"] == {
        "text": "fine", "voice": "none", "seed": 0, "settings": {"diary": str(tmp_path / "diary")}, "key": "kept out",
    }  # fmt: skip
    assert line["protocol_sha256"] == asked.frozen.sha256
    assert line["version"] == "1.0"
    assert line["submitted_ns"] < line["completed_ns"]
    raw = (tmp_path / "run" / line["raw"]).read_bytes()
    assert hashlib.sha256(raw).hexdigest() == line["raw_sha256"]
    assert line["seconds"] == 0.5
    assert line["hardware"]["cores"] == os.cpu_count()
    assert line["level_dbov"] == pytest.approx(-13.47, abs=0.3)  # a sine of amplitude 0.3
    assert line["clipped"] == 0
    played = asked.playback(run.case(line))
    assert played is not None
    assert played.checksum == audio.read(raw).checksum
    heard = lines(asked.transcripts_path("rec"))[0]
    assert heard["text"] == "0.50 seconds"
    assert len(heard["heard_sha256"]) == 64


def test_seeds_and_takes_follow_the_published_rule(tmp_path: Path) -> None:
    source = make(tmp_path, ["a", "b", "c"], takes="takes = { all = 3 }")
    asked = carry_out(source, tmp_path / "run")
    seeds = {(line["segment"], line["take"]): line["seed"] for line in lines(tmp_path / "run/takes.jsonl")}
    assert seeds == {(f"s{i}", take): 100_000 * take + i for i in range(3) for take in range(3)}
    assert len(asked.expected()) == 9


def test_a_second_call_does_nothing(tmp_path: Path) -> None:
    source = make(tmp_path, ["fine", "fail"])
    carry_out(source, tmp_path / "run")
    before = {p: p.read_bytes() for p in (tmp_path / "run").rglob("*") if p.is_file()}
    carry_out(source, tmp_path / "run")
    assert {p: p.read_bytes() for p in (tmp_path / "run").rglob("*") if p.is_file()} == before


def test_a_changed_protocol_text_set_or_version_is_refused(tmp_path: Path) -> None:
    source = make(tmp_path, ["fine", "also fine"])
    path = tmp_path / "run"
    carry_out(source, path)
    text = source.read_text()
    source.write_text(text.replace('purpose = "a test"', 'purpose = "another"'))
    with pytest.raises(Fault, match=r"follows another state of the protocol.*--name"):
        run.create(source, path)
    source.write_text(text)
    (tmp_path / "set.jsonl").write_text((tmp_path / "set.jsonl").read_text().replace("also", "so"))
    with pytest.raises(Fault, match=r"set.jsonl: The text set has changed.*sha256"):
        run.create(source, path)
    assert len(Run.open(path).takes()) == 2  # the run has its own copy and can still be read

    held = json.loads((path / "manifest.json").read_text())
    held["systems"][0]["version"] = "0.9"
    (path / "manifest.json").write_text(json.dumps(held))
    (path / "takes.jsonl").write_text("")
    with pytest.raises(Fault, match=r"System 'sut' has changed.*'0.9'.*'1.0'"), ThreadPoolExecutor(1) as executor:
        pipeline.execute(Run.open(path), executor)


def test_the_protocol_inside_a_run_cannot_be_edited(tmp_path: Path) -> None:
    """Rows must not leave the denominator by asking for fewer of them afterwards."""
    path = tmp_path / "run"
    carry_out(make(tmp_path, ["fine", "also fine"]), path)
    held = path / "protocol.toml"
    held.write_text(held.read_text().replace('file = "set.jsonl"', 'file = "set.jsonl"\nsample = 1'))
    with pytest.raises(Fault, match=r"protocol.toml: The run's protocol was edited"):
        Run.open(path)


def test_another_configuration_of_a_recogniser_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    carry_out(make(tmp_path, ["fine"]), path)
    held = json.loads((path / "manifest.json").read_text())
    held["recognisers"][0]["configuration"] = "counter|beam=1"
    (path / "manifest.json").write_text(json.dumps(held))
    (path / "takes.jsonl").write_text("")
    with pytest.raises(Fault, match=r"its configuration was 'counter.beam=1'"), ThreadPoolExecutor(1) as executor:
        pipeline.execute(Run.open(path), executor)


def test_what_was_answered_before_a_worker_died_is_kept() -> None:
    """Three jobs in flight: two are answered, the third takes the pool down; each is recorded for what it was."""

    @dataclass(frozen=True)
    class Task:
        number: int
        suspect: bool = False

    recorded: dict[int, int | None] = {}

    def submit(task: Task) -> Future[int]:
        future: Future[int] = Future()
        if task.number:
            future.set_result(task.number)
        else:
            future.set_exception(BrokenExecutor("gone"))
        return future

    def outstanding() -> list[Task]:
        return [Task(n) for n in range(3) if n not in recorded]

    with pytest.raises(Fault, match="worker process died"):
        drain(outstanding, submit, lambda task, answer: recorded.update({task.number: answer}), 2)
    assert recorded == {0: None, 1: 1, 2: 2}


def test_a_secret_in_a_protocol_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault, match=r"'api_key' looks like a secret.*environment"):
        protocol.read(make(tmp_path, ["fine"], settings='{ api_key = "abc" }'))


def test_audio_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    asked = carry_out(make(tmp_path, ["fine"]), path)
    asked.transcripts_path("rec").unlink()
    flac = next((path / "audio/playback").rglob("*.flac"))
    flac.write_bytes(flac.read_bytes() + b"x")
    with pytest.raises(Fault, match="not what the journal recorded"), ThreadPoolExecutor(1) as executor:
        pipeline.execute(asked, executor)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    asked = run.create(make(tmp_path, ["fine"]), tmp_path / "run")
    with run.locked(asked), pytest.raises(Fault, match=f"Process {os.getpid()} is writing"), run.locked(asked):
        raise AssertionError("two writers")
    with run.locked(asked):
        pass


def test_a_worker_that_dies_is_found_and_written_down(tmp_path: Path) -> None:
    source = make(tmp_path, ["fine", "crash", "also fine", "fine too"])
    path = tmp_path / "run"
    for _ in range(6):
        asked = run.create(source, path)
        if not pipeline.outstanding_takes(asked):
            break
        with suppress(Fault), processes(2) as executor:
            pipeline.execute(asked, executor, width=2)
    settled = {case.segment: entry["outcome"] for case, entry in asked.takes().items()}
    assert settled == {"s0": "ok", "s1": "failed", "s2": "ok", "s3": "ok"}
    assert asked.takes()[run.Case("sut", "none", "R", "s1", 0)]["error"] == pipeline.DIED


@pytest.mark.parametrize("stage", ["takes.jsonl", "transcripts/rec.jsonl"])
def test_kill_9_loses_nothing_and_doubles_nothing(tmp_path: Path, stage: str) -> None:
    """The real thing: espeak and PocketSphinx, killed again and again in the middle of each step."""
    texts = [f"Your code is {n} {n + 1} {n + 2}, thank you for calling." for n in range(1, 9)]
    source = make(tmp_path, texts, adapter="espeak", settings="{}", voice="en-us", recogniser="pocketsphinx")
    path = tmp_path / "runs" / "p"
    command = bench_run(source, tmp_path / "runs", workers=2)
    deaths = 0
    for wanted in (1, 3, 6, 100):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        while process.poll() is None:
            if (path / stage).exists() and (path / stage).read_bytes().count(b"\n") >= wanted:
                process.send_signal(signal.SIGKILL)
                deaths += 1
                with (path / stage).open("ab") as stream:  # and the line that it was writing is torn
                    stream.write(b'{"system":"su')
                break
            time.sleep(0.002)
        process.wait()
    assert deaths >= 2
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0

    asked = Run.open(path)
    good = Counter(run.case(line) for line in lines(path / "takes.jsonl") if line["outcome"] == "ok")
    assert good == Counter(asked.expected())
    heard = Counter((run.case(line), line["channel"]) for line in lines(asked.transcripts_path("rec")))
    assert heard == Counter((case, name) for case in asked.expected() for name in asked.channels())

    whole = carry_out(source, tmp_path / "whole")
    texts_of = {key: entry["text"] for key, entry in asked.transcripts("rec").items()}
    assert texts_of == {key: entry["text"] for key, entry in whole.transcripts("rec").items()}


@pytest.mark.parametrize("begun", ["scores.parquet", "report/made-from"])
def test_kill_9_while_scores_or_report_are_made(tmp_path: Path, begun: str) -> None:
    """Derived files are whole or absent, and the same command makes those that are missing."""
    source = make(tmp_path, ["fine", "also fine"])
    path = tmp_path / "runs" / "p"
    command = bench_run(source, tmp_path / "runs", workers=1)
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while process.poll() is None and not (path / begun).exists():
        time.sleep(0.001)
    process.kill()
    process.wait()
    journals = {p: p.read_bytes() for p in path.rglob("*.jsonl")}
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0
    assert {p: p.read_bytes() for p in path.rglob("*.jsonl")} == journals
    held = {name: (path / name).read_bytes() for name in ("scores.parquet", "report/index.html")}
    for name in held:
        (path / name).unlink()
    assert subprocess.run(command, cwd=ROOT, capture_output=True).returncode == 0
    assert {name: (path / name).read_bytes() for name in held} == held


def test_a_torn_line_is_cut_and_a_damaged_one_named(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(b'{"a":1}\n{"a":2')
    assert lines(path) == [{"a": 1}]
    with Journal(path) as log:
        log.append({"a": "ü\u2028"})
    assert lines(path) == [{"a": 1}, {"a": "ü\u2028"}]
    path.write_bytes(b'{"a":1}\n{"a":\n{"a":3}\n')
    with pytest.raises(Fault, match=r"j.jsonl, line 2: This line of the journal is damaged"):
        lines(path)


def test_a_file_is_whole_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "file"
    write(path, b"one")
    write(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"channels": '["fb", "telepathy"]'}, "telepathy"),
        ({"channels": '["g711", "g711a"]'}, "channel 'g711a' stands twice"),
        ({"tracks": '["Q"]'}, "tracks"),
        ({"takes": "takes = { nobody = 2 }"}, "No segment is in the subset 'nobody'; there are: all"),
        ({"takes": "retries = 3"}, "retries"),
        ({"takes": "colour = 3"}, "colour"),
        ({"sha256": "0" * 64}, "The text set has changed"),
        ({"sha256": "abc"}, "text_set.sha256"),
    ],
)
def test_a_protocol_with_a_fault_is_refused_by_name(tmp_path: Path, change: dict[str, str], message: str) -> None:
    with pytest.raises(Fault, match=message):
        protocol.read(make(tmp_path, ["fine"], **change))


def test_an_id_that_would_leave_its_folder_is_refused(tmp_path: Path) -> None:
    source = make(tmp_path, ["fine"])
    rows = (tmp_path / "set.jsonl").read_text().replace('"s0"', '"../s0"')
    (tmp_path / "set.jsonl").write_text(rows)
    digest = hashlib.sha256(rows.encode()).hexdigest()
    old = source.read_text().split('sha256 = "')[1][:64]
    source.write_text(source.read_text().replace(old, digest))
    with pytest.raises(Fault, match=r"segment id '../s0' becomes a file name"):
        protocol.read(source)


def test_the_ready_protocols_are_valid() -> None:
    ready = sorted((ROOT / "protocols").glob("*.toml"))
    named = {path.stem: protocol.read(path) for path in ready}
    assert named.keys() >= {"demo-en", "demo-tr", "demo-de", "demo-zh", "tr-call-center", "de-varieties", "zh-news"}
    for name, frozen in named.items():
        assert frozen.protocol.name == name
        assert len(frozen.chosen) == (10 if name.startswith("demo-") else len(frozen.text_set))
        for part in frozen.protocol.recognisers:
            if part.settings.get("download"):
                assert re.fullmatch("[0-9a-f]{40}", part.settings["revision"])


def test_a_run_on_a_dask_cluster_is_the_run_on_this_machine(tmp_path: Path) -> None:
    texts = ["fine", "fail", "once", "empty", "silent", "short"]
    here = carry_out(make(tmp_path / "a", texts), tmp_path / "here")
    there = run.create(make(tmp_path / "b", texts), tmp_path / "there")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as dask,
        cluster(dask.scheduler_address) as (executor, width),
    ):
        assert width == 2
        pipeline.execute(there, executor, width=width)
    assert {k: v["outcome"] for k, v in there.takes().items()} == {k: v["outcome"] for k, v in here.takes().items()}
    assert {k: v["text"] for k, v in there.transcripts("rec").items()} == {
        k: v["text"] for k, v in here.transcripts("rec").items()
    }


def test_a_worker_of_a_cluster_that_dies_loses_nothing(tmp_path: Path) -> None:
    asked = run.create(make(tmp_path, ["fine", "well", "crash"]), tmp_path / "run")
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as dask,
        pytest.raises(Fault, match="A worker of the cluster died"),
        cluster(dask.scheduler_address) as (executor, _),
    ):
        pipeline.execute(asked, executor)
    assert {case.segment for case, entry in asked.takes().items() if entry["outcome"] == "ok"} == {"s0", "s1"}


def test_a_cluster_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(Fault, match=r"There is no Dask scheduler at 'tcp://127.0.0.1:1'"), cluster("tcp://127.0.0.1:1"):
        pass


def test_every_fault_of_a_protocol_is_named(tmp_path: Path) -> None:
    source = make(tmp_path, ["a"])
    source.write_text(source.read_text().replace("channels =", "chanels =").replace('version = "1"', ""))
    with pytest.raises(Fault) as fault:
        protocol.read(source)
    for said in ("The key version is missing.", "channels is missing.", "chanels is unknown; is channels meant?"):
        assert said in str(fault.value)
