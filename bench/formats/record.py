"""Records on disk: JSON lines, parquet and CSV files read as plain dictionaries with their line numbers.

Conventions: a line number counts from 1; a parquet row has the number that it would have in a JSON-lines file, a CSV
row that of its last line. A CSV cell is text. Published CSV layouts encode lists as JSON, so a cell that holds a JSON
list or object is decoded; in the columns that the layouts define, the type is theirs (TYPES), so that a written text
`[1]` or `750` stays text, and a flag is true, false, 1, 0, yes or no in any case. A cell that does not hold its type
stays text. An empty cell, and a null of a parquet file, is a field that is not there.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.fault import Fault

Record = dict[str, Any]

FLAGS = ("headline", "robustness")
TYPES: Mapping[str, type | None] = {
    **dict.fromkeys(("id", "case_id", "utterance_id", "text", "input_text", "text_spoken", "spoken_reference"), str),
    **dict.fromkeys(("ref_lattice", "ref_canonical", "notes", "pron_hint", "source", "license", "bid"), str),
    **dict.fromkeys(("n_words", "n_chars", "n_paths"), int),
    **dict.fromkeys(FLAGS, bool),
}
_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def digest(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def records(path: Path, *, types: Mapping[str, type | None] = TYPES) -> Iterator[tuple[int, Record]]:
    """Each record of a .jsonl, .parquet or .csv file with its line. `types` are those of the columns of a CSV file; a
    column of none is text, or a JSON list or object. Raises Fault that names the first line which is no record."""
    for line, row in rows(path, types=types):
        if isinstance(row, Fault):
            raise Fault(str(row), file=path, line=line)
        yield line, row


def rows(path: Path, *, types: Mapping[str, type | None] = TYPES) -> Iterator[tuple[int, Record | Fault]]:
    """As `records`, with the reason in place of a row that is no record. Raises Fault for a file that is no table."""
    if not path.is_file():
        raise Fault("There is no such text set.", file=path)
    match path.suffix:
        case ".jsonl":
            yield from _json_lines(path)
        case ".parquet":
            yield from _parquet_rows(path)
        case ".csv":
            yield from _csv_rows(path, types)
        case suffix:
            raise Fault(f"A text set ends in .jsonl, .parquet or .csv, this file in {suffix!r}.", file=path)


def _json_lines(path: Path) -> Iterator[tuple[int, Record | Fault]]:
    for line, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            record = _DECODER.decode(raw.decode("utf-8-sig" if line == 1 else "utf-8"))
            if b"\\" in raw and b"\\ud" in raw.lower():  # half a character, perhaps, which cannot be written again
                json.dumps(record, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            yield line, Fault(f"This line is not JSON ({error}).")
            continue
        if not isinstance(record, dict):
            record = Fault(f"This line holds a JSON {type(record).__name__}; expected an object with named fields.")
        yield line, record


def _single(pairs: list[tuple[str, Any]]) -> Record:
    """An object; a key that stands twice would lose what it says first."""
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_single)


def _parquet_rows(path: Path) -> Iterator[tuple[int, Record]]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(path)
    except pyarrow.ArrowException as error:
        raise Fault(f"This is not a parquet file ({error}).", file=path) from None
    for line, row in enumerate(table.to_pylist(), start=1):
        yield line, _without_nulls(row)


def _without_nulls(value: Any) -> Any:
    """Parquet gives all rows the same fields, and so fills in those that a row never had."""
    match value:
        case dict():
            return {name: _without_nulls(entry) for name, entry in value.items() if entry is not None}
        case list():
            return [_without_nulls(entry) for entry in value]
    return value


def _csv_rows(path: Path, types: Mapping[str, type | None]) -> Iterator[tuple[int, Record | Fault]]:
    try:
        content = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault(f"Byte {error.start} is not UTF-8; save the file as UTF-8.", file=path) from None
    reader = csv.DictReader(io.StringIO(content, newline=""), strict=True)
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield reader.line_num, Fault(f"This line is not CSV ({error}).")
            continue
        if row is None:
            return
        if None in row or None in row.values():
            yield (
                reader.line_num,
                Fault(f"This row does not have the {len(reader.fieldnames or ())} cells that the header names."),
            )
            continue
        yield (
            reader.line_num,
            {name: _cell(value, types.get(name)) for name, value in row.items() if value},
        )


def _cell(value: str, kind: type | None) -> Any:
    if kind is bool:
        return _BOOLEANS.get(value.lower(), value)
    if kind is int:
        return int(value) if value.isdecimal() else value
    if kind is None and value[0] in "[{":
        try:
            return json.loads(value)
        except json.JSONDecodeError:
            return value
    return value
