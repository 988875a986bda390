"""A table made of ranges: every combination of the points of some axes, the last of them varying fastest."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, prod
from typing import Any, NamedTuple

import numpy

from ..errors import USAGE, AutodiffError
from .formats import Block

_ROWS = 2**16
_MOST = 10**18
_EXACT = 2**53  # up to here doubles hold every integer
_SNAP = Fraction(1, 2**48)  # how far rounding can bring a whole number of steps from whole, for each step


class Axis:
    """The numbers low, low + step, … up to high, which is one of them where it lies on the grid but for rounding.

    Each is the double next to the exact sum, so that 0 to 1 by 0.1 gives the numbers that are written 0.1, 0.2, 0.3.
    """

    def __init__(self, low: Fraction, high: Fraction, step: Fraction) -> None:
        """The step leads from low to high."""
        steps = (high - low) / step
        whole = round(steps)
        self._ends = abs(steps - whole) <= _SNAP * max(whole, 1)
        self.count = (whole if self._ends else int(steps)) + 1
        self._high = float(high)
        self._scale = lcm(low.denominator, step.denominator)
        self._low, self._step = int(low * self._scale), int(step * self._scale)

    @cached_property
    def _is_exact(self) -> bool:
        """Are all sums, times the scale, and the scale itself doubles? Their quotient is then rounded right."""
        most = max(abs(self._low), abs(self._low + (self.count - 1) * self._step), abs(self._step))
        return most <= _EXACT and self._scale < 10**300 and int(float(self._scale)) == self._scale

    def at(self, places: Any) -> Any:
        """The numbers at some places, an array of integers from 0 on, as doubles."""
        if self._is_exact:
            points = (self._low + places * self._step) / float(self._scale)
        else:  # the quotient of two integers is rounded right however large they are
            points = numpy.array([(self._low + int(place) * self._step) / self._scale for place in places], dtype=float)
        if self._ends:
            points[places == self.count - 1] = self._high
        return points


class _GridPart(NamedTuple):
    first: int
    rows: int


class Reader:
    """The table of the axes: name → axis."""

    format = "grid"
    schema: Any = None

    def __init__(self, axes: Mapping[str, Axis]) -> None:
        """Raises AutodiffError where there are more rows than anybody could wait for."""
        self._axes = axes
        self.names: Sequence[str] = list(axes)
        self._rows, self._done = prod(axis.count for axis in axes.values()), 0
        if self._rows > _MOST:
            raise AutodiffError("the grid has more than 10^18 points", hint="make the steps larger", code=USAGE)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[_GridPart]:
        """Some rows after the others."""
        for first in range(0, self._rows, _ROWS):
            yield _GridPart(first, min(_ROWS, self._rows - first))
            self._done = min(first + _ROWS, self._rows)

    def block(self, part: _GridPart, columns: Sequence[str]) -> Block:
        """The rows of a part, with all columns."""
        places = numpy.arange(part.first, part.first + part.rows)
        found = {}
        for name, axis in reversed(list(self._axes.items())):
            found[name] = axis.at(places % axis.count)
            places //= axis.count
        return Block(part.rows, {name: found[name] for name in self.names}, place=lambda row: part.first + row + 1)

    def size(self) -> int:
        """How many rows it has."""
        return self._rows

    def position(self) -> int:
        """How many of them have been given out."""
        return self._done
