"""What people are told about a run: the numbers are those of the statistics, and no sentence says more than they do."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench import conclusion_views, results
from bench import run as runs
from bench.part import Chart, Part, Prose, Table
from bench.run import Run

SYSTEMS = {"good": 0.05, "fair": 0.11, "even": 0.11, "poor": 0.3}
CHANNELS = ("fb", "g711u", "g711u+loss=3%")
RECOGNISERS = ("zeta", "alpha", "probe")  # not in alphabetical order; the last is diagnostic
TEXT = "the sum of five dollars was paid by ada today"
HEAD = """
name = "test"
version = "1"
language = "en"
purpose = "a test"
conflict_of_interest = "we sell good"
tracks = ["R", "S"]
channels = {channels}
panel_mean = {mean}
[text_set]
file = "set.jsonl"
sha256 = "{sha256}"
"""
SYSTEM = """
[[system]]
name = "{name}"
adapter = "tests.own_adapters:Moody"
voice = "none"
settings = {{ diary = "{diary}" }}
licence = "none"
conflict_of_interest = "none"
"""
RECOGNISER = """
[[recogniser]]
name = "{name}"
adapter = "tests.own_adapters:Counter"
diagnostic = {diagnostic}
"""


def make(folder: Path, *, segments: int = 60, systems: tuple[str, ...] = tuple(SYSTEMS), mean: str = "true") -> Run:
    """A run that is begun and has no audio: what it would have scored comes from `constructed`."""
    folder.mkdir(parents=True)
    spans = [{"span": "five dollars", "type": "amount"}, {"span": "ada", "type": "name"}]
    fixed = {"language_tag": "en", "text": TEXT, "text_spoken": TEXT, "ref_lattice": TEXT, "license": "CC0-1.0"}
    lines = [
        {**fixed, "id": f"s{i:03}", "category": "xy"[i % 2], "setting": ["bank", "clinic", "shop"][i % 3]}
        | {"alt_spans": [{**span, "alts": []} for span in spans]}
        for i in range(segments)
    ]
    (folder / "set.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    digest = hashlib.sha256((folder / "set.jsonl").read_bytes()).hexdigest()
    text = HEAD.format(channels=json.dumps(CHANNELS), mean=mean, sha256=digest)
    text += "".join(SYSTEM.format(name=name, diary=folder / "diary") for name in systems)
    text += "".join(RECOGNISER.format(name=n, diagnostic=str(n == "probe").lower()) for n in RECOGNISERS)
    (folder / "p.toml").write_text(text)
    begun = runs.create(folder / "p.toml", folder / "runs" / folder.name)
    manifest = {
        "systems": [{"name": name, "version": "1", "licence": "none"} for name in systems],
        "recognisers": [{"name": n, "version": "1", "diagnostic": n == "probe"} for n in RECOGNISERS],
    }
    (begun.path / "manifest.json").write_text(json.dumps(manifest))
    return begun


def constructed(run: Run, *, seed: int = 1, poor: tuple[str, ...] = RECOGNISERS, **change: float) -> pd.DataFrame:
    """Scores with known rates; each line adds errors, and who is not in `poor` hears that system as it does `fair`."""
    rng = np.random.default_rng(seed)
    rows = results.scores(run).assign(cause=None, failed=False)
    hard = dict(zip(sorted(rows["segment"].unique()), rng.gamma(4, 0.25, rows["segment"].nunique()), strict=True))
    rate = rows["system"].map({**SYSTEMS, **change}).fillna(0.1)
    rate = rate.where(rows["recogniser"].isin(poor) | (rows["system"] != "poor"), SYSTEMS["fair"])
    rate = rate * rows["segment"].map(hard) + rows["channel"].map(dict(zip(CHANNELS, (0, 0.03, 0.1), strict=True)))
    rate = rate + np.where(rows["track"] == "R", 0.04, 0) * (rows["system"] == "poor")
    wrong = rng.binomial(rows["words"], rate.clip(0, 0.95))
    words = TEXT.split()
    heard = [" ".join("xx" if k in set(rng.permutation(10)[:n]) else w for k, w in enumerate(words)) for n in wrong]
    return rows.assign(substitutions=wrong, deletions=0, transcript=heard, hypothesis=heard, wrong=wrong > 0)


def keep(run: Run, scores: pd.DataFrame) -> None:
    scores.to_parquet(run.path / "scores.parquet", index=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return make(tmp_path_factory.mktemp("conclusion") / "whole")


@pytest.fixture(scope="module")
def scores(run: Run) -> pd.DataFrame:
    return constructed(run)


@pytest.fixture(scope="module")
def parts(run: Run, scores: pd.DataFrame) -> list[Part]:
    return conclusion_views.conclusions(run, scores, signature="sig", strata=[("setting",), ("setting", "category")])


def prose(parts: list[Part]) -> str:
    return "\n".join(part.text for part in parts if isinstance(part, Prose))


def tables(parts: list[Part]) -> dict[str, Table]:
    return {part.title: part for part in parts if isinstance(part, Table)}


def charted(parts: list[Part], title: str) -> pd.DataFrame:
    """The data of a chart."""
    chart = next(part.chart for part in parts if isinstance(part, Chart) and part.title.startswith(title))
    return next(pd.DataFrame(rows) for rows in chart.to_dict()["datasets"].values())
