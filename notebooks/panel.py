"""How far a run is, how quick, where its recognisers agree; live, a run is begun, stopped and gone on with here."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Panel")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench import progress_views
    from bench.background import Job
    from bench.picker import choice
    from bench.report import display
    from bench.run import Run, create


@app.cell
def _():
    _found = {found.stem: found for found in sorted(Path("protocols").glob("*.toml"))}
    protocol = mo.ui.dropdown(_found, value=next(iter(_found), None), label="Protocol")
    begin = mo.ui.run_button(label="Begin a run of it")
    mo.vstack([mo.md("# Panel"), mo.hstack([protocol, begin], justify="start")])
    return begin, protocol


@app.cell
def _(begin, protocol):
    _begun = begin.value and protocol.value is not None
    _made = create(protocol.value, Path("runs") / protocol.value.stem).path if _begun else None
    picker = choice(first=_made.name if _made else "")
    picker if picker.options else mo.md("There is no run yet: begin one.")
    return (picker,)


@app.cell
def _(picker):
    path = picker.value
    mo.stop(path is None)
    return (path,)


@app.cell
def _(path):
    run = Run.open(path)
    job = Job(run)
    phase, set_phase = mo.state(job.state)
    workers = mo.ui.number(1, 64, value=1, label="Processes")
    start = mo.ui.run_button(label="Start or go on")
    stop = mo.ui.run_button(label="Stop", kind="danger")
    watch = mo.ui.refresh(options=["1s", "5s", "30s"], default_interval="1s", label="Look every")
    mo.hstack([workers, start, stop, watch], justify="start", wrap=True)
    return job, phase, run, set_phase, start, stop, watch, workers


@app.cell
def _(job, start, workers):
    if start.value:
        job.start(workers.value)
    started = start.value
    return (started,)


@app.cell
def _(job, stop):
    if stop.value:
        job.stop()
    stopped = stop.value
    return (stopped,)


@app.cell
def _(job, phase, set_phase, started, stopped, watch):
    # Looked at again whenever one of these changes.
    _ = started, stopped, watch.value
    if job.state != phase():
        set_phase(job.state)
    mo.Html(progress_views.bar(job))
    return


@app.cell
def _():
    look = mo.ui.run_button(label="Count again")
    look
    return (look,)


@app.cell
def _(look, phase, run):
    _ = look.value, phase()  # counted again when the work begins and ends, and when it is asked for
    report = progress_views.overview(run)
    return (report,)


@app.cell
def _(report, run):
    mo.vstack([display(_part, systems=[_s.name for _s in run.protocol.systems]) for _part in report])
    return


if __name__ == "__main__":
    app.run()
