"""Simplification: every law is true and is applied, and derivatives come out as a textbook prints them."""

import itertools
import math
import random
from cProfile import Profile
from fractions import Fraction
from functools import cache

import mpmath
import pytest
import referee
from places import ROOT
from referee import Arguments, every_operation

from autodiff_cli import engine, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.engine import Arithmetic
from autodiff_cli.evaluation import evaluate
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import AND, OR, WHERE, Operation
from autodiff_cli.program import Program
from autodiff_cli.simplify import numbers, simplified
from autodiff_cli.simplify.assumptions import facts
from autodiff_cli.simplify.choices import choice
from autodiff_cli.simplify.forms import Form
from autodiff_cli.simplify.laws import (  # fmt: skip
    DOUBLES,
    INWARD,
    LAWS,
    RATIOS,
    RECIPROCALS,
    compiled,
    entries,
    pattern,
)
from autodiff_cli.simplify.simplifier import Simplifier
from autodiff_cli.work_budget import WorkBudget

STRUCTURE = (ROOT / "tests/simplify/structure.txt").read_text(encoding="utf-8")

APPLIED = [entry for table in (STRUCTURE, INWARD, LAWS) for entry in entries(table)]
AT_THE_END = [entry for table in (RATIOS, DOUBLES, RECIPROCALS) for entry in entries(table)]
NUMBERS = [sign * size for size in (0.0, 1e-3, 0.5, 1.0, 2.0, 3.7, 30.0, 360.0, 700.0, 1000.0) for sign in (1, -1)]
POINTS = 300
EXACT = Multiprecision(950)
"""so many digits that exp(2000) leaves enough of 1"""

every_law = pytest.mark.parametrize("law", APPLIED + AT_THE_END, ids=lambda law: law[0])


# ---- Laws ------------------------------------------------------------------------------------------------------------


@cache
def _values(text: str, point: tuple[tuple[str, float], ...], exact: bool) -> mpmath.mpf | float:
    """The value of a formula in letters, with 60 digits or in doubles."""
    program = parse(text)
    arithmetic: Arithmetic = EXACT if exact else floats
    graph, given = program.graph, dict(point)
    constants = [(graph.numbers.get(node, 0.0), graph.labels.get(node)) for node in range(len(graph))]
    values = [EXACT.constant(*constant) if exact else constant[0] for constant in constants]
    for name, node in program.inputs.items():
        values[node] = EXACT.number(given[name]) if exact else given[name]
    engine.forward(graph, graph.needed([program.output]), values, arithmetic)
    return values[program.output]


def _points(law: tuple[str, str]) -> list[tuple[tuple[str, float], ...]]:
    """Zeros, small and large numbers of both signs for the letters of the left side."""
    names = [name for name in "abcd" if name in parse(law[0]).inputs]
    every = list(itertools.product(NUMBERS, repeat=len(names))) if len(names) < 3 else []
    chance = random.Random(law[0])
    drawn = every or [tuple(chance.choice(NUMBERS) for _ in names) for _ in range(POINTS)]
    kept = drawn if len(drawn) <= POINTS else chance.sample(drawn, POINTS)
    return [tuple(zip(names, numbers, strict=True)) for numbers in kept]


@every_law
def test_a_law_is_true_and_its_right_side_is_defined_wherever_the_left_one_is(law: tuple[str, str]) -> None:
    compared = 0
    for point in _points(law):
        left, right = (_values(side, point, exact=True) for side in law)
        if not mpmath.isfinite(left):
            continue
        compared += 1
        assert abs(left - right) <= mpmath.mpf("1e-40") * max(abs(left), 1), (point, left, right)
        if law not in entries(INWARD) and math.isfinite(_values(law[0], point, exact=False)):  # in doubles too
            assert math.isfinite(_values(law[1], point, exact=False)), point
    assert compared > 0 or law[0] == "0^a*log(0)"


@pytest.mark.parametrize("law", APPLIED, ids=lambda law: law[0])
def test_a_law_is_applied(law: tuple[str, str]) -> None:
    algebra = Simplifier(compiled(INWARD, LAWS))
    assert pattern(algebra, law[0]) is pattern(algebra, law[1])


@pytest.mark.parametrize(
    ("left", "right"),
    [("abs(exp(a))", "exp(a)"), ("abs(1 + a^2)", "1 + a^2"), ("sign(cosh(a))", "1"), ("abs(a)", "abs(a)")],
)
def test_a_sign_that_is_known_is_left_out(left: str, right: str) -> None:
    algebra = Simplifier(compiled(INWARD, LAWS))
    assert pattern(algebra, left) is pattern(algebra, right)


@pytest.mark.parametrize(
    "different",
    [
        ("log(a*b)", "log(a) + log(b)"),
        ("sqrt(a*b)", "sqrt(a)*sqrt(b)"),
        ("sqrt(a^2)", "a"),
        ("(a^2)^b", "a^(2*b)"),
        ("asin(sin(a))", "a"),
        ("log(a^2)", "2*log(a)"),
        ("exp(a) + exp(b)", "exp(a + b)"),
        ("where(a < b, c, 0)", "(a < b)*c"),
        ("a + 0.1", "a + 0.1000000000000001"),
    ],
    ids=lambda pair: pair[0],
)
def test_what_differs_somewhere_stays_different(different: tuple[str, str]) -> None:
    algebra = Simplifier(compiled(INWARD, LAWS))
    assert pattern(algebra, different[0]) is not pattern(algebra, different[1])


# ---- Derivatives as they are printed ---------------------------------------------------------------------------------


def _textbook() -> list[tuple[str, str, str]]:
    lines = (ROOT / "tests/derivatives/cases.txt").read_text(encoding="utf-8").splitlines()
    cases = [tuple(part.strip() for part in line.split(" | ")) for line in lines if line and not line.startswith("#")]
    return [(formula, name, derivative) for formula, name, derivative in cases]


def _derivative(text: str, name: str, order: int = 1) -> str:
    return differentiate(parse(text), [name], order=order).text.strip()


@pytest.mark.parametrize(("formula", "name", "expected"), _textbook())
def test_a_derivative_is_printed_as_a_textbook_prints_it(formula: str, name: str, expected: str) -> None:
    assert _derivative(formula, name) == expected


@pytest.mark.parametrize(
    ("formula", "order", "expected"),
    [
        ("x^5", 3, "60*x^2"),
        ("sin(x)", 4, "sin(x)"),
        ("exp(2*x)", 3, "8*exp(2*x)"),
        ("log(x)", 3, "2/x^3"),
        ("tanh(x)", 2, "-2*sech(x)^2*tanh(x)"),
        ("tanh(x)^2", 2, "2*sech(x)^4 - 4*sech(x)^2*tanh(x)^2"),
        ("x^2*sin(x)", 3, "(6 - x^2)*cos(x) - 6*x*sin(x)"),
        ("1/(1 + x^2)", 2, "2*(3*x^2 - 1)/(1 + x^2)^3"),
        ("lgamma(x)", 3, "polygamma(2, x)"),
        ("abs(x)", 2, "0"),
    ],
)
def test_higher_derivatives_are_simplified_at_each_step(formula: str, order: int, expected: str) -> None:
    assert _derivative(formula, "x", order) == expected


def test_a_long_difference_is_written_the_way_it_stands() -> None:
    difference = " - ".join(["(b", *(f"a{number}" for number in range(45))]) + ")"
    assert _derivative(f"-x*{difference}^3", "x") == f"-{difference}^3"


def test_what_an_index_leaves_in_terms_is_put_together_in_named_steps_too() -> None:
    text = _derivative("sum(i, 1, 10, sum(j, 1, 10, sin(i^2*x)*cos(j*x)))", "x")
    assert "= cos(4*x)" in text
    assert "1*x" not in text.replace("81*x", "")
    assert "^" not in text


def test_a_sum_in_a_sum_keeps_its_number_before_it() -> None:
    text = _derivative("(2*x^2 - 4*x)^2/4*y*x^2 + 2*(x^2 - x)^2*3", "x")
    assert text == "2*x*(x*(12*(x - 1) + x*y*(x - 2)*(3*x - 2)) - 6*(x - 1) - 2*x^2*y*(x - 2))"


def test_thousands_of_signs_are_read_without_recursion() -> None:
    assert _derivative(f"x*({3000 * '-'}y) + x^2", "x") == "y + 2*x"


def test_what_was_simplified_does_not_get_shorter_again() -> None:
    for formula, name, _ in _textbook():
        program = parse(_derivative(formula, name))
        graph = program.graph
        before = _cost(program, program.output)
        (again,) = simplified(graph, [program.output], graph.needed([program.output]))
        assert _cost(program, again) == before, formula


def _cost(program: Program, node: int) -> int:
    costs: dict[int, int] = {}
    for part in program.graph.needed([node]):
        costs[part] = 1 + sum(costs[argument] for argument in program.graph.arguments[part])
    return costs[node]


# ---- Every operation -------------------------------------------------------------------------------------------------


def _formula(operation: Operation, count: int) -> tuple[Program, list[str]]:
    """The operation on inputs a, b, …, and those that it is differentiated by."""
    names = list("abc"[:count])
    operands = ["2" if operation.literal and place == 0 else name for place, name in enumerate(names)]
    return parse(operation_text(operation, [(operand, CALL) for operand in operands])), names[operation.literal :]


def _ordinary(operation: Operation, arguments: Arguments) -> bool:
    """Of ordinary size, not at a kink, and not so close to the edge of the domain that textbook forms lose digits."""
    count = len(arguments)
    edges = operation.domain if len(operation.domain) == count else ((-math.inf, math.inf),) * count
    inside = all(abs(a - edge) >= 1e-5 for a, pair in zip(arguments, edges, strict=True) for edge in pair)
    result = floats.function(operation, count)(*arguments)
    return (
        inside
        and all(1e-3 <= abs(a) <= 50 for a in arguments)
        and math.isfinite(result)
        and not floats.singular(operation, count)(result, *arguments)
    )


@every_operation
def test_derivatives_of_every_operation_equal_the_gradient(operation: Operation, count: int) -> None:
    program, names = _formula(operation, count)
    found = {name: parse(differentiate(program, [name]).text) for name in names}
    for arguments in filter(lambda arguments: _ordinary(operation, arguments), referee.samples(operation, count, 120)):
        point = dict(zip("abc", arguments, strict=False))
        if operation.literal:
            program, _ = _formula(operation, count)
        gradient = evaluate(program, {name: point[name] for name in names}, names).gradient
        for name, derivative in found.items():
            value = evaluate(derivative, {key: point[key] for key in derivative.inputs}, ()).value
            assert abs(value - gradient[name]) <= 1e-10 * abs(gradient[name]) + 1e-300, (name, arguments)


@pytest.mark.slow
@every_operation
def test_second_derivatives_of_every_operation_equal_differences_of_the_first(operation: Operation, count: int) -> None:
    program, names = _formula(operation, count)
    points = [
        a for a in referee.samples(operation, count, 120) if _ordinary(operation, a) and all(abs(x) < 20 for x in a)
    ][::8]
    for name in names:
        first, second = (differentiate(program, [name], order=order).text for order in (1, 2))
        for arguments in points:
            point = dict(zip("abc", arguments, strict=False))
            step = mpmath.mpf("1e-15")
            after, before = (_at(first, point, name, sign * step) for sign in (1, -1))
            expected = (after - before) / (2 * step)
            if abs(expected) > 1e8:
                continue  # next to a pole
            value = evaluate(parse(second), {key: point[key] for key in parse(second).inputs}, ()).value
            size = max(abs(expected), 1e-6 * abs(after))
            assert abs(value - expected) <= 1e-8 * size, (name, arguments)


def _at(text: str, point: dict[str, float], name: str, step: mpmath.mpf) -> mpmath.mpf:
    """A formula's value with 60 digits, one input moved a little."""
    program = parse(text)
    graph = program.graph
    values = [EXACT.constant(graph.numbers.get(node, 0.0), graph.labels.get(node)) for node in range(len(graph))]
    for other, node in program.inputs.items():
        values[node] = EXACT.number(point[other]) + (step if other == name else 0)
    engine.forward(graph, graph.needed([program.output]), values, EXACT)
    return values[program.output]


@pytest.mark.parametrize(
    ("formula", "at"),
    [
        ("tanh(x)", 25.0),
        ("sigmoid(x)", 40.0),
        ("sigmoid(x)", -800.0),
        ("log(1 + exp(x))", 40.0),
        ("tanh(x)^2", 30.0),
        ("0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))", 30.0),
        ("tanh(x) - 2*x", 1000.0),
        ("sech(x)*tanh(x)", 400.0),
        ("x^2/sinh(x)^2", 400.0),
        ("cos(sech(x)/x)", 300.0),
        ("tanh(sinh(x))^y", 360.0),
        ("tanh(x - x^2/(pi + 3))", 3.0),
    ],
)
def test_no_form_loses_what_the_formula_keeps(formula: str, at: float) -> None:
    program, derivative = parse(formula), parse(_derivative(formula, "x"))
    point = {"x": at, "y": 2.0}
    value = evaluate(derivative, {name: point[name] for name in derivative.inputs}, ()).value
    true = evaluate(program, {name: point[name] for name in program.inputs}).gradient["x"]
    assert abs(value - true) <= 1e-10 * abs(true)


def test_sums_of_products_of_very_many_factors_come_to_an_end() -> None:
    derivative = parse(differentiate(parse("(z^2)^y"), ["z"], order=50).text)
    z, y = 1.5, 0.3
    falling = math.prod(2 * y - k for k in range(50))
    assert evaluate(derivative, {"z": z, "y": y}, ()).value == pytest.approx(falling * z ** (2 * y - 50), rel=1e-12)


@pytest.mark.parametrize("layer", ["2*where(x > {0}, {0}*x^2*y, {1})", "max({0}*x, {1}/2)*3"])
def test_hundreds_of_formulas_inside_each_other_are_simplified(layer: str) -> None:
    formula = "y"
    for number in range(300):
        formula = layer.format(number + 1, formula)
    program, point = parse(formula), {"x": 0.9, "y": 0.3}
    derivative = parse(differentiate(program, ["x"]).text)
    value = evaluate(derivative, {name: point[name] for name in derivative.inputs}, ()).value
    assert value == pytest.approx(evaluate(program, point).gradient["x"])


def test_the_work_on_conditions_that_are_taken_apart_is_limited() -> None:
    formula = "x + z"
    for number in range(30):
        formula = f"max(x{', y' * (number % 2)}, ({formula}), z*{number + 1})"
    program, profile = parse(formula), Profile()
    profile.runcall(differentiate, program, ["z"], order=2)
    assert (
        sum(entry.callcount for entry in profile.getstats()) < 10_000_000
    )  # 6 million, and 15 million without the limit


def test_a_condition_that_shares_its_parts_many_times_is_looked_through_once() -> None:
    algebra = Simplifier(compiled(INWARD, LAWS))
    for operation, holds in ((AND, True), (OR, False)):
        condition: Form = algebra.leaf(0)
        for level in range(60):
            parts = (condition, algebra.leaf(2 * level + 1)), (condition, algebra.leaf(2 * level + 2))
            condition = algebra.plain_call(operation, tuple(algebra.plain_call(operation, part) for part in parts))
        assert facts(condition, holds)[algebra.leaf(7)] == holds
    body = algebra.plain_call(WHERE, (algebra.leaf(0), algebra.leaf(200), algebra.zero))
    is_kept = choice(algebra, condition, body, algebra.zero) is body  # a form of 2^60 parts has no repr
    assert is_kept


@pytest.mark.slow
def test_a_product_of_very_many_large_numbers_is_written_without_recursion() -> None:
    assert _derivative(f"x{1100 * '*1e300'}", "x").count("1e+300") == 1100


def test_numbers_may_have_more_digits_than_python_prints() -> None:
    huge = 3**20_000
    assert numbers.digits(huge) == numbers.digits(Fraction(1, 2**20_000)) == 10**6
    assert numbers.excess_factor(huge) == 10**300 and numbers.excess_factor(Fraction(1, huge)) == Fraction(1, 10**300)
    assert numbers.digits(Fraction(125, 100)) == 1 + 2 and numbers.excess_factor(7) == 1


def test_a_sum_of_quotients_is_differentiated_in_linear_time() -> None:
    def calls(terms: int) -> int:
        program, profile = parse(f"sum(i, 1, {terms}, 1/(x + i))"), Profile()
        profile.runcall(differentiate, program, ["x"], order=2)
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(200) < 3 * calls(100)


@pytest.mark.parametrize("term", ["sin(a{0}*x) + x^2*exp(y/{0})", "sin({0}*x) + x^2*exp(x/{0})"])
def test_the_largest_of_many_terms_is_differentiated_in_little_more_than_linear_time(term: str) -> None:
    def calls(terms: int) -> int:
        formula = f"max({', '.join(term.format(number) for number in range(1, terms + 1))})"
        program, profile = parse(formula), Profile()
        profile.runcall(differentiate, program, ["x"])
        return sum(entry.callcount for entry in profile.getstats())

    assert calls(200) < 3 * calls(100)


def test_products_of_many_powers_are_more_work() -> None:
    def spent(powers: int) -> float:
        algebra = Simplifier(compiled(INWARD, LAWS))
        with WorkBudget(1.0) as budget:
            algebra.product(1, [(algebra.leaf(place), algebra.one) for place in range(powers)])
        return 1 - budget.left

    assert spent(1000) > 5 * spent(100) > 25 * spent(2)
