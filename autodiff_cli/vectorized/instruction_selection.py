"""Instruction selection: from the nodes of a graph to functions of arrays, each of which writes a virtual register."""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ..arithmetic import arrays
from ..arithmetic.arrays import Doubles
from ..lowering.language import CONDITIONS, LOGIC
from ..operations import CONSTANT, DIV, WHERE, Operation
from .gradient_graph import PREFERRED, WINS, GradientGraph
from .plan import RegisterKind


class Instruction(NamedTuple):
    """A function of other instructions' results; without a function, a column or a constant."""

    kind: RegisterKind
    """of its result"""
    function: Callable[..., object] | None = None
    operands: tuple[int, ...] = ()
    """instructions"""
    on_bits: bool = False
    """the function takes doubles as 64-bit integers"""
    position: int = 0
    """among the columns or the constants"""


class SelectOperands(NamedTuple):
    """What an instruction selects from, row by row; as instructions, but for the conditions, which are nodes."""

    first: int
    second: int
    condition: int
    """true where the first is taken"""
    tie: int | None = None
    """true where neither is taken"""


class InstructionSelection:
    """The instructions for a graph, in order. A select is computed on bits, by masks of ones and zeros."""

    def __init__(self, graph: GradientGraph) -> None:
        self.instructions: list[Instruction] = []
        self.selects: dict[int, SelectOperands] = {}
        self.constants: list[float] = []
        self._graph, operations = graph.graph, graph.graph.operations
        self._by_content: dict[tuple[object, ...], int] = {}
        self._comparisons = {
            (operation, operands): node
            for node, (operation, operands) in enumerate(zip(operations, self._graph.arguments, strict=True))
            if operation in WINS.values()
        }
        self._of_node = {
            node: self._append(Instruction(RegisterKind.COLUMN, position=position))
            for position, node in enumerate(graph.columns)
        }
        for node in self._graph.needed(graph.results):
            if node not in self._of_node:
                self._of_node[node] = self._node(node)
        self.results = [self._number(node) for node in graph.results]

    def _append(self, instruction: Instruction) -> int:
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    def _instruction(
        self, kind: RegisterKind, function: Callable[..., object], *operands: int, on_bits: bool = False
    ) -> int:
        """The instruction of this content; a new one if there is none yet."""
        content = kind, function, operands
        if content not in self._by_content:
            self._by_content[content] = self._append(Instruction(kind, function, operands, on_bits))
        return self._by_content[content]

    def _node(self, node: int) -> int:
        operation, operands = self._graph.operations[node], self._graph.arguments[node]
        if operation is CONSTANT:
            return self._constant(self._graph.numbers[node])
        if operation is WHERE:
            condition, first, second = operands
            return self._note_select(self._select(*operands), first, second, condition)
        if operation is PREFERRED:
            condition, tie, first, second = operands
            winner = self._select(condition, first, second)
            operands = self._truth(tie), self._number(first), self._number(second), winner
            return self._note_select(self._number_of(_mean_where_tied, *operands), first, second, condition, tie)
        return self._call(operation, operands)

    def _call(self, operation: Operation, operands: Sequence[int]) -> int:
        """An operation that NumPy or scipy.special has."""
        function = arrays.function(operation, len(operands))
        assert function is not None, operation.name
        sources = [self._truth(a) if operation.name in LOGIC else self._number(a) for a in operands]
        if operation is DIV and (reciprocal := _exact_reciprocal(self._graph.numbers.get(operands[1], 0.0))):
            return self._number_of(numpy.multiply, sources[0], self._constant(reciprocal))
        kind = RegisterKind.TRUTH if operation.name in CONDITIONS else RegisterKind.NUMBER
        instruction = self._instruction(kind, _WITH_KEYWORD.get(operation.name, function), *sources)
        for first, second in (operands, operands[::-1]) if operation in WINS else ():
            condition = self._comparisons.get((WINS[operation], (first, second)))
            if condition is not None:
                self._note_select(instruction, first, second, condition)
        return instruction

    def _constant(self, number: float) -> int:
        self.constants.append(number)
        return self._append(Instruction(RegisterKind.CONSTANT, position=len(self.constants) - 1))

    def _note_select(self, instruction: int, first: int, second: int, condition: int, tie: int | None = None) -> int:
        """Record which nodes an instruction selects from."""
        self.selects[instruction] = SelectOperands(self._number(first), self._number(second), condition, tie)
        return instruction

    def _select(self, condition: int, first: int, second: int) -> int:
        """The first node's bits where the condition holds, else the second's: `(first ^ second) & mask ^ second`."""
        ones = self._instruction(RegisterKind.MASK, copy, self._truth(condition))
        mask = self._instruction(RegisterKind.MASK, numpy.negative, ones)
        a, b, number = self._number(first), self._number(second), self._graph.numbers.get
        if number(second) == 0:
            return self._number_of(numpy.bitwise_and, a, mask, on_bits=True)
        change = b if number(first) == 0 else self._number_of(numpy.bitwise_xor, a, b, on_bits=True)
        masked = self._number_of(numpy.bitwise_and, change, mask, on_bits=True)
        return self._number_of(numpy.bitwise_xor, masked, b, on_bits=True)

    def _number_of(self, function: Callable[..., object], *operands: int, on_bits: bool = False) -> int:
        return self._instruction(RegisterKind.NUMBER, function, *operands, on_bits=on_bits)

    def _number(self, node: int) -> int:
        """The node's instruction, its truth values turned into doubles."""
        instruction = self._of_node[node]
        is_truth = self.instructions[instruction].kind is RegisterKind.TRUTH
        return self._number_of(copy, instruction) if is_truth else instruction

    def _truth(self, node: int) -> int:
        """The node's instruction, its doubles turned into truth values."""
        instruction = self._of_node[node]
        is_truth = self.instructions[instruction].kind is RegisterKind.TRUTH
        return instruction if is_truth else self._instruction(RegisterKind.TRUTH, _nonzero, instruction)


def _exact_reciprocal(number: float) -> float:
    """What to multiply by instead of dividing, which takes longer; 0 where the results could differ."""
    mantissa, exponent = math.frexp(number)
    return 1 / number if abs(mantissa) == 0.5 and abs(exponent) < 1000 else 0.0


def copy(source: NDArray[Any], out: NDArray[Any]) -> None:
    """Copy an array, converted to the type of the target."""
    numpy.copyto(out, source)


def maximum(a: Doubles, b: Doubles, out: Doubles) -> None:
    """The larger of two numbers."""
    numpy.maximum(a, b, out=out)


def minimum(a: Doubles, b: Doubles, out: Doubles) -> None:
    """The smaller of two numbers."""
    numpy.minimum(a, b, out=out)


_WITH_KEYWORD = {"max": maximum, "min": minimum}
"""the functions whose target NumPy takes as a keyword only; for all others it is the last argument"""


def _nonzero(source: Doubles, out: NDArray[numpy.bool_]) -> None:
    numpy.not_equal(source, 0.0, out)


def _mean_where_tied(
    tie: NDArray[numpy.bool_],
    first: Doubles,
    second: Doubles,
    winner: Doubles,
    out: Doubles,
) -> None:
    """The winner's number, but the mean of both where the operands tie, which is rare."""
    mean = 0.5 * first + 0.5 * second if numpy.count_nonzero(tie) else None
    if out is not winner:
        numpy.copyto(out, winner)
    if mean is not None:
        numpy.copyto(out, mean, where=tie)
