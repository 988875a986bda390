"""The partial derivatives of several outputs: the Jacobian matrix, with a row for each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite

from .. import engine
from ..arithmetic import floats
from ..errors import AutodiffError
from ..evaluation import Evaluation, evaluate, leaves, used
from ..evaluation.lost_derivatives import may_be_lost
from ..evaluation.nonfinite import nonfinite_error
from ..graph import Graph
from ..program import Program
from .forward import slopes

_LARGE = 10_000  # nodes of a program whose outputs may share little
_FEW = 3  # times its size


@dataclass(frozen=True)
class Jacobian:
    """The values of several outputs, and their partial derivatives."""

    outputs: dict[str, float]
    """output → its value"""
    names: tuple[str, ...]
    rows: list[list[float]]
    """for each output its partial derivatives, in the order of the names"""
    suspects: list[Evaluation]
    """the evaluations of single outputs whose sweep met an infinity or a nan, or lost a number on the way"""


def jacobian(
    program: Program, point: Mapping[str, float], outputs: Sequence[str], wrt: Sequence[str] | None = None
) -> Jacobian:
    """The derivatives of named values with respect to `wrt`; without it, to all inputs that one of them depends on.

    They are computed backward, in one sweep per output over what it depends on; or forward, if there are more outputs
    than names, except for those of a large program that share little. Raises AutodiffError as `evaluate` does.
    """
    inputs = program.inputs_given(point)
    nodes = [program.select(output).output for output in outputs]
    order = program.graph.needed(nodes)
    values = leaves(program, order, inputs, point)
    names = tuple(dict.fromkeys(used(order, inputs) if wrt is None else wrt))
    columns = [program.nodes([name], inputs, point) for name in names]
    engine.forward(program.graph, order, values, floats)
    suspects: list[Evaluation] = []
    rows = None
    if len(outputs) > len(names) and not _share_little(program.graph, nodes, len(order)):
        rows = _forward(program, order, values, nodes, columns)
    if rows is None:
        rows = []
        swept = _backward(program.graph, order, values, nodes, columns)
        for output, (row, is_sure) in zip(outputs, swept, strict=True):
            if not is_sure:  # a slope may be a limit
                suspects.append(evaluate(program.select(output), point, names))
            rows.append(row if is_sure else [suspects[-1].gradient[name] for name in names])
    return Jacobian({output: values[node] for output, node in zip(outputs, nodes, strict=True)}, names, rows, suspects)


def _share_little(graph: Graph, outputs: Sequence[int], size: int) -> bool:
    """Whether the graph is large and the nodes that each output needs, added up, are only a few times its size."""
    room = _FEW * size
    for output in outputs if size >= _LARGE else ():
        room -= len(graph.needed_by(output))
        if room < 0:
            return False
    return size >= _LARGE


def _forward(
    program: Program, order: Sequence[int], values: Sequence[float], outputs: Sequence[int], columns: list[list[int]]
) -> list[list[float]] | None:
    """The rows; None if backward sweeps are needed: a number is not finite or may be lost, or a name is no input."""
    moving = [(node, column) for column, nodes in enumerate(columns) for node in nodes]
    if any(program.graph.arguments[node] for node, _ in moving) or not all(isfinite(values[node]) for node in order):
        return None
    along_names = slopes(program.graph, values, moving, outputs)
    along_names += [[0.0] * len(outputs)] * (len(columns) - len(along_names))
    rows = [list(row) for row in zip(*along_names, strict=True)] if columns else [[] for _ in outputs]
    entries = list(chain.from_iterable(rows))
    are_sure = all(map(isfinite, entries)) and not may_be_lost(entries, (values[node] for node in order))
    return rows if are_sure else None


def _backward(
    graph: Graph, order: Sequence[int], values: list[float], outputs: Sequence[int], columns: list[list[int]]
) -> Iterator[tuple[list[float], bool]]:
    """The row of each output, and whether all its numbers, those on the way included, are finite and none was lost."""
    active = graph.dependent(order, chain.from_iterable(columns))
    adjoints: list[float | None] = [None] * len(graph)
    for output in outputs:
        own = graph.needed_by(output)
        engine.backward(graph, own, values, output, active, floats, adjoints=adjoints)
        row = [sum([adjoints[node] or 0.0 for node in column], 0.0) for column in columns]
        numbers = [values[node] for node in own]
        are_finite = all(map(isfinite, chain(row, numbers)))
        yield row, are_finite and not may_be_lost((adjoints[node] for node in own), numbers)
        for node in own:
            adjoints[node] = None


def named_error(evaluation: Evaluation) -> AutodiffError | None:
    """The error for one of several outputs, or its gradient, that is not finite; None if all are finite."""
    error = nonfinite_error(evaluation)
    if error is not None:
        error.message = f"`{evaluation.program.output_name}`: {error.message}"
    return error
