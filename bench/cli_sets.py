"""`bench check` and `bench stats`: what is wrong with a text set, and what it is made of.

Conventions: those of `bench.cli`. `check` ends with status 1 where a set has an error, and 0 where it has at most
warnings; a file that is no table ends with 2.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bench.fault import Fault

app = typer.Typer(pretty_exceptions_enable=False)

SetPath = Annotated[Path, typer.Argument(help="A text set: .jsonl, .parquet or .csv.", metavar="SET")]
Columns = Annotated[
    list[str] | None,
    typer.Option("--column", help="field=column, for a table in no published layout; may be repeated.", metavar="F=C"),
]
LanguageTag = Annotated[str, typer.Option(help="The language of such a table, where no column has it.")]


@app.command()
def check(
    path: Annotated[Path | None, typer.Argument(help="A text set: .jsonl, .parquet or .csv.", metavar="SET")] = None,
    column: Columns = None,
    language: LanguageTag = "und",
    own: Annotated[
        bool | None, typer.Option("--own/--foreign", help="Whose rules hold; by default the canary says.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules instead.")] = False,
) -> None:
    """Name every fault of a text set, with its line and id."""
    from bench import check as checks
    from bench import terminal

    if rules:
        terminal.show(checks.table(), "Rules of bench check")
        return
    if path is None:
        raise Fault("Give the text set to check: bench check SET. The rules are listed by bench check --rules.")
    findings = checks.check(path, own=own, mapping=_mapping(column), language=language)
    for finding in findings:
        terminal.say(str(finding))
    errors = sum(finding.severity == "error" for finding in findings)
    terminal.say(f"{path}: errors: {errors}, warnings: {len(findings) - errors}")
    if errors:
        raise typer.Exit(1)


@app.command()
def stats(
    path: SetPath,
    column: Columns = None,
    language: LanguageTag = "und",
    out: Annotated[Path, typer.Option(help="The file that is written.")] = Path("STATS.md"),
) -> None:
    """Show what a text set is made of, and write it as STATS.md."""
    from bench import formats, terminal
    from bench import stats as composition

    text_set = formats.read(path, mapping=_mapping(column), language=language)
    page = composition.markdown(text_set)
    for name, table in composition.tables(text_set).items():
        terminal.show(table, name)
    out.write_text(page, encoding="utf-8")
    terminal.say(str(out))


def _mapping(columns: list[str] | None) -> dict[str, str] | None:
    if not columns:
        return None
    mapping: dict[str, str] = {}
    for column in columns:
        field, sign, name = column.partition("=")
        if not sign or not name:
            raise Fault(f"--column is {column!r}; expected FIELD=COLUMN, such as text=sentence.")
        mapping[field] = name
    return mapping
