"""The picture in Graphviz's language DOT, as micrograd draws it: a record for each value, a circle for each operation.

In the SVG that Graphviz makes of it, a value's box has the id `node-3`, the circle of the operation that made it
`operation-3`, the line between the two `result-3`, and that from the box of node 1 to this operation as its argument
number 0 `edge-1-3-0`.
"""

import re
from collections.abc import Iterator

from ..errors import columns
from .picture import COLOURS, Box, Picture

FONT = "Courier"
"""all builds of Graphviz measure it alike; every letter is 0.6 of its size wide, as in other fixed-width fonts"""
FONT_SIZE = 11  # points

_LARGE = 300  # edges
_EFFORT = {False: ", nslimit=5, nslimit1=5", True: ", nslimit=2, nslimit1=2, mclimit=0.3"}
"""whether the graph is large → limits for Graphviz, which takes minutes for many long edges that cross others"""

_HEAD = """digraph autodiff {{
  graph [rankdir=LR, bgcolor="#ffffff", nodesep=0.16, ranksep=0.32, pad=0.15{effort}{note}]
  node [fontname="{font}", fontsize={size}, fontcolor="#1c2126", style=filled, penwidth=0.8]
  node [width=0.3, height=0.36, margin="0.09,0.05"]
  edge [color="{line}", arrowsize=0.55, penwidth=0.8, tailport=e]
"""


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    return text(picture).encode()


def text(picture: Picture, *, font: str = FONT) -> str:
    """The picture as a graph in DOT."""
    _, line = COLOURS["operation"]
    large = sum(len(box.arguments) for box in picture.boxes) > _LARGE
    note = f', label="{_escaped(picture.note)}", fontname="{font}", fontsize=10, fontcolor="{line}"'
    head = _HEAD.format(font=font, size=FONT_SIZE, line=line, effort=_EFFORT[large], note=note if picture.note else "")
    return head + "".join(f"  {line}\n" for box in picture.boxes for line in _lines(picture, box)) + "}\n"


def _lines(picture: Picture, box: Box) -> Iterator[str]:
    """The statements for a box, its operation, and the edges from its arguments."""
    number = box.node
    fields = "|".join(map(_field, picture.cells(box)))
    label = fields if picture.stacked else f"{{{fields}}}"
    fill, line = COLOURS[box.kind]
    colours = f'fillcolor="{fill}", color="{line}"'
    yield f'"node-{number}" [id="node-{number}", class={box.kind}, shape=record, label="{label}", {colours}]'
    if not box.operation:
        return
    yield f'"operation-{number}" [id="operation-{number}", class=operation, {_circle(box)}]'
    yield f'"operation-{number}" -> "node-{number}" [id="result-{number}", weight=10]'
    for place, argument in enumerate(box.arguments):
        yield f'"node-{argument}" -> "operation-{number}" [id="edge-{argument}-{number}-{place}"]'


def _circle(box: Box) -> str:
    """The attributes of an operation: a circle, or an ellipse for a long name; dashed where something is left out.

    The first argument enters at the top.
    """
    width = 0.36 if columns(box.symbol) <= 2 else 0.28 + 0.6 * FONT_SIZE / 72 * columns(box.symbol)
    style = "style=filled, ordering=in" if box.is_complete else 'style="filled,dashed"'
    size = f"fixedsize=true, width={width:.2f}, height=0.36"
    fill, line = COLOURS["operation"]
    return f'shape=ellipse, {size}, {style}, fillcolor="{fill}", color="{line}", label="{_escaped(box.symbol)}"'


def _escaped(text: str) -> str:
    """The text as part of a string in DOT."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def _field(text: str) -> str:
    """The text as a field of a record. Graphviz drops repeated spaces, and those at the ends, unless they are escaped.

    Single spaces are not escaped: old releases then drop those between letters beyond ASCII.
    """
    return re.sub(r"(?<= ) |^ | $", r"\\ ", re.sub(r"([{}|<>])", r"\\\1", _escaped(text)))
