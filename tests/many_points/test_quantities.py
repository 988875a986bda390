"""Hessians, Jacobians, slopes and derivatives of any order of columns: as the engine gives them for each row."""

import math
import pickle
import random

import pytest
import random_programs

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from autodiff_cli import parse
from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import evaluate
from autodiff_cli.many_points.bound_program import bind
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.many_points.quantities import Gradients, Hessians, Jacobians, Orders, Quantity, Slopes
from autodiff_cli.program import Program
from autodiff_cli.vectorized.compiled_executor import machine
from autodiff_cli.vectorized.numpy_executor import NumpyExecutor
from autodiff_cli.vectorized.threads import run
from autodiff_cli.work_budget import WorkBudget

ROWS = 4
MANY = range(0, 240, 5)

ENGINES = [*(["compiled"] if machine() else []), "numpy"]
pytestmark = pytest.mark.usefixtures("threads_for_any_work")


def _around(point: dict[str, float]) -> dict[str, "numpy.ndarray"]:
    """A point, and others near it, as columns."""
    chance = random.Random(7)
    return {x: numpy.array([a, *(a * (1 + chance.uniform(-0.1, 0.1)) for _ in "abc")]) for x, a in point.items()}


def _assert_as_alone(
    program: Program, columns: dict[str, "numpy.ndarray"], quantity: Quantity, bound: float, engine: str
) -> None:
    """Every row has what the engine for one point gives, within a bound times the row's largest number."""
    computation = Computation(program, list(columns), {}, None, quantity, engine)
    found = computation(columns, rows=ROWS)
    for row in range(ROWS):
        point = {name: float(columns[name][row]) for name in columns}
        expected, _ = quantity.at(program, point, computation.wrt)
        actual = [float(column[row]) for column in found.columns]
        size = max((abs(number) for number in expected if math.isfinite(number)), default=0.0)
        for first in range(0, len(actual), computation.group):
            own = slice(first, first + (1 if math.isnan(expected[first]) else computation.group))
            assert actual[own] == pytest.approx(expected[own], rel=1e-9, abs=bound * size, nan_ok=True)


def _takes_the_sign_of_nan(formula: str, columns: dict[str, "numpy.ndarray"]) -> bool:
    """Whether `copysign(x, nan)` is computed in a row: the sign of a nan has no meaning, and engines differ in it."""
    program = parse(formula)
    graph = program.graph
    signs = [graph.arguments[node][1] for node in range(len(graph)) if graph.operations[node].name == "copysign"]
    rows = [evaluate(program, {name: float(columns[name][row]) for name in program.inputs}) for row in range(ROWS)]
    return any(math.isnan(row.values[sign]) for row in rows for sign in signs)


@pytest.mark.parametrize("number", MANY)
def test_random_formulas_have_the_derivatives_of_each_row_alone(number: int) -> None:
    case = random_programs.case(3, number)
    program, columns, engine = parse(case.formula), _around(case.point), ENGINES[number % len(ENGINES)]
    _assert_as_alone(program, columns, Hessians(), 1e-12, engine)
    direction = {name: place + 1.0 for place, name in enumerate(columns)}
    _assert_as_alone(program, columns, Slopes(direction), 1e-12, engine)
    if case.ordinary and len(program.inputs) == 1:
        _assert_as_alone(program, columns, Orders(4), 1e-9, engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", MANY)
def test_random_formulas_together_are_a_jacobian(number: int, engine: str) -> None:
    cases = [case for place in range(6) if (case := random_programs.case(4, number + place)).ordinary]
    columns = _around({name: number for case in cases for name, number in case.point.items()})
    formulas = [case.formula for case in cases if not _takes_the_sign_of_nan(case.formula, columns)]
    names = tuple(f"f{place}" for place in range(len(formulas)))
    text = "; ".join(f"{name} = {formula}" for name, formula in zip(names, formulas, strict=True))
    _assert_as_alone(parse(f"{text}; 0"), columns, Jacobians(names), 1e-12, engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "formula",
    [
        "exp(a*x)/(1 + exp(a*x))",
        "b*exp(a*x)/(c + exp(a*x))",
        "exp(a*x)*(1/(1 + exp(a*x)))",
        "exp(a*x)*recip(1 + exp(a*x))",
        "log(1 + exp(-b*(a*x + c)))",
        "log(exp(a*x) + exp(b*x) + exp(c))",
        "log(cosh(a*x))",
        "(exp(a*x) - exp(-a*x))/(exp(a*x) + exp(-a*x))",
        "x^a/(b^a + x^a)",
        "1/(1 + (b/x)^a)",
    ],
)
def test_numbers_whose_squares_overflow_leave_second_derivatives_right(formula: str, engine: str) -> None:
    program, chance = parse(formula), random.Random(formula)
    for exponent in (30, 350, 400, 580):
        x, b, c = chance.uniform(2, 30), chance.uniform(1, 1.1), chance.uniform(1, 3)
        point = {"x": x, "a": exponent / (math.log(x) if "^" in formula else x), "b": b, "c": c}
        _assert_as_alone(program, _around({name: point[name] for name in program.inputs}), Hessians(), 1e-9, engine)


CHOICES = "max(x, y)*exp(x*y) + where(x > 1, sqrt(x)*y, y^3) + min(x^2, y)*abs(x - y)"


@pytest.mark.parametrize("quantity", [Gradients(), Hessians(), Jacobians(("f", "g"))])
def test_every_mode_gives_the_same(quantity: Quantity) -> None:
    program = parse(f"f = {CHOICES}; g = x/y; f + g")
    columns = [numpy.array([0.5, 1.0, 2.0, 3.0]), numpy.array([1.5, 1.0, 0.25, 3.5])]
    bound = bind(program, ["x", "y"], {}, ["x", "y"], quantity.outputs(program))
    plans = quantity.plans(bound, NumpyExecutor)
    first, *others = (run(NumpyExecutor(plan), columns, ROWS)[0] for plan in plans)
    assert len(others) == 1
    assert numpy.allclose(first, others[0], rtol=1e-14, atol=0)


def test_second_derivatives_are_differences_of_gradients() -> None:
    program, step = parse("exp(sin(x*y))*max(x, y)^1.5/(1 + y^2)"), 1e-5
    x, y = numpy.linspace(0.5, 2, 50), numpy.linspace(2.3, 0.7, 50)
    found = Computation(program, ["x", "y"], {}, None, Hessians())({"x": x, "y": y})
    gradient = Computation(program, ["x", "y"], {})
    ahead, behind = (gradient({"x": x + h, "y": y}).gradient for h in (step, -step))
    for entry, after, before in zip(found.columns[3:5], ahead, behind, strict=True):
        assert entry == pytest.approx((after - before) / (2 * step), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("engine", ENGINES)
def test_sinc_has_third_derivatives_at_whole_numbers(engine: str) -> None:
    column = numpy.array([1.0, 2.0, -3.0])
    found = Computation(parse("sinc(x)"), ["x"], {}, None, Orders(3), engine)({"x": column})
    expected = [(-1) ** n * (6 / n**3 - math.pi**2 / n) for n in (1, 2, -3)]
    assert found.columns[3].tolist() == pytest.approx(expected, rel=1e-14)


def test_a_value_of_a_name_is_differentiated_by_and_not_what_equals_it() -> None:
    columns = {"a": numpy.array([2.0, 3.0]), "b": numpy.array([5.0, 7.0])}
    found = Computation(parse("n = a*b; m = a*b; n^2*m + a*b"), ["a", "b"], {}, ["n", "m"], Hessians())(columns)
    n = columns["a"] * columns["b"]
    expected = [n**3 + n, 2 * n**2, n**2, 2 * n, 2 * n, 0 * n]
    assert [column.tolist() for column in found.columns] == [column.tolist() for column in expected]
    fixed = Computation(parse("n = 2*3; n^3 + 6*a"), ["a"], {}, ["n"], Orders(2))({"a": columns["a"]})
    assert [column.tolist() for column in fixed.columns[1:]] == [[108.0, 108.0], [36.0, 36.0]]


@pytest.mark.parametrize(
    ("text", "columns", "given", "wrt"),
    [
        ("2*pi*r*pi", ["r"], {}, ["pi"]),
        ("2*pi*r", ["r"], {}, ["pi", "r"]),
        ("2*pi*r", ["pi"], {"r": 3.0}, ["pi"]),
        ("y = x; y^2*z", ["z"], {"x": 3.0}, ["y"]),
        ("y = x; y^2*z", ["x", "z"], {}, ["y", "x"]),
        ("n = (3); n*x + 3*y", ["x", "y"], {}, ["n"]),
        ("k = 3; n = k; n^2*x + 9", ["x"], {}, ["n", "k"]),
    ],
)
def test_a_constant_and_another_name_of_an_input_are_differentiated_by(
    text: str, columns: list[str], given: dict[str, float], wrt: list[str]
) -> None:
    program, rows = parse(text), {name: numpy.array([0.5, 2.0]) + place for place, name in enumerate(columns)}
    for quantity in (Gradients(), Hessians()):
        results = Computation(program, columns, given, wrt, quantity)(rows).columns
        for row in range(2):
            point = given | {name: float(column[row]) for name, column in rows.items()}
            assert [float(result[row]) for result in results] == pytest.approx([*quantity.at(program, point, wrt)[0]])


def test_names_that_are_given_or_unknown_have_derivatives_too() -> None:
    columns = {"x": numpy.array([2.0, -1.0])}
    computation = Computation(parse("x^2*k + sqrt(x)"), ["x", "z"], {"k": 3.0}, ["x", "k", "z"], Hessians())
    found = computation(columns)
    assert [result.name for result in computation.results[4:]] == [
        "d2_x_x",
        "d2_x_k",
        "d2_x_z",
        "d2_k_k",
        "d2_k_z",
        "d2_z_z",
    ]
    assert [float(column[0]) for column in found.columns[3:]] == [0, 6 - 2**-3.5, 4, 0, 0, 0, 0]
    undefined = [math.isnan(column[1]) for column in found.columns]
    assert undefined == [True, True, True, False, True, True, False, True, False, False]
    assert found.nonfinite_rows.tolist() == [1]


def test_rows_in_doubt_are_decided_by_the_engine_and_say_why() -> None:
    program = parse("where(x > 0, sqrt(x), 0)*y")
    columns = {"x": numpy.array([0.0, 4.0]), "y": numpy.array([1.0, 3.0])}
    found = Computation(program, ["x", "y"], {}, None, Hessians())(columns)
    assert [float(column[0]) for column in found.columns] == [0.0] * 6
    edge = Computation(parse("sqrt(x)"), ["x"], {}, None, Hessians())
    assert edge({"x": numpy.array([1.0, 0.0])}).nonfinite_rows.tolist() == [1]
    assert edge.reason({"x": numpy.array([0.0])}, 0, WorkBudget(1.0)).startswith("the gradient of `x` is inf")
    several = Computation(parse("a = x; b = log(x)"), ["x"], {}, None, Jacobians(("a", "b")))
    assert several.reason({"x": numpy.array([0.0])}, 0, WorkBudget(1.0)).startswith("`b`: the result is not finite")


def test_second_derivatives_on_the_way_to_which_a_number_overflows_are_limits() -> None:
    found = Computation(parse("log2(x^2)"), ["x"], {}, None, Hessians())({"x": numpy.array([1e-100, 2.0])})
    assert found.columns[2] == pytest.approx([-2e200 / math.log(2), -0.5 / math.log(2)], rel=1e-14)


@pytest.mark.parametrize("quantity", [Hessians(), Jacobians(("a",)), Orders(2), Slopes({"x": 2.0})])
def test_computations_travel_and_threads_change_nothing(quantity: Quantity) -> None:
    computation = Computation(parse("a = exp(sin(x))*x"), ["x"], {}, None, quantity)
    columns = {"x": numpy.linspace(-2, 2, 70_000)}
    alone = computation(columns)
    for others in (computation(columns, jobs=3), pickle.loads(pickle.dumps(computation))(columns)):  # noqa: S301  # its own
        assert all((a == b).all() for a, b in zip(alone.columns, others.columns, strict=True))


@pytest.mark.parametrize(
    ("text", "quantity", "message"),
    [
        ("x*y", Orders(2), "in one variable, not in `x`, `y`"),
        ("n = x*y; n*x", Slopes({"n": 1.0}), "`n` is computed by the program"),
        ("x*y", Jacobians(("a",)), "no value is named `a`"),
        ("tanh(sin(x)*x)/(1 + x^2)", Orders(40), "the derivative of order 21 takes more than 20,000 operations"),
        ("+".join(f"x{i}^2" for i in range(101)), Hessians(), "a Hessian of 101 names has 5,151 entries for each row"),
    ],
)
def test_what_cannot_be_computed_is_an_error(text: str, quantity: Quantity, message: str) -> None:
    with pytest.raises(AutodiffError, match=message):
        Computation(program := parse(text), list(program.inputs), {}, None, quantity).executor()


def test_a_hessian_by_a_value_and_what_it_is_computed_from_is_an_error() -> None:
    with pytest.raises(AutodiffError, match="`n` is computed from `x`"):
        Computation(parse("n = x*y; n*x"), ["x", "y"], {}, ["n", "x"], Hessians())
