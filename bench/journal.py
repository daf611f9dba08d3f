"""Append-only JSON lines that survive kill -9, and files that are whole or absent.

Conventions: one writer a journal. Every line reaches the operating system when it is written, so that the death
of the process loses none. It reaches the disk with the first line that comes more than a second after the last
sync, and on closing: a power cut loses what came since, and its work is done again. A
torn last line is cut on opening and its work is done again. Derived files are written beside their place and
renamed onto it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench.fault import Fault

Entry = dict[str, Any]
SYNC_SECONDS = 1.0
BESIDE = ".new-"  # how a file begins that is not in place yet


class Journal:
    """An open journal, for its single writer. Closing it, or leaving its `with` block, syncs it to the disk."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.entries = list(entries(path))
        self._stream = path.open("r+b" if path.exists() else "w+b")
        self._stream.truncate(_whole(path))
        self._stream.seek(0, os.SEEK_END)
        self._synced = time.monotonic()

    def append(self, entry: Entry) -> None:
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n"
        self._stream.write(line.encode())
        self._stream.flush()
        self.entries.append(entry)
        if time.monotonic() - self._synced > SYNC_SECONDS:
            self.sync()

    def sync(self) -> None:
        os.fsync(self._stream.fileno())
        self._synced = time.monotonic()

    def close(self) -> None:
        self.sync()
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _whole(path: Path) -> int:
    """The number of bytes up to and with the last line feed."""
    return path.read_bytes().rfind(b"\n") + 1 if path.exists() else 0


def entries(path: Path) -> Iterator[Entry]:
    """The whole lines of a journal, none for a journal that was not begun. A torn last line is passed over.

    Raises Fault for a whole line that is not a JSON object: nobody but Earshot writes a journal, so the file was
    edited or the disk is failing, and going on would lose what the line held.
    """
    if not path.exists():
        return
    for number, line in enumerate(path.read_bytes()[: _whole(path)].split(b"\n")[:-1], start=1):
        try:
            entry = json.loads(line)
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise Fault(
                f"This line of the journal is damaged ({error}). Restore the file from a copy; a line that cannot "
                "be restored may be deleted, and its work is then done again.",
                file=path,
                line=number,
            ) from None
        if not isinstance(entry, dict):
            raise Fault("This line of the journal is not a JSON object; restore it.", file=path, line=number)
        yield entry


def write(path: Path, content: bytes) -> None:
    """Put a whole file in place: written beside, synced, renamed. Whoever reads sees the old file or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{BESIDE}{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
