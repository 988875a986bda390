"""The picture in Graphviz's language DOT, as micrograd draws it: a record for each value, a circle for each operation.

In the SVG that Graphviz makes of it, a value's box has the id `node-3`, the circle of the operation that made it
`operation-3`, the line between the two `result-3`, and that from the box of node 1 to this operation as its argument
number 0 `edge-1-3-0`. A derivative on that line is a node of its own, `partial-1-3-0`, because a label could come to
stand nearer to another line; the part of the line before it is `edge-1-3-0-start`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..terminal.printable_text import columns
from .palette import palette
from .picture import Box, Picture

FONT = "Courier"
"""all builds of Graphviz measure it alike; every letter is 0.6 of its size wide, as in other fixed-width fonts"""
FONT_SIZE = 11  # points

_LARGE = 300  # edges
_MOST_ITERATIONS = 2000
"""of Graphviz for the layout of a large graph, which has two nodes for most boxes; more would take minutes"""
_MOST_CROSSED = 2000
"""columns that all edges together may cross for Graphviz to align boxes: it counts an edge as a node in each of them"""
_MOST_CURVED = 8000
"""columns that all edges together may cross for Graphviz to bend them around all boxes: beyond, it takes up to minutes
or crashes, and straight lines take seconds"""
_PARTIAL = 'shape=plaintext, style="", fontsize=10, width=0, height=0, margin="0.04,0.01"'
_SIDES = {"LR": ("w", "e"), "TB": ("n", "s")}
"""the compass points at which lines enter a node and leave it"""
_SYMMETRIC = ("add", "mul")
"""operations whose arguments may be swapped"""

_HEAD = """digraph autodiff {{
  graph [rankdir={direction}, bgcolor="{paper}", nodesep=0.16, ranksep=0.32, pad=0.15, {effort}{note}]
  node [fontname="{font}", fontsize={size}, fontcolor="{ink}", style=filled, penwidth=0.8]
  node [width=0.3, height=0.36, margin="0.09,0.05"]
  edge [fontname="{font}", fontsize=10, fontcolor="{line}"]
  edge [color="{line}", arrowsize=0.55, penwidth=0.8, tailport={tail}]
"""


class Arrangement(NamedTuple):
    """The constraints on Graphviz's placement of boxes and operations."""

    order: bool = True
    """whether the arguments of sums and products are in their order too, not only those of other operations"""
    units: bool = False
    """whether nothing may come between an operation and its result; Graphviz then disregards the order of arguments,
    and with `newrank` lets no arrow go backward"""


ORDERED = Arrangement()


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    return text(picture).encode()


def text(picture: Picture, arrangement: Arrangement = ORDERED, *, font: str = FONT) -> str:
    """The picture as a graph in DOT."""
    colours = palette(picture)
    caption = "\n".join(filter(None, (picture.legend, picture.note)))
    note = f', label="{_escaped(caption)}", fontname="{font}", fontsize=10, fontcolor="{colours.line}"'
    head = _HEAD.format(
        direction=picture.direction,
        paper=colours.paper,
        effort=_effort(picture, arrangement),
        note=note if caption else "",
        font=font,
        size=FONT_SIZE,
        ink=colours.ink,
        line=colours.line,
        tail=_SIDES[picture.direction][1],
    )
    return head + "".join(f"  {line}\n" for box in picture.boxes for line in _lines(picture, box, arrangement)) + "}\n"


def _effort(picture: Picture, arrangement: Arrangement) -> str:
    """Graphviz's limits on its own work; with `newrank` it also finds the columns of a large graph much sooner."""
    is_large = sum(len(box.arguments) for box in picture.boxes) > _LARGE
    columns = min(2.0, _MOST_ITERATIONS / (2 * len(picture.boxes))) if is_large else 5
    crossed = picture.columns_crossed * (1 + picture.partials)  # which have columns of their own
    places = 0 if crossed > _MOST_CROSSED else columns
    newrank = ", newrank=true" * (is_large or arrangement.units)
    straight = ", splines=line" * (crossed > _MOST_CURVED)
    return f"nslimit={places:.2g}, nslimit1={columns:.2g}" + ", mclimit=0.3" * is_large + newrank + straight


def _lines(picture: Picture, box: Box, arrangement: Arrangement) -> Iterator[str]:
    """The statements for a box, its operation, and the edges from its arguments."""
    number = box.node
    fields = "|".join(map(_field, picture.cells(box)))
    label = fields if picture.is_stacked == (picture.direction == "LR") else f"{{{fields}}}"
    fill, line = palette(picture).box(picture, box)
    colours = f'fillcolor="{fill}", color="{line}"' + ", penwidth=2.4" * box.is_nonfinite
    result = f'"node-{number}" [id="node-{number}", class={box.kind}, shape=record, label="{label}", {colours}]'
    if not box.operation:
        yield result
        return
    operation = f'"operation-{number}" [id="operation-{number}", class=operation, {_circle(picture, box, arrangement)}]'
    arrow = f'"operation-{number}" -> "node-{number}" [id="result-{number}", weight=10]'
    if arrangement.units:
        yield f'subgraph "cluster-{number}" {{ peripheries=0; margin=0; label=""; {result}; {operation}; {arrow} }}'
    else:
        yield from (result, operation, arrow)
    for place, argument in enumerate(box.arguments):
        yield from _edge(picture, box, place, argument)


def _edge(picture: Picture, box: Box, place: int, argument: int) -> Iterator[str]:
    """The statements for the line from an argument of a box, with a node for the derivative on it."""
    words = picture.arrow_text(box, place)
    start, name = f"node-{argument}", f"{argument}-{box.node}-{place}"
    label = f', label=" {words}"' * bool(words)
    if words and picture.partials:
        head = f"arrowhead=none, headport={_SIDES[picture.direction][0]}"
        yield f'"{start}" -> "partial-{name}" [id="edge-{name}-start", {head}]'
        style = f'{_PARTIAL}, fontcolor="{palette(picture).line}"'
        start, label = f"partial-{name}", ""
        yield f'"{start}" [id="{start}", class=partial, {style}, label="{words}"]'
    yield f'"{start}" -> "operation-{box.node}" [id="edge-{name}"{label}]'


def _circle(picture: Picture, box: Box, arrangement: Arrangement) -> str:
    """The attributes of an operation: a circle, or an ellipse for a long name; dashed where something is left out.

    The first argument enters at the top, or on the left.
    """
    width = 0.36 if columns(box.symbol) <= 2 else 0.28 + 0.6 * FONT_SIZE / 72 * columns(box.symbol)
    is_ordered = has_fixed_order(box) or arrangement.order
    style = ("style=filled" + ", ordering=in" * is_ordered) if box.is_complete else 'style="filled,dashed"'
    size = f"fixedsize=true, width={width:.2f}, height=0.36"
    fill, line = palette(picture).kinds["operation"]
    return f'shape=ellipse, {size}, {style}, fillcolor="{fill}", color="{line}", label="{_escaped(box.symbol)}"'


def has_fixed_order(box: Box) -> bool:
    """Whether the arguments of a box's operation must not be swapped."""
    return box.operation is not None and box.operation.name not in _SYMMETRIC and box.is_complete


def _escaped(text: str) -> str:
    """The text as part of a string in DOT."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;").replace("\n", "\\n")


def _field(text: str) -> str:
    """The text as a field of a record. Graphviz drops repeated spaces, and those at the ends, unless they are escaped.

    Single spaces are not escaped: old releases then drop those between letters beyond ASCII.
    """
    return re.sub(r"(?<= ) |^ | $", r"\\ ", re.sub(r"([{}|<>])", r"\\\1", _escaped(text)))
