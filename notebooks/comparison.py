"""Who is better: rates with intervals, ranks and ties, pairs, strata, what the line costs, one run against another."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Comparison")

with app.setup:
    import marimo as mo

    from bench import conclusion_views, contrast_views, results
    from bench.picker import choice, heading
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    picker = choice()
    later = choice(label="Later run, held against it", first=None)
    heading("Comparison", picker, later)
    return later, picker


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
    _known = dict.fromkeys(name for _segment in run.frozen.chosen for name in _segment.strata)
    _strata = [name for name in _known if name in scores.columns and 1 < scores[name].nunique() <= 60]
    strata = mo.ui.multiselect(_strata, label="Cut by")
    crossed = mo.ui.checkbox(label="as one combination")
    recogniser = mo.ui.dropdown(["all", *scores["recogniser"].unique()], value="all", label="Recogniser")
    wanted = mo.ui.slider(0.5, 10, step=0.5, value=2, label="Plan for a difference of, points", show_value=True)
    power = mo.ui.slider(50, 95, step=5, value=80, label="with a power of, %", show_value=True)
    mo.hstack([strata, crossed, recogniser, wanted, power], justify="start", wrap=True)
    return crossed, power, recogniser, strata, wanted


@app.cell
def _(crossed, later, power, recogniser, run, scores, strata, wanted):
    _normaliser = run.protocol.normalisers[0]
    _signature = results.signature(run, _normaliser)
    _chosen = {
        "signature": _signature,
        "strata": [tuple(strata.value)] if crossed.value and strata.value else [(_name,) for _name in strata.value],
        "recogniser": None if recogniser.value == "all" else recogniser.value,
    }
    _rows = scores[scores["normaliser"] == _normaliser]
    _changed = contrast_views.progress(run, Run.open(later.value), **_chosen) if later.value else []
    _found = conclusion_views.conclusions(run, _rows, wanted=wanted.value / 100, power=power.value / 100, **_chosen)
    report = [*_changed, *_found]
    return (report,)


@app.cell
def _(report, scores):
    mo.vstack([display(_part, systems=scores["system"].unique()) for _part in report])
    return


if __name__ == "__main__":
    app.run()
