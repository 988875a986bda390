"""Forward mode: the slopes of values along directions in the space of the inputs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite, isnan, nan

from .. import engine
from ..arithmetic import duals, floats
from ..errors import AutodiffError
from ..evaluation import Evaluation, evaluate, limit, nonfinite
from ..evaluation.lost_derivatives import may_be_lost
from ..graph import Graph
from ..notation import shortest
from ..program import Program

_MOST_DIRECTIONS = 32  # in one sweep; more would take too much memory


@dataclass(frozen=True)
class DirectionalDerivative:
    """The slopes of a program's nodes along one direction; the evaluation has values but no gradient."""

    evaluation: Evaluation
    direction: dict[str, float]
    """input → its component"""
    slopes: list[float | None]
    """for each node; None for a node that the direction does not move"""

    @property
    def slope(self) -> float:
        """The directional derivative of the output."""
        return self.slopes[self.evaluation.program.output] or 0.0


def directional(program: Program, point: Mapping[str, float], direction: Mapping[str, float]) -> DirectionalDerivative:
    """The slopes at a point along a direction, which is not scaled to length 1.

    Raises AutodiffError as `evaluate` does, and for a direction with a component for a computed value.
    """
    evaluation = evaluate(program, point, ())
    numbers: list[duals.Dual] = [(value, {}) for value in evaluation.values]
    moving = _moving(evaluation, point, direction)
    for node, component in moving.items():
        numbers[node][1][0] = component
    engine.forward(program.graph, evaluation.order, numbers, duals)
    slopes = [None if 0 not in slopes else slopes[0] + 0.0 for _, slopes in numbers]  # no -0.0
    if isnan(evaluation.value) and slopes[program.output] is not None:
        slopes[program.output] = nan
    elif isnan(slopes[program.output] or 0.0):  # what the chain rule leaves open may have a limit
        slopes[program.output] = limit(evaluation, moving).slope
    elif may_be_lost(slopes, (evaluation.values[node] for node in evaluation.order)):
        gradient = evaluate(program, point, tuple(direction)).gradient
        slopes[program.output] = sum(gradient[name] * component for name, component in direction.items() if component)
    return DirectionalDerivative(evaluation, dict(direction), slopes)


def nonfinite_error(directional: DirectionalDerivative) -> AutodiffError | None:
    """The error for a value or a directional derivative that is not finite; None if both are."""
    error = nonfinite.nonfinite_error(directional.evaluation)
    if error is not None or isfinite(directional.slope):
        return error
    message = f"the directional derivative is {shortest(directional.slope)}"
    return nonfinite.derivative_error(
        directional.evaluation, message, nonfinite.ALLOW, lambda node: isfinite(directional.slopes[node] or 0.0)
    )


def _moving(evaluation: Evaluation, point: Mapping[str, float], direction: Mapping[str, float]) -> dict[int, float]:
    """The nodes of the inputs that move, with their components; names outside the program are left out."""
    nodes = {name: evaluation.program.nodes([name], evaluation.inputs, point) for name in direction}
    refuse_computed(evaluation.program, chain.from_iterable(nodes.values()))
    return {node: component for name, component in direction.items() for node in nodes[name] if component}


def refuse_computed(program: Program, nodes: Iterable[int | None]) -> None:
    """Raise AutodiffError if one of the nodes is computed."""
    for node in nodes:
        if node is not None and program.graph.arguments[node]:
            raise AutodiffError(
                f"`{program.text(node)}` is computed by the program, so a direction cannot move it",
                span=program.graph.span(node),
                source=program.source,
                hint="write the direction in the inputs that it is computed from",
            )


def slopes(
    graph: Graph,
    values: Sequence[float],
    moving: Iterable[tuple[int, int]],
    results: Sequence[int],
    arithmetic: engine.Functions = duals,
) -> list[list[float]]:
    """The slopes of the results along many directions: a list for each direction.

    `moving` has leaves of the graph, each with the index of a direction in which its component is 1; all others are 0.
    `values` has the values of leaves that are not constants; `arithmetic` is one of dual numbers.
    """
    order, movers = graph.needed(results), list(moving)
    count = 1 + max((direction for _, direction in movers), default=-1)
    values = [*values, *(graph.numbers.get(node, 0.0) for node in range(len(values), len(graph)))]
    engine.forward(graph, order, values, floats)
    result_slopes = []
    for first in range(0, count, _MOST_DIRECTIONS):
        block = range(first, min(first + _MOST_DIRECTIONS, count))
        numbers: list[duals.Dual] = [(value, {}) for value in values]
        starts = [(node, direction) for node, direction in movers if direction in block]
        for node, direction in starts:
            numbers[node][1][direction] = 1.0
        moved = graph.dependent(order, [node for node, _ in starts])
        engine.forward(graph, [node for node in order if moved[node]], numbers, arithmetic)
        result_slopes += [[numbers[result][1].get(direction, 0.0) for result in results] for direction in block]
    return result_slopes
