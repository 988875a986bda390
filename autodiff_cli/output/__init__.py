"""How a result is written: one file for each format, found by its name.

A format's module has `write(report, out)`, which writes a whole report to an open text file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TextIO

from ..evaluation import Evaluation
from ..operations import CONSTANT, INPUT

if TYPE_CHECKING:  # the check brings mpmath, which nothing else has to wait for
    from collections.abc import Sequence

    from ..gradient_check.checker import Verdict

FORMATS = ("table", "json", "csv", "tsv", "plain")

Nodes = Literal["all", "named", "inputs"]


@dataclass(frozen=True)
class Report:
    """What there is to write, and how a person wants to see it."""

    evaluation: Evaluation
    nodes: Nodes | None = None
    """which nodes have a row; None leaves it to the format"""
    precision: int = 4
    """digits after the point in the table"""
    verdicts: "Sequence[Verdict] | None" = None
    """what the gradient check says, where it was asked for"""
    derivative: Literal["grad", "slope"] = "grad"
    """what the evaluation's adjoints are: slopes, after a sweep forward"""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """further fields of the JSON object"""

    def verdict(self, node: int) -> "Verdict | None":
        """What the gradient check says of a node."""
        return self._by_node.get(node)

    @cached_property
    def _by_node(self) -> "dict[int | None, Verdict]":
        return {verdict.node: verdict for verdict in self.verdicts or ()}

    def rows(self, nodes: Nodes) -> list[int]:
        """The nodes that have a row, in topological order; the output is always the last."""
        graph, output = self.evaluation.program.graph, self.evaluation.program.output
        if nodes == "all":
            return self.evaluation.order
        wanted = {*self.evaluation.inputs.values(), *self.evaluation.nodes.values()}
        if nodes == "named":
            wanted |= {node for node in graph.labels if graph.operations[node] is not CONSTANT}
        return [node for node in self.evaluation.order if node in wanted and node != output] + [output]

    def without_node(self) -> list[str]:
        """The names that a gradient was asked for and that the output does not depend on: it is 0."""
        used = set(self.evaluation.order)
        return [name for name, node in self.evaluation.nodes.items() if node not in used]

    def name(self, node: int) -> str:
        """What a row is called: the node's name or its text."""
        program = self.evaluation.program
        return program.output_name or program.text(node) if node == program.output else program.text(node)

    def is_input(self, node: int) -> bool:
        """Is the node an input at this point?"""
        operation = self.evaluation.program.graph.operations[node]
        return operation is INPUT or (operation is CONSTANT and node in self.evaluation.inputs.values())


def write(report: Report, name: str, out: TextIO) -> None:
    """Write a report in the format of that name."""
    import_module(f".{name}", __name__).write(report, out)


def finite_or_text(number: float | None) -> float | str | None:
    """A number as JSON can hold it: `"nan"`, `"inf"` and `"-inf"` are texts."""
    return number if number is None or isfinite(number) else repr(number)
