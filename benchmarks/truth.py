"""The true derivative of a formula at a double, found without any rule of differentiation.

The formula is evaluated by mpmath with hundreds of digits and its derivative taken by central differences, twice, with
different numbers of digits, which must agree. Literals and arguments are the doubles that the libraries see.
"""

from importlib import import_module
from typing import Any

from libraries import Functions, Point, evaluate, named

mp: Any = import_module("mpmath").mp

FUNCTIONS: Functions = {
    **named(mp, "exp expm1 log log1p sqrt cos tanh asin acos atan atan2 asinh acosh atanh erf erfc gamma hypot"),
    "abs": abs,
    "lgamma": lambda x: mp.re(mp.loggamma(x)),
    "logaddexp": lambda x, y: mp.log(mp.exp(x) + mp.exp(y)),
    "max": max,
    "mod": lambda x, y: x - y * mp.floor(x / y),
    "normcdf": mp.ncdf,
    "relu": lambda x: max(x, mp.zero),
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "sinc": mp.sincpi,
    "softplus": lambda x: mp.log(1 + mp.exp(x)),
    "where": lambda condition, a, b: a if condition else b,
}


def derivative(formula: str, point: Point, wrt: str, order: int = 1) -> Any:
    """Return the true first or second derivative as an mpmath number; raise ArithmeticError where there is none."""
    coarse, fine = (_central_difference(formula, point, wrt, order, digits) for digits in (800, 1200))
    if abs(coarse - fine) > abs(fine) * mp.mpf("1e-40"):
        raise ArithmeticError(f"the differences of {formula} at {point} do not settle")
    return fine


def _central_difference(formula: str, point: Point, wrt: str, order: int, digits: int) -> Any:
    with mp.workdps(digits):
        numbers = {name: mp.mpf(number) for name, number in point.items()}
        x = numbers[wrt]
        h = (abs(x) or 1) * mp.mpf(10) ** (-digits // 4)

        def value(steps: int) -> Any:
            return evaluate(formula, FUNCTIONS, {**numbers, wrt: x + steps * h})

        if order == 1:
            return (value(1) - value(-1)) / (2 * h)
        return (value(1) - 2 * value(0) + value(-1)) / h**2
