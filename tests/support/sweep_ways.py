"""The ways in which the program computes an operation, for the sweep: each gives the value and partials at points."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import groupby
from typing import Any

import numpy
import referee
from referee import Arguments

from autodiff_cli import engine, parse, rules
from autodiff_cli.arithmetic import arrays, floats
from autodiff_cli.graph import Graph
from autodiff_cli.lowering.folded_graph import FoldedGraph
from autodiff_cli.lowering.lowering import Lowering
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import CONDITIONS, INPUT, WHERE, Operation
from autodiff_cli.transforms import derivative
from autodiff_cli.vectorized.threads import run

Results = Sequence[Sequence[float]]
"""for each point, the value and the partials"""

_EVERYWHERE = frozenset(
    """
    add sub mul div mod neg pow lt le gt ge eq ne not and or exp log sqrt sin cos tan asin acos atan atan2 abs floor
    ceil round trunc copysign where max min
    """.split()  # noqa: SIM905  # one line for each would be long
)
"""the operations that every language has; exported code may have a formula in place of any other"""


def at_one_point(operation: Operation, count: int, points: Sequence[Arguments]) -> Results:
    """As `eval` does it."""
    function = floats.function(operation, count)
    pullback = floats.pullback(operation, count, referee.wanted(operation, count))
    values = [function(*point) for point in points]
    return [(y, *(slope or 0.0 for slope in pullback(1.0, y, *point))) for y, point in zip(values, points, strict=True)]


def in_columns(operation: Operation, count: int, points: Sequence[Arguments], engine: str = "numpy") -> Results:
    """As it is done for the rows of a table, before slopes that the chain rule leaves open are found as limits."""
    if operation.literal:  # a formula has the number written out
        return _by_first(lambda first, some: _column_results(_plan(operation, count, engine, first), some), points)
    return _column_results(_plan(operation, count, engine), points)


@cache
def _plan(operation: Operation, count: int, engine: str, first: float | None = None) -> Computation:
    names = list("abcd"[:count])
    operands = [*([] if first is None else [str(int(first))]), *names[first is not None :]]
    program = parse(operation_text(operation, [(operand, CALL) for operand in operands]))
    return Computation(program, names, {}, names, engine=engine)


def _column_results(computation: Computation, points: Sequence[Arguments]) -> Results:
    columns = dict(zip(computation.wrt, map(numpy.ascontiguousarray, numpy.array(points).T), strict=True))
    results, _ = run(computation.executor(), [columns[name] for name in computation.columns], len(points))
    for slope in results[1:]:
        slope[numpy.isnan(results[0])] = numpy.nan
    return numpy.array(results).T.tolist()


def _by_first(results: Callable[[float, Sequence[Arguments]], Results], points: Sequence[Arguments]) -> Results:
    """The results for points that are grouped by their first argument, in the order of the points."""
    order = sorted(range(len(points)), key=lambda place: points[place][0])
    found: list[Sequence[float]] = [()] * len(points)
    for first, places in groupby(order, key=lambda place: points[place][0]):
        some = list(places)
        for place, result in zip(some, results(first, [points[place] for place in some]), strict=True):
            found[place] = result
    return found


def by_formulas(operation: Operation, count: int, points: Sequence[Arguments]) -> Results:
    """As exported code does it in a language that has elementary functions only."""
    if operation.literal:
        return _by_first(lambda first, some: _computed(_lowered(operation, count, first), some), points)
    return _computed(_lowered(operation, count), points)


@cache
def _lowered(operation: Operation, count: int, first: float | None = None) -> rules.Rule:
    graph = Graph()
    nodes = [graph.constant(first) if place == 0 and first is not None else graph.add(INPUT) for place in range(count)]
    free = [node for node in nodes if node not in graph.numbers]
    value = graph.add(operation, tuple(nodes))
    results = [value, *derivative(graph, value, nodes)]
    lowered = FoldedGraph()
    copies = {node: lowered.add(INPUT) for node in free}
    Lowering(_Elementary(), lowered).copy(graph, graph.needed(results), copies)
    leaves = tuple(copies.get(node, -1) for node in nodes)
    return rules.Rule(lowered, leaves, tuple(copies[node] for node in results))


class _Elementary:
    expands_all = True

    def knows(self, operation: Operation, count: int) -> bool:
        return operation.name in _EVERYWHERE and not (operation.variadic and count != 2)


class _Columns:
    def function(self, operation: Operation, count: int) -> Callable[..., Any]:
        if operation is WHERE:
            return numpy.where
        found = arrays.function(operation, count)
        assert found is not None, operation
        return (lambda *columns: found(*columns).astype(float)) if operation in CONDITIONS else found


def _computed(rule: rules.Rule, points: Sequence[Arguments]) -> Results:
    graph, leaves, results = rule
    columns = dict(zip(leaves, numpy.array(points).T, strict=True))
    values: dict[int, Any] = {**graph.numbers, **columns}
    with numpy.errstate(all="ignore"):
        engine.forward(graph, graph.needed(r for r in results if r is not None), values, _Columns())
    found = [numpy.broadcast_to(values[r], len(points)).astype(float) for r in results if r is not None]
    undefined = numpy.isnan(found[0])
    for slope in found[1:]:
        slope[undefined] = numpy.nan  # as generated code does it at its end
    return numpy.array(found).T.tolist()


WAYS: dict[str, Callable[[Operation, int, Sequence[Arguments]], Results]] = {
    "point": at_one_point,
    "columns": in_columns,
    "compiled": partial(in_columns, engine="compiled"),
    "formulas": by_formulas,
}
