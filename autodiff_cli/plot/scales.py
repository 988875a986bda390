"""Linear and logarithmic axes: what is drawn on a logarithmic one is the logarithm to base 10."""

from collections.abc import Sequence
from math import inf, log, log10, nan
from typing import NamedTuple

from .viewing_window import Window

_DECADE = log(10)


class Scales(NamedTuple):
    """The axes that are logarithmic."""

    x: bool = False
    y: bool = False

    def across(self, ends: Window) -> Window:
        """The range of an input as it is drawn."""
        return (log10(ends[0]), log10(ends[1])) if self.x else ends

    def up(self, value: float) -> float:
        """A value as it is drawn; nan for one that a logarithmic axis does not have."""
        if not self.y:
            return value
        return log10(value) if 0 < value < inf else nan

    def number(self, place: float) -> float:
        """The number of the input at a place across."""
        return 10.0**place if self.x else place

    def value(self, place: float) -> float:
        """The value at a place up; at most about the largest double, and on a logarithmic axis not 0."""
        return 10.0 ** max(-323.0, min(place, 308.25)) if self.y else place

    def drawn(self, x: float, sample: Sequence[float], slope: int) -> tuple[float, ...]:
        """A sample as it is drawn; on logarithmic axes with the slope of curve 0 there added at the end."""
        if not any(self):
            return tuple(sample)
        steepness = sample[slope] * (x * _DECADE if self.x else 1.0)
        if self.y:
            steepness = steepness / (sample[0] * _DECADE) if sample[0] > 0 else nan
        return (*map(self.up, sample), steepness)


LINEAR = Scales()
