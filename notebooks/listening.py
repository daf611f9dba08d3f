"""A listening study: its design, the page that a listener sees, how many listeners it takes, and what they said."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Listening")

with app.setup:
    from pathlib import Path

    import marimo as mo

    from bench.listening import analysis, make, page, ratings, register, scale, simulate, views
    from bench.picker import choice, heading, runs
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    _studies = [_found.parent for _found in sorted(Path("studies").glob("*/design.json"))]
    _known = {str(_place): _place for _place in [*runs().values(), *_studies]}
    picker = choice(_known, label="Run to draft from, or frozen study")
    heading("Listening", picker)
    return (picker,)


@app.cell
def _(picker):
    path = picker.value
    mo.stop(path is None)
    return (path,)


@app.cell
def _(path):
    frozen = (path / "design.json").is_file()
    run = None if frozen else Run.open(path)
    question = mo.ui.dropdown([_name for _name in scale.names() if _name != "probe"], value="quality", label="Question")
    channel = mo.ui.dropdown(run.channels(), value=run.channels()[0], label="Channel") if run else None
    groups = mo.ui.number(1, 50, value=6, label="Groups of listeners")
    mo.hstack([question, channel, groups], justify="start") if run else mo.md("This design is frozen.")
    return channel, groups, question, run


@app.cell
def _(channel, groups, path, question, run):
    if run is None:
        study = make.read(path)
    else:
        _draft = make.draft(run, questions=[question.value], channel=channel.value, groups=groups.value)
        study = make.build(_draft, path.parent)
    return (study,)


@app.cell
def _(path, study):
    _held = [path / "ratings"] if (path / "ratings").is_dir() else []
    _records = list(ratings.read(_held))
    rehearsed = not _records
    _quality = {_c.name: 3 + 0.4 * _n for _n, _c in enumerate(study.design.conditions)}
    found = analysis.analyse(
        study.design, ratings.collect(study.design, _records or simulate.listen(study.design, _quality))
    )
    return found, rehearsed


@app.cell
def _(found, rehearsed, study):
    _points = study.design.questions[0].answer == "points" and study.design.presentation != "pair"
    _spread = simulate.SPREAD if rehearsed and _points else analysis.pilot(found)
    _size = register.sample_size(study.design, _spread, assumed=rehearsed)
    report = views.record(found, size=_size, simulated=rehearsed)
    return (report,)


@app.cell
def _():
    preview = mo.ui.switch(label="Show the page as a listener sees it")
    preview
    return (preview,)


@app.cell
def _(preview, study):
    mo.stop(not preview.value)
    _played = page.checks(study.design, study.files)
    mo.iframe(page.render(study.design, study.design.listeners[0], study.files, _played), height="720px")
    return


@app.cell
def _(report, study):
    mo.vstack([display(_part, systems=[_c.name for _c in study.design.conditions]) for _part in report])
    return


if __name__ == "__main__":
    app.run()
