"""Listen to a run: choose takes, hear them through every line at the same moment, read what each recogniser wrote."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Audition")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench import results, views
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    _runs = {found.parent.name: found.parent for found in sorted(Path("runs").glob("*/protocol.toml"))}
    picker = mo.ui.dropdown(_runs, value=next(reversed(_runs), None), label="Run")
    mo.vstack([mo.md("# Audition"), picker if _runs else mo.md("There is no run yet: `bench demo` makes one.")])
    return (picker,)


@app.cell
def _(picker):
    path = picker.value
    mo.stop(path is None)
    return (path,)


@app.cell
def _(path):
    run = Run.open(path)
    scores = results.scores(run)
    return run, scores


@app.cell
def _(run, scores):
    _rules = {
        "All, in the run's order": "all",
        "Most errors first": "worst:{n}",
        "Recognisers disagree most": "disagree:{n}",
        "Only the line breaks it": "line:{n}",
    }
    rule = mo.ui.dropdown(_rules, value="Most errors first", label="Which")
    count = mo.ui.number(1, 5000, value=50, label="How many")
    recogniser = mo.ui.dropdown(["all", *scores["recogniser"].unique()], value="all", label="Recogniser")
    system = mo.ui.dropdown(["all", *scores["system"].unique()], value="all", label="System")
    track = mo.ui.dropdown(list(run.protocol.tracks), value=run.protocol.tracks[0], label="Track")
    mo.hstack([rule, count, recogniser, system, track], justify="start", wrap=True)
    return count, recogniser, rule, system, track


@app.cell
def _(count, recogniser, rule, run, scores, system, track):
    _rows = scores[(scores["normaliser"] == run.protocol.normalisers[0]) & (scores["track"] == track.value)]
    for _column, _control in (("recogniser", recogniser), ("system", system)):
        _rows = _rows if _control.value == "all" else _rows[_rows[_column] == _control.value]
    report = views.hearings(run, _rows, rule.value.format(n=count.value))
    return (report,)


@app.cell
def _(report, scores):
    mo.vstack(
        [display(_part, systems=scores["system"].unique()) for _part in report]
        or [mo.md("No take is left; choose more.")]
    )
    return


if __name__ == "__main__":
    app.run()
