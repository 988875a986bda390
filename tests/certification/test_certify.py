"""Enclosures: every digit that is shown is certain, and what has no enclosure is an error with a place."""

from fractions import Fraction
from random import Random

import mpmath
import pytest

from autodiff_cli import AutodiffError, evaluate, parse
from autodiff_cli.arithmetic.balls import Ball, Balls
from autodiff_cli.certification.certify import certify
from autodiff_cli.certification.decimals import decimal, double, ends
from autodiff_cli.errors import NOT_FINITE
from autodiff_cli.evaluation.nonfinite import kink_warning
from tests.fuzz import enclosures


def exact(ball: Ball) -> Fraction:
    mantissa, exponent = ball.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def bounds(ball: Ball) -> tuple[Fraction, Fraction]:
    middle, radius = exact(ball.mid()), exact(ball.rad().upper())
    return middle - radius, middle + radius


# ---- Numbers at a point ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [1, 5, 17, 40, 200])
@pytest.mark.parametrize(
    "formula", ["sqrt(x)", "sin(x)/x", "gamma(x)*digamma(x)", "(1 - cos(1e-30*x))/1e-60", "exp(exp(x))"]
)
def test_every_digit_shown_is_that_of_the_number(formula: str, digits: int) -> None:
    certificate = certify(parse(formula), {"x": parse("1/3")}, digits=digits)
    with mpmath.workdps(2 * digits + 100):
        x = mpmath.mpf(1) / 3
        true = {
            "sqrt(x)": lambda: mpmath.sqrt(x),
            "sin(x)/x": lambda: mpmath.sin(x) / x,
            "gamma(x)*digamma(x)": lambda: mpmath.gamma(x) * mpmath.digamma(x),
            "(1 - cos(1e-30*x))/1e-60": lambda: (1 - mpmath.cos(x / mpmath.mpf(10) ** 30)) * mpmath.mpf(10) ** 60,
            "exp(exp(x))": lambda: mpmath.exp(mpmath.exp(x)),
        }[formula]()
        shown = decimal(certificate.value, digits)
        assert len(shown.number.partition("e")[0].replace(".", "").lstrip("-0")) == digits
        assert abs(mpmath.mpf(shown.number) - true) <= mpmath.mpf(shown.radius)


@pytest.mark.parametrize(("formula", "true"), [("beta(3, x)", "-1/30"), ("beta(x, 4)", "1/20")])
def test_beta_has_a_value_at_a_pole_that_the_sum_takes_away(formula: str, true: str) -> None:
    shown = decimal(certify(parse(formula), {"x": parse("-5")}, ()).value, 17)
    assert abs(Fraction(shown.number) - Fraction(true)) <= Fraction(shown.radius)


def test_there_may_be_more_digits_than_python_prints() -> None:
    with mpmath.workdps(6100):
        shown = decimal(certify(parse("sqrt(x)/7"), {"x": parse("1/3")}, digits=6000).value, 6000)
        whole, _, digits = shown.number.partition(".")
        assert (whole, len(digits)) == ("0", 6001)
        true = f"{mpmath.mpf(1) / (7 * mpmath.sqrt(3)):.6001f}"[2:]
        assert digits[:-1] == true[:6000]


@pytest.mark.parametrize("digits", [3, 17])
def test_a_decimal_and_its_radius_hold_the_whole_ball(digits: int) -> None:
    random = Random(7)
    for _ in range(2000):
        ball = Ball(random.uniform(-2, 2) * 10.0 ** random.randint(-30, 30), 10.0 ** random.randint(-40, 20))
        low, high = bounds(ball)
        number, radius = decimal(ball, digits)
        assert Fraction(number) - Fraction(radius or 0) <= low
        assert high <= Fraction(number) + Fraction(radius or 0)
        least, most = map(Fraction, ends(ball).strip("[]").split(", "))
        assert least <= low
        assert high <= most
        middle, distance = double(ball)
        assert Fraction(middle) - Fraction(distance) <= low
        assert high <= Fraction(middle) + Fraction(distance)


@pytest.mark.parametrize(
    ("ball", "text"),
    [
        (Ball(0), "0"),
        (Ball(0.5), "0.5"),
        (Ball(-1200), "-1200"),
        (Ball(2) ** 100, "1.2677e+30 ± 5e+25"),
        (Ball(9.99999, 1e-12), "10.000 ± 0.00002"),
        (Ball(0, 1e-9), "0 ± 2e-9"),
        (Ball(12345.678, 100), "1.2e+4 ± 500"),
        (Ball(123456.78, 10000), "1e+5 ± 4e+4"),
        (Ball(2.8427884505395688e35, 1e15), "2.8428e+35 ± 2e+30"),
    ],
)
def test_decimals_read_well(ball: Ball, text: str) -> None:
    assert str(decimal(ball, 5)) == text


def test_decimals_are_taken_as_they_are_written() -> None:
    tenth = certify(parse("a + 0.2"), {"a": parse("0.1")}, digits=30)
    assert str(decimal(tenth.value, 30)).startswith("0.300000000000000000000000000000 ±")
    with_default = certify(parse("a = - 0.1\na"), {})
    assert decimal(with_default.value, 17).number == "-0.10000000000000000"
    for text in ("x = [0.1, 0.2]; x = sum(x); x", "a = 0.1; a = [a, 0.2]; sum(a)"):
        assert decimal(certify(parse(text), {}).value, 17).number == "0.30000000000000000"
    as_double = certify(parse("a"), {"a": 0.1}, digits=60)
    assert str(decimal(as_double.value, 60)) == "0.1000000000000000055511151231257827021181583404541015625"


def test_constants_of_a_meaning_have_all_digits() -> None:
    from autodiff_cli.transforms import expand

    program = expand(parse("degrees(x)"), {"degrees"})
    assert decimal(certify(program, {"x": 1.0}, digits=30).value, 30).number == "57.2957795130823208767981548141"


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("pi*D(degrees(x), x)", "180.00000000000000"),
        ("pi*degrees(x)", "180.00000000000000"),
        ("pi = 3.5; degrees(x)*pi", "200.53522829578812"),
        ("pi = 3.141592653589793; pi = 2*pi; pi*x", "6.2831853071795860"),
    ],
)
def test_a_constant_of_a_meaning_stands_beside_a_name_of_the_formula(formula: str, number: str) -> None:
    from autodiff_cli.transforms import expand

    assert decimal(certify(expand(parse(formula), {"degrees"}), {"x": 1.0}).value, 17).number == number


@pytest.mark.parametrize(
    ("formula", "true"),
    [
        ("D((1.000001*x)^3, x)", "3.000009000009000003"),
        ("D(0.1*x^3, x)", "0.3"),
        ("c = 9007199254740993; D(c*x^2, x)", "18014398509481986"),
        ("D(0.5*x^2.5, x)", "1.25"),
        ("D(9007199254740993*x^2, x)", "18014398509481986"),
        ("D(1.0000000000000001*x, x)", "1.0000000000000001"),
        ("D(x^2.0000000000000001, x)", "2.0000000000000001"),
        ("D(0.1234567890123456*x^3, x, 2)", "0.7407407340740736"),
        ("f(y) = 9007199254740993*y^2; D(f(x), x)", "18014398509481986"),
        ("f(v, y) = D(sum(v)*y^2, y); f([1.0000000000000001, 2], x)", "6.0000000000000002"),
        ("3.14159265358979323846*x^2 + D(x^2, x)", "5.14159265358979323846"),
        ("1.0000000000000001*x  # D(x^2, x) at 1/2", "1.0000000000000001"),
        ("unused = D(0.123456789*0.123456789*x, x); 2*x", "2"),
    ],
)
def test_a_derivative_in_a_formula_is_enclosed_although_its_factors_are_doubles(formula: str, true: str) -> None:
    for digits in (5, 17, 30):
        low, high = bounds(certify(parse(formula), {"x": 1.0}, digits=digits).value)
        assert low <= Fraction(true) <= high


@pytest.mark.parametrize(
    ("formula", "place"),
    [
        ("2*D(0.123456789*0.123456789*x, x)", (2, 33)),
        ("f(v, y) = D(sum(v)*y^2, y); f([1/3, 2/3], x)", (31, 34)),
        ("f(v, y) = D(sum(v)*y^2, y); f([0.1 + 0.2, 0.7], x)", (31, 40)),
    ],
)
def test_a_derivative_with_a_number_that_is_rounded_has_no_proof(formula: str, place: tuple[int, int]) -> None:
    with pytest.raises(AutodiffError, match="which may be rounded") as caught:
        certify(parse(formula), {"x": 1.0, "y": 1.0})
    assert caught.value.span == place


def test_a_rounded_factor_of_a_derivative_does_not_raise_the_precision() -> None:
    exact, rounded = (certify(parse(text), {"x": 1.0}) for text in ("3*x^2", "D(0.1*x^3, x)"))
    assert rounded.bits == exact.bits
    raised = certify(parse("D(0.1*x^2, x) + 1000 + sin(1e200)"), {"x": 1.0})
    assert raised.bits > exact.bits
    assert decimal(raised.value, 17).number == "1001.1691714810703"


def test_a_kink_beside_the_point_needs_no_convention() -> None:
    program, near = parse("max(x, 0.1)"), parse("0.1 + 1e-20")
    certificate = certify(program, {"x": near})
    assert kink_warning(certificate.evaluation, "the gradient") is not None
    assert kink_warning(certificate.evaluation, "the gradient", certificate.is_smooth) is None
    on_it = certify(parse("max(x, 0.5)"), {"x": 0.5})
    assert kink_warning(on_it.evaluation, "the gradient", on_it.is_smooth) is not None


def test_polygamma_is_enclosed_far_left_of_0() -> None:
    assert decimal(certify(parse("trigamma(-1000000000.25)"), {}).value, 17).number == "19.739208801178717"


@pytest.mark.parametrize("order", [1, 9, 10, 11, 50, 101, 171])
def test_polygamma_of_every_order_is_enclosed_left_of_0(order: int) -> None:
    for a in ("-0.25", "-2.5", "-7.3"):
        enclosed = certify(parse(f"polygamma({order}, {a})"), {}).value
        terms = f"(-1)^{order + 1}*factorial({order})*sum(k, 0, 9, 1/({a} + k)^{order + 1})"
        other = certify(parse(f"{terms} + polygamma({order}, {a} + 10)"), {}).value
        assert enclosed.overlaps(other) and enclosed.rel_accuracy_bits() > 50


@pytest.mark.parametrize("order", [1, 9, 10, 50, 101])
@pytest.mark.parametrize("pole", [0.0, -2.0, -287.0])
def test_polygamma_has_no_enclosure_at_its_poles(order: int, pole: float) -> None:
    for point in (pole, (pole - 0.25, pole + 0.25)):
        with pytest.raises(AutodiffError, match="enclosed"):
            certify(parse(f"polygamma({order}, x)"), {"x": point})


# ---- Enclosures over a box -------------------------------------------------------------------------------------------


def test_parts_narrow_an_enclosure() -> None:
    program, widths = parse("x*(1 - x)"), []
    for parts in (1, 10, 100):
        low, high = bounds(certify(program, {"x": (0.0, 1.0)}, parts=parts).value)
        assert low <= 0
        assert high >= Fraction(1, 4)
        widths.append(high - low)
    assert widths[2] - Fraction(1, 4) < Fraction(1, 5000)
    assert widths[0] > widths[1] > widths[2]


def test_a_range_that_is_narrow_for_its_size_is_divided() -> None:
    program = parse("(x - 1e7)*(10000001 - x)")
    low, high = bounds(certify(program, {"x": (1e7, 10000001.0)}, parts=1000).value)
    assert Fraction(-1, 100) < low <= 0
    assert Fraction(1, 4) <= high < Fraction(26, 100)


@pytest.mark.parametrize(("low", "high"), [(1e-13, 1e-3), (1e-300, 1e300), (10.0, 1e30), (-1e10, -1e-3), (-5.0, 0.0)])
def test_a_range_stays_on_its_side_of_0(low: float, high: float) -> None:
    ends = bounds(certify(parse("abs(x)"), {"x": (low, high)}, ()).value)
    assert min(ends) == min(abs(low), abs(high))
    assert max(ends) == pytest.approx(max(abs(low), abs(high)), rel=1e-6)
    assert certify(parse("sqrt(abs(x))"), {"x": (low, high)}, ()).value.is_finite()


@pytest.mark.parametrize("formula", ["log(2*x)", "log(-(-2*x))", "1/(2*x)"])
@pytest.mark.parametrize("sign", [1, -1])
def test_parts_of_a_range_over_many_powers_of_ten_stay_on_its_side_of_0(formula: str, sign: int) -> None:
    ends = sorted((sign * 1e-13, sign * 1e-3))
    program = parse(formula.replace("x", "x" if sign > 0 else "(-x)"))
    with pytest.raises(AutodiffError, match="cannot be enclosed"):
        certify(program, {"x": (ends[0], ends[1])})
    low, high = bounds(certify(program, {"x": (ends[0], ends[1])}, parts=16).value)
    least, most = sorted(evaluate(program, {"x": end}) for end in ends)
    size = max(abs(least), abs(most))
    assert least - 1e-6 * size < low <= least
    assert most <= high < most + 1e-6 * size


def test_a_range_that_nothing_uses_is_not_divided() -> None:
    ranges = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    divided, alone = (certify(parse("z = y; x*(1 - x)"), point, parts=1000) for point in (ranges, ranges | {"y": 0.0}))
    assert bounds(divided.value) == bounds(alone.value)
    assert bounds(certify(parse("z = y; x*2"), ranges | {"x": 0.5}, parts=10**6).value) == (1, 1)


def test_too_many_parts_are_refused() -> None:
    with pytest.raises(AutodiffError, match="1000 parts of each of 2 ranges"):
        certify(parse("x*y"), {"x": (0.0, 1.0), "y": (0.0, 1.0)}, parts=1000)


@pytest.mark.parametrize(
    ("formula", "point", "place", "message"),
    [
        ("1 + 1/x", {"x": (-1.0, 1.0)}, (4, 7), "`1/x` may have no finite value"),
        ("2*log(x)", {"x": 0.0}, (2, 8), "`log(x)` has no finite value with x = 0"),
        ("where(x > 0, x, -2*x)", {"x": (-1.0, 1.0)}, (6, 11), "`x > 0` is not certain"),
        ("x*(x > 0)", {"x": (-1.0, 1.0)}, (3, 8), "`x > 0` is not certain"),
        ("floor(x)/2", {"x": (0.5, 1.5)}, (0, 8), "`floor(x)` is not certain"),
        ("round(x)", {"x": (2.5, 2.75)}, (0, 8), "`round(x)` is not certain"),
        ("tan(x)", {"x": (1.0, 2.0)}, (0, 6), "`tan(x)` may have no finite value"),
        ("atan2(x, -1)", {"x": (-1.0, 1.0)}, (0, 12), "`atan2(x, -1)` may have no finite value"),
        ("sqrt(x)", {"x": 0.0}, (0, 7), "`sqrt(x)` has no finite slope"),
        ("3*abs(x)", {"x": (-1.0, 1.0)}, (2, 8), "`abs(x)` may have no slope"),
        ("max(x, 2*x)", {"x": (-1.0, 1.0)}, (0, 11), "`max(x, 2*x)` may have no slope"),
        ("exp(exp(exp(x)))", {"x": 20.0}, (4, 15), "is too large"),
        ("x + inf", {"x": 1.0}, (4, 7), "`inf` is not a finite number"),
    ],
)
def test_what_has_no_enclosure_is_an_error_with_a_place(
    formula: str, point: dict[str, float], place: tuple[int, int], message: str
) -> None:
    with pytest.raises(AutodiffError, match="cannot be enclosed") as caught:
        certify(parse(formula), point)
    assert message in caught.value.message
    assert caught.value.span == place
    assert caught.value.code == NOT_FINITE


def test_a_branch_that_is_certainly_not_taken_is_no_error() -> None:
    certificate = certify(parse("where(x > 0, log(x), 2*x)"), {"x": (-3.0, -2.0)})
    assert bounds(certificate.gradient["x"]) == (2, 2)


def test_a_power_of_0_is_1_with_slope_0_everywhere() -> None:
    at_zero, around = (certify(parse("sum(i, 0, 2, x^i)"), {"x": x}) for x in (0.0, (-1.0, 1.0)))
    assert (bounds(at_zero.value), bounds(at_zero.gradient["x"])) == ((1, 1), (1, 1))
    assert bounds(around.gradient["x"]) == pytest.approx((-1, 3), abs=1e-6)


@pytest.mark.parametrize(
    ("formula", "low", "high"),
    [("leaky_relu(x, 0.5)", -0.5, 2), ("elu(x)", -0.6322, 2), ("fmax(x, 0)", 0, 2), ("fmin(x, 0)", -1, 0)],
)
def test_an_operation_of_two_pieces_has_bounds_where_they_meet(formula: str, low: float, high: float) -> None:
    found = bounds(certify(parse(formula), {"x": (-1.0, 2.0)}, ()).value)
    assert found == pytest.approx((low, high), abs=1e-4)


def test_the_value_alone_needs_no_slope() -> None:
    low, high = bounds(certify(parse("max(abs(x), -1)"), {"x": (-1.0, 1.0)}, ()).value)
    assert low <= 0
    assert high >= 1


def test_precision_is_what_it_was_before() -> None:
    from flint import ctx

    before = ctx.prec
    with pytest.raises(AutodiffError):
        certify(parse("1/x"), {"x": 0.0})
    assert ctx.prec == before


def test_an_intermediate_value_beyond_all_decimals_is_shown_by_its_ends() -> None:
    huge = certify(parse("5 != sinh(cot(1e-30))"), {}).values[-2]
    assert ends(huge) == "[1e301029, inf]"
    assert ends(-huge) == "[-inf, -1e301029]"
    assert ends(Ball(0).union(huge).union(-huge)) == "[-inf, inf]"


# ---- Random programs -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_truth_is_in_every_enclosure() -> None:
    counts, violations = enclosures.run(2, range(400))
    assert violations == []
    assert counts["point"] > 100
    assert counts["range"] > 100


@pytest.mark.slow
def test_the_comparison_finds_an_enclosure_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Balls.function

    def wrong(self: Balls, operation: object, count: int) -> object:
        function = right(self, operation, count)  # type: ignore[arg-type]
        return (lambda a: function(a) + Ball(1e-15)) if str(operation) == "sin" else function

    monkeypatch.setattr(Balls, "function", wrong)
    assert enclosures.run(2, range(400))[1]
