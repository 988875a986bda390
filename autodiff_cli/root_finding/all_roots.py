"""All roots of one function in an interval: those that are proved, and what is found where nothing is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isnan, nan, nextafter

import numpy

from ..arithmetic.arrays import without_warnings
from ..notation import counted, rounded
from ..search.scalar_function import ScalarFunction
from ..work_budget import TooMuchWorkError
from .bracket import middle
from .equations import Equations
from .isolation import isolate
from .refinement import Root, refined
from .solve import Solution, between, only_function, sign_at

_SAMPLES, _FEWEST_SAMPLES, _ALL_SAMPLES = 257, 5, 20_000  # of a part, at most and at least, and of many parts together
_SPECK = 1e-6  # relative to the interval: a part that is larger may have more roots than the one that was found
_FROM_EDGE = 1e-6  # relative to the distance of two samples: where a search for a root at an edge begins
_REACH = 4  # in such distances, or widths of a part: a longer step leads to another root


@without_warnings()
def all_between(equations: Equations, low: float, high: float) -> Solution:
    """All roots of one function between two ends. Raises AutodiffError for several functions, and an infinite end."""
    function = only_function(equations, low, high)
    proved, possible, spent = isolate(function, low, high)
    roots_in: dict[tuple[float, float], list[Root]] = {}
    try:
        for part in proved:
            equations.work.left = equations.work.granted  # each may take as much as a single root
            roots_in[part] = between(equations, *part).roots
        equations.work.left = equations.work.granted
        samples = max(_FEWEST_SAMPLES, min(_SAMPLES, _ALL_SAMPLES // (len(possible) or 1)))
        for part in sorted(possible, key=lambda part: not _differ_in_sign(*(function.value([end]) for end in part))):
            roots_in[part] = _in_doubt(equations, *part, samples)
    except TooMuchWorkError as error:
        spent = error
    (name,) = equations.names
    inside = [root for part in roots_in.values() for root in part if low <= root.point[name] <= high]
    roots = list(_distinct(sorted(inside, key=lambda root: root.point[name]), name))
    if spent and not roots:
        raise spent
    doubtful = {part for part in proved + possible if not roots_in.get(part)}
    doubtful |= {(a, b) for a, b in possible if b - a > _SPECK * (high - low)}
    complete = not possible and not doubtful
    reason = _completeness(roots, name, complete, sorted((max(a, low), min(b, high)) for a, b in doubtful))
    return Solution(roots, complete, converged=complete or bool(roots), reason=reason, trace=[], spent=spent)


def _in_doubt(equations: Equations, low: float, high: float, samples: int) -> list[Root]:
    """The roots that are found where none is proved: changes of sign, zeros, edges of the domain, and touched zeros."""
    (function,) = equations.functions
    xs = (2 * numpy.linspace(low / 2, high / 2, samples)).tolist()  # halved, as their distance might overflow
    values = {x: function.value([x]) for x in xs}
    inside = {  # next to each edge
        _edge(function, a, b): b if isnan(first) else a
        for (a, first), (b, second) in pairwise(values.items())
        if isnan(first) != isnan(second)
    }
    points = sorted((values | {edge: function.value([edge]) for edge in inside}).items())
    around = [(low, nan), *points, (high, nan)]
    brackets = [(a, b) for (a, first), (b, second) in pairwise(points) if _differ_in_sign(first, second)]
    brackets = [ends for ends in brackets if sign_at(equations, ends[0]) * sign_at(equations, ends[1]) <= 0]
    brackets += [
        (x, x)
        for (_, before), (x, value), (_, after) in zip(around, points, around[2:], strict=False)
        if value == 0 and ((before and after) or x in (low, high, *inside))  # where all values are 0, only the ends
    ]
    roots = [root for bracket in brackets for root in between(equations, *bracket).roots]
    for edge, beside in inside.items():
        starts = (edge + _FROM_EDGE * (beside - edge), low if beside < edge else high)  # the second for narrow parts
        roots += next(filter(None, (_root_near(equations, start, edge, abs(start - edge)) for start in starts)), [])
    known = [(abs(value), x) for x, value in points if not isnan(value)]
    if known and not roots:
        roots = _root_near(equations, min(known)[1], middle(low, high), high - low)
    return roots


def _root_near(equations: Equations, start: float, place: float, distance: float) -> list[Root]:
    """The root that a start leads to, if it is near a place."""
    root = refined(equations, [start], _REACH * distance)
    return [root] if root and all(abs(x - place) <= 1.5 * distance for x in root.point.values()) else []


def _differ_in_sign(first: float, second: float) -> bool:
    """Whether two values have opposite signs."""
    return min(first, second) < 0 < max(first, second)


def _edge(function: ScalarFunction, low: float, high: float) -> float:
    """The last double at which there is a value, between two of which one has a value and the other none."""
    x, inside, outside = 0.0 if low < 0 < high else middle(low, high), low, high
    if isnan(function.value([low])):
        inside, outside = high, low
    if not isnan(function.value([beside := nextafter(outside, inside)])):
        return beside  # only the point itself has no value, as a pole; halving the way to 0 takes a thousand steps
    while x not in (inside, outside):
        inside, outside = (inside, x) if isnan(function.value([x])) else (x, outside)
        x = middle(inside, outside)
    return inside


def _distinct(roots: Iterable[Root], name: str) -> Iterator[Root]:
    """The ascending roots without those that were found twice, at the end of two parts."""
    last = nan
    for root in roots:
        x = root.point[name]
        if not abs(x - last) <= 1e-12 * max(abs(x), abs(last)):
            last = x
            yield root


def _completeness(roots: Sequence[Root], name: str, complete: bool, doubtful: Sequence[tuple[float, float]]) -> str:
    count = counted(len(roots), "root") if roots else "no root"
    none = "there are no others" if roots else "there is none"
    if complete:
        return f"{count}; it is proved that {none}"
    if not doubtful:
        return f"{count}; it is not proved that {none}, because roots that only touch zero cannot be told"
    low, high = map(rounded, doubtful[0])
    others = "there are others" if roots else "there is one"
    place = f"near {name} = {low}" if low == high else f"between {low} and {high}"
    return f"{count}; it is not known whether {others}, such as {place}"
