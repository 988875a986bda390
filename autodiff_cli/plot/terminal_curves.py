"""Curves in the terminal: the function as a thin line, each derivative as dots of its own kind."""

from typing import TextIO

from ..errors import columns, one_line
from ..notation import elided
from ..terminal.encoding import has_unicode
from .axis_ticks import range_text
from .captions import caption
from .curves import Curve, CurvePanel, CurvePlot
from .terminal_frame import Layer, Size, TerminalFrame, plotext, write_legend
from .terminal_frame import write as write_frame

_MARKS = "•×○◇+#"
"""of the derivatives"""
_STYLES = ("magenta", "cyan", "yellow", "blue", "red", "bright_black")
_LEAST_LINES = 9  # of a panel with its legend
_GAP, _SAMPLE = "   ", "···"
_NAME = 12  # least columns of a name


def write(plot: CurvePlot, out: TextIO, size: Size) -> None:
    """Draw the panels one below the other, each with a legend above it."""
    plotext()
    height = max(_LEAST_LINES, size[1] // len(plot.panels)) - 1
    frames = [TerminalFrame(plot.ends, panel.window, (size[0], height)) for panel in plot.panels]
    margin = max(frame.margin for frame in frames)
    for panel in plot.panels:
        frame = TerminalFrame(plot.ends, panel.window, (size[0], height), margin, zero=True)
        _write_legend(plot, panel, out, size[0])
        write_frame(frame, [_layer(plot, panel, curve, frame, out) for curve in panel.curves], out)


def _layer(plot: CurvePlot, panel: CurvePanel, curve: Curve, frame: TerminalFrame, out: TextIO) -> Layer:
    mark, style = _mark_and_style(plot, curve)
    marker = mark if curve.wrt is not None else "braille" if has_unicode(out) else "*"
    return frame.line(panel.visible(curve), marker), style


def _mark_and_style(plot: CurvePlot, curve: Curve) -> tuple[str, str]:
    if curve.wrt is None:
        return "⠒", "green"
    names = [curve.wrt for panel in plot.panels for curve in panel.curves if curve.wrt is not None]
    return _MARKS[names.index(curve.wrt)], _STYLES[names.index(curve.wrt)]


def _write_legend(plot: CurvePlot, panel: CurvePanel, out: TextIO, width: int) -> None:
    """One line: what each mark stands for, and the range."""
    low, high = plot.ends
    over = f"{elided(one_line(plot.name), _NAME)} from {range_text(low, high)}"
    texts = [caption(plot.program, curve) for curve in panel.curves]
    room = width - columns(over) - (len(_SAMPLE + _GAP) + 1) * len(texts)
    texts[1:] = [elided(text, max(_NAME, room // (len(texts) + 1))) for text in texts[1:]]
    texts[0] = elided(texts[0], max(_NAME, room - sum(map(columns, texts[1:]))))
    cells = []
    for curve, text in zip(panel.curves, texts, strict=True):
        mark, style = _mark_and_style(plot, curve)
        sample = "*" if mark == "⠒" and not has_unicode(out) else mark
        cells += [(sample * len(_SAMPLE), style), (" " + text, ""), (_GAP, "")]
    space = width - columns("".join(text for text, _ in cells)) - columns(over)
    write_legend([*cells, (" " * space, ""), (over, "dim")], out, width)
