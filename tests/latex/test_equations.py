"""The equations between numbers that an explanation in LaTeX states are true: they are read back and evaluated."""

import math
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from latex_documents import RANDOM, explanation, programs

from autodiff_cli import AutodiffError, evaluate, parse
from autodiff_cli.conversion import convert

_DIGITS = 17
_LEFT_OUT = re.compile(r"[<>]|\\(?:le|ge|ne|lnot|land|lor|begin|infty)\b|nan")
"""conditions, which a sign of equality can be part of, and what is not finite"""


def _equations(document: str) -> Iterator[tuple[str, str]]:
    """The two sides of each equation: what stands to the left and right of a sign of equality."""
    for line in document.splitlines():
        if "&=" in line and not line.startswith(r"\intertext") and not _LEFT_OUT.search(line):
            text = re.sub(r"( \\quad \\text\{to \}.*)?( \\\\)?$", "", line)
            for part in re.split(r" & (?!=)", text):
                yield from pairwise(re.split(r" &?= ", part))


def _number(text: str) -> float | None:
    """The number that a formula of numbers alone is; None for another one."""
    try:
        return evaluate(parse(convert(text, "latex").text), {})
    except AutodiffError:
        return None


@pytest.mark.slow
def test_equations_between_numbers_are_true() -> None:
    checked = 0
    for program, point in programs():
        for left, right in _equations(explanation(program, point, _DIGITS)):
            a, b = _number(left), _number(right)
            if a is not None and b is not None:
                assert math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-300), (left, right)
                checked += 1
    assert checked > 10 * RANDOM
