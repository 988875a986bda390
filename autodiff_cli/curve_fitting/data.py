"""The rows that a formula should describe: its inputs, the response, and how much each row counts."""

from collections.abc import Iterator, Mapping
from math import hypot, inf, isfinite
from typing import NamedTuple

import numpy

from ..arithmetic.arrays import Doubles
from ..data.column_blocks import Columns
from ..data.missing_columns import columns_hint
from ..errors import AutodiffError, did_you_mean
from ..evaluation import used
from ..many_points.computation import Computation
from ..notation import shortest
from ..program import Program
from .triangular_factor import triangular

_ROUNDING = 1e-14  # relative: a deviation that counts as 0


class DataBlock(NamedTuple):
    """Some rows."""

    columns: Mapping[str, Doubles]
    """column → its numbers"""
    response: Doubles
    """the numbers that the formula should give"""
    root_weights: Doubles
    """the square roots of the weights: the residuals are multiplied by them"""

    def weighted(self, numbers: Doubles) -> Doubles:
        """Numbers of the rows, the last axis, times the roots of the weights; 0 where the weight is 0, even for nan."""
        return numpy.where(self.root_weights > 0, numbers, 0.0) * self.root_weights


class Data:
    """The rows of a table that are fitted."""

    def __init__(
        self,
        columns: Columns,
        inputs: Program,
        response: Program,
        fixed: Mapping[str, float],
        *,
        weights: Program | None = None,
        sigma: Program | None = None,
    ) -> None:
        """The `inputs` of a program that are columns are data.

        The response is a column, or a formula in columns; so are the `weights` of the squares, or `sigma`, the standard
        deviations of the responses. Raises AutodiffError for formulas in anything else, for responses that do not
        change, and for invalid weights and responses.
        """
        self.rows, self._columns, self.has_deviations = columns.rows, columns, sigma is not None
        self._response = _computation(response, columns)
        weighting = weights or sigma
        self.weighting = _computation(weighting, columns) if weighting else None
        """of the weights or the deviations, if there are any"""
        needed = _needed(inputs, columns)
        self.names = tuple(name for name in needed if name in columns.names and name not in fixed)
        """the columns that are inputs"""
        self.counted = 0
        """the number of rows whose weight is above 0"""
        self.log_weights = 0.0
        """the sum of the logarithms of these weights"""
        self.ranges = self._checked()
        """column → its smallest and its largest number"""
        factor = triangular((numpy.column_stack([part.root_weights, part.weighted(part.response)]) for part in self), 2)
        self.norm = hypot(*factor[:, 1])
        """the root of the weighted sum of the squared responses"""
        if not isfinite(self.norm):
            raise AutodiffError("the responses are too large for doubles", hint="measure them in another unit")
        deviation = abs(float(factor[1, 1]))
        self.spread = 0.0 if deviation <= _ROUNDING * self.norm else deviation
        """the root of the weighted sum of their squared deviations from the mean"""

    def __iter__(self) -> Iterator[DataBlock]:
        """All rows, block by block."""
        for rows, columns in self._columns.blocks():
            response = _values(self._response, rows, columns)
            yield DataBlock({name: columns[name] for name in self.names}, response, self._root_weights(rows, columns))

    def _root_weights(self, rows: int, columns: Mapping[str, Doubles]) -> Doubles:
        if self.weighting is None:
            return numpy.ones(rows)
        numbers = _values(self.weighting, rows, columns)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            return numpy.where(numbers > 0, 1 / numbers, numpy.nan) if self.has_deviations else numpy.sqrt(numbers)

    def _checked(self) -> dict[str, tuple[float, float]]:
        """The ranges of the columns; counts the weights. Raises AutodiffError for rows that cannot be fitted."""
        lows, highs = dict.fromkeys(self.names, inf), dict.fromkeys(self.names, -inf)
        row, lowest, highest = 0, inf, -inf
        for part, (rows, columns) in zip(self, self._columns.blocks(), strict=True):
            if self.weighting is not None and not numpy.isfinite(part.root_weights).all():
                place = int(numpy.isfinite(part.root_weights).argmin())
                rule = "deviations are above 0" if self.has_deviations else "weights are 0 or more"
                number = shortest(float(_values(self.weighting, rows, columns)[place]))
                what = f"`{_text(self.weighting)}` is {number} in row {row + place + 1} of the data"
                raise AutodiffError(f"{what}, but {rule}", hint="mend the row, or leave out such rows")
            counts = part.root_weights > 0
            for place in numpy.flatnonzero(counts & ~numpy.isfinite(part.response))[:1]:
                message = f"the response is not finite in row {row + place + 1} of the data"
                raise AutodiffError(message, hint="leave out the rows without a response")
            row += rows
            self.counted += int(counts.sum())
            self.log_weights += 2 * float(numpy.log(part.root_weights[counts]).sum())
            lowest = min(lowest, float(part.response[counts].min(initial=inf)))
            highest = max(highest, float(part.response[counts].max(initial=-inf)))
            for name in self.names:
                lows[name] = min(lows[name], float(columns[name].min()))
                highs[name] = max(highs[name], float(columns[name].max()))
        if lowest == highest and self.counted > 1 and self._response.columns:  # a number is a side of an equation
            message = f"the response `{_text(self._response)}` is the same in all rows"
            raise AutodiffError(message, hint="nothing can be fitted to what does not change: fit other rows")
        return {name: (lows[name], highs[name]) for name in self.names}


def _computation(program: Program, columns: Columns) -> Computation:
    needed = _needed(program, columns)
    absent = [name for name in needed if name not in columns.names]
    if absent:
        hint = did_you_mean(absent[0], columns.names) or columns_hint(columns.names)
        raise AutodiffError(f"the data has no column `{absent[0]}`", hint=hint)
    return Computation(program, list(needed), {}, ())


def _values(computation: Computation, rows: int, columns: Mapping[str, Doubles]) -> Doubles:
    return computation({name: columns[name] for name in computation.columns}, rows=rows).value


def _text(computation: Computation) -> str:
    return computation.program.text(computation.program.output)


def _needed(program: Program, columns: Columns) -> dict[str, int]:
    """The inputs that a program depends on, also constants such as e that are columns."""
    shadowed = [name for name in columns.names if name in program.constants]
    return used(program.graph.needed([program.output]), program.inputs_given(shadowed))
