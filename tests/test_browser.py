"""A report as a person meets it: opened from the disk in a browser that reaches no network, read, sorted, heard."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pytest

from bench import charts, target_views
from bench.audio import clip, encode
from bench.inference import interval
from bench.player import Take, align
from bench.release import newstts
from bench.report import Chart, Clips, Figure, Folded, KeyFigures, Prose, Rows, Table, comma, write
from tests.test_report import HOSTILE, everything, rates, tone

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright's Python client (the extra `test`)")

FRAME = pd.DataFrame(
    {
        "system": ["beta", "alpha", "gamma", *"cdefghijk"],
        "text": ["=1+1", "ten, 9", "a", *9 * ["x"]],
        "wer": [0.09, 0.1, np.nan, *np.arange(9) / 10 + 0.2],
    }
)
CHANNELS = ("fb", "nb8k", "g711u")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("needs Chromium on the path (Debian: apt-get install chromium)")
    flags = [
        "--no-sandbox",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--autoplay-policy=no-user-gesture-required",
    ]
    with playwright.sync_playwright() as session:
        running = session.chromium.launch(executable_path=chromium, args=flags)
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Opens a file; the test fails afterwards where the page complained or asked the network for anything."""
    complaints: list[str] = []
    pages = []

    def go(path: Path, **options: Any) -> Any:
        page = browser.new_page(**options)
        pages.append(page)
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url) if request.url[:5] not in KNOWN else None)
        page.goto(path.as_uri())
        return page

    yield go
    for page in pages:
        page.close()
    assert complaints == []


KNOWN = ("file:", "data:", "blob:")


def takes() -> tuple[Take, ...]:
    said = {channel: {"one": f"press {n}", "two": ""} for n, channel in enumerate(CHANNELS)}
    marked = {channel: {"one": align("press five", text["one"])} for channel, text in said.items()}
    long = [{c: tone(200 + 100 * n + 37 * s, 3.0) for n, c in enumerate(CHANNELS)} for s in range(2)]
    pairs = zip(("alpha", "beta"), long, strict=True)
    return (
        *(Take("s1", system, "press five", sound, said, marked) for system, sound in pairs),
        Take("s2", "beta", "hold the line", {"fb": tone(500, 0.4)}),
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    line = alt.Chart(pd.DataFrame({"x": [1, 2], "y": [1, 2]})).mark_line().encode(x="x", y="y")
    parts = [
        Prose("# Answer\n\nText."),
        KeyFigures((Figure("alpha", "5%", system="alpha", signature="wer|x"),)),
        Table(FRAME, "Rates", {"wer": ".1%"}, signatures={"wer": "wer|x"}),
        Prose("# Charts"),
        Chart(charts.error_rates(rates()), "Rates"),
        Chart(line),
        Clips(takes(), "Clips"),
    ]
    return write(tmp_path_factory.mktemp("page") / "index.html", "Title", parts)


def until(page: Any, expression: str, seconds: float = 8) -> None:
    """Waits for a condition. Playwright's own wait uses eval, which the page's policy rightly forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never became true: {expression}"
        page.wait_for_timeout(20)


def drawn(page: Any) -> None:
    until(page, "[...document.querySelectorAll('.chart')].every((chart) => chart.dataset.drawn)")


def now(page: Any) -> float:
    return float(page.locator(".wave").get_attribute("aria-valuenow"))


def column(page: Any, n: int) -> list[str]:
    return page.locator(f"table tbody tr:visible > :nth-child({n})").all_inner_texts()


@pytest.mark.parametrize(("width", "scheme"), [(1180, "light"), (1180, "dark"), (390, "light")])
def test_every_chart_is_drawn_and_nothing_is_wider_than_the_page(
    report: Path, visit: Any, width: int, scheme: Any
) -> None:
    page = visit(report, viewport={"width": width, "height": 900}, color_scheme=scheme)
    drawn(page)
    marks = page.locator(".chart").evaluate_all("all => all.map(c => c.querySelectorAll('.role-mark path').length)")
    assert marks[0] >= 8  # a point for each system x channel x recogniser
    assert marks[1] == 1
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".alarm").count() == 0


def test_a_table_sorts_by_number_and_what_is_missing_stands_last(report: Path, visit: Any) -> None:
    page = visit(report)
    button = page.get_by_role("button", name="wer")
    button.click()
    assert [*column(page, 3)[:3], column(page, 3)[-1]] == ["9.0%", "10.0%", "20.0%", "–"]
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    button.press("Enter")
    assert column(page, 3)[-3:] == ["10.0%", "9.0%", "–"]
    page.get_by_role("button", name="system").click()
    assert column(page, 1) == sorted(FRAME["system"])


def test_a_table_filters_and_downloads_what_is_shown_as_the_library_writes_it(report: Path, visit: Any) -> None:
    page = visit(report)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert download.value.suggested_filename == "rates.csv"
    assert Path(download.value.path()).read_bytes().decode("utf-8-sig") == comma(Table(FRAME))
    page.get_by_label("Filter the rows").fill("alpha")
    assert column(page, 1) == ["alpha"]
    assert "1 of 12 rows" in page.locator(".table .count").inner_text()


def test_a_clip_plays_and_a_switch_of_channel_stays_at_the_same_moment(report: Path, visit: Any) -> None:
    page = visit(report)
    page.locator(".take").first.click()
    until(page, "document.querySelector('.player').dataset.state === 'playing'")
    until(page, "Number(document.querySelector('.wave').getAttribute('aria-valuenow')) > 0.3")
    before = now(page)
    page.keyboard.press("3")
    until(page, "document.querySelector('.switch [aria-pressed=true]').textContent.endsWith('g711u')")
    after = now(page)
    until(page, f"Number(document.querySelector('.wave').getAttribute('aria-valuenow')) > {after + 0.2}")
    assert before <= after < before + 1.5
    assert page.locator(".heard ruby bdi").all_inner_texts() == ["2", "five"]
    page.locator(".switch button").nth(1).click()
    until(page, "document.querySelector('.switch [aria-pressed=true]').textContent.endsWith('nb8k')")
    assert page.evaluate("document.activeElement.textContent") == "2nb8k"  # and the keys go on working
    page.keyboard.press(" ")
    held = now(page)
    page.wait_for_timeout(150)
    assert now(page) == held
    page.keyboard.press("1")  # while it is still, too
    until(page, "document.querySelector('.switch [aria-pressed=true]').textContent.endsWith('fb')")
    assert now(page) == held
    assert page.locator(".alarm").inner_text() == ""


def test_a_switch_of_system_keeps_the_moment_and_the_channel(report: Path, visit: Any) -> None:
    page = visit(report)
    page.locator(".take").first.click()
    until(page, "document.querySelector('.player').dataset.state === 'playing'")
    page.keyboard.press("2")
    until(page, "document.querySelector('.switch [aria-pressed=true]').textContent.endsWith('nb8k')")
    page.keyboard.press(" ")
    held = now(page)
    page.keyboard.press("s")
    until(page, "document.querySelectorAll('.take')[1].getAttribute('aria-expanded') === 'true'")
    assert now(page) == pytest.approx(held, abs=0.002)
    assert page.locator(".switch [aria-pressed=true]").all_inner_texts() == ["2nb8k", "beta"]


def test_a_clip_ends_at_its_start_and_a_loop_stays_inside_itself(report: Path, visit: Any) -> None:
    page = visit(report)
    page.locator(".take").nth(2).click()
    until(page, "document.querySelector('.player').dataset.state === 'still'")
    assert now(page) == 0
    page.locator(".take").first.click()
    until(page, "document.querySelector('.player').dataset.state === 'playing'")
    box = page.locator(".wave").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20, steps=4)
    page.mouse.up()
    for _ in range(12):
        page.wait_for_timeout(90)
        assert 0.98 <= now(page) <= 1.52


def test_no_level_is_touched_unless_the_switch_says_so(tmp_path: Path, visit: Any) -> None:
    wave = np.sin(np.arange(16_000) * 0.2).astype(np.float32)
    sounds = {"loud": encode(clip(wave * 0.5, 16_000)), "quiet": encode(clip(wave * 0.05, 16_000))}
    page = visit(write(tmp_path / "a.html", "t", [Clips((Take("a", "x", "y", sounds),))]))
    page.locator(".take").click()
    level = page.locator(".level")
    until(page, "document.querySelector('.level').textContent.startsWith('-9.0')")
    assert level.inner_text() == "-9.0 dB RMS"
    page.get_by_label("Equal loudness").check()
    until(page, "document.querySelector('.level').textContent.endsWith('-29.0')")


def test_a_spectrogram_has_its_energy_where_the_tone_is(tmp_path: Path, visit: Any) -> None:
    page = visit(write(tmp_path / "a.html", "t", [Clips((Take("a", "x", "y", {"fb": tone(2000, 1.0)}),))]))
    page.locator(".take").click()
    page.get_by_role("button", name="Spectrogram").click()
    rows = page.locator(".wave canvas").evaluate(
        "c => { const d = c.getContext('2d').getImageData(c.width / 2, 0, 1, c.height).data;"
        " return [c.height, [...d].filter((_, i) => i % 4 === 3)]; }"
    )
    height, alpha = rows
    assert alpha.index(max(alpha)) == pytest.approx(0.75 * height, abs=3)  # 2 of 8 kHz, from below
    assert max(alpha) > 200
    assert min(alpha) < 20


def test_a_blind_comparison_hides_what_would_tell_and_gives_its_p_value(report: Path, visit: Any) -> None:
    page = visit(report)
    page.evaluate("Math.random = () => 0.9")  # X is always B
    page.locator(".take").first.click()
    until(page, "document.querySelector('.player').dataset.state === 'playing'")
    page.get_by_role("button", name="Blind ABX").click()
    for hidden in (".heard", ".level", ".wave canvas", ".deck > .switch >> nth=0"):
        assert not page.locator(hidden).is_visible()
    page.get_by_label("B", exact=True).select_option("nb8k")
    for name in ("X is B", "X is B", "X is A", "X is B"):
        page.get_by_role("button", name=name).click()
    assert page.locator(".abx [role=status]").inner_text() == "3 of 4 right, p = 0.313"  # 5 / 16
    page.keyboard.press("a")
    until(page, "document.querySelector('.abx [aria-pressed=true]').textContent === 'aA'")
    page.get_by_role("button", name="Blind ABX").click()
    assert page.locator(".heard").is_visible()


def test_clips_are_found_by_their_words_and_ordered_by_their_errors(report: Path, visit: Any) -> None:
    page = visit(report)
    page.get_by_label("Find clips").fill("hold line")
    assert page.locator(".take:visible").count() == 1
    page.get_by_label("Find clips").fill("")
    page.get_by_label("System", exact=True).select_option("beta")
    page.get_by_label("Order").select_option("worst")
    assert page.locator(".take .errors").all_inner_texts() == ["3 errors", ""]


def test_a_broken_clip_says_so_and_the_page_lives_on(tmp_path: Path, visit: Any) -> None:
    bad = Take("bad", "alpha", "x", {"fb": b"no sound"})
    none = Take("none", "alpha", "x", {}, {"fb": {"one": "(audio failed)"}})
    page = visit(write(tmp_path / "a.html", "t", [Clips((bad, takes()[0], none))]))
    page.locator(".take").nth(2).click()
    page.get_by_role("alert").filter(has_text="There is no sound").wait_for()
    assert "(audio failed)" in page.locator(".heard").inner_text()
    page.locator(".take").first.click()
    page.get_by_role("alert").filter(has_text="This clip cannot be played").wait_for()
    page.locator(".take").nth(1).click()
    until(page, "Number(document.querySelector('.wave').getAttribute('aria-valuenow')) > 0.1")
    assert page.locator(".alarm").inner_text() == ""


def test_hostile_text_shows_as_text_and_runs_nothing(tmp_path: Path, visit: Any) -> None:
    parts = [part for text in HOSTILE for part in everything(text)]
    page = visit(write(tmp_path / "a.html", HOSTILE[0], parts, subtitle=HOSTILE[5]))
    drawn(page)
    on_paper = [text.replace("\0", "\ufffd") for text in HOSTILE]  # HTML has no NUL
    for place in ("tbody tr:first-child th bdi", ".figures .value bdi", "figcaption > bdi", ".conflict p + p b bdi"):
        assert page.locator(place).evaluate_all("all => all.map(one => one.textContent)") == on_paper
    assert page.locator(".take .reference").evaluate_all("all => all.map(one => one.textContent)") == HOSTILE
    for take in page.locator(".take").all():
        take.click()
    until(page, f"document.querySelectorAll('.deck').length === {len(HOSTILE)}")
    assert page.evaluate("window.hit") is None
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def counts(segments: int, systems: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    segment, system = np.divmod(np.arange(segments * systems), systems)
    words = rng.integers(3, 20, segments)[segment]
    difficulty = rng.beta(0.6, 4, segments)[segment]
    return pd.DataFrame(
        {
            "segment": [f"s{n}" for n in segment],
            "system": np.array(["alpha", "beta", "gamma"])[system],
            "group": np.array(["dates", "=names", "plain"])[segment % 3],
            "errors": rng.binomial(words, difficulty * (1 + system) / 4),
            "words": words,
            "text": [f"line {n}, <b>" for n in segment],
        }
    )


def sliced(page: Any) -> dict[str, list[float]]:
    """system -> rate, from, to, at the precision of the page's data."""
    rows = page.locator(".slices tbody tr").evaluate_all(
        "all => all.map(r => [r.cells[0].textContent, ...[1, 2, 3].map(i => Number(r.cells[i].dataset.value))])"
    )
    return {name: numbers for name, *numbers in rows}


def test_a_stratum_picker_counts_again_with_the_intervals_of_a_bootstrap(tmp_path: Path, visit: Any) -> None:
    frame = counts(400)
    part = Rows(frame, "Slices", by=("system",), strata=("group",), texts=("text",))
    page = visit(write(tmp_path / "a.html", "t", [part]))
    until(page, "document.querySelectorAll('.slices tbody tr').length === 3")
    whole = sliced(page)
    page.get_by_label("group").select_option("dates")
    cut = sliced(page)
    for found, chosen in ((whole, frame), (cut, frame[frame["group"] == "dates"])):
        for system, rows in chosen.groupby("system"):
            e, w = rows["errors"].to_numpy(), rows["words"].to_numpy()
            draws = np.random.default_rng(1).multinomial(len(e), np.full(len(e), 1 / len(e)), 10_000)
            lo, hi = np.quantile(draws @ e / (draws @ w), [0.025, 0.975])
            assert found[system][0] == pytest.approx(e.sum() / w.sum(), abs=1e-12)
            assert found[system][1:] == pytest.approx([lo, hi], abs=0.12 * (hi - lo))
    assert cut["alpha"] != whole["alpha"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Download these rows").click()
    lines = Path(download.value.path()).read_bytes().decode("utf-8-sig").splitlines()
    assert lines[0] == "segment,system,group,errors,words,text"
    assert len(lines) == 1 + (frame["group"] == "dates").sum()
    page.get_by_label("group").select_option("=names")
    page.get_by_text("The rows with the most errors").click()
    until(page, "document.querySelectorAll('.slices details tbody tr').length > 50")
    assert page.locator(".slices details td.text, .slices details td.short").last.inner_text().endswith("<b>")


@pytest.mark.parametrize("segments", [20, 60, 150])
def test_a_small_slice_has_an_interval_that_does_not_flatter(tmp_path: Path, visit: Any, segments: int) -> None:
    frame = counts(segments)
    frame.loc[frame["system"] == "alpha", "errors"] = 0
    page = visit(write(tmp_path / "a.html", "t", [Rows(frame, "Slices", by=("system",), texts=("text",))]))
    until(page, "document.querySelectorAll('.slices tbody tr').length === 3")
    for system, found in sliced(page).items():
        rows = frame[frame["system"] == system]
        e, w = rows["errors"].to_numpy(float), rows["words"].to_numpy(float)
        draws = np.random.default_rng(1).multinomial(segments, np.full(segments, 1 / segments), 10_000)
        wanted = interval.rate_interval(e, w, draws @ e / (draws @ w))
        near = 1e-9 if wanted.method == "Wilson" else 0.15 * (wanted.hi - wanted.lo)
        assert found[1:] == pytest.approx([wanted.lo, wanted.hi], abs=near)
        assert found[2] > 0.01  # none without an error is called free of them


def test_fewer_than_twenty_units_have_a_rate_and_no_interval(tmp_path: Path, visit: Any) -> None:
    frame = counts(19)
    page = visit(write(tmp_path / "a.html", "t", [Rows(frame, "Slices", by=("system",), texts=("text",))]))
    until(page, "document.querySelectorAll('.slices tbody tr').length === 3")
    for row in page.locator(".slices tbody tr").all():
        rate, lo, hi = row.locator("td.number").all_inner_texts()[:3]
        assert rate.endswith("%")
        assert (lo, hi) == ("too few", "too few")
        assert (row.locator(".range .point").count(), row.locator(".range .bar").count()) == (1, 0)
    heads = page.locator(".slices thead th").all_inner_texts()
    assert any("95% interval (Poisson bootstrap)" in head for head in heads)


def test_five_thousand_segments_by_ten_systems_are_small_and_quick(tmp_path: Path, visit: Any) -> None:
    base = counts(5_000)
    frame = pd.concat([base[base["system"] == "beta"].assign(system=f"system {n}") for n in range(10)])
    words = np.random.default_rng(2).choice([f"w{n}" for n in range(5_000)], (len(frame), 8))
    frame = frame.assign(text=[" ".join(line) for line in words])  # worse than any language: nothing repeats
    path = write(tmp_path / "a.html", "t", [Rows(frame, by=("system",), strata=("group",), texts=("text",))])
    assert path.stat().st_size < 6_000_000
    page = visit(path)
    until(page, "document.querySelectorAll('.slices tbody tr').length === 10")
    assert "50,000 of 50,000" in page.locator(".slices > .tools .count").inner_text()


BOARD = Path(__file__).parent / "golden" / "targets"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evidence = newstts.gather(BOARD / "dataset.jsonl", merged=BOARD / "merged")
    parts = target_views.overview(evidence, signature="set=small", conflict="none known")
    return write(tmp_path_factory.mktemp("board") / "index.html", "Board", parts)


@pytest.mark.parametrize(("width", "scheme"), [(1180, "dark"), (390, "light")])
def test_a_leaderboard_sorts_and_keeps_to_the_page(board: Path, visit: Any, width: int, scheme: Any) -> None:
    page = visit(board, viewport={"width": width, "height": 900}, color_scheme=scheme)
    drawn(page)
    table = page.locator("section.table", has=page.get_by_role("heading", name="Leaderboard"))
    names, rank = table.locator("tbody th"), table.locator("th[data-name=rank] button")
    before = names.all_inner_texts()
    rank.click()
    assert names.all_inner_texts() == before
    rank.click()
    assert names.all_inner_texts() == before[::-1]
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator(".alarm").count() == 0


def test_the_readings_of_a_target_are_found_and_open(board: Path, visit: Any) -> None:
    page = visit(board)
    until(page, "document.querySelectorAll('.lines > details').length === 8")
    page.get_by_label("Find among the folded rows").fill("百分三点五")
    line = page.locator(".lines > details")
    assert line.count() == 1
    assert line.locator("table").count() == 0  # not there before it is asked for
    line.locator("summary").click()
    line.locator("table").wait_for()
    assert line.locator("thead th").all_inner_texts() == ["system", "vote", "paraformer", "sensevoice", "writer"]
    (row,) = [row for row in line.locator("tbody tr").all() if "beta" in row.inner_text()]
    said = [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
    assert said == ["wrong", "wrong 百分三点五", "wrong 百分三点五", "correct 百分之三点五"]
    with page.expect_download() as download:
        page.locator(".folded").get_by_role("button", name="Download CSV").click()
    lines = Path(download.value.path()).read_bytes().decode("utf-8-sig").splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("span,votes,category,target,text,system,vote")


def test_folded_rows_show_hostile_text_as_text_a_hundred_lines_at_a_time(tmp_path: Path, visit: Any) -> None:
    frame = pd.DataFrame({"id": [f"{n} {HOSTILE[n % 8]}" for n in range(250)], "said": HOSTILE[0]})
    page = visit(write(tmp_path / "a.html", "t", [Folded(frame, ("id",))]))
    until(page, "document.querySelectorAll('.lines > details').length === 100")
    page.get_by_role("button", name="Show more").click()
    assert page.locator(".lines > details").count() == 250
    page.locator(".lines summary").first.click()
    until(page, "document.querySelectorAll('.lines td').length === 1")
    assert page.locator(".lines td").inner_text() == HOSTILE[0]
    assert page.evaluate("window.hit") is None


def test_a_thousand_clips_are_there_at_once(tmp_path: Path, visit: Any) -> None:
    sound = [{c: tone(200 + 50 * i + n, 0.3) for n, c in enumerate(CHANNELS)} for i in range(10)]
    many = tuple(Take(f"s{i}", ("alpha", "beta")[i % 2], f"line {i}", sound[i % 10]) for i in range(1000))
    page = visit(write(tmp_path / "a.html", "t", [Clips(many)]))
    assert page.locator(".takes > li").count() == 1000
    page.locator(".take").nth(999).click()
    until(page, "Number(document.querySelector('.wave').getAttribute('aria-valuenow')) > 0")
