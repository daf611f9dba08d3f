"""The one error that Earshot shows to a person.

Conventions: a fault's message is whole sentences that name the file, line or key, what was found, what was
expected, and the mend. The command line prints it without a traceback; anything else that escapes is a
mistake in Earshot and keeps its traceback.
"""

from __future__ import annotations

from pathlib import Path


class Fault(Exception):
    """Something that the person at the keyboard can mend."""

    def __init__(self, message: str, *, file: Path | str | None = None, line: int | None = None) -> None:
        where = "" if file is None else f"{file}: " if line is None else f"{file}, line {line}: "
        super().__init__(where + message)
