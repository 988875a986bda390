"""A result as a picture or as text in the terminal, whatever it shows."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TextIO

from ..errors import Notice
from ..terminal.size import Size
from . import figure_chart, terminal_chart
from .chart import Chart
from .figure import encoded

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Drawable(NamedTuple):
    """The two drawings of a result, as a figure and as text; each is computed when it is asked for."""

    figure: "Callable[[], Figure]"
    text: Callable[[TextIO, Size], None]

    def picture(self, kind: str, warn: Callable[[Notice], None] | None = None) -> bytes:
        """The bytes of a file: `png`, `svg` or `pdf`. `warn` gets a notice of characters that no font has."""
        return encoded(self.figure, kind, warn=warn)


def chart_drawing(chart: Chart) -> Drawable:
    """The drawings of a chart."""
    return Drawable(partial(figure_chart.figure, chart), partial(terminal_chart.write, chart))
