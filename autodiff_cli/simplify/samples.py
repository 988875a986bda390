"""Values of nodes at sample points, which show where one way to write a form loses what another one keeps."""

from collections.abc import Mapping
from math import isinf, isnan

from ..arithmetic import floats
from ..graph import Graph
from ..operations import CONSTANT

_SIZES = (0.3, 1.7, 3.4, 6.5, 11.0, 24.0, 120.0, 250.0, 400.0, 1000.0)
_POINTS = tuple([sign * size for size in _SIZES for sign in (1, -1.07)])
_STRIDE = 7  # places between the points of one leaf and those of the next


class Samples:
    """The values of the nodes of a graph, each computed when it is first asked for."""

    def __init__(self, graph: Graph, costs: Mapping[int, int]) -> None:
        self._graph, self._costs = graph, costs
        self._values: dict[int, tuple[float, ...]] = {}
        self._leaves = 0

    def faults(self, node: int) -> int:
        """The number of points at which a node overflows; one at which it is nan counts twice."""
        pending = [node]
        while pending:
            part = pending[-1]
            missing = [argument for argument in self._arguments(part) if argument not in self._values]
            pending += missing
            if not missing:
                self._values[pending.pop()] = self._values.get(part) or self._computed(part)
        return sum([2 if isnan(value) else isinf(value) for value in self._values[node]])

    def _arguments(self, node: int) -> tuple[int, ...]:
        """The arguments of a node; none of an opaque one, so that it costs as little as an input."""
        return self._graph.arguments[node] if self._costs.get(node, 1) > 1 else ()

    def _computed(self, node: int) -> tuple[float, ...]:
        graph, arguments = self._graph, self._arguments(node)
        if arguments:
            function = floats.function(graph.operations[node], len(arguments))
            columns = [self._values[argument] for argument in arguments]
            return tuple([function(*numbers) for numbers in zip(*columns, strict=True)])
        if graph.operations[node] is CONSTANT:
            return (graph.numbers[node],) * len(_POINTS)
        start = self._leaves * _STRIDE % len(_POINTS)
        self._leaves += 1
        return _POINTS[start:] + _POINTS[:start]
