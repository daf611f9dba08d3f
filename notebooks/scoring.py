"""Scores of a run: the answer, rates by system, line and recogniser, every slice, what went wrong."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Scoring")

with app.setup:
    import marimo as mo

    from bench import adjudication, basis, conclusion, results, slicing, target_views, views
    from bench.picker import choice, heading
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    picker = choice()
    heading("Scoring", picker)
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
    rows = scores[scores["normaliser"] == normaliser.value]
    signature = results.signature(run, normaliser.value)
    report = [
        *views.answer(run, rows, signature=signature),
        *views.rates(run, rows, signature=signature),
        *views.slices(run, rows, signature=signature),
        *views.errors(run, rows, signature=signature),
        *target_views.of_run(run),
        *adjudication.parts(run, rows, signature=signature),
        *basis.provenance(run, signature=signature),
    ]
    return report, rows, signature


@app.cell
def _(report, scores):
    mo.vstack([display(_part, systems=scores["system"].unique()) for _part in report])
    return


@app.cell
def _(rows, run):
    _columns = ["track", "channel", "recogniser", *views.strata_of(run, rows)]
    _values = {_name: slicing.values(rows, _name) for _name in _columns}
    where = mo.ui.dictionary({_name: mo.ui.multiselect(_values[_name], label=_name) for _name in _columns})
    mo.vstack([mo.md("## A slice"), mo.hstack(list(where.elements.values()), justify="start", wrap=True)])
    return (where,)


@app.cell
def _(rows, signature, where):
    _named = conclusion.named(rows)
    mo.vstack([display(_part) for _part in slicing.parts(_named, where.value, signature=signature)])
    return


if __name__ == "__main__":
    app.run()
