"""A program over two of its inputs: a grid of values with levels between them, and the gradient at some places."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot, isfinite, nan, sqrt

from ..program import Program
from . import levels
from .curves import nowhere_defined
from .refinement import Watched
from .sampler import Sampler
from .windows import Window, quantile

Places = tuple[list[float], list[float]]
"""the columns of a grid, and its rows from the bottom"""

_SHORTEST = 0.35
"""of the longest arrow's length: that of an arrow for a gradient that is very small, but not zero"""


@dataclass(frozen=True)
class Arrow:
    """The gradient at a place."""

    x: float
    y: float
    across: float
    up: float
    """by how much the value rises per width and per height of the picture, in which it points to where the value grows
    fastest, at right angles to the lines of equal value"""

    @property
    def size(self) -> float:
        """How steep it is here."""
        return hypot(self.across, self.up)


@dataclass(frozen=True)
class Field:
    """A surface, seen from above."""

    program: Program
    over: dict[str, Window]
    """the two inputs and their ranges: from left to right, from the bottom to the top"""
    xs: list[float]
    ys: list[float]
    values: list[list[float]]
    """row by row, as `ys`, from the bottom; nan where there is no finite value"""
    arrows: list[Arrow]
    """only where the gradient is finite"""

    @cached_property
    def levels(self) -> list[float]:
        """Round numbers that part the values into bands, in increasing order."""
        return levels.levels(value for row in self.values for value in row)

    @property
    def lowest(self) -> float:
        """The smallest value."""
        return min(value for row in self.values for value in row if isfinite(value))

    @property
    def highest(self) -> float:
        """The largest value."""
        return max(value for row in self.values for value in row if isfinite(value))

    def band(self, value: float) -> int | None:
        """Between which levels a value lies: 0 is below the first; None for no value."""
        return sum(value >= level for level in self.levels) if isfinite(value) else None

    def length(self, arrow: Arrow) -> float:
        """How long an arrow is drawn: 1 for the steepest, less for others; 0 where it is flat."""
        if not arrow.size:
            return 0.0
        return _SHORTEST + (1 - _SHORTEST) * sqrt(min(1.0, arrow.size / self._steep))

    @cached_property
    def _steep(self) -> float:
        """The size of a large gradient; a few are larger."""
        return quantile(sorted(arrow.size for arrow in self.arrows if arrow.size), 0.95)


def survey(
    program: Program,
    point: Mapping[str, float],
    over: Mapping[str, Window],
    places: Places,
    arrows_at: Places,
    watched: Watched = iter,
) -> Field:
    """Evaluate a program at all the places, columns and rows, and its gradient where the arrows are.

    Raises AutodiffError where the program has no finite value at any of them. `watched` hands on the rows, so that
    someone can see how far they are.
    """
    sampler = Sampler(program, point, over, list(over))
    xs, ys = places
    values = [[value if isfinite(value := sampler.value(x, y)) else nan for x in xs] for y in watched(ys)]
    if not any(isfinite(value) for row in values for value in row):
        raise nowhere_defined(over)
    widths = [high - low for low, high in over.values()]
    arrows = []
    for y in arrows_at[1]:
        for x in arrows_at[0]:
            value, across, up = sampler(x, y)
            arrow = Arrow(x, y, across * widths[0], up * widths[1])
            if isfinite(value) and isfinite(arrow.size):
                arrows.append(arrow)
    return Field(program, dict(over), xs, ys, values, arrows)


def spread(window: Window, count: int) -> list[float]:
    """So many places at equal distances, both ends included."""
    low, high = window
    return [low + (high - low) * (place / (count - 1)) for place in range(count - 1)] + [high]


def centres(window: Window, count: int) -> list[float]:
    """The middles of so many equal parts."""
    low, high = window
    return [low + (high - low) * ((place + 0.5) / count) for place in range(count)]
