"""`bench targets`: published leaderboards of target decisions, and runs as such.

Conventions: those of `bench.cli`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bench.fault import Fault

app = typer.Typer(
    help="Target-level scoring: did the number, name or score come out right?", pretty_exceptions_enable=False
)

RuleName = Annotated[
    str,
    typer.Option(help="Parts joined by +: positive or negative (first), majority=2, unanimity or plurality, routes=3."),
]
Report = Annotated[Path | None, typer.Option(help="A file for the leaderboard page (HTML).", metavar="FILE")]
Channel = Annotated[str, typer.Option(help="The channel of the run that counts.")]


PUBLISHERS = "As stated by those who publish the dataset and the transcripts."


@app.callback(invoke_without_command=True)
def targets(
    context: typer.Context,
    dataset: Annotated[Path | None, typer.Option(help="A dataset file, or the folder of a release.")] = None,
    transcripts: Annotated[Path | None, typer.Option(help="A folder of one-route transcripts.")] = None,
    merged: Annotated[Path | None, typer.Option(help="A folder of merged transcripts, a file a system.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder for the board and the score files.")] = None,
    report: Report = None,
    rule: RuleName = "majority",
) -> None:
    """Score every system of a folder of transcripts, and write the board in the published layout."""
    if context.invoked_subcommand is not None:
        return
    if dataset is None:
        raise Fault("Give --dataset FILE with --transcripts DIR or --merged DIR; or see bench targets --help.")
    from bench import votes
    from bench.release import newstts

    asked = votes.rule(rule)
    text_set, transcripts = newstts.opened(dataset, transcripts, merged)
    evidence = newstts.gather(text_set, transcripts=transcripts, merged=merged)
    _make(evidence, asked, out, report, text_set, PUBLISHERS)


@app.command()
def board(
    run: Annotated[Path, typer.Argument(metavar="RUN")],
    channel: Channel = "fb",
    out: Annotated[Path | None, typer.Option(help="The folder for the board and the score files.")] = None,
    report: Report = None,
    rule: RuleName = "majority",
) -> None:
    """The board of a run whose text set has targets."""
    from bench import votes
    from bench.release import run as released
    from bench.run import Run

    opened = Run.open(run)
    asked = votes.rule(rule).fit(len(opened.protocol.recognisers))
    evidence = released.evidence(opened, channel)
    frozen = opened.frozen
    where = f"track=R|channel={channel}|protocol={frozen.protocol.name}@{frozen.sha256[:12]}|"
    _make(evidence, asked, out, report, frozen.text_set, frozen.protocol.conflict_of_interest, where)


@app.command()
def export(
    run: Annotated[Path, typer.Argument(metavar="RUN")],
    system: Annotated[str, typer.Option(help="The system, as the board names it.")],
    out: Annotated[Path, typer.Option(help="The folder of the submission.")],
    organization: Annotated[str, typer.Option(help="Who submits.")],
    channel: Channel = "fb",
) -> None:
    """Write a submission: system card, manifest, 24 kHz mono WAV and transcripts."""
    from bench.release import run as released
    from bench.run import Run

    released.submit(Run.open(run), out, system=system, channel=channel, organization=organization)
    print(out)


def _make(  # type: ignore[no-untyped-def]  # the types are slow to import
    evidence, rule, out: Path | None, report: Path | None, text_set, conflict: str, where: str = ""
) -> None:
    """Decide, write what is asked for, and print the board; a fault in the input comes before anything is written."""
    from bench import targets
    from bench.release import newstts

    scores = targets.ranked(evidence, rule)
    if report is not None:
        from bench import target_views as views  # drawing takes a second to import

        signed = where + views.basis(text_set)
        parts = views.overview(evidence, rule, signature=signed, conflict=conflict)
    if out is not None:
        newstts.write(scores, out)
    if report is not None:
        from bench.report import write

        write(report, f"Targets of {text_set.name}", parts)
    _show(scores, conflict, [path for path in (out, report) if path is not None])


def _show(scores, conflict: str, made: list[Path]) -> None:  # type: ignore[no-untyped-def]  # as above
    from bench import target_tables, terminal

    table = target_tables.board(scores)
    shown = table[
        ["rank", "system", "strict", "lo", "hi", "letters", "coverage", "resolved", "correct", "wrong", "unknown"]
    ]
    percent = ["strict", "lo", "hi", "coverage", "resolved"]
    terminal.show(shown, "Strict accuracy, %, with its 95 % interval by span", percent=percent)
    terminal.say("Systems that share a letter are tied (paired randomisation by span, Holm).")
    if table["grey"].any():
        terminal.say("Fewer than 50 spans: too few to tell systems apart, so no letters are given.")
    if not table["published"].all():
        terminal.say(
            f"Rule {scores[0].rule} with {len(scores[0].routes)} routes: not comparable with the published board."
        )
    terminal.say(f"Conflict of interest: {conflict}")
    for path in made:
        terminal.say(str(path))
