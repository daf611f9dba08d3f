"""How long each system took to speak, as the run's journals have it: percentiles with intervals, distributions."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Latency")

with app.setup:
    import marimo as mo

    from bench import timing_views
    from bench.picker import choice, heading
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    picker = choice()
    heading("Latency", picker)
    return (picker,)


@app.cell
def _(picker):
    path = picker.value
    mo.stop(path is None)
    return (path,)


@app.cell
def _(path):
    run = Run.open(path)
    report = timing_views.synthesis(run)
    return report, run


@app.cell
def _(report, run):
    mo.vstack([display(_part, systems=[_s.name for _s in run.protocol.systems]) for _part in report])
    return


if __name__ == "__main__":
    app.run()
