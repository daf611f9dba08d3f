"""The notebooks as a person meets them: run as a program, exported, and live in a browser."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench import report
from bench.run import Run
from tests.test_browser import browser  # noqa: F401  (browser is a fixture)
from tests.test_views import run  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.py"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_its_report_for_any_run(path: Path, run: Run) -> None:  # noqa: F811
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    notebook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebook)
    _, defined = notebook.app.run(defs={"path": run.path})
    assert len(report.render(path.stem, defined["report"])) > 10_000


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_plain_export_of_a_notebook_is_whole(path: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "out.html"
    command = [sys.executable, "-m", "marimo", "export", "html", str(path), "-o", str(out)]
    done = subprocess.run(
        command, cwd=run.path.parents[1], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = out.read_text()
    assert "too large" not in page
    assert "earshot" in page


@pytest.fixture(scope="module")
def audition(run: Run) -> Iterator[str]:  # noqa: F811
    """The audition notebook, served in the folder that holds `runs`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = ROOT / "notebooks" / "audition.py"
    flags = ["--headless", "--no-token", "--port", str(port)]
    command = [sys.executable, "-m", "marimo", "run", str(path), *flags]
    with subprocess.Popen(command, cwd=run.path.parents[1], env=ENVIRONMENT, stdout=subprocess.DEVNULL) as server:
        while server.poll() is None and not _listens(port):
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_live_notebook_plays_on_demand_and_answers_its_controls(audition: str, browser: Any) -> None:  # noqa: F811
    page = browser.new_page()
    page.set_default_timeout(45_000)
    page.goto(audition)
    page.locator(".take").first.wait_for()
    assert page.locator(".take").count() == 6
    page.locator(".take", has_text="half a second").first.click()
    page.locator(".time", has_text="of 0.50 s").wait_for()  # the sound came and was decoded
    assert page.locator(".alarm").inner_text() == ""
    page.locator("select").filter(has_text="rival").first.select_option("rival")
    page.locator(".player .count", has_text="3 of 3 clips").wait_for()
    page.close()
