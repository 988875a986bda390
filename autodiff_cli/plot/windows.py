"""Which part of a curve's values is shown."""

import sys
from collections.abc import Iterable, Sequence
from math import isfinite

Window = tuple[float, float]

_TAIL = 0.07
"""so much of the values on either side may be far away"""
_MORE = 0.35
"""of the height of the rest, which is shown of them all the same"""
_FAR = 4.0
"""values are far away that make the window so many times as high as the rest of them"""
_LARGEST = 1e300
_STEADY = 1e-12
"""relative: a value that varies no more is constant but for rounding"""


def whole(values: Iterable[float]) -> Window | None:
    """All finite values; None where there are none."""
    finite = [value for value in values if isfinite(value)]
    return (min(finite), max(finite)) if finite else None


def robust(values: Iterable[float]) -> Window | None:
    """The values but for those near a pole, which would flatten all others; None where there are none."""
    finite = sorted(value for value in values if isfinite(value))
    if not finite:
        return None
    low, high = (quantile(finite, share) for share in (_TAIL, 1 - _TAIL))
    if low == high or height((finite[0], finite[-1])) <= _FAR * height((low, high)):
        return finite[0], finite[-1]
    more = height((low, high)) * _MORE
    return max(finite[0], low - more), min(finite[-1], high + more)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the ordered values lies."""
    return ordered[round(share * (len(ordered) - 1))]


def union(one: Window, other: Window) -> Window:
    """The window that shows both."""
    return min(one[0], other[0]), max(one[1], other[1])


def height(window: Window) -> float:
    """From the bottom to the top; finite."""
    return min(window[1] / 2 - window[0] / 2, sys.float_info.max / 2) * 2


def steady(window: Window) -> bool:
    """Is it the window of a constant?"""
    return height(window) <= _STEADY * max(map(abs, window))


def roomy(window: Window) -> Window:
    """The window with some room above and below; that of a constant gets a height."""
    low, high = window
    room = (max(map(abs, window)) or 1.0) if steady(window) else height(window) / 20
    return max(low - room, -_LARGEST), min(high + room, _LARGEST)
