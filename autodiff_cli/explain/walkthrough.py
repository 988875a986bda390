"""An explanation as texts: the names, formulas and numbers of its nodes as every format writes them."""

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..errors import AutodiffError
from ..evaluation import Evaluation
from ..graph import Graph
from ..latex.notation import DistinctNames
from ..notation import CALL, decimal, elided, operation_text, shortest
from ..operations import ADD, INPUT, POW, PREFIX, Operation
from ..printer import Text
from ..terminal.printable_text import one_line
from .chain_rule import Contribution, Explanation
from .definitions import Definition, definitions
from .gradient_paths import GradientPaths
from .local_derivatives import literal
from .node_names import NAME_WIDTH

FACTOR = POW.precedence
"""the precedence of a factor of a product that needs no parentheses"""
_NEGATIVE = PREFIX["-"].precedence
_MOST_TEXT = 200  # characters
MOST_NODES = 500
"""the default limit: a longer walk is too long to read"""


@dataclass(frozen=True)
class Walkthrough:
    """An explanation, the names of its nodes, and how to write its numbers."""

    explanation: Explanation
    names: Mapping[int, Text]
    precision: int = 4
    """decimal places"""
    paths: tuple[GradientPaths, ...] = ()
    """the gradients to explain alone, path by path; empty for a walk through all nodes"""

    @property
    def evaluation(self) -> Evaluation:
        """The values and gradients."""
        return self.explanation.evaluation

    @property
    def graph(self) -> Graph:
        """The graph that is explained."""
        return self.evaluation.program.graph

    @property
    def output(self) -> int:
        """The node that is differentiated."""
        return self.evaluation.program.output

    @cached_property
    def forward_nodes(self) -> list[int]:
        """The nodes of the forward sweep, without the numbers that are written in the formula."""
        graph = self.graph
        return [
            node
            for node in self.evaluation.order
            if node == self.output or graph.operations[node] is INPUT or literal(graph, node) is None
        ]

    @cached_property
    def differentiated(self) -> list[int]:
        """The nodes that only values named in `D(u, x)` depend on, not the output itself, in topological order."""
        labels, order = self.graph.labels, set(self.evaluation.order)
        latest: dict[str, int] = {}  # name → the node that it stands for so far, as a name may be assigned again
        named: set[int] = set()
        for node in sorted({*labels, *self.derivatives}):
            words = re.findall(r"\w+", self.derivatives.get(node, ""))
            named.update(latest[word] for word in words if word in latest)
            if node in labels:
                latest[labels[node]] = node
        return [node for node in self.graph.needed(named) if node not in order]

    # ---- Formulas ----------------------------------------------------------------------------------------------------

    def name(self, node: int) -> str:
        """The name of a node, on one line."""
        return one_line(self.names[node][0] if node in self.names else self.evaluation.program.text(node))

    @cached_property
    def symbols(self) -> DistinctNames:
        """The names in LaTeX, all different, in which those of the program are typeset first."""
        nodes = sorted(self.forward_nodes, key=lambda node: node not in self.graph.labels)
        return DistinctNames(map(self.name, nodes))

    def shortened_name(self, name: str) -> str:
        """A name of the program, on one line and not too long."""
        return elided(one_line(name), NAME_WIDTH)

    def formula(self, node: int) -> str:
        """The node as an operation on nodes, as written after `=`: `x1*w1`, `(x > 0)`; a leaf is its number."""
        if not self.graph.arguments[node]:
            return self.figure(self.evaluation.values[node])
        return _after_equals(self.graph.operations[node], self.operation(node))

    def operation(self, node: int) -> str:
        """The node as an operation on nodes: `x1*w1`, `x > 0`."""
        operands = [(self.name(argument), self.names[argument][1]) for argument in self.graph.arguments[node]]
        return operation_text(self.graph.operations[node], operands, self._written_name(node))

    def _written_name(self, node: int) -> str:
        """The name that the source calls the node's function by, if that is not its usual one: `ln` for `log`."""
        source, start = self.evaluation.program.source.text, self.graph.starts[node]
        return next((name for name in self.graph.operations[node].aliases if source.startswith(f"{name}(", start)), "")

    def source_text(self, node: int) -> str:
        """The node's text in the source, or for a part of an expanded function its operation on such texts.

        "" where that is long.
        """
        return one_line(self._source_texts[node][0])

    def comments(self, node: int) -> list[str]:
        """The node's text in the source, with the derivative of the language that it is, `D(u, x) = 2*x`, or shorter.

        Empty where the text says no more than the formula.
        """
        text, derivative = self.source_text(node), self.derivatives.get(node, "")
        if derivative:
            return [f"{derivative} = {text}", derivative] if text else [derivative]
        is_new = self.graph.arguments[node] and "".join(text.split()) != "".join(self.formula(node).split())
        return [text] if text and is_new else []

    @cached_property
    def derivatives(self) -> dict[int, str]:
        """The results of `D(…)` in the source, with their texts there; what leads to them has the same place."""
        graph, source = self.graph, self.evaluation.program.source.text
        results = {
            node: graph.span(node)
            for node in graph.unwritten
            if source.startswith("D(", graph.starts[node]) and not self._is_in_function(node)
        }
        for node in list(results):
            for argument in graph.arguments[node]:
                if graph.span(argument) == graph.span(node):
                    results.pop(argument, None)
        return {
            node: elided(" ".join(one_line(source[start:end]).split()), _MOST_TEXT) + self._place_in_list(node)
            for node, (start, end) in results.items()
        }

    def _place_in_list(self, node: int) -> str:
        """The place, `[1]`, of an entry of a list that the source assigns as a whole: `g = D(u, w)`; else ""."""
        start = self.graph.starts[node]
        name, bracket, place = self.graph.labels.get(node, "").partition("[")
        before = self.evaluation.program.source.text[max(0, start - _MOST_TEXT) : start].rstrip()
        is_whole = before.endswith("=") and before[:-1].rstrip().endswith(name)
        return f"{bracket}{place}" if is_whole else ""

    @cached_property
    def definitions(self) -> list[Definition]:
        """The functions that the program defines."""
        return definitions(self.evaluation.program.source.text)

    def _is_in_function(self, node: int) -> bool:
        """Whether the node's text is part of the definition of a function, so that it is in terms of parameters."""
        start = self.graph.starts[node]
        place = bisect(self.definitions, start, key=lambda definition: definition.start)
        return place > 0 and start < self.definitions[place - 1].end

    @cached_property
    def _source_texts(self) -> dict[int, Text]:
        program, graph = self.evaluation.program, self.graph
        texts: dict[int, Text] = {}
        for node in [*self.evaluation.order, *self.differentiated]:
            if graph.arguments[node] and (node in graph.unwritten or self._is_in_function(node)):
                operands = [(graph.labels[a], CALL) if a in graph.labels else texts[a] for a in graph.arguments[node]]
                text = operation_text(graph.operations[node], operands) if all(text for text, _ in operands) else ""
            else:
                start, end = graph.span(node)
                text = program.formula(node) if end - start <= 2 * _MOST_TEXT else ""
            texts[node] = text if len(text) <= _MOST_TEXT else "", program.binding(node)
        return texts

    def rule(self, contribution: Contribution) -> str:
        """A local derivative as a formula."""
        return one_line(contribution.rule)

    def factor(self, contribution: Contribution) -> str:
        """A local derivative as a factor of a product."""
        rule = self.rule(contribution)
        return rule if contribution.binding >= FACTOR else f"({rule})"

    # ---- Numbers -----------------------------------------------------------------------------------------------------

    def filled(self, node: int) -> str:
        """The node as an operation on numbers: `2*(-3)`."""
        operation, arguments = self.graph.operations[node], self.graph.arguments[node]
        operands = [
            self._operand(argument, is_first=place == 0 and len(arguments) > 1)
            for place, argument in enumerate(arguments)
        ]
        return _after_equals(operation, operation_text(operation, operands, self._written_name(node)))

    def _operand(self, node: int, *, is_first: bool) -> Text:
        number = literal(self.graph, node)
        text = self.figure(self.evaluation.values[node]) if number is None else shortest(number)
        negative = text.startswith("-")
        return text, CALL if not negative else _NEGATIVE if is_first else 0

    def figure(self, number: float) -> str:
        """A number with the digits to show; only an integer has no decimal point.

        A small one has as many significant digits as others below 1, so that a pocket calculator confirms the products.
        """
        if abs(number) < 1e6 and number == int(number):
            return str(int(number))
        if abs(number) < 0.1:
            return f"{number:#.{self.precision}g}"
        text = decimal(number, self.precision)
        return text + "." * text.lstrip("-").isdecimal()

    def enclosed(self, number: float) -> str:
        """A number as the second factor or term."""
        text = self.figure(number)
        return f"({text})" if text.startswith("-") else text

    def added(self, numbers: Sequence[float]) -> str:
        """Numbers as a sum: `3 + (-6)`."""
        return " + ".join([self.figure(numbers[0]), *map(self.enclosed, numbers[1:])])

    def terms(self, node: int | None) -> list[Contribution]:
        """The contributions that add up to a node's gradient, without those that a gradient of 0 passes on."""
        adjoints, received = self.explanation.adjoints, self.explanation.received
        return (
            []
            if node is None or self.explanation.is_limit(node)
            else [link for link in received.get(node, ()) if adjoints[link.result]]
        )


def require_short(evaluation: Evaluation, most: int, hint: str) -> None:
    """Raise AutodiffError for a walk through more than `most` nodes."""
    count = len(evaluation.order)
    if count > most:
        message = f"a walk through {count:,} nodes would be too long to read: the limit is {most:,}"
        raise AutodiffError(message, hint=hint)


def _after_equals(operation: Operation, text: str) -> str:
    """An operation as written between equals signs: a comparison in parentheses."""
    return f"({text})" if operation.symbol and operation.precedence < ADD.precedence else text
