"""The languages on every supported Python: the same text gives the same words, to the byte."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.language import english, german, mandarin

HERE = Path(__file__).parent
LANGUAGES = {"en": english, "de": german, "zh": mandarin}
INTERPRETERS = sorted(
    (Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions").glob("3.1[123].*/bin/python")
)

PROGRAM = """
import hashlib, json, sys
from bench.language import english, german, mandarin
languages = {"en": english, "de": german, "zh": mandarin}
words = []
for code, texts in json.load(sys.stdin).items():
    for text in texts:
        language = languages[code]
        words += [language.normalise(language.verbalise(text)), language.verbalise(text, "set"), language.signature()]
print(hashlib.sha256("\\n".join(words).encode()).hexdigest())
"""


def texts() -> dict[str, list[str]]:
    found = {}
    for code in LANGUAGES:
        lines = (HERE / f"data/gold/gold_{code}_dev.jsonl").read_text(encoding="utf-8").splitlines()
        cases = [json.loads(line) for line in lines]
        found[code] = [case["written"] for case in cases] + [reading for case in cases for reading in case["readings"]]
    return found


@pytest.mark.skipif(not INTERPRETERS, reason="needs further interpreters, looked for under pyenv's root")
@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=lambda path: path.parts[-3])
def test_interpreters_agree(interpreter: Path) -> None:
    """The language modules need the standard library alone, so a bare interpreter can run them."""
    words: list[str] = []
    for code, written in texts().items():
        language = LANGUAGES[code]
        for text in written:
            words += [
                language.normalise(language.verbalise(text)),
                language.verbalise(text, "set"),
                language.signature(),
            ]
    here = hashlib.sha256("\n".join(words).encode()).hexdigest()
    environment = {"PYTHONPATH": str(HERE.parent), "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"}
    answer = subprocess.run(
        [interpreter, "-c", PROGRAM],
        input=json.dumps(texts()),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == here, f"{interpreter} and {sys.version.split()[0]} differ"
