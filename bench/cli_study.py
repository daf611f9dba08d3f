"""`bench study`: listening studies from a plan to a report.

Conventions: those of `bench.cli`. A study is a directory; each command reads what the one before wrote.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bench.fault import Fault

app = typer.Typer(
    no_args_is_help=True,
    help="Listening studies: design, page, serve, analyse.",
    pretty_exceptions_enable=False,
)

StudyPath = Annotated[Path, typer.Argument(help="A study's directory.", metavar="STUDY")]


@app.command()
def design(
    plan: Annotated[Path, typer.Argument(help="A plan, TOML.", metavar="PLAN")],
    out: Annotated[Path | None, typer.Option(help="The study's directory; studies/NAME by default.")] = None,
) -> None:
    """Freeze a design with its clips and write its pre-registration page."""
    from bench import report, terminal
    from bench.listening import make, register
    from bench.listening import plan as plans

    wanted = plans.read(plan)
    folder = out or Path("studies") / wanted.name
    study = make.make(plan, folder)
    make.write(study, folder)
    frozen = study.design
    page = report.write(
        folder / "preregistration.html",
        frozen.name,
        register.preregistration(frozen),
        subtitle="Pre-registration of a listening study",
    )
    terminal.say(f"Frozen: {folder / 'design.json'}, sha256 {frozen.sha256}")
    terminal.say("It is the key to the blind ids: keep it from listeners until the last rating is in.")
    if wanted.seed is not None:
        terminal.say("The plan states its seed, from which the blind ids follow: keep the plan to yourself too.")
    if (longest := register.lasts(frozen)) > register.IDEAL:
        terminal.say(f"A session lasts {longest:g} minutes; more than {register.IDEAL} tires listeners (ITU-T P.800).")
    if early := register.early(frozen):
        terminal.say(f"Without training the volume is set by {early}, which is tested too: add a [[training]] item.")
    terminal.say(f"Next: bench study page {folder}. To read and publish first: {page}")


@app.command()
def page(path: StudyPath) -> None:
    """Write the listeners' pages, a file each, to hand out or to serve."""
    from bench import terminal
    from bench.listening import make
    from bench.listening import page as pages

    study = make.read(path)
    written = pages.write(study.design, study.files, path)
    terminal.say(f"{len(written)} pages in {path / 'pages'}: one a listener, nobody gets two.")
    terminal.say(
        f"Send each listener one and put what comes back into {path / 'ratings'}, or: bench study serve {path}"
    )


@app.command()
def serve(
    path: StudyPath,
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8808,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets the lab's network in.")
    ] = "127.0.0.1",
    free: Annotated[
        list[str] | None,
        typer.Option(help="A page to give once more, as its listener never began; may be repeated.", metavar="CODE"),
    ] = None,
) -> None:
    """Give each listener a page and keep the ratings; stop it with Ctrl-C at any moment."""
    import socket

    from bench import terminal
    from bench.listening import serve as lab

    with lab.opened(path, host=host, port=port, free=free or ()) as server:
        name = socket.gethostname() if host in ("0.0.0.0", "::") else host
        terminal.say(
            f"http://{name}:{server.server_address[1]}/ gives the next free page. Ctrl-C stops; nothing is lost."
        )
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            terminal.say(f"Stopped. {len(server.lab.ratings.entries)} records are in {path / 'ratings'}.")


@app.command()
def analyse(
    path: StudyPath,
    ratings: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders of ratings; STUDY/ratings.", metavar="[RATINGS]...")
    ] = None,
) -> None:
    """Check, exclude and analyse what came back as declared, and write the report."""
    from bench import journal, report, terminal
    from bench.listening import analysis, publish, register, views
    from bench.listening import design as frozen
    from bench.listening import ratings as returns
    from bench.part import Table, comma

    sources = ratings or [path / "ratings"]
    for source in sources:
        if not source.exists():
            raise Fault(
                "There are no ratings here yet: put the listeners' files into it, or collect them with bench study "
                f"serve {path}.",
                file=source,
            )
    plan = frozen.read(path)
    found = analysis.analyse(plan, returns.collect(plan, returns.read(sources)))
    if found.ratings.votes.empty:
        raise Fault("The returns hold no vote yet.", file=sources[0])
    for name, table in (("votes", publish.anonymous(found)), ("exclusions", found.ratings.exclusions)):
        journal.write(
            path / "report" / f"{name}.csv", comma(Table(table, names={str(c): str(c) for c in table})).encode()
        )
    journal.write(path / "report" / publish.NAME, publish.dump(found))
    written = report.write(
        path / "report" / "index.html", plan.name, views.record(found), subtitle="Record of a listening study"
    )
    for result in found.results:
        if len(views.places(result)):
            terminal.show(views.places(result), f"{result.question.measures}: each locality")
        terminal.show(views.beside(result), f"{result.question.measures} ({views.direction(result.question)})")
        for line in views.verdicts(result):
            terminal.say(line)
    votes = found.ratings.votes
    test = votes[(votes["kind"] == "test") & (votes["panel"] == "blind")]
    out = int((test["excluded"] != "").sum())
    terminal.say(f"{out} of {len(test)} test votes are excluded, each for a declared reason: see exclusions.csv.")
    listed = found.ratings.exclusions[["level", "rule"]].itertuples(index=False, name=None)
    for (level, rule), count in Counter(listed).items():
        terminal.say(f"  {level}, {rule}: {count}")
    if experts := int((found.ratings.people["panel"] == "expert").sum()):
        terminal.say(f"{experts} listeners could recognise a system: they are apart, in the report alone.")
    if len(found.ratings.strays):
        terminal.say(f"{len(found.ratings.strays)} returns are no votes; the report lists them.")
    terminal.say(f"Conflict of interest: {register.interest(plan)}")
    terminal.say(f"Report: {written}, results for other programs: {path / 'report' / publish.NAME}")
