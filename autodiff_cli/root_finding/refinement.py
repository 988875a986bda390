"""A root with many digits: Newton's method in more precision than doubles have, and what it tells about the root."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy

from ..arithmetic import Real
from ..arithmetic.arrays import Doubles
from ..arithmetic.multiprecision import Multiprecision, with_digits
from ..work_budget import TooMuchWorkError, seconds_left
from .equations import Equations

_DIGITS = 60
_MOST_STEPS = 150
_NEGLIGIBLE = 28  # decimal places of a coordinate that goes to 0 step by step
_MOST_SLOW_DIGITS = 480
"""the most digits with slow functions, whose tables take seconds for more"""
_SETTLED = 40  # digits
_CONSISTENT = 1e-8  # relative: what a step to a root of dependent equations may leave of them
_LINEAR = 0.3  # a step this long, relative to the one before, is that of a multiple root
_DOUBLE_DIGITS = 16
_NEARLY_LINEAR = 0.1  # how far from 1 the order of a root with a slope may be
_BESIDE = 30  # digits: how near to a root its multiplicity is determined
_MOST_MULTIPLE = 1000


@dataclass(frozen=True)
class Root:
    """A root, as near to the true one as doubles are."""

    point: dict[str, float]
    residual: float
    """the largest value of the functions at the point, in doubles"""
    digits: int
    """the number of correct digits of the point, at least in its least certain coordinate"""
    multiplicity: int | None
    """of the root of one function; None for several, and where the function is flat"""
    condition: float
    """the condition number of the Jacobian (in the 2-norm); infinite where it is singular or has no value"""


def refined(equations: Equations, start: Iterable[float], reach: float = inf) -> Root | None:
    """The root next to a start that is nearly one; None where Newton's method does not settle, or takes too much work.

    A step longer than `reach` leads to no root nearby, and ends the search too; one to where there is no value or no
    slope is halved. Near a root of multiplicity m only one of m digits is significant, so that as many more are
    computed. Raises TooMuchWorkError where the budget is spent.
    """
    try:
        return _refined(equations, start, reach)
    except TooMuchWorkError:
        if seconds_left() < 0:
            raise
        return None


def _refined(equations: Equations, start: Iterable[float], reach: float) -> Root | None:
    arithmetic = with_digits(_DIGITS)
    vector = [arithmetic.number(float(number)) for number in start]
    last, factor = arithmetic.context.inf, 1
    taken = None
    for _ in range(_MOST_STEPS):
        step = _newton_step(equations, vector, arithmetic)
        if step is None:
            if taken is None:
                return None
            taken = [part / 2 for part in taken]
            vector = [number - part for number, part in zip(vector, taken, strict=True)]
            continue
        length = max(map(abs, step))
        if length > reach:
            return None
        if len(vector) == 1 and length > _LINEAR * last:  # a factor that does not make it shorter is wrong
            factor = _multiplicity(length / last) if factor == 1 else 1
            digits = factor * _DIGITS
            arithmetic = with_digits(min(digits, _MOST_SLOW_DIGITS) if equations.is_slow else digits)
        exactly = arithmetic.context.mpf
        taken = [factor * exactly(part) for part in step]
        vector = [exactly(number) + part for number, part in zip(vector, taken, strict=True)]
        rounded = _rounded(equations, vector, arithmetic)
        tolerance = exactly(10) ** -_SETTLED
        if rounded or all(abs(part) <= tolerance * abs(number) for part, number in zip(step, vector, strict=True)):
            return _root(equations, rounded or vector, arithmetic)
        last = length
    return None


def _rounded(equations: Equations, vector: Sequence[Real], arithmetic: Multiprecision) -> list[Real] | None:
    """The root in which coordinates that are all but 0 are 0; None where there are none, or it is not a root."""
    limit, zero = arithmetic.context.mpf(10) ** -_NEGLIGIBLE, arithmetic.context.zero
    if not any(0 < abs(number) < limit for number in vector):
        return None
    rounded = [number if abs(number) >= limit else zero for number in vector]
    values, _ = equations.precisely(rounded, arithmetic)
    return None if any(values) else rounded


def _order_at(equations: Equations, root: Real) -> Real | None:
    """The power of the distance from the root of one function as which its values next to it rise.

    That is 0 if they do not rise, but are merely too small for the digits in which the root was found, as those of
    tanh(x) - 1 at 100 are; None where the function is constant, or has no values.
    """
    arithmetic = with_digits(4 * _DIGITS)
    exactly, isfinite = arithmetic.context.mpf, arithmetic.context.isfinite
    step = (exactly(root) or exactly(1)) / exactly(10) ** _BESIDE
    (least,), _ = equations.precisely([exactly(root)], arithmetic)
    orders = []
    for beside in (step, -step):
        (value,), ((slope,),) = equations.precisely([exactly(root) + beside], arithmetic)
        if isfinite(value) and isfinite(slope) and slope:
            orders.append(0 if abs(value) <= 2 * abs(least) else beside * slope / value)  # `least` may be nan
    return max(orders, default=None)


def _multiplicity(ratio: Real) -> int:
    """The multiplicity of a root at which each step has this ratio to the one before."""
    return max(1, round(float(1 / (1 - ratio)))) if ratio < 0.99 else 1


def _newton_step(equations: Equations, vector: Sequence[Real], arithmetic: Multiprecision) -> list[Real] | None:
    """The step to the root of the tangents; None where there is none."""
    context = arithmetic.context
    values, rows = equations.precisely(vector, arithmetic)
    if not any(values):
        return [context.zero] * len(vector)
    if not all(map(context.isfinite, (*values, *(entry for row in rows for entry in row)))):
        return None
    try:
        solution = context.lu_solve(context.matrix(rows), -context.matrix(values))
    except ZeroDivisionError:
        return _shortest_step(values, rows, context)
    return list(solution)


def _shortest_step(values: Sequence[Real], rows: Sequence[Sequence[Real]], context: Any) -> list[Real] | None:
    """The shortest step to a root of dependent tangents, except for rounding; None where they have no root in common.

    A. Ben-Israel, A Newton-Raphson method for the solution of systems of equations (1966).
    """
    inverse = numpy.linalg.pinv(numpy.array([[float(entry) for entry in row] for row in rows]))
    step = [-context.fdot(map(float, part), values) for part in inverse]
    left = max(abs(value + context.fdot(row, step)) for value, row in zip(values, rows, strict=True))
    return step if left <= _CONSISTENT * max(map(abs, values)) else None


def _is_singular(jacobian: Doubles) -> bool:
    """Whether rows of different sizes are dependent, except for rounding."""
    sizes = numpy.linalg.norm(jacobian, axis=1, keepdims=True)
    return bool((sizes == 0).any() or numpy.linalg.matrix_rank(jacobian / sizes) < len(jacobian))


def _root(equations: Equations, vector: Sequence[Real], arithmetic: Multiprecision) -> Root | None:
    """The root at a vector; None if the values there are 0 only for want of digits."""
    context = arithmetic.context
    order = _order_at(equations, vector[0]) if len(vector) == 1 else None
    if order == 0:
        return None
    multiplicity = max(1, round(float(order))) if order is not None and order < _MOST_MULTIPLE else None
    doubles = [float(number) for number in vector]
    jacobian = numpy.array([[float(entry) for entry in row] for row in equations.precisely(vector, arithmetic)[1]])
    if len(vector) > 1:
        is_regular = bool(numpy.isfinite(jacobian).all()) and not _is_singular(jacobian)
    else:
        is_regular = order is not None and abs(order - 1) < _NEARLY_LINEAR and bool(numpy.isfinite(jacobian).all())
    condition = float(numpy.linalg.cond(jacobian)) if is_regular else inf
    errors = [
        abs(context.mpf(double) - number) / abs(number) if number else context.zero
        for double, number in zip(doubles, vector, strict=True)
    ]
    worst = max(errors)
    digits = int(min(_DOUBLE_DIGITS, -context.log10(worst))) if worst else _DOUBLE_DIGITS
    return Root(
        point=dict(zip(equations.names, doubles, strict=True)),
        residual=float(abs(equations.residuals(doubles)).max()),
        digits=digits,
        multiplicity=multiplicity,
        condition=condition,
    )
