"""A study's design: balanced exactly or refused, blind, levelled, frozen."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import protocol, report
from bench.audio import read
from bench.fault import Fault
from bench.level import active_level
from bench.listening import clips, design, make, plan, register, scale
from bench.listening.allocate import allocate, balance, williams
from bench.listening.make import Study
from bench.run import Run
from tests import test_run

ROOT = Path(__file__).parents[1]
RIVAL = """
[[system]]
name = "slowpoke"
adapter = "espeak"
voice = "en-us"
settings = { wpm = 220 }
licence = "none"
conflict_of_interest = "sells it"
"""
TEXTS = ["one two", "three four", "five six", "seven eight", "nine ten"]
PLAN = """
name = "small"
version = "1"
language = "en"
purpose = "a test"
conflict_of_interest = "none"
run = "run"
channels = ["g711u"]
segments = ["s0", "s1", "s2", "s3"]
questions = ["quality", "effort"]
listeners = 6
seed = 11
[[training]]
clips = [{ system = "quick", segment = "s4" }]
[[gold]]
clips = [{ system = "quick", segment = "s4", channel = "g711u+loss=60%" }]
answer = 1
[[trap]]
clips = [{ system = "slowpoke", segment = "s4" }]
answer = 2
"""


@pytest.fixture(scope="session")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in it: two espeaks, one of which takes its time."""
    folder = tmp_path_factory.mktemp("listening")
    source = test_run.make(folder, TEXTS, adapter="espeak", voice="en-us", settings="{ wpm = 300 }", channels='["fb"]')
    texts = folder / "set.jsonl"
    before = hashlib.sha256(texts.read_bytes()).hexdigest()
    texts.write_text(texts.read_text().replace('"id": "s0",', '"id": "s0", "pron_hint": "wan too; wun two",'))
    after = hashlib.sha256(texts.read_bytes()).hexdigest()
    source.write_text(source.read_text().replace('name = "sut"', 'name = "quick"').replace(before, after) + RIVAL)
    test_run.carry_out(source, folder / "run")
    return folder


def planned(folder: Path, name: str = "small", **change: str) -> Path:
    """A plan beside the run, some of its lines changed; `more` is added at its end."""
    text = PLAN.replace('name = "small"', f'name = "{name}"')
    if "questions" in change:
        text = text[: text.index("[[training]]")]
    for key, value in change.items():
        if key != "more":
            lines = [f"{key} = {value}" if line.startswith(f"{key} =") else line for line in text.splitlines()]
            text = "\n".join(lines) + ("\n" if f"{key} =" in text else "")
            text = text if f"\n{key} = " in text else text.replace("\nseed =", f"\n{key} = {value}\nseed =")
    path = folder / f"{name}.toml"
    path.write_text(text + "\n" + change.get("more", ""))
    return path


@pytest.fixture(scope="session")
def study(spoken: Path) -> Study:
    return make.make(planned(spoken))


def test_a_hundred_texts_four_systems_and_twenty_four_listeners_balance_exactly() -> None:
    found = balance(allocate(100, 4, 24, seed=1), 100, 4)
    assert found.pairs == (6, 6)
    assert found.places == (6, 6)
    assert found.share == (25, 25)
    assert found.repeats == 0


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.integers(1, 7), st.integers(1, 3), st.integers(1, 9), st.integers(1, 2), st.integers(0, 2**32 - 1))
def test_every_allocation_that_is_given_balances(cells: int, blocks: int, each: int, groups: int, seed: int) -> None:
    texts, listeners = blocks * each, cells * blocks * groups
    heard = allocate(texts, cells, listeners, each=each, seed=seed)
    found = balance(heard, texts, cells)
    assert found.exact
    assert found.pairs == (groups, groups)
    assert found.share[1] - found.share[0] <= 1
    assert heard == allocate(texts, cells, listeners, each=each, seed=seed)


@pytest.mark.parametrize("cells", range(1, 9))
def test_a_williams_square_has_each_cell_after_each_other_equally_often(cells: int) -> None:
    rows = williams(cells)
    assert all(sorted(row) == list(range(cells)) for row in rows)
    assert all(sorted(column) == list(range(cells)) for column in zip(*rows[:cells], strict=True))
    follows = Counter(pair for row in rows for pair in pairwise(row))
    assert len(follows) == cells * (cells - 1)
    assert len(set(follows.values())) <= 1


def test_what_cannot_balance_is_refused_with_numbers_that_do() -> None:
    with pytest.raises(Fault, match="take 24 or 28"):
        allocate(100, 4, 25)
    with pytest.raises(Fault, match="may hear 25 or 50"):
        allocate(100, 4, 24, each=30)


@pytest.mark.parametrize("language", scale.LANGUAGES)
@pytest.mark.parametrize("key", scale.names())
def test_every_scale_is_whole_in_every_language(key: str, language: str) -> None:
    question = scale.question(key, language, variety="X")
    if question.answer == "points":
        assert len(question.labels) == len(question.points)
    assert question.direction
    assert question.source
    assert "{" not in question.prompt
    assert scale.words(language).keys() == scale.words("en").keys()


def test_the_english_labels_are_those_of_the_recommendation() -> None:
    assert scale.question("quality", "en").labels == ("Excellent", "Good", "Fair", "Poor", "Bad")
    assert dict(zip(*(getattr(scale.question("dcr", "en"), n) for n in ("points", "labels")), strict=True))[4] == (
        "Degradation is audible but not annoying"
    )
    effort = scale.question("effort", "en")
    assert effort.labels[0] == "Complete relaxation possible; no effort required"
    assert effort.labels[-1] == "No meaning understood with any feasible effort"
    assert scale.question("ccr", "en").points == (3, 2, 1, 0, -1, -2, -3)


def test_a_question_about_a_variety_names_it() -> None:
    with pytest.raises(Fault, match="variety"):
        scale.question("adherence", "de")
    assert "Graz" in scale.question("adherence", "de-AT", variety="Graz").prompt


def test_each_text_is_heard_once_a_listener_and_equally_often_by_each_system(study: Study) -> None:
    votes: Counter[tuple[str, str]] = Counter()
    for listener in study.design.listeners:
        trials = [trial for session in listener.sessions for trial in session.trials]
        tested = [trial for trial in trials if trial.kind == "test"]
        assert sorted(trial.segment for trial in tested) == ["s0", "s1", "s2", "s3"]
        assert Counter(trial.kind for trial in trials) == {"training": 1, "test": 4, "gold": 1, "trap": 1}
        assert trials[0].kind == "training"
        assert trials[1].kind == "test"
        votes.update((study.design.clips[trial.clips[0]].condition, trial.segment) for trial in tested)
    assert set(votes.values()) == {3}
    assert len(votes) == 8


def test_clips_of_a_text_are_equally_long_equally_big_and_at_the_level(study: Study) -> None:
    by_text: dict[str, list[bytes]] = {}
    for name, content in study.files.items():
        stimulus = study.design.clips[name]
        by_text.setdefault(stimulus.segment, []).append(content)
        sound = read(content)
        assert sound.seconds == pytest.approx(stimulus.seconds, abs=1e-3)
        assert active_level(sound) == pytest.approx(-26, abs=0.05)
    assert {len(group) for group in by_text.values()} == {2, 3}
    for group in by_text.values():
        assert len({len(content) for content in group}) == 1
        assert len({len(read(content).samples) for content in group}) == 1


def test_a_file_holds_its_samples_and_nothing_else(study: Study) -> None:
    for content in study.files.values():
        blocks, at, last = [], 4, False
        while not last:
            last, kind = bool(content[at] & 128), content[at] & 127
            size = int.from_bytes(content[at + 1 : at + 4], "big")
            blocks.append(kind)
            assert kind == 0 or not any(content[at + 4 : at + 4 + size])
            at += 4 + size
        assert blocks == [0, 1]
        assert soundfile.info(io.BytesIO(content)).format == "FLAC"


def test_the_padding_changes_no_sample() -> None:
    tone = clips.clip(np.sin(np.arange(4000) / 9) * 0.3, 16_000)
    noise = clips.clip(np.random.default_rng(0).normal(0, 0.1, 3000), 16_000)
    files = clips.equal({"a": tone, "b": noise}, {"a": "t", "b": "t"}, -30)
    for name, sound in (("a", tone), ("b", noise)):
        wanted = clips.levelled(sound, 4000 + clips.TAIL, -30, "t")
        assert np.abs(read(files[name]).samples - wanted.samples).max() <= 1 / 32768
        assert not read(files[name]).samples[len(sound.samples) :].any()


def test_the_anchor_has_nothing_above_its_cutoff_and_is_not_late() -> None:
    noise = clips.clip(np.random.default_rng(0).normal(0, 0.1, 16_000), 16_000)
    low = clips.anchor(noise, 3500)
    power = np.square(np.abs(np.fft.rfft(low.samples)))
    assert power[3700:].sum() < 1e-4 * power.sum()
    with pytest.raises(Fault, match="lower anchor_hz"):
        clips.anchor(low, 5000)
    lag = np.argmax(np.correlate(low.samples, noise.samples, "full")) - (len(noise.samples) - 1)
    assert lag == 0


def test_the_tones_are_right_where_they_say(tmp_path: Path) -> None:
    samples, rate = soundfile.read(io.BytesIO(clips.tones(right=1, opposite=2)))
    tones = samples.reshape(3, rate, 2)[:, : rate * 7 // 10]
    powers = np.square(tones[..., 0]).mean(axis=1)
    assert 10 * np.log10(powers[0] / powers[1]) == pytest.approx(6.02, abs=0.05)
    assert [
        bool(np.allclose(tone[:, 0], sign * tone[:, 1], atol=1e-4))
        for tone, sign in zip(tones, (1, 1, -1), strict=True)
    ] == [True] * 3


def test_a_frozen_design_reads_back_and_tells_a_change(study: Study, tmp_path: Path) -> None:
    make.write(study, tmp_path)
    assert design.read(tmp_path) == study.design
    assert design.read(tmp_path).sha256 == study.design.sha256
    make.write(study, tmp_path)
    held = json.loads((tmp_path / "design.json").read_text())
    held["exclusions"]["trap"] = False
    (tmp_path / "design.json").write_text(json.dumps(held))
    with pytest.raises(Fault, match="changed after it was frozen"):
        design.read(tmp_path)


def test_another_plan_does_not_overwrite_a_frozen_design(study: Study, spoken: Path, tmp_path: Path) -> None:
    make.write(study, tmp_path)
    with pytest.raises(Fault, match="Another design is frozen here"):
        make.write(make.make(planned(spoken, seed="12")), tmp_path)


def test_the_same_plan_gives_the_same_bytes(study: Study, spoken: Path) -> None:
    again = make.make(planned(spoken))
    assert again.design.model_dump_json() == study.design.model_dump_json()
    assert again.files == study.files


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"questions": '["quality", "ccr"]'}, "split these into two studies"),
        ({"questions": '["mushra"]'}, "needs the key reference"),
        ({"questions": '["charm"]'}, "The scale 'charm' is unknown"),
        ({"listeners": "5"}, "take 4 or 6"),
        ({"level": "-10"}, "exceeds full scale"),
        ({"segments": '["s0", "s4"]'}, "nobody is to hear a text twice"),
        ({"segments": '["s0", "s9"]'}, "'s9' is not in the run"),
        ({"systems": '["quick", "ghost"]'}, "'ghost' is not in the run"),
        ({"more": "[[trap]]\nclips = [{ system = 'quick', segment = 's4' }]"}, "has no answer"),
        ({"more": "[[trap]]\nclips = [{ file = 'none.wav' }]\nanswer = 1"}, "There is no such clip"),
        ({"session_minutes": "1.2"}, "However the study is cut, a session takes 3 minutes"),
        ({"session_minutes": "46"}, "less than or equal to 45"),
        ({"questions": '["probe"]'}, r"segments with a pron_hint are s0 \(wan too; wun two\)"),
        ({"questions": '["probe"]', "more": "[[probe]]\nsegment = 's0'\noptions = ['a', 'b']"}, "has no `right`"),
        ({"more": "[[probe]]\nsegment = 's0'\noptions = ['a', 'b']\nright = 'c'"}, "none of the options"),
        ({"more": '[model]\ntest = "by eye"'}, "alpha alone can be chosen"),
        ({"surprise": "1"}, "surprise"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_words(spoken: Path, change: dict[str, str], said: str) -> None:
    with pytest.raises(Fault, match=said):
        make.make(planned(spoken, "wrong", **change))


def test_pairs_come_in_both_orders_with_null_pairs(spoken: Path) -> None:
    pairs = make.make(planned(spoken, "pairs", questions='["ccr"]', listeners="4"))
    made = pairs.design
    heard: Counter[tuple[str, ...]] = Counter()
    for trial in (t for listener in made.listeners for s in listener.sessions for t in s.trials):
        names = tuple(made.clips[clip].condition for clip in trial.clips)
        assert len({pairs.files[clip] for clip in trial.clips}) == 2
        assert trial.kind == ("control" if len(set(names)) == 1 else "test")
        heard[names] += 1
    assert heard == dict.fromkeys([(a, b) for a in ("quick", "slowpoke") for b in ("quick", "slowpoke")], 4)


def test_a_probe_takes_the_right_reading_from_the_text_set(spoken: Path) -> None:
    more = "[[probe]]\nsegment = 's0'\noptions = ['wun too', 'wan too', 'one two']\n"
    made = make.make(planned(spoken, "probes", questions='["probe"]', more=more)).design
    asked = [t for listener in made.listeners for s in listener.sessions for t in s.trials]
    assert {trial.right for trial in asked} == {"wan too"}
    assert len({trial.options for trial in asked}) > 1  # in another order for each listener
    with pytest.raises(Fault, match="does not name exactly one"):
        make.make(planned(spoken, "probes", questions='["probe"]', more=more.replace("wun too", "wun two")))


def test_a_panel_has_an_open_reference_a_hidden_one_and_an_anchor(spoken: Path) -> None:
    made = make.make(
        planned(spoken, "panel", questions='["mushra"]', listeners="2", reference='"slowpoke"', channels='["fb"]')
    ).design
    orders = set()
    for trial in (t for listener in made.listeners for s in listener.sessions for t in s.trials):
        names = [made.clips[clip].condition for clip in trial.clips]
        assert names[0] == "slowpoke"
        assert sorted(names[1:]) == ["anchor", "quick", "slowpoke"]
        assert len(set(trial.clips)) == 4
        orders.add(tuple(names[1:]))
    assert len(orders) > 1


def test_the_pre_registration_says_what_is_fixed_and_claims_no_conformity(study: Study) -> None:
    page = report.render("Study", register.preregistration(study.design))
    for said in (
        "each text is heard in each of 2 arrangement",
        "exactly 3 times",
        "Complete relaxation possible",
        "at least 3 votes and each condition 12",
        "not reached",
        "Holm",
        study.design.sha256,
        "sells it",
        "designed after",
    ):
        assert said in page
    assert "conforms" not in page


def test_a_study_without_training_says_what_is_heard_too_early(study: Study, spoken: Path) -> None:
    assert register.early(study.design) == ""
    bare = make.make(planned(spoken, "bare", questions='["effort"]')).design
    assert register.early(bare) in {text.id for text in bare.texts}
    assert "heard before it is rated" in report.render("Study", register.preregistration(bare))


def test_a_plan_reads_as_it_is_written(spoken: Path) -> None:
    read_ = plan.read(planned(spoken))
    assert read_.trap[0].answer == 2
    assert read_.exclusions.gold_within == 1
    assert Run.open(spoken / read_.run).name == "run"


def test_the_ready_plan_is_of_the_demo_run() -> None:
    ready = plan.read(ROOT / "protocols" / "studies" / "demo-en.toml")
    demo = protocol.read(ROOT / "protocols" / "demo-en.toml")
    used = {*ready.segments, *(c.segment for kind in (ready.training, ready.gold) for item in kind for c in item.clips)}
    assert used <= {segment.id for segment in demo.chosen}
    assert set(ready.channels) <= set(demo.protocol.channels)
    assert ready.run.name == demo.protocol.name
