"""The options of a figure: the file or standard output, text or the kind of picture, and the size."""

import re
import sys
from collections.abc import Callable
from typing import TextIO

from ...errors import UsageError
from ...terminal.size import Size
from .output_file import format_of, opened, write_bytes

KINDS = ("txt", "png", "svg", "pdf")
_SIZES = {"characters": ("100x30", (40, 12), 400), "pixels": ("800x500", (200, 150), 10_000)}
"""unit → an example, the least width and height, and the greatest of both"""


class FigureOptions:
    """The file of a figure, its kind (one of `KINDS`), and its size if `--size` gives one.

    Without a kind the ending of the file's name decides. Raises AutodiffError for another ending.
    """

    def __init__(self, out: str | None, kind: str | None, size: str | None) -> None:
        self._out = None if out == "-" else out
        self.kind = format_of(kind, self._out, KINDS)
        self.size = None if size is None else self._parsed(size)
        if self.kind != "txt" and self._out is None and sys.stdout.isatty():
            raise UsageError("a terminal cannot show a picture", f"write it to a file: -o plot.{self.kind}")

    @property
    def text_size(self) -> Size:
        """The size of a drawing in text: columns and lines."""
        from ...plot.terminal_frame import terminal_size

        return self.size or terminal_size(sys.stdout if self._out is None else None)

    def write(self, data: bytes) -> None:
        """Write a picture."""
        write_bytes(data, self._out)

    def write_text(self, draw: Callable[[TextIO, Size], None]) -> None:
        """Write a drawing in text; `draw` takes an open file, and the number of columns and of lines."""
        with opened(self._out) as stream:
            draw(stream, self.text_size)

    def _parsed(self, text: str) -> Size:
        """The width and the height that `--size` gives. Raises AutodiffError for a size that is out of range."""
        unit = "characters" if self.kind == "txt" else "pixels"
        example, least, most = _SIZES[unit]
        numbers = re.fullmatch(r"([0-9]{1,9})[xX×]([0-9]{1,9})", text)
        if numbers is None:
            raise UsageError(f"`{text}` is not a size", f"write --size {example}")
        width, height = int(numbers[1]), int(numbers[2])
        if not (least[0] <= width <= most and least[1] <= height <= most):
            hint = f"it may be from {least[0]}x{least[1]} to {most}x{most} {unit}"
            raise UsageError(f"the size `{text}` is out of range", hint)
        return width, height
