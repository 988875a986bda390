"""Compare derivatives by this program and its peers with the true ones, at the points where rules lose their digits.

    python benchmarks/pitfalls.py            write the table into docs/background/rules.md
    python benchmarks/pitfalls.py --print    write it to standard output

Needs the `benchmark` extra; a library that is not installed is left out of the table, with a message. The way each
library is used stands in `libraries.py`. The truth is found without any rule of differentiation: central differences by
mpmath, taken twice with different hundreds of digits, which must agree.
"""

import argparse
import math
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from libraries import Functions, Library, Point, evaluate, installed, named
from measure import insert

inf, nan = math.inf, math.nan


@dataclass(frozen=True)
class Case:
    """A derivative of `formula` at a point.

    The truth is computed, unless it is stated here: as `limit`, where the derivative is infinite or the
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


def true_derivative(formula: str, point: Point, wrt: str, order: int = 1) -> Any:
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


DOCUMENT = Path(__file__).parent.parent / "docs" / "background" / "rules.md"
BEGIN, END = "<!-- pitfalls: begin -->", "<!-- pitfalls: end -->"
RIGHT_ULP, RIGHT_SUBNORMAL = 4, 1e-320


def main() -> None:
    """Make the table and put it where it belongs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="write to standard output instead")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the peers warn of the overflows that are looked for here
    libraries, missing = installed()
    if missing:
        print(f"left out, not installed: {', '.join(missing)}", file=sys.stderr)
    table = report(libraries)
    if arguments.to_stdout:
        print(table)
    else:
        insert(DOCUMENT, BEGIN, END, table)


def report(libraries: list[Library]) -> str:
    """Return the Markdown table: one row for each case, a count, and the libraries' versions below it."""
    rows = [_row(case, libraries) for case in CASES]
    counts = [_count([row[1][column] for row in rows]) for column in range(len(libraries))]
    lines = [
        _line(["formula", "at", "derivative", "true value", *(library.name for library in libraries)]),
        _line(["---"] * (4 + len(libraries))),
        *(_line([*heading, *(text for text, _ in cells)]) for heading, cells in rows),
        _line(["**right**", "", "", "", *(f"**{count}**" for count in counts)]),
    ]
    versions = ", ".join(f"{library.name} {library.version}" for library in libraries if library.name != "autodiff")
    return "\n".join([*lines, "", f"Compared with {versions}."])


Cell = tuple[str, bool | None]
"""The cell of the table, and whether it is right; None where nothing is to be judged."""


def _row(case: Case, libraries: list[Library]) -> tuple[list[str], list[Cell]]:
    true = _true_value(case)
    point = ", ".join(f"{name} = {_short(number, 12)}" for name, number in case.at.items())
    derivative = f"∂/∂{case.wrt}" if case.order == 1 else f"∂²/∂{case.wrt}²"
    heading = [f"`{case.formula}`", point, derivative, _show_truth(case, true)]
    return heading, [_cell(case, true, library) for library in libraries]


def _true_value(case: Case) -> float | None:
    """Return the true derivative, correctly rounded, or None where there is none."""
    if case.slopes or case.jump:
        return None
    return float(true_derivative(case.formula, case.at, case.wrt, case.order)) if case.limit is None else case.limit


def _show_truth(case: Case, true: float | None) -> str:
    if case.jump:
        return "none: a jump"
    if case.slopes:
        low, high = case.slopes
        return f"{_short(low)} … {_short(high)} (convention)"
    assert true is not None
    return "nan (outside the domain)" if math.isnan(true) else _short(true, 12)


def _cell(case: Case, true: float | None, library: Library) -> Cell:
    try:
        found = library.derivative(case.formula, case.at, case.wrt, case.order)
    except NotImplementedError:
        found = None
    if found is None:
        return "—", None
    if case.jump:
        return _short(found), None
    if case.slopes:
        right = case.slopes[0] <= found <= case.slopes[1]
        return (_short(found) if right else f"**{_short(found)}**"), right
    assert true is not None
    text = error(found, true)
    return (text, True) if text == "exact" else (f"**{text}**", False)


def error(found: float, true: float) -> str:
    """Say how far off a number is: `exact`, `476 ulp`, a relative error, or the number itself if plainly wrong."""
    if found == true or (math.isnan(found) and math.isnan(true)):
        return "exact"
    if not (math.isfinite(found) and math.isfinite(true)):
        return _short(found)
    difference = abs(found - true)
    ulps = difference / math.ulp(true)
    if ulps <= RIGHT_ULP or difference <= RIGHT_SUBNORMAL:
        return "exact"
    relative = difference / abs(true) if true else math.inf
    if ulps < 10_000:
        return f"{ulps:.0f} ulp"
    return _short(relative, 1) if relative < 0.01 else _short(found)


def _short(number: float, digits: int = 3) -> str:
    """Write a number with few digits: `-9`, `1e200`, `4e-8`."""
    return f"{number + 0.0:.{digits}g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def _count(cells: list[Cell]) -> str:
    judged = [right for _, right in cells if right is not None]
    return f"{sum(judged)} of {len(judged)}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
