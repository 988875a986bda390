"""Functions on vectors: within the bounds of docs/numerics.md, wherever they are taken from."""

import itertools
import math
import random
from functools import partial

import mpmath
import pytest
import referee

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from autodiff_cli import parse, rules
from autodiff_cli.graph import Graph
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import INPUT, OPERATIONS, TABLE, Operation
from autodiff_cli.vectorized import compiled_executor, llvm_code, llvm_functions, vector_functions
from autodiff_cli.vectorized.compiled_executor import machine
from autodiff_cli.vectorized.llvm_text import Machine
from autodiff_cli.vectorized.plan import Plan

pytestmark = pytest.mark.skipif(machine() is None, reason="no compiler")

ULPS = 4
CBRT = 10  # of its derivative: the rule squares the C library's result
FORMULAS = {"gamma", "lgamma", "digamma", "trigamma", "polygamma", "factorial", "beta"}
"""computed by formulas of its own, with bounds of their own"""
CASES = [
    (operation, count)
    for operation in TABLE
    for count in ((2,) if operation.variadic else (len(operation.names),))
    if operation.name not in FORMULAS
]


def _compiled(operation: Operation, points: list[tuple[float, ...]]) -> list["numpy.ndarray"]:
    """The values and the partial derivatives at points."""
    names = [f"x{i}" for i in range(len(points[0]))]
    program = parse(operation_text(operation, [(name, CALL) for name in names]))
    columns = {name: numpy.array(column) for name, column in zip(names, zip(*points, strict=True), strict=True)}
    results = Computation(program, names, {}, names, engine="compiled")(columns)
    return [results.value, *results.gradient]


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "count"), CASES, ids=[f"{operation}-{count}" for operation, count in CASES])
def test_values_and_partials_are_within_4_ulp(operation: Operation, count: int) -> None:
    bound = CBRT if operation.name == "cbrt" else ULPS
    points = referee.samples(operation, count, 120)[::2]
    value, *gradient = _compiled(operation, points)
    for row, point in enumerate(points):
        true = partial(referee.value, operation)
        rule = rules.formula(operation, count, operation.value) if operation.value else None
        _assert_close(float(value[row]), point, true, rule, point, bound)
        if not referee.smooth(operation, point):
            continue
        for place, partials in enumerate(gradient):
            alone = rules.pullback(operation, count, tuple(i == place for i in range(count)))
            rule = rules.Rule(alone.graph, alone.parameters, (alone.results[place],))
            true = partial(referee.slope, operation, places=(place,))
            _assert_close(float(partials[row]), point, true, rule, (1.0, float(value[row]), *point), bound)


def _assert_close(actual, point, true, rule, numbers, bound) -> None:
    """Within the bound, in units of the true number; near a zero of it, in units of the largest term of its rule."""
    expected = true(point)
    off = referee.error(actual, expected)
    if off > bound and rule and referee.near_zero(true, point):
        off = referee.error(actual, expected, next(referee.largest_terms(rule, numbers)))
    assert off <= bound, (point, actual, float(expected))


# ---- The vector code of this program ---------------------------------------------------------------------------------

SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1e-310, -1e-310, 1.0, -1.0, 1e308, -1e308, math.inf, -math.inf, math.nan]


def _own_samples(name: str) -> list[float]:
    chance = random.Random(name)
    found = [chance.uniform(-1, 1) * 10 ** chance.uniform(-20, 3) for _ in range(1500)]
    if name == "exp":
        return found + [chance.uniform(-746, 711) for _ in range(1500)] + [-745.2, -745.1, -708.4, 709.78, 709.79]
    found += [float(chance.randrange(2**20) * mpmath.pi / 4) for _ in range(1500)]  # next to zeros of sine or cosine
    found += [chance.choice((-1, 1)) * 10 ** chance.uniform(5, 308) for _ in range(300)]
    return [*found, 2.0**20, math.nextafter(2.0**20, 0), 2.0**-28]


@pytest.mark.slow
@pytest.mark.parametrize("name", llvm_functions.NAMES)
def test_own_functions_are_within_one_ulp(name: str) -> None:
    points = _own_samples(name)
    (operation,) = (operation for operation in TABLE if operation.name == name)
    found = _compiled(operation, [(point,) for point in points])[0].tolist()
    with mpmath.workprec(1300):
        for point, actual in zip(points, found, strict=True):
            assert referee.error(actual, getattr(mpmath, name)(mpmath.mpf(point))) <= 1, point


@pytest.mark.parametrize("name", sorted({*llvm_functions.NAMES, *vector_functions._ARGUMENTS} - {"fmod"}))
def test_special_numbers_have_the_results_of_one_point(name: str) -> None:
    from autodiff_cli.arithmetic import floats

    (operation,) = (operation for operation in TABLE if operation.name == name)
    count = vector_functions._ARGUMENTS[name]
    points = list(itertools.product(SPECIAL, repeat=count))
    for point, actual in zip(points, _compiled(operation, points)[0].tolist(), strict=True):
        expected = floats.function(operation, count)(*point)
        same_sign = math.copysign(1, actual) == math.copysign(1, expected) or actual != actual
        assert referee.error(actual, mpmath.mpf(expected)) <= ULPS and same_sign, (point, actual, expected)


@pytest.mark.slow
def test_a_vector_has_the_results_of_its_numbers_alone() -> None:
    chance = random.Random(3)
    for name in sorted({*llvm_functions.NAMES, *vector_functions._ARGUMENTS} - {"fmod"}):
        (operation,) = (operation for operation in TABLE if operation.name == name)
        count = vector_functions._ARGUMENTS[name]
        points = [tuple(chance.choice([*SPECIAL, 0.3, 7.7, -30.2, 1e9]) for _ in range(count)) for _ in range(64)]
        together = _compiled(operation, points)[0]
        alone = [_compiled(operation, [point])[0][0] for point in points[:16]]
        assert numpy.array_equal(together[:16], alone, equal_nan=True), name


# ---- Other machines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("found", [Machine(2, "", False), Machine(2, "", True), Machine(8, "", True)])
def test_other_machines_have_the_same_results_but_for_last_digits(
    found: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = numpy.concatenate([numpy.linspace(-20, 20, 203), SPECIAL, [1e9]])
    program = parse("exp(x)*sin(x) + cos(x)/max(x, 2) + x % 3 + erfc(x)*log(abs(x) + 1) + tanh(x)")
    expected = Computation(program, ["x"], {}, engine="compiled")({"x": x})
    monkeypatch.setattr(compiled_executor, "machine", lambda: found)
    actual = Computation(program, ["x"], {}, engine="compiled")({"x": x})
    for one, other in zip((actual.value, *actual.gradient), (expected.value, *expected.gradient), strict=True):
        assert one == pytest.approx(other, rel=1e-13, abs=1e-14, nan_ok=True)


def test_vectors_of_512_bits_are_passed_as_such() -> None:
    """The functions of libmvec for AVX-512 take them in one register each."""
    from llvmlite import binding

    graph = Graph()
    graph.add(OPERATIONS["log"], (graph.add(INPUT),))
    plan = Plan(graph, (1,))
    (text,) = llvm_code.modules(plan, llvm_code.KeptValues(plan), Machine(8, "e", True))
    target = binding.Target.from_triple("x86_64-unknown-linux-gnu")
    assembly = target.create_target_machine(cpu="skylake-avx512", opt=2).emit_assembly(binding.parse_assembly(text))
    assert "zmm0" in assembly
    assert "ymm" not in assembly
