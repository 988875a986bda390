"""A program whose inputs are columns or numbers, ready to be differentiated."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..evaluation import used
from ..graph import Graph
from ..lowering.copying import copy, copy_held
from ..lowering.folded_graph import FoldedGraph
from ..operations import INPUT
from ..program import Program


class BoundProgram(NamedTuple):
    """A program in whose graph all inputs but the columns have their numbers."""

    graph: Graph
    columns: Sequence[int]
    outputs: Sequence[int]
    wrt: Sequence[int]
    """the nodes to differentiate by; an input that nothing depends on for a name that the program does not have"""


def bind(
    program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str], outputs: Sequence[int]
) -> BoundProgram:
    """Give each input that is no column its number in `given`, or its default.

    `outputs` are nodes of the program. Raises AutodiffError for inputs that they depend on and that have no number, all
    at once.
    """
    inputs = program.point(dict.fromkeys(columns, 0.0) | dict(given))
    nodes = [program.node(name, inputs) for name in wrt]
    known = [node for node in nodes if node is not None]
    source, graph, copies = program.graph, FoldedGraph(), dict[int, int]()
    numbers = {name: source.numbers[node] for name, node in inputs.items() if node in source.numbers} | dict(given)
    moving, sources = frozenset(columns), frozenset(wrt)
    absent = [name for name in used(source.needed(outputs), inputs) if name not in moving and name not in numbers]
    if absent:
        raise program.missing(absent)
    for name, node in inputs.items():
        is_leaf = name in moving or name in sources
        copies[node] = graph.add(INPUT) if is_leaf else graph.constant(numbers.get(name, 0.0))
    copy_held(graph, source, (node for node in known if source.arguments[node]), copies)
    copy(graph, source, source.needed([*outputs, *known]), copies)
    for name, node in inputs.items():
        if name in sources and name not in moving:
            graph.numbers[copies[node]] = numbers.get(name, 0.0)  # only now, so that it was not folded
    wrt_nodes = [graph.add(INPUT) if node is None else copies[node] for node in nodes]
    leaves = [copies[inputs[name]] for name in columns]
    return BoundProgram(graph.cut(()), leaves, [copies[node] for node in outputs], wrt_nodes)
