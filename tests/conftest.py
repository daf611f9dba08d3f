"""What several test files share: where the development data lies, and how a skip is worded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with gold cases and public data that Earshot is developed against; it is not part of the project."""
    folder = Path(os.environ.get("EARSHOT_SHARED") or Path(__file__).parents[2] / "shared")
    if not folder.is_dir():
        pytest.skip(f"needs the development data; {folder} is missing (set EARSHOT_SHARED to its place)")
    return folder


def _refuse_skip(report):  # type: ignore[no-untyped-def]
    """With EARSHOT_NO_SKIP set, as in .ci/run, a skip is a failure."""
    if report.skipped and os.environ.get("EARSHOT_NO_SKIP"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and nothing may be skipped here: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):  # type: ignore[no-untyped-def]
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):  # type: ignore[no-untyped-def]
    return _refuse_skip((yield))
