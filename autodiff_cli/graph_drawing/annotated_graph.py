"""Graphs with the names, texts, values and gradients of their nodes, from which pictures are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from ..arithmetic import floats
from ..evaluation import Evaluation, evaluate
from ..notation import canonical, elided
from ..operations import CONSTANT, INPUT
from ..parser.tokens import NAME, tokens
from ..program import Program

NodeKind = Literal["input", "constant", "intermediate", "output"]

_NAME = re.compile(NAME)
_FORMULA_WIDTH = 60  # columns of the formula of a node that no source text belongs to


class AnnotatedGraph:
    """The graph of a program, or that of an evaluation with its values and gradients; the methods take a node."""

    def __init__(self, source: Program | Evaluation) -> None:
        self._program = source if isinstance(source, Program) else source.program
        self.graph, self.output = self._program.graph, self._program.output
        self.order: Sequence[int]
        """the nodes that the output depends on, in topological order"""
        self.values: Sequence[float] | None = None
        self.gradients: Sequence[float | None] | None = None
        if isinstance(source, Program):
            self.order = self.graph.needed([self.output])
        else:
            self.order, self.values, self.gradients = source.order, source.values, source.adjoints
        self._inputs = set(source.inputs.values())
        self._as_written = _names_as_written(self._program.source.text)

    def name(self, node: int) -> str:
        """The label of a node; "" for one without."""
        is_named_output = node == self.output and self._program.output_name
        return self._as_written(is_named_output or self.graph.labels.get(node, ""))

    def text(self, node: int) -> str:
        """The label of a node, else its formula."""
        if name := self.name(node):
            return name
        formula = self._program.formula(node)
        return self._as_written(formula) if self._program.source.text else elided(formula, _FORMULA_WIDTH)

    def title(self, node: int) -> str:
        """All names of a node, such as `y = x`, else its formula."""
        aliases = self._program.aliases.get(node)
        return self._as_written(self._program.title(node)) if aliases else self.text(node)

    def kind(self, node: int) -> NodeKind:
        """Whether the node is an input, a constant, the output or an intermediate value."""
        operation = self.graph.operations[node]
        if operation is INPUT or node in self._inputs:
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
        return node == self.output or kind == "input" or (kind == "intermediate" and bool(self.name(node)))


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
