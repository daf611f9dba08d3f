"""What is in a text set: its make-up, its phenomena, its readings, its faults, its near duplicates, its licences."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Explore")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench import text_views
    from bench.picker import choice, heading, runs
    from bench.report import display


@app.cell
def _():
    _sets = {f"data: {found.stem}": found for found in sorted(Path("data").glob("*.jsonl"))}
    picker = choice({**_sets, **{f"run: {_name}": _run for _name, _run in runs().items()}}, label="Text set")
    heading("Explore", picker, none="There is no text set in data/ and no run in runs/.")
    return (picker,)


@app.cell
def _(picker):
    path = picker.value
    mo.stop(path is None)
    return (path,)


@app.cell
def _(path):
    held = text_views.source(path)
    report = text_views.contents(held)
    return held, report


@app.cell
def _(held):
    _segments = {segment.id: segment for segment in held.text_set.segments}
    segment = mo.ui.dropdown(_segments, value=next(iter(_segments), None), label="Readings of", searchable=True)
    segment
    return (segment,)


@app.cell
def _(segment):
    mo.stop(segment.value is None)
    mo.vstack([display(_part) for _part in text_views.readings(segment.value)])
    return


@app.cell
def _(report):
    mo.vstack([display(_part) for _part in report])
    return


if __name__ == "__main__":
    app.run()
