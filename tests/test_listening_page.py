"""What leaves the house: pages that tell nothing, and a server that loses nothing."""

from __future__ import annotations

import base64
import http.client
import importlib.util
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from bench import cli, journal
from bench.audio import read
from bench.fault import Fault
from bench.level import active_level
from bench.listening import design as frozen
from bench.listening import make, page, ratings, register, serve, simulate
from bench.listening.make import Study
from bench.report import render
from tests.test_listening_design import TEXTS, planned, spoken, study  # noqa: F401  (fixtures)

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def folder(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    path = tmp_path_factory.mktemp("study")
    make.write(study, path)
    page.write(study.design, study.files, path)
    return path


def embedded(text: str) -> dict[str, bytes]:
    found = re.findall(r'<script type="text/plain" id="clip-([0-9a-f]{12})">([^<]*)</script>', text)
    return {name: page.masked(name, base64.b64decode(content)) for name, content in found}


def data(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="study">(.*?)</script>', text, re.S)
    assert found
    loaded: dict[str, Any] = json.loads(found[1])
    return loaded


def test_no_page_names_a_system_a_path_a_tag_or_an_answer(study: Study, folder: Path) -> None:  # noqa: F811
    hidden = {"quick", "slowpoke", "espeak", "g711", "loss", "trap", "gold", "control", "expected", "condition", *TEXTS}
    hidden |= {f'"{segment.id}"' for segment in study.design.texts}
    for listener in study.design.listeners:
        text = (folder / "pages" / f"{listener.code}.html").read_text()
        bare = re.sub(
            r'<script type="text/plain".*?</script>|<script>.*?</script>|<style>.*?</style>', "", text, flags=re.S
        )
        for word in hidden:
            assert word not in bare, word
        for content in embedded(text).values():
            for word in (*hidden, "libFLAC", "Lavf", "ENCODER", "vendor"):
                assert word.encode() not in content
        trials = [trial for session in data(text)["sessions"] for trial in session]
        assert {frozenset(trial) for trial in trials} == {frozenset({"id", "practice", "clips", "options"})}


def test_neither_length_nor_size_nor_order_tells_the_systems_apart(study: Study, folder: Path) -> None:  # noqa: F811
    for listener in study.design.listeners:
        text = (folder / "pages" / f"{listener.code}.html").read_text()
        held = embedded(text)
        assert list(held) == sorted(held)
        known = [study.design.clips[name] for name in held if name in study.design.clips]
        for stimulus in known:
            twins = [other for other in study.design.stimuli if other.segment == stimulus.segment]
            assert {len(study.files[other.id]) for other in twins} == {len(held[stimulus.id])}
            assert {other.seconds for other in twins} == {stimulus.seconds}
    ranked = sorted((s for s in study.design.stimuli if s.segment != "s4"), key=lambda s: (s.segment, s.id))
    assert len({stimulus.condition for stimulus in ranked[::2]}) == 2  # which system has the lower id is chance
    assert all(re.fullmatch("[0-9a-f]{12}", stimulus.id) for stimulus in study.design.stimuli)


def test_the_source_of_a_page_shows_no_eye_what_is_padded_or_silent(study: Study, folder: Path) -> None:  # noqa: F811
    """Padding and silence would be a run of the same letters."""
    for listener in study.design.listeners:
        text = (folder / "pages" / f"{listener.code}.html").read_text()
        for content in re.findall(r'<script type="text/plain"[^>]*>([^<]*)</script>', text):
            assert not re.search(r"(.)\1{6}", content)
            counted = np.array(list(Counter(content.rstrip("=")).values()))
            assert len(counted) == 64
            assert counted.max() < 2 * counted.min() + 60
    for content in (b"", b"\0", bytes(range(256)) * 9):
        assert page.masked("0123456789ab", page.masked("0123456789ab", content)) == content


def test_what_is_published_does_not_give_the_blind_ids_away(spoken: Path, tmp_path: Path) -> None:  # noqa: F811
    """The plan may be public, and so are the code and the pre-registration: the seed is drawn and in neither."""
    source = planned(spoken, "drawn")
    source.write_text(source.read_text().replace("seed = 11\n", ""))
    first, second = make.make(source), make.make(source)
    assert not {s.id for s in first.design.stimuli} & {s.id for s in second.design.stimuli}
    assert not {*first.design.places} & {*second.design.places}
    assert first.design.seed > 2**32
    make.write(first, tmp_path)
    assert make.make(source, tmp_path).files == first.files  # a frozen design is made again with its own
    published = render("Plan", register.preregistration(first.design))
    assert not any(stimulus.id in published for stimulus in first.design.stimuli)
    for text in (published, page.write(first.design, first.files, tmp_path)[0].read_text()):
        assert str(first.design.seed) not in text


def test_a_page_holds_all_that_it_plays_and_reaches_nothing_else(study: Study, folder: Path) -> None:  # noqa: F811
    for listener in study.design.listeners:
        text = (folder / "pages" / f"{listener.code}.html").read_text()
        told = data(text)
        wanted = {clip for session in told["sessions"] for trial in session for clip in trial["clips"]}
        wanted |= {told["volume"], *told["checks"]["headphones"], *told["checks"]["quiet"]}
        assert set(embedded(text)) == wanted
        assert not re.search(r'(src|href)="(?!data:)', text)
        assert "default-src 'none'" in text
        assert "unsafe-eval" not in text


def test_the_checks_play_what_their_key_says(study: Study, folder: Path) -> None:  # noqa: F811
    text = next((folder / "pages").iterdir()).read_text()
    told, held = data(text)["checks"], embedded(text)
    quietest = []
    for name in told["headphones"]:
        path = folder / "tone.flac"
        path.write_bytes(held[name])
        samples, _ = soundfile.read(path)
        path.unlink()
        quietest.append(int(np.argmin(np.square(samples[:, 0]).reshape(3, -1).mean(axis=1))))
    assert tuple(quietest) == page.key(study.design, "headphones")
    assert len(set(quietest)) == 3
    assert len({len(held[name]) for name in told["headphones"]}) == 1
    assert len({len(held[name]) for name in told["quiet"]}) == 1
    levels = [active_level(read(held[name])) for name in told["quiet"]]
    assert tuple(int(level > -np.inf) for level in levels) == page.key(study.design, "quiet")
    assert sorted(levels)[2:] == pytest.approx([-56, -56], abs=0.5)


def test_a_changed_or_missing_clip_makes_no_page(study: Study, tmp_path: Path) -> None:  # noqa: F811
    make.write(study, tmp_path)
    clip = next((tmp_path / "clips").iterdir())
    assert make.read(tmp_path).files == study.files
    clip.write_bytes(clip.read_bytes()[:-1])
    with pytest.raises(Fault, match="not the one that the design froze"):
        make.read(tmp_path)
    clip.unlink()
    with pytest.raises(Fault, match="is missing"):
        make.read(tmp_path)


@pytest.mark.parametrize("language", ["tr", "de", "zh"])
def test_a_page_speaks_the_language_of_its_study(spoken: Path, tmp_path: Path, language: str) -> None:  # noqa: F811
    made = make.make(planned(spoken, f"in-{language}", language=f'"{language}"'))
    make.write(made, tmp_path)
    text = page.write(made.design, made.files, tmp_path)[0].read_text()
    assert f'<html lang="{language}">' in text
    assert data(text)["questions"][0]["labels"][0] in {"Mükemmel", "Ausgezeichnet", "优"}


# ---- the server


@contextmanager
def lab(folder: Path, port: int = 0, free: Sequence[str] = ()) -> Iterator[serve.Server]:
    with serve.opened(folder, port=port, free=free) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def ask(
    server: serve.Server, method: str, path: str, body: Any = None, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    content = json.dumps(body).encode() if isinstance(body, dict | list) else body
    kind = {"Content-Type": "application/json"} if body is not None else {}
    connection.request(method, path, content, {**kind, **headers})
    answer = connection.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    connection.close()
    return found


@pytest.fixture
def copy(study: Study, tmp_path: Path) -> Path:  # noqa: F811
    make.write(study, tmp_path)
    page.write(study.design, study.files, tmp_path)
    return tmp_path


def sent(study: Study, listener: int = 0, **change: Any) -> dict[str, Any]:  # noqa: F811
    code = study.design.listeners[listener].code
    told = [entry for entry in simulate.listen(study.design, {}) if entry["code"] == code]
    head = {"design": study.design.sha256, "code": code, "participant": "0123456789ab"}
    return {**head, "records": [entry["record"] for entry in told], **change}


def test_each_visitor_gets_a_page_of_their_own_and_gets_it_back(study: Study, copy: Path) -> None:  # noqa: F811
    with lab(copy) as server:
        given = [ask(server, "GET", "/") for _ in range(7)]
        codes = [headers.get("Location", "")[1:] for _, headers, _ in given]
        cookie = given[2][1]["Set-Cookie"].partition(";")[0]
        assert sorted(codes[:6]) == sorted(study.design.places)
        assert given[6][0] == 200
        assert b"taken" in given[6][2]
        again = ask(server, "GET", "/", Cookie=cookie)
        assert again[1]["Location"] == f"/{codes[2]}"
        place = [listener.code for listener in study.design.listeners].index(codes[2])
        assert ask(server, "POST", "/ratings", sent(study, place))[0] == 204
        assert b"taken" in ask(server, "GET", "/", Cookie=cookie)[2]  # the next listener is another
        status, headers, body = ask(server, "GET", f"/{codes[0]}")
        assert status == 200
        assert body == (copy / "pages" / f"{codes[0]}.html").read_bytes()
        assert headers["Cache-Control"] == "no-store"
    with lab(copy) as server:
        assert b"taken" in ask(server, "GET", "/")[2]  # it is remembered


def test_a_page_whose_listener_never_began_is_freed_and_given_once_more(study: Study, copy: Path) -> None:  # noqa: F811
    first, second = list(study.design.places)[:2]
    with lab(copy) as server:
        given = [ask(server, "GET", "/")[1] for _ in range(6)]
        place = [listener.code for listener in study.design.listeners].index(second)
        assert ask(server, "POST", "/ratings", sent(study, place))[0] == 204
    with pytest.raises(Fault, match="was rated on"), serve.opened(copy, free=[second]):
        pass
    with pytest.raises(Fault, match="given to nobody"), serve.opened(copy, free=["x"]):
        pass
    with lab(copy, free=[first]) as server:
        old = next(headers for headers in given if headers["Location"] == f"/{first}")["Set-Cookie"].partition(";")[0]
        assert ask(server, "GET", "/")[1]["Location"] == f"/{first}"
        assert b"taken" in ask(server, "GET", "/", Cookie=old)[2]  # who had it before has it no more
    with pytest.raises(Fault, match="given to nobody"), serve.opened(copy, free=[second[::-1]]):
        pass


@pytest.mark.parametrize(
    "path",
    [
        *("/design.json", "/../design.json", "/pages/../design.json", "/%2e%2e/design.json", "//etc/passwd"),
        *("/ratings", "/x", "/.", "/clips/", "/" + "a" * 5000),
    ],
)
def test_nothing_but_pages_is_served(copy: Path, path: str) -> None:
    with lab(copy) as server:
        status, _, body = ask(server, "GET", path)
        assert status == 404
        assert b"sha256" not in body


def test_what_is_answered_is_on_the_disk_and_bad_requests_are_not(study: Study, copy: Path) -> None:  # noqa: F811
    good = sent(study)
    with lab(copy) as server:
        assert ask(server, "POST", "/ratings", good)[0] == 204
        for bad, status in (
            ({**good, "design": "0" * 64}, 409),
            ({**good, "code": "../../x"}, 400),
            ({**good, "participant": "<b>"}, 400),
            ({**good, "records": []}, 400),
            ({**good, "records": [{"seq": -1, "kind": "vote"}]}, 400),
            ({**good, "records": [{"seq": 1, "kind": "finished", "session": 0, "browser": "\ud800"}]}, 400),
            ({**good, "records": [{"seq": 1, "kind": "vote", "trial": "0.1", "question": [], "value": 3}]}, 400),
            ([1], 400),
            (b"\xff{", 400),
            (b"[" * 100_000, 400),
        ):
            assert ask(server, "POST", "/ratings", bad)[0] == status
        assert ask(server, "POST", "/ratings", b"{}", **{"Content-Type": "text/plain"})[0] == 415
        assert ask(server, "POST", "/elsewhere", good)[0] == 404
        assert ask(server, "POST", "/ratings", b"x", **{"Content-Length": str(10**9)})[0] == 413
        held = list(journal.entries(copy / "ratings" / "served.jsonl"))
        assert [entry["record"] for entry in held] == good["records"]


def test_a_browser_that_goes_away_troubles_nobody(
    study: Study,  # noqa: F811
    copy: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    with lab(copy) as server:
        for sent_ in (
            b"GET / HTT",
            b"POST /ratings HTTP/1.1\r\nContent-Length: 90\r\nContent-Type: application/json\r\n\r\n{",
        ):
            with socket.create_connection(("127.0.0.1", server.server_address[1])) as connection:
                connection.sendall(sent_)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
        assert ask(server, "POST", "/ratings", sent(study))[0] == 204
    assert capfd.readouterr() == ("", "")


def test_records_that_come_at_once_are_all_kept(study: Study, copy: Path) -> None:  # noqa: F811
    with lab(copy) as server:
        bodies = 2 * [sent(study, listener) for listener in range(6)]
        threads = [threading.Thread(target=ask, args=(server, "POST", "/ratings", body)) for body in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = ratings.collect(study.design, ratings.read([copy / "ratings"]))
    assert len(found.votes) == 6 * 7 * 2
    assert found.strays.empty


def test_two_servers_do_not_share_a_study(copy: Path) -> None:
    with lab(copy), pytest.raises(Fault, match="Another server has this study"), serve.opened(copy):
        pass


def test_a_study_without_pages_is_not_served(study: Study, tmp_path: Path) -> None:  # noqa: F811
    make.write(study, tmp_path)
    with pytest.raises(Fault, match="bench study page"), serve.opened(tmp_path):
        pass


def started(folder: Path) -> tuple[subprocess.Popen[str], int]:
    command = [sys.executable, "-m", "bench.cli", "study", "serve", str(folder), "--port", "0"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    assert process.stdout
    found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
    assert found
    return process, int(found[1])


def test_a_server_that_is_killed_has_lost_nothing_that_it_answered(study: Study, copy: Path) -> None:  # noqa: F811
    records = sent(study)["records"]
    answered = []
    for turn, how in enumerate((signal.SIGKILL, signal.SIGINT)):
        process, port = started(copy)
        for record in records[turn * 8 : turn * 8 + 8]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            body = json.dumps(sent(study, records=[record]))
            connection.request("POST", "/ratings", body, {"Content-Type": "application/json"})
            assert connection.getresponse().status == 204
            connection.close()
            answered.append(record)
        process.send_signal(how)
        process.wait(10)
        if how == signal.SIGKILL:
            with (copy / "ratings" / "served.jsonl").open("ab") as stream:
                stream.write(b'{"design":"torn')
    held = [entry["record"] for entry in journal.entries(copy / "ratings" / "served.jsonl")]
    assert held == answered


def test_the_commands_go_from_a_plan_to_a_report(spoken: Path, tmp_path: Path) -> None:  # noqa: F811
    out, runner = tmp_path / "out", CliRunner()
    designed = runner.invoke(cli.app, ["study", "design", str(planned(spoken)), "--out", str(out)]).stdout
    assert "sha256" in designed
    assert "keep the plan to yourself" in designed
    assert "6 pages" in runner.invoke(cli.app, ["study", "page", str(out)]).stdout
    made = frozen.read(out)
    (out / "ratings").mkdir()
    lines = [json.dumps(entry) for entry in simulate.listen(made, {"quick": 2, "slowpoke": 4})]
    (out / "ratings" / "served.jsonl").write_text("\n".join(lines) + "\n")
    done = runner.invoke(cli.app, ["study", "analyse", str(out)])
    assert done.exit_code == 0, done.exception
    for said in (
        "listening effort",
        "all, 95 % interval",
        "after Holm: ",
        "0 of 48 test votes are excluded",
        "results",
    ):
        assert said in done.stdout
    assert (out / "report" / "results.json").is_file()
    assert (out / "preregistration.html").stat().st_size > 10_000
    assert (out / "report" / "index.html").stat().st_size > 10_000
    votes = (out / "report" / "votes.csv").read_text().splitlines()
    assert len(votes) == 1 + 6 * 7 * 2
    assert "participant" not in votes[0]
    empty = runner.invoke(cli.app, ["study", "analyse", str(out), str(tmp_path / "none")])
    assert isinstance(empty.exception, Fault)


def test_the_notebook_reports_a_frozen_study_on_its_ratings(study: Study, copy: Path) -> None:  # noqa: F811
    spec = importlib.util.spec_from_file_location("listening", ROOT / "notebooks" / "listening.py")
    assert spec
    assert spec.loader
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    lines = [json.dumps(entry) for entry in simulate.listen(study.design, {"quick": 2, "slowpoke": 4})]
    for rehearsed in (True, False):
        if not rehearsed:
            (copy / "ratings").mkdir()
            (copy / "ratings" / "served.jsonl").write_text("\n".join(lines) + "\n")
        _, defined = notebook.app.run(defs={"path": copy})
        assert ("These ratings are simulated" in render("Study", defined["report"])) == rehearsed
        assert defined["study"].design == study.design
