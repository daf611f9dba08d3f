"""What a report of a run rests on: who declared what, which versions were at work, what its words and names mean.

Conventions: the last part of every report of a run. Conflicts of interest and licences stand as the protocol states
them; what it does not state is called so.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from bench.channels import parse
from bench.part import Conflict, Part, Prose, Signature, Table
from bench.run import Run

WORDS = """## Words used here

* **Word error rate (WER)**: words substituted, left out or added, over the words of the reading; it passes 100% where
  much is added. Lower is better. Every reading that the text set accepts counts as right.
* **95% interval**: where the rate of a system lies, on texts like these and under this recogniser, 19 times out of 20.
* **p after Holm**: how often chance alone would show such a difference, with all pairs of a family counted; systems
  that share a tie letter are not told apart.
* **Track R** is the written text, as a customer sends it; **track S** the same spelled out in words.
* **Diagnostic**: a recogniser that stands apart, by its own word or the protocol's, and so enters no mean.
"""


def provenance(run: Run, *, signature: str) -> list[Part]:
    """Who declared what, and what the run was made with."""
    systems = {part.name: part.conflict_of_interest for part in run.protocol.systems}
    versions = pd.DataFrame(
        [
            {"kind": kind, "name": part["name"], "version": part["version"], "licence": part.get("licence")}
            for kind in ("systems", "recognisers")
            for part in run.manifest[kind]
        ]
    )
    begun = run.manifest["begun"]
    return [
        Prose(f"# What it rests on\n\nThe run was begun on {begun[:10]} at {begun[11:16]} UTC."),
        Conflict({"This benchmark": run.protocol.conflict_of_interest, **systems}),
        Table(
            versions.assign(kind=versions["kind"].str.removesuffix("s")),
            "Systems and recognisers",
            missing={"licence": "not stated"},
        ),
        lines(run),
        Prose(WORDS),
        Signature(signature, "The run"),
    ]


def older(index: Path) -> list[Part]:
    """What to say of the pages of an earlier report that lie beside a new index; nothing where there is none."""
    pages = sorted(path for path in index.parent.glob("*.html") if path != index)
    if not pages:
        return []
    links = "\n".join(f"* [{path.stem.capitalize()}]({path.name})" for path in pages)
    told = "These pages were made before the run came to what it holds now; `bench report` makes them anew."
    return [Prose(f"# Older pages\n\n{told}\n\n{links}")]


def lines(run: Run) -> Table:
    """What the channels of a run are."""
    frame = pd.DataFrame({"channel": run.channels(), "meaning": [parse(name).meaning for name in run.channels()]})
    return Table(frame, "Channels", names={"meaning": "what it does"})
