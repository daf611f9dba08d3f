"""The languages on every supported Python: the same text gives the same words, to the byte.

Conventions: the golden file holds one sha256 a language, over what it makes of every text of its gold cases and of its
text set. The suite holds any Python to that file, so that runs under 3.11, 3.12 and 3.13 agree with one another. This
module needs the standard library alone, as the languages do. Where a text or, on purpose, a rule has changed, write the
file anew: `python -m tests.test_language_agreement > tests/golden/language.json`; a changed rule raises its `VERSION`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.language import english, german, mandarin, turkish

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "language.json"
LANGUAGES = {"de": german, "en": english, "tr": turkish, "zh": mandarin}
WRITTEN = ("written", "context", "text", "input_text", "text_spoken", "spoken_reference")
RENEW = "if that is on purpose, renew the golden file as the head of this module says"


def texts(code: str) -> list[str]:
    """The written and spoken texts of a language's gold cases, with their readings, and of its text set."""
    return [
        text
        for path in (HERE / f"data/gold/gold_{code}_dev.jsonl", HERE.parent / f"data/{code}.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
        for text in _texts(json.loads(line))
    ]


def _texts(row: dict[str, Any]) -> Iterator[str]:
    for record in (row, row.get("metadata", {})):
        yield from (record[name] for name in WRITTEN if name in record)
        yield from record.get("readings", ())


def hashes() -> dict[str, str]:
    """By language, the sha256 over its signature and what it makes of every text."""
    found = {}
    for code, language in LANGUAGES.items():
        made = [language.signature()]
        for text in texts(code):
            made += [language.normalise(language.verbalise(text)), language.verbalise(text, "set")]
        found[code] = hashlib.sha256(json.dumps(made, ensure_ascii=False).encode()).hexdigest()
    return found


def test_this_python_gives_the_words_of_the_golden_file() -> None:
    assert hashes() == json.loads(GOLDEN.read_text(encoding="utf-8")), RENEW


def test_every_language_has_texts_with_numbers_to_read() -> None:
    for code, language in LANGUAGES.items():
        read = [
            text for text in texts(code) if language.normalise(language.verbalise(text)) != language.normalise(text)
        ]
        assert len(read) > 20, code


if __name__ == "__main__":
    print(json.dumps(hashes(), indent=2))
