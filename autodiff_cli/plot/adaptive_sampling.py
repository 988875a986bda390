"""Adaptive sampling of curves: more samples where they bend, and on both sides of every break, up to the last double.

A sample has one value for each curve, such as those of a function and of its derivative.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import isfinite, nan

from ..parallel import Progress
from . import removable_singularities
from .viewing_window import Window, height

Sample = tuple[float, ...]
Interval = tuple[float, float]
Intervals = list[Interval]
IsRight = Callable[[Sample, Sample, Sample], bool]
"""whether a break lies in the right half, by the samples at the left end, in the middle and at the right end"""


_FLAT = 1 / 800
"""relative to the window's height: how far a curve may be from a straight line to be drawn as one"""
_JUMP = 1 / 200
"""relative to the window's height: a smaller jump is not visible"""
_MOST_SPLITS = 8
"""the number of times that an interval is halved before it is searched for a break"""
_MOST_SLOPE_SPLITS = 2
"""the number of times that an interval is halved whose slopes at the ends do not match its values"""
NARROW = 1e-4
"""relative to the whole width: in a narrower interval only jumps are visible"""
_NARROWEST = 2.0**-60
"""relative to the whole width: an interval this narrow locates a break well enough"""
_HALVINGS = 80
_POLE_RATIO = 100.0
"""a value next to a pole is more than this many times as large as its neighbours"""
_POLE_DISTANCES = (1e-3, 1e-6)
"""from a value, relative to those of its neighbours: a pole is looked for in the values there"""
_POLE_GROWTH, _POLE_REST = 4.0, 10.0
"""the curve grows by more than these factors from the larger distance to the smaller, and from there to the value"""


class AdaptiveSamples:
    """The samples of curves over an interval, and the places where a curve may be broken.

    `slope` is the curve that is the derivative of curve 0.
    """

    def __init__(
        self, sample_at: Callable[[float], Sample], numbers: Sequence[float], slope: int, progress: Progress
    ) -> None:
        """Take the first samples."""
        self._sample_at, self.slope, self._progress = sample_at, slope, progress
        self._windows: dict[int, Window] = {}
        """the curves that are refined, with what is shown of them"""
        self.taken = {number: sample_at(number) for number in progress(numbers)}
        self.first = list(self.taken)
        self.breaks: set[Interval] = set()
        """intervals between neighbouring samples in which a curve ends, jumps, or is very steep"""
        self.width = self.first[-1] - self.first[0]
        for place, number in enumerate(self.first):
            neighbours = self.first[max(0, place - 1) : place + 2]
            self._remove_pole(*neighbours, at=number)
            self._fill_gap(*neighbours, at=number)

    def values(self, curve: int) -> list[float]:
        """The values of one of the curves at the first samples."""
        return [self.taken[number][curve] for number in self.first]

    def refine(self, windows: Sequence[Window | None], budget: int) -> None:
        """Take at most about `budget` samples, until each curve with a window is smooth in it between its breaks."""
        self._windows = {curve: window for curve, window in enumerate(windows) if window is not None}
        most = len(self.taken) + budget
        neighbours = (interval for interval in pairwise(sorted(self.taken)) if interval not in self.breaks)
        parts, depth = self._unfinished(neighbours) if self._windows else [], 0
        while parts and len(self.taken) < most:
            smaller: Intervals = []
            for a, b in self._progress(parts):
                smaller += self._split(a, b, depth) if len(self.taken) < most else []
            parts, depth = smaller, depth + 1

    def _split(self, a: float, b: float, depth: int) -> Intervals:
        """Take a sample in the middle; return the parts of the interval that need more samples."""
        m = middle(a, b)
        if not a < m < b:
            self._record_break(a, b)
            return []
        self._sample(m)
        self._fill_gap(a, m, b, at=m)
        for curve, window in self._windows.items():
            left, centre, right = (self.taken[number][curve] for number in (a, m, b))
            if isfinite(left) != isfinite(right):
                return self._find_end(a, b, curve)
            if isfinite(left) != isfinite(centre):
                return [(a, m), (m, b)]
            if isfinite(left) and not _flat(left, centre, right, window):
                return [(a, m), (m, b)] if depth < _MOST_SPLITS else self._find_jump(a, b, curve)
            if curve == 0 and depth < _MOST_SLOPE_SPLITS and not self._slopes_fit(a, b, window):
                return [(a, m), (m, b)]
        return []

    def _sample(self, number: float) -> Sample:
        if number not in self.taken:
            self.taken[number] = self._sample_at(number)
        return self.taken[number]

    def _slopes_fit(self, a: float, b: float, window: Window) -> bool:
        """Whether the slopes at two samples match a straight line between them."""
        rise, run = self.taken[b][0] - self.taken[a][0], b - a
        deviations = [self.taken[number][self.slope] * run - rise for number in (a, b)]
        return all(abs(off) <= height(window) / 20 or not isfinite(off) for off in deviations)

    # ---- Breaks ---------------------------------------------------------------------------------------------------

    def _find_end(self, a: float, b: float, curve: int) -> Intervals:
        """Find where a curve with a value at only one end of the interval ceases to have one."""
        inside = isfinite(self.taken[a][curve])
        return self._bisect(a, b, lambda a, m, b: isfinite(m[curve]) == inside)

    def _find_jump(self, a: float, b: float, curve: int) -> Intervals:
        """Find the jump of a curve, if it has one."""
        return self._bisect(a, b, lambda a, m, b: abs(m[curve] - a[curve]) < abs(b[curve] - m[curve]))

    def _bisect(self, a: float, b: float, is_right: IsRight) -> Intervals:
        """Locate a break by bisection; return the other parts of the interval, which may need more samples.

        It is not a break if the curves turn out to be smooth there.
        """
        parts = []
        for _ in range(_HALVINGS):
            m = middle(a, b)
            if not a < m < b or b - a <= self.width * _NARROWEST:
                break
            if is_right(self.taken[a], self._sample(m), self.taken[b]):
                parts.append((a, m))
                a = m
            else:
                parts.append((m, b))
                b = m
        self._record_break(a, b)
        return self._unfinished(parts)

    def _record_break(self, a: float, b: float) -> None:
        """Record an interval too narrow for another sample as a break, unless all curves continue there.

        In a range of only a few hundred doubles, a gap between two of them is not a break.
        """
        if b - a <= NARROW * self.width and self._differ(a, b):
            self.breaks.add((a, b))

    def _unfinished(self, parts: Iterable[Interval]) -> Intervals:
        """The intervals that are wide enough, or have curves different enough at their ends, to need more samples."""
        return [part for part in parts if part[1] - part[0] > NARROW * self.width or self._differ(*part)]

    def _differ(self, a: float, b: float) -> bool:
        """Whether a curve has a value at one end only, or visibly different values at both."""
        pairs = [(self.taken[a][curve], self.taken[b][curve], window) for curve, window in self._windows.items()]
        return any(
            isfinite(left) != isfinite(right) or (isfinite(left) and not are_close(left, right, window))
            for left, right, window in pairs
        )

    # ---- Single samples without a value ---------------------------------------------------------------------------

    def _remove_pole(self, *numbers: float, at: float) -> None:
        """Remove a value that is finite only because the pole lies between doubles, as that of tan(x) next to pi/2.

        It stands out from its neighbours, and from these to it the curve grows and keeps growing.
        """
        neighbours = [number for number in numbers if number != at]
        for curve, value in enumerate(self.taken[at]):
            size, sizes = abs(value), [abs(self.taken[other][curve]) for other in neighbours]
            if not isfinite(value) or not all(_POLE_RATIO * other < size for other in sizes):
                continue
            places = [[at + (other - at) * share for share in _POLE_DISTANCES] for other in neighbours]
            sides = [[abs(self._sample(place)[curve]) for place in side] for side in places]
            if all(_POLE_GROWTH * far < near and _POLE_REST * near < size for far, near in sides):
                self._replace(at, curve, nan)

    def _fill_gap(self, *numbers: float, at: float) -> None:
        """Replace a value that is not finite by the limit of the curve from both neighbours, if there is one.

        So sin(x)/x has no gap at 0, nor noise: close to such a place a formula may lose all its digits.
        """
        neighbours = [number for number in numbers if number != at]
        for curve, value in enumerate(self.taken[at]):
            if not isfinite(value) and all(isfinite(self.taken[other][curve]) for other in neighbours):
                limit = removable_singularities.limit([self._approach(other, at, curve) for other in neighbours])
                self._replace(at, curve, limit)

    def _replace(self, number: float, curve: int, value: float) -> None:
        sample = self.taken[number]
        self.taken[number] = (*sample[:curve], value, *sample[curve + 1 :])

    def _approach(self, start: float, end: float, curve: int) -> removable_singularities.Approach:
        """The values of a curve at the start, halfway, and close to the end."""
        numbers = (start, middle(start, end), end + (start - end) * removable_singularities.NUDGE)
        first, second, third = (self._sample(number)[curve] for number in numbers)
        return first, second, third


def middle(a: float, b: float) -> float:
    """Halfway between two numbers."""
    return a / 2 + b / 2


def _flat(left: float, centre: float, right: float, window: Window) -> bool:
    """Whether three values at equal distances are nearly on a line, or outside the window."""
    if are_outside(window, left, centre, right):
        return True
    return abs(centre - (left / 2 + right / 2)) <= _FLAT * height(window)


def are_close(first: float, second: float, window: Window) -> bool:
    """Whether two values are too close for a visible jump between them, or outside the window."""
    return are_outside(window, first, second) or abs(first - second) <= _JUMP * height(window)


def are_outside(window: Window, *values: float) -> bool:
    """Whether all values are above the window, or all below."""
    return min(values) > window[1] or max(values) < window[0]
