"""The picture as text: a tree from the output down to the inputs, with the numbers in columns.

A node that is used several times is drawn once, and `↑` refers to it afterwards. A part that is too deep for the width
is drawn further below, and `↓` refers to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TextIO

from ..errors import columns
from ..notation import CALL, decimal, elided, operation_text
from ..output.report import Column, Row, Table
from ..output.row_records import records
from ..terminal.encoding import carried, has_unicode
from ..terminal.screen import Screen, Segments, wrapped
from ..terminal.size import COLUMNS
from .picture import Box, Picture

_ABOVE, _BELOW = "↑", "↓"
_LEGEND = {_ABOVE: "↑ drawn above", _BELOW: "↓ drawn below"}
_GAP = "   "
_STEP = 3  # columns from a node to the nodes that it is computed from
_NARROWEST, _WIDEST = 18, 60  # columns of the tree
_TEXT = 16  # columns of it that are left for the deepest node
_DEEPEST = 12
_DIGITS = 2  # after the point, which numbers keep beside a narrow tree
_OPERATION, _MOST_OF_OPERATION = "operation", 18  # columns
_STYLES = {
    "guide": "dim",
    "heading": "bold",
    "note": "dim",
    "reference": "dim",
    "input": "cyan",
    "constant": "dim",
    "output": "bold green",
    "nonfinite": "bold red",
}


class _TreeLine(NamedTuple):
    guide: str
    box: Box
    reference: str = ""

    def name(self, room: int) -> str:
        """The text of the node, in at most `room` columns together with the guide."""
        sign = f" {self.reference}" if self.reference else ""
        return elided(self.box.text or "·", room - columns(self.guide) - columns(sign)) + sign


def write(picture: Picture, out: TextIO) -> None:
    """Write the tree, as wide as the output."""
    screen, any_argument = Screen(out), "·" if has_unicode(out) else "_"
    boxes = tuple(replace(box, name=carried(box.name, out), text=carried(box.text, out)) for box in picture.boxes)
    for line in lines(replace(picture, boxes=boxes), screen.width):
        screen.line(*((part.replace("·", any_argument), _STYLES.get(role, "")) for part, role in line))


def text(picture: Picture, width: int = COLUMNS) -> str:
    """The tree as one text."""
    return "".join("".join(part for part, _ in line).rstrip() + "\n" for line in lines(picture, width))


def lines(picture: Picture, width: int) -> Iterator[Segments]:
    """The lines of the tree in so many columns; where the numbers have no room beside it they follow below.

    In place of a style each piece has its role: a kind of box, or `guide`, `reference`, `heading`, `note`,
    `nonfinite`.
    """
    kinds = [kind for kind in ("data", "grad") if any(getattr(box, kind) is not None for box in picture.boxes)]
    beside = next((layout for layout in _attempts(picture, kinds) if width - layout.width >= _NARROWEST), None)
    yield from _tree(picture, beside or _NodeColumns.of(picture, []), width)
    if beside is None:
        headings = [Column("node", most=_WIDEST), *(Column(kind, is_number=True) for kind in kinds)]
        rows = [Row((box.text or "·", *(getattr(box, kind) for kind in kinds))) for box in picture.boxes]
        yield from ([], *records(Table(headings, (), picture.precision), rows, width))


class _NodeColumns(NamedTuple):
    """The columns beside the tree: headings, cells of each node, and the width of each column."""

    headings: Sequence[str]
    cells: Mapping[int, Sequence[str]]
    widths: Sequence[int]

    @classmethod
    def of(cls, picture: Picture, kinds: Sequence[str], precision: int = 0) -> "_NodeColumns":
        """The operations, if they are wanted, and the numbers of these kinds."""
        cells = {box.node: [_cell(picture, box, kind, precision) for kind in kinds] for box in picture.boxes}
        return cls(kinds, cells, [max(map(columns, column)) for column in zip(kinds, *cells.values(), strict=True)])

    @property
    def width(self) -> int:
        """The width of all, with the gaps before them."""
        return sum(len(_GAP) + width for width in self.widths)

    def line(self, cells: Sequence[str]) -> tuple[str, str]:
        """The operation, padded on the right, and the numbers, padded on the left."""
        texts = ["", ""]
        for heading, cell, width in zip(self.headings, cells, self.widths, strict=True):
            padding = " " * (width - columns(cell))
            texts[heading != _OPERATION] += _GAP + (cell + padding if heading == _OPERATION else padding + cell)
        return texts[0], texts[1]


def _attempts(picture: Picture, kinds: Sequence[str]) -> Iterator[_NodeColumns]:
    """Choices of columns beside the tree, the one with the most to say first."""
    yield _NodeColumns.of(picture, [_OPERATION, *kinds], picture.precision)
    for precision in range(picture.precision, min(_DIGITS, picture.precision) - 1, -1):
        yield _NodeColumns.of(picture, kinds, precision)


def _cell(picture: Picture, box: Box, kind: str, precision: int) -> str:
    return _operation(picture, box) if kind == _OPERATION else decimal(getattr(box, kind), precision)


def _tree(picture: Picture, beside: _NodeColumns, width: int) -> Iterator[Segments]:
    """The tree with the columns beside it, and what its signs mean."""
    room = min(_WIDEST, width - beside.width)
    deepest = max(1, min(_DEEPEST, (room - min(_TEXT, room // 2)) // _STEP))
    sections = [[(line, line.name(room)) for line in section] for section in _sections(picture, deepest)]
    first = max(
        columns(text) for text in ("node", *(line.guide + name for section in sections for line, name in section))
    )
    yield [("node".ljust(first) + "".join(beside.line(beside.headings)), "heading")]
    yield [("─" * (first + beside.width), "guide")]
    for number, section in enumerate(sections):
        yield from [()] * bool(number)
        for line, name in section:
            padded = name + " " * (first - columns(line.guide + name))
            operation, numbers = ("", "") if line.reference else beside.line(beside.cells[line.box.node])
            role = "reference" if line.reference else line.box.kind
            marked = "nonfinite" if numbers and line.box.is_nonfinite else ""
            yield [(line.guide, "guide"), (padded + operation, role), (numbers, marked)]
    references = {line.reference for section in sections for line, _ in section}
    notes = [*(legend for sign, legend in _LEGEND.items() if sign in references), picture.note]
    if any(notes):
        yield from ([], *wrapped([(_GAP.join(filter(None, notes)), "note")], width))


def _operation(picture: Picture, box: Box) -> str:
    """`input`, `constant`, or the operation, with constants written out and `·` for other arguments: `2*·`."""
    if box.operation is None:
        return box.kind
    arguments = [picture.by_node[argument] for argument in box.arguments]
    if box.lacks_arguments and not box.skips_operations:
        return f"{box.symbol} …"
    if box.skips_operations or not any(map(_is_inline, arguments)):
        return box.symbol
    operands = [(argument.text if _is_inline(argument) else "·", CALL) for argument in arguments]
    return elided(operation_text(box.operation, operands), _MOST_OF_OPERATION)


def _is_inline(box: Box) -> bool:
    """Whether the box is written in the operation that it is an argument of."""
    return box.kind == "constant" and not box.name


def _sections(picture: Picture, deepest: int) -> Iterator[list[_TreeLine]]:
    """The trees drawn one below the other: that of the output, and one for each node that is too deep in another."""
    drawn: set[int] = set()
    waiting = {picture.output: ""}  # a queue without repetitions
    while waiting:
        root = next(iter(waiting))
        del waiting[root]
        if root not in drawn:
            yield list(_section(picture, root, deepest, drawn, waiting))


def _section(
    picture: Picture, root: int, deepest: int, drawn: set[int], waiting: dict[int, str]
) -> Iterator[_TreeLine]:
    """The lines of one tree, without recursion."""
    pending = [(root, "", "", 0)]
    while pending:
        node, guide, below, level = pending.pop()
        box = picture.by_node[node]
        if node in drawn:
            yield _TreeLine(guide, box, _ABOVE)
        elif node in waiting or (level >= deepest and any(picture.by_node[a].arguments for a in box.arguments)):
            waiting[node] = ""
            yield _TreeLine(guide, box, _BELOW)
        else:
            drawn.add(node)
            yield _TreeLine(guide, box)
            for place, argument in enumerate(reversed(_branches(picture, box))):
                turn, line = ("├─ ", "│  ") if place else ("└─ ", "   ")
                pending.append((argument, below + turn, below + line, level + 1))


def _branches(picture: Picture, box: Box) -> list[int]:
    """The arguments that have a line of their own."""
    return [argument for argument in box.arguments if not (box.is_complete and _is_inline(picture.by_node[argument]))]
