"""The command line, by the sessions in `commands/`: a file for each subject, readable as documentation."""

from pathlib import Path

import console
import pytest
from places import ROOT

FILES = sorted((ROOT / "tests/commands").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_session(file: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert console.check(file.read_text(encoding="utf-8"), tmp_path) > 0
