"""The picture as a flowchart in Mermaid, which many documentation sites render."""

import re
from collections.abc import Iterator

from .picture import COLOURS, Box, Picture

_HEAD = "flowchart LR\n"
_PARTIAL = "classDef partial stroke-dasharray:3 3"
_MARKUP = re.compile(r"(?![.-][0-9])[^\w ]|_")


def write(picture: Picture) -> bytes:
    """The picture as a file."""
    lines = [line for box in picture.boxes for line in _lines(picture, box)]
    classes = [f"classDef {kind} fill:{fill},stroke:{stroke},color:#1c2126" for kind, (fill, stroke) in COLOURS.items()]
    note = [f"%% {picture.note}"] if picture.note else []
    return "".join([_HEAD, *(f"  {line}\n" for line in [*note, *lines, *classes, _PARTIAL])]).encode()


def _lines(picture: Picture, box: Box) -> Iterator[str]:
    """The statements for a box, its operation, and the edges from its arguments."""
    label = "<br>".join(map(_escaped, picture.cells(box)))
    yield f'node{box.node}["{label}"]:::{box.kind}'
    if not box.operation:
        return
    yield f'operation{box.node}(["{_escaped(box.symbol)}"]):::operation'
    if not box.is_complete:
        yield f"class operation{box.node} partial"
    yield from (f"node{argument} --> operation{box.node}" for argument in box.arguments)
    yield f"operation{box.node} --> node{box.node}"


def _escaped(text: str) -> str:
    """The text with signs as character codes, so that nothing is markup; numbers keep their point and minus."""
    return _MARKUP.sub(lambda sign: f"#{ord(sign[0])};", text)
