"""Listen to a run: choose takes, hear them through every line at the same moment, read what each recogniser wrote."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Audition")

with app.setup:
    import marimo as mo

    from bench import adjudication, audition, results, text_views, views
    from bench.fault import Fault
    from bench.part import Clips
    from bench.picker import choice, heading
    from bench.player import ClipPlayer
    from bench.report import display
    from bench.run import Run


@app.cell
def _():
    picker = choice()
    heading("Audition", picker)
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
    scores = scores[scores["normaliser"] == run.protocol.normalisers[0]]
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
    stratum = mo.ui.dropdown({"all": None, **views.levels(run, scores)}, value="all", label="Stratum", searchable=True)
    segment = mo.ui.text(label="Segment", placeholder="part of an id or of its text")
    mo.hstack([rule, count, recogniser, system, track, stratum, segment], justify="start", wrap=True)
    return count, recogniser, rule, segment, stratum, system, track


@app.cell
def _(count, rule):
    clips = rule.value.format(n=count.value)
    return (clips,)


@app.cell
def _(recogniser, run, scores, segment, stratum, system, track):
    chosen = audition.matching(run, scores[scores["track"] == track.value], segment.value)
    for _column, _control in (("recogniser", recogniser), ("system", system)):
        chosen = chosen if _control.value == "all" else chosen[chosen[_column] == _control.value]
    if stratum.value is not None:
        chosen = chosen[chosen[stratum.value[0]].astype(str) == stratum.value[1]]
    return (chosen,)


@app.cell
def _(chosen, clips, run):
    cases = audition.choose(chosen, clips)
    report = views.hearings(run, chosen, clips)
    return cases, report


@app.cell
def _(cases):
    _ = cases  # a new choice of takes closes what was open
    opened, set_opened = mo.state(None)
    return opened, set_opened


@app.cell
def _(cases, chosen, opened, run):
    mo.stop(opened() is None, mo.md("Open a take to see its readings and to judge what was heard."))
    case = cases[opened()]
    judged = mo.ui.dropdown(list(chosen["recogniser"].unique()), value=chosen["recogniser"].iloc[0], label="Heard by")
    kind = mo.ui.radio(list(adjudication.KINDS), value="unclear", inline=True, label="Verdict")
    text = mo.ui.text_area(label="What was said, in words (the adjudicated transcript)", rows=2, full_width=True)
    note = mo.ui.text(label="Note", full_width=True)
    who = mo.ui.text(label="Your name")
    save = mo.ui.run_button(label="Save the verdict on the channel that is chosen in the player")
    _segment = next(found for found in run.frozen.chosen if found.id == case.segment)
    _head = mo.md(f"## {case.system}, {case.segment}, track {case.track}")
    _form = [mo.hstack([judged, who], justify="start", wrap=True), kind, text, note, save]
    mo.vstack([_head, *map(display, text_views.readings(_segment)), *_form])
    return case, judged, kind, note, save, text, who


@app.cell
def _(case, judged, kind, note, player, run, save, text, who):
    mo.stop(not save.value)
    _channel = player.value["selected"]["channel"]
    _given = (_channel, judged.value, kind.value, text.value, who.value, adjudication.now(), note.value)
    try:
        adjudication.record(run, adjudication.Verdict(case, *_given))
    except Fault as fault:
        said = str(fault)
    else:
        said = f"Kept, for {_channel}. Rows of this run with a verdict: {len(adjudication.verdicts(run))}."
    mo.callout(mo.plain_text(said))
    return


@app.cell
def _(report, scores):
    _takes = next((part.takes for part in report if isinstance(part, Clips)), ())
    player = mo.ui.anywidget(ClipPlayer(_takes, systems=scores["system"].unique()))
    mo.vstack([player] if _takes else [mo.md("No take is left; choose more.")])
    return (player,)


@app.cell
def _(cases, opened, player, set_opened):
    # A switch of the channel alone changes nothing here, so that what is being written stays.
    _at = (player.value.get("selected") or {}).get("take")
    if _at is not None and _at < len(cases) and _at != opened():
        set_opened(_at)
    return


if __name__ == "__main__":
    app.run()
