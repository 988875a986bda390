"""The picture of a graph as a tree in the terminal, coloured as the table is."""

from typing import TextIO

from rich.text import Text

from .. import terminal
from . import Picture, tree

_STYLES = {
    "guide": "dim",
    "heading": "bold",
    "note": "dim",
    "reference": "dim",
    "input": "cyan",
    "constant": "dim",
    "output": "bold green",
}


def write(picture: Picture, out: TextIO) -> None:
    """Write the drawing, as wide as the terminal; in a pipe it is as in a terminal of 80 columns."""
    console = terminal.console(out)
    width = console.width if console.is_terminal else tree.WIDTH
    for line in tree.lines(picture, width):
        console.print(Text.assemble(*((part, _STYLES.get(kind, "")) for part, kind in line)), soft_wrap=True)
