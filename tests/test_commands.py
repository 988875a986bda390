"""The command line, by the sessions in `commands/`: a file for each subject, readable as documentation."""

from pathlib import Path

import console
import pytest
from places import ROOT

FILES = sorted((ROOT / "tests/commands").glob("*.txt"))
SHORT = ("acceptance",)
"""sessions that are not slow"""


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=() if file.stem in SHORT else pytest.mark.slow, id=file.stem) for file in FILES],
)
def test_session(file: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert console.check(file.read_text(encoding="utf-8"), tmp_path) > 0
