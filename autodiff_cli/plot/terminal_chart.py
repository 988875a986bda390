"""A chart in the terminal."""

from typing import TextIO

from ..notation import elided
from ..terminal.printable_text import one_line
from ..terminal.screen import Segments
from ..terminal.size import Size
from .chart import Chart, ChartPanel, ChartSeries
from .terminal_frame import LINE, Marks, TerminalFrame, legend, plotext, stacked, write_frame, write_line, write_lines

_STYLES = ("green", "magenta", "cyan", "yellow", "blue", "red")
_MARKS = {"line": LINE, "points": "•", "band": "·", "histogram": LINE}


def write(chart: Chart, out: TextIO, size: Size) -> None:
    """Draw the panels one below the other, each with a legend above it."""
    plotext()
    write_line([(elided(one_line(chart.title), size[0]), "")], out)
    legends = [_legend(panel, size[0]) for panel in chart.panels]
    windows = [(panel.window(0), panel.window(1)) for panel in chart.panels]
    frames = stacked(windows, size, 1 + sum(map(len, legends)))
    for panel, lines, frame in zip(chart.panels, legends, frames, strict=True):
        write_lines(lines, out)
        layers = [(_marks(series, frame, out), _style(number)) for number, series in enumerate(panel.series)]
        points = [layer for layer, series in zip(layers, panel.series, strict=True) if series.kind == "points"]
        write_frame(frame, layers[::-1], out, above=points)


def _style(number: int) -> str:
    """The style of the series with this number."""
    return _STYLES[number % len(_STYLES)]


def _marks(series: ChartSeries, frame: TerminalFrame, out: TextIO) -> Marks:
    parts = series.outline()
    if series.kind == "points":
        parts = ([point, point] for part in parts for point in part)
    return frame.line(parts, _MARKS[series.kind], out)


def _legend(panel: ChartPanel, width: int) -> list[Segments]:
    """The lines that say what each mark stands for, and what is on the axes."""
    axes = f"{one_line(panel.up)} over {one_line(panel.across)}"
    entries: list[Segments] = []
    for number, series in enumerate(panel.series if len(panel.series) > 1 else ()):
        label = elided(one_line(series.label), width // 2)
        entries.append([(_MARKS[series.kind], _style(number)), (f" {label}", "")])
    return legend(entries, width, axes)
