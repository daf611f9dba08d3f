"""What every notebook begins with: its heading, and the control that picks a run.

Conventions: runs lie in `runs/` of the folder that a notebook was started in; they are offered by their names, and the
last by name is the one that shows first. A control must be bound to a name of its cell, so that marimo knows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "There is no run yet: `bench demo` makes one."


def runs(folder: Path = Path("runs")) -> dict[str, Path]:
    """The directories of all runs in a folder, by their names in order."""
    return {held.parent.name: held.parent for held in sorted(folder.glob("*/protocol.toml"))}


def choice(options: Mapping[str, Path] | None = None, *, label: str = "Run", first: str | None = "") -> Any:
    """A marimo drop-down of the runs, or of other `options`. `first` is what it shows at first: the last of the options
    unless it is named, and nothing where it is None."""
    import marimo as mo  # only a notebook needs it, and it takes long to import

    offered = dict(runs() if options is None else options)
    return mo.ui.dropdown(offered, value=next(reversed(offered), None) if first == "" else first, label=label)


def heading(title: str, *controls: Any, none: str = NONE) -> Any:
    """A notebook's title above its controls; `none` in their place where the first offers nothing."""
    import marimo as mo

    shown = mo.hstack(list(controls), justify="start", wrap=True) if controls[0].options else mo.md(none)
    return mo.vstack([mo.md(f"# {title}"), shown])
