"""How long each system took to speak, as the run's journals have it: percentiles with intervals, distributions."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Latency")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench import timing_views
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    _runs = {found.parent.name: found.parent for found in sorted(Path("runs").glob("*/protocol.toml"))}
    picker = mo.ui.dropdown(_runs, value=next(reversed(_runs), None), label="Run")
    mo.vstack([mo.md("# Latency"), picker if _runs else mo.md("There is no run yet: `bench demo` makes one.")])
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
