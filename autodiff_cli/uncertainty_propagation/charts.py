"""An uncertainty as a chart: the distribution of the result, and how much each input contributes."""

from math import isnan

import numpy

from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.drawable import Drawable, chart_drawing
from .budget import Budget
from .monte_carlo import MonteCarlo
from .uncertainty import Uncertainty

_BINS, _SAMPLES, _WIDTH = 60, 200, 4.0  # the width in standard uncertainties, on either side


def chart(uncertainty: Uncertainty) -> Drawable:
    """The chart of the results' distributions: the normal one of the budget, and any draws."""
    panels = [_panel(name, budget, uncertainty.monte_carlo.get(name)) for name, budget in uncertainty.outputs.items()]
    return chart_drawing(Chart("the distribution of the result", panels))


def _panel(name: str, budget: Budget, drawn: MonteCarlo | None) -> ChartPanel:
    if drawn is not None and isnan(budget.u):
        return ChartPanel([_histogram(drawn, budget.value, drawn.deviation or 1.0)], name, "density")
    u = budget.u or 1.0
    xs = numpy.linspace(budget.value - _WIDTH * u, budget.value + _WIDTH * u, _SAMPLES)
    normal = numpy.exp(-(((xs - budget.value) / u) ** 2) / 2) / (u * numpy.sqrt(2 * numpy.pi))
    series = [ChartSeries("normal, by the budget", xs.tolist(), normal.tolist())]
    if drawn is not None:
        series.insert(0, _histogram(drawn, budget.value, u))
    return ChartPanel(series, name, "density")


def _histogram(drawn: MonteCarlo, value: float, u: float) -> ChartSeries:
    """The draws, which are counted by their distance to the value in units of `u`."""
    heights, edges = numpy.histogram((drawn.draws - value) / u, _BINS, density=True)
    return ChartSeries("draws", (value + u * edges).tolist(), (heights / u).tolist(), "histogram")
