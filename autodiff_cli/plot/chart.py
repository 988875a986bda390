"""Charts of given numbers: lines, points, bands and histograms, in panels one below the other."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from .viewing_window import Window, drawable, full_window, with_margin


@dataclass(frozen=True)
class ChartSeries:
    """Numbers that are drawn alike; points that are not finite are left out, in text also those too large to draw."""

    label: str
    xs: Sequence[float]
    """for a histogram the edges of its bars, one more than there are heights"""
    ys: Sequence[float]
    kind: Literal["line", "points", "band", "histogram"] = "line"
    upper: Sequence[float] = ()
    """the upper edge of a band, whose lower edge is `ys`"""

    def outline(self) -> Iterator[list[tuple[float, float]]]:
        """Lines that show the series where areas cannot be filled."""
        if self.kind == "histogram":
            corners = [(edge, height) for left, height in enumerate(self.ys) for edge in self.xs[left : left + 2]]
            yield _drawable([(self.xs[0], 0.0), *corners, (self.xs[-1], 0.0)])
        else:
            yield _drawable(zip(self.xs, self.ys, strict=True))
            if self.kind == "band":
                yield _drawable(zip(self.xs, self.upper, strict=True))


def _drawable(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x, y) for x, y in points if isfinite(drawable(x)) and isfinite(drawable(y))]


@dataclass(frozen=True)
class ChartPanel:
    """Series with common axes."""

    series: Sequence[ChartSeries]
    across: str
    """the label of the numbers from left to right"""
    up: str
    """the label of the numbers from the bottom to the top"""

    def window(self, axis: Literal[0, 1]) -> Window:
        """The range of all numbers on an axis: 0 is from left to right, 1 from the bottom to the top."""
        numbers = (point[axis] for series in self.series for part in series.outline() for point in part)
        return with_margin(full_window(numbers) or (0.0, 1.0))


@dataclass(frozen=True)
class Chart:
    """Panels one below the other, the first at the top."""

    title: str
    panels: Sequence[ChartPanel]
