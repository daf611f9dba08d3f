"""The notebooks of a run as offline pages, and the index that leads to them.

Conventions: a notebook is a marimo file of which one cell defines `path`, the directory of a run, and which ends in
`report`, a list of parts. One that has nothing to show for a run leaves `report` empty or undefined and gets no page.
A notebook that lets its reader choose clips defines `clips`, a rule of `bench.audition.choose`. The index has the
answer on top and every page by name above it; every page links back to it, and needs none of the others.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from bench import adjudication, basis, report, results, terminal, views
from bench.fault import Fault
from bench.part import Part, Prose
from bench.run import Run

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
BACK = Prose("[All pages of this run](index.html)")
ABOUT = {  # what a reader looks for, where a notebook's name does not say it
    "audition": "Clips",
    "comparison": "Who is better",
    "explore": "Texts",
    "latency": "Times",
    "panel": "Recognisers",
    "scoring": "Slices and errors",
}
STUDIES = frozenset({"listening"})  # about a study, not a run: before ratings come, its numbers are only rehearsed


@dataclass(frozen=True, eq=False, slots=True)
class Sheet:
    """What one notebook says of a run: its file's stem, its title, what it is for, its parts."""

    name: str
    title: str
    purpose: str
    parts: list[Part]


def sheets(run: Run, *, clips: str | None = None, folder: Path = FOLDER) -> Iterator[Sheet]:
    """The sheet of every notebook in `folder` that has something to show for the run, by their names.

    `clips` stands in for the choice of clips that a notebook makes itself. Raises Fault where a notebook fails.
    """
    paths = sorted(path for path in folder.glob("*.py") if path.stem not in STUDIES)
    if not paths:
        raise Fault("There are no notebooks here; call bench report from a clone of Earshot.", file=folder)
    for path in paths:
        notebook = _load(path)
        given: dict[str, Any] = {"path": run.path, **({"clips": clips} if clips else {})}
        try:
            _, defined = notebook.app.run(defs=given)
        except Fault:
            raise
        except Exception as error:
            cause = error.__cause__ or error
            raise Fault(f"The notebook failed on {run.path}: {type(cause).__name__}: {cause}.", file=path) from error
        if parts := list(defined.get("report") or []):
            yield Sheet(path.stem, path.stem.capitalize(), (notebook.__doc__ or "").split("\n\n")[0].strip(), parts)


def publish(run: Run, *, clips: str | None = None, folder: Path = FOLDER) -> Path:
    """Score the run, keep the scores, print the table, write a page a notebook and the index; the index's path."""
    scored = results.keep(run)
    systems = [*dict.fromkeys(scored["system"])]
    into = (run.path / results.PAGE).parent
    found = []
    for sheet in sheets(run, clips=clips or results.usual_clips(run), folder=folder):
        subtitle = f"{run.name}: {run.protocol.purpose}"
        report.write(into / f"{sheet.name}.html", sheet.title, [BACK, *sheet.parts], subtitle=subtitle, systems=systems)
        found.append(sheet)
    for stale in {path.stem for path in folder.glob("*.py")} - {sheet.name for sheet in found}:
        (into / f"{stale}.html").unlink(missing_ok=True)
    headline = run.protocol.normalisers[0]
    parts = index(run, scored[scored["normaliser"] == headline], found, signature=results.signature(run, headline))
    page = report.write(run.path / results.PAGE, run.name, parts, subtitle=run.protocol.purpose, systems=systems)
    results.stamp(run)
    terminal.say(f"Report: {page}, with {', '.join(sheet.name for sheet in found)}")
    return page


def index(run: Run, scores: Any, found: list[Sheet], *, signature: str) -> list[Part]:
    """The first page: every page by name, the answer, where to read on, the rates, verdicts, what it rests on."""
    links = "\n".join(f"* [{sheet.title}]({sheet.name}.html): {sheet.purpose}" for sheet in found)
    names = [f"[{sheet.title}]({sheet.name}.html)" for sheet in found]
    about = [f"{ABOUT[sheet.name]}: " if sheet.name in ABOUT else "" for sheet in found]
    return [
        Prose(" · ".join(map("".join, zip(about, names, strict=True)))),
        *views.answer(run, scores, signature=signature),
        Prose(f"# Read on\n\n{links}"),
        *views.rates(run, scores, signature=signature),
        *adjudication.parts(run, scores, signature=signature),
        *basis.provenance(run, signature=signature),
    ]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"notebook_{path.stem}", path)
    assert spec is not None, "a .py file has a loader"
    assert spec.loader is not None
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    return notebook
