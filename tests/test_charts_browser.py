"""Charts under a hand: the legend filters, the wheel zooms with shift and scrolls without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from bench import charts, comparison_charts
from bench.listening import charts as studies
from bench.listening.scale import question
from bench.report import Chart, write
from tests.test_browser import browser, drawn, until, visit  # noqa: F401  (fixtures)
from tests.test_report import rates


@pytest.mark.parametrize("bases", [["all"], ["kept", "all"]])
def test_the_means_of_a_study_stand_on_its_scale_whatever_was_kept(
    tmp_path: Path,
    visit: Any,  # noqa: F811
    bases: list[str],
) -> None:
    nan = float("nan")
    rows = [(name, basis, value) for basis in bases for name, value in (("a", 3.5), ("b", 4.0), ("c", nan))]
    table = pd.DataFrame(rows, columns=["condition", "basis", "value"]).assign(lo=nan, hi=nan)
    ends = studies.extent(question("quality", "en"))
    page = visit(write(tmp_path / "a.html", "t", [Chart(studies.effects(table, "Quality", ends=ends))]))
    drawn(page)
    assert page.locator(".chart .mark-symbol.role-mark path").count() == 2 * len(bases)
    labels = page.locator(".chart .role-axis-label text").all_text_contents()
    assert {"1.0", "5.0"} <= set(labels) or {"1", "5"} <= set(labels)


def times() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame({"system": np.repeat(["alpha", "beta"], 20), "rtf": rng.lognormal(0, 0.5, 40)})


@pytest.mark.parametrize("kind", ["error_rates", "distributions"])
def test_the_legend_filters_and_the_wheel_zooms(tmp_path: Path, visit: Any, kind: str) -> None:  # noqa: F811
    table = rates()
    chart = charts.error_rates(table) if kind == "error_rates" else charts.distributions(times(), "rtf", title="rtf")
    page = visit(write(tmp_path / "a.html", "t", [Chart(chart)]))
    drawn(page)
    faint = "[...document.querySelectorAll('.chart .mark-symbol path[opacity=\"0.12\"]')].length"
    points = page.locator(".chart .mark-symbol.role-mark path").count()
    assert page.evaluate(faint) == 0
    legend = page.locator(".chart .role-legend-entry .role-legend-symbol path, .chart .role-legend-symbol path")
    legend.first.click()
    until(page, f"{faint} > 0")
    assert 0 < page.evaluate(faint) < points
    page.keyboard.down("Shift")
    legend.first.click()
    page.keyboard.up("Shift")
    labels = "[...document.querySelectorAll('.chart .role-axis-label text')].map((t) => t.textContent).join()"
    before = page.evaluate(labels)
    box = page.locator(".chart svg").bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.wheel(0, -600)  # without shift the page scrolls and the chart stays
    page.wait_for_timeout(200)
    assert page.evaluate(labels) == before
    page.keyboard.down("Shift")
    for _ in range(4):
        page.mouse.wheel(0, -300)
        page.wait_for_timeout(50)
    page.keyboard.up("Shift")
    until(page, f"({labels}) !== {before!r}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["pairwise", "strata"])
def test_a_grey_cell_is_a_veil_over_the_page_and_its_words_follow_it(
    tmp_path: Path,
    visit: Any,  # noqa: F811
    kind: str,
    scheme: Any,
) -> None:
    ends = {"recogniser": "one", "lo": 0.1, "hi": 0.3, "n": 9}
    pairs = [("a", "b", "too few"), ("a", "c", "no evidence"), ("b", "c", "better")]
    matrix = [{"a": a, "b": b, "verdict": v, "difference": -0.2, "p_holm": 0.5, **ends} for a, b, v in pairs]
    cells = [{"system": name, "stratum": "x", "rate": 0.2, "grey": name != "c", **ends} for name in "abc"]
    table = pd.DataFrame(matrix if kind == "pairwise" else cells)
    chart = getattr(comparison_charts, kind)(table)
    page = visit(write(tmp_path / "a.html", "t", [Chart(chart)]), color_scheme=scheme)
    drawn(page)
    ink = page.evaluate("getComputedStyle(document.body).color")
    colours = "all => all.map((one) => getComputedStyle(one).fill)"
    words = page.locator(".chart [class*=veiled_] text").evaluate_all(colours)
    assert len(words) == (4 * 3 if kind == "pairwise" else 2)
    assert set(words) == {ink}
    boxes = page.locator(".chart .mark-rect.role-mark path").evaluate_all(colours)
    assert sum(box.startswith("rgba") for box in boxes) == (4 if kind == "pairwise" else 2)
