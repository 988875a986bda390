"""The pass forward as text: each value as an operation on those before it, with the numbers filled in."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text

from . import Lesson, layout, remarks, wording
from .block import Block
from .layout import WIDTH, Row


def blocks(lesson: Lesson, nodes: Sequence[int], heading: str) -> Iterator[Block]:
    """Values in topological order, one at a time; leaves that follow one another come together."""
    rows = {node: _row(lesson, node) for node in nodes}
    sizes = layout.widths(list(rows.values()))
    title = set(wording.title(lesson))
    column = 2 + sum(sizes) + len(sizes) + 1  # where comments begin
    for _, group in groupby(enumerate(nodes), key=lambda entry: entry[0] if lesson.graph.arguments[entry[1]] else -1):
        lines: list[Text] = []
        for _, node in group:
            lines += layout.lines(rows[node], sizes, 2)
            if node not in title:
                _comment(lesson, node, lines[-1], column)
            lines += layout.note(remarks.forward(lesson, node))
        yield Block(lines, heading, close=not heading)
        heading = ""


def _row(lesson: Lesson, node: int) -> Row:
    """`n`, `= v3 + b`, `= -6 + 6.8814`, `= 0.8814`; a leaf has its number alone."""
    name = lesson.name(node), "cyan" if lesson.is_input(node) else ""
    value = f"= {lesson.figure(lesson.evaluation.values[node])}"
    if not lesson.graph.arguments[node]:
        return [name, (value, "")]
    formula, filled = f"= {lesson.formula(node)}", f"= {lesson.filled(node)}"
    return [name, (formula, ""), (filled if filled not in (formula, value) else "", "dim"), (value, "")]


def _comment(lesson: Lesson, node: int, line: Text, column: int) -> None:
    """Add what a value is in the program's own text, where its formula here has other names and there is room."""
    written = lesson.written(node)
    if not lesson.graph.arguments[node] or "".join(written.split()) == "".join(lesson.formula(node).split()):
        return
    size = Text(written).cell_len
    end = line.cell_len + 2
    start = column if column >= end and column + 2 + size <= WIDTH else end
    if written and start + 2 + size <= WIDTH:
        line.append(" " * (start - line.cell_len)).append(f"# {written}", "dim")
