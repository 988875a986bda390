"""An uncertainty as a chart: the distribution of the result, and how much each input contributes."""

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
    u = budget.u or 1.0
    xs = numpy.linspace(budget.value - _WIDTH * u, budget.value + _WIDTH * u, _SAMPLES)
    normal = numpy.exp(-(((xs - budget.value) / u) ** 2) / 2) / (u * numpy.sqrt(2 * numpy.pi))
    series = [ChartSeries("normal, by the budget", xs.tolist(), normal.tolist())]
    if drawn is not None:
        heights, edges = numpy.histogram((drawn.draws - budget.value) / u, _BINS, density=True)
        places, densities = (budget.value + u * edges).tolist(), (heights / u).tolist()
        series.insert(0, ChartSeries("draws", places, densities, "histogram"))
    return ChartPanel(series, name, "density")
