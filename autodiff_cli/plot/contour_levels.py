"""The levels of a contour plot: round numbers that divide the values into bands."""

from collections.abc import Iterable
from itertools import pairwise
from math import floor, inf, isfinite, log10

from .axis_ticks import ticks
from .viewing_window import Window, is_constant, quantile

MOST_LEVELS = 8
_MOST_STEPS = 30
"""a function with more different values is not a step function"""
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_EVEN = (0.25, 0.75)
"""the median of evenly spread values lies between these parts of their range"""
_WIDE = 0.2
"""the middle half of evenly spread values takes at least this part of their range"""


def contour_levels(values: Iterable[float]) -> list[float]:
    """Round numbers that divide the values, in increasing order; none for a constant.

    A step function has a level between any two successive values that differ in six digits, other functions have at
    most MOST_LEVELS. These are equally spaced where the values are spread evenly; else, as for a function that grows
    fast, each band between two of them has about the same fraction of the values.
    """
    ordered = sorted(value for value in values if isfinite(value))
    low, high = quantile(ordered, 0.02), quantile(ordered, 0.98)
    if is_constant((ordered[0], ordered[-1])):
        return []
    steps = sorted(set(ordered))
    if len(steps) <= _MOST_STEPS:
        return _within((float(f"{a / 2 + b / 2:.6g}") for a, b in pairwise(steps)), ordered)
    if _are_even(ordered, (low, high)):
        return [level for level in ticks((low, high), MOST_LEVELS, _STEPS) if low < level < high]
    shares = (quantile(ordered, share / (MOST_LEVELS + 1)) for share in range(1, MOST_LEVELS + 1))
    return _within(map(_rounded, shares), ordered)


def _within(levels: Iterable[float], ordered: list[float]) -> list[float]:
    """The levels that divide these values, each once; rounding may make two of them equal, or move one outside."""
    return [level for level in sorted(set(levels)) if ordered[0] < level < ordered[-1]]


def _are_even(ordered: list[float], ends: Window) -> bool:
    """Whether the values are spread about evenly between these ends."""
    low, high = ends
    quarter, half, most = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    if not 0 < high - low < inf:
        return False
    return _EVEN[0] <= (half - low) / (high - low) <= _EVEN[1] and (most - quarter) / (high - low) >= _WIDE


def _rounded(number: float) -> float:
    """The nearest of 1, 2, 5 and 10 times a power of ten."""
    if abs(number) < 1e-300:
        return 0.0
    power = 10.0 ** floor(log10(abs(number)))
    nearest = min((1.0, 2.0, 5.0, 10.0), key=lambda digit: abs(digit * power - abs(number)))
    return float(f"{nearest * power if number > 0 else -nearest * power:.1g}")
