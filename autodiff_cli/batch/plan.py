"""A plan: a value and its gradient as a straight line of operations on columns of numbers.

It is made once for a program: equal subexpressions are computed once, and what depends on no column is a number. The
steps work on registers, columns of one block of rows; a register that is needed no more is written over.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy

from ..arithmetic import arrays
from ..codegen.language import CONDITIONS, LOGIC
from ..codegen.lowering import lowered
from ..graph import Graph
from ..operations import CONSTANT, Operation
from ..program import Program
from ..symbolic import derivative

Array = Any  # of doubles, or of truth values


class Bank(IntEnum):
    """Where an array is kept."""

    COLUMN, RESULT, NUMBER, TRUTH, CONSTANT = range(5)


class Place(NamedTuple):
    """One array of a bank."""

    bank: Bank
    which: int


class Step(NamedTuple):
    """An operation on arrays of equal length; called with the sources and `out`."""

    function: Callable[..., Any]
    target: Place
    sources: tuple[Place, ...]


@dataclass(frozen=True)
class Plan:
    """The steps from columns to results, and how many registers of each kind they need."""

    steps: tuple[Step, ...]
    constants: tuple[float, ...]
    columns: int
    results: int
    numbers: int
    truths: int


def gradient_plan(program: Program, columns: Sequence[str], given: Mapping[str, float], wrt: Sequence[str]) -> Plan:
    """The plan for a program's value, followed by its partial derivatives with respect to the names of `wrt`.

    `columns` names the inputs that differ from row to row; the others have their numbers in `given`, or defaults.
    """
    point = dict.fromkeys(columns, 0.0) | dict(given)
    inputs = program.point(point)
    leaves = [inputs[name] for name in columns]
    graph = program.graph.cut(leaves)
    for name, node in inputs.items():
        if name not in columns:
            graph.operations[node] = CONSTANT
            graph.numbers[node] = given.get(name, graph.numbers.get(node, 0.0))
            graph.labels.pop(node, None)
    nodes = {name: inputs.get(name, program.names.get(name)) for name in wrt}
    partials = iter(derivative(graph, program.output, [node for node in nodes.values() if node is not None]))
    zero = graph.constant(0.0)
    results = [program.output, *(zero if node is None else next(partials) for node in nodes.values())]
    shared, copies = lowered(_Arrays(), graph, leaves, results)
    return _Compiler(shared.graph).plan([copies[leaf] for leaf in leaves], [copies[result] for result in results])


class _Arrays:
    """The operations that NumPy and scipy.special have; all others are taken apart."""

    splits = True

    def knows(self, row: Operation, count: int) -> bool:
        return row.name == "where" or arrays.function(row, count) is not None

    def refined(self, row: Operation, numbers: object) -> Operation:
        return row


class _Compiler:
    """Gives each node of a graph a place, and each operation a step."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps: list[Step] = []
        self._constants: dict[str, Place] = {}
        self._places: dict[int, Place] = {}
        self._free: dict[Bank, list[Place]] = {Bank.NUMBER: [], Bank.TRUTH: []}
        self._counts = dict.fromkeys(self._free, 0)
        self._results: dict[int, Place] = {}

    def plan(self, columns: Sequence[int], results: Sequence[int]) -> Plan:
        """The plan from the nodes of columns to those of results."""
        graph, order = self._graph, self._graph.needed(results)
        last = {argument: node for node in order for argument in graph.arguments[node]}
        self._places = {node: Place(Bank.COLUMN, index) for index, node in enumerate(columns)}
        for index, node in enumerate(results):
            self._results.setdefault(node, Place(Bank.RESULT, index))
        for node in order:
            if graph.arguments[node]:
                ended = [a for a in dict.fromkeys(graph.arguments[node]) if last[a] == node]
                self._compute(node, [self._places[a] for a in ended if self._places[a].bank in self._free])
            elif graph.operations[node] is CONSTANT:
                self._places[node] = self._constant(graph.numbers[node])
        for index, node in enumerate(results):
            if self._places[node] != Place(Bank.RESULT, index):
                self._steps.append(Step(_copied, Place(Bank.RESULT, index), (self._places[node],)))
        numbers = tuple(map(float, self._constants))
        return Plan(tuple(self._steps), numbers, len(columns), len(results), *self._counts.values())

    def _compute(self, node: int, ended: list[Place]) -> None:
        """Add the step of an operation, whose last use of some registers this is."""
        row, arguments = self._graph.operations[node], self._graph.arguments[node]
        if row.name == "where":
            condition, a, b = self._truth(arguments[0], ended), *(self._number(n, ended) for n in arguments[1:])
            target = b if b in ended and node not in self._results else self._target(node, Bank.NUMBER)
            self._release(place for place in ended if place != target)
            self._steps.append(Step(_chosen, target, (condition, a, b)))
        else:
            operand = self._truth if row.name in LOGIC else self._number
            sources = tuple([operand(argument, ended) for argument in arguments])
            self._release(ended)  # before the target is taken: an operation may write over what it reads
            target = self._target(node, Bank.TRUTH if row.name in CONDITIONS else Bank.NUMBER)
            self._steps.append(self._step(row, target, sources))
        self._places[node] = target

    def _step(self, row: Operation, target: Place, sources: tuple[Place, ...]) -> Step:
        function = arrays.function(row, len(sources))
        assert function is not None, row.name
        return Step(function, target, sources)

    def _target(self, node: int, bank: Bank) -> Place:
        """Where the node's numbers go: to the result that it is, else to a register."""
        return self._results[node] if node in self._results and bank is Bank.NUMBER else self._register(bank)

    def _register(self, bank: Bank) -> Place:
        if self._free[bank]:
            return self._free[bank].pop()
        self._counts[bank] += 1
        return Place(bank, self._counts[bank] - 1)

    def _release(self, places: Iterable[Place]) -> None:
        for place in places:
            self._free[place.bank].append(place)

    def _constant(self, number: float) -> Place:
        return self._constants.setdefault(repr(number), Place(Bank.CONSTANT, len(self._constants)))

    def _number(self, node: int, ended: list[Place]) -> Place:
        """The node's place as numbers, in a register for the moment if it holds truth values."""
        place = self._places[node]
        return self._converted(_copied, Bank.NUMBER, (place,), ended) if place.bank is Bank.TRUTH else place

    def _truth(self, node: int, ended: list[Place]) -> Place:
        """The node's place as truth values."""
        place = self._places[node]
        if place.bank is Bank.TRUTH:
            return place
        return self._converted(numpy.not_equal, Bank.TRUTH, (place, self._constant(0.0)), ended)

    def _converted(
        self, function: Callable[..., Any], bank: Bank, sources: tuple[Place, ...], ended: list[Place]
    ) -> Place:
        target = self._register(bank)
        self._steps.append(Step(function, target, sources))
        ended.append(target)
        return target


def _copied(source: Array, out: Array) -> None:
    numpy.copyto(out, source)


def _chosen(condition: Array, a: Array, b: Array, out: Array) -> None:
    """`a` where the condition holds, else `b`, which may be where the result goes."""
    if out is not b:
        numpy.copyto(out, b)
    numpy.copyto(out, a, where=condition)
