"""A fit as a chart: the data, the curve with its bands, and below them the residuals."""

import numpy

from ..arithmetic.arrays import Doubles, without_warnings
from ..plot.captions import function_caption
from ..plot.chart import Chart, ChartPanel, ChartSeries
from ..plot.drawable import Drawable, chart_drawing
from .fit import Fit
from .model import Model
from .prediction import predicted

_SAMPLES, _MOST_POINTS = 200, 5000


@without_warnings()
def chart(model: Model, fit: Fit, response: str) -> Drawable:
    """The chart of a fit: over its column if it has one, else over the number of the row."""
    vector, names = numpy.array(list(fit.point.values())), model.data.names
    label = names[0] if len(names) == 1 else "row"
    xs, responses, fitted = _points(model, vector, label)
    curve = _curve(model, fit, label) if len(names) == 1 else [ChartSeries("fit", xs.tolist(), fitted.tolist())]
    points = ChartSeries("data", xs.tolist(), responses.tolist(), "points")
    residuals = ChartSeries("residuals", xs.tolist(), (responses - fitted).tolist(), "points")
    panels = [ChartPanel([points, *curve], label, response), ChartPanel([residuals], label, "residual")]
    return chart_drawing(Chart(function_caption(model.program), panels))


def _points(model: Model, vector: Doubles, label: str) -> tuple[Doubles, Doubles, Doubles]:
    """The abscissas, responses and fitted values of some rows, at equal distances."""
    step, row = -(-model.data.rows // _MOST_POINTS), 0
    parts = []
    for part in model.data:
        rows = slice(-row % step, None, step)
        across = numpy.arange(row + 1.0, row + 1.0 + len(part.response))
        columns = {name: column[rows] for name, column in part.columns.items()}
        responses = part.response[rows]
        fitted, _ = model.at(vector, columns, len(responses))
        parts.append((part.columns.get(label, across)[rows], responses, fitted))
        row += len(part.response)
    xs, responses, fitted = map(numpy.concatenate, zip(*parts, strict=True))
    return xs, responses, fitted


def _curve(model: Model, fit: Fit, name: str) -> list[ChartSeries]:
    """The curve, and its bands where they are known."""
    xs = numpy.linspace(*model.data.ranges[name], _SAMPLES)
    curve = {result: column.tolist() for result, column in predicted(model, fit, {name: xs}).items()}
    return [
        ChartSeries("fit", xs.tolist(), curve["value"]),
        *(
            ChartSeries(f"{band} band", xs.tolist(), curve[f"{band}_low"], "band", curve[f"{band}_high"])
            for band in ("confidence", "prediction")
            if f"{band}_low" in curve
        ),
    ]
