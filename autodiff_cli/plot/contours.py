"""A program over two of its inputs: a grid of values with levels between them, and gradients at some places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import ceil, hypot, isfinite, sqrt

from ..parallel import Progress
from ..program import Program
from .contour_levels import contour_levels
from .curves import nothing_to_plot
from .program_sampler import ProgramSampler
from .viewing_window import Window, drawable, full_window, quantile

Places = tuple[list[float], list[float]]
"""the x of a grid's columns, and the y of its lines from the bottom"""

_MOST_OPERATIONS = 3e6  # for the values: about two seconds
_SHORTEST = 0.35
"""the length of an arrow for a very small gradient, relative to the longest arrow"""


@dataclass(frozen=True)
class GradientArrow:
    """The gradient at a place."""

    x: float
    y: float
    across: float
    up: float
    """the derivatives per width and per height of the plot: so the arrow points to where the value grows fastest, at
    right angles to the contours"""

    @property
    def size(self) -> float:
        """The length of the gradient, per size of the plot."""
        return hypot(self.across, self.up)


@dataclass(frozen=True)
class ContourPlot:
    """The values of a function over two ranges, and its gradients at some places."""

    program: Program
    over: dict[str, Window]
    """the two inputs and their ranges: from left to right, from the bottom to the top"""
    xs: list[float]
    ys: list[float]
    values: list[list[float]]
    """lines from the bottom, as `ys`; nan where none can be drawn"""
    arrows: list[GradientArrow]
    """at some of the places where the gradient is finite"""
    path: Sequence[tuple[float, float]] = ()
    """points that are joined by a line, the last of them marked"""

    @cached_property
    def levels(self) -> list[float]:
        """Round numbers that divide the values into bands, in increasing order."""
        return contour_levels(value for line in self.values for value in line)

    @property
    def extremes(self) -> Window:
        """The smallest and the largest value."""
        extremes = full_window(value for line in self.values for value in line)
        assert extremes is not None
        return extremes

    def band(self, value: float) -> int | None:
        """The number of levels that are not above a value: 0 below the first; None for nan."""
        return sum(value >= level for level in self.levels) if isfinite(value) else None

    def length(self, arrow: GradientArrow) -> float:
        """The length of an arrow as it is drawn: 1 for a steep one, less for others, 0 for a gradient of zero."""
        if not arrow.size:
            return 0.0
        return _SHORTEST + (1 - _SHORTEST) * sqrt(min(1.0, arrow.size / self._steep))

    @cached_property
    def _steep(self) -> float:
        """The size of a steep gradient, which a few exceed."""
        return quantile(sorted(arrow.size for arrow in self.arrows if arrow.size), 0.95)


def sample_contours(
    program: Program,
    point: Mapping[str, float],
    over: Mapping[str, Window],
    places: Places,
    arrows_at: Places,
    progress: Progress = iter,
) -> ContourPlot:
    """Evaluate a program at all `places`, and its gradient at the places of `arrows_at`.

    Where that would take long, it is evaluated at fewer places. Raises AutodiffError where no value of the program can
    be drawn. `progress` iterates over the lines of the grid, and may show the progress.
    """
    sampler = ProgramSampler(program, point, over, list(over))
    fewer = ceil(sqrt(len(places[0]) * len(places[1]) * sampler.cost / _MOST_OPERATIONS))
    xs, ys = _thinned(places[0], fewer), _thinned(places[1], fewer)
    values = [[drawable(sampler.value(x, y)) for x in xs] for y in progress(ys)]
    if not any(isfinite(value) for line in values for value in line):
        raise nothing_to_plot(over)
    widths = [high - low for low, high in over.values()]
    arrows = []
    for y, x in product(*(some[::fewer] for some in reversed(arrows_at))):
        value, across, up = sampler(x, y)
        arrow = GradientArrow(x, y, across * widths[0], up * widths[1])
        if isfinite(value) and isfinite(arrow.size):
            arrows.append(arrow)
    return ContourPlot(program, dict(over), xs, ys, values, arrows)


def _thinned(places: Sequence[float], times: int) -> list[float]:
    """The places reduced in number by a factor, both ends among them."""
    count, last = max(2, ceil(len(places) / times)), len(places) - 1
    return [places[round(index * last / (count - 1))] for index in range(count)]
