"""A picture of a computation graph as data: boxes with values and gradients, and what each is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Literal

from ..errors import AutodiffError, Remedy, one_line
from ..evaluation import Evaluation
from ..notation import decimal, elided
from ..operations import Operation
from ..program import Program
from .annotated_graph import AnnotatedGraph, NodeKind
from .drawn_nodes import DrawnNode, drawn_nodes

Nodes = Literal["all", "named"]

COLOURS: dict[str, tuple[str, str]] = {
    "input": ("#e8f0fb", "#4a76b8"),
    "constant": ("#f1f1f1", "#a0a0a0"),
    "intermediate": ("#ffffff", "#5c6570"),
    "output": ("#e5f4e8", "#3b8a4d"),
    "operation": ("#ffffff", "#5c6570"),
}
"""kind of box → the colours of its background and of its border"""

MOST_NODES = 500
"""the default limit: a larger picture is too large to read"""
_DEPTHS = range(5, -1, -1)
"""which the error for a picture that is too large proposes: the largest that fits"""
_TEXT_WIDTH = 26  # columns of a box
_TITLE_WIDTH = 60


@dataclass(frozen=True)
class Box:
    """A node of the graph as it is drawn: its name, its numbers, and the operation that computes it."""

    node: int
    """its index in the graph"""
    name: str
    """its label; "" for a node without one"""
    text: str
    """its label, else its formula; "" for a node that has neither"""
    kind: NodeKind
    operation: Operation | None = None
    """the operation that computes it; None for a leaf"""
    arguments: tuple[int, ...] = ()
    """the nodes of the boxes that it is drawn as computed from"""
    skips_operations: bool = False
    """whether operations that are not drawn stand between it and its arguments"""
    lacks_arguments: bool = False
    """whether some of its arguments are not drawn"""
    data: float | None = None
    grad: float | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the operation and all of its arguments are drawn."""
        return not self.skips_operations and not self.lacks_arguments

    @property
    def symbol(self) -> str:
        """How the operation is written, such as `+` or `tanh`; "…" for several operations, "" for a leaf."""
        if self.operation is None:
            return ""
        return "…" if self.skips_operations else self.operation.symbol or self.operation.called

    @property
    def doc(self) -> str:
        """A short description of the operation; "" for a leaf."""
        if self.operation is None:
            return ""
        return "several operations" if self.skips_operations else self.operation.doc


@dataclass(frozen=True)
class Picture:
    """The boxes of a graph, and how to write their texts."""

    boxes: tuple[Box, ...]
    """in topological order"""
    output: int
    hidden: int = 0
    """the number of nodes of the graph that are not drawn"""
    precision: int = 4
    """digits after the point"""
    stacked: bool = False
    """whether the texts of a box stand one below the other, which makes it narrower"""

    @classmethod
    def of(
        cls,
        source: AnnotatedGraph | Program | Evaluation,
        *,
        nodes: Nodes = "all",
        depth: int | None = None,
        most: int | None = None,
        precision: int = 4,
        stacked: bool = False,
    ) -> Picture:
        """Draw all nodes or the named ones, and only those at most `depth` operations away from the output.

        Raises AutodiffError where these are more than `most`.
        """
        graph = source if isinstance(source, AnnotatedGraph) else AnnotatedGraph.of(source)
        up_to = partial(drawn_nodes, graph.graph, graph.output, graph.is_named if nodes == "named" else None)
        drawn = up_to(inf if depth is None else depth)
        if most is not None and len(drawn) > most:
            raise _too_many(len(drawn), most, next(less for less in _DEPTHS if len(up_to(less)) <= max(most, 1)))
        boxes = tuple([_box(graph, node, links) for node, links in drawn.items()])
        return cls(boxes, graph.output, len(graph.order) - len(boxes), precision, stacked)

    @cached_property
    def by_node(self) -> dict[int, Box]:
        """The boxes by their nodes."""
        return {box.node: box for box in self.boxes}

    def cells(self, box: Box) -> list[str]:
        """The texts in a box: its name, `data 2.0000`, `grad -1.5000`, as far as it has them; never empty."""
        cells = [elided(box.text, _TEXT_WIDTH)] if box.text else []
        if box.data is not None and (box.kind != "constant" or box.name):
            cells.append(f"data {decimal(box.data, self.precision)}")
        if box.grad is not None:
            cells.append(f"grad {decimal(box.grad, self.precision)}")
        return cells or ["?"]

    @property
    def title(self) -> str:
        """The title of the picture, which names the output."""
        output = elided(self.by_node[self.output].text, _TITLE_WIDTH)
        return f"The computation graph of {output}" if output else "A computation graph"

    @property
    def note(self) -> str:
        """How many nodes are drawn, if not all; else ""."""
        if not self.hidden:
            return ""
        return f"{len(self.boxes):,} of {self.hidden + len(self.boxes):,} nodes are shown"


def _box(graph: AnnotatedGraph, node: int, links: DrawnNode) -> Box:
    tape, kind = graph.graph, graph.kind(node)
    number = tape.numbers.get(node) if kind == "constant" else None
    return Box(
        node,
        one_line(graph.names(node)),
        one_line(graph.texts(node)),
        kind,
        tape.operations[node] if tape.arguments[node] else None,
        *links,
        number if graph.values is None else graph.values[node],
        None if graph.gradients is None else graph.gradients[node],
    )


def _too_many(count: int, most: int, depth: int) -> AutodiffError:
    return AutodiffError(
        f"a picture of {count:,} nodes would be too large to read: the limit is {most:,}",
        remedy=Remedy(
            "too many nodes to draw",
            (str(count), str(depth)),
            f'nodes="named" draws the values that have a name, depth={depth} what is near the output, '
            f"max_nodes={count} all of them",
        ),
    )
