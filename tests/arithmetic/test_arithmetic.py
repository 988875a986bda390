"""The arithmetics: IEEE answers where Python or mpmath raises, and exact constants."""

import math
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product

import mpmath
import pytest
from mpmath import isinf, log, mpf

from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision, with_digits
from autodiff_cli.arithmetic.sinc import slope_of_sinc
from autodiff_cli.operations import OPERATIONS, TABLE, Operation

INF, NAN = math.inf, math.nan

IEEE: list[tuple[str, tuple[float, ...], float]] = [
    ("div", (1, 0), INF),
    ("div", (-1, 0), -INF),
    ("div", (0, 0), NAN),
    ("mod", (5, 0), NAN),
    ("mod", (INF, 5), NAN),
    ("mod", (5, INF), 5),
    ("mod", (-5, INF), INF),
    ("pow", (-8, 1 / 3), NAN),
    ("pow", (0, -2), INF),
    ("pow", (0, 0), 1),
    ("pow", (NAN, 0), 1),
    ("pow", (1, NAN), 1),
    ("pow", (2, INF), INF),
    ("pow", (0.5, INF), 0),
    ("pow", (-2, INF), INF),
    ("pow", (-1, INF), 1),
    ("pow", (-INF, 3), -INF),
    ("pow", (-INF, 2.5), INF),
    ("pow", (10, 400), INF),
    ("pow", (-10, 401), -INF),
    ("exp", (1000,), INF),
    ("exp", (-1000,), 0),
    ("exp", (1e300,), INF),
    ("expm1", (-1e300,), -1),
    ("log", (0,), -INF),
    ("log", (-1,), NAN),
    ("log1p", (-1,), -INF),
    ("sqrt", (-1,), NAN),
    ("cbrt", (-8,), -2),
    ("nthroot", (-8, 3), -2),
    ("nthroot", (-8, 2), NAN),
    ("hypot", (INF, NAN), INF),
    ("atan2", (0, 0), 0),
    ("sin", (INF,), NAN),
    ("asin", (2,), NAN),
    ("sinh", (-1e300,), -INF),
    ("cosh", (-1e300,), INF),
    ("tanh", (1e300,), 1),
    ("coth", (-1e300,), -1),
    ("sech", (1e300,), 0),
    ("acosh", (0.5,), NAN),
    ("atanh", (1,), INF),
    ("atanh", (-1,), -INF),
    ("max", (1, NAN), NAN),
    ("where", (NAN, 1, 2), NAN),
    ("round", (2.5,), 2),
    ("round", (-INF,), -INF),
    ("trunc", (-2.5,), -2),
    ("sign", (NAN,), NAN),
    ("sigmoid", (-1e300,), 0),
    ("softplus", (1e300,), 1e300),
    ("logaddexp", (1e300, 1e299), 1e300),
    ("erfc", (1e300,), 0),
    ("erf", (-1e300,), -1),
    ("gamma", (0,), INF),
    ("gamma", (-3,), NAN),
    ("gamma", (1e300,), INF),
    ("gamma", (-1e10 - 0.5,), 0),
    ("lgamma", (-3,), INF),
    ("lgamma", (-INF,), INF),
    ("digamma", (-3,), NAN),
    ("digamma", (INF,), INF),
    ("polygamma", (1, -3), NAN),
    ("polygamma", (1, INF), 0),
    ("beta", (1e300, 3.5), 0),
    ("beta", (1e300, 1e-300), 1e300),
]


@pytest.mark.parametrize(("name", "arguments", "expected"), IEEE)
def test_floats_and_multiprecision_answer_as_ieee_arithmetic(
    name: str, arguments: tuple[float, ...], expected: float
) -> None:
    operation, exact = OPERATIONS[name], Multiprecision(40)
    assert floats.function(operation, len(arguments))(*map(float, arguments)) == pytest.approx(expected, nan_ok=True)
    number = exact.function(operation, len(arguments))(*map(exact.number, arguments))
    assert float(number) == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("operation", [operation for operation in TABLE if not operation.variadic])
def test_no_operation_raises_or_goes_on_for_ever(operation: Operation) -> None:
    exact, count = Multiprecision(30), len(operation.names)
    towers = [exact.context.exp(exact.number(a)) for a in (-1e300, 1e300)]
    numbers = [exact.number(a) for a in (0, -1e300, 1e15 + 0.5, -1e15 - 0.5, INF, -INF, NAN)] + towers
    for number in numbers:
        for other in numbers[:: 3 if count > 2 else 1]:
            arguments = [number, other, exact.context.one][:count]
            result = exact.function(operation, count)(*arguments)
            exact.pullback(operation, count, (True,) * count)(exact.context.one, result, *arguments)
            floats.function(operation, count)(*map(float, arguments))


def test_sinc_of_a_whole_number_is_exactly_zero_with_many_digits_too() -> None:
    exact = Multiprecision(50)
    assert exact.function(OPERATIONS["sinc"], 1)(exact.number(100.0)) == 0


# ---- The gamma function with many digits -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gamma", "lgamma", "digamma", "trigamma", "factorial", "beta", "polygamma"])
def test_the_gamma_functions_keep_their_digits_however_many_there_are(name: str) -> None:
    operation, digits, exact = OPERATIONS[name], Multiprecision(320), Multiprecision(600)
    others = {"polygamma": [(2.0,)], "beta": [(0.3,), (2e-300,), (-17.25,)]}.get(name, [()])
    for number in (1.3, -170.5, 0.49, 1e-300, -1e-300, 1e-30, 1 + 1e-12, 2 - 1e-8, -1 + 1e-9, 170.3, 1e15):
        for numbers in [(*other, number) for other in others]:
            found, true = (
                arithmetic.function(operation, len(numbers))(*map(arithmetic.number, numbers))
                for arithmetic in (digits, exact)
            )
            assert abs(exact.number(found) / true - 1) < exact.number("1e-310"), numbers


def test_no_series_of_the_gamma_function_is_made_for_very_many_digits() -> None:
    """To find its coefficients takes seconds."""
    from mpmath.libmp.gammazeta import gamma_taylor_cache

    arithmetic = Multiprecision(960)
    assert arithmetic.function(OPERATIONS["gamma"], 1)(arithmetic.number(1.3)) > 0
    assert max(gamma_taylor_cache, default=0) < 1200


def test_threads_share_no_arithmetic_as_operations_change_its_precision_for_a_while() -> None:
    with ThreadPoolExecutor(1) as thread:
        there = thread.submit(with_digits, 30).result()
    assert with_digits(30) is with_digits(30)
    assert with_digits(30) is not there


def test_powers_of_e_of_whole_numbers_past_the_range_of_doubles_have_their_digits_and_no_more() -> None:
    exp, finer = (Multiprecision(digits).function(OPERATIONS["exp"], 1) for digits in (480, 1000))
    for number in (1e6, -1e6, 12345678.9, 2.0**70, 1e300):
        result, true = exp(mpf(number)), finer(mpf(number))
        assert abs(log(result) / log(true) - 1) < 1e-300
        assert result._mpf_[3] < 1700  # bits
    power = Multiprecision(480).function(OPERATIONS["pow"], 2)
    assert isinf(power(exp(mpf(1e300)), mpf(1e300)))  # whose exponent would have two thousand bits


def test_what_was_computed_with_many_digits_is_kept_for_constants() -> None:
    exact, asked = Multiprecision(60), []
    exact.context.digamma = lambda a: asked.append(a) or a
    digamma = exact.function(OPERATIONS["digamma"], 1)
    assert [digamma(exact.number(number)) for number in (2.5, 2.5, 3.5, 2.5)] == [2.5, 2.5, 3.5, 2.5]
    assert asked == [2.5, 3.5]


@pytest.mark.parametrize("exponent", [20, 400, 10**30])
def test_polygamma_next_to_zero_is_the_first_term_of_its_series(exponent: int) -> None:
    exact = Multiprecision(60)
    tiny = exact.context.mpf(10) ** -exponent
    result = exact.function(OPERATIONS["polygamma"], 2)(exact.number(400.0), tiny)
    assert abs(result / (-exact.context.factorial(400) / tiny**401) - 1) < 1e-15


@pytest.mark.parametrize("small", [1e-300, -1e-300, 5e-324, 1e-40])
def test_beta_of_a_tiny_number_has_its_digits_without_hundreds_more(small: float) -> None:
    few, many = Multiprecision(25), Multiprecision(400)
    for large in (1e-299, 1e-30, 0.3, 100.7, 1e300):
        result, true = (
            exact.function(OPERATIONS["beta"], 2)(exact.number(small), exact.number(large)) for exact in (few, many)
        )
        assert abs(many.number(result) / true - 1) < 1e-24
    few.context.gamma = None  # it is not called
    assert few.function(OPERATIONS["beta"], 2)(few.number(2.5), few.number(small)) * small == 1


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("softplus", [-582]), ("elu", [-1e-300, 1.7]), ("logaddexp", [1e-300, -700]), ("logsumexp", [-700, 1e-300])],
)
def test_few_of_many_digits_keep_what_is_small_beside_1(name: str, numbers: list[float]) -> None:
    few, many = (
        with_digits(digits).function(OPERATIONS[name], len(numbers))(*map(with_digits(digits).number, numbers))
        for digits in (60, 1300)
    )
    assert abs(few / many - 1) < 1e-55


@pytest.mark.parametrize("x", [-60.3, -12.0, -1e-9, 0.0, 2.5, 11.9, 12.2, 40.0, 60.3, math.inf, math.nan])
def test_the_error_function_has_all_digits_where_it_is_nearly_one(x: float) -> None:
    exact = with_digits(60)
    with mpmath.workdps(2500):
        for name, true in (("erf", mpmath.erf(x)), ("erfc", mpmath.erfc(x))):
            found = mpmath.mpf(exact.function(OPERATIONS[name], 1)(exact.number(x)))
            assert abs(found - true) <= abs(true) * mpmath.mpf(10) ** -59 or (math.isnan(found) and math.isnan(x))


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("sinh", (-66_000.5,)),
        ("cosh", (-1e9,)),
        ("expm1", (123_456.75,)),
        ("expm1", (-70_000.0,)),
        ("erfc", (1e17,)),
        ("erfc", (1e12,)),
        ("polygamma", (1000, 0.5)),
        ("polygamma", (7, 1e-3)),
    ],
)
def test_large_numbers_need_no_more_digits_than_the_result(name: str, numbers: tuple[float, ...]) -> None:
    exact = with_digits(50)
    result = exact.function(OPERATIONS[name], len(numbers))(*map(exact.number, numbers))
    with mpmath.workdps(120):
        true = getattr(mpmath, name)(*map(mpmath.mpf, numbers))
        assert abs(mpmath.mpf(result) - true) <= abs(true) * mpmath.mpf(10) ** -49


def test_orders_past_any_double_have_the_size_of_the_first_term() -> None:
    polygamma = with_digits(30).function(OPERATIONS["polygamma"], 2)
    assert float(polygamma(mpmath.mpf(1e300), mpmath.mpf(0.5))) == -math.inf
    assert float(polygamma(mpmath.mpf(1e300), mpmath.mpf(1e301))) == 0


@pytest.mark.parametrize("order", [1, 2, 5, 12])
@pytest.mark.parametrize("x", [1e-3, 0.3, 1.4302966531242027, 3.9, 700.5, -1e15])
def test_slopes_of_sinc_have_all_digits_where_their_integral_would_cancel(order: int, x: float) -> None:
    exact = with_digits(40)
    with mpmath.workdps(120):
        true = mpmath.diff(mpmath.sincpi, mpmath.mpf(x), order)
        assert abs(slope_of_sinc(order, exact.number(x), exact) - true) <= 1e-30 * abs(true)


def test_elu_of_an_immense_number_needs_no_more_digits_than_others() -> None:
    exact = with_digits(480)
    assert exact.function(OPERATIONS["elu"], 2)(exact.number("-1e1600"), exact.number(2.0)) == -2


def test_nan_displaces_nothing_that_is_kept() -> None:
    exact, asked = Multiprecision(60), []
    exact.context.digamma = lambda a: asked.append(a) or a
    digamma = exact.function(OPERATIONS["digamma"], 1)
    for number in (2.5, *["nan"] * 1000, 2.5):  # each is another object, which equals no other
        digamma(exact.number(number))
    assert asked.count(2.5) == 1


def test_a_remainder_takes_no_memory_for_what_lies_between_its_numbers() -> None:
    exact = Multiprecision(40)
    modulo = exact.function(OPERATIONS["mod"], 2)
    tiny = exact.context.ldexp(3, -(10**17))
    assert modulo(tiny, exact.number(7.0)) == tiny
    assert modulo(-tiny, exact.number(7.0)) == 7 and modulo(tiny, exact.number(-7.0)) == -7
    assert exact.context.isnan(modulo(exact.number(7.0), tiny))
    exactly = float(Fraction(1e300) % Fraction(7e-300))
    assert float(modulo(exact.number(1e300), exact.number(7e-300))) == pytest.approx(exactly, rel=1e-15, abs=0)


@pytest.mark.parametrize("order", [2, 20, 170, 172])
@pytest.mark.parametrize("digits", [20, 60])
def test_even_orders_of_polygamma_are_the_same_on_both_sides_of_one_half(order: int, digits: int) -> None:
    arithmetic = with_digits(digits)
    number, polygamma = arithmetic.context.mpf, arithmetic.function(OPERATIONS["polygamma"], 2)
    for distance in (1, 4, 1000):
        left, right = (polygamma(number(order), number(0.5 + side * distance)) for side in (-1, 1))
        assert abs(left / right - 1) < number(10) ** (2 - digits)


def test_a_huge_order_of_polygamma_is_a_sum_of_many_terms_far_from_0() -> None:
    arithmetic, n, a = with_digits(20), 18446744073709572096, 6.786177901268893e18
    context = arithmetic.context
    with context.extraprec(200):
        first = context.exp(context.loggamma(n + 1) - (n + 1) * context.log(a))
        total = first * sum(context.exp(-(n + 1) * context.log1p(k / context.mpf(a))) for k in range(60))
    polygamma = arithmetic.function(OPERATIONS["polygamma"], 2)
    assert abs(polygamma(arithmetic.number(n), arithmetic.number(a)) / -total - 1) < 1e-17


@pytest.mark.parametrize("operation", TABLE, ids=lambda operation: operation.name)
def test_no_result_has_more_digits_than_its_arithmetic(operation: Operation) -> None:
    """The floor of one that has is rounded: a series of `polygamma(1, beta(x, 1e300))` had no end."""
    arithmetic, count = Multiprecision(60), len(operation.names) or operation.counts[0]
    context, function = arithmetic.context, arithmetic.function(operation, count)
    for numbers in product((-1e300, -3.3, 1e-200, 0.4, 7, 1e300), repeat=count):
        result = function(*map(context.mpf, numbers))
        assert not context.isfinite(result) or result.man.bit_length() <= context.prec
