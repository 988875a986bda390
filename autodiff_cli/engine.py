"""The two sweeps: values forward, adjoints backward, over any arithmetic.

An arithmetic is a module or an object with `function(operation, count)`, the operation on numbers of its kind. For the
backward sweep it also has `pullback(operation, count, wanted)`, which gives what an adjoint contributes to the adjoints
of the wanted arguments, and `add`, which sums contributions.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, Protocol

from .graph import Graph
from .operations import Operation
from .work_budget import NODE, charge

_BACKWARD = 3  # times the work of the forward sweep


class Functions(Protocol):
    """Operations on one kind of number."""

    def function(self, operation: Operation, count: int) -> Callable[..., Any]:
        """The operation on `count` numbers."""


class Arithmetic(Functions, Protocol):
    """Operations on one kind of number, and their derivatives."""

    @property
    def add(self) -> Callable[[Any, Any], Any]:
        """The sum of two numbers."""

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Any]]:
        """(adjoint, result, *arguments) → a contribution for each argument, None for one that was not chosen.

        `wanted` is 1 or True for the arguments whose contributions are used.
        """


def forward(
    graph: Graph,
    order: Collection[int],
    values: list[Any] | dict[int, Any],
    arithmetic: Functions,
    functions: dict[tuple[Operation, int], Callable[..., Any]] | None = None,
) -> None:
    """Compute the values of the nodes in `order`, which is topological; leaves have theirs already.

    `functions` caches the functions of the arithmetic, for a graph that is swept more than once.
    """
    charge(_seconds(arithmetic) * len(order))
    operations, arguments = graph.operations, graph.arguments
    functions = {} if functions is None else functions
    for node in order:
        operands = arguments[node]
        count = len(operands)
        if not count:
            continue
        key = operations[node], count
        function = functions.get(key)
        if function is None:
            function = functions[key] = arithmetic.function(*key)
        if count == 2:
            a, b = operands
            values[node] = function(values[a], values[b])
        elif count == 1:
            values[node] = function(values[operands[0]])
        else:
            values[node] = function(*[values[operand] for operand in operands])


def backward(
    graph: Graph,
    order: Sequence[int],
    values: list[Any],
    output: int,
    active: bytearray,
    arithmetic: Arithmetic,
    one: Any = 1.0,
    adjoints: list[Any] | None = None,
) -> list[Any]:
    """The adjoints of the active nodes, added up over every path from the output, whose own adjoint is `one`.

    The adjoint of a node that no path reaches is None; no path leads to what an operation did not choose.
    `adjoints`, a list of None, is filled in place of a new list.
    """
    adjoints = [None] * len(graph) if adjoints is None else adjoints
    if active[output]:
        adjoints[output] = one
    charge(_BACKWARD * _seconds(arithmetic) * len(order))
    operations, arguments = graph.operations, graph.arguments
    pullbacks: dict[tuple[Operation, tuple[int, ...]], Callable[..., Sequence[Any]]] = {}
    add = arithmetic.add
    for node in reversed(order):
        adjoint, operands = adjoints[node], arguments[node]
        if adjoint is None or not operands:
            continue
        operation, result = operations[node], values[node]
        if len(operands) == 2:  # most operations, written out for speed
            a, b = operands
            wanted: tuple[int, ...] = (active[a], active[b])
            pullback = pullbacks.get((operation, wanted))
            if pullback is None:
                pullback = pullbacks[operation, wanted] = arithmetic.pullback(operation, 2, wanted)
            to_a, to_b = pullback(adjoint, result, values[a], values[b])
            if active[a]:
                before = adjoints[a]
                if before is None:
                    adjoints[a] = to_a
                elif to_a is not None:
                    adjoints[a] = add(before, to_a)
            if active[b]:
                before = adjoints[b]
                if before is None:
                    adjoints[b] = to_b
                elif to_b is not None:
                    adjoints[b] = add(before, to_b)
            continue
        if len(operands) == 1:
            (a,) = operands
            if active[a]:
                pullback = pullbacks.get((operation, (1,)))
                if pullback is None:
                    pullback = pullbacks[operation, (1,)] = arithmetic.pullback(operation, 1, (1,))
                (to_a,) = pullback(adjoint, result, values[a])
                before = adjoints[a]
                if before is None:
                    adjoints[a] = to_a
                elif to_a is not None:
                    adjoints[a] = add(before, to_a)
            continue
        wanted = tuple([active[operand] for operand in operands])
        pullback = pullbacks.get((operation, wanted))
        if pullback is None:
            pullback = pullbacks[operation, wanted] = arithmetic.pullback(operation, len(wanted), wanted)
        contributions = pullback(adjoint, result, *[values[operand] for operand in operands])
        for operand, want, contribution in zip(operands, wanted, contributions, strict=True):
            if want and contribution is not None:
                before = adjoints[operand]
                adjoints[operand] = contribution if before is None else add(before, contribution)
    return adjoints


def _seconds(arithmetic: Functions) -> float:
    """The approximate time of an operation, which an arithmetic can define as its `SECONDS`."""
    seconds: float = getattr(arithmetic, "SECONDS", NODE)
    return seconds
