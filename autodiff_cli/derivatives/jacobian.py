"""The partial derivatives of several outputs: the Jacobian matrix, with a row for each of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from .. import engine
from ..arithmetic import floats
from ..errors import AutodiffError
from ..evaluation import Evaluation, evaluate, leaves, used
from ..evaluation.nonfinite import nonfinite_error
from ..graph import Graph
from ..program import Program, as_double
from .forward import slopes

_LARGE, _FEW = 10_000, 3


@dataclass(frozen=True)
class Jacobian:
    """The values of several outputs, and their partial derivatives."""

    outputs: dict[str, float]
    """output → its value"""
    names: tuple[str, ...]
    rows: list[list[float]]
    """for each output its partial derivatives, in the order of the names"""
    suspects: list[Evaluation]
    """the evaluations of single outputs in which an infinity or a nan occurs"""


def jacobian(
    program: Program, point: Mapping[str, float], outputs: Sequence[str], wrt: Sequence[str] | None = None
) -> Jacobian:
    """The derivatives of named values with respect to `wrt`; without it, to all inputs that one of them depends on.

    They are computed backward, in one sweep per output; or forward, if there are more outputs than names. Where the
    outputs of a large program share little, a sweep visits only what its output depends on. Raises AutodiffError as
    `evaluate` does.
    """
    inputs = program.point(point)
    nodes = [program.select(output).output for output in outputs]
    order = program.graph.needed(nodes)
    values = leaves(program, order, {inputs[name]: as_double(name, point[name]) for name in inputs if name in point})
    names = tuple(dict.fromkeys(used(order, inputs) if wrt is None else wrt))
    orders = _separate_orders(program.graph, nodes, len(order)) if len(order) >= _LARGE else []
    if orders or len(outputs) > len(names):
        columns = [program.nodes([name], inputs, point) for name in names]
        engine.forward(program.graph, order, values, floats)
        if orders:
            rows = _separately(program.graph, order, values, nodes, orders, columns)
        else:
            rows = _forward(program, order, values, nodes, columns)
        if rows is not None:
            return Jacobian(dict(zip(outputs, map(values.__getitem__, nodes), strict=True)), names, rows, [])
    return _backward((evaluate(program.select(output), point, names) for output in outputs), outputs, names)


def _separate_orders(graph: Graph, outputs: Sequence[int], size: int) -> list[list[int]]:
    """The nodes that each output depends on; empty if that is more than a few times as many as the graph has."""
    orders: list[list[int]] = []
    room = _FEW * size
    for output in outputs:
        orders.append(graph.needed_by(output))
        room -= len(orders[-1])
        if room < 0:
            return []
    return orders


def _separately(
    graph: Graph,
    order: Sequence[int],
    values: list[float],
    outputs: Sequence[int],
    orders: Sequence[Sequence[int]],
    columns: list[list[int]],
) -> list[list[float]] | None:
    """The rows, by a sweep backward for each output over its own order; None if a number is not finite."""
    active = graph.dependent(order, (node for column in columns for node in column))
    adjoints: list[float | None] = [None] * len(graph)
    rows = []
    for output, own in zip(outputs, orders, strict=True):
        adjoints[output] = 1.0 if active[output] else None
        engine.backward(graph, own, values, adjoints, active, floats)
        rows.append([sum(adjoints[node] or 0.0 for node in column) for column in columns])
        for node in own:
            adjoints[node] = None
    numbers = (*(values[node] for node in order), *(entry for row in rows for entry in row))
    return rows if all(map(isfinite, numbers)) else None


def _forward(
    program: Program, order: Sequence[int], values: Sequence[float], outputs: Sequence[int], columns: list[list[int]]
) -> list[list[float]] | None:
    """The rows; None if a number is not finite, which sweeps backward can explain, or if a name is not an input."""
    moving = [(node, column) for column, nodes in enumerate(columns) for node in nodes]
    if any(program.graph.arguments[node] for node, _ in moving) or not all(isfinite(values[node]) for node in order):
        return None
    along_names = slopes(program.graph, values, moving, outputs)
    along_names += [[0.0] * len(outputs)] * (len(columns) - len(along_names))
    rows = [list(row) for row in zip(*along_names, strict=True)] if columns else [[] for _ in outputs]
    return rows if all(map(isfinite, (entry for row in rows for entry in row))) else None


def _backward(evaluations: Iterable[Evaluation], outputs: Sequence[str], names: tuple[str, ...]) -> Jacobian:
    jacobian = Jacobian({}, names, [], [])
    for output, evaluation in zip(outputs, evaluations, strict=True):
        jacobian.outputs[output] = evaluation.value
        jacobian.rows.append([evaluation.gradient[name] for name in names])
        numbers = (*jacobian.rows[-1], *(evaluation.values[node] for node in evaluation.order))
        if not all(map(isfinite, numbers)):
            jacobian.suspects.append(evaluation)
    return jacobian


def named_error(evaluation: Evaluation) -> AutodiffError | None:
    """The error for one of several outputs, or its gradient, that is not finite; None if all are finite."""
    error = nonfinite_error(evaluation)
    if error is not None:
        error.message = f"`{evaluation.program.output_name}`: {error.message}"
    return error
