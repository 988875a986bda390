"""Columns of numbers: each row has the results that it has as one point, whichever engine computes."""

import itertools
import math
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import mpmath
import pytest
import random_programs
import referee
from places import records

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

import autodiff_cli
from autodiff_cli import parse, rules
from autodiff_cli.arithmetic import arrays
from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import evaluate
from autodiff_cli.lowering import lowering
from autodiff_cli.lowering.lowering import Target
from autodiff_cli.many_points import computation, python_arrays
from autodiff_cli.many_points.bound_program import BoundProgram, bind
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.many_points.differentiated_program import DifferentiatedProgram, forward_mode, reverse_mode
from autodiff_cli.many_points.quantities import Gradients
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import Operation
from autodiff_cli.program import Program
from autodiff_cli.vectorized import compiled_executor, llvm_code
from autodiff_cli.vectorized.buffers import LINE
from autodiff_cli.vectorized.compiled_executor import CompiledExecutor, machine
from autodiff_cli.vectorized.numpy_executor import NumpyExecutor
from autodiff_cli.vectorized.plan import Plan
from autodiff_cli.vectorized.threads import Executor, run
from autodiff_cli.work_budget import WorkBudget

ULPS = 4
PLATFORM = {
    "cbrt": 10,  # the rule squares it
    "gamma": 16,  # Python's own sum is off by up to 7
    "factorial": 16,  # is made of gamma
    "lgamma": 16,  # Python's own sum is off by up to 11, of 1 near its zeros
    "beta": 1e6,  # the digammas in its rule cancel
}
"""functions that are taken as a platform has them: the bound that they keep"""
UNITS = dict.fromkeys(("lgamma", "digamma", "gamma", "factorial"), 1.0)
"""the smallest value whose last place counts: around their zeros left of 0 these are differences of large numbers"""


KINDS = (NumpyExecutor, CompiledExecutor) if machine() else (NumpyExecutor,)
each_engine = pytest.mark.parametrize("engine", [kind.name for kind in KINDS])
pytestmark = pytest.mark.usefixtures("threads_for_any_work")


# ---- Every operation of the table ------------------------------------------------------------------------------------


def _columns(points: list[tuple[float, ...]], names: list[str]) -> dict[str, "numpy.ndarray"]:
    return {name: numpy.array(column, float) for name, column in zip(names, zip(*points, strict=True), strict=True)}


@each_engine
@pytest.mark.parametrize(
    ("operation", "count", "number"),
    referee.FORMULAS_OF_ONE,
    ids=[f"{operation}-{count}-{n}" for operation, count, n in referee.FORMULAS_OF_ONE],
)
def test_every_operation_has_the_results_of_one_point(
    operation: Operation, count: int, number: int | None, engine: str
) -> None:
    literals = () if number is None else (float(number),)
    names = [f"x{i}" for i in range(count - len(literals))]
    program = parse(operation_text(operation, [(str(number), CALL)] * len(literals) + [(name, CALL) for name in names]))
    points = [point[len(literals) :] for point in referee.samples(operation, count, 120)]
    points = list(dict.fromkeys([*points, *itertools.product(referee.HARD[len(names)], repeat=len(names))]))
    found = Computation(program, names, {}, engine=engine)(_columns(points, names))
    for index, point in enumerate(points):
        alone = evaluate(program, dict(zip(names, point, strict=True)))
        arguments = (*literals, *point)
        if referee.has_no_formula(operation, arguments):
            continue
        plain = operation.name in ("where", "max", "min") or arrays.function(operation, count)
        formula = None if plain else lowering.formula(operation, count)
        _assert_close(operation, found.value[index], alone.value, formula, arguments)
        for place, (name, partial) in enumerate(zip(names, found.gradient, strict=True), len(literals)):
            rule = rules.pullback(operation, count, tuple(i == place for i in range(count)))
            single = rules.Rule(rule.graph, rule.parameters, (rule.results[place],))
            expected = alone.gradient.get(name, 0.0)
            _assert_close(operation, partial[index], expected, single, (1.0, alone.value, *arguments))


def _assert_close(
    operation: Operation, actual: float, expected: float, rule: rules.Rule | None, numbers: tuple[float, ...]
) -> None:
    """Within 4 ulp for each operation of the rule or, where these cancel, of the largest term."""
    if math.isnan(expected) and math.isnan(actual):
        return
    bound = PLATFORM.get(operation.name, ULPS * max(1, lowering.size(rule) if rule else 1))
    off = referee.error(float(actual), mpmath.mpf(expected))
    if off > bound and math.isfinite(expected):
        largest = next(referee.largest_terms(rule, numbers)) if rule else 0
        off = referee.error(float(actual), mpmath.mpf(expected), max(largest, UNITS.get(operation.name, 0.0)))
    assert off <= bound, (operation, numbers, actual, expected, float(off))


# ---- Programs --------------------------------------------------------------------------------------------------------


def _nearby(point: dict[str, float], count: int) -> dict[str, "numpy.ndarray"]:
    """A point, and others around it, as columns."""
    chance = random.Random(5)
    return {
        name: numpy.array([number, *(number * (1 + chance.uniform(-0.01, 0.01)) for _ in range(count))])
        for name, number in point.items()
    }


Mode = Callable[[BoundProgram, Sequence[int]], DifferentiatedProgram | None]


def _gradient_plan(bound: BoundProgram, mode: Mode, target: Target) -> Plan:
    found = mode(bound, bound.outputs)
    assert found is not None
    return found.plan([*found.program.outputs, *found.rows[0]], target)


def _executors(program: Program, names: list[str]) -> Iterator[Executor]:
    """Every way to compute a program; one for a gradient of many inputs."""
    bound = bind(program, names, {}, names, [program.output])
    for kind in KINDS:
        if len(names) >= 30:
            yield kind(min(Gradients().plans(bound, kind), key=lambda plan: plan.cost))
            continue
        for mode in (forward_mode, reverse_mode):
            yield kind(_gradient_plan(bound, mode, kind))


@pytest.mark.slow
@pytest.mark.parametrize("corpus", ["feynman", "adbench"])
def test_formulas_of_the_corpora_have_the_results_of_one_point_forward_and_backward(corpus: str) -> None:
    for record in records(f"{corpus}.jsonl")[::3]:
        program = parse(str(record["text"]))
        own = record["at"]
        names = [name for name in own if name in program.inputs]
        _agree(program, _nearby({name: float(own[name]) for name in names}, 3), names)


def _agree(program: Program, columns: dict[str, "numpy.ndarray"], names: list[str]) -> None:
    for executor in _executors(program, names):
        rows = len(columns[names[0]])
        results, _ = run(executor, [columns[name] for name in names], rows)
        for row in range(rows):
            alone = evaluate(program, {name: float(columns[name][row]) for name in names}, names)
            expected = [alone.value, *alone.gradient.values()]
            size = max(map(abs, expected))
            # one formula takes the sine of 2*pi/2, and the gradient the difference of two numbers of 1e13
            assert [result[row] for result in results] == pytest.approx(expected, rel=1e-9, abs=1e-7 * size)


@each_engine
def test_a_tie_shares_the_slope_and_a_zero_adjoint_stops_an_infinite_one(engine: str) -> None:
    program = parse("max(x, y) + where(x > 0, sqrt(x), 0) + 0*log(abs(x) + 1) + abs(min(x, 0))^0.5")
    names = ["x", "y"]
    columns = {"x": numpy.array([1.0, 2.0, 3.0, 0.0]), "y": numpy.array([1.0, 3.0, 2.0, -1.0])}
    found = Computation(program, names, {}, engine=engine)(columns)
    for row in range(4):
        alone = evaluate(program, {name: float(columns[name][row]) for name in names})
        expected = [alone.value, alone.gradient["x"], alone.gradient["y"]]
        assert [found.value[row], *(partial[row] for partial in found.gradient)] == pytest.approx(expected, nan_ok=True)


@each_engine
def test_rows_that_are_not_finite_are_named_with_their_reasons(engine: str) -> None:
    rows = 40_000
    columns = {"x": numpy.linspace(1, 2, rows)}
    columns["x"][[3, 39_998]] = -1.0, 0.0
    work = Computation(parse("log(x)/y"), ["x", "other"], {"y": 2.0}, engine=engine)
    found = work(columns)
    assert work.columns == work.wrt == ("x",)
    assert found.nonfinite_rows.tolist() == [3, 39_998]
    assert math.isnan(found.gradient[0][3])
    assert "`log(x)` is nan with x = -1" in work.reason(columns, 3, WorkBudget(1.0))
    assert "`log(x)` is -inf with x = 0" in work.reason(columns, 39_998, WorkBudget(1.0))


@each_engine
@pytest.mark.parametrize("rows", [1, 2047, 32_768, 32_769, 100_000])
def test_the_number_of_rows_and_of_threads_changes_nothing(rows: int, engine: str) -> None:
    columns = {"x": numpy.linspace(-3, 3, rows), "y": numpy.linspace(5, -2, rows)}
    work = Computation(
        parse("max(x*y, sin(x))*exp(-y^2/9) + where(x > y, x^3, cbrt(y))"), ["x", "y"], {}, engine=engine
    )
    alone = work(columns)
    for other in (work(columns, jobs=3), pickle.loads(pickle.dumps(work))(columns)):  # noqa: S301  # its own
        assert (other.value == alone.value).all()
        assert all((a == b).all() for a, b in zip(other.gradient, alone.gradient, strict=True))
    single = [work({name: column[i : i + 1] for name, column in columns.items()}) for i in (0, rows // 2, rows - 1)]
    assert [float(found.value[0]) for found in single] == alone.value[[0, rows // 2, rows - 1]].tolist()


@pytest.mark.slow
@each_engine
@pytest.mark.parametrize("place", range(8))
@pytest.mark.parametrize("rows", [1, 7, 8, 9, 23, 1001])
def test_the_place_of_columns_in_memory_changes_nothing(rows: int, place: int, engine: str) -> None:
    numbers = numpy.random.default_rng(1).uniform(-1, 1, rows + place)
    x, y = numbers[place:], numpy.flip(numbers)[:rows]  # what begins at any place, and what is not contiguous
    computation = Computation(parse("exp(x)*y + x"), ["x", "y"], {}, engine=engine)
    found = computation({"x": x, "y": y}, jobs=2)
    once_more = computation({"x": x.copy(), "y": y.copy()})
    assert all(a.tolist() == b.tolist() for a, b in zip(found.columns, once_more.columns, strict=True))
    assert found.value == pytest.approx(numpy.exp(x) * y + x, rel=1e-14)


def test_a_gradient_of_few_inputs_goes_forward_and_keeps_few_values() -> None:
    chain = "; ".join(["v0 = x", *(f"v{i + 1} = max(sin(v{i})*y, v{i} - 0.1)" for i in range(3000))])
    program = parse(chain)
    bound = bind(program, ["x", "y"], {}, ["x", "y"], [program.output])
    target = NumpyExecutor
    back, ahead = (_gradient_plan(bound, mode, target) for mode in (reverse_mode, forward_mode))
    assert ahead.most_kept < 30 < 3000 < back.most_kept
    assert min(Gradients().plans(bound, target), key=lambda plan: plan.cost).most_kept == ahead.most_kept


def test_names_of_the_gradient_may_be_computed_given_or_unknown_to_the_formula() -> None:
    program = parse("n = a*b; tanh(n) + c")
    columns = {"a": numpy.array([0.5, 1.0])}
    found = Computation(program, ["a", "z"], {"b": 2.0, "c": 1.0}, ["n", "b", "a", "z"])(columns)
    for row, a in enumerate(columns["a"]):
        alone = evaluate(program, {"a": float(a), "b": 2.0, "c": 1.0}, ["n", "b", "a"])
        expected = [*alone.gradient.values(), 0.0]
        assert [float(partial[row]) for partial in found.gradient] == pytest.approx(expected, rel=1e-14)


def test_inputs_without_a_number_are_named_at_once() -> None:
    with pytest.raises(AutodiffError, match=r"`b`.*`c`"):
        Computation(parse("a*b*c"), ["a"], {})


@pytest.mark.parametrize("package", ["numpy", "scipy"])
def test_arrays_without_a_package_for_them_are_an_error_that_names_what_brings_it(package: str) -> None:
    script = (
        f"import sys; sys.modules[{package!r}] = None; from autodiff_cli import AutodiffError, evaluate, gradient\n"
        "for function in (evaluate, gradient):\n"
        "    try: function('erf(x)', {'x': [1.0, 2.0]})\n"
        "    except AutodiffError as error: print(error.code, error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ['5 pip install "autodiff-cli[data]"'] * 2


def test_arrays_are_points_from_python_too() -> None:
    x, y = numpy.linspace(0.1, 1, 5), numpy.array([[1.0], [2.0], [3.0]])
    value, partials = (
        autodiff_cli.evaluate("x^y*a", {"x": x, "y": y, "a": 2}),
        autodiff_cli.gradient("x^y*a", {"x": x, "y": y, "a": 2}),
    )
    assert value.shape == (3, 5)
    assert value == pytest.approx(2 * x**y, rel=1e-15)
    assert list(partials) == ["x", "y", "a"]
    assert partials["y"] == pytest.approx(2 * x**y * numpy.log(x), rel=1e-14)
    assert partials["a"] == pytest.approx(x**y, rel=1e-14)
    assert autodiff_cli.gradient("x*a", {"x": numpy.arange(2), "a": 2}, ["x"])["x"].tolist() == [2.0, 2.0]
    second = autodiff_cli.hessian("x^y*a", {"x": x, "y": y, "a": 2})
    assert list(second) == list(second["x"]) == ["x", "y", "a"]
    assert second["x"]["a"] == pytest.approx(y * x ** (y - 1), rel=1e-14)
    assert second["y"]["y"] == pytest.approx(2 * x**y * numpy.log(x) ** 2, rel=1e-14)
    assert autodiff_cli.evaluate("3", {"x": [1, 2]}) == 3.0  # what is not used gives no shape
    with pytest.raises(AutodiffError, match="no value for the input `a`"):
        autodiff_cli.evaluate("x*a", {"x": x})


def test_a_compiled_function_minds_every_number_that_it_is_given() -> None:
    constant = autodiff_cli.compile("e*x", ["x"])
    assert constant({"x": [1.0, 3.0], "e": 2.0}).value.tolist() == [2.0, 6.0]
    lists = autodiff_cli.compile("w = [1, 2]; k = 3; k*dot(w, w)", ["w"])
    assert lists({"w": [3.0, 4.0]}).value == 75
    assert [partial.tolist() for partial in lists({"k": [1.0, 10.0]}).gradient["w"]] == [[2.0, 20.0], [4.0, 40.0]]
    entries = autodiff_cli.compile("x[1]*x[2]*y")({"x": [3.0, numpy.array([4.0, 5.0])], "y": 2.0})
    assert entries.value.tolist() == [24.0, 30.0]
    with pytest.raises(AutodiffError, match="`w` has 2 numbers in the formula, and 3 are given"):
        lists({"w": [1, 2, 3]})
    with pytest.raises(AutodiffError, match="`n` is computed by the program"):
        autodiff_cli.compile("n = x^2; n*x")({"x": [1.0], "n": 2.0})


def test_derivatives_of_arrays_by_an_unknown_name_are_an_error_as_at_one_point() -> None:
    for derivatives in (autodiff_cli.gradient, autodiff_cli.hessian):
        with pytest.raises(AutodiffError, match="`q` is neither in the program nor given a value"):
            derivatives("x*y", {"x": [1.0, 2.0], "y": 1.0}, wrt=["q"])
    with pytest.raises(AutodiffError, match="`q` is neither in the program nor given a value"):
        autodiff_cli.compile("x*y", wrt=["q"])


def test_a_name_that_is_asked_for_twice_is_there_once() -> None:
    assert list(autodiff_cli.gradient("sqrt(x^4)", {"x": numpy.array([0.0, 1.0])}, wrt=["x", "x"])) == ["x"]
    found = autodiff_cli.compile("sqrt(x^4)*y", wrt=["x", "y", "x"])({"x": [0.0, 1.0], "y": 1.0})
    assert {name: column.tolist() for name, column in found.gradient.items()} == {"x": [0.0, 2.0], "y": [0.0, 1.0]}


def test_a_compiled_function_shows_its_program_and_takes_numbers_of_any_kinds() -> None:
    f, point = autodiff_cli.compile("x*y"), {"x": [1.0, 2.0], "y": 3}  # to the type checker the numbers are objects
    assert (repr(f), f(point).value.tolist()) == ("ArrayFunction(Program('x*y'))", [3.0, 6.0])


def test_a_compiled_function_takes_data_frames_with_columns_of_text() -> None:
    f = autodiff_cli.compile("x*y")
    for library in ("pandas", "polars"):
        frame = pytest.importorskip(library).DataFrame({"name": ["a", "b"], "x": [1, 2], "y": [3.0, 4.0]})
        assert f(frame).value.tolist() == [3.0, 8.0]
        assert autodiff_cli.compile("name = x*y; name + 1")(frame).value.tolist() == [4.0, 9.0]


@pytest.mark.parametrize("has_compiler", [True, False])
def test_a_compiled_function_takes_arrays_and_numbers_again_and_again(
    has_compiler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_compiler:
        monkeypatch.setattr(python_arrays, "machine", lambda: None)
    f = autodiff_cli.compile("scale = 2; x^y*scale", wrt=["y", "scale"])
    x, y = numpy.linspace(0.1, 1, 5), numpy.array([[1.0], [2.0], [3.0]])
    for factor in (2.0, 3.0):
        found = f({"x": x, "y": factor * y})
        expected = autodiff_cli.gradient("scale = 2; x^y*scale", {"x": x, "y": factor * y}, ["y", "scale"])
        assert found.value.shape == (3, 5)
        assert found.value == pytest.approx(2 * x ** (factor * y), rel=1e-15)
        assert list(found.gradient) == ["y", "scale"]
        assert all(found.gradient[name] == pytest.approx(expected[name], rel=1e-14) for name in expected)
    assert f({"x": 2, "y": 3}).value == 16.0
    with pytest.raises(AutodiffError, match="no value for the input `y`"):
        f({"x": x})


@pytest.mark.skipif(len(KINDS) == 1, reason="no compiler")
@pytest.mark.parametrize("x", [0.5, [0.5, 1.0]])
def test_a_compiled_function_calls_few_functions_at_few_points(x: float | list[float]) -> None:
    f, events = autodiff_cli.compile("exp(-x^2)*a"), list[str]()
    f({"x": x, "a": 2.0})
    sys.setprofile(lambda _frame, event, _function: events.append(event))
    try:
        f({"x": x, "a": 2.0})
    finally:
        sys.setprofile(None)
    assert events.count("call") + events.count("c_call") < 200


# ---- Rows that are nan ----------------------------------------------------------------------------------------------


@each_engine
def test_a_row_that_is_nan_decides_for_itself_behind_a_maximum(engine: str) -> None:
    hidden = "where(max(min(asin(x) + {0}, 50), -50) < 60, 1, 2) + where(max(min(x - y, 9), -9) < {0} + 10, 4, 8)"
    program = parse(" + ".join(hidden.format(i) for i in range(9)))
    columns = {"x": numpy.linspace(-2, 2, 9), "y": numpy.ones(9)}
    columns["x"][4] = columns["y"][4] = math.inf
    found = Computation(program, ["x", "y"], {}, engine=engine)(columns)
    alone = [
        evaluate(program, {name: float(column[row]) for name, column in columns.items()}).value for row in range(9)
    ]
    assert found.value.tolist() == alone


# ---- Engines ---------------------------------------------------------------------------------------------------------


def test_few_rows_and_machines_without_a_compiler_are_left_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse("exp(x)*y")
    for rows, expected in ((10, "numpy"), (10**9, KINDS[-1].name)):
        work = Computation(program, ["x", "y"], {})
        work.prepare_for(rows)
        assert work.engine == work.executor().name == expected
    monkeypatch.setattr(computation, "machine", lambda: None)
    work = Computation(program, ["x", "y"], {})
    work.prepare_for(10**9)
    assert work.engine == "numpy"
    with pytest.raises(AutodiffError, match="llvmlite"):
        Computation(program, ["x", "y"], {}, engine="compiled")


def test_few_rows_of_a_large_program_are_computed_as_points_without_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    program, columns = parse("sin(" * 20_000 + "x/y" + ")" * 20_000), {"x": numpy.array([0.5, 0.0, 2.0])}
    work = Computation(program, ["x"], {"y": 0.0})
    monkeypatch.setattr(Computation, "executor", None)
    work.prepare_for(3)
    assert work.engine == "points"
    assert work(columns).nonfinite_rows.tolist() == [0, 1, 2]
    work = Computation(program, ["x"], {"y": 4.0})
    work.prepare_for(3)
    found, alone = work(columns), [evaluate(program, {"x": float(x), "y": 4.0}) for x in columns["x"]]
    assert found.value.tolist() == [one.value for one in alone]
    assert found.gradient[0].tolist() == [one.gradient["x"] for one in alone]
    assert not found.nonfinite_rows.size
    assert work.engines == {"points"}
    work.prepare_for(10**9)
    assert work.engine == KINDS[-1].name


@pytest.mark.slow
def test_a_large_program_is_differentiated_in_one_mode() -> None:
    program, inputs = parse("sin(" * 10_000 + "x*y*z" + ")" * 10_000), ["x", "y", "z"]
    for count in (1, 2, 3):
        (plan,) = Gradients().plans(bind(program, inputs, {}, inputs[:count], [program.output]), NumpyExecutor)
        assert (plan.most_kept < 10) == (count < 3)


def test_a_machine_without_llvmlite_is_none_to_make_code_for() -> None:
    script = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "from autodiff_cli.vectorized.compiled_executor import machine\n"
        "from autodiff_cli import evaluate\n"
        "print(machine(), *evaluate('2*x', {'x': [1.0, 2.0]}))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["None", "2.0", "4.0"]


@pytest.mark.skipif(len(KINDS) == 1, reason="no compiler")
@pytest.mark.parametrize("number", range(0, 300, 10))
def test_the_engines_agree_on_random_formulas(number: int) -> None:
    """Within 1e-11 of the largest number of a row, as some of the formulas cancel."""
    case = random_programs.case(5, number)
    chance = random.Random(number)
    columns = {x: numpy.array([a * chance.uniform(0.7, 1.3) for _ in range(37)]) for x, a in case.point.items()}
    program = parse(case.formula)
    one, other = (Computation(program, list(columns), {}, engine=kind.name)(columns, rows=37) for kind in KINDS)
    for row in range(37):
        numbers, others = ([float(column[row]) for column in found.columns] for found in (one, other))
        size = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
        if case.ordinary and all(map(math.isfinite, numbers)):
            assert others == pytest.approx(numbers, rel=1e-11, abs=1e-11 * size)
        else:
            assert [math.isnan(number) for number in others] == [math.isnan(number) for number in numbers]


@pytest.mark.slow
@pytest.mark.skipif(len(KINDS) == 1, reason="no compiler")
@pytest.mark.parametrize("mode", [forward_mode, reverse_mode])
def test_a_plan_of_many_functions_has_the_results_of_one(mode: Mode, monkeypatch) -> None:
    text = "; ".join(
        ["v0 = x", *(f"v{i + 1} = where(v{i} > y, max(sin(v{i})*y, v{i // 2} - 0.1), v{i}*0.9)" for i in range(60))]
    )
    columns = [numpy.linspace(-2, 2, 1001), numpy.cos(numpy.linspace(0, 30, 1001))]
    target = CompiledExecutor
    program = parse(text)
    plan = _gradient_plan(bind(program, ["x", "y"], {}, ["x", "y"], [program.output]), mode, target)
    (whole, _) = run(CompiledExecutor(plan), columns, 1001)
    monkeypatch.setattr(llvm_code, "CHUNK_STEPS", 50)
    assert len(plan) > 200
    (cut, _) = run(CompiledExecutor(plan), columns, 1001)
    assert all(numpy.array_equal(a, b) for a, b in zip(cut, whole, strict=True))
    assert llvm_code.KeptValues(plan).rows > 16
    monkeypatch.setattr(llvm_code, "_KEPT", 1)
    assert llvm_code.KeptValues(plan).rows == 16
    (in_fewer_rows, _) = run(CompiledExecutor(plan), columns, 1001)
    assert all(numpy.array_equal(a, b) for a, b in zip(in_fewer_rows, whole, strict=True))
    monkeypatch.setattr(llvm_code, "_INLINED", 0)
    (called, _) = run(CompiledExecutor(plan), columns, 1001)
    assert all(numpy.array_equal(a, b) for a, b in zip(called, whole, strict=True))


@pytest.mark.skipif(getattr(machine(), "lanes", 0) != LINE, reason="no vector fills a line of the cache")
@pytest.mark.parametrize("rows", [1, 7, 8, 129, 136, 1001, 5000])
def test_results_that_are_stored_past_the_cache_are_the_same(rows: int, monkeypatch) -> None:
    program = parse("log(x)*exp(y) + x/y")
    plan = _gradient_plan(bind(program, ["x", "y"], {}, ["x", "y"], [program.output]), reverse_mode, CompiledExecutor)
    executor, columns = CompiledExecutor(plan), [numpy.linspace(-1, 2, rows + 3)[3:], numpy.linspace(1, 5, rows)]
    executor.block = 256
    (usual, nonfinite) = run(executor, columns, rows)
    monkeypatch.setattr(compiled_executor, "_LARGE", 0)
    (past_cache, same_nonfinite) = run(executor, columns, rows)
    assert numpy.array_equal(past_cache, usual, equal_nan=True)
    assert same_nonfinite == nonfinite


@pytest.mark.parametrize(
    "text",
    [
        "acos(x)^2", "cos(sqrt(x))", "cbrt(x)^3", "sqrt(x^4)", "(x^6)^(1/3)", "cbrt(x - x)", "sqrt(x)*sin(sqrt(x))",
        "hypot(sqrt(x), 0*x)", "hypot(sqrt(x), 0)^2", "sqrt(hypot(x, y))", "nthroot(sqrt(x), 0.5)",
        "abs(sqrt(x))", "relu(sqrt(x))", "x*y^0.5", "x/(1 + y^0.5)", "x^y", "x^2", "x^-0.5", "x^0.03125",
        "where(y > 170, x, 5e-324)/arccos(700)", "where(x > 0, x, log(y))", "where(x, y, x)", "x + 0*log(y)",
        "logsumexp(x, y)", "logsumexp(x, 2*x, 3)", "logaddexp(x, y)", "silu(-1e300/x)", "silu(x)", "max(x, y)",
        "clip(x, y, 1)", "hypot(x, y)", "atan2(x, y)", "mod(x, y)", "copysign(x, y)", "sigmoid(x)*log(x)", "log(x, y)",
        "abs(sinc(erf(x)) % 4.57689364996912e+89)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_rows_have_the_answers_of_points_at_the_hard_numbers(text: str, engine: str) -> None:
    numbers = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 171.0, 1e-320, 2.159e-206, -2.5, -7.0, 1e300]
    program = parse(text)
    names = list(program.inputs)
    points = [dict(zip(names, point, strict=True)) for point in itertools.product(numbers, repeat=len(names))]
    columns = {name: numpy.array([point[name] for point in points]) for name in names}
    found = Computation(program, names, {}, names, engine=engine)(columns).columns
    for row, point in enumerate(points):
        evaluation = evaluate(program, point, names)
        expected = [evaluation.value, *evaluation.gradient.values()]
        assert [float(column[row]) for column in found] == pytest.approx(expected, rel=1e-13, nan_ok=True), point


@pytest.mark.parametrize("mode", [forward_mode, reverse_mode])
@pytest.mark.parametrize(("text", "x"), [("x/sinh(x)", 500.0), ("x^3/(exp(x) - 1)", 400.0), ("recip(exp(x))", 400.0)])
def test_a_divisor_whose_own_slope_is_out_of_range_loses_no_gradient(text: str, x: float, mode: Mode) -> None:
    program = parse(text)
    plan = _gradient_plan(bind(program, ["x"], {}, ["x"], [program.output]), mode, NumpyExecutor)
    ((_, (slope,)), _) = run(NumpyExecutor(plan), [numpy.array([x])], 1)
    assert slope == pytest.approx(evaluate(program, {"x": x}).gradient["x"], rel=1e-13, abs=0)


@pytest.mark.parametrize("engine", ["numpy", "compiled"])
def test_rows_are_looked_into_only_where_their_gradient_is_nan(engine: str) -> None:
    program, x = parse("(1/x)^-1"), [1e-200, 1e-320, -3.0]
    found = Computation(program, ["x"], {}, ["x"], engine=engine)({"x": numpy.array(x)})
    assert [evaluate(program, {"x": number}).gradient["x"] for number in x] == pytest.approx([1, 1, 1])
    assert found.gradient[0].tolist() == pytest.approx([0, 1, 1])


def test_rows_share_the_work_of_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    x = numpy.linspace(0.1, 0.9, 5)
    columns, formula = {"x": x, "y": x}, parse("cbrt(digamma(x) - digamma(y))^3")
    with_limits = Computation(formula, ["x", "y"], {}, engine="numpy")
    assert not len(with_limits(columns).nonfinite_rows)
    monkeypatch.setattr(computation, "ROW", 0.0)
    monkeypatch.setattr(computation, "LIMIT_SECONDS", 0.006)  # what some of them take
    without_work = Computation(formula, ["x", "y"], {}, engine="numpy")
    columns = {"x": x + 1, "y": x + 1}  # of which nothing has been kept
    found = without_work(columns).nonfinite_rows.tolist()
    assert 0 < len(found) < 5
    assert found == [*range(5)][-len(found) :]
    assert "too much work" in without_work.reason(columns, found[0], WorkBudget(0.0))


def test_the_number_of_threads_changes_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computation, "ROW", 0.0)
    monkeypatch.setattr(computation, "LIMIT_SECONDS", 9.5)
    monkeypatch.setattr(computation, "_AS_POINT", 1.0)  # so that there is work for nine of them
    x = numpy.linspace(0.1, 0.9, 64)
    for repeated in (False, True):
        columns = {"x": numpy.round(x, 1) if repeated else x}
        first, second = (
            Computation(parse("cbrt(log(x*2) - log(x) - log(2))^3"), ["x"], {}, engine="numpy")(columns, jobs)
            for jobs in (1, 4)
        )
        assert first.nonfinite_rows.tolist() == second.nonfinite_rows.tolist()
        assert repeated or 0 < len(first.nonfinite_rows) < 64
        assert all(map(numpy.array_equal, first.columns, second.columns, [True] * 2))


def test_a_row_that_repeats_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    at = Computation._at

    def counted(self: Computation, columns: Any, row: int) -> Any:
        rows.append(row)
        return at(self, columns, row)

    monkeypatch.setattr(Computation, "_at", counted)
    columns = {"x": numpy.array([2.0, -0.0, 0.0, 2.0, 0.0, -0.0, 3.0]), "y": numpy.array([1.0, 2, 2, 1, 2, 2, 5])}
    found = Computation(parse("sqrt(x^4)*y"), ["x", "y"], {}, engine="numpy")(columns)
    assert rows == [1, 2]
    assert found.gradient[0].tolist() == [4.0, 0.0, 0.0, 4.0, 0.0, 0.0, 30.0]
