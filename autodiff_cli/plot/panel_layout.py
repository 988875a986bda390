"""The panels of a plot: which curves share one, and which values it shows."""

from collections.abc import Sequence
from math import isfinite

from .adaptive_sampling import AdaptiveSamples
from .viewing_window import Window, full_window, height, is_constant, robust_window, with_margin

_COMPARABLE = 6.0
"""curves share a panel that is at most this many times as high as each of them"""
_FROM_ZERO = 40.0
"""a constant shares a panel that is at most this many times as high as the constant is large"""
_ENOUGH = 0.6
"""a curve with a pole takes the window of the others if that shows this fraction of it"""
_FAR = 3.0
"""a curve has a pole if its values at a break are away from the others by this many times the height of these"""
_ROUNDING = 1e-12
"""relative to the function's values over the width: a smaller slope may be rounding alone"""
_CONSTANT = 1e-6
"""relative: a derivative that varies by less is constant apart from rounding, which is larger than the function's"""


def first_windows(samples: AdaptiveSamples, count: int, given: Window | None = None) -> list[Window | None]:
    """A window for each curve by the first samples, or the given one; None for a curve without values."""
    if given is not None:
        return [given] * count
    windows = [robust_window(samples.values(curve)) for curve in range(count)]
    return [window and with_margin(_without_rounding(samples, curve, window)) for curve, window in enumerate(windows)]


def panels(samples: AdaptiveSamples, count: int, given: Window | None = None) -> list[tuple[Window, list[int]]]:
    """The window of each panel and its curves, for the first `count` curves; all are in a window that is given."""
    if given is not None:
        return [(given, list(range(count)))]
    layout: list[tuple[Window, list[int]]] = []
    extents = {curve: extent for curve in range(count) if (extent := _extent(samples, curve)) is not None}
    for curve, extent in extents.items():
        if layout:
            window, curves = layout[-1]
            shared = (
                window if _is_shown(samples, curve, window) else (min(window[0], extent[0]), max(window[1], extent[1]))
            )
            if all(_comparable(extents[other], shared) for other in [*curves, curve]):
                layout[-1] = shared, [*curves, curve]
                continue
        layout.append((extent, [curve]))
    return [(with_margin(window), curves) for window, curves in layout]


def joined(windows: Sequence[Window]) -> Window | None:
    """The window of several panels as one; None where the curves of one could not be followed by eye."""
    shared = min(low for low, _ in windows), max(high for _, high in windows)
    return shared if all(_comparable(window, shared) for window in windows) else None


def finer(window: Window | None, seen: Window | None) -> Window | None:
    """The window, if it shows more detail of a curve than the `seen` one, for which the curve is sampled already."""
    if window is None or seen is None:
        return None
    slack = height(window) / 10
    covered = seen[0] - slack <= window[0] and window[1] <= seen[1] + slack
    return None if covered and height(seen) <= height(window) + slack else window


def _extent(samples: AdaptiveSamples, curve: int) -> Window | None:
    """The values of a curve to show: all of them, unless it has a pole."""
    if _has_pole(samples, curve):
        return robust_window(samples.values(curve))
    extent = full_window(sample[curve] for sample in samples.taken.values())
    return extent and _without_rounding(samples, curve, extent)


def _without_rounding(samples: AdaptiveSamples, curve: int, window: Window) -> Window:
    """The window; for a derivative that varies only by rounding, one without height."""
    if curve == 0:
        return window
    largest = max(map(abs, window))
    rounding = _ROUNDING * max(map(abs, full_window(samples.values(0)) or window)) / samples.width
    if curve == samples.slope and largest <= rounding:
        return 0.0, 0.0
    varies_little = height(window) <= max(_CONSTANT * largest, rounding)
    return (window[0], window[0]) if varies_little else window


def _has_pole(samples: AdaptiveSamples, curve: int) -> bool:
    """Whether the curve has a pole: then its values at a break are far away from all others."""
    usual = full_window(samples.values(curve))
    beside = full_window(samples.taken[number][curve] for interval in samples.breaks for number in interval)
    if usual is None or beside is None:
        return False
    room = _FAR * height(usual)
    return beside[0] < usual[0] - room or beside[1] > usual[1] + room


def _is_shown(samples: AdaptiveSamples, curve: int, window: Window) -> bool:
    """Whether the window shows enough of a curve with a pole, which no window shows completely."""
    if not _has_pole(samples, curve):
        return False
    values = [value for value in samples.values(curve) if isfinite(value)]
    return sum(window[0] <= value <= window[1] for value in values) >= _ENOUGH * len(values)


def _comparable(extent: Window, window: Window) -> bool:
    """Whether a curve is high enough in this window to be followed by eye, or a constant far enough from 0."""
    if is_constant(extent):
        return extent[0] == 0 or height(window) <= _FROM_ZERO * abs(extent[0])
    low, high = max(extent[0], window[0]), min(extent[1], window[1])
    return height(window) <= _COMPARABLE * height((low, high))
