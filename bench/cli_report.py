"""`bench leaderboard`: many runs of one protocol on one page.

Conventions: those of `bench.cli`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
def leaderboard(
    runs: Annotated[list[Path], typer.Argument(help="Runs of one version of one protocol.", metavar="RUN...")],
    study: Annotated[
        list[Path] | None,
        typer.Option(help="A listening study of one of the runs, analysed; may be repeated.", metavar="FOLDER"),
    ] = None,
    out: Annotated[Path, typer.Option(help="The page that is written.")] = Path("leaderboard.html"),
) -> None:
    """Rank nothing by one number: a row a system, a column a measure, with intervals and ties, on one page."""
    from bench import leaderboard as boards
    from bench import leaderboard_views, report, terminal
    from bench.run import Run

    board = boards.make([Run.open(path) for path in runs], study or [])
    protocol = board.runs[0].protocol
    parts = leaderboard_views.parts(board, beside=out.parent)
    heading = f"{protocol.name}, version {protocol.version}"
    report.write(out, heading, parts, subtitle=protocol.purpose, systems=board.systems["system"])
    for told in board.unfinished:
        terminal.say(told)
    terminal.say(f"Leaderboard: {out}")
