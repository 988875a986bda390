"""The types of what the Python functions take and return, for annotations."""

from .curve_fitting.fit import Fit
from .explain.notebook import PageInCell
from .gradient_check.checker import Verdict
from .graph_drawing.notebook import Drawing
from .many_points.python_arrays import ArrayFunction, PointResults
from .minimization.minimize import Minimum
from .root_finding.solve import Solution
from .uncertainty_propagation.budget import Budget
from .uncertainty_propagation.measured_values import MeasuredValue
from .uncertainty_propagation.monte_carlo import MonteCarlo
from .uncertainty_propagation.uncertainty import Uncertainty

__all__ = [
    "ArrayFunction",
    "Budget",
    "Drawing",
    "Fit",
    "MeasuredValue",
    "Minimum",
    "MonteCarlo",
    "PageInCell",
    "PointResults",
    "Solution",
    "Uncertainty",
    "Verdict",
]
