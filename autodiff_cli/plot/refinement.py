"""Where to take samples of curves: more where they bend, and on both sides of every break, up to the last double.

A sample has several values, such as those of a function and of its derivative; the curves share the samples.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any

from . import mending
from .windows import Window, height

Sample = tuple[float, ...]
Interval = tuple[float, float]
Intervals = list[Interval]
Windows = Sequence[tuple[int, Window]]
"""curves with their windows"""
Watched = Callable[[Sequence[Any]], Iterable[Any]]
Chooser = Callable[[Sample, Sample, Sample], bool]
"""by the samples at the left end, in the middle and at the right end: does a break lie in the right half?"""

_FLAT = 1 / 800
"""of the window's height: a curve that is no further from a straight line is drawn as one"""
_TORN = 1 / 200
"""of the window's height: a smaller jump is not seen"""
_DEEPEST = 8
"""so often an interval is halved before it is searched for a break"""
_ALIAS = 2
"""so often an interval is halved whose ends have slopes that do not fit to their values"""
_NARROW = 1e-4
"""of the whole width: what a curve does in so narrow an interval is not seen, unless it jumps"""
_NARROWEST = 2.0**-60
"""of the whole width: a break that is known so well is known well enough"""
_HALVINGS = 80


class Samples:
    """The samples of curves over an interval, and the places where a curve may be broken.

    `slope` is the curve that is the derivative of curve 0. `watched` hands on whatever takes long to go through.
    """

    def __init__(
        self, at: Callable[[float], Sample], numbers: Sequence[float], slope: int, watched: Watched = iter
    ) -> None:
        """Take the first samples."""
        self._at, self.slope, self._watched = at, slope, watched
        self.known = {number: at(number) for number in watched(numbers)}
        self.first = list(self.known)
        self.breaks: set[Interval] = set()
        """neighbours with nothing between them: where a curve ends, jumps, or is very steep"""
        self.width = self.first[-1] - self.first[0]
        for place in range(len(self.first)):
            self._mend(*self.first[max(0, place - 1) : place + 2], at=self.first[place])

    def values(self, curve: int) -> list[float]:
        """The values of one of the curves at the first samples."""
        return [self.known[number][curve] for number in self.first]

    def refine(self, windows: Sequence[Window | None], budget: int) -> None:
        """Take samples until every curve that has a window is smooth in it, from one break to the next.

        It takes no more than about `budget` of them.
        """
        curves = [(curve, window) for curve, window in enumerate(windows) if window is not None]
        most = len(self.known) + budget
        neighbours = (interval for interval in pairwise(sorted(self.known)) if interval not in self.breaks)
        parts, depth = self._seen(neighbours, curves) if curves else [], 0
        while parts and len(self.known) < most:
            smaller: Intervals = []
            for a, b in self._watched(parts):
                smaller += self._parts(a, b, depth, curves) if len(self.known) < most else []
            parts, depth = smaller, depth + 1

    def _parts(self, a: float, b: float, depth: int, curves: Windows) -> Intervals:
        """Take a sample in the middle; the parts of the interval that need still more."""
        m = middle(a, b)
        if not a < m < b:
            self._close(a, b, curves)
            return []
        self._sample(m)
        self._mend(a, m, b, at=m)
        for curve, window in curves:
            left, centre, right = (self.known[number][curve] for number in (a, m, b))
            if isfinite(left) != isfinite(right):
                return self._end(a, b, curve, curves)
            if isfinite(left) != isfinite(centre):
                return [(a, m), (m, b)]
            if isfinite(left) and not _flat(left, centre, right, window):
                return [(a, m), (m, b)] if depth < _DEEPEST else self._jump(a, b, curve, curves)
            if curve == 0 and depth < _ALIAS and not self._fits(a, b, window):
                return [(a, m), (m, b)]
        return []

    def _sample(self, number: float) -> Sample:
        found = self.known.get(number)
        if found is None:
            found = self.known[number] = self._at(number)
        return found

    def _fits(self, a: float, b: float, window: Window) -> bool:
        """Could the function be a straight line between two samples, by its slopes there?"""
        rise, run = self.known[b][0] - self.known[a][0], b - a
        off = [self.known[number][self.slope] * run - rise for number in (a, b)]
        return all(abs(miss) <= height(window) / 20 or not isfinite(miss) for miss in off)

    # ---- Breaks ---------------------------------------------------------------------------------------------------

    def _end(self, a: float, b: float, curve: int, curves: Windows) -> Intervals:
        """Find where a curve that has a value at one end of the interval ceases to have one."""
        inside = isfinite(self.known[a][curve])
        return self._halved(a, b, lambda a, m, b: isfinite(m[curve]) == inside, curves)

    def _jump(self, a: float, b: float, curve: int, curves: Windows) -> Intervals:
        """Find the jump of a curve, if it has one."""
        return self._halved(a, b, lambda a, m, b: abs(m[curve] - a[curve]) < abs(b[curve] - m[curve]), curves)

    def _halved(self, a: float, b: float, right: Chooser, curves: Windows) -> Intervals:
        """Close in on a break, on the side of the middle that is chosen; the parts to look at again.

        What has become smooth was no break.
        """
        parts = []
        for _ in range(_HALVINGS):
            m = middle(a, b)
            if not a < m < b or b - a <= self.width * _NARROWEST:
                break
            if right(self.known[a], self._sample(m), self.known[b]):
                parts.append((a, m))
                a = m
            else:
                parts.append((m, b))
                b = m
        self._close(a, b, curves)
        return self._seen(parts, curves)

    def _close(self, a: float, b: float, curves: Windows) -> None:
        """Call a gap too small for another sample a break, unless all curves go on there.

        If the whole range has only some hundred doubles, a gap between two of them says nothing.
        """
        if b - a <= _NARROW * self.width and self._differ(a, b, curves):
            self.breaks.add((a, b))

    def _seen(self, parts: Iterable[Interval], curves: Windows) -> Intervals:
        """Those of the intervals in which one may see that a curve is no straight line."""
        return [part for part in parts if part[1] - part[0] > _NARROW * self.width or self._differ(*part, curves)]

    def _differ(self, a: float, b: float, curves: Windows) -> bool:
        """Is there a curve that has a value at one end only, or two that one sees to be different?"""
        pairs = [(self.known[a][curve], self.known[b][curve], window) for curve, window in curves]
        return any(
            isfinite(left) != isfinite(right) or (isfinite(left) and not close(left, right, window))
            for left, right, window in pairs
        )

    # ---- Single samples without a value ---------------------------------------------------------------------------

    def _mend(self, *numbers: float, at: float) -> None:
        """Give a sample without a value the one that its neighbours' curves lead to, if they do.

        So sin(x)/x has no gap at 0, nor noise: close to such a place a formula may lose all its digits.
        """
        neighbours = [number for number in numbers if number != at]
        for curve, value in enumerate(self.known[at]):
            if not isfinite(value) and all(isfinite(self.known[other][curve]) for other in neighbours):
                limit = mending.limit([self._approach(other, at, curve) for other in neighbours])
                sample = self.known[at]
                self.known[at] = (*sample[:curve], limit, *sample[curve + 1 :])

    def _approach(self, start: float, end: float, curve: int) -> mending.Approach:
        """The values of a curve at the start, halfway, and close to the end."""
        numbers = (start, middle(start, end), end + (start - end) * mending.NUDGE)
        first, second, third = (self._sample(number)[curve] for number in numbers)
        return first, second, third


def middle(a: float, b: float) -> float:
    """Halfway between two numbers."""
    return a / 2 + b / 2


def _flat(left: float, centre: float, right: float, window: Window) -> bool:
    """Are three values at equal distances nearly on a line, as far as it is seen?"""
    if outside(window, left, centre, right):
        return True
    return abs(centre - (left / 2 + right / 2)) <= _FLAT * height(window)


def close(one: float, other: float, window: Window) -> bool:
    """Are two values so close that nobody sees a jump between them? Out of the window none is seen."""
    return outside(window, one, other) or abs(one - other) <= _TORN * height(window)


def outside(window: Window, *values: float) -> bool:
    """Are all values above the window, or all below?"""
    return min(values) > window[1] or max(values) < window[0]
