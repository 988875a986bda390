"""A drawing made of characters: a frame with numbers at its edges, and layers of marks in it."""

import shutil
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, TextIO

from rich.text import Text

from .. import terminal
from .labels import missing
from .ticks import labels, ticks
from .windows import Window

Marks = Mapping[tuple[int, int], str]
"""(row, column), counted from the top left corner of the canvas → a character"""
Layer = tuple[Marks, str]
"""marks and their style"""
Size = tuple[int, int]
"""columns and rows"""

_SMALLEST: Size = (40, 12)
_SIGNS = "─│┌┐└┘├┤┬┴┼•×○◇…→↗↑↖←↙↓↘∂·"
_SIMPLE = "-|+++++++++oxO#~>/^\\</v\\d."


def size() -> Size:
    """That of the terminal but for the row of the prompt, or what COLUMNS and LINES say; 80 to 24 in a pipe."""
    columns, rows = shutil.get_terminal_size()
    return max(columns, _SMALLEST[0]), max(rows - 1, _SMALLEST[1])


def plotext() -> Any:
    """The package that draws. Raises AutodiffError where it is missing, to be asked for before anything is written."""
    try:
        import plotext as package
    except ImportError:
        raise missing("plotext") from None
    if not hasattr(package, "clear_figure"):  # 6 has other functions, and no wheel for every system
        raise missing("plotext<6")
    return package


def simple(out: TextIO) -> bool:
    """Is it an output that cannot show the signs of Unicode?"""
    try:
        (_SIGNS + "⠿").encode(out.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


class Frame:
    """A rectangle for marks, with round numbers at its left and below."""

    def __init__(self, across: Window, up: Window, size: Size, margin: int = 0, zero: bool = False) -> None:
        """`margin` columns at the least are for the numbers on the left; `zero` asks for a line at 0."""
        self.across, self.up, self.size = across, up, size
        self.zero = zero and up[0] < 0 < up[1]
        columns, rows = size
        self._heights = ticks(up, max(3, (rows - 3) // 2))
        self.margin = max(margin, *map(len, labels(self._heights)))
        self.canvas: Size = columns - self.margin - 2, rows - 3
        """for how many marks there is room"""
        self._widths = _fitting(across, self.canvas[0])

    def lines(self) -> list[str]:
        """The frame without marks."""
        plot = self._plot()
        if self.zero:
            plot.hline(0)
        return _text(plot)

    def line(self, parts: Iterable[Sequence[tuple[float, float]]], marker: str) -> Marks:
        """The marks of lines, which lie within the ranges."""
        plot = self._plot()
        for part in parts:
            plot.plot([x for x, _ in part], [y for _, y in part], marker=marker)
        left, (columns, rows) = self.margin + 1, self.canvas
        canvas = [line[left : left + columns] for line in _text(plot)[1 : 1 + rows]]
        return {(row, place): mark for row, line in enumerate(canvas) for place, mark in enumerate(line) if mark != " "}

    def _plot(self) -> Any:
        """The empty frame; plotext has only one plot at a time."""
        plot = plotext()
        plot.clear_figure()
        plot.theme("clear")
        plot.limit_size(False, False)
        plot.plot_size(*self.size)
        plot.xlim(*self.across)
        plot.ylim(*self.up)
        plot.xticks(self._widths, labels(self._widths))
        plot.yticks(self._heights, [text.rjust(self.margin) for text in labels(self._heights)])
        plot.scatter([2 * self.across[0] - self.across[1]], [self.up[0]])  # not seen; without any there is no axis
        return plot


def _fitting(across: Window, columns: int) -> list[float]:
    """As many round numbers as can stand side by side."""
    for most in range(max(2, columns // 10), 1, -1):
        numbers = ticks(across, most)
        if sum(len(text) + 2 for text in labels(numbers)) <= columns:
            return numbers
    return ticks(across, 2)[:1]


def _text(plot: Any) -> list[str]:
    lines: list[str] = plot.uncolorize(plot.build()).split("\n")
    return lines


def write(frame: Frame, layers: Sequence[Layer], out: TextIO) -> None:
    """Draw a frame and the marks in it. Where layers have marks in the same place, they take turns."""
    console = terminal.console(out)
    for number, line in enumerate(frame.lines()[: frame.size[1]]):
        cells = [(mark, "dim" if mark in _SIGNS else "") for mark in line]
        for column in range(frame.canvas[0] if 0 < number <= frame.canvas[1] else 0):
            place = number - 1, column
            found = [(marks[place], style) for marks, style in layers if place in marks]
            if found:
                cells[frame.margin + 1 + column] = found[sum(place) % len(found)]
        console.print(joined(cells, simple(out)), soft_wrap=True)


def joined(cells: Iterable[tuple[str, str]], simply: bool = False) -> Text:
    """Characters with their styles as a line; `simply` writes it in ASCII."""
    text = Text()
    for style, run in groupby(cells, lambda cell: cell[1]):
        characters = "".join(mark for mark, _ in run)
        text.append(characters.translate(str.maketrans(_SIGNS, _SIMPLE)) if simply else characters, style)
    return text
