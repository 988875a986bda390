"""A chart in the terminal."""

from typing import TextIO

from ..notation import elided
from ..terminal.encoding import has_unicode
from ..terminal.printable_text import one_line
from ..terminal.screen import Segments
from ..terminal.size import Size
from .chart import Chart, ChartPanel, ChartSeries
from .terminal_frame import Layer, TerminalFrame, legend, plotext, stacked, write_line, write_lines
from .terminal_frame import write as write_frame

_STYLES = ("green", "magenta", "cyan", "yellow", "blue", "red")
_MARKS = {"line": "⠒", "points": "•", "band": "·", "histogram": "⠒"}


def write(chart: Chart, out: TextIO, size: Size) -> None:
    """Draw the panels one below the other, each with a legend above it."""
    plotext()
    write_line([(elided(one_line(chart.title), size[0]), "")], out)
    legends = [_legend(panel, out, size[0]) for panel in chart.panels]
    windows = [(panel.window(0), panel.window(1)) for panel in chart.panels]
    frames = stacked(windows, size, 1 + sum(map(len, legends)))
    for panel, lines, frame in zip(chart.panels, legends, frames, strict=True):
        write_lines(lines, out)
        layers = [_layer(series, number, frame, out) for number, series in enumerate(panel.series)]
        points = [layer for layer, series in zip(layers, panel.series, strict=True) if series.kind == "points"]
        write_frame(frame, layers[::-1], out, above=points)


def _layer(series: ChartSeries, number: int, frame: TerminalFrame, out: TextIO) -> Layer:
    mark = _MARKS[series.kind]
    marker = "braille" if has_unicode(out) else "*"
    if series.kind == "points":
        parts = [[point, point] for part in series.outline() for point in part]
        return frame.line(parts, mark), _STYLES[number % len(_STYLES)]
    return frame.line(series.outline(), marker if mark == "⠒" else mark), _STYLES[number % len(_STYLES)]


def _legend(panel: ChartPanel, out: TextIO, width: int) -> list[Segments]:
    """The lines that say what each mark stands for, and what is on the axes."""
    axes = f"{one_line(panel.up)} over {one_line(panel.across)}"
    entries: list[Segments] = []
    for number, series in enumerate(panel.series if len(panel.series) > 1 else ()):
        mark = "*" if _MARKS[series.kind] == "⠒" and not has_unicode(out) else _MARKS[series.kind]
        label = elided(one_line(series.label), width // 2)
        entries.append([(mark, _STYLES[number % len(_STYLES)]), (f" {label}", "")])
    return legend(entries, width, axes)
