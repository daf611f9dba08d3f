"""The command line: `bench ...`. Each command is a few calls; what they do is in the modules.

Conventions: a Fault ends a command with its sentence and status 2, Ctrl-C with status 130; nothing is lost by
either. Results go to standard output, progress and remarks to standard error.
"""

from __future__ import annotations

import gc
import os
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from bench import __version__, cli_report, cli_sets, cli_study, cli_targets
from bench.fault import Fault

app = typer.Typer(
    name="bench",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Earshot measures how well text-to-speech systems are understood.",
)
app.add_typer(cli_report.app)
app.add_typer(cli_sets.app)
app.add_typer(cli_targets.app, name="targets")
app.add_typer(cli_study.app, name="study")
err = Console(stderr=True)
HOME = Path(__file__).resolve().parents[1]  # the clone: data/, protocols/ and notebooks/ lie beside the package


class Language(StrEnum):
    en = "en"
    tr = "tr"
    de = "de"
    zh = "zh"


class Track(StrEnum):
    R = "R"
    S = "S"


Workers = Annotated[int, typer.Option(help="Processes that speak and listen at the same time.", min=1)]
RunPath = Annotated[Path, typer.Argument(help="A run's directory, such as runs/demo-en.", metavar="RUN")]
RunsPath = Annotated[Path, typer.Option(help="The folder that holds the runs.")]
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


@app.command()
def demo(
    language: Annotated[Language, typer.Option(help="Which of the four languages.")] = Language.en,
    runs: RunsPath = Path("runs"),
    workers: Workers = CORES,
    show: Annotated[bool, typer.Option(help="Open the report when there is a display.")] = True,
) -> None:
    """Speak, transmit, transcribe, score and report ten sentences with what ships as packages."""
    protocol = HOME / "protocols" / f"demo-{language}.toml"
    if not protocol.is_file():
        raise Fault("The demo's protocol is missing; run bench demo from a clone of Earshot.", file=protocol)
    page = _measure(protocol, runs / f"demo-{language}", workers)
    if show and _display():
        webbrowser.open(page.resolve().as_uri())


@app.command(name="run")
def run_(
    protocol: Annotated[Path, typer.Argument(help="A protocol file.", metavar="PROTOCOL")],
    name: Annotated[str | None, typer.Option(help="The run's name; the protocol's file name by default.")] = None,
    runs: RunsPath = Path("runs"),
    workers: Workers = CORES,
    cluster: Annotated[str | None, typer.Option(help="A Dask scheduler's address, in place of --workers.")] = None,
) -> None:
    """Carry out a protocol: begin a run, or go on with one that was stopped."""
    from bench.protocol import NAME

    chosen = name or protocol.stem
    if not NAME.fullmatch(chosen):
        raise Fault(
            f"The run's name is {chosen!r}; it may have letters, digits and ._+=- and begins with one of the two."
        )
    _measure(protocol, runs / chosen, workers, cluster)


def _measure(protocol: Path, path: Path, workers: int, cluster: str | None = None) -> Path:
    """Execute, score, report; the report's path."""
    from bench import pipeline, results, run, work

    try:
        asked = run.create(protocol, path)
        with ExitStack() as stack:
            if cluster:
                executor, workers = stack.enter_context(work.cluster(cluster))
            else:
                executor = stack.enter_context(work.processes(workers))
            pipeline.execute(asked, executor, width=workers, progress=stack.enter_context(_progress()))
        return results.published(asked)
    except KeyboardInterrupt:
        err.print(f"Stopped. Nothing is lost: the same command goes on from here. See bench status {path}.")
        raise typer.Exit(130) from None


@app.command()
def status(path: RunPath) -> None:
    """What a run has, lacks and lost."""
    from bench import results, run

    results.status(run.Run.open(path))


@app.command()
def report(
    path: RunPath,
    clips: Annotated[str | None, typer.Option(help="all, none, worst:50, disagree:50 or line:50.")] = None,
) -> None:
    """Score a run again from its raw transcripts; write a page for each notebook, and an index with the answer."""
    from bench import notebooks, run

    notebooks.publish(run.Run.open(path), clips=clips)


@app.command()
def compare(
    path: RunPath,
    others: Annotated[
        list[Path] | None, typer.Argument(help="Later runs of the same systems.", metavar="[OTHER]...")
    ] = None,
    stratum: Annotated[
        list[str] | None,
        typer.Option(help="A column of the text set to cut by, or several joined by commas; may be repeated."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="A file for the page with the charts.", metavar="FILE")] = None,
) -> None:
    """Rates with intervals, ranks and ties of a run; or later runs against it: better, worse, or no evidence."""
    from bench import conclusion
    from bench.run import Run

    first, later = Run.open(path), [Run.open(other) for other in others or []]
    strata = [tuple(columns.split(",")) for columns in stratum or []]
    if report is not None:  # first, since what prints may be cut off by a pipe
        from bench import conclusion_views

        conclusion_views.write(report, first, later, strata=strata)
    if not later:
        conclusion.show(first, conclusion.conclude(first, strata=strata))
    for other in later:
        conclusion.show_progress(first, other, conclusion.progress(first, other, strata=strata))
    if report is not None:
        print(report)


@app.command()
def score(
    segments: Annotated[Path, typer.Option(help="The text set that was spoken.")],
    hyps: Annotated[
        list[Path], typer.Option(help='NAME_R.jsonl or NAME_S.jsonl, {"id": ..., "hyp": ...} a line; may be repeated.')
    ],
    track: Annotated[list[Track], typer.Option(help="The track of each --hyps, in the same order.")],
    normaliser: Annotated[str, typer.Option(help="earshot, whisper, handset, or module:function.")] = "earshot",
    out: Annotated[Path | None, typer.Option(help="A folder for scores.parquet and scores.json.")] = None,
) -> None:
    """Score transcripts that were made elsewhere; given both tracks, the TN penalty too."""
    from bench import formats, scorecard

    if len(hyps) != len(track):
        raise Fault(f"There are {len(hyps)} --hyps and {len(track)} --track; each file has its track.")
    with _progress(after=2) as progress:
        files = [*zip(hyps, map(str, track), strict=True)]
        card = scorecard.make(formats.read(segments), files, normaliser=normaliser, progress=progress)
    if out is not None:
        scorecard.write(card, out)  # first, since what prints may be cut off by a pipe
    scorecard.show(card)


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        print(__version__)
        raise typer.Exit


@contextmanager
def _progress(after: float = 0) -> Iterator[Callable[[str, int, int], None]]:
    """Bars with the time left on a terminal; elsewhere a line each tenth; nothing in the first `after` seconds."""
    begin = monotonic() + after
    columns = (TextColumn("{task.description:>11}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, TextColumn("left"), TimeRemainingColumn(), console=err, disable=not err.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}
        tenths: dict[str, int] = {}

        def show(step: str, done: int, total: int) -> None:
            if monotonic() < begin:
                return
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, completed=done - 1)
            bars.update(tasks[step], completed=done)
            if not err.is_terminal and done * 10 // total > tenths.get(step, -1):
                tenths[step] = done * 10 // total
                err.print(f"{step}: {done} of {total}")

        yield show


def _display() -> bool:
    return sys.stdout.isatty() and (
        sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    )


def main() -> None:
    """The entry point of the `bench` command."""
    gc.set_threshold(1_000_000)  # what a command makes lives to its end: to look for garbage is a tenth of its time
    try:
        app()
    except Fault as fault:
        err.print(f"[bold red]bench:[/] {escape(str(fault))}", highlight=False)
        sys.exit(2)
    finally:
        gc.freeze()  # and so is to look for it once more at the end


if __name__ == "__main__":
    main()
