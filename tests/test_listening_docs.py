"""docs/listening.md does what it says: its plan is a plan, its parts fit in, its commands are commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from typer.testing import CliRunner

from bench import cli, formats
from bench.listening import plan, scale

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "listening.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, flags=re.MULTILINE | re.DOTALL)


def test_the_plan_and_its_parts_are_read(tmp_path: Path) -> None:
    whole, *parts = blocks("toml")
    for part in ("", *parts):
        path = tmp_path / "plan.toml"
        path.write_text(whole + part)
        read = plan.read(path)
        assert read.seed is None
    assert read.pilot is not None
    for key in read.questions:
        scale.question(key, read.language)


def test_the_probe_is_one_of_the_set() -> None:
    probe = plan.Probe.model_validate(tomllib.loads(blocks("toml")[1])["probe"][0])
    segments = {segment.id: segment for segment in formats.read(ROOT / "data" / "tr.jsonl").segments}
    assert set(probe.options) & set(segments[probe.segment].pron_hint.split("; ")) == {"ayfon"}


def test_every_question_is_in_the_table() -> None:
    table = TEXT[TEXT.index("| question |") : TEXT.index("Each question is one construct")]
    assert set(re.findall(r"`(\w+)`", table)) >= set(scale.names())


def test_the_commands_are_commands() -> None:
    (block,) = blocks("sh")
    for line in block.splitlines():
        _, study, name, _, *options = line.partition("#")[0].split()
        told = CliRunner().invoke(cli.app, [study, name, "--help"])
        assert told.exit_code == 0
        assert all(option in told.stdout for option in options if option.startswith("--"))
    assert (ROOT / block.split()[3]).is_file()
