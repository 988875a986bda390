"""The picture as text: a tree from the output down to the inputs, with the numbers in columns.

A node that is used several times is drawn once, and `↑` refers to it afterwards. A part that is too deep for the width
is drawn further below, and `↓` refers to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TextIO

from ..notation import CALL, decimal, elided, operation_text
from ..operations import NEG
from ..output.report import Cell, Column, Row, Table
from ..output.row_records import records
from ..output.table_layout import GAP, laid_out
from ..printer import Text
from ..terminal.encoding import as_shown, has_unicode
from ..terminal.printable_text import columns
from ..terminal.screen import Screen, Segments, wrapped
from ..terminal.size import COLUMNS
from .picture import Box, Picture

_ABOVE, _BELOW = "↑", "↓"
_LEGEND = {_ABOVE: "↑ drawn above", _BELOW: "↓ drawn below"}
_STEP = 3  # columns from a node to the nodes that it is computed from
_NARROWEST, _WIDEST = 18, 60  # columns of the tree
_TEXT = 16  # columns of it that are left for the deepest node
_DEEPEST = 12
_DIGITS = 2  # decimal places that numbers keep beside a narrow tree
_OPERATION, _MOST_OF_OPERATION = "operation", 18  # columns
_STYLES = {"input": "cyan", "constant": "dim", "output": "bold green"}


class _TreeLine(NamedTuple):
    guide: str
    box: Box
    reference: str = ""

    def name(self, room: int) -> str:
        """The text of the node, in at most `room` columns together with the guide."""
        sign = f" {self.reference}" if self.reference else ""
        return elided(self.box.title or "·", room - columns(self.guide) - columns(sign)) + sign


def write(picture: Picture, out: TextIO) -> None:
    """Write the tree, as wide as the output."""
    screen, any_argument = Screen(out), "·" if has_unicode(out) else "_"
    boxes = tuple(
        replace(box, name=as_shown(box.name, out), text=as_shown(box.text, out), title=as_shown(box.title, out))
        for box in picture.boxes
    )
    for line in lines(replace(picture, boxes=boxes), screen.width):
        screen.line(*((part.replace("·", any_argument), style) for part, style in line))


def text(picture: Picture, width: int = COLUMNS) -> str:
    """The tree as one text."""
    return "".join("".join(part for part, _ in line).rstrip() + "\n" for line in lines(picture, width))


def lines(picture: Picture, width: int) -> Iterator[Segments]:
    """The lines of the tree in a number of columns; where the numbers have no room beside it they follow below."""
    kinds = [kind for kind in ("data", "grad") if any(getattr(box, kind) is not None for box in picture.boxes)]
    for shown, precision in _attempts(picture, kinds):
        room = width - sum(GAP + _width(picture, heading, precision) for heading in shown)
        if room >= _NARROWEST or not shown:
            yield from _tree(picture, shown, precision, min(room, _WIDEST), width)
            break
    if not shown and kinds:
        columns_below = [Column("node", most=_WIDEST), *(Column(kind, is_number=True) for kind in kinds)]
        rows = [Row((box.title or "·", *(getattr(box, kind) for kind in kinds))) for box in picture.boxes]
        yield from ([], *records(Table(columns_below, (), picture.precision), rows, width))


def _attempts(picture: Picture, kinds: Sequence[str]) -> Iterator[tuple[Sequence[str], int]]:
    """Choices of columns beside the tree and of digits, the most informative one first, nothing last."""
    yield [_OPERATION, *kinds], picture.precision
    for precision in range(picture.precision, min(_DIGITS, picture.precision) - 1, -1):
        yield kinds, precision
    yield [], 0


def _width(picture: Picture, heading: str, precision: int) -> int:
    """The columns of the terminal that a column of the table takes."""
    cells = (_content(picture, box, heading) for box in picture.boxes)
    texts = (cell if isinstance(cell, str) else decimal(cell, precision) for cell in cells)
    return max(map(columns, (heading, *texts)))


def _content(picture: Picture, box: Box, heading: str) -> str | float | None:
    return _operation(picture, box) if heading == _OPERATION else getattr(box, heading)


def _tree(picture: Picture, shown: Sequence[str], precision: int, room: int, width: int) -> Iterator[Segments]:
    """The tree with columns beside it, and what its signs mean."""
    deepest = max(1, min(_DEEPEST, (room - min(_TEXT, room // 2)) // _STEP))
    rows: list[Row] = []
    references: set[str] = set()
    for section in _sections(picture, deepest):
        rows[-1:] = [row._replace(ends_section=True) for row in rows[-1:]]
        for line in section:
            references.add(line.reference)
            style = "dim" if line.reference else _STYLES.get(line.box.kind, "")
            beside = []
            for heading in () if line.reference else shown:
                marked = "bold red" * line.box.is_nonfinite if heading != _OPERATION else style
                beside.append(Cell(_content(picture, line.box, heading), marked))
            rows.append(Row(((Cell(line.guide, "dim"), Cell(line.name(room), style)), *beside)))
    headings = [Column("node"), *(Column(heading, is_number=heading != _OPERATION) for heading in shown)]
    yield from laid_out(Table(headings, rows, precision), max(width, _WIDEST))  # the names fit already
    notes = [*(legend for sign, legend in _LEGEND.items() if sign in references), picture.note]
    if any(notes):
        yield from ([], *wrapped([((" " * GAP).join(filter(None, notes)), "dim")], width))


def _operation(picture: Picture, box: Box) -> str:
    """`input`, `constant`, or the operation, with constants written out and `·` for other arguments: `2*·`."""
    if box.operation is None:
        return box.kind
    if box.lacks_arguments and not box.skips_operations:
        return f"{box.symbol} …"
    numbers = [_number(picture, picture.by_node[argument]) for argument in box.arguments]
    if box.skips_operations or not any(numbers):
        return box.symbol
    return elided(operation_text(box.operation, [number or ("·", CALL) for number in numbers]), _MOST_OF_OPERATION)


def _number(picture: Picture, box: Box) -> Text | None:
    """The number, with its sign, that is written in the operation that it is an argument of; None for other boxes."""
    if box.name or not box.is_complete:
        return None
    if box.operation is NEG:
        argument = picture.by_node[box.arguments[0]]
        number = None if argument.operation else _number(picture, argument)  # one sign: recursion has a limit
        return number and (operation_text(NEG, [number]), NEG.precedence)
    return (box.text, CALL) if box.kind == "constant" else None


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
    return [
        argument for argument in box.arguments if not (box.is_complete and _number(picture, picture.by_node[argument]))
    ]
