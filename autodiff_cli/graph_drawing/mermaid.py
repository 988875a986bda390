"""The picture as a flowchart in Mermaid, which many documentation sites render."""

import re
from collections.abc import Iterator

from ..errors import Notice, Remedy
from .graphviz import DRAW_LESS
from .palette import palette
from .picture import Box, Picture

_MOST_EDGES = 500
"""the arrows that Mermaid draws unless its configuration raises `maxEdges`"""
_PARTIAL = "classDef partial stroke-dasharray:3 3"
_MARKUP = re.compile(r"(?![.-][0-9])[^\w ]|_")


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    colours = palette(picture)
    lines = [line for box in picture.boxes for line in _lines(picture, box)]
    classes = [
        f"classDef {kind} fill:{fill},stroke:{stroke},color:{colours.ink}"
        for kind, (fill, stroke) in colours.kinds.items()
    ]
    notes = [f"%% {note}" for note in (picture.legend, picture.note) if note]
    head = f"flowchart {picture.direction}\n"
    return "".join([head, *(f"  {line}\n" for line in [*notes, *lines, *classes, _PARTIAL])]).encode()


def notice(picture: Picture) -> Notice | None:
    """A notice about a picture with more arrows than Mermaid draws."""
    edges = sum(len(box.arguments) + bool(box.operation) for box in picture.boxes)
    if edges <= _MOST_EDGES:
        return None
    message = f"Mermaid draws {_MOST_EDGES} arrows, and this picture has {edges:,}: set its `maxEdges` to {edges}"
    return Notice(message, remedy=Remedy("draw less", (), DRAW_LESS))


def _lines(picture: Picture, box: Box) -> Iterator[str]:
    """The statements for a box, its operation, and the edges from its arguments."""
    label = "<br>".join(map(_escaped, picture.cells(box)))
    yield f'node{box.node}["{label}"]:::{box.kind}'
    if picture.color == "gradient" or box.is_nonfinite:
        fill, stroke = palette(picture).box(picture, box)
        yield f"style node{box.node} fill:{fill},stroke:{stroke}" + ",stroke-width:3px" * box.is_nonfinite
    if not box.operation:
        return
    yield f'operation{box.node}(["{_escaped(box.symbol)}"]):::operation'
    if not box.is_complete:
        yield f"class operation{box.node} partial"
    for place, argument in enumerate(box.arguments):
        words = picture.arrow_text(box, place)
        label = f'|"{_escaped(words)}"|' * bool(words)
        yield f"node{argument} -->{label} operation{box.node}"
    yield f"operation{box.node} --> node{box.node}"


def _escaped(text: str) -> str:
    """The text with special characters as codes, so that nothing is markup; numbers keep their point and minus."""
    return _MARKUP.sub(lambda sign: f"#{ord(sign[0])};", text)
