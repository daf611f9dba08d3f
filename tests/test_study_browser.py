"""A whole study in a real browser: three listeners, one in a lab and two offline, rate; it is analysed and reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bench import cli
from bench.listening import design as frozen
from bench.listening import make, page, ratings
from bench.listening.design import Design
from tests.test_browser import browser, until  # noqa: F401  (browser is a fixture)
from tests.test_listening_design import planned, spoken  # noqa: F401  (spoken is a fixture)
from tests.test_listening_page import ask, lab

EXTRAS = """
[checks]
headphones = 0
quiet = 1
quiet_right = 1
[[trap]]
clips = [{ say = "Choose poor." }]
answer = 2
"""
BY_EAR = {"quick": 2, "slowpoke": 4}


@pytest.fixture(scope="module")
def folder(spoken: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A study short enough to be heard in earnest: two texts and a trap, two questions."""
    path = tmp_path_factory.mktemp("browser")
    change = {"questions": '["quality", "effort"]', "segments": '["s0", "s1"]', "channels": '["fb"]'}
    study = make.make(planned(spoken, "live", more=EXTRAS, **change))
    make.write(study, path)
    page.write(study.design, study.files, path)
    return path


@pytest.fixture
def visitor(browser: Any) -> Iterator[Any]:  # noqa: F811
    """Opens browsers that share nothing; the test fails afterwards where a page complained."""
    complaints: list[str] = []
    contexts = []

    def come(**options: Any) -> Any:
        contexts.append(browser.new_context(**options))
        tab = contexts[-1].new_page()
        tab.set_default_timeout(15_000)
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        return tab

    yield come
    for context in contexts:
        context.close()
    assert [text for text in complaints if "Failed to load resource" not in text] == []  # of the server that stops


def introduced_by_keys(tab: Any, design: Design) -> None:
    """The same without a mouse: Tab, Space, arrows, letters, digits and Enter."""
    tab.keyboard.press("Enter")
    for keys in (["Space"], ["Space"], ["Space", "ArrowDown"], ["Space", "ArrowDown"], ["d"], ["h"]):
        for key in ("Tab", *keys):
            tab.keyboard.press(key)
    tab.keyboard.press("Tab")
    tab.keyboard.type("Leeds <b>")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    heard(tab, keys=True)
    tab.keyboard.press("Enter")
    for right in page.key(design, "quiet"):
        heard(tab, keys=True)
        tab.keyboard.press("1" if right else "2")
        tab.keyboard.press("Enter")


def introduced(tab: Any, design: Design) -> None:
    """Welcome, about you, volume and checks, as an attentive person does them."""
    tab.get_by_role("button", name="Start").click()
    assert tab.get_by_role("button", name="Next").is_disabled()
    for question, told in (("native", "Yes"), ("hearing", "Yes"), ("7 days", "No"), ("synthesis", "No")):
        tab.get_by_role("group").filter(has_text=question).get_by_label(told, exact=True).check()
    tab.get_by_label(re.compile("How often")).select_option("daily")
    tab.get_by_label(re.compile("listening with")).select_option("headphones")
    tab.get_by_label(re.compile("grow up")).fill("Leeds <b>")
    tab.keyboard.press("Enter")  # in a field of text it does nothing
    tab.get_by_role("button", name="Next").click()
    heard(tab)
    tab.get_by_role("button", name="Next").click()
    for right in page.key(design, "quiet"):
        heard(tab)
        tab.get_by_role("radio", name="Yes" if right else "No", exact=True).check()
        tab.get_by_role("button", name="Next").click()


def heard(tab: Any, *, keys: bool = False) -> None:
    """Play what is on the screen to its end, in order; a busy machine may make a clip falter, and then again."""
    for button in tab.locator(".play").all():
        for _ in range(4):
            if keys:
                tab.keyboard.press(" ")
            else:
                button.click()
            tab.locator(".play[data-state=playing]").wait_for(state="detached")
            if button.get_attribute("data-state") in ("heard", "spent"):
                break
            tab.get_by_role("alert").filter(has_text="faltered").wait_for()
        else:
            pytest.fail("a clip faltered four times")


def trials(design: Design, code: str) -> list[frozen.Trial]:
    return [trial for session in design.places[code].sessions for trial in session.trials]


def rated(tab: Any, design: Design, code: str, *, start: int = 0, stop: int | None = None, keys: bool = False) -> None:
    """Rate trials: by ear where they are tested, as asked where they are traps."""
    for trial in trials(design, code)[start:stop]:
        value = int(trial.expected or BY_EAR[design.clips[trial.clips[0]].condition])
        assert tab.locator("fieldset[disabled]").count() == 1
        heard(tab, keys=keys)
        for question in design.questions:
            tab.locator("legend", has_text=question.prompt).wait_for()
            if keys:
                tab.keyboard.press(str(value))
                tab.keyboard.press("Enter")
            else:
                tab.locator(".option").nth(question.points.index(value)).click()
                tab.get_by_role("button", name="Next").click()


def test_three_listeners_from_the_first_page_to_the_report(folder: Path, visitor: Any, tmp_path: Path) -> None:
    design = frozen.read(folder)
    # The first sits in the lab, whose server is stopped in the middle and comes back.
    tab = visitor()
    with lab(folder) as server:
        port = server.server_address[1]
        tab.goto(f"http://127.0.0.1:{port}/")
        code = tab.url.rsplit("/", 1)[1]
        introduced(tab, design)
        rated(tab, design, code, stop=1)
    rated(tab, design, code, start=1, stop=2)
    tab.get_by_text("cannot be reached").wait_for()
    with lab(folder, port) as server:
        tab.reload()  # nothing is asked again
        rated(tab, design, code, start=2)
        tab.get_by_text("All your answers are stored").wait_for()
        assert ask(server, "GET", "/")[1]["Location"] != f"/{code}"
    # The second has a file and a phone, and the third a keyboard.
    others = [other for other in design.places if other != code][:2]
    for other, phone in zip(others, (True, False), strict=True):
        tab = visitor(viewport={"width": 390, "height": 760}, has_touch=True, is_mobile=True) if phone else visitor()
        tab.goto((folder / "pages" / f"{other}.html").as_uri())
        (introduced if phone else introduced_by_keys)(tab, design)
        if phone:
            assert tab.evaluate("document.documentElement.scrollWidth") == 390
            rated(tab, design, other, stop=1)
            tab.reload()
            rated(tab, design, other, start=1)
        else:
            rated(tab, design, other, keys=True)
        with tab.expect_download() as download:
            tab.get_by_role("button", name="Download my answers").click()
        assert download.value.suggested_filename == f"ratings-{other}.json"
        download.value.save_as(folder / "ratings" / download.value.suggested_filename)

    found = ratings.collect(design, ratings.read([folder / "ratings"]))
    assert found.strays.empty
    assert found.exclusions.empty
    assert len(found.people) == 3
    assert set(found.people["quiet"]) == {"1 of 1"}
    assert set(found.people["locality"]) == {"Leeds <b>"}
    assert set(found.people["device"]) == {"headphones"}
    assert not found.people["recent"].any()
    votes = found.votes
    assert len(votes) == 3 * 3 * 2
    test = votes[votes["kind"] == "test"]
    assert (test["value"] == test["condition"].map(BY_EAR)).all()
    assert (votes["plays"] >= 1).all()
    assert (votes["seconds"] >= 0).all()
    done = CliRunner().invoke(cli.app, ["study", "analyse", str(folder)])
    assert done.exit_code == 0, done.exception
    report = visitor()
    report.goto((folder / "report" / "index.html").as_uri())
    until(report, "[...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn)")
    assert "Leeds <b>" in report.locator("main").inner_text()
    assert report.locator("td", has_text="slowpoke").count() + report.locator("th", has_text="slowpoke").count() > 0


def test_a_clip_that_was_not_heard_to_its_end_opens_no_answer(folder: Path, visitor: Any) -> None:
    design = frozen.read(folder)
    code = list(design.places)[-1]
    tab = visitor()
    tab.goto((folder / "pages" / f"{code}.html").as_uri())
    introduced(tab, design)
    tab.locator(".play").click()
    assert tab.locator("fieldset[disabled]").count() == 1
    tab.reload()  # leaving in the middle of a clip counts for nothing
    assert tab.locator("fieldset[disabled]").count() == 1
    tab.keyboard.press("4")
    tab.keyboard.press("Enter")
    assert tab.locator(".play").get_attribute("data-state") == ""
    assert tab.get_by_role("button", name="Next").is_disabled()
    heard(tab)
    assert tab.locator("fieldset[disabled]").count() == 0


def test_a_clip_that_cannot_be_played_says_so_and_is_no_vote(folder: Path, visitor: Any, tmp_path: Path) -> None:
    design = frozen.read(folder)
    code = list(design.places)[-2]
    text = (folder / "pages" / f"{code}.html").read_text()
    clip = trials(design, code)[1].clips[0]
    broken = tmp_path / "broken.html"
    broken.write_text(re.sub(f'(id="clip-{clip}">)[^<]*', r"\1AAAA", text))
    tab = visitor()
    tab.goto(broken.as_uri())
    introduced(tab, design)
    rated(tab, design, code, stop=1)
    tab.locator(".play").click()
    tab.get_by_role("alert").filter(has_text="cannot be played").wait_for()
    assert tab.locator("fieldset[disabled]").count() == 1
    held = json.loads(
        tab.evaluate("localStorage.getItem(Object.keys(localStorage).find((k) => k.startsWith('earshot')))")
    )
    assert sum(record["kind"] == "vote" for record in held["records"]) == 2


def test_a_page_that_is_opened_twice_goes_on_in_one_tab_alone(folder: Path, visitor: Any) -> None:
    address = (folder / "pages" / f"{list(frozen.read(folder).places)[-1]}.html").as_uri()
    old = visitor()
    old.goto(address)
    old.get_by_role("button", name="Start").click()
    new = old.context.new_page()
    new.goto(address)
    old.get_by_role("heading", name="open in another tab").wait_for()
    assert old.get_by_role("button").count() == 0
    new.get_by_role("heading", name="About you").wait_for()


@pytest.mark.parametrize(
    "broken",
    [
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }})",
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
    ],
)
def test_a_browser_that_keeps_nothing_says_so_and_goes_on(folder: Path, visitor: Any, broken: str) -> None:
    design = frozen.read(folder)
    tab = visitor()
    tab.add_init_script(broken)
    tab.goto((folder / "pages" / f"{list(design.places)[-1]}.html").as_uri())
    assert "does not keep data" in tab.get_by_role("status").inner_text()
    introduced(tab, design)
    tab.get_by_role("heading", name="Play each clip").wait_for()


SLEEPY = """
window.seeks = [];
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function () { // says that it plays, and takes a second to sound
  this.addEventListener("seeking", () => document.querySelector(".play[data-state=playing]") && seeks.push("seeking"));
  this.dispatchEvent(new Event("playing"));
  return new Promise((go) => setTimeout(go, 1000)).then(() => play.call(this));
};
"""


def test_a_device_that_wakes_slowly_is_no_fault_of_the_clip(folder: Path, visitor: Any) -> None:
    design = frozen.read(folder)
    code = list(design.places)[2]
    tab = visitor()
    tab.add_init_script(SLEEPY)
    tab.goto((folder / "pages" / f"{code}.html").as_uri())
    introduced(tab, design)
    (button,) = tab.locator(".play").all()
    for _ in range(2):
        button.click()
        tab.locator(".play[data-state=playing]").wait_for(state="detached")
        assert button.get_attribute("data-state") == "heard"
    assert tab.evaluate("seeks") == []  # Firefox tells of it after the clip began to play
    tab.locator(".option").first.click()
    tab.get_by_role("button", name="Next").click()
    (vote,) = [r for r in tab.evaluate("held.records") if r["kind"] == "vote"]
    assert (vote["plays"], vote["faults"], vote["retries"]) == ([2], [], [])
