"""Whether what is printed is read again as what was printed."""

from autodiff_cli import parse
from autodiff_cli.derivatives.differentiate import Derivatives
from autodiff_cli.graph import Graph
from autodiff_cli.operations import CONSTANT, INPUT


class Shapes:
    """Numbers for the shapes of nodes: nodes of different graphs have the same number if they are the same formula."""

    def __init__(self) -> None:
        self._known: dict[object, int] = {}

    def of(self, graph: Graph, node: int) -> int:
        shapes: dict[int, int] = {}
        for part in graph.needed([node]):
            operation = graph.operations[part]
            key: object = operation.name, *(shapes[argument] for argument in graph.arguments[part])
            if operation is INPUT:
                key = "input", graph.labels[part]
            elif operation is CONSTANT:
                key = "constant", repr(graph.numbers[part])
            shapes[part] = self._known.setdefault(key, len(self._known))
        return shapes[node]


def assert_read_back(found: Derivatives) -> None:
    """Printed derivatives are read as the graph that was printed."""
    program, shapes = parse(found.text), Shapes()
    for name, statement in found.results.items():
        node = program.names[statement.name] if statement.name else program.output
        assert shapes.of(program.graph, node) == shapes.of(found.graph, found.nodes[name]), found.text
