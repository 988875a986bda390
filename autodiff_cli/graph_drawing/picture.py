"""A picture of a computation graph as data: boxes with values and gradients, and what each is computed from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, isfinite
from typing import Literal, TypedDict, Unpack

from ..errors import AutodiffError, Remedy
from ..evaluation import Evaluation
from ..notation import CALL, decimal, elided, operation_text
from ..operations import WHERE, Operation
from ..program import Program
from ..terminal.printable_text import columns, one_line
from ..work_budget import charge
from .annotated_graph import AnnotatedGraph, NodeKind
from .drawn_nodes import DrawnNode, drawn_nodes

DrawnNodes = Literal["all", "named"]
Direction = Literal["LR", "TB"]
ColoredBy = Literal["kind", "gradient"]


class Look(TypedDict, total=False):
    """The style of a picture, whatever it shows; the fields of `Picture` of these names."""

    precision: int
    stacked: bool | None
    direction: Direction
    color: ColoredBy
    dark: bool
    partials: bool


MOST_NODES = 500
"""the default limit: a larger picture is too large to read"""
_NODE = 3e-5
"""the work of drawing one"""
_EASY = 60
"""boxes of the part that is drawn of a larger graph"""
_DEPTHS = range(5, -1, -1)
"""the depths that are tried for a picture that is too large: the largest that fits is proposed"""
_NAME_WIDTH, _TEXT_WIDTH = 40, 26  # columns of a name in its box, and of a formula
_WIDEST = 675
"""points, 900 pixels: in a wider picture the texts of a box are stacked"""
_LETTER, _PADDING, _BETWEEN = 6.6, 13, 74
"""points: the width of a letter, of the margins of a text, and from a box to the next across an operation"""
_TITLE_WIDTH = 60
_BRANCHES = ("if", "then", "else")
"""the arguments of `where`"""


@dataclass(frozen=True)
class Box:
    """A node of the graph as it is drawn: its name, its numbers, and the operation that computes it."""

    node: int
    """its index in the graph"""
    name: str
    """its label; "" for a node without one"""
    text: str
    """its label, else its formula; "" for a node that has neither"""
    title: str
    """the same, but with all its names, such as `y = x`"""
    kind: NodeKind
    operation: Operation | None = None
    """the operation that computes it; None for a leaf"""
    arguments: tuple[int, ...] = ()
    """the nodes of the boxes that it is drawn as computed from"""
    skips_operations: bool = False
    """whether operations that are not drawn are between it and its arguments"""
    lacks_arguments: bool = False
    """whether some of its arguments are not drawn"""
    data: float | None = None
    grad: float | None = None
    partials: tuple[float | None, ...] = ()
    """the derivative of the operation with respect to each of the arguments, where there are numbers"""

    @property
    def is_nonfinite(self) -> bool:
        """Whether its value or its gradient is an infinity or nan."""
        return any(number is not None and not isfinite(number) for number in (self.data, self.grad))

    @property
    def is_complete(self) -> bool:
        """Whether the operation and all of its arguments are drawn."""
        return not self.skips_operations and not self.lacks_arguments

    @property
    def symbol(self) -> str:
        """The operation's symbol or name, such as `+` or `tanh`; "…" for several operations, "" for a leaf."""
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
    """decimal places"""
    stacked: bool | None = None
    """whether the texts of a box are one below the other; None where the picture would be too wide otherwise"""
    direction: Direction = "LR"
    """from the inputs on the left to the output on the right, or from the top to the bottom"""
    color: ColoredBy = "kind"
    """whether colours show the kinds of boxes or their gradients"""
    dark: bool = False
    """whether the background is dark"""
    partials: bool = False
    """whether the derivative of an operation with respect to an argument is written on the edge between them"""

    @classmethod
    def of(
        cls,
        source: Program | Evaluation,
        *,
        nodes: DrawnNodes = "all",
        depth: int | None = None,
        most: int | None = None,
        **look: Unpack[Look],
    ) -> Picture:
        """Draw all nodes or the named ones, and only those at most `depth` operations away from the output.

        Raises AutodiffError where these are more than `most`.
        """
        graph = AnnotatedGraph(source)
        is_kept = graph.is_named if nodes == "named" else lambda node: True
        up_to = partial(drawn_nodes, graph.graph, graph.output, is_kept)
        drawn = up_to(inf if depth is None else depth)
        if most is not None and len(drawn) > most:
            raise _too_many(len(drawn), most, next(less for less in _DEPTHS if len(up_to(less)) <= max(most, 1)))
        charge(_NODE * len(drawn))
        boxes = tuple([_box(graph, node, links, bool(look.get("partials"))) for node, links in drawn.items()])
        return cls(boxes, graph.output, len(graph.order) - len(boxes), **look)

    @classmethod
    def near(cls, source: Evaluation) -> Picture:
        """All nodes, or where these are too many those nearest to the output, as far as they can be read."""
        if len(source.order) <= MOST_NODES:
            return cls.of(source)
        attempts = (cls.of(source, depth=depth) for depth in _DEPTHS)
        return next(picture for picture in attempts if len(picture.boxes) <= _EASY)

    @cached_property
    def by_node(self) -> dict[int, Box]:
        """The boxes by their nodes."""
        return {box.node: box for box in self.boxes}

    @cached_property
    def is_stacked(self) -> bool:
        """Whether the texts of a box are one below the other."""
        if self.stacked is not None or self.direction == "TB":
            return self.stacked is not False
        ends: dict[int, float] = {}  # of a box drawn in one line, if all before it are
        for box in self.boxes:
            begin = max((ends[argument] + _BETWEEN for argument in box.arguments), default=0.0)
            ends[box.node] = begin + sum(_LETTER * columns(cell) + _PADDING for cell in self.cells(box))
        return max(ends.values()) > _WIDEST

    @cached_property
    def columns(self) -> dict[int, int]:
        """The approximate column of each box in the layout: after its arguments; a leaf just before its first use."""
        columns: dict[int, int] = {}
        for box in self.boxes:
            columns[box.node] = 1 + max((columns[argument] for argument in box.arguments), default=-1)
        first_use: dict[int, int] = {}
        for box in self.boxes:
            for argument in box.arguments:
                first_use[argument] = min(first_use.get(argument, columns[box.node]), columns[box.node])
        return columns | {box.node: first_use.get(box.node, 1) - 1 for box in self.boxes if not box.arguments}

    @property
    def columns_crossed(self) -> int:
        """The approximate number of columns that all edges together cross."""
        column = self.columns
        return sum(column[box.node] - column[argument] for box in self.boxes for argument in box.arguments)

    @cached_property
    def largest_gradient(self) -> float:
        """The size of the largest gradient that is finite; 0 without gradients."""
        return max((abs(box.grad) for box in self.boxes if box.grad is not None and isfinite(box.grad)), default=0.0)

    def cells(self, box: Box) -> list[str]:
        """The texts in a box: its name, `data 2.0000`, `grad -1.5000`, as far as it has them; never empty."""
        cells = [elided(box.title, _NAME_WIDTH if box.name else _TEXT_WIDTH)] if box.title else []
        if box.data is not None and (box.kind != "constant" or box.name):
            cells.append(f"data {decimal(box.data, self.precision)}")
        if box.grad is not None:
            cells.append(f"grad {decimal(box.grad, self.precision)}")
        return cells or ["?"]

    def arrow_text(self, box: Box, place: int) -> str:
        """The text at the arrow from an argument of a box: what it is to `where`, and its derivative; often ""."""
        words = [_BRANCHES[place]] if box.operation is WHERE and box.is_complete else []
        slope = box.partials[place] if box.partials else None
        return " ".join([*words, *([] if slope is None else [decimal(slope, self.precision)])])

    @property
    def title(self) -> str:
        """The title of the picture, which names the output."""
        output = elided(self.by_node[self.output].text, _TITLE_WIDTH)
        return f"The computation graph of {output}" if output else "A computation graph"

    @property
    def note(self) -> str:
        """The number of nodes that are drawn, in words; "" if all are."""
        if not self.hidden:
            return ""
        return f"{len(self.boxes):,} of {self.hidden + len(self.boxes):,} nodes are shown"

    @property
    def legend(self) -> str:
        """The meaning of the colours; "" for those of the kinds."""
        if self.color == "kind" or not self.largest_gradient:
            return ""
        return "gradients: blue above 0, orange below; the stronger the colour, the larger"

    def formula(self, box: Box) -> str:
        """The operation on the names of its arguments, such as `a*b`; "" for a leaf, and where nodes are left out."""
        if box.operation is None or not box.is_complete:
            return ""
        return operation_text(box.operation, [_operand(self.by_node[argument]) for argument in box.arguments])


def _operand(box: Box) -> tuple[str, int]:
    """The text of a box as an operand, and how tightly it binds."""
    text = elided(box.text, _NAME_WIDTH) or "·"
    is_formula = bool(box.operation and not box.name and box.operation.symbol)
    is_negative = box.kind == "constant" and text.startswith("-")
    return text, box.operation.precedence if box.operation and is_formula else 0 if is_negative else CALL


def _box(graph: AnnotatedGraph, node: int, links: DrawnNode, has_partials: bool) -> Box:
    tape, kind = graph.graph, graph.kind(node)
    number = tape.numbers.get(node) if kind == "constant" else None
    partials = graph.partials(node) if has_partials and not (links.skips_operations or links.lacks_arguments) else ()
    return Box(
        node,
        one_line(graph.name(node)),
        one_line(graph.text(node)),
        one_line(graph.title(node)),
        kind,
        tape.operations[node] if tape.arguments[node] else None,
        *links,
        number if graph.values is None else graph.values[node],
        None if graph.gradients is None else graph.gradients[node],
        partials,
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
