"""The report on an evaluation: the value and the gradient of every node."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, starmap
from typing import Any, ClassVar, Literal

from ..operations import CONSTANT
from ..output.report import MOST_SHOWN, Cell, Column, Content, Line, Records, Report, Row, Table
from . import Evaluation

Nodes = Literal["all", "named", "inputs"]


def summary(evaluation: Evaluation) -> dict[str, Any]:
    """The document of an evaluation without its nodes."""
    gradient = evaluation.gradient
    lists = evaluation.program.given_lists(gradient)
    return {
        "output": evaluation.program.output_name,
        "value": evaluation.value,
        "gradient": gradient,
        **({"gradient_lists": lists} if lists else {}),
    }


@dataclass(frozen=True)
class EvaluationReport(Report):
    """The nodes of an evaluation; a subclass adds to each, or to them all."""

    evaluation: Evaluation
    nodes: Nodes | None = None
    """the nodes that are shown; None leaves them to the format"""
    precision: int = 4
    """decimal places in the table"""
    hint: str = ""
    """shown below a table that leaves nodes out: how to see every one"""

    derivative: ClassVar[str] = "grad"
    """the heading of the adjoints"""

    def tables(self) -> Iterator[Table | Line]:
        """A row for each node in topological order, the output last and set apart."""
        nodes = self.nodes or self._fitting()
        shown = self.shown(nodes)
        unused = [Row(self.cells(name, None), "dim") for name in self._unused()]
        apart = dict(self._other_names())
        others = [Row((Cell(name, "cyan"), *self.cells(name, node)[1:])) for name, node in apart.items()]
        *rows_above, last = [self.cells(self.evaluation.program.title(node, apart), node) for node in shown]
        above = [*others, *map(Row, rows_above)]
        if above:
            above[-1] = above[-1]._replace(ends_section=True)
        rows = [*unused, *above, Row(last, style="bold")]
        yield Table(self.columns, rows, self.precision, self._caption(nodes, len(shown)))

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the table."""
        return (
            Column("node", most=60),
            Column("operation", is_spare=True),
            Column("data", is_number=True),
            Column(self.derivative, is_number=True),
        )

    def cells(self, name: str, node: int | None) -> Sequence[Content | Cell]:
        """A name in the table, and its node; None if the output does not depend on it."""
        if node is None:
            return name, "unused", None, 0.0
        operation = self.evaluation.program.graph.operations[node]
        shown, style = operation.symbol or operation.name, ""
        if self.evaluation.is_input(node):
            shown, style = "input", "cyan"
        elif operation is CONSTANT:
            style = "dim"
        elif node == self.evaluation.program.output:
            style = "green"
        return Cell(name, style), Cell(shown, style), self.evaluation.values[node], self.evaluation.adjoints[node]

    def records(self) -> Records:
        """A row for each input, for what the gradient is with respect to, and last for the output."""
        unused = ((name, None) for name in self._unused())
        nodes = ((self._name(node), node) for node in self.shown(self.nodes or "inputs"))
        others = self._other_names({} if self.nodes in (None, "inputs") else self.evaluation.program.names)
        return Records(self.header, starmap(self.record, chain(unused, others, nodes)))

    @property
    def header(self) -> Sequence[str]:
        """The header of the records."""
        return "name", "value", self.derivative

    def record(self, name: str, node: int | None) -> Sequence[Content]:
        """A name among the records, and its node; None if the output does not depend on it."""
        return (
            (name, None, 0.0) if node is None else (name, self.evaluation.values[node], self.evaluation.adjoints[node])
        )

    def document(self) -> dict[str, Any]:
        """Output, value and gradient, and all nodes."""
        return {**summary(self.evaluation), "nodes": map(self.node, self.evaluation.order)}

    def node(self, node: int) -> dict[str, Any]:
        """A node in the document."""
        evaluation, graph = self.evaluation, self.evaluation.program.graph
        aliases = evaluation.program.aliases.get(node)
        return {
            "label": graph.labels.get(node),
            **({"aliases": aliases} if aliases else {}),
            "operation": "input" if self.evaluation.is_input(node) else graph.operations[node].name,
            "arguments": [self._places[argument] for argument in graph.arguments[node]],
            "span": list(graph.span(node)),
            "data": evaluation.values[node],
            self.derivative: evaluation.adjoints[node],
        }

    def lines(self) -> Iterator[Sequence[Content]]:
        """The value, then a name and its partial derivative in each line."""
        yield (self.evaluation.value,)
        yield from self.evaluation.gradient.items()

    def shown(self, nodes: Nodes) -> list[int]:
        """The nodes that have a row, in topological order; the output is always the last."""
        evaluation, graph, output = self.evaluation, self.evaluation.program.graph, self.evaluation.program.output
        if nodes == "all":
            return evaluation.order
        wanted = {*evaluation.inputs.values(), *evaluation.nodes.values()}
        if nodes == "named":
            wanted |= {node for node in graph.labels if graph.operations[node] is not CONSTANT}
        return [node for node in evaluation.order if node in wanted and node != output] + [output]

    def _unused(self) -> list[str]:
        """The names that a gradient was asked for and that the output does not depend on."""
        used = set(self.evaluation.order)
        return [name for name, node in self.evaluation.nodes.items() if node not in used]

    def _other_names(self, names: Mapping[str, int] = {}) -> list[tuple[str, int]]:
        """The inputs, the names of the gradient and these whose node has its row under another name: x in `y = x`."""
        evaluation = self.evaluation
        used = set(evaluation.order)
        named = {**evaluation.inputs, **evaluation.nodes, **names}.items()
        return [(name, node) for name, node in named if node in used and name != self._name(node)]

    def _name(self, node: int) -> str:
        """The name of a node, or its text."""
        program = self.evaluation.program
        return program.output_name or program.text(node) if node == program.output else program.text(node)

    @cached_property
    def _places(self) -> dict[int, int]:
        return {node: place for place, node in enumerate(self.evaluation.order)}

    def _fitting(self) -> Nodes:
        """The most that fits: all nodes, the named ones, or the inputs."""
        choices: tuple[Nodes, ...] = ("all", "named")
        return next((choice for choice in choices if len(self.shown(choice)) <= MOST_SHOWN), "inputs")

    def _caption(self, nodes: Nodes, shown: int) -> str:
        """The number of nodes in a table that leaves some out without being asked to, in words; else ""."""
        if self.nodes is not None or shown == len(self.evaluation.order):
            return ""
        kinds = "inputs, the named values" if nodes == "named" else "inputs"
        caption = f"{shown:,} of {len(self.evaluation.order):,} nodes: the {kinds} and the output"
        return "; ".join(filter(None, (caption, self.hint)))
