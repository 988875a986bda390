"""The rows that a formula should describe: its inputs, the response, and how much each row counts."""

from collections.abc import Iterator, Mapping
from math import hypot, inf, isfinite
from typing import NamedTuple

import numpy

from ..arithmetic.arrays import Doubles
from ..data.column_blocks import Columns
from ..errors import AutodiffError, did_you_mean, named
from ..evaluation import used
from ..notation import shortest
from ..program import Program
from ..vectorized.computation import Computation
from .factor import triangular

_ROUNDING = 1e-14  # relative: a deviation that counts as 0


class DataBlock(NamedTuple):
    """Some rows."""

    columns: Mapping[str, Doubles]
    """column → its numbers"""
    response: Doubles
    """the numbers that the formula should give"""
    factors: Doubles
    """the factor of each residual: the square root of its weight"""

    def weighted(self, numbers: Doubles) -> Doubles:
        """Numbers of the rows, the last axis, times the factors; 0 in rows of weight 0, whatever the number there."""
        return numpy.where(self.factors > 0, numbers, 0.0) * self.factors


class Data:
    """The rows of a table that are fitted."""

    def __init__(
        self,
        columns: Columns,
        inputs: Program,
        response: Program,
        fixed: Mapping[str, float],
        *,
        weights: str | None = None,
        sigma: str | None = None,
    ) -> None:
        """The `inputs` of a program that are columns are data; the response is a column, or a formula in them.

        A column may have the `weights` of the squares, or `sigma`, the standard deviations of the responses. Raises
        AutodiffError for a response that is not a column, for columns and responses that do not change, and for invalid
        weights and responses.
        """
        self.rows, self._columns, self.weights, self.sigma = columns.rows, columns, weights, sigma
        self._response = _response(response, columns)
        needed = _needed(inputs, columns)
        self.names = tuple(name for name in needed if name in columns.names and name not in fixed)
        """the columns that are inputs"""
        self.counted = 0
        """the number of rows whose weight is above 0"""
        self.log_weights = 0.0
        """the sum of the logarithms of these weights"""
        self.ranges = self._checked()
        """column → its smallest and its largest number"""
        factor = triangular((numpy.column_stack([part.factors, part.weighted(part.response)]) for part in self), 2)
        self.norm = hypot(*factor[:, 1])
        """the root of the weighted sum of the squared responses"""
        if not isfinite(self.norm):
            raise AutodiffError("the responses are too large for doubles", hint="measure them in another unit")
        deviation = abs(float(factor[1, 1]))
        self.spread = 0.0 if deviation <= _ROUNDING * self.norm else deviation
        """the root of the weighted sum of their squared deviations from the mean"""

    @property
    def weighting(self) -> str | None:
        """The column of the weights or the deviations, if there is one."""
        return self.weights or self.sigma

    def __iter__(self) -> Iterator[DataBlock]:
        """All rows, block by block."""
        for rows, columns in self._columns.blocks():
            response = self._response({name: columns[name] for name in self._response.columns}, rows=rows).value
            yield DataBlock({name: columns[name] for name in self.names}, response, self._factors(rows, columns))

    def _factors(self, rows: int, columns: Mapping[str, Doubles]) -> Doubles:
        with numpy.errstate(divide="ignore", invalid="ignore"):
            if self.sigma is not None:
                deviations = columns[self.sigma]
                return numpy.where(deviations > 0, 1 / deviations, numpy.nan)
            return numpy.ones(rows) if self.weights is None else numpy.sqrt(columns[self.weights])

    def _checked(self) -> dict[str, tuple[float, float]]:
        """The ranges of the columns; counts the weights. Raises AutodiffError for rows that cannot be fitted."""
        lows, highs = dict.fromkeys(self.names, inf), dict.fromkeys(self.names, -inf)
        row, lowest, highest = 0, inf, -inf
        for part, (rows, columns) in zip(self, self._columns.blocks(), strict=True):
            for place in numpy.flatnonzero(~numpy.isfinite(part.factors))[:1]:
                rule = "deviations are above 0" if self.sigma else "weights are 0 or more"
                number = shortest(float(columns[self.weighting or ""][place]))
                message = f"`{self.weighting}` is {number} in row {row + place + 1} of the data, but {rule}"
                raise AutodiffError(message, hint="mend the column")
            counts = part.factors > 0
            for place in numpy.flatnonzero(counts & ~numpy.isfinite(part.response))[:1]:
                message = f"the response is not finite in row {row + place + 1} of the data"
                raise AutodiffError(message, hint="leave out the rows without a response")
            row += rows
            self.counted += int(counts.sum())
            self.log_weights += 2 * float(numpy.log(part.factors[counts]).sum())
            lowest = min(lowest, float(part.response[counts].min(initial=inf)))
            highest = max(highest, float(part.response[counts].max(initial=-inf)))
            for name in self.names:
                lows[name] = min(lows[name], float(columns[name].min()))
                highs[name] = max(highs[name], float(columns[name].max()))
        constant = [f"column `{name}`" for name in self.names if lows[name] == highs[name]]
        if lowest == highest and self._response.columns:  # a number is the right side of an equation
            program = self._response.program
            constant.append(f"response `{program.text(program.output)}`")
        if self.counted > 1 and constant:
            hint = "nothing can be fitted to what does not change: leave it out, or fit other rows"
            raise AutodiffError(f"the {constant[0]} is the same in all rows", hint=hint)
        return {name: (lows[name], highs[name]) for name in self.names}


def _response(program: Program, columns: Columns) -> Computation:
    needed = _needed(program, columns)
    absent = [name for name in needed if name not in columns.names]
    if absent:
        hint = did_you_mean(absent[0], columns.names) or f"the columns are {named(columns.names)}"
        raise AutodiffError(f"there is no column `{absent[0]}`, which the response needs", hint=hint)
    return Computation(program, list(needed), {}, ())


def _needed(program: Program, columns: Columns) -> dict[str, int]:
    """The inputs that a program depends on, also constants such as e that are columns."""
    shadowed = [name for name in columns.names if name in program.constants]
    return used(program.graph.needed([program.output]), program.inputs_given(shadowed))
