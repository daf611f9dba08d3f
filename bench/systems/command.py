"""Any program that reads a text and writes audio: a system on the command line, without a line of Python.

Conventions: `argv` is a list of arguments, never a line for a shell. `{text}`, `{voice}`, `{seed}` and `{output}` in
it are replaced once, in one pass, so that nothing in a text can become an argument or a placeholder. Without
`{text}` the text goes to standard input as UTF-8; without `{output}`, the path of a file to write, the audio is
taken from standard output.

The program inherits the environment. An environment variable that `secrets` lists can stand in `argv` as `{NAME}`;
what is recorded is the template with the name, and its value is blotted out of every message.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.fault import Fault
from bench.systems import Speech, check

_PLACE = re.compile(r"\{(\w+)\}")
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """A program as a system. Either `version` is stated, or `version_command` is run and its first line taken.

    `format` is the suffix of the audio (wav, flac, mp3, ogg), `timeout` the seconds after which the program and
    all it started are ended.
    """

    name: str
    argv: tuple[str, ...]
    version: str = ""
    version_command: tuple[str, ...] = ()
    voice: str | None = None
    format: str = "wav"
    timeout: float = 60.0
    secrets: tuple[str, ...] = ()
    licence: str = ""

    def __post_init__(self) -> None:
        if not self.argv or not self.argv[0]:
            raise Fault(f"{self.name}: argv is {self.argv!r}; expected the program and its arguments.")
        object.__setattr__(self, "argv", tuple(self.argv))  # a list in a protocol file
        known = {"text", "voice", "seed", "output", *self.secrets}
        if unknown := sorted(set(_PLACE.findall(" ".join(self.argv))) - known):
            raise Fault(
                f"{self.name}: argv has the placeholder {{{unknown[0]}}}; known are {', '.join(sorted(known))}."
            )
        if not re.fullmatch(r"[a-z0-9]{1,8}", self.format):
            raise Fault(f"{self.name}: format is {self.format!r}; expected a suffix such as wav.")
        if not self.version and not self.version_command:
            raise Fault(f"{self.name}: state a version, or a version_command that prints it.")
        if not self.version:
            object.__setattr__(self, "version", _version(tuple(self.version_command)))

    def synthesise(self, text: str, *, voice: str | None = None, seed: int = 0) -> Speech:
        """Run the program on `text`. Raises Fault when it fails, takes too long or writes nothing."""
        check(text)
        template = " ".join(self.argv)
        voice = self.voice if voice is None else voice
        if voice is None and "{voice}" in template:
            raise Fault(f"{self.name}: argv has {{voice}}, and no voice is given.")
        for before, argument in zip(self.argv, self.argv[1:], strict=False):
            if argument == "{text}" and text.startswith("-") and before != "--":
                raise Fault(f"{self.name}: the text {text!r} would be read as an option; put -- before {{text}}.")
        with tempfile.TemporaryDirectory(prefix="earshot-") as folder:
            output = Path(folder) / f"speech.{self.format}"
            values = {"text": text, "voice": voice or "", "seed": str(seed), "output": str(output)}
            values |= {name: _secret(name, self.name) for name in self.secrets}
            argv = [_PLACE.sub(lambda place: values[place[1]], argument) for argument in self.argv]
            submitted = time.monotonic_ns()
            said = _run(argv, b"" if "{text}" in template else text.encode(), self.timeout, self.name, self.secrets)
            completed = time.monotonic_ns()
            audio = said if "{output}" not in template else output.read_bytes() if output.is_file() else b""
        if not audio:
            raise Fault(f"{self.name}: the program ended well but wrote no audio for {text!r}.")
        request = {"argv": list(self.argv), "text": text, "voice": voice, "seed": seed}
        return Speech(audio, self.format, submitted, completed, request=request)


def _run(argv: list[str], given: bytes, timeout: float, name: str, secrets: tuple[str, ...] = ()) -> bytes:
    """Standard output of a program. It runs in a session of its own, so that all it started can be ended with it."""
    if shutil.which(argv[0]) is None:
        raise Fault(f"{name}: there is no program {argv[0]!r} on this machine; install it or give its path.")
    pipe = subprocess.PIPE
    process = subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
    try:
        said, complaint = process.communicate(given, timeout=timeout)
    except BaseException as error:
        with suppress(ProcessLookupError):  # the group outlives its leader as long as anything it started lives
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if not isinstance(error, subprocess.TimeoutExpired):
            raise
        raise Fault(f"{name}: {argv[0]} took longer than {timeout:g} s and was ended; raise its timeout.") from None
    if process.returncode:
        last = _blot(complaint.decode(errors="replace").strip(), secrets)[-300:]
        raise Fault(f"{name}: {argv[0]} failed with status {process.returncode}: {last or 'it said nothing'}")
    return said


def _secret(variable: str, name: str) -> str:
    value = os.environ.get(variable)
    if not value:
        raise Fault(f"{name}: the environment variable {variable} is not set.")
    return value


def _blot(message: str, secrets: tuple[str, ...]) -> str:
    """The message without the value of any environment variable that is listed, or named like a secret."""
    hidden = [value for key, value in os.environ.items() if value and (key in secrets or _SECRET.search(key))]
    for value in sorted(hidden, key=len, reverse=True):
        message = message.replace(value, "***")
    return message


@functools.cache
def _version(argv: tuple[str, ...]) -> str:
    lines = _run(list(argv), b"", 20.0, "version_command").decode(errors="replace").split("\n")
    first = next((line.strip() for line in lines if line.strip()), "")
    if not first:
        raise Fault(f"The version_command {' '.join(argv)!r} printed nothing; state the version instead.")
    return first
