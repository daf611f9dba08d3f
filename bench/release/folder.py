"""A folder that appears whole or not at all.

Conventions: what is derived is written beside its place and renamed; a fault on the way leaves what was there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path

from bench.fault import Fault


@contextmanager
def whole(out: Path, *, ours: Sequence[str]) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of `out` when the block ends without an exception.

    `ours` are patterns (`*` matches any characters) of the relative paths that an earlier call may have left. Raises
    Fault where `out` holds any other file, for replacing it would lose that.
    """
    if out.exists() and not out.is_dir():
        raise Fault("This is a file; give a new or an empty folder.", file=out)
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out).as_posix()
        if not path.is_dir() and not any(fnmatchcase(name, pattern) for pattern in ours):
            raise Fault(
                f"The folder holds {name}, which this command did not write and would lose; give a new folder.",
                file=out,
            )
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as workspace:
        fresh, stale = Path(workspace) / "new", Path(workspace) / "old"
        fresh.mkdir()
        yield fresh
        if out.exists():
            out.rename(stale)
        try:
            fresh.rename(out)
        except OSError:
            if stale.exists():
                stale.rename(out)
            raise
