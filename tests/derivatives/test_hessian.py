"""Hessians: they are right, sparse ones too, and say where there is none."""

import math
from collections.abc import Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
import random_programs
import referee
from places import each_example
from referee import called, every_operation, second_partials

import autodiff_cli
from autodiff_cli import AutodiffError, engine, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.derivatives import hessian as second_order
from autodiff_cli.derivatives.forward import directional
from autodiff_cli.derivatives.hessian import Hessian, hessian
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.operations import Operation
from autodiff_cli.transforms import derivative


@pytest.mark.slow
@every_operation
def test_hessian_of_an_operation_is_within_1e_12_of_the_largest_term(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 120, step=6):
        if all(a == 0 or 1e-4 <= abs(a) <= 1e4 for a in arguments):
            matrix = hessian(called(operation, arguments)).matrix
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


def test_mixed_derivatives_are_limits_too() -> None:
    assert hessian(evaluate(parse("x^y"), {"x": 0.0, "y": 1.0})).matrix[0][1] == -math.inf
    matrix = hessian(evaluate(parse("acos(x)^2*y"), {"x": 1.0, "y": 3.0})).matrix
    assert matrix == [[pytest.approx(2.0, rel=1e-15), -2.0], [-2.0, 0.0]]
    assert directional(parse("acos(x)^2*y + y"), {"x": 1.0, "y": 3.0}, {"x": -1.0, "y": 1.0}).slope == 7.0


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


@pytest.mark.parametrize("name", ["x", "y"])
def test_the_hessian_of_beta_next_to_a_far_pole_of_its_slope(name: str) -> None:
    """A sum of 3e7 has an error that counts 0.01 beside a pole."""
    evaluation = evaluate(parse("beta(exp(x), y)"), {"x": -1.0, "y": -30660328.35427963}, [name])
    assert hessian(evaluation).matrix[0][0] == pytest.approx(taylor(evaluation, 2).derivatives[2], rel=1e-11)
