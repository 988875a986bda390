"""Curves in the terminal: the function as a thin line, each derivative as dots of its own kind."""

from typing import TextIO

from ..notation import elided
from ..terminal.printable_text import columns, one_line
from ..terminal.screen import Segments
from ..terminal.size import Size
from .axis_ticks import range_text
from .captions import caption, tangent_notes
from .curves import Curve, CurvePanel, CurvePlot
from .terminal_frame import GAP, LINE, Layer, TerminalFrame, legend, plotext, stacked, write_frame, write_lines

_MARKS = "•×○◇+#"
"""of all curves but the first, which is a line"""
_STYLES = ("magenta", "cyan", "yellow", "blue", "red", "bright_black")
_SAMPLE = "···"
_NAME, _CAPTION = 12, 24  # minimum columns of a name, and of the caption of every curve but the first


def write(plot: CurvePlot, out: TextIO, size: Size) -> None:
    """Draw the panels one below the other, each with a legend above it."""
    plotext()
    legends = [_legend(plot, panel, size[0]) for panel in plot.panels]
    notes = [line for note in tangent_notes(plot) for line in legend([[(note, "")]], size[0])]
    others = len(notes) + sum(map(len, legends))
    windows = [(plot.scales.across(plot.ends), panel.window) for panel in plot.panels]
    frames = stacked(windows, size, others, zero=True, scales=plot.scales)
    for panel, lines, frame in zip(plot.panels, legends, frames, strict=True):
        write_lines(lines, out)
        write_frame(frame, [_layer(plot, panel, curve, frame, out) for curve in panel.curves], out)
    write_lines(notes, out)


def _layer(plot: CurvePlot, panel: CurvePanel, curve: Curve, frame: TerminalFrame, out: TextIO) -> Layer:
    mark, style = _mark_and_style(plot, curve)
    return frame.line(panel.visible(curve), mark, out), style


def _mark_and_style(plot: CurvePlot, curve: Curve) -> tuple[str, str]:
    number = plot.number(curve)
    return (_MARKS[number - 1], _STYLES[number - 1]) if number else (LINE, "green")


def _legend(plot: CurvePlot, panel: CurvePanel, width: int) -> list[Segments]:
    """The marks and what each stands for, and the range: one line where there is room."""
    low, high = plot.ends
    over = f"{elided(one_line(plot.name), _NAME)} from {range_text(low, high)}"
    texts = [caption(curve) for curve in panel.curves]
    room = width - columns(over) - (len(_SAMPLE + GAP) + 1) * len(texts)
    if sum(map(columns, texts)) > room:
        least = min(_CAPTION, width - len(_SAMPLE) - 1)
        texts[1:] = [elided(text, max(least, room // (len(texts) + 1))) for text in texts[1:]]
        texts[0] = elided(texts[0], max(_NAME, room - sum(map(columns, texts[1:]))))
    entries = []
    for curve, text in zip(panel.curves, texts, strict=True):
        mark, style = _mark_and_style(plot, curve)
        entries.append([(mark * len(_SAMPLE), style), (" " + text, "")])
    return legend(entries, width, over)
