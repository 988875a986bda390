"""A plot made of characters: a frame with numbers at its edges, and layers of marks in it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from types import ModuleType
from typing import TextIO

from ..errors import AutodiffError
from ..terminal.encoding import has_unicode
from ..terminal.screen import Screen, Segment, Segments, width, wrapped
from ..terminal.size import Size, size
from .axis_ticks import labels, log_labels, log_ticks, ticks
from .captions import missing_package
from .scales import LINEAR, Scales
from .viewing_window import Window

Marks = Mapping[tuple[int, int], str]
"""(line, column), counted from the top left corner of the canvas → a character"""
Layer = tuple[Marks, str]
"""marks and their style"""

LINE = "⠒"
"""the mark of a thin line, which has the dots of Braille where the output shows them"""
GAP = "   "
"""between the entries of a legend"""
_SMALLEST: Size = (20, 12)
_LEAST_LINES = 8  # of a panel below its legend
_MOST_CELLS = 200_000
_FRAME = "─│┌┐└┘├┤┬┴┼"


def terminal_size(out: TextIO | None) -> Size:
    """The size of the output, or for None of a file, without the line of the prompt.

    Raises AutodiffError for a size that no terminal has.
    """
    columns, lines = size(out)
    if columns * lines > _MOST_CELLS:
        hint = "set COLUMNS and LINES to what the terminal has"
        raise AutodiffError(f"a terminal of {columns:,} columns and {lines:,} lines is too large", hint=hint)
    return max(columns, _SMALLEST[0]), max(lines - 1, _SMALLEST[1])


def plotext() -> ModuleType:
    """The package that draws. Raises AutodiffError where it is missing; call it before anything is written."""
    try:
        import plotext
    except ModuleNotFoundError:
        raise missing_package("plotext") from None
    package: ModuleType = plotext
    if not hasattr(package, "clear_figure"):  # 6 has other functions, and no wheel for every system
        raise missing_package("plotext<6")
    return package


class TerminalFrame:
    """A rectangle for marks, with round numbers on its left and below."""

    def __init__(self, across: Window, up: Window, size: Size, *, zero: bool = False, scales: Scales = LINEAR) -> None:
        """`zero` draws a line at 0."""
        self.across, self.up, self.size, self.scales = across, up, size, scales
        self.zero = zero and up[0] < 0 < up[1] and not scales.y
        most = max(3, (size[1] - 3) // 2)
        self._heights = log_ticks(up, most) if scales.y else ticks(up, most)
        self._height_labels = (log_labels if scales.y else labels)(self._heights)
        self.margin = max(map(len, self._height_labels))
        """the columns for the numbers on the left"""

    @property
    def canvas(self) -> Size:
        """The columns and lines for marks."""
        return self.size[0] - self.margin - 2, self.size[1] - 3

    def lines(self) -> list[str]:
        """The frame without marks."""
        plot = self._plot()
        if self.zero:
            plot.hline(0)
        return _lines(plot)

    def line(self, parts: Iterable[Sequence[tuple[float, float]]], mark: str, out: TextIO) -> Marks:
        """The marks of a curve in parts, which lie within the ranges."""
        plot, marker = self._plot(), mark
        if mark == LINE:
            marker = "braille" if has_unicode(out) else "*"
        for part in parts:
            plot.plot([x for x, _ in part], [y for _, y in part], marker=marker)
        left, (width, height) = self.margin + 1, self.canvas
        canvas = [line[left : left + width] for line in _lines(plot)[1 : 1 + height]]
        return {(y, x): mark for y, line in enumerate(canvas) for x, mark in enumerate(line) if mark != " "}

    def _plot(self) -> ModuleType:
        """The empty frame; plotext is a module with the state of one plot."""
        plot = plotext()
        plot.clear_figure()
        plot.theme("clear")
        plot.limit_size(False, False)
        plot.plot_size(*self.size)
        plot.xlim(*self.across)
        plot.ylim(*self.up)
        plot.xticks(*_fitting(self.across, self.canvas[0], self.scales.x))
        plot.yticks(self._heights, [text.rjust(self.margin) for text in self._height_labels])
        plot.scatter([2 * self.across[0] - self.across[1]], [self.up[0]])  # outside: the axes need a point
        return plot


def stacked(
    windows: Sequence[tuple[Window, Window]], size: Size, others: int, *, zero: bool = False, scales: Scales = LINEAR
) -> list[TerminalFrame]:
    """Frames one below the other, with their left edges aligned, in the lines that `others` leave."""
    height = max(_LEAST_LINES, (size[1] - others) // len(windows))
    frames = [TerminalFrame(*window, (size[0], height), zero=zero, scales=scales) for window in windows]
    margin = max(frame.margin for frame in frames)
    for frame in frames:
        frame.margin = margin
    return frames


def _fitting(across: Window, columns: int, is_log: bool) -> tuple[list[float], list[str]]:
    """The places across that have numbers below them, and these."""
    places, texts = (log_ticks, log_labels) if is_log else (ticks, labels)
    for most in range(max(2, columns // 10), 1, -1):
        numbers = places(across, most)
        if sum(len(text) + 2 for text in texts(numbers)) <= columns:
            return numbers, texts(numbers)
    numbers = places(across, 2)[:1]
    return numbers, texts(numbers)


def _lines(plot: ModuleType) -> list[str]:
    lines: list[str] = plot.uncolorize(plot.build()).split("\n")
    return lines


def write_frame(frame: TerminalFrame, layers: Sequence[Layer], out: TextIO, above: Sequence[Layer] = ()) -> None:
    """Draw a frame and the marks in it. Where layers have marks in the same place, they alternate.

    Those `above`, whose marks stand alone as points do, hide the others.
    """
    for number, line in enumerate(frame.lines()[: frame.size[1]]):
        cells = [(mark, "dim" if mark in _FRAME else "") for mark in line]
        for column in range(frame.canvas[0] if 0 < number <= frame.canvas[1] else 0):
            place = number - 1, column
            here = _cells(above, place) or _cells(layers, place)
            if here:
                cells[frame.margin + 1 + column] = here[sum(place) % len(here)]
        write_line(cells, out)


def _cells(layers: Sequence[Layer], place: tuple[int, int]) -> list[Segment]:
    return [(marks[place], style) for marks, style in layers if place in marks]


def legend(entries: Sequence[Segments], room: int, aside: str = "", gap: str = GAP) -> list[Segments]:
    """The lines of entries, each some texts with their styles, in `room` columns; `aside` ends the last on the right.

    Only an entry that is wider than a line is broken.
    """
    lines: list[Segments] = []
    for entry in [*entries, *([[(aside, "dim")]] if aside else [])]:
        joined = [*lines[-1], (gap, ""), *entry] if lines else []
        if joined and width(joined) <= room:
            lines[-1] = joined
        else:
            lines.append(entry)
    if aside:
        lines[-1] = [*lines[-1][:-1], (" " * (room - width(lines[-1])), ""), *lines[-1][-1:]]
    return [part for line in lines for part in wrapped(line, room, hanging=0)]


def write_lines(lines: Iterable[Sequence[Segment]], out: TextIO) -> None:
    """Write the lines of a legend."""
    for line in lines:
        write_line(line, out)


def write_line(cells: Iterable[tuple[str, str]], out: TextIO) -> None:
    """Write texts with their styles as a line."""
    runs = groupby(cells, lambda cell: cell[1])
    Screen(out).line(*(("".join(text for text, _ in run), style) for style, run in runs))
