"""A formula with parameters, and the data that it should describe."""

from collections.abc import Iterator, Mapping
from math import nan, sqrt

import numpy

from ..arithmetic.arrays import Doubles
from ..errors import AutodiffError, quoted_names
from ..evaluation import used
from ..many_points.computation import Computation
from ..notation import counted
from ..program import Program
from ..search.starts_and_bounds import start_instead, starting_point
from .data import Data
from .losses import influence, transformed
from .triangular_factor import triangular

_EVALUATIONS = 20  # of a search
_FEWEST_SMALL = 0.1  # relative to all: residuals that are small for a loss


class Model:
    """A program as a function of its parameters, for the rows of data."""

    def __init__(self, program: Program, data: Data, fixed: Mapping[str, float]) -> None:
        """All inputs that are neither columns nor fixed are parameters. Raises AutodiffError if there are none."""
        order = program.graph.needed([program.output])
        inputs = used(order, program.inputs_given([*data.names, *fixed]))
        self.parameters = tuple(name for name in inputs if name not in data.names and name not in fixed)
        if not self.parameters:
            remedy = start_instead(*next(iter(fixed.items()))) if fixed else None
            hint = "" if fixed else "every input of the formula is a column"
            raise AutodiffError("the formula has no parameter to fit", hint=hint, remedy=remedy)
        if data.counted < len(self.parameters):
            rows = counted(data.counted, "row")
            message = f"{rows} cannot determine {len(self.parameters)} parameters: {quoted_names(self.parameters)}"
            raise AutodiffError(message, hint="give more rows, or numbers for some of the parameters")
        self.program, self.data, self.fixed = program, data, fixed
        self._computation = Computation(program, [*data.names, *self.parameters], fixed, self.parameters)
        self._computation.prepare_for(data.rows * _EVALUATIONS)

    def start(self, given: Mapping[str, float]) -> Doubles:
        """The first parameters: the numbers given, else the program's defaults.

        Raises AutodiffError for parameters without a number, and for numbers of what is not a parameter.
        """
        return numpy.array(starting_point(self.parameters, [self.program], given, "parameter"))

    def blocks(self, parameters: Doubles, loss: str = "linear") -> Iterator[Doubles]:
        """The Jacobian with the residuals as a last column, block by block.

        Both are multiplied by the factors of the rows, and changed such that the squares of the residuals are the loss.
        """
        for part in self.data:
            value, gradient = self.at(parameters, part.columns, len(part.response))
            residuals, slopes = transformed(loss, part.weighted(value - part.response))
            yield numpy.column_stack([part.weighted(gradient.T * slopes).T, residuals])

    def factor(self, parameters: Doubles, loss: str = "linear") -> Doubles:
        """The triangular factor of all blocks together."""
        return triangular(self.blocks(parameters, loss), len(self.parameters) + 1)

    def deviation(self, parameters: Doubles, loss: str, freedom: int) -> float:
        """The standard deviation of a response of weight 1, as the loss counts the residuals, by degrees of freedom.

        It is nan where too few residuals are small for the loss, which then does not show how far they spread.
        P. J. Huber, Robust Statistics (1981), section 7.6; of least squares √(Σr²/(n - p)).
        """
        squares = slopes = 0.0
        for part in self.data:
            value, _ = self.at(parameters, part.columns, len(part.response))
            moved, derivative = influence(loss, ((value - part.response) * part.root_weights)[part.root_weights > 0])
            squares, slopes = squares + float(numpy.square(moved).sum()), slopes + float(derivative.sum())
        rows = self.data.counted
        return sqrt(squares / freedom) / (slopes / rows) if freedom and slopes > _FEWEST_SMALL * rows else nan

    def at(self, parameters: Doubles, columns: Mapping[str, Doubles], rows: int) -> tuple[Doubles, Doubles]:
        """The values for some rows, and the derivatives with respect to the parameters, a row for each."""
        constant = {name: numpy.full(rows, number) for name, number in zip(self.parameters, parameters, strict=True)}
        results = self._computation({**columns, **constant}, rows=rows)
        return results.value, results.gradient.T
