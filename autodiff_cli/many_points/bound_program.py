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
    """A program in whose graph all inputs except the columns have their numbers."""

    graph: Graph
    columns: Sequence[int]
    outputs: Sequence[int]
    wrt: Sequence[int]
    """the nodes to differentiate with respect to; for a name not in the program, an input that nothing depends on"""


def bind(
    program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str], outputs: Sequence[int]
) -> BoundProgram:
    """Give each input that is not a column its number in `given`, or its default.

    `outputs` are nodes of the program. Raises AutodiffError for inputs that they depend on and that have no number, all
    at once.
    """
    inputs = program.inputs_given((*columns, *given))
    nodes = [program.node(name, inputs) for name in wrt]
    known = [node for node in nodes if node is not None]
    source, graph, copies = program.graph, FoldedGraph(), dict[int, int]()
    moving = {inputs[name] for name in columns}
    numbers = source.numbers | {inputs[name]: number for name, number in given.items() if name in inputs}
    absent = [
        name
        for name, node in used(source.needed(outputs), inputs).items()
        if node not in moving and node not in numbers
    ]
    if absent:
        raise program.missing(absent)
    leaves = moving.union(node for node in known if not source.arguments[node])
    for node in sorted(leaves.union(inputs.values())):
        copies[node] = graph.add(INPUT) if node in leaves else graph.constant(numbers.get(node, 0.0))
    copy_held(graph, source, (node for node in known if source.arguments[node]), copies)
    copy(graph, source, source.needed([*outputs, *known]), copies)
    for node in leaves - moving:
        graph.numbers[copies[node]] = numbers.get(node, 0.0)  # only now, so that it was not folded
    column_nodes = [copies[inputs[name]] for name in columns]
    wrt_nodes = [graph.add(INPUT) if node is None else copies[node] for node in nodes]
    return BoundProgram(graph.cut(()), column_nodes, [copies[node] for node in outputs], wrt_nodes)
