"""The window of a plot: the range of values that is shown."""

import sys
from collections.abc import Iterable, Sequence
from math import isfinite, nan

Window = tuple[float, float]
"""the lowest and the highest number"""

_TAIL = 0.07
"""this fraction of the values at either end may be outliers"""
_OUTLIER_ROOM = 0.35
"""relative to the height of the other values: the part of the outliers that is shown"""
_FAR = 4.0
"""outliers make the window more than this many times as high as the other values do"""
LARGEST = 1e300
"""no larger number is drawn, because drawing libraries compute with sums and multiples of them"""
_CONSTANT = 1e-12
"""relative: a value that varies by less is constant apart from rounding"""


def drawable(number: float) -> float:
    """The number; nan for one that is not finite or too large to be drawn."""
    return number if abs(number) <= LARGEST else nan


def full_window(values: Iterable[float]) -> Window | None:
    """The window of all finite values; None where there are none."""
    finite = [value for value in values if isfinite(value)]
    return (min(finite), max(finite)) if finite else None


def robust_window(values: Iterable[float]) -> Window | None:
    """The window of the values without outliers, such as those near a pole; None where there are none."""
    finite = sorted(value for value in values if isfinite(value))
    if not finite:
        return None
    low, high = (quantile(finite, share) for share in (_TAIL, 1 - _TAIL))
    if low == high or height((finite[0], finite[-1])) <= _FAR * height((low, high)):
        return finite[0], finite[-1]
    more = height((low, high)) * _OUTLIER_ROOM
    return max(finite[0], low - more), min(finite[-1], high + more)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this fraction of the ordered values lies."""
    return ordered[round(share * (len(ordered) - 1))]


def height(window: Window) -> float:
    """The height of a window, at most the largest double."""
    return min(window[1] / 2 - window[0] / 2, sys.float_info.max / 2) * 2


def is_constant(window: Window) -> bool:
    """Whether it is the window of a constant."""
    return height(window) <= _CONSTANT * max(map(abs, window))


def window_around(values: Iterable[float], share: float) -> Window:
    """The window of all finite values with this fraction of its height below and above.

    Around a constant the room is half of it, and at least 0.5.
    """
    low, high = full_window(values) or (0.0, 0.0)
    room = 0.5 * max(1.0, abs(low)) if is_constant((low, high)) else share * height((low, high))
    return low - room, high + room


def with_margin(window: Window) -> Window:
    """The window with a margin above and below, which gives that of a constant a height."""
    low, high = window
    margin = (max(map(abs, window)) or 1.0) if is_constant(window) else height(window) / 20
    return max(low - margin, -LARGEST), min(high + margin, LARGEST)


def evenly_spaced(window: Window, count: int) -> list[float]:
    """`count` numbers at equal distances, with both ends of the range."""
    low, high = window
    return [low + (high - low) * (place / (count - 1)) for place in range(count - 1)] + [high]


def part_centres(window: Window, count: int) -> list[float]:
    """The middles of `count` equal parts of the range."""
    low, high = window
    return [low + (high - low) * ((place + 0.5) / count) for place in range(count)]
