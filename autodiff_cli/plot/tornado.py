"""A tornado chart: for each name a bar from one result to another, the longest at the top."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, TextIO

from ..notation import elided, rounded
from ..terminal.encoding import has_unicode
from ..terminal.printable_text import columns, one_line
from ..terminal.size import Size
from .drawable import Drawable
from .figure import WIDTH, empty_figure, shortened
from .terminal_frame import legend, write_line, write_lines
from .viewing_window import drawable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAME = 24  # maximum columns of a name
_LEAST = 4  # columns for half of a bar
_BAR, _MARGIN = 34, 110  # pixels


@dataclass(frozen=True)
class Tornado:
    """Bars around a centre, in the order from the top, each between the results for two changes of an input."""

    title: str
    centre: float
    names: Sequence[str]
    when_smaller: Sequence[float]
    when_larger: Sequence[float]

    @property
    def drawn(self) -> list[tuple[str, float, float]]:
        """The bars, of which an end that cannot be drawn leaves half, and two none; none around such a centre."""
        ends = zip(map(drawable, self.when_smaller), map(drawable, self.when_larger), strict=True)
        return [
            (name, low if isfinite(low) else self.centre, high if isfinite(high) else self.centre)
            for name, (low, high) in zip(self.names, ends, strict=True)
            if isfinite(drawable(self.centre)) and (isfinite(low) or isfinite(high))
        ]


def tornado_drawing(chart: Tornado) -> Drawable:
    """The drawings of a tornado chart."""
    return Drawable(partial(_figure, chart), partial(_write, chart))


def _write(chart: Tornado, out: TextIO, size: Size) -> None:
    """Draw in the terminal: the parts of the bars for smaller and for larger inputs in two kinds of ink."""
    bars = chart.drawn
    smaller_ink, larger_ink = ("░", "█") if has_unicode(out) else ("-", "+")
    reach = max((abs(end - chart.centre) for _, *ends in bars for end in ends), default=0.0) or 1.0
    number = max((len(rounded(end, 5)) for _, *ends in bars for end in ends), default=0)
    room = size[0] - 2 * number - 3
    label = min(_NAME, max((columns(one_line(name)) for name in chart.names), default=0), max(1, room - 2 * _LEAST))
    half = max(0, room - label) // 2
    write_line([(elided(one_line(chart.title), size[0]), "")], out)
    for name, *ends in bars:
        cells = [(" ", "")] * (2 * half)
        for end, ink, style in zip(ends, (smaller_ink, larger_ink), ("cyan", "green"), strict=True):
            length = round((end - chart.centre) / reach * half)
            for place in range(min(0, length), max(0, length)):
                cells[half + place] = (ink, style)
        text = elided(one_line(name), label)
        padding = " " * (label - columns(text))
        numbers = f"{rounded(min(ends), 5):>{number}} ", f" {rounded(max(ends), 5)}"
        write_line([(text + padding + " ", "cyan"), (numbers[0], "dim"), *cells, (numbers[1], "dim")], out)
    inks = (f"{smaller_ink} made smaller", f"{larger_ink} made larger", f"centre {rounded(chart.centre)}")
    write_lines(legend([[(ink, "dim")] for ink in inks], size[0]), out)


def _figure(chart: Tornado) -> "Figure":
    bars = chart.drawn
    drawing = empty_figure((WIDTH, _MARGIN + _BAR * max(1, len(bars))))
    axes = drawing.subplots()
    places = range(len(bars))
    for column, label, colour in ((1, "made smaller", "C0"), (2, "made larger", "C1")):
        lengths = [float(bar[column]) - chart.centre for bar in bars]
        axes.barh(places, lengths, left=chart.centre, color=colour, label=label)
    axes.axvline(chart.centre, color=axes.spines["left"].get_edgecolor(), linewidth=0.8)
    axes.set_yticks(places, labels=[shortened(bar[0], 2) for bar in bars])
    for tick in axes.get_yticklabels():
        tick.set_parse_math(False)
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    axes.set_title(shortened(chart.title), loc="left", fontsize="medium", parse_math=False)
    return drawing
