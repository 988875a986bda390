"""An explanation of a gradient, written for people and for programs: one file for each format, found by its name.

A format's module has `write(lesson, out)`, which writes a whole lesson to an open text file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TextIO

from ...errors import one_line
from ...evaluation import Evaluation
from ...graph import Graph
from ...notation import CALL, decimal, elided, shortest, spelled
from ...operations import CONSTANT, INPUT, OPERATIONS, PREFIX, Operation
from ...printer import Text
from .. import Contribution, Explanation
from ..naming import NAME_WIDTH
from ..paths import Paths
from ..rules import literal

FORMATS = ("text", "markdown", "json", "latex")
_NEGATIVE = PREFIX["-"].precedence
FACTOR = OPERATIONS["pow"].precedence
"""how tightly a formula has to bind to be a factor of a product without parentheses"""
_SUM = OPERATIONS["add"].precedence
_MOST_TEXT = 200  # characters


@dataclass(frozen=True)
class Lesson:
    """What there is to explain, and how a person wants to see it."""

    explanation: Explanation
    names: Mapping[int, Text]
    """what the nodes are called"""
    precision: int = 4
    """digits after the point"""
    paths: tuple[Paths, ...] = ()
    """the gradients to explain alone, path by path; without any the whole walk is shown"""

    @property
    def evaluation(self) -> Evaluation:
        """The numbers."""
        return self.explanation.evaluation

    @property
    def graph(self) -> Graph:
        """The graph that is walked through."""
        return self.evaluation.program.graph

    @property
    def output(self) -> int:
        """What is differentiated."""
        return self.evaluation.program.output

    @cached_property
    def walk(self) -> list[int]:
        """The nodes of the pass forward: all but the numbers that stand in the formula."""
        graph = self.graph
        return [
            node
            for node in self.evaluation.order
            if node == self.output or graph.operations[node] is INPUT or literal(graph, node) is None
        ]

    def is_input(self, node: int) -> bool:
        """Is the node an input at this point?"""
        operation = self.graph.operations[node]
        return operation is INPUT or (operation is CONSTANT and node in self._inputs)

    @cached_property
    def _inputs(self) -> set[int]:
        return set(self.evaluation.inputs.values())

    def name(self, node: int) -> str:
        """What a node is called, on one line."""
        known = self.names.get(node)
        return one_line(known[0] if known else self.evaluation.program.text(node))

    def called(self, name: str) -> str:
        """A name of the gradient, on one line."""
        return elided(one_line(name), NAME_WIDTH)

    def formula(self, node: int) -> str:
        """The node as an operation on nodes, as it stands after `=`: `x1*w1`, `(x > 0)`; a leaf is its number."""
        if not self.graph.arguments[node]:
            return self.figure(self.evaluation.values[node])
        return _apart(self.graph.operations[node], self.operation(node))

    def operation(self, node: int) -> str:
        """The node as an operation on nodes: `x1*w1`, `x > 0`."""
        row, arguments = self.graph.operations[node], self.graph.arguments[node]
        return spelled(row, [(self.name(argument), self.names[argument][1]) for argument in arguments])

    def written(self, node: int) -> str:
        """The node's text in the source, or of a part of an expanded function one made from its operands.

        "" where that is long.
        """
        return one_line(self._written[node][0])

    @cached_property
    def _written(self) -> dict[int, Text]:
        program = self.evaluation.program
        texts: dict[int, Text] = {}
        for node in self.evaluation.order:
            if node in self.graph.unwritten:
                operands = [self._called(argument, texts) for argument in self.graph.arguments[node]]
                known = all(text for text, _ in operands)
                text = spelled(self.graph.operations[node], operands) if known else ""
            else:
                start, end = self.graph.span(node)
                text = program.formula(node) if end - start <= 2 * _MOST_TEXT else ""
            texts[node] = text if len(text) <= _MOST_TEXT else "", program.binding(node)
        return texts

    def _called(self, node: int, texts: Mapping[int, Text]) -> Text:
        label = self.graph.labels.get(node)
        return texts[node] if label is None else (label, CALL)

    def rule(self, contribution: Contribution) -> str:
        """A local derivative as a formula."""
        return one_line(contribution.rule)

    def factor(self, contribution: Contribution) -> str:
        """The same as a factor of a product."""
        rule = self.rule(contribution)
        return rule if contribution.binding >= FACTOR else f"({rule})"

    def filled(self, node: int) -> str:
        """The node as an operation on numbers: `2*(-3)`."""
        row, arguments = self.graph.operations[node], self.graph.arguments[node]
        return _apart(row, spelled(row, [self._operand(argument, place) for place, argument in enumerate(arguments)]))

    def _operand(self, node: int, place: int) -> Text:
        number = literal(self.graph, node)
        text = self.figure(self.evaluation.values[node]) if number is None else shortest(number)
        negative = text.startswith("-")
        return text, CALL if not negative else _NEGATIVE if place == 0 else 0

    def figure(self, number: float) -> str:
        """A number as a person writes it: a whole one without a point."""
        if abs(number) < 1e6 and number == int(number):
            return str(int(number))
        return decimal(number, self.precision)

    def sum_of(self, node: int) -> list[Contribution]:
        """The contributions that add up to a node's gradient, without those of nodes that nothing arrives at."""
        adjoints = self.explanation.adjoints
        return [one for one in self.explanation.received.get(node, ()) if adjoints[one.result]]

    def added(self, numbers: Sequence[float]) -> str:
        """Numbers as a sum: `3 + (-6)`."""
        return " + ".join([self.figure(numbers[0]), *map(self.enclosed, numbers[1:])])

    def enclosed(self, number: float) -> str:
        """A number as the second factor or term."""
        text = self.figure(number)
        return f"({text})" if text.startswith("-") else text


def _apart(row: Operation, text: str) -> str:
    """An operation as it stands between equality signs: a comparison in parentheses."""
    return f"({text})" if row.symbol and row.precedence < _SUM else text


def write(lesson: Lesson, name: str, out: TextIO) -> None:
    """Write a lesson in the format of that name."""
    import_module(f".{name}", __name__).write(lesson, out)
