"""What a picture is made of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..evaluation import Evaluation, evaluate
from ..graph import Graph
from ..notation import CALL, elided, spelled
from ..operations import CONSTANT, INPUT
from ..printer import Text, constant
from ..program import Program

Kind = Literal["input", "constant", "intermediate", "output"]

_WIDEST = 60  # columns of a formula that is made up


@dataclass(frozen=True)
class Subject:
    """A graph, and what is known of its nodes."""

    graph: Graph
    order: Sequence[int]
    """the nodes that the output depends on, in topological order"""
    output: int
    inputs: Collection[int]
    names: Callable[[int], str]
    """the label of a node; "" for one without"""
    texts: Callable[[int], str]
    """its label, else its formula, else none"""
    data: Sequence[float] | None = None
    grads: Sequence[float | None] | None = None

    @classmethod
    def of(cls, source: Program | Evaluation) -> Subject:
        """A program alone shows its structure, an evaluation its numbers too."""
        program = source if isinstance(source, Program) else source.program
        graph, output = program.graph, program.output

        def name(node: int) -> str:
            return (node == output and program.output_name) or graph.labels.get(node, "")

        def text(node: int) -> str:
            return name(node) or program.formula(node)

        if isinstance(source, Program):
            order = graph.needed([output])
            return cls(graph, order, output, set(program.inputs.values()), name, text)
        inputs = set(source.inputs.values())
        return cls(graph, source.order, output, inputs, name, text, source.values, source.adjoints)

    @classmethod
    def bare(cls, graph: Graph, data: Sequence[float], grads: Sequence[float | None] | None) -> Subject:
        """A graph that no text stands behind; its last node is the output.

        A node without a label is called by what it was computed from, as far as that has names.
        """
        texts: list[str] = []  # made when the first is asked for: a graph may be too large to draw

        def text(node: int) -> str:
            if not texts:
                texts.extend(_spelled(graph))
            return texts[node]

        order = range(len(graph))
        return cls(graph, order, order[-1], (), lambda node: graph.labels.get(node, ""), text, data, grads)

    def kind(self, node: int) -> Kind:
        """What part the node plays."""
        operation = self.graph.operations[node]
        if operation is INPUT or node in self.inputs:
            return "input"
        if operation is CONSTANT:
            return "constant"
        return "output" if node == self.output else "intermediate"

    def is_named(self, node: int) -> bool:
        """Is it an input, the output, or a computed value that has a name?"""
        kind = self.kind(node)
        return node == self.output or kind == "input" or (kind == "intermediate" and bool(self.names(node)))


def at(program: Program, point: Mapping[str, float], wrt: Sequence[str] | None = None) -> Program | Evaluation:
    """What there is to draw: the evaluation, or the program alone where no input is given a number and one needs it.

    Raises AutodiffError where some inputs are given numbers and others have none.
    """
    given = any(name in program.inputs or name in program.constants for name in point)
    if not given and wrt is None:
        needed, numbers = set(program.graph.needed([program.output])), program.graph.numbers
        if any(node in needed and node not in numbers for node in program.inputs.values()):
            return program
    return evaluate(program, point, wrt)


def _spelled(graph: Graph) -> list[str]:
    """Each node's label, else its number, else its operation written with those of its arguments; "" without them."""
    texts: list[Text] = []
    for node, row in enumerate(graph.operations):
        operands = [texts[argument] for argument in graph.arguments[node]]
        if node in graph.labels:
            texts.append((graph.labels[node], CALL))
        elif row is CONSTANT:
            texts.append(constant(graph, node))
        elif operands and all(text for text, _ in operands):
            texts.append((elided(spelled(row, operands), _WIDEST), row.precedence if row.symbol else CALL))
        else:
            texts.append(("", CALL))
    return [text for text, _ in texts]
