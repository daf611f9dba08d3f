"""`bench targets`: published leaderboards of target decisions, and runs as such.

Conventions: those of `bench.cli`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bench.fault import Fault

if TYPE_CHECKING:  # slow to import, and bench --help needs none of them
    from bench.segment import TextSet
    from bench.targets import Evidence
    from bench.votes import Rule

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
    _make(
        evidence,
        asked,
        text_set,
        source=merged or transcripts or dataset,
        conflict=PUBLISHERS,
        signature=f"set={text_set.name}@{text_set.sha256[:12]}",
        out=out,
        report=report,
    )


@app.command()
def board(
    run: Annotated[Path, typer.Argument(metavar="RUN")],
    channel: Channel = "fb",
    out: Annotated[Path | None, typer.Option(help="The folder for the board and the score files.")] = None,
    report: Report = None,
    rule: RuleName = "majority",
) -> None:
    """The board of a run whose text set has targets."""
    from bench import caveat, results, votes
    from bench.release import run as released
    from bench.run import Run

    opened = Run.open(run)
    asked = votes.rule(rule).fit(len(released.routes(opened)))
    evidence = released.evidence(opened, channel)
    _make(
        evidence,
        asked,
        opened.frozen.text_set,
        source=run,
        conflict=caveat.conflict(opened),
        signature=released.signature(opened, channel),
        unfinished=caveat.unfinished(results.rows(opened)),
        out=out,
        report=report,
    )


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


@app.command()
def validate(
    submission: Annotated[Path, typer.Argument(metavar="SUBMISSION")],
    dataset: Annotated[Path, typer.Option(help="The dataset file that was spoken.")],
    sums: Annotated[Path | None, typer.Option(help="A list of sha256 and paths in the submission.")] = None,
    subset: Annotated[bool, typer.Option("--subset", help="Allow records without audio.")] = False,
) -> None:
    """Say why the published validator would refuse a submission; status 1 where it would."""
    from bench import formats, terminal
    from bench.formats.submission import problems, read_checksums, verify

    ids = [segment.id for segment in formats.read(dataset).segments]
    found = problems(submission, ids, subset=subset)
    if sums is not None:
        found += verify(read_checksums(sums), submission)
    for sentence in found or [f"{submission}: the published validator would take it."]:
        terminal.say(sentence)
    if found:
        raise typer.Exit(1)


@app.command()
def merge(
    dataset: Annotated[Path, typer.Option(help="The dataset file that was spoken.")],
    transcripts: Annotated[Path, typer.Option(help="A folder of one-route transcripts.")],
    out: Annotated[Path, typer.Option(help="The folder for the merged transcripts, a file a system.")],
) -> None:
    """Merge one-route transcripts as the publishers do: a line a record, a key a recogniser."""
    from bench.release import newstts

    newstts.merge_routes(dataset, transcripts, out)
    print(out)


def _make(
    evidence: Sequence[Evidence],
    rule: Rule,
    text_set: TextSet,
    *,
    source: Path,
    conflict: str,
    signature: str,
    out: Path | None,
    report: Path | None,
    unfinished: str = "",
) -> None:
    """Decide, write what is asked for, print the board; a fault in the input comes before anything is written."""
    from bench import target_tables, targets, terminal
    from bench.release import newstts

    try:
        scores = targets.ranked(evidence, rule)
    except Fault as fault:
        raise Fault(str(fault), file=source) from None
    table = target_tables.board(scores)
    if out is not None:
        newstts.write(scores, out)  # first, since it may refuse the folder
    if report is not None:
        from bench import target_views  # drawing takes a second to import, and a table needs none
        from bench.report import write

        parts = target_views.overview(evidence, rule, signature=signature, conflict=conflict, unfinished=unfinished)
        write(report, f"Targets of {text_set.name}", parts)

    if unfinished:
        terminal.say(unfinished)
    shown = ["rank", "system", "strict", "lo", "hi", "letters", "coverage", "resolved", "correct", "wrong", "unknown"]
    percent = ["strict", "lo", "hi", "coverage", "resolved"]
    terminal.show(table[shown], "Strict accuracy, %, with its 95 % interval by span", percent=percent)
    terminal.say("Systems that share a letter are tied (paired randomisation by span, Holm).")
    if table["grey"].any():
        terminal.say("Fewer than 50 spans: too few to tell systems apart, so no letters are given.")
    if not table["published"].all():
        routes = len(scores[0].routes)
        terminal.say(
            f"Rule {rule} with {routes} route{'' if routes == 1 else 's'}: not comparable with the published board."
        )
    terminal.say(signature)
    terminal.say(f"Conflict of interest: {conflict}")
    for path in (out, report):
        if path is not None:
            terminal.say(str(path))
