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
