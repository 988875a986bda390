"""Numbers as written in a text, in contrast to the doubles that the nodes of a graph have."""

from decimal import Decimal
from typing import Protocol

from ..arithmetic import Real
from ..graph import Graph
from ..notation import is_constant, shortest
from ..program import Program

_DIGITS = 15
"""significant digits of a decimal that a double always preserves"""


class WrittenNumbers(Protocol):
    """An arithmetic that reads decimals exactly."""

    def number(self, number: float | str) -> Real:
        """The exact value of a double, or the number that a text denotes."""

    def constant(self, number: float, name: str | None = None) -> Real:
        """A number, or the constant with that name with all its digits."""


def written_number(graph: Graph, text: str, node: int) -> str | None:
    """The decimal that a number is written as in a text; None if it is not written so, such as the exponent of ²."""
    start, end = graph.span(node)
    written = "".join(text[start:end].split()).replace("−", "-")
    try:
        return written if float(written) == graph.numbers[node] else None
    except ValueError:
        return None


def as_written(program: Program, node: int, arithmetic: WrittenNumbers) -> Real:
    """The number of a constant or a default as written in the text: 0.1 is one tenth, and `pi` has all digits."""
    number, label = program.graph.numbers[node], program.graph.labels.get(node, "")
    text = written_number(program.graph, program.source.text, node)
    is_of_meaning = text is None and program.names.get(label) != node and is_constant(label, number)
    if program.constants.get(label) == node or is_of_meaning:
        return arithmetic.constant(number, label)
    return arithmetic.number(text or shortest(number))


def is_long(number: float) -> bool:
    """Whether a double has more significant digits than those that it preserves of every decimal."""
    return len(Decimal(shortest(number)).normalize().as_tuple().digits) > _DIGITS


def is_rounded(graph: Graph, text: str, node: int) -> bool:
    """Whether a double may differ from the number written in a text, or from the result computed from such numbers."""
    number = graph.numbers[node]
    written = written_number(graph, text, node)
    return is_long(number) or (written is not None and Decimal(written) != Decimal(shortest(number)))
