"""The picture as text: a tree from the output down to the inputs, with the numbers in columns.

A node that is used several times is drawn once, and `↑` refers to it afterwards. A part that is too deep for the width
is drawn further below, and `↓` refers to it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TextIO

from ..errors import columns
from ..notation import CALL, decimal, elided, operation_text
from ..terminal.screen import Screen
from ..terminal.size import COLUMNS
from .picture import Box, Picture

_ABOVE, _BELOW = "↑", "↓"
_LEGEND = {_ABOVE: "↑ drawn above", _BELOW: "↓ drawn below"}
_GAP = "   "
_STEP = 3  # columns from a node to the nodes that it is computed from
_NARROWEST, _WIDEST = 24, 60  # columns of the tree
_TEXT = 16  # columns of it that are left for the deepest node
_DEEPEST = 12
_OPERATION = 18  # columns
_STYLES = {
    "guide": "dim",
    "heading": "bold",
    "note": "dim",
    "reference": "dim",
    "input": "cyan",
    "constant": "dim",
    "output": "bold green",
}

Segment = tuple[str, str]
"""a text and its role: a kind of box, or `guide`, `reference`, `heading`, `note`; "" for plain text"""


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
    screen = Screen(out)
    for line in lines(picture, screen.width):
        screen.line(*((part, _STYLES.get(role, "")) for part, role in line))


def text(picture: Picture, width: int = COLUMNS) -> str:
    """The tree as one text."""
    return "".join("".join(part for part, _ in line).rstrip() + "\n" for line in lines(picture, width))


def lines(picture: Picture, width: int) -> Iterator[list[Segment]]:
    """The lines of the tree, at most `width` columns wide unless the numbers take more."""
    kinds = [kind for kind in ("data", "grad") if any(getattr(box, kind) is not None for box in picture.boxes)]
    headings = ["operation", *kinds]
    cells = {
        box.node: [_operation(picture, box), *(decimal(getattr(box, kind), picture.precision) for kind in kinds)]
        for box in picture.boxes
    }
    widths = [max(map(columns, column)) for column in zip(headings, *cells.values(), strict=True)]
    rest = sum(len(_GAP) + width for width in widths)
    room = max(_NARROWEST, min(_WIDEST, width - rest))
    sections = [
        [(line, line.name(room)) for line in section]
        for section in _sections(picture, min(_DEEPEST, (room - _TEXT) // _STEP))
    ]
    first = max(
        columns(text) for text in ("node", *(line.guide + name for section in sections for line, name in section))
    )
    yield [("node".ljust(first) + "".join(_columns(headings, widths)), "heading")]
    yield [("─" * (first + rest), "guide")]
    for number, section in enumerate(sections):
        if number:
            yield []
        for line, name in section:
            padded = name + " " * (first - columns(line.guide + name))
            operation, numbers = ("", "") if line.reference else _columns(cells[line.box.node], widths)
            role = "reference" if line.reference else line.box.kind
            yield [(line.guide, "guide"), (padded + operation, role), (numbers, "")]
    references = {line.reference for section in sections for line, _ in section}
    notes = [*(legend for sign, legend in _LEGEND.items() if sign in references), picture.note]
    if any(notes):
        yield from ([], [(_GAP.join(filter(None, notes)), "note")])


def _columns(cells: Sequence[str], widths: Sequence[int]) -> tuple[str, str]:
    """The operation, padded on the right, and the numbers, padded on the left."""
    operation, *numbers = cells
    padded = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
    return _GAP + operation + " " * (widths[0] - columns(operation)), "".join(_GAP + number for number in padded)


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
    return elided(operation_text(box.operation, operands), _OPERATION)


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
