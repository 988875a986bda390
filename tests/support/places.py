"""The files that tests read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
CORPORA = ROOT.parent / "shared" / "corpora"
"""formulas with reference numbers, beside the project"""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""a code block of a document: its language and its text"""


def corpus(name: str) -> str:
    """The text of a file of the corpora; where there is none, the test is skipped."""
    path = CORPORA / name
    if not path.exists():
        pytest.skip(f"reads ../shared/corpora/{name}, which is not there")
    return path.read_text(encoding="utf-8")


def records(name: str) -> list[dict[str, Any]]:
    """The lines of a JSON Lines file of the corpora, a formula each; where there is none, the test is skipped."""
    return [json.loads(line) for line in corpus(name).splitlines()]


LARGE = {"moons"}
"""examples of thousands of nodes"""
SMALL_EXAMPLES = sorted(path for path in EXAMPLES.glob("*.expr") if path.stem not in LARGE)
"""those that can be drawn and stepped through: a few hundred nodes"""
each_example = pytest.mark.parametrize(
    "file",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in LARGE else ())
        for path in sorted(EXAMPLES.glob("*.expr"))
    ],
)
