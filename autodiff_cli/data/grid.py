"""A table made of ranges: every combination of the points of some axes, the last of them varying fastest."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

import numpy
import pyarrow
from numpy.typing import NDArray

from ..errors import USAGE, AutodiffError
from .formats import RowBlock

_PART_ROWS = 2**16
_MOST_POINTS = 10**18
_EXACT = 2**53  # doubles hold every integer up to here
_POINT, _LONG_POINT = 1e-8, 5e-7  # the work of a point, and of one whose numbers doubles cannot hold
_SNAP = Fraction(1, 2**48)  # how far rounding can move an integer number of steps, for each step


class GridAxis:
    """The numbers low, low + step, … up to high, which is one of them where it lies on the grid but for rounding.

    Each is the double nearest to the exact sum, so that 0 to 1 by 0.1 gives the numbers that are written 0.1, 0.2, 0.3.
    """

    def __init__(self, low: Fraction, high: Fraction, step: Fraction) -> None:
        """The step leads from low to high."""
        steps = (high - low) / step
        nearest = round(steps)
        self._includes_high = abs(steps - nearest) <= _SNAP * max(nearest, 1)
        self.count = (nearest if self._includes_high else int(steps)) + 1
        self._high = float(high)
        self._scale = lcm(low.denominator, step.denominator)
        self._low, self._step = int(low * self._scale), int(step * self._scale)

    @property
    def price(self) -> float:
        """The seconds that a point takes."""
        return _POINT if self._is_exact else _LONG_POINT

    @cached_property
    def _is_exact(self) -> bool:
        """Whether doubles hold the scale and all sums times the scale, so that their quotient is rounded correctly."""
        largest = max(abs(self._low), abs(self._low + (self.count - 1) * self._step), abs(self._step))
        return largest <= _EXACT and self._scale < 10**300 and int(float(self._scale)) == self._scale

    def points(self, indices: NDArray[numpy.int64]) -> NDArray[numpy.float64]:
        """The points with these indices, counted from 0."""
        if self._is_exact:
            points = (self._low + indices * self._step) / float(self._scale)
        else:  # the quotient of two Python integers is rounded correctly however large they are
            points = numpy.array([(self._low + int(index) * self._step) / self._scale for index in indices], float)
        if self._includes_high:
            points[indices == self.count - 1] = self._high
        return points


class GridReader:
    """The table of the axes: name → axis. Its parts are indices of points, counted from 0."""

    format = "grid"
    schema = None

    def __init__(self, axes: Mapping[str, GridAxis]) -> None:
        """Raises AutodiffError where there are more rows than anybody could wait for."""
        self._axes = axes
        self.names: Sequence[str] = list(axes)
        self._rows, self._position = prod(axis.count for axis in axes.values()), 0
        self.end = self._rows
        """the number of rows that are read"""
        if self._rows > _MOST_POINTS:
            raise AutodiffError("the grid has more than 10^18 points", hint="make the steps larger", code=USAGE)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[NDArray[numpy.int64]]:
        """Yield the rows in parts."""
        for first in range(0, self.end, _PART_ROWS):
            self._position = min(first + _PART_ROWS, self.end)
            yield numpy.arange(first, self._position)

    def block(self, part: NDArray[numpy.int64], columns: Sequence[str]) -> RowBlock:
        """Return the rows of a part, with all columns."""
        points, indices = {}, part
        for name, axis in reversed(list(self._axes.items())):
            points[name] = axis.points(indices % axis.count)
            indices = indices // axis.count
        return RowBlock(
            len(part),
            place=lambda row: int(part[row]) + 1,
            read_columns=lambda names: {name: pyarrow.array(points[name]) for name in names},
            columns=points,
        )

    def chosen(self, part: NDArray[numpy.int64], rows: NDArray[numpy.int64]) -> NDArray[numpy.int64]:
        """A part of these rows alone."""
        return part[rows]

    @property
    def price(self) -> float:
        """The seconds that a row takes."""
        return sum(axis.price for axis in self._axes.values())

    def size(self) -> int:
        """The number of rows."""
        return self._rows

    def position(self) -> int:
        """The number of points that `parts` has yielded."""
        return self._position
