"""The points at which `pitfalls.py` compares derivatives, one line each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

inf, nan = math.inf, math.nan


@dataclass(frozen=True)
class Case:
    """A derivative of `formula` at a point.

    The truth is computed by `truth.py`, unless it is stated here: as `limit`, where the derivative is infinite or the
    point outside the domain; as `slopes`, where every number between the two one-sided slopes is a fair convention; or
    as a `jump`, where no answer is right.
    """

    formula: str
    at: Mapping[str, float]
    wrt: str = "x"
    order: int = 1
    limit: float | None = None
    slopes: tuple[float, float] | None = None
    jump: bool = False


def _at(x: float, y: float | None = None, z: float | None = None) -> dict[str, float]:
    return {name: number for name, number in zip("xyz", (x, y, z), strict=True) if number is not None}


CASES = (
    # Quotients and powers.
    Case("x / y", _at(1e-200, 1e-200), "y"),
    Case("x / y", _at(1e200, 1e200), "y"),
    Case("x^0.3", _at(1e-300)),
    Case("x^2", _at(-3.0)),
    Case("x^y", _at(-3.0, 2.0)),
    Case("x^y", _at(0.0, 0.0)),
    Case("x^y", _at(0.0, 1.0)),
    Case("x^y", _at(0.0, 2.0), "y"),
    Case("x^x", _at(1e-300)),
    # Flat and steep ends.
    Case("tanh(x)", _at(20.0)),
    Case("tanh(x)", _at(100.0)),
    Case("tanh(x)", _at(350.0)),
    Case("sigmoid(x)", _at(-800.0)),
    Case("sigmoid(x)", _at(40.0)),
    Case("softplus(x)", _at(25.0)),
    Case("softplus(x)", _at(800.0)),
    Case("logaddexp(x, y)", _at(800.0, 799.0)),
    Case("expm1(x)", _at(-40.0)),
    Case("log1p(x)", _at(-0.9999999999)),
    Case("asin(x)", _at(0.9999999999)),
    Case("atanh(x)", _at(0.9999999999)),
    Case("acosh(x)", _at(1.0000000001)),
    Case("asinh(x)", _at(1e200)),
    Case("atan(x)", _at(1e155)),
    Case("atan2(x, y)", _at(1e200, 1e200)),
    Case("atan2(x, y)", _at(1e-200, 1e-200)),
    Case("hypot(x, y)", _at(1e200, 1e200)),
    Case("hypot(x, y)", _at(1e-200, 1e-200)),
    Case("erf(x)", _at(24.3)),
    Case("erfc(x)", _at(24.3)),
    Case("normcdf(x)", _at(-37.3)),
    Case("lgamma(x)", _at(-0.5)),
    Case("gamma(x)", _at(170.5)),
    # A removable singularity, a rounded quotient, a cancellation in the formula itself.
    Case("sinc(x)", _at(0.0)),
    Case("sinc(x)", _at(1e-5)),
    Case("mod(x, y)", _at(1.0, 0.1), "y"),
    Case("(1 - cos(x)) / x^2", _at(1e-9)),
    Case("sqrt(x^4)", _at(0.0)),
    # A branch that is not taken.
    Case("where(x > 0, sqrt(x), 0)", _at(-1.0)),
    Case("where(x > 0, sqrt(x), 0)", _at(-1.0), order=2),
    # The edge of the domain, and beyond.
    Case("sqrt(x)", _at(0.0), limit=inf),
    Case("x^x", _at(0.0), limit=-inf),
    Case("log(x)", _at(-1.0), limit=nan),
    # Kinks, where a convention decides, and a jump.
    Case("abs(x)", _at(0.0), slopes=(-1, 1)),
    Case("relu(x)", _at(0.0), slopes=(0, 1)),
    Case("max(x, y)", _at(1.0, 1.0), slopes=(0, 1)),
    Case("max(x, y, z)", _at(1.0, 1.0, 1.0), slopes=(0, 1)),
    Case("hypot(x, y)", _at(0.0, 0.0), slopes=(-1, 1)),
    Case("where(x > 0, sqrt(x), 0)", _at(0.0), slopes=(0, inf)),
    Case("where(x > 0, sqrt(x), 0)", _at(0.0), order=2, slopes=(-inf, 0)),
    Case("atan(1 / x)", _at(0.0), jump=True),
)
