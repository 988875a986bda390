"""SciPy's minimization methods, each with the options and the derivatives that it takes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy
import scipy.optimize

from ..arithmetic.arrays import Doubles
from ..work_budget import charge
from .problem import Constraint, Problem, unit_of

_OPTIONS: Mapping[str, dict[str, float]] = {
    "bfgs": {"gtol": 1e-8, "maxiter": 10_000},
    "l-bfgs-b": {"gtol": 1e-10, "ftol": 1e-15, "maxiter": 10_000, "maxfun": 30_000},
    "slsqp": {"ftol": 1e-10, "maxiter": 100},
}
_STEPS = {"bfgs": 2e-10, "l-bfgs-b": 0.0, "slsqp": 3e-8}  # times the cube of the variables: a step's work, in seconds


def searched(
    problem: Problem, start: Doubles, method: str | None, seen: Callable[[Doubles], None], *, in_unit: bool
) -> Doubles:
    """The point that a method of SciPy reaches; the best point on the way, where that is better.

    SLSQP, whose first step and tolerances suit values of about 1, can have a large value `in_unit`.
    """
    bounded = bool(problem.bounds)
    method = method or ("slsqp" if problem.constraints else "l-bfgs-b" if bounded else "bfgs")
    if method == "newton":
        return start
    if method == "slsqp" and in_unit:
        problem = replace(problem, unit=problem.unit * max(1.0, unit_of(problem, start, abs(start))))

    def stepped(vector: Doubles) -> None:
        charge(_STEPS[method] * len(vector) ** 3)
        seen(vector)

    result = scipy.optimize.minimize(
        problem.value,
        start,
        jac=problem.gradient,
        method=method.upper(),
        bounds=list(zip(problem.low, problem.high, strict=True)) if bounded else None,
        constraints=[*_for_scipy(problem, start)],
        options=_OPTIONS[method],
        callback=stepped,
    )
    vector: Doubles = numpy.clip(result.x, problem.low, problem.high)
    return vector if numpy.isfinite(vector).all() and isfinite(problem.value(vector)) else start


def _for_scipy(problem: Problem, start: Doubles) -> Iterator[dict[str, Any]]:
    for constraint in _independent(problem.constraints, start):
        yield {
            "type": "eq" if constraint.symbol == "==" else "ineq",
            "fun": lambda vector, constraint=constraint: constraint.sign * constraint.value(vector),
            "jac": lambda vector, constraint=constraint: constraint.sign * constraint.gradient(vector),
        }


def _independent(constraints: Sequence[Constraint], vector: Doubles) -> Iterator[Constraint]:
    """The constraints without linear equations that follow from other ones, on which SLSQP gets stuck."""
    normals = numpy.empty((0, len(vector)))
    for constraint in constraints:
        if constraint.symbol == "==" and not constraint.hessian(vector).any():
            more = numpy.vstack([normals, constraint.gradient(vector)])
            if numpy.linalg.matrix_rank(more) == len(normals):
                continue
            normals = more
        yield constraint
