"""Derivatives beyond the gradient: Hessians, Jacobians, slopes along a direction, Taylor series."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
import random_programs
import referee
from hypothesis import given
from hypothesis import strategies as st
from places import each_example
from referee import Arguments, every_operation, second_partials

import autodiff_cli
from autodiff_cli import AutodiffError, engine, gradient, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision, with_digits
from autodiff_cli.arithmetic.power_series import PowerSeries
from autodiff_cli.arithmetic.sinc import slope_of_sinc
from autodiff_cli.derivatives import hessian as second_order
from autodiff_cli.derivatives import taylor as module
from autodiff_cli.derivatives.forward import directional
from autodiff_cli.derivatives.hessian import Hessian, hessian
from autodiff_cli.derivatives.jacobian import jacobian
from autodiff_cli.derivatives.taylor import nonfinite_error, rounding_warning, taylor
from autodiff_cli.evaluation import Evaluation, Sweeper, evaluate
from autodiff_cli.evaluation.nonfinite import kink_warning, nonfinite_warning
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import OPERATIONS, REAL, TABLE, Operation
from autodiff_cli.transforms import derivative
from autodiff_cli.work_budget import WorkBudget

ORDER = 6


def _call(operation: Operation, arguments: Arguments) -> Evaluation:
    """The operation on inputs `a`, `b`, … at these numbers; a first argument that must be written out is."""
    names = "abcd"[: len(arguments)]
    point = dict(zip(names, arguments, strict=True))
    operands = [(name, CALL) for name in names]
    if operation.literal:
        operands[0] = (str(int(arguments[0])), CALL)
        del point["a"]
    return evaluate(parse(operation_text(operation, operands)), point)


# ---- Second derivatives ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@every_operation
def test_hessian_of_an_operation_is_within_1e_12_of_the_largest_term(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 120, step=6):
        if all(a == 0 or 1e-4 <= abs(a) <= 1e4 for a in arguments):
            matrix = hessian(_call(operation, arguments)).matrix
            for i, j, _, size in second_partials(operation, arguments):
                true = referee.slope(operation, arguments, (i, j))
                actual = matrix[i - operation.literal][j - operation.literal]
                assert referee.error(actual, true, size) * 2**-52 <= 1e-12, (i, j, arguments, actual, float(true))


@each_example
def test_hessian_of_an_example_is_the_difference_of_precise_gradients(file: Path) -> None:
    evaluation = evaluate(parse(file.read_text(encoding="utf-8")), {})
    found = hessian(evaluation)
    exact = Multiprecision(80)
    step = exact.number("1e-25")
    size = max((abs(number) for number in found.entries.values()), default=0)
    for column, name in enumerate(found.names):
        above, below = (referee.precise_gradient(evaluation, exact, name, move)[1] for move in (step, -step))
        for row, (right, left) in enumerate(zip(above, below, strict=True)):
            true = (right - left) / (2 * step)
            assert abs(found.matrix[row][column] - true) <= 1e-12 * abs(true) + 1e-13 * size, (name, found.names[row])


@pytest.mark.parametrize("number", range(200))
def test_hessian_is_that_of_the_gradient_differentiated_backward(number: int) -> None:
    case = random_programs.case(11, number)
    evaluation = evaluate(parse(case.formula), case.point)
    if case.ordinary and all(map(math.isfinite, (evaluation.value, *evaluation.gradient.values()))):
        _assert_dense(evaluation, hessian(evaluation))


def test_sparse_hessians_are_the_dense_ones() -> None:
    chance = Random(5)
    for _ in range(40):
        names = [f"x{i}" for i in range(chance.randint(2, 12))]
        terms = [_term(chance, names) for _ in range(chance.randint(1, 14))]
        evaluation = evaluate(parse(" + ".join(terms)), {name: chance.uniform(0.5, 2) for name in names}, names)
        _assert_dense(evaluation, hessian(evaluation))


def _term(chance: Random, names: Sequence[str]) -> str:
    a, b, c = (chance.choice(names) for _ in range(3))
    forms = ("{a}*{b}", "sin({a}*{b})", "exp({a} - {b})*{c}", "{a}^3", "{a}/{b}", "2*{a}", "max({a}, {b}^2)")
    return chance.choice(forms).format(a=a, b=b, c=c)


def _assert_dense(evaluation: Evaluation, found: Hessian) -> None:
    """Compare with second derivatives that sweeps backward compute, one by one, and with the mirrored matrix."""
    graph, names = evaluation.program.graph.cut(()), list(evaluation.nodes)
    unused = {name for name in names if evaluation.nodes[name] is None}
    used = {name: evaluation.inputs[name] for name in names if name not in unused}
    first = derivative(graph, evaluation.program.output, list(used.values()))
    second = [derivative(graph, node, list(used.values())) for node in first]
    values = [*evaluation.values, *(graph.numbers.get(node, 0.0) for node in range(len(evaluation.values), len(graph)))]
    engine.forward(graph, graph.needed(node for row in second for node in row), values, floats)
    expected = {
        (i, j): values[node] for i, row in zip(used, second, strict=True) for j, node in zip(used, row, strict=True)
    }
    size = max(map(abs, filter(math.isfinite, expected.values())), default=0.0)
    for i, j in product(names, names):
        actual = found.matrix[names.index(i)][names.index(j)]
        other = found.matrix[names.index(j)][names.index(i)]
        assert actual == other or math.isnan(actual)
        assert actual == pytest.approx(expected.get((i, j), 0.0), rel=1e-9, abs=1e-12 * size + 1e-15, nan_ok=True), (
            i,
            j,
        )


def test_hessian_of_a_power_whose_exponent_passes_through_zero_has_all_its_terms() -> None:
    ((second,),) = hessian(evaluate(parse("(1e-305*x)^(x - 1)"), {"x": 1.0})).matrix
    assert second == pytest.approx(math.log(1e-305) ** 2 + 2, rel=1e-12)


def test_hessian_is_symmetric_and_either_triangle_gives_it() -> None:
    text, point = "sin(x*y)/z + exp(x*z)*log(y + z)", {"x": 0.7, "y": 1.3, "z": 2.1}
    names = ["x", "y", "z"]
    found = hessian(evaluate(parse(text), point, names))
    other = hessian(evaluate(parse(text), point, names[::-1]))
    for i, j in combinations(range(3), 2):
        assert found.matrix[i][j] == found.matrix[j][i]
        assert found.matrix[i][j] == pytest.approx(other.matrix[2 - i][2 - j], rel=4e-15)


@pytest.mark.slow
def test_extended_rosenbrock_takes_two_directions_for_a_thousand_inputs() -> None:
    pairs = " + ".join(f"valley(x{i}, x{i + 1})" for i in range(0, 1000, 2))
    program = parse(f"valley(a, b) = 100*(b - a^2)^2 + (1 - a)^2; {pairs}")
    evaluation = evaluate(program, {f"x{i}": 1.0 if i % 2 else -1.2 for i in range(1000)})
    found = hessian(evaluation)
    assert found.directions == 2
    assert set(found.entries) == {(i, j) for i in range(1000) for j in (i, i ^ 1)}
    block = [[1330.0, 480.0], [480.0, 200.0]]
    assert all(entry == pytest.approx(block[i % 2][j % 2], rel=1e-14) for (i, j), entry in found.entries.items())


@pytest.mark.parametrize(
    ("text", "directions"),
    [
        ("x0 + 2*x1 - x2/3", 1),
        ("x0*x1 + x1*x2 + x2*x3 + x3*x4 + x4*x5", 3),
        ("x0*x1 + x0*x2 + x0*x3 + x0*x4 + x1^2 + x2^2 + x3^2 + x4^2", 2),
        ("exp(x0 + x1 + x2 + x3)", 4),
        ("where(x0 > x1, x0^2, x1^3)", 1),
        ("floor(x0*x1)*x2 + x0^2", 1),
    ],
)
def test_a_hessian_takes_no_more_directions_than_its_pattern_asks_for(text: str, directions: int) -> None:
    assert hessian(evaluate(parse(text), {f"x{i}": 1.0 + i for i in range(6)})).directions == directions


def test_hessian_by_named_values_takes_them_for_inputs() -> None:
    program = parse("n = x*w; o = n^3*w")
    assert hessian(evaluate(program, {"x": 2, "w": 3}, ["n"])).matrix == [[108.0]]
    assert hessian(evaluate(program, {"x": 2, "w": 3, "q": 1}, ["q", "x"])).matrix == [[0.0, 0.0], [0.0, 972.0]]
    with pytest.raises(AutodiffError, match="`n` is computed from `x`"):
        hessian(evaluate(program, {"x": 2, "w": 3}, ["n", "x"]))


def test_two_names_of_one_value_share_their_second_derivatives() -> None:
    assert hessian(evaluate(parse("y = x; y^3"), {"x": 2}, ["x", "y"])).matrix == [[12.0, 12.0], [12.0, 12.0]]


def test_hessian_leaves_the_program_as_it_was() -> None:
    program = parse("x^3*y")
    size = len(program.graph)
    for _ in range(2):
        assert autodiff_cli.hessian(program, {"x": 2, "y": 3}) == {
            "x": {"x": 36.0, "y": 12.0},
            "y": {"x": 12.0, "y": 0.0},
        }
    assert len(program.graph) == size


# ---- Where there are none --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("abs(x)", 0.0),
        ("relu(x)", 0.0),
        ("max(x, 0)", 0.0),
        ("x*abs(x)", 0.0),
        ("where(x > 0, sqrt(x), 0)", 0.0),
        ("where(x > 0, x^1.5, x^2)", 2.0),
        ("x^1.5", math.inf),
        ("relu(x)^1.5", 0.0),
    ],
)
def test_second_derivative_at_a_kink_or_beside_a_branch(text: str, second: float) -> None:
    assert hessian(evaluate(parse(text), {"x": 0.0})).matrix == [[second]]


def test_a_second_derivative_with_a_term_beyond_the_range_is_found_as_a_limit() -> None:
    evaluation = evaluate(parse("log2(x^2)"), {"x": 1e-100})
    assert hessian(evaluation).entries == {(0, 0): pytest.approx(-2e200 / math.log(2), rel=1e-14)}
    assert taylor(evaluation, 2).derivatives[2] == pytest.approx(-2e200 / math.log(2))


def test_a_second_derivative_that_is_infinite_says_where() -> None:
    evaluation = evaluate(parse("x^1.5"), {"x": 0.0})
    assert "inf: it arises in `x^1.5`" in str(second_order.nonfinite_error(evaluation, hessian(evaluation)))


@pytest.mark.parametrize(
    ("text", "third"), [("relu(x)*sqrt(x)", math.inf), ("sqrt(x)*relu(x)^2", 0.0), ("relu(x)*x", 0.0)]
)
def test_a_series_at_a_kink_is_that_of_the_domain_where_an_infinite_slope_meets_zero(text: str, third: float) -> None:
    evaluation = evaluate(parse(text), {"x": 0.0})
    assert taylor(evaluation, 2).derivatives == [0.0, 0.0, third]
    assert hessian(evaluation).matrix == [[third]]


@pytest.mark.parametrize(
    ("text", "x", "warned"),
    [
        ("abs(x)", 0, True),
        ("abs(x)", 1, False),
        ("where(x == 0, 1, sin(x)/x)", 0, True),
        ("where(x > 0 and x < 1, x, 0)", 2, False),
        ("where(x > 0 and x < 1, x, 0)", 1, True),
        ("where(n > 0, x^2, x)", 1, False),
        ("where(x > 1, 1, abs(x - 2))", 2, False),
        ("x^0 + x^1", 0, False),
        ("where(x and x > 5, x^2, 1)", 1, False),
        ("floor(x)*x", 2, True),
        ("hypot(x, n)", 0, True),
    ],
)
def test_a_convention_is_told(text: str, x: float, warned: bool) -> None:
    evaluation = evaluate(parse(f"n = 0; {text}"), {"x": x}, ["x"])
    assert (kink_warning(evaluation, "derivatives") is not None) == warned


@pytest.mark.parametrize(("text", "x", "order", "warned"), [
    ("elu(x)", 0, 1, False),
    ("elu(x)", 0, 2, True),
    ("elu(x)", 1, 2, False),
    ("elu(x, 2)", 0, 1, True),
])  # fmt: skip
def test_a_kink_of_the_first_derivative_is_told_of_higher_ones(text: str, x: float, order: int, warned: bool) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert (kink_warning(evaluation, "derivatives", order=order) is not None) == warned


# ---- Forward mode ----------------------------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.lists(st.floats(-3, 3, allow_subnormal=False), min_size=3, max_size=3))
def test_slope_along_a_direction_is_the_gradient_times_it(number: int, components: list[float]) -> None:
    case = random_programs.case(13, number)
    evaluation = evaluate(parse(case.formula), case.point)
    direction = {name: component for name, component in zip("xyz", components, strict=True) if name in evaluation.wrt}
    found = directional(evaluation.program, case.point, direction)
    terms = [evaluation.gradient[name] * component for name, component in direction.items()]
    if case.ordinary and all(map(math.isfinite, (evaluation.value, found.slope, *terms))):
        pairs = zip(evaluation.adjoints, found.slopes, strict=True)
        size = max((abs((adjoint or 0.0) * (slope or 0.0)) for adjoint, slope in pairs), default=0.0)
        assert abs(found.slope - math.fsum(terms)) <= 1e-9 * size, case.formula


@every_operation
def test_forward_and_backward_have_the_same_partials(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 60, step=4):
        evaluation = _call(operation, arguments)
        point = dict(zip("abcd", arguments, strict=False))
        for name, expected in evaluation.gradient.items():
            slope = directional(evaluation.program, point, {name: 1.0}).slope
            assert slope == pytest.approx(expected, rel=1e-15, abs=referee.SMALLEST, nan_ok=True), (arguments, name)


@pytest.mark.parametrize(
    ("text", "slope"), [("x*0 + 1e-100*x + sqrt(y)", 1e-100), ("sqrt(x - 1) + sqrt(y) + 1e-100", math.inf)]
)
def test_an_infinite_slope_by_a_name_that_does_not_move_stays_out(text: str, slope: float) -> None:
    assert directional(parse(text), {"x": 1.0, "y": 0.0}, {"x": 1.0, "y": 0.0}).slope == slope


def test_every_node_has_its_slope_and_what_does_not_move_has_none() -> None:
    program = parse("n = x*w; m = floor(x); o = n + sin(b)*m")
    found = directional(program, {"x": 2, "w": 3, "b": 1}, {"x": 10.0, "w": 0.0})
    by_name = {name: found.slopes[node] for name, node in program.names.items()}
    assert by_name == {"x": 10.0, "w": None, "b": None, "n": 30.0, "m": None, "o": 30.0}


@pytest.mark.parametrize(
    "text",
    [
        "where(x > 0, sqrt(x), 0) + y",
        "max(sqrt(x), 1) + y",
        "asin(x >= 0) + y",
        "asin(1 + relu(x)) + y",
        "atanh(clip(x, 1, 2)) + y",
    ],
)
def test_infinite_slopes_of_what_was_not_chosen_stay_out(text: str) -> None:
    program, point = parse(text), {"x": 0.0, "y": 1.0}
    assert gradient(program, point)["x"] == 0
    assert directional(program, point, {"x": 1, "y": 2}).slope == 2.0
    assert hessian(evaluate(program, point)).matrix == [[0.0, 0.0], [0.0, 0.0]]
    value = evaluate(program, point).value
    moved = program.graph.add(OPERATIONS["mul"], (program.inputs["x"], program.output))
    slope = taylor(evaluate(replace(program, output=moved), point, ["x"]), 1).derivatives[1]
    assert slope == value or (math.isinf(value) and math.isnan(slope))  # of 0 times infinity, which is nan


# ---- Several outputs -------------------------------------------------------------------------------------------------

SEVERAL = parse("a = x*y; b = sin(x) + z; c = a/b; d = c^2 + y; e = d*a; f = exp(-b)")


@pytest.mark.parametrize("outputs", [["a", "b"], ["f", "c", "a"], list("abcdef")])
def test_rows_of_a_jacobian_are_the_gradients_of_the_outputs(outputs: list[str]) -> None:
    point = {"x": 0.7, "y": -1.2, "z": 2.0}
    found = jacobian(SEVERAL, point, outputs)
    assert found.names == ("x", "y", "z")
    for output, row in zip(outputs, found.rows, strict=True):
        evaluation = evaluate(SEVERAL.select(output), point, found.names)
        assert found.outputs[output] == evaluation.value
        assert row == pytest.approx(list(evaluation.gradient.values()), rel=1e-14, abs=1e-16)


@pytest.mark.parametrize("terms", [300, 20])
def test_many_outputs_that_share_little_have_sweeps_of_their_own(terms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = [f"o{row}" for row in range(terms + 5)]
    lines = (f"{name} = " + " + ".join(f"s*x{k}^2*{row}" for k in range(20)) for row, name in enumerate(outputs))
    program = parse("s = sin(x0)\n" + "\n".join(lines) + "\nlonely = 2*y")
    point = {"y": 1.0} | {f"x{k}": 0.1 + k for k in range(20)}
    wrt = [*point, "s"]
    monkeypatch.setattr("autodiff_cli.derivatives.jacobian._LARGE", 1000)
    several = jacobian(program, point, [*outputs, "lonely"], wrt)
    for name, row in [*zip(several.outputs, several.rows, strict=True)][:: terms // 4]:
        evaluation = evaluate(program.select(name), point, wrt)
        assert several.outputs[name] == evaluation.value
        assert row == list(evaluation.gradient.values())


def test_a_jacobian_names_the_outputs_that_are_not_finite() -> None:
    program = parse("a = sqrt(x); b = x; c = log(x)")
    found = jacobian(program, {"x": 0.0}, ["a", "b", "c"])
    assert found.rows == [[math.inf], [1.0], [math.inf]]
    assert [evaluation.program.output_name for evaluation in found.suspects] == ["a", "c"]


def test_a_number_that_is_no_double_is_named_by_a_jacobian_too() -> None:
    with pytest.raises(AutodiffError, match="`x` is too large for double precision"):
        jacobian(parse("a = x; b = 2*x"), {"x": 10**400}, ["a", "b"])


# ---- Taylor series ---------------------------------------------------------------------------------------------------


@every_operation
def test_taylor_series_of_an_operation_agrees_with_mpmath(operation: Operation, count: int) -> None:
    exact = Multiprecision(60)
    function, number = exact.function(operation, count), exact.number
    for start, direction in _lines(operation, count):
        lines = list(zip(start, direction, strict=True))
        along = partial(_along, function, [(number(a), number(d)) for a, d in lines])
        true = exact.context.taylor(along, 0, ORDER)
        for digits in (None, exact):
            net = PowerSeries(digits)
            series = net.apply(operation, *(net.line(a, d) if d else net.constant(a) for a, d in lines))
            net.compute([series], ORDER)
            found = [*series.coefficients, *[0.0] * ORDER][: ORDER + 1]
            for actual, expected in zip(found, true, strict=True):
                assert abs(actual - expected) <= 1e-12 * abs(expected) + 1e-30, (start, direction, actual, expected)


def _along(function: Callable[..., Any], lines: Sequence[tuple[Any, Any]], t: Any) -> Any:
    return function(*[start + t * speed for start, speed in lines])


def _lines(operation: Operation, count: int) -> list[tuple[Arguments, Arguments]]:
    """Ordinary points in the operation's domain, each with a direction in which all arguments move."""
    chance = Random(f"{operation.name} {count}")
    found = []
    for _ in range(3):
        intervals = [(max(low, -3), min(high, 3)) for low, high in (operation.domain or (REAL,) * count)]
        start = [chance.uniform(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high) for low, high in intervals]
        direction = [chance.uniform(0.2, 1) * chance.choice((1, -1)) for _ in range(count)]
        if operation.literal:
            start[0], direction[0] = float(chance.randint(0, 3)), 0.0
        found.append((tuple(start), tuple(direction)))
    return found


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("exp(sin(x))", 0, "1 1 1/2 0 -1/8 -1/15 -1/240 1/90 31/5760"),
        ("tan(x)", 0, "0 1 0 1/3 0 2/15 0 17/315"),
        ("1/(1 - x)", 0, "1 1 1 1 1 1"),
        ("log(x)", 1, "0 1 -1/2 1/3 -1/4 1/5"),
        ("sqrt(1 + x)", 0, "1 1/2 -1/8 1/16 -5/128"),
        ("x^3", 0, "0 0 0 1 0 0"),
        ("x^2*sin(x)", 0, "0 0 0 1 0 -1/6"),
        ("x^0 + x^1", 0, "1 1 0"),
        ("(x - 1)^2*(x + 2)", 1, "0 0 3 1 0"),
        ("sin(x)^2 + cos(x)^2", 0.3, "1 0 0 0 0 0"),
        ("cosh(x)^2 - sinh(x)^2", 3, "1 0 0 0 0 0"),
        ("where(x > 0, sqrt(x), 2*x)", 0, "0 2 0 0"),
        ("max(x, x^2 - 1)", 0, "0 1 0"),
        ("abs(x)^3", -2, "8 -12 6 -1 0"),
        ("atan(x) + acot(x)", -0.5, None),
        ("gamma(x + 1) - x*gamma(x)", 1.5, "0 0 0 0"),
        ("7", 1, "7 0 0"),
    ],
)
def test_taylor_series_that_are_known(text: str, x: float, coefficients: str | None) -> None:
    expected = [float(Fraction(word)) for word in (coefficients or "0 0 0 0").split()]
    if coefficients is None:
        expected[0] = -math.pi / 2
    found = taylor(evaluate(parse(text), {"x": x}, ["x"]), len(expected) - 1)
    assert found.coefficients == expected
    assert found.derivatives == pytest.approx([c * math.factorial(k) for k, c in enumerate(expected)], rel=1e-15)


def test_taylor_series_of_sinc_where_its_argument_is_nan_are_nan() -> None:
    found = taylor(evaluate(parse("x + sinc(log(x - 2))"), {"x": 1.0}), 2)
    assert [number == number for number in found.coefficients] == [False] * 3


@pytest.mark.slow
@pytest.mark.parametrize("x", [0.0, 1e-160, 1e-5, 0.2, 0.3, 1.0, -2.0, 2.5, 12.0])
def test_taylor_series_of_sinc_has_no_special_points(x: float) -> None:
    found = taylor(evaluate(parse("sinc(x)"), {"x": x}), 9).coefficients
    mp = Multiprecision(400).context
    for k, actual in enumerate(found):  # the integral of cos(pi*x*s) over s from 0 to 1, term by term
        powers = (mp.binomial(2 * m, k) * mp.mpf(x) ** (2 * m - k) for m in range((k + 1) // 2, 400))
        factors = ((-1) ** m * mp.pi ** (2 * m) / mp.factorial(2 * m + 1) for m in range((k + 1) // 2, 400))
        true = mp.fsum(map(mul, powers, factors))
        assert abs(actual - true) <= 1e-15 * abs(true) + 1e-300


def test_taylor_series_is_right_where_doubles_cancel() -> None:
    found = taylor(evaluate(parse("(1 - cos(x))/x^2"), {"x": 1e-3}), 8).coefficients
    mp = mpmath.mp.clone()
    mp.dps = 100
    true = mp.taylor(lambda x: (1 - mp.cos(x)) / x**2, mp.mpf(1e-3), 8)
    assert found == pytest.approx(list(map(float, true)), rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("sqrt(1 - cos(x)^2)", 1e-8, [1e-8, 1, -5e-9, -1 / 6]),
        ("acos(cos(x))", 1e-8, [1e-8, 1, 0, 0]),
        ("hypot(1 - cos(x), 1 - cos(2*x))", 1e-8, [17**0.5 / 2 * 1e-16, 17**0.5 * 1e-8, 17**0.5 / 2]),
        ("atan2(1 - cos(x), 1 - cos(3*x))", 1e-8, [math.atan(1 / 9), 6 / 41 * 1e-8, 3 / 41]),
        ("(1 - cos(1e-8)^2)^x", 1, [1e-16, 1e-16 * math.log(1e-16), 5e-17 * math.log(1e-16) ** 2]),
        ("(1 - cos(x))/x^2", 1e-100, [0.5, -1e-100 / 12, -1 / 24]),
        ("log(exp(x))", 1e-60, [1e-60, 1, 0]),
        ("x/(exp(x) - 1)", 1e-30, [1, -0.5, 1 / 12]),
        ("asin(1 - x)", 1e-100, [math.pi / 2, -(0.5e100**0.5)]),
    ],
)
def test_what_doubles_round_to_zero_on_the_way_has_its_series(text: str, x: float, coefficients: list[float]) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    found = taylor(evaluation, len(coefficients) - 1)
    assert found.coefficients == pytest.approx(coefficients, rel=1e-12, abs=0)
    assert nonfinite_error(evaluation, found) is None
    assert nonfinite_warning(evaluation) is None


@pytest.mark.parametrize(
    ("text", "x", "coefficients"),
    [
        ("x/(1 + x)", 1e35, [1, 1e-70]),
        ("x/silu(x)", 188, [1, -math.exp(-188), math.exp(-188) / 2]),
        ("x^2/(x + 1)", 1e18, [1e18, 1, 1e-54]),
        ("(x + 1)/(x + 2)", 1e60, [1, 1e-120, -1e-180, 1e-240]),
        ("hypot(x, 2)", 1e16, [1e16, 1, 2e-48]),
        ("log(exp(x), x)", 1e100, [4.342944819032518e97, 0.004324083649331357, -1.869734366269229e-105 / 2]),
        ("logaddexp(x, -x)", 1e-100, [math.log(2), 1e-100, 0.5, -1e-100 / 3]),
        ("acos(x)", 1e-107, [math.pi / 2, -1, -0.5e-107, -1 / 6, -9e-107 / 24]),
        ("asin(x)", 1e-100, [1e-100, 1, 0.5e-100]),
        ("atanh(x)", 1e-100, [1e-100, 1, 1e-100]),
        ("sigmoid(x)", 1e-40, [0.5, 0.25, -1e-40 / 16]),
        ("softplus(x)", 1e-83, [math.log(2), 0.5, 0.125, -1e-83 / 48]),
    ],
)
def test_a_term_that_all_few_digits_lose_is_no_zero(text: str, x: float, coefficients: list[float]) -> None:
    found = taylor(evaluate(parse(text), {"x": x}), len(coefficients) - 1)
    assert found.coefficients == pytest.approx(coefficients, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("text", "x", "numerator", "denominator"),
    [
        ("sin(x)/x", 0, lambda mp, x: mp.sin(x), lambda mp, x: x),
        ("(1 - cos(x))/x^2", 0, lambda mp, x: 1 - mp.cos(x), lambda mp, x: x * x),
        ("x^3/(exp(x) - 1)", 0, lambda mp, x: x**3, lambda mp, x: mp.expm1(x)),
        ("(tan(x) - sin(x))/x^3", 0, lambda mp, x: mp.tan(x) - mp.sin(x), lambda mp, x: x**3),
        ("log(x)/(x^2 - 1)", 1, lambda mp, x: mp.log(x), lambda mp, x: x * x - 1),
        ("sin(x - pi)/(x - pi)", math.pi, lambda mp, x: mp.sin(x - math.pi), lambda mp, x: x - math.pi),
        ("(sin(x)/x - 1)/x", 0, lambda mp, x: mp.sin(x) - x, lambda mp, x: x * x),  # a quotient of zeros in another
        ("0/x", 0, lambda mp, x: mp.zero, lambda mp, x: x),
    ],
)
@pytest.mark.parametrize("order", [0, 1, 12])
def test_a_quotient_of_zeros_has_the_series_of_what_follows_them(
    text: str, x: float, numerator: Callable[..., Any], denominator: Callable[..., Any], order: int
) -> None:
    mp = mpmath.mp.clone()
    mp.dps = 60
    a, b = (mp.taylor(partial(function, mp), x, order + 3) for function in (numerator, denominator))
    zeros = next(index for index, number in enumerate(b) if abs(number) > 1e-30)
    true: list[Any] = []
    for k in range(order + 1):
        true.append((a[zeros + k] - sum(b[zeros + k - j] * true[j] for j in range(k))) / b[zeros])
    assert autodiff_cli.taylor(text, {"x": x}, order) == pytest.approx(list(map(float, true)), rel=4e-16, abs=1e-40)


@pytest.mark.parametrize(
    "text",
    [
        "x/x^2",
        "x^4/(sin(x)^2 + cos(x)^2 - 1)",
        "x^21/sin(x)^21",
        "x^9/(tan(x) - x - x^3/3 - 2*x^5/15 - 17*x^7/315)",  # rounding leaves an x^7 in the denominator
        "abs(x)/x",
        "x % x",
        "abs(sin(x)/x - 1)",
        "max(sin(x)/x, 1)",
        "leaky_relu(1 - sin(x)/x, 0.1)",
        "(sin(x)/x)^(1/x^2)",
        "atan(1/(sin(x)/x - 1))",
    ],
)
def test_a_quotient_of_zeros_without_a_certain_series_has_none(text: str) -> None:
    assert math.isnan(autodiff_cli.taylor(text, {"x": 0}, 0)[0])


def test_the_work_of_quotients_of_zeros_grows_with_their_number() -> None:
    def work(count: int) -> float:
        with WorkBudget(60) as budget:
            autodiff_cli.taylor(f"sum(i, 1, {count}, sin(i*x)/x)", {"x": 0}, 4)
        return budget.granted - budget.left

    assert work(40) < 3 * work(20)


def test_a_coefficient_that_is_not_settled_is_nan_and_said() -> None:
    evaluation = evaluate(parse("(1 - cos(x))/x^2"), {"x": 1e-150})
    found = taylor(evaluation, 5)
    assert found.coefficients[2] == pytest.approx(-1 / 24, rel=1e-15)
    assert found.unsettled == 5
    assert math.isnan(found.coefficients[5])
    error = nonfinite_error(evaluation, found)
    assert error is not None
    assert "is not settled" in error.message


_CANCELS = "(1 - cos(x))/x^2 + sum(i, 1, 700, i*x/1e9)"  # more than 2,000 nodes
_SERIES = [0.5000002036833348, 0.00016201667222222208, -0.0416666583333337, 5.555555059523825e-06]


def test_a_large_program_has_its_digits_too() -> None:
    found = taylor(evaluate(parse(_CANCELS), {"x": 1e-3}), 3)
    assert found.coefficients == pytest.approx(_SERIES, rel=1e-15, abs=0)
    assert rounding_warning(found) is None


def test_a_large_program_without_enough_work_is_computed_in_doubles_and_that_is_said() -> None:
    evaluation = evaluate(parse(_CANCELS), {"x": 1e-3})
    with WorkBudget(0.5) as budget:
        found = taylor(evaluation, 3)
        assert budget.left > 0.1
    assert found.coefficients[0] == pytest.approx(_SERIES[0], rel=1e-9)
    assert found.coefficients[3] != pytest.approx(_SERIES[3], rel=0.1)
    warning = rounding_warning(found)
    assert warning is not None
    assert "more digits" in warning.message


@pytest.mark.slow
@pytest.mark.parametrize(("text", "x", "slope", "second"), [
    ("beta(x, 1e-300)", 1.3, -1.1342534349966193, 1.1984625146519565),
    ("beta(x, 1e-30)", 0.1, -101.43329915079275, 2001.8614573783436),
    ("beta(1, csch(x)^2)", 1e-30, 2e-30, 2.0),
    ("beta(1, x)", 1e60, -1e-120, 2e-180),
])  # fmt: skip
def test_arguments_of_beta_may_be_far_apart(text: str, x: float, slope: float, second: float) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert taylor(evaluation, 2).derivatives[1:] == pytest.approx([slope, second], rel=1e-15, abs=0)
    assert hessian(evaluation).matrix == [[pytest.approx(second, rel=1e-12, abs=0)]]


@pytest.mark.parametrize(("text", "x", "digits"), [("x^x", 1e300, 960), ("gamma(x)", 1e-5, 240)])
def test_numbers_beyond_doubles_take_no_more_digits(
    text: str, x: float, digits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    monkeypatch.setattr(module, "with_digits", lambda digits: (tried.append(digits), with_digits(digits))[1])
    assert taylor(evaluate(parse(text), {"x": x}), 80).coefficients[80] == math.inf
    assert tried[-1] == digits


def test_beta_of_arguments_far_apart_takes_no_more_digits_than_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(module, "with_digits", lambda digits: (asked.append(digits), with_digits(digits))[1])
    at = evaluate(parse("beta(u, v)"), {"u": 1e-300, "v": 1e300}, ["u"])
    assert taylor(at, 2).derivatives[1:] == [-math.inf, math.inf]
    assert max(asked) < 1100


def test_digits_that_an_operation_loses_are_found_again() -> None:
    found = autodiff_cli.taylor("elu(y, x)", {"x": -1.25e-94, "y": -1.25e-94}, 2, wrt="y")
    assert found == pytest.approx([1.5625e-188, -1.25e-94, -0.625e-94], rel=1e-15, abs=0)


@pytest.mark.parametrize(("text", "x", "second"), [
    ("nthroot(x, 0.5)", 0.0, 1.0),
    ("beta(x, 0.5)", -1.5, -1.1744207671677126),
])  # fmt: skip
def test_where_a_rule_holds_at_one_point_alone_the_series_is_a_limit(text: str, x: float, second: float) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert math.isfinite(evaluation.gradient["x"])
    assert taylor(evaluation, 2).coefficients[2] == pytest.approx(second, rel=1e-15)


@pytest.mark.parametrize(("text", "x", "derivatives"), [
    ("acos(x)^2", 1.0, [0.0, -2.0, 2 / 3, -8 / 15]),
    ("cos(sqrt(x))", 0.0, [1.0, -1 / 2, 1 / 12, -1 / 120]),
    ("cbrt(x)^3", 0.0, [0.0, 1.0, 0.0, 0.0]),
    ("sqrt(x^4)", 0.0, [0.0, 0.0, 2.0, 0.0]),
])  # fmt: skip
def test_what_the_chain_rule_leaves_open_is_a_limit_in_every_order(
    text: str, x: float, derivatives: list[float]
) -> None:
    evaluation = evaluate(parse(text), {"x": x})
    assert taylor(evaluation, 3).derivatives == pytest.approx(derivatives, rel=1e-15)
    assert hessian(evaluation).matrix[0][0] == pytest.approx(derivatives[2], rel=1e-15)
    assert directional(parse(text), {"x": x}, {"x": 3.0}).slope == pytest.approx(3 * derivatives[1], rel=1e-15)


def test_mixed_derivatives_are_limits_too() -> None:
    assert hessian(evaluate(parse("x^y"), {"x": 0.0, "y": 1.0})).matrix[0][1] == -math.inf
    matrix = hessian(evaluate(parse("acos(x)^2*y"), {"x": 1.0, "y": 3.0})).matrix
    assert matrix == [[pytest.approx(2.0, rel=1e-15), -2.0], [-2.0, 0.0]]
    assert directional(parse("acos(x)^2*y + y"), {"x": 1.0, "y": 3.0}, {"x": -1.0, "y": 1.0}).slope == 7.0


@every_operation
def test_partials_of_partials_come_to_an_end_or_grow_with_the_order(operation: Operation, count: int) -> None:
    ((start, direction), *_) = _lines(operation, count)
    sizes = []
    for order in (10, 20):
        net = PowerSeries()
        lines = (net.line(a, d) if d else net.constant(a) for a, d in zip(start, direction, strict=True))
        net.compute([net.apply(operation, *lines)], order)
        sizes.append(len(net._all))
    chain = operation.name in ("sinc", "gamma", "lgamma", "digamma", "trigamma", "polygamma", "beta", "factorial")
    assert sizes[1] <= (2 * sizes[0] if chain else sizes[0])


def test_series_stays_in_the_piece_that_doubles_are_in() -> None:
    remainder, slope = autodiff_cli.taylor("(10*x) % 1", {"x": 0.7}, 1)  # a little below 7, but for doubles 7
    assert evaluate(parse("(10*x) % 1"), {"x": 0.7}).value == 0
    assert remainder == pytest.approx(0, abs=1e-15)
    assert slope == 10


@pytest.mark.parametrize("number", range(0, 3 * len(TABLE), 3))
def test_first_coefficients_are_the_value_and_the_gradient(number: int) -> None:
    case = random_programs.case(17, number)
    evaluation = evaluate(parse(case.formula), case.point, [case.wrt])
    slope = evaluation.gradient[case.wrt]
    if case.ordinary and math.isfinite(evaluation.value) and math.isfinite(slope):
        value, first = taylor(evaluation, 1).coefficients
        assert value == pytest.approx(evaluation.value, rel=1e-9, abs=1e-12)
        assert first == pytest.approx(slope, rel=1e-9, abs=1e-9)


def test_series_of_a_deep_program_needs_no_recursion() -> None:
    program = parse("a = x\n" + "a = sin(a) + 0.5*a\n" * 2500)
    evaluation = evaluate(program, {"x": 0.25}, ["x"])
    found = taylor(evaluation, 2)
    assert found.coefficients[:2] == pytest.approx([evaluation.value, evaluation.gradient["x"]], rel=1e-12)
    assert found.derivatives[2] == pytest.approx(hessian(evaluation).matrix[0][0], rel=1e-9)


def test_series_in_several_variables_is_refused() -> None:
    with pytest.raises(AutodiffError, match="in one variable, not in `x`, `y`"):
        autodiff_cli.taylor("x*y", {"x": 1, "y": 2})
    assert autodiff_cli.taylor("x*y", {"x": 1, "y": 2}, 2, wrt="y") == [2.0, 1.0, 0.0]


def test_an_infinity_of_few_digits_alone_is_not_believed() -> None:
    inf, finite = Multiprecision(60).context.inf, Multiprecision(30).number(1.6e153)
    assert not module._is_settled(finite, inf, inf, 60)
    assert module._is_settled(finite, inf, inf, 480)
    assert module._is_settled(inf, inf, inf, 60)


@pytest.mark.parametrize(
    ("text", "x", "second"),
    [
        ("log(factorial(x))", 120.0, 0.008298707560385314),  # trigamma(121)
        ("log10(factorial(x))", 100.0, 0.004321302475903461),
        ("log(cosh(x))", 600.0, 0.0),
        ("cbrt(exp(x))", 700.0, 2.405119178001536e100),
        ("acosh(cosh(x))", -700.0, 0.0),
    ],
)
def test_a_quotient_of_large_numbers_keeps_its_second_derivative(text: str, x: float, second: float) -> None:
    """The derivative of 1/u by u, 1/u^2, is too small for a double, but not its product with that of u."""
    evaluation = evaluate(parse(text), {"x": x})
    ((entry,),) = hessian(evaluation).matrix
    assert entry == pytest.approx(second, rel=1e-9, abs=1e-13)
    assert taylor(evaluation, 2).derivatives[2] == pytest.approx(second, rel=1e-9, abs=1e-300)


def test_where_there_is_no_value_there_is_no_derivative() -> None:
    evaluation = evaluate(parse("log(x)"), {"x": -1.0})
    assert all(map(math.isnan, taylor(evaluation, 2).derivatives))
    assert math.isnan(hessian(evaluation).matrix[0][0])
    assert math.isnan(directional(evaluation.program, {"x": -1.0}, {"x": 1.0}).slope)
    second = hessian(evaluate(parse("x/y + sqrt(y)"), {"x": 1.0, "y": -2.0, "z": 3.0}, ["x", "y", "z"])).matrix
    assert str(second) == "[[nan, nan, 0.0], [nan, nan, 0.0], [0.0, 0.0, 0.0]]"


def test_a_name_that_the_output_does_not_depend_on_has_the_slope_0_where_there_is_no_value() -> None:
    program, point = parse("b = y; log(x)"), {"x": -1.0, "y": 2.0}
    assert evaluate(program, point, ["y", "b"]).gradient == {"y": 0.0, "b": 0.0}
    swept = Sweeper(program, point, ["x"], ["y"]).at([-2.0])
    swept.settle()
    assert swept.gradient == {"y": 0.0}


@pytest.mark.parametrize(("text", "x"), [("x^2", 3.0), ("log(x)", -1.0), ("sqrt(x)", 0.0)])
def test_a_series_is_longer_than_the_last_factorial_in_double_precision(text: str, x: float) -> None:
    assert len(autodiff_cli.taylor(text, {"x": x}, order=172)) == 173


def test_a_remainder_of_which_doubles_know_no_digit_is_smaller_than_the_divisor() -> None:
    value, slope = taylor(evaluate(parse("csch(y) % -1e-9"), {"y": 1e-30}), 1).derivatives
    assert -1e-9 <= value <= 0
    assert slope == pytest.approx(-1e60)


def test_the_slope_of_sinc_past_the_range_of_doubles_is_its_limit() -> None:
    assert slope_of_sinc(1, with_digits(60).number("1e100000"), with_digits(60)) == 0
    evaluation = evaluate(parse("sinc(sinh(z))"), {"z": 1e30})
    assert taylor(evaluation, 2).coefficients == [0.0, 0.0, 0.0]  # below the smallest double


@pytest.mark.parametrize("name", ["x", "y"])
def test_the_hessian_of_beta_next_to_a_far_pole_of_its_slope(name: str) -> None:
    """A sum of 3e7 has an error that counts 0.01 beside a pole."""
    evaluation = evaluate(parse("beta(exp(x), y)"), {"x": -1.0, "y": -30660328.35427963}, [name])
    assert hessian(evaluation).matrix[0][0] == pytest.approx(taylor(evaluation, 2).derivatives[2], rel=1e-11)
