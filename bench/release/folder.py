"""A folder that appears whole or not at all.

Conventions: what is derived is written beside its place and renamed; a fault on the way leaves what was there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.fault import Fault


@contextmanager
def whole(out: Path, *, marks: Sequence[str]) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of `out` when the block ends without an exception.

    Raises Fault where `out` is in the way: it exists, is not an empty folder, and holds none of the files `marks` by
    which a folder written earlier is known.
    """
    known = out.is_dir() and (not any(out.iterdir()) or any((out / mark).is_file() for mark in marks))
    if out.exists() and not known:
        raise Fault("This was not written by the same command; give a new or an empty folder.", file=out)
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
