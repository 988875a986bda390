"""Wires that stay short: in a large graph a value that is used far away is drawn there again, by its name alone.

Graphviz would take minutes for thousands of long wires, and nobody could follow them with the eye.
"""

from dataclasses import replace
from itertools import count

from ...drawing.picture import Box, Picture

_MOST = 2000  # columns of boxes that all wires together may cross
_FAR = 8  # columns that one may then cross


def shortened(picture: Picture) -> tuple[Picture, dict[int, int]]:
    """A picture with short wires, and the boxes that are drawn for others: number → the node that is meant."""
    columns = _columns(picture)
    if sum(columns[box.node] - columns[one] for box in picture.boxes for one in box.arguments) <= _MOST:
        return picture, {}
    numbers = count(max(picture.by_node) + 1)
    again: dict[int, int] = {}
    boxes: list[Box] = []
    for box in picture.boxes:
        arguments = list(box.arguments)
        for place, node in enumerate(arguments):
            if columns[box.node] - columns[node] > _FAR:
                arguments[place] = number = next(numbers)
                again[number] = node
                meant = picture.by_node[node]
                boxes.append(Box(number, meant.name, meant.text, meant.kind))
        boxes.append(replace(box, arguments=tuple(arguments)))
    return replace(picture, boxes=tuple(boxes)), again


def _columns(picture: Picture) -> dict[int, int]:
    """About where Graphviz will put each box: behind its arguments; a leaf just before its first use."""
    columns: dict[int, int] = {}
    for box in picture.boxes:
        columns[box.node] = 1 + max((columns[argument] for argument in box.arguments), default=-1)
    used: dict[int, int] = {}
    for box in picture.boxes:
        for argument in box.arguments:
            used[argument] = min(used.get(argument, columns[box.node]), columns[box.node])
    return columns | {box.node: used.get(box.node, 1) - 1 for box in picture.boxes if not box.arguments}
