"""The factors of derivatives in a text, `D(…)`.

They are doubles, and are computed with the doubles next to the numbers in the text.
"""

import re
from decimal import Decimal
from math import isfinite

from ..arithmetic.balls import Ball
from ..errors import AutodiffError
from ..gradient_check.exact_formula import text_of_number
from ..notation import shortest
from ..operations import CONSTANT, CONSTANTS
from ..program import Program

_DERIVATIVE = re.compile(r"\bD\s*\(")
_DIGITS = 15
"""of a decimal that a double always holds"""
_SIMPLE = 2.0**10
"""a number that is whole times this is no rounded one"""


def refuse_rounded(program: Program) -> None:
    """Raise AutodiffError where a derivative may be computed with numbers that are rounded already."""
    graph = program.graph
    if not _DERIVATIVE.search(program.source.text):
        return
    for node, number in graph.numbers.items():
        if graph.operations[node] is CONSTANT and isfinite(number) and _is_rounded(program, node):
            raise AutodiffError(
                f"a derivative is computed with the double {shortest(number)}, which may be rounded",
                span=graph.span(node),
                source=program.source,
                hint="give the number a name in a line before, c = 0.1: it is then taken as it is written",
            )


def _is_rounded(program: Program, node: int) -> bool:
    """Whether a double is not the number in the text or, if it is made, has more digits than decimals keep."""
    text, double = text_of_number(program, node), Decimal(shortest(program.graph.numbers[node]))
    if text is not None:
        return Decimal(text) != double
    return not _is_named(program, node) and len(double.normalize().as_tuple().digits) > _DIGITS


def with_rounding(program: Program, node: int, ball: Ball) -> Ball:
    """The ball of a number with what a derivative's factor was rounded by, unless it is a simple one."""
    number = program.graph.numbers[node]
    is_simple = number * _SIMPLE % 1 == 0 and abs(number) * _SIMPLE < 2.0**53
    is_made = _DERIVATIVE.match(program.source.text, program.graph.starts[node]) and not _is_named(program, node)
    return ball + Ball(0, abs(number) * 2.0**-52 + 5e-324) if is_made and not is_simple else ball


def _is_named(program: Program, node: int) -> bool:
    return CONSTANTS.get(program.graph.labels.get(node, "")) == program.graph.numbers[node]
