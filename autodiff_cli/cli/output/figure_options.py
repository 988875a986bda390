"""The options of a figure: the file or standard output, its format, the size and the look."""

import re
import sys
from collections.abc import Callable
from typing import Any, TextIO

from ...errors import UsageError
from ...notation import elided
from ...plot.figure import FigureLook, encoded
from ...terminal.printable_text import one_line
from ...terminal.screen import Screen
from ...terminal.size import Size
from .notices import warn
from .output_file import format_of, opened, write_bytes

FORMATS = ("txt", "png", "svg", "pdf")
_SIZES = {"characters": ("100x30", (40, 12), 400), "pixels": ("800x500", (200, 150), 10_000)}
"""unit → an example, the least width and height, and the greatest of both"""


class FigureOptions:
    """The file of a figure, its format (one of `FORMATS`), its size if `--size` gives one, and its look.

    Without a format the extension of the file's name decides. Raises AutodiffError for another extension.
    """

    def __init__(self, out: str | None, format_: str | None, size: str | None, look: FigureLook) -> None:
        self._look = look
        self._out = None if out == "-" else out
        self.format = format_of(format_, self._out, FORMATS)
        self.size = None if size is None else self._parsed(size)
        if self.format != "txt" and self._out is None and sys.stdout.isatty():
            raise UsageError("a terminal cannot show a picture", f"write it to a file: -o plot.{self.format}")

    @property
    def text_size(self) -> Size:
        """The size of a drawing in text, below its title: columns and lines."""
        from ...plot.terminal_frame import terminal_size

        width, height = self.size or terminal_size(sys.stdout if self._out is None else None)
        return width, height - bool(self._look.title)

    def write(self, text: Callable[[TextIO, Size], None], picture: Callable[[Size | None], Any]) -> None:
        """Write the drawing: `text` takes an open file, columns and lines, `picture` the size in pixels."""
        if self.format != "txt":
            write_bytes(encoded(lambda: picture(self.size), self.format, self._look, warn), self._out)
            return
        with opened(self._out) as stream:
            size = self.text_size
            if self._look.title:
                Screen(stream).line((elided(one_line(self._look.title), size[0]), "bold"))
            text(stream, size)

    def _parsed(self, text: str) -> Size:
        """The width and the height that `--size` gives. Raises AutodiffError for a size that is out of range."""
        unit = "characters" if self.format == "txt" else "pixels"
        example, least, most = _SIZES[unit]
        numbers = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)
        if numbers is None:
            raise UsageError(f"`{text}` is not a size", f"write --size {example}")
        width, height = int(numbers[1]), int(numbers[2])
        if not (least[0] <= width <= most and least[1] <= height <= most):
            hint = f"it may be from {least[0]}x{least[1]} to {most}x{most} {unit}"
            raise UsageError(f"the size `{text}` is out of range", hint)
        return width, height
