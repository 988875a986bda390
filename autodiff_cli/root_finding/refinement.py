"""A root with many digits: Newton's method in more precision than doubles have, and what it tells of the root."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy

from ..arithmetic.multiprecision import Multiprecision
from .equations import Equations

_DIGITS = 60
_MOST_STEPS = 150
_NEGLIGIBLE = 30  # digits after the point, of a coordinate that goes to 0 step by step
_SETTLED = 40  # digits
_LINEAR = 0.3  # a step so long, relative to the one before, is that of a multiple root
_DOUBLE_DIGITS = 16


@dataclass(frozen=True)
class Root:
    """A root, as near to the true one as doubles are."""

    point: dict[str, float]
    residual: float
    """the largest value of the functions at the point, in doubles"""
    digits: int
    """how many digits of the point are right, at least in its least certain coordinate"""
    multiplicity: int | None
    """of the root of one function; None for several"""
    condition: float
    """the condition number of the Jacobian (in the 2-norm); infinite where it is singular"""


def refined(equations: Equations, start: Iterable[float]) -> Root | None:
    """The root next to a start that is nearly one; None where Newton's method does not settle."""
    arithmetic = Multiprecision(_DIGITS)
    context = arithmetic.context
    vector = [context.mpf(float(number)) for number in start]
    last, factor = context.inf, 1
    for _ in range(_MOST_STEPS):
        step = _newton_step(equations, vector, arithmetic)
        if step is None:
            return None
        sizes = [max(abs(number), context.mpf(10) ** -300) for number in vector]
        size = max(abs(part) / size for part, size in zip(step, sizes, strict=True))
        length = max(map(abs, step))
        if len(vector) == 1 and factor == 1 and 0 < length < last and length > _LINEAR * last:
            factor = _multiplicity(length / last)
        vector = [number + factor * part for number, part in zip(vector, step, strict=True)]
        if size < context.mpf(10) ** -_SETTLED:
            return _root(equations, vector, arithmetic, factor)
        last = length
    limit = context.mpf(10) ** -_NEGLIGIBLE
    vector = [number if abs(number) > limit else context.zero for number in vector]
    values, _ = equations.precisely(vector, arithmetic)
    return _root(equations, vector, arithmetic, factor) if last < limit and not any(values) else None


def _multiplicity(ratio: Any) -> int:
    """That of a root at which each step is so long, relative to the one before."""
    return max(1, round(float(1 / (1 - ratio)))) if ratio < 0.99 else 1


def _newton_step(equations: Equations, vector: Sequence[Any], arithmetic: Multiprecision) -> list[Any] | None:
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
        return None
    return list(solution)


def _root(equations: Equations, vector: Sequence[Any], arithmetic: Multiprecision, multiplicity: int) -> Root:
    context = arithmetic.context
    doubles = [float(number) for number in vector]
    jacobian = numpy.array([[float(entry) for entry in row] for row in equations.precisely(vector, arithmetic)[1]])
    singular = multiplicity > 1 or not numpy.isfinite(jacobian).all()
    condition = inf if singular else float(numpy.linalg.cond(jacobian))
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
        multiplicity=multiplicity if len(vector) == 1 else None,
        condition=condition,
    )
