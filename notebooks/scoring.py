"""Scores of a run: the answer, rates by system, line and recogniser, every slice, what went wrong."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Scoring")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench import adjudication, results, views
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    _runs = {found.parent.name: found.parent for found in sorted(Path("runs").glob("*/protocol.toml"))}
    picker = mo.ui.dropdown(_runs, value=next(reversed(_runs), None), label="Run")
    mo.vstack([mo.md("# Scoring"), picker if _runs else mo.md("There is no run yet: `bench demo` makes one.")])
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
    normaliser = mo.ui.dropdown(list(run.protocol.normalisers), value=run.protocol.normalisers[0], label="Normaliser")
    normaliser
    return normaliser, run, scores


@app.cell
def _(normaliser, run, scores):
    _rows = scores[scores["normaliser"] == normaliser.value]
    _signature = results.signature(run, normaliser.value)
    report = [
        *views.answer(run, _rows, signature=_signature),
        *views.rates(run, _rows, signature=_signature),
        *views.slices(run, _rows, signature=_signature),
        *views.errors(run, _rows),
        *adjudication.parts(run, _rows, signature=_signature),
        *views.provenance(run, signature=_signature),
    ]
    return (report,)


@app.cell
def _(report, scores):
    mo.vstack([display(_part, systems=scores["system"].unique()) for _part in report])
    return


if __name__ == "__main__":
    app.run()
