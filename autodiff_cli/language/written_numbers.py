"""Numbers as they stand in a text, beside the doubles that the nodes of a graph have."""

from decimal import Decimal

from ..graph import Graph
from ..notation import shortest

_DIGITS = 15
"""of a decimal that a double always holds"""


def written_number(graph: Graph, text: str, node: int) -> str | None:
    """The decimal that stands in a text for a number; None for others: an exponent such as ², or one that is made."""
    start, end = graph.span(node)
    written = "".join(text[start:end].split()).replace("−", "-")
    try:
        return written if float(written) == graph.numbers[node] else None
    except ValueError:
        return None


def is_long(number: float) -> bool:
    """Whether a double has more digits than it holds of every decimal."""
    return len(Decimal(shortest(number)).normalize().as_tuple().digits) > _DIGITS


def is_rounded(graph: Graph, text: str, node: int) -> bool:
    """Whether a double may not be the number that stands in a text, or that was computed from such numbers."""
    number = graph.numbers[node]
    written = written_number(graph, text, node)
    return is_long(number) or (written is not None and Decimal(written) != Decimal(shortest(number)))
