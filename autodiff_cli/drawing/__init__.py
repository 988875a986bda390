"""A picture of a computation graph, as data: boxes with values and gradients, and what each is computed from.

A program, an evaluation and a `Value` all give one; each file of this folder writes it in one format.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import inf
from pathlib import PurePath
from typing import Literal

from ..errors import USAGE, AutodiffError, one_line
from ..evaluation import Evaluation
from ..notation import decimal, elided
from ..operations import Operation
from ..program import Program
from .selection import Part, select
from .subject import Kind, Subject

Nodes = Literal["all", "named"]

FORMATS = ("svg", "png", "pdf", "dot", "mermaid", "html")
ENDINGS = {f".{name}": name for name in FORMATS} | {".gv": "dot", ".mmd": "mermaid", ".htm": "html"}
"""the ending of a file's name → the format that it stands for"""

COLOURS: dict[str, tuple[str, str]] = {
    "input": ("#e8f0fb", "#4a76b8"),
    "constant": ("#f1f1f1", "#a0a0a0"),
    "intermediate": ("#ffffff", "#5c6570"),
    "output": ("#e5f4e8", "#3b8a4d"),
    "operation": ("#ffffff", "#5c6570"),
}
"""what a box is → the colour of its ground and of its line"""

MOST_NODES = 500
"""a larger picture is refused, unless it is asked for: nobody could read it"""
_TEXT_WIDTH = 26  # columns of a box
_TITLE_WIDTH = 60


@dataclass(frozen=True)
class Box:
    """A value: what it is called, its numbers, and the operation that made it of other boxes."""

    node: int
    """its index in the graph"""
    name: str
    """its label; "" for a value without one"""
    text: str
    """its label, else its formula; "" for a value that has neither"""
    kind: Kind
    row: Operation | None = None
    """the operation that made it; None for a leaf"""
    arguments: tuple[int, ...] = ()
    """the boxes that it is drawn as computed from, by their nodes"""
    joined: bool = False
    """do several operations, which are not drawn, stand between it and its arguments?"""
    cut: bool = False
    """are some of its arguments not drawn?"""
    data: float | None = None
    grad: float | None = None

    @property
    def whole(self) -> bool:
        """Is it drawn as it is computed?"""
        return not self.joined and not self.cut

    @property
    def operation(self) -> str:
        """How the operation is written, such as `+` or `tanh`; "…" for several of them, "" for a leaf."""
        if self.row is None:
            return ""
        return "…" if self.joined else self.row.symbol or self.row.called

    @property
    def doc(self) -> str:
        """What the operation is, in a few words."""
        if self.row is None:
            return ""
        return "several operations" if self.joined else self.row.doc


@dataclass(frozen=True)
class Picture:
    """What is drawn."""

    boxes: tuple[Box, ...]
    """in topological order"""
    output: int
    hidden: int = 0
    """how many nodes of the graph are not drawn"""
    precision: int = 4
    """digits after the point"""
    stacked: bool = False
    """do the texts of a box stand one below the other, so that it is narrower?"""

    @classmethod
    def of(
        cls,
        source: Subject | Program | Evaluation,
        *,
        nodes: Nodes = "all",
        depth: int | None = None,
        most: int | None = None,
        precision: int = 4,
        stacked: bool = False,
    ) -> Picture:
        """Draw all nodes or the named ones, all or those at most `depth` operations away from the output.

        Raises AutodiffError where these are more than `most`.
        """
        subject = source if isinstance(source, Subject) else Subject.of(source)
        kept = subject.is_named if nodes == "named" else _every
        drawn = select(subject.graph, subject.output, kept, inf if depth is None else depth)
        if most is not None and len(drawn) > most:
            raise _too_many(len(drawn), most)
        boxes = tuple([_box(subject, node, part) for node, part in drawn.items()])
        return cls(boxes, subject.output, len(subject.order) - len(boxes), precision, stacked)

    @cached_property
    def by_node(self) -> dict[int, Box]:
        """The boxes by their nodes."""
        return {box.node: box for box in self.boxes}

    def cells(self, box: Box) -> list[str]:
        """The texts in a box: what it is called, `data 2.0000`, `grad -1.5000`, as far as there are any."""
        cells = [elided(box.text, _TEXT_WIDTH)] if box.text else []
        if box.data is not None and (box.kind != "constant" or box.name):
            cells.append(f"data {decimal(box.data, self.precision)}")
        if box.grad is not None:
            cells.append(f"grad {decimal(box.grad, self.precision)}")
        return cells or ["?"]

    @property
    def title(self) -> str:
        """What it is a picture of."""
        output = elided(self.by_node[self.output].text, _TITLE_WIDTH)
        return f"The computation graph of {output}" if output else "A computation graph"

    @property
    def note(self) -> str:
        """A line about what is not drawn, if anything."""
        if not self.hidden:
            return ""
        return f"{len(self.boxes):,} of {self.hidden + len(self.boxes):,} nodes are shown"


def format_of(path: str) -> str:
    """The format that the ending of a file's name stands for. Raises AutodiffError where it stands for none."""
    ending = PurePath(path).suffix
    if ending.lower() not in ENDINGS:
        what = f"`{ending}` is no format of a picture" if ending else f"`{path}` has no ending that says its format"
        raise AutodiffError(what, hint=f"the formats are {', '.join(FORMATS)}", code=USAGE)
    return ENDINGS[ending.lower()]


def write(picture: Picture, name: str) -> bytes:
    """The picture in the format of that name. Raises AutodiffError where it needs Graphviz and there is none."""
    written: bytes = import_module(f".{name}", __name__).write(picture)
    return written


def _box(subject: Subject, node: int, part: Part) -> Box:
    graph, kind = subject.graph, subject.kind(node)
    number = graph.numbers.get(node) if kind == "constant" else None
    return Box(
        node,
        one_line(subject.names(node)),
        one_line(subject.texts(node)),
        kind,
        graph.operations[node] if graph.arguments[node] else None,
        *part,
        number if subject.data is None else subject.data[node],
        None if subject.grads is None else subject.grads[node],
    )


def _every(node: int) -> bool:
    return True


def _too_many(count: int, most: int) -> AutodiffError:
    return AutodiffError(
        f"a picture of {count:,} nodes would be too large to read: the limit is {most:,}",
        hint=f"--nodes named draws the values that have a name, --depth 5 what is near the output, "
        f"--max-nodes {count} all of them",
    )
