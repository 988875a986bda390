"""The picture as text: a tree from the output down to the inputs, with the numbers in columns.

A node that is used several times is drawn once, and `↑` stands for it afterwards. What is too deep for the width is
drawn further below, and `↓` stands in its place.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..errors import columns
from ..notation import CALL, decimal, elided, spelled
from . import Box, Picture

WIDTH = 80
"""columns, where nothing says how many there are"""

_ABOVE, _BELOW = "↑", "↓"
_LEGEND = {_ABOVE: "↑ drawn above", _BELOW: "↓ drawn below"}
_GAP = "   "
_STEP = 3  # columns that the tree goes to the right from a node to what it is computed from
_NARROWEST, _WIDEST = 24, 60  # columns of the tree
_TEXT = 16  # columns of it that are left for the deepest node
_DEEPEST = 12
_OPERATION = 18  # columns

Segment = tuple[str, str]
"""a text, and what it is: a kind of box, or `guide`, `reference`, `heading`, `note`; "" for nothing special"""


class _Row(NamedTuple):
    guide: str
    box: Box
    reference: str = ""

    def name(self, room: int) -> str:
        """What the node is called, in so many columns together with its guide."""
        sign = f" {self.reference}" if self.reference else ""
        return elided(self.box.text or "·", room - columns(self.guide) - columns(sign)) + sign


def text(picture: Picture, width: int = WIDTH) -> str:
    """The drawing as one text."""
    return "".join("".join(part for part, _ in line).rstrip() + "\n" for line in lines(picture, width))


def lines(picture: Picture, width: int) -> Iterator[list[Segment]]:
    """The lines of a drawing that is at most so many columns wide, if that is enough for the numbers."""
    kinds = [kind for kind in ("data", "grad") if any(getattr(box, kind) is not None for box in picture.boxes)]
    headings = ["operation", *kinds]
    cells = {box.node: [_operation(picture, box), *_numbers(picture, box, kinds)] for box in picture.boxes}
    widths = [max(map(columns, column)) for column in zip(headings, *cells.values(), strict=True)]
    rest = sum(len(_GAP) + one for one in widths)
    room = max(_NARROWEST, min(_WIDEST, width - rest))
    sections = [
        [(row, row.name(room)) for row in section]
        for section in _sections(picture, min(_DEEPEST, (room - _TEXT) // _STEP))
    ]
    first = max(
        columns(text) for text in ("node", *(row.guide + name for section in sections for row, name in section))
    )
    yield [("node".ljust(first) + "".join(_columns(headings, widths)), "heading")]
    yield [("─" * (first + rest), "guide")]
    for number, section in enumerate(sections):
        if number:
            yield []
        for row, name in section:
            padded = name + " " * (first - columns(row.guide + name))
            yield _line(row, padded, () if row.reference else _columns(cells[row.box.node], widths))
    yield from _notes(picture, {row.reference for section in sections for row, _ in section})


def _line(row: _Row, name: str, rest: Sequence[str]) -> list[Segment]:
    """A node's line: its place in the tree, its name and operation, its numbers."""
    operation, numbers = rest or ("", "")
    return [(row.guide, "guide"), (name + operation, "reference" if row.reference else row.box.kind), (numbers, "")]


def _notes(picture: Picture, references: set[str]) -> Iterator[list[Segment]]:
    """What the arrows mean, and how much is not drawn."""
    notes = [legend for sign, legend in _LEGEND.items() if sign in references]
    notes += [picture.note] if picture.note else []
    if notes:
        yield from ([], [(_GAP.join(notes), "note")])


def _columns(cells: Sequence[str], widths: Sequence[int]) -> tuple[str, str]:
    """The operation on the left of its column, and the numbers on the right of theirs."""
    operation, *numbers = cells
    padded = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
    return _GAP + operation + " " * (widths[0] - columns(operation)), "".join(_GAP + number for number in padded)


def _numbers(picture: Picture, box: Box, kinds: Sequence[str]) -> list[str]:
    return [decimal(getattr(box, kind), picture.precision) for kind in kinds]


def _operation(picture: Picture, box: Box) -> str:
    """`input`, `constant`, or the operation; constants stand in it, and a point for each other argument: `2*·`."""
    if box.row is None:
        return box.kind
    arguments = [picture.by_node[argument] for argument in box.arguments]
    if box.cut and not box.joined:
        return f"{box.operation} …"
    if box.joined or not any(map(_is_inline, arguments)):
        return box.operation
    operands = [(argument.text if _is_inline(argument) else "·", CALL) for argument in arguments]
    return elided(spelled(box.row, operands), _OPERATION)


def _is_inline(box: Box) -> bool:
    """Does it stand in the operation that it is an argument of?"""
    return box.kind == "constant" and not box.name


def _sections(picture: Picture, deepest: int) -> Iterator[list[_Row]]:
    """The trees that are drawn one below the other: the output's, and one for each node that is too deep in another."""
    drawn: set[int] = set()
    waiting = {picture.output: ""}  # a queue without repetitions
    while waiting:
        root = next(iter(waiting))
        del waiting[root]
        if root not in drawn:
            yield list(_section(picture, root, deepest, drawn, waiting))


def _section(picture: Picture, root: int, deepest: int, drawn: set[int], waiting: dict[int, str]) -> Iterator[_Row]:
    """The rows of one tree; without recursion."""
    pending = [(root, "", "", 0)]
    while pending:
        node, guide, below, level = pending.pop()
        box = picture.by_node[node]
        arguments = _branches(picture, box)
        if node in drawn:
            yield _Row(guide, box, _ABOVE)
        elif node in waiting or (level >= deepest and _is_deep(picture, box)):
            waiting[node] = ""
            yield _Row(guide, box, _BELOW)
        else:
            drawn.add(node)
            yield _Row(guide, box)
            for place, argument in enumerate(reversed(arguments)):
                turn, line = ("├─ ", "│  ") if place else ("└─ ", "   ")
                pending.append((argument, below + turn, below + line, level + 1))


def _is_deep(picture: Picture, box: Box) -> bool:
    """Is it computed from something that is computed itself?"""
    return any(picture.by_node[argument].arguments for argument in box.arguments)


def _branches(picture: Picture, box: Box) -> list[int]:
    """The arguments that have a row of their own."""
    return [argument for argument in box.arguments if not (box.whole and _is_inline(picture.by_node[argument]))]
