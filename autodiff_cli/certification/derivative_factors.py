"""The factors of derivatives in a text, `D(…)`.

They are doubles, each rounded once from numbers in the text. A number that its double may not equal is kept separate.
"""

import re
from collections.abc import Mapping
from math import inf, isfinite

from ..arithmetic.balls import Ball
from ..errors import AutodiffError
from ..language.written_numbers import is_long, written_number
from ..notation import shortest
from ..operations import CONSTANT
from ..program import Program
from ..simplify.reading import is_named_constant

_DERIVATIVE = re.compile(r"\bD\s*\(")
_SIMPLE = 2.0**10
"""a number that becomes whole when multiplied by this is not a rounded one"""


def refuse_rounded(program: Program) -> None:
    """Raise AutodiffError where a derivative in the text has a number that may be rounded."""
    graph = program.graph
    if not _DERIVATIVE.search(program.source.text):
        return
    for node in graph.needed([program.output]):
        number = graph.numbers.get(node, inf)
        if graph.operations[node] is not CONSTANT or not isfinite(number) or not is_long(number):
            continue
        if written_number(graph, program.source.text, node) is None and not is_named_constant(graph, node):
            raise AutodiffError(
                f"a derivative is computed with the double {shortest(number)}, which may be rounded",
                span=graph.span(node),
                source=program.source,
                hint="give the number a name in a line before, c = 0.1: it is then taken as it is written",
            )


def with_rounding(program: Program, leaves: Mapping[int, Ball]) -> dict[int, Ball]:
    """The balls of derivatives' factors, widened by their rounding, without those of simple ones."""
    text, graph = program.source.text, program.graph
    rounded: dict[int, Ball] = {}
    for node, ball in leaves.items():
        number = graph.numbers[node]
        is_simple = number * _SIMPLE % 1 == 0 and abs(number) * _SIMPLE < 2.0**53
        if not is_simple and _DERIVATIVE.match(text, graph.starts[node]) and not is_named_constant(graph, node):
            rounded[node] = ball + Ball(0, abs(number) * 2.0**-52 + 5e-324)
    return rounded
