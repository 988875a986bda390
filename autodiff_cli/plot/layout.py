"""Which curves share a panel, and which values each panel shows."""

from math import isfinite

from . import windows
from .refinement import Samples
from .windows import Window

_COMPARABLE = 6.0
"""curves share a panel if it is at the most so many times as high as each of them"""
_FROM_ZERO = 40.0
"""a constant may share a panel that is at the most so many times as high as the constant is away from 0"""
_ENOUGH = 0.6
"""a curve that runs away to infinity takes the window of the others if that shows this share of it"""
_FAR = 3.0
"""a curve runs away if beside a break it is so many times the height of its other values away from them"""
_ROUNDING = 1e-12
"""of the function's values over the width: a slope that is no larger may be rounding alone"""
_STEADY = 1e-6
"""relative: a derivative that varies no more is constant but for rounding; it has lost more digits than the function"""


def first_windows(samples: Samples, count: int) -> list[Window | None]:
    """A window for each curve while nothing is known but the first samples; None for a curve without values."""
    found = [windows.robust(samples.values(curve)) for curve in range(count)]
    return [window and windows.roomy(_steadied(samples, curve, window)) for curve, window in enumerate(found)]


def panels(samples: Samples, count: int) -> list[tuple[Window, list[int]]]:
    """The first so many curves, shared out to panels, and the window of each panel."""
    found: list[tuple[Window, list[int]]] = []
    extents = {curve: extent for curve in range(count) if (extent := _extent(samples, curve)) is not None}
    for curve, extent in extents.items():
        if found:
            window, curves = found[-1]
            shared = window if _is_shown(samples, curve, window) else windows.union(window, extent)
            if all(_comparable(extents[other], shared) for other in [*curves, curve]):
                found[-1] = shared, [*curves, curve]
                continue
        found.append((extent, [curve]))
    return [(windows.roomy(window), curves) for window, curves in found]


def finer(window: Window | None, seen: Window | None) -> Window | None:
    """The window, if it shows more of a curve than one that the curve is smooth in already."""
    if window is None or seen is None:
        return None
    slack = windows.height(window) / 10
    covered = seen[0] - slack <= window[0] and window[1] <= seen[1] + slack
    return None if covered and windows.height(seen) <= windows.height(window) + slack else window


def _extent(samples: Samples, curve: int) -> Window | None:
    """What of a curve is worth to be seen: all of it, unless it has a pole."""
    if runs_away(samples, curve):
        return windows.robust(samples.values(curve))
    extent = windows.whole(sample[curve] for sample in samples.known.values())
    return extent and _steadied(samples, curve, extent)


def _steadied(samples: Samples, curve: int, window: Window) -> Window:
    """The window; that of a derivative without height, where the derivative varies no more than by rounding."""
    if curve == 0:
        return window
    largest = max(map(abs, window))
    grain = _ROUNDING * max(map(abs, windows.whole(samples.values(0)) or window)) / samples.width
    if curve == samples.slope and largest <= grain:
        return 0.0, 0.0
    steady = windows.height(window) <= max(_STEADY * largest, grain)
    return (window[0], window[0]) if steady else window


def runs_away(samples: Samples, curve: int) -> bool:
    """Has the curve a pole? Then its values beside a break are far away from all others."""
    usual = windows.whole(samples.values(curve))
    beside = windows.whole(samples.known[number][curve] for interval in samples.breaks for number in interval)
    if usual is None or beside is None:
        return False
    room = _FAR * windows.height(usual)
    return beside[0] < usual[0] - room or beside[1] > usual[1] + room


def _is_shown(samples: Samples, curve: int, window: Window) -> bool:
    """Does the window show enough of a curve that no window would show wholly?"""
    if not runs_away(samples, curve):
        return False
    values = [value for value in samples.values(curve) if isfinite(value)]
    return sum(window[0] <= value <= window[1] for value in values) >= _ENOUGH * len(values)


def _comparable(extent: Window, window: Window) -> bool:
    """Is a curve high enough in this window to be followed by eye, and a constant far enough away from 0?"""
    if windows.steady(extent):
        return extent[0] == 0 or windows.height(window) <= _FROM_ZERO * abs(extent[0])
    low, high = max(extent[0], window[0]), min(extent[1], window[1])
    return windows.height(window) <= _COMPARABLE * windows.height((low, high))
