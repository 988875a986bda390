"""Derivatives as graphs: the sweep backward, over nodes.

A derivative's nodes are appended to the graph that they are the derivative of, so they can be differentiated again.
"""

from collections.abc import Sequence

from . import engine
from .arithmetic.symbols import Symbols
from .graph import Graph


def derivative(
    graph: Graph, output: int, wrt: Sequence[int], *, textbook: bool = False, symbols: Symbols | None = None
) -> list[int]:
    """The nodes of the output's partial derivatives with respect to some nodes, one for each, added to the graph.

    They are made for accuracy; with `textbook` they are made of the rules as a person writes them. `symbols` is an
    arithmetic on the graph's nodes with rules of its own.
    """
    symbols = symbols or Symbols(graph, textbook=textbook)
    order = graph.needed([output])
    active = graph.dependent(order, wrt)
    adjoints: list[int | None] = [None] * len(graph)
    if active[output]:
        adjoints[output] = symbols.constant(1.0)
    engine.backward(graph, order, list(range(len(graph))), adjoints, active, symbols)
    found = [adjoints[node] for node in wrt]
    return [symbols.constant(0.0) if adjoint is None else adjoint for adjoint in found]
