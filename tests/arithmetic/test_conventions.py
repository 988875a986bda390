"""Values and partials where no derivative exists, and where an operation is singular."""

import math
from itertools import product

import pytest
from referee import every_operation

from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.operations import OPERATIONS, REAL, Operation

INF, NAN = math.inf, math.nan
CONVENTIONS: list[tuple[str, tuple[float, ...], tuple[float, ...]]] = [
    ("abs", (0,), (0,)),
    ("sign", (0,), (0,)),
    ("max", (1, 1), (1 / 2, 1 / 2)),
    ("max", (1, 1, 0), (1 / 2, 1 / 2, 0)),
    ("max", (1, 1, 1), (1 / 3, 1 / 3, 1 / 3)),
    ("min", (2, 2), (1 / 2, 1 / 2)),
    ("clip", (0, 0, 1), (1, 0, 0)),
    ("clip", (1, 0, 1), (1, 0, 0)),
    ("clip", (1, 1, 1), (0, 0, 1)),
    ("relu", (0,), (0,)),
    ("leaky_relu", (0, 0.01), (0.01, 0)),
    ("floor", (2,), (0,)),
    ("ceil", (2,), (0,)),
    ("round", (2.5,), (0,)),
    ("trunc", (2,), (0,)),
    ("step", (0,), (0,)),
    ("eq", (1, 1), (0, 0)),
    ("sqrt", (0,), (INF,)),
    ("cbrt", (0,), (INF,)),
    ("nthroot", (0, 3), (INF, 0)),
    ("log", (0,), (INF,)),
    ("asin", (1,), (INF,)),
    ("acos", (-1,), (-INF,)),
    ("acosh", (1,), (INF,)),
    ("hypot", (0, 0), (0, 0)),
    ("pow", (0, 2), (0, 0)),
    ("pow", (0, 1), (1, 0)),
    ("pow", (0, 0.5), (INF, 0)),
    ("pow", (0, 0), (0, -INF)),
    ("pow", (0, -1), (-INF, -INF)),
    ("pow", (-2, 3), (12, NAN)),
    ("log", (-1,), (NAN,)),
    ("sqrt", (-1,), (NAN,)),
    ("acosh", (0.5,), (NAN,)),
    ("where", (NAN, 1, 2), (NAN, NAN, NAN)),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), CONVENTIONS)
def test_convention(name: str, arguments: tuple[float, ...], expected: tuple[float, ...]) -> None:
    operation, count = OPERATIONS[name], len(arguments)
    numbers = tuple(map(float, arguments))
    result = floats.function(operation, count)(*numbers)
    partials = floats.pullback(operation, count, (True,) * count)(1.0, result, *numbers)
    assert [partial or 0.0 for partial in partials] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("whole", "x", "slope"),
    [(1.0, -1.0, -1.0), (1.0, -7.0, -1 / 49), (2.0, -2.0, 3 / 4), (3.0, -3.0, -11 / 18), (3.0, -5.0, -47 / 1800)],
)
def test_the_slope_of_beta_is_finite_at_a_pole_that_the_sum_takes_away(whole: float, x: float, slope: float) -> None:
    """beta(n, x) is (n - 1)!/(x*(x + 1)*...*(x + n - 1)), which has poles at 0 to 1 - n alone."""
    y = floats.function(OPERATIONS["beta"], 2)(whole, x)
    for arguments, place in (((whole, x), 1), ((x, whole), 0)):
        wanted = (place == 0, place == 1)
        assert floats.pullback(OPERATIONS["beta"], 2, wanted)(1.0, y, *arguments)[place] == pytest.approx(
            slope, rel=1e-15
        )


@pytest.mark.slow
@every_operation
def test_singular_is_true_exactly_where_slopes_differ_or_are_infinite(operation: Operation, count: int) -> None:
    numbers = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
    domain = operation.domain if len(operation.domain) == count else (REAL,) * count
    for arguments in product(*([x for x in numbers if low <= x <= high] for low, high in domain)):
        broken = _is_broken(operation, arguments)
        result = floats.function(operation, count)(*arguments)
        assert broken in (None, bool(floats.singular(operation, count)(result, *arguments))), arguments


def _is_broken(operation: Operation, arguments: tuple[float, ...]) -> bool | None:
    """Whether slopes differ in some direction, or a slope or the value is infinite; None at the edge of the domain."""
    exact = Multiprecision(300)
    function = exact.function(operation, len(arguments))
    at = [exact.number(a) for a in arguments]
    middle, step = function(*at), exact.number("1e-80")
    if exact.context.isinf(middle):
        return True
    smooth: bool | None = True
    for direction in _directions(operation, len(arguments)):
        after, before = (
            function(*[a + sign * step * d for a, d in zip(at, direction, strict=True)]) for sign in (1, -1)
        )
        right, left = (after - middle) / step, (middle - before) / step
        if abs(right) > 1e30 or abs(left) > 1e30 or abs(right - left) > 1e-30:
            return True
        if right != right or left != left:
            smooth = None
    return None if smooth is None else False


def _directions(operation: Operation, count: int) -> list[tuple[int, ...]]:
    """Along each argument, and along all of them; not along a condition, whose jumps are the comparison's."""
    axes = [tuple(int(i == place) for i in range(count)) for place in range(count)]
    if operation.literal or operation.name == "where":
        return axes[1:]
    return [*axes, (1,) * count]
