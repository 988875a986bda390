"""Graphs with the names, texts, values and gradients of their nodes, from which pictures are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..arithmetic import floats
from ..evaluation import Evaluation, evaluate
from ..graph import Graph
from ..notation import CALL, canonical, elided, operation_text
from ..operations import CONSTANT, INPUT
from ..parser.tokens import NAME, tokens
from ..printer import Text, number
from ..program import Program

NodeKind = Literal["input", "constant", "intermediate", "output"]

_NAME = re.compile(NAME)
_FORMULA_WIDTH = 60  # columns of the formula of a node that no source text belongs to


@dataclass(frozen=True)
class AnnotatedGraph:
    """A graph with the names and the numbers of its nodes; the functions and sequences take a node."""

    graph: Graph
    order: Sequence[int]
    """the nodes that the output depends on, in topological order"""
    output: int
    inputs: Collection[int]
    names: Callable[[int], str]
    """the label of a node; "" for one without"""
    texts: Callable[[int], str]
    """the label of a node, else its formula, else an empty text"""
    values: Sequence[float] | None = None
    gradients: Sequence[float | None] | None = None

    @classmethod
    def of(cls, source: Program | Evaluation) -> AnnotatedGraph:
        """The graph of a program, without numbers, or that of an evaluation, with its values and gradients."""
        program = source if isinstance(source, Program) else source.program
        graph, output = program.graph, program.output

        as_written = _names_as_written(program.source.text)

        def name(node: int) -> str:
            return as_written((node == output and program.output_name) or graph.labels.get(node, ""))

        def text(node: int) -> str:
            return name(node) or as_written(program.formula(node))

        if isinstance(source, Program):
            order = graph.needed([output])
            return cls(graph, order, output, set(program.inputs.values()), name, text)
        inputs = set(source.inputs.values())
        return cls(graph, source.order, output, inputs, name, text, source.values, source.adjoints)

    @classmethod
    def without_source(
        cls, graph: Graph, values: Sequence[float], gradients: Sequence[float | None] | None
    ) -> AnnotatedGraph:
        """A graph that was not read from a text; its last node is the output.

        The text of a node without a label is its number, or its operation on the texts of its arguments.
        """
        formulas: list[str] = []  # filled on first use: a graph may be too large to draw

        def text(node: int) -> str:
            if not formulas:
                formulas.extend(_formulas(graph, values))
            return formulas[node]

        order = range(len(graph))
        return cls(graph, order, order[-1], (), lambda node: graph.labels.get(node, ""), text, values, gradients)

    def kind(self, node: int) -> NodeKind:
        """Whether the node is an input, a constant, the output or an intermediate value."""
        operation = self.graph.operations[node]
        if operation is INPUT or node in self.inputs:
            return "input"
        if operation is CONSTANT:
            return "constant"
        return "output" if node == self.output else "intermediate"

    def partials(self, node: int) -> tuple[float | None, ...]:
        """The derivative of an operation with respect to each of its arguments; None for those without a gradient.

        () for a leaf, and without gradients.
        """
        arguments = self.graph.arguments[node]
        if self.values is None or self.gradients is None or not arguments:
            return ()
        wanted = tuple([int(self.gradients[argument] is not None) for argument in arguments])
        pullback = floats.pullback(self.graph.operations[node], len(arguments), wanted)
        slopes = pullback(1.0, self.values[node], *[self.values[argument] for argument in arguments])
        return tuple([slope or 0.0 if is_wanted else None for slope, is_wanted in zip(slopes, wanted, strict=True)])

    def is_named(self, node: int) -> bool:
        """Whether the node is an input, the output, or a computed value that has a name."""
        kind = self.kind(node)
        return node == self.output or kind == "input" or (kind == "intermediate" and bool(self.names(node)))


def evaluate_if_given(
    program: Program, point: Mapping[str, float], wrt: Sequence[str] | None = None
) -> Program | Evaluation:
    """The evaluation at a point, or the program itself where no input is given a number and one needs it.

    Raises AutodiffError where some inputs are given numbers and others have none.
    """
    is_given = any(name in program.inputs or name in program.constants for name in point)
    if not is_given and wrt is None:
        needed, numbers = set(program.graph.needed([program.output])), program.graph.numbers
        if any(node in needed and node not in numbers for node in program.inputs.values()):
            return program
    return evaluate(program, point, wrt)


def _names_as_written(source: str) -> Callable[[str], str]:
    """Return a function that writes the names in a text as the source does: `γ₁`, where the program has `γ1`."""
    if source.isascii():
        return lambda text: text
    names = [token.text for token in tokens(source) if token.kind == "NAME"]
    written = {canonical(name): name for name in reversed(names)}
    return lambda text: _NAME.sub(lambda name: written.get(name[0], name[0]), text)


def _formulas(graph: Graph, values: Sequence[float]) -> list[str]:
    """Each node's label, else its number, else its operation on the formulas of its arguments."""
    texts: list[Text] = []
    for node, operation in enumerate(graph.operations):
        operands = [texts[argument] for argument in graph.arguments[node]]
        if node in graph.labels:
            texts.append((graph.labels[node], CALL))
        elif not operands:
            texts.append(number(values[node]))
        else:
            binding = operation.precedence if operation.symbol else CALL
            texts.append((elided(operation_text(operation, operands), _FORMULA_WIDTH), binding))
    return [text for text, _ in texts]
