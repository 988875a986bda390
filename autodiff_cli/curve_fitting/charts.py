"""A fit as a drawing: the data, the curve with its bands, and below them the residuals."""

from math import nan

import numpy

from ..plot.captions import function_caption
from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.drawable import Drawable, chart_drawing
from .fit import Fit
from .model import Model
from .prediction import bands

_SAMPLES, _MOST_POINTS = 200, 5000


def drawing(model: Model, found: Fit, response: str) -> Drawable:
    """How a fit is drawn: over its column where there is one, else over the number of the row."""
    vector = numpy.array(list(found.point.values()))
    data = model.data
    step = max(1, data.rows // _MOST_POINTS)
    names = list(data.columns)
    fitted, _ = model.at(vector, data.columns)
    across = data.columns[names[0]] if len(names) == 1 else numpy.arange(1.0, data.rows + 1)
    xs = across[::step].tolist()
    curve = _curve(model, found, names[0]) if len(names) == 1 else [ChartSeries("fit", xs, fitted[::step].tolist())]
    label = names[0] if len(names) == 1 else "row"
    points = ChartSeries("data", xs, data.response[::step].tolist(), "points")
    residuals = ChartSeries("residuals", xs, (data.response - fitted)[::step].tolist(), "points")
    panels = [ChartPanel([points, *curve], label, response), ChartPanel([residuals], label, "residual")]
    return chart_drawing(Chart(function_caption(model.program), panels))


def _curve(model: Model, found: Fit, name: str) -> list[ChartSeries]:
    column = model.data.columns[name]
    xs = numpy.linspace(column.min(), column.max(), _SAMPLES)
    values, gradient = model.at(numpy.array(list(found.point.values())), {name: xs})
    confidence, _ = bands(found, values, gradient)
    line = ChartSeries("fit", xs.tolist(), values.tolist())
    if numpy.isnan(confidence[0]).any():
        return [line]
    low, high = ([number if number == number else nan for number in edge.tolist()] for edge in confidence)
    return [line, ChartSeries("confidence band", xs.tolist(), low, "band", high)]
