"""Records on disk: JSON lines, parquet and CSV files read as plain dictionaries with their line numbers.

Conventions: a line number counts from 1; a parquet row has the number that it would have in a JSON-lines file.
CSV cells that hold a JSON list or object are decoded, since published CSV layouts encode lists that way.
Nothing here knows what a record means.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.fault import Fault

Record = dict[str, Any]


def digest(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def records(path: Path) -> Iterator[tuple[int, Record]]:
    """Each record of a .jsonl, .parquet or .csv file with its line. Raises Fault that names the line."""
    match path.suffix:
        case ".jsonl":
            yield from _json_lines(path)
        case ".parquet":
            import pyarrow.parquet as parquet

            yield from enumerate(parquet.read_table(path).to_pylist(), start=1)
        case ".csv":
            yield from _csv_rows(path)
        case suffix:
            raise Fault(f"A text set ends in .jsonl, .parquet or .csv, this file in {suffix!r}.", file=path)


def _json_lines(path: Path) -> Iterator[tuple[int, Record]]:
    for line, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            record = json.loads(raw.decode("utf-8-sig" if line == 1 else "utf-8"))
            if b"\\ud" in raw.lower():  # an escape may stand for half a character, which cannot be written again
                json.dumps(record, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise Fault(f"This line is not JSON ({error}).", file=path, line=line) from None
        if not isinstance(record, dict):
            raise Fault(
                f"This line holds a JSON {type(record).__name__}; expected an object with named fields.",
                file=path,
                line=line,
            )
        yield line, record


def _csv_rows(path: Path) -> Iterator[tuple[int, Record]]:
    reader = csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""), strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise Fault(f"This line is not CSV ({error}).", file=path, line=reader.line_num) from None
        if row is None:
            return
        if None in row or None in row.values():
            raise Fault(
                f"This row does not have the {len(reader.fieldnames or ())} cells that the header names.",
                file=path,
                line=reader.line_num,
            )
        yield reader.line_num, {name: _cell(value) for name, value in row.items()}


def _cell(value: str) -> Any:
    if value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return {"True": True, "False": False, "true": True, "false": False}.get(value, value)
