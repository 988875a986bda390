"""Solving: one root, from a start or between two points."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import hypot, inf, isfinite, isnan, nextafter

import numpy
import scipy.optimize

from ..arithmetic.arrays import Doubles, without_warnings
from ..arithmetic.distributions import random_generator
from ..arithmetic.multiprecision import with_digits
from ..errors import AutodiffError, Remedy, quoted_names
from ..evaluation.nonfinite import nonfinite_error
from ..notation import rounded
from ..search.scalar_function import ScalarFunction
from ..search.starts_and_bounds import mirrored
from ..work_budget import TooMuchWorkError
from .bracket import bracketed
from .equations import Equations
from .refinement import Root, refined

_MOST_HALVINGS, _MOST_STEPS = 1100, 200  # a step is halved until it is 0
_OF_ROOM = 0.9  # the part of the way to a bound that an unknown may go in a step
_LEAST_GAIN = 1e-4  # relative: a step that makes the residuals smaller by less leads nowhere
_OTHER_STARTS = 20
_FARTHEST = 1e8  # relative
_SIGN_DIGITS = 60
_SMALLEST = 5e-324
_NEAR = 1e-6  # relative: how far a root may be from where the search ended
_ROUNDING = 1e-15  # relative: what is 0 for a search in doubles

_ALL_ROOTS = Remedy("all roots", (), "search `all_between` two points")


@dataclass(frozen=True)
class Solution:
    """The roots that were found, and whether these are all."""

    roots: list[Root]
    complete: bool
    """whether it is proved that there are no others, in the interval that was searched"""
    converged: bool
    reason: str
    """the reason why the search ended"""
    trace: list[tuple[float, ...]] = field(repr=False)
    """the points on the way"""
    spent: TooMuchWorkError | None = None
    """the reason why some places were not searched"""
    remedy: Remedy | None = None
    """a way to a root, if none was found"""


@without_warnings()
def from_start(equations: Equations, start: Sequence[float]) -> Solution:
    """The root that Powell's hybrid method reaches, or a damped Newton's method where it fails.

    Where both fail, one function is searched for changes of sign around the start, and several are searched again from
    other starts around it. A root beyond the bounds does not count.
    Raises AutodiffError if a function has no finite value or gradient at the start.
    """
    start = [*map(mirrored, start, equations.low, equations.high)]
    for function in equations.functions:
        error = nonfinite_error(function.at(start))
        if error is not None:
            error.remedy = Remedy("other start", (), "begin where the value and the gradient are finite")
            raise error
    trace = [tuple(map(float, start))]
    ends, beyond, jumps = list[Doubles](), None, list[str]()
    brackets = _around(equations, start[0]) if len(start) == 1 else iter(())
    for first, search in product(_starts(equations, numpy.array(start)), (_powell, _damped_newton)):
        ends.append(search(equations, first, trace))
        reach = max(1.0, *map(abs, ends[-1])) * (1.0 if len(start) == 1 else _NEAR)  # one that is multiple may be far
        root = refined(equations, ends[-1], reach)
        if root is not None and _is_near(root, ends[-1]):
            if equations.admits(root.point.values()):
                return _solution(root, trace)
            beyond = root
        for bracket in brackets:
            solution = between(equations, *bracket)
            if solution.roots:
                return solution
            jumps.append(solution.reason)
    best = min(ends, key=lambda end: _residual_norm(equations, end))
    reason = jumps[0] if jumps else _why_it_failed(equations, best)
    if beyond is not None:
        reason = f"no root was found within the bounds, but one at {_place(beyond.point)}"
    remedy = _ALL_ROOTS if len(start) == 1 else Remedy("start elsewhere", equations.names, "begin elsewhere")
    return _no_root(reason, trace, remedy)


@without_warnings()
def between(equations: Equations, low: float, high: float) -> Solution:
    """The root of one function between two points at which it has opposite signs.

    Raises AutodiffError if it has no value at one of them, for several functions, and for an infinite end.
    """
    function = only_function(equations, low, high)

    def value_and_slope(x: float) -> tuple[float, float]:
        return function.value([x]) or sign_at(equations, x) * _SMALLEST, function.gradient([x])[0]

    trace: list[tuple[float, ...]] = []
    ends = value_and_slope(low)[0], value_and_slope(high)[0]
    for end, value in zip((low, high), ends, strict=True):
        if value == 0:
            return _solution_at(equations, end, trace)
        error = nonfinite_error(function.at([end])) if isnan(value) else None
        if error is not None:
            error.remedy, error.hint = None, "search between points at which there is a value"
            raise error
    if not (min(ends) < 0 < max(ends)):
        values = " and ".join(
            f"{rounded(value)} at {rounded(end)}" for end, value in zip((low, high), ends, strict=True)
        )
        return _no_root(f"the sign does not change: the value is {values}", trace)
    x = bracketed(value_and_slope, low, high, lambda x: trace.append((x,)))
    return _solution_at(equations, x, trace, max(map(abs, ends)))


def only_function(equations: Equations, low: float, high: float) -> ScalarFunction:
    """The function that is searched between two ends. Raises AutodiffError for several, and for an infinite end."""
    if len(equations.names) > 1:
        message = f"an interval is for one unknown, not for {quoted_names(equations.names)}"
        raise AutodiffError(message, hint="begin the search at a start")
    if not (isfinite(low) and isfinite(high)):
        raise AutodiffError(f"the interval from {low} to {high} has no end", hint="give two finite numbers")
    (function,) = equations.functions
    return function


def sign_at(equations: Equations, x: float) -> int:
    """The sign of a value that is 0 in doubles, where it may have become too small for them."""
    arithmetic = with_digits(_SIGN_DIGITS)
    try:
        (value,), _ = equations.precisely([arithmetic.number(x)], arithmetic)
    except TooMuchWorkError:
        return 0
    return 0 if arithmetic.context.isnan(value) else int(arithmetic.context.sign(value))


def _around(equations: Equations, start: float) -> Iterator[tuple[float, float]]:
    """Two points on one side of a start at which the signs differ, nearest first."""
    (function,) = equations.functions
    ends = [start, start]
    reach = 0.01 * max(1.0, abs(start))
    while reach < _FARTHEST * max(1.0, abs(start)):
        for place, end in enumerate((start - reach, start + reach)):
            end = min(max(end, *equations.low), *equations.high)
            before, after = function.value([ends[place]]), function.value([end])
            if min(before, after) < 0 < max(before, after):
                yield min(ends[place], end), max(ends[place], end)
            ends[place] = end
        reach *= 1.5


def _starts(equations: Equations, start: Doubles) -> Iterator[Doubles]:
    """The start, and for several unknowns others around it, the same each time."""
    yield start
    generator = random_generator(0)
    for _ in range(_OTHER_STARTS if len(start) > 1 else 0):
        drawn = start + generator.normal(size=len(start)) * 3 * numpy.maximum(1.0, abs(start))
        yield numpy.array([*map(mirrored, drawn, equations.low, equations.high)])


# ---- Searches --------------------------------------------------------------------------------------------------------


def _powell(equations: Equations, start: Doubles, trace: list[tuple[float, ...]]) -> Doubles:
    """Return the end of SciPy's hybrid method of Powell, in a trust region with the exact Jacobian."""

    def residuals(vector: Doubles) -> Doubles:
        if trace[-1] != tuple(vector):
            trace.append(tuple(map(float, vector)))
        return numpy.nan_to_num(equations.residuals(vector), nan=1e300, posinf=1e300, neginf=-1e300)

    result = scipy.optimize.root(
        residuals, start, jac=lambda vector: numpy.nan_to_num(equations.jacobian(vector)), options={"xtol": 1e-14}
    )
    end: Doubles = result.x
    return end if numpy.isfinite(end).all() else start


def _damped_newton(equations: Equations, start: Doubles, trace: list[tuple[float, ...]]) -> Doubles:
    """Return the end of Newton's method, with steps that are halved until the residuals become smaller.

    Each equation is divided by the length of its gradient, so that one in large numbers does not hide the others.
    """
    here = start
    for _ in range(_MOST_STEPS):
        jacobian, residuals = equations.jacobian(here), equations.residuals(here)
        if not numpy.isfinite(jacobian).all():
            break
        units = numpy.linalg.norm(jacobian, axis=1)
        units[units == 0] = 1.0
        step = numpy.linalg.lstsq(jacobian / units[:, None], -residuals / units, rcond=None)[0]
        enough = (1 - _LEAST_GAIN) * _residual_norm(equations, here, units)
        least, most = _OF_ROOM * (equations.low - here), _OF_ROOM * (equations.high - here)
        trials = (here + numpy.clip(0.5**halving * step, least, most) for halving in range(_MOST_HALVINGS))
        smaller = next((there for there in trials if _residual_norm(equations, there, units) < enough), None)
        if smaller is None:
            break
        here = smaller
        trace.append(tuple(map(float, here)))
    return here


def _residual_norm(equations: Equations, vector: Doubles, units: Doubles | float = 1.0) -> float:
    size = hypot(*(equations.residuals(vector) / units))
    return size if isfinite(size) else inf


# ---- What is said ----------------------------------------------------------------------------------------------------


def _solution_at(equations: Equations, x: float, trace: list[tuple[float, ...]], around: float = inf) -> Solution:
    """The solution at a place where the sign changes, unless it changes at a pole or a jump.

    A value that is larger there than `around` is at no root, and takes no work with many digits.
    """
    value = equations.functions[0].value([x])
    for start in (x, nextafter(x, inf)) if abs(value) <= around else ():  # at the first, the slope may be 0
        root = refined(equations, [start])
        if root is not None and _is_near(root, [x]):
            return _solution(root, trace)
    what = "a pole" if not isfinite(value) or abs(value) > 1e6 else "a jump"
    reason = f"the sign changes at {what}, {x!r}, and not through zero"
    if value == 0:
        reason = f"the value at {x!r} is 0 in doubles, but no root was found there with more digits"
    return _no_root(reason, trace)


def _solution(root: Root, trace: list[tuple[float, ...]]) -> Solution:
    if not trace or trace[-1] != tuple(root.point.values()):
        trace.append(tuple(root.point.values()))
    is_isolated = len(root.point) == 1 or isfinite(root.condition)
    others = "" if is_isolated else ": the equations depend on one another there, so others may lie next to it"
    return Solution([root], complete=False, converged=True, reason=f"a root was found{others}", trace=trace)


def _no_root(reason: str, trace: list[tuple[float, ...]], remedy: Remedy = _ALL_ROOTS) -> Solution:
    return Solution([], complete=False, converged=False, reason=reason, trace=trace, remedy=remedy)


def _is_near(root: Root, vector: Sequence[float] | Doubles) -> bool:
    """Whether a root is the one that the search was about to reach."""
    limit = max(_NEAR, _ROUNDING ** (1 / (root.multiplicity or 1))) * max(1.0, max(map(abs, vector)))
    return all(abs(a - b) <= limit for a, b in zip(root.point.values(), vector, strict=True))


def _why_it_failed(equations: Equations, vector: Doubles) -> str:
    residuals, jacobian = equations.residuals(vector), equations.jacobian(vector)
    place = _place(dict(zip(equations.names, map(float, vector), strict=True)))
    residual = "the residual" if len(residuals) == 1 else "the largest residual"
    reason = f"no root was found: the search ended at {place}, where {residual} is {rounded(abs(residuals).max())}"
    if numpy.isfinite(jacobian).all() and numpy.linalg.matrix_rank(jacobian) < len(vector):
        return f"{reason} and the Jacobian is singular"
    return reason


def _place(point: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {rounded(number)}" for name, number in point.items())
