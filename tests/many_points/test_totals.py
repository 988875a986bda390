"""Sums over all rows: as exact as their last digit, in whatever order the rows come, whichever engine adds them up."""

import itertools
import math

import pytest

numpy = pytest.importorskip("numpy")
pytest.importorskip("scipy")

from autodiff_cli import parse
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.many_points.quantities import Hessians
from autodiff_cli.many_points.totals import Total, total
from autodiff_cli.vectorized.compiled_executor import machine

ENGINES = ["numpy", *(["compiled"] if machine() else [])]
pytestmark = pytest.mark.usefixtures("threads_for_any_work")
LONG = "+".join(f"sin(x*{i} + y)" for i in range(150))
"""a plan of several functions"""


def _drawn(rows: int, seed: int) -> "numpy.ndarray":
    """Numbers of very different sizes, most of which cancel."""
    chance = numpy.random.default_rng(seed)
    numbers = chance.standard_normal(rows) * 10.0 ** chance.integers(-15, 15, rows)
    return numpy.append(chance.permutation(numpy.concatenate([numbers, -numbers])), [1e-3, 0.25])


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 1000, 30_001])
def test_a_sum_is_the_double_nearest_to_the_exact_one(rows: int) -> None:
    column = _drawn(rows, rows)
    assert total(column).divided(1) == _exact(column)


@pytest.mark.parametrize("part_rows", [1, 777, 40_000])
def test_the_order_of_rows_and_where_they_are_cut_changes_nothing(part_rows: int) -> None:
    column = _drawn(2_000, 1)
    shuffled, found = numpy.random.default_rng(part_rows).permutation(column), Total()
    for first in range(0, len(shuffled), part_rows):
        found = found.plus(total(shuffled[first : first + part_rows]))
    assert found.divided(1) == total(column).divided(1)


@pytest.mark.parametrize(
    ("numbers", "count", "expected"),
    [
        ([1e308, 1e308, -1e308], 1, 1e308),
        ([1e308] * 4, 4, 1e308),
        ([1e308, 1e308], 1, math.inf),
        ([-1e308, -1e308], 1, -math.inf),
        ([5e-324] * 3, 1, 1.5e-323),
        ([1.0, math.inf], 1, math.inf),
        ([math.inf, -math.inf, 1.0], 1, math.nan),
        ([math.nan, 1.0], 2, math.nan),
    ],
)
def test_a_sum_leaves_the_range_of_doubles_only_if_it_must(numbers: list[float], count: int, expected: float) -> None:
    assert total(numpy.array(numbers)).divided(count) == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("formula", "rows"),
    [
        *itertools.product(["x", "x*y + 1e-9", "y^2*exp(-x*x)"], [0, 1, 7, 8, 1003, 200_001]),
        *(pytest.param(LONG, rows, marks=pytest.mark.slow, id=f"long-{rows}") for rows in (0, 8, 20_001)),
    ],
)
def test_the_totals_are_the_sums_of_the_results_of_all_rows(formula: str, engine: str, rows: int) -> None:
    columns = {"x": _drawn(rows, 3)[:rows], "y": numpy.linspace(-1, 2, rows)}
    program = parse(formula)
    computation = Computation(program, ["x", "y"], {}, ["x", "y"], engine=engine)
    for jobs in (1, 3):
        totals, nonfinite = computation.totals(columns, jobs, rows)
        sums = [_exact(column) for column in computation(columns, rows=rows).columns]
        assert [each.divided(1) for each in totals] == pytest.approx(sums, rel=1e-15, abs=1e-15)
        assert not len(nonfinite)


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_with_a_limit_count_and_rows_that_are_skipped_do_not(engine: str) -> None:
    x = numpy.linspace(0, 1, 100_000)  # the slope at 0 is a limit
    x[70_000] = math.nan
    computation = Computation(parse("cos(sqrt(x))"), ["x"], {}, engine=engine)
    totals, nonfinite = computation.totals({"x": x}, 2, skipped=[70_000])
    results = computation({"x": x}).columns
    assert [each.divided(1) for each in totals] == [_exact(numpy.delete(column, 70_000)) for column in results]
    assert nonfinite.tolist() == [70_000]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_row_that_is_not_finite_makes_the_total_so(engine: str) -> None:
    computation = Computation(parse("1/x"), ["x"], {}, engine=engine)
    (value, slope), nonfinite = computation.totals({"x": numpy.array([1.0, 0.0, 2.0])})
    assert (value.divided(1), slope.divided(1), nonfinite.tolist()) == (math.inf, -math.inf, [1])


@pytest.mark.parametrize("engine", ENGINES)
def test_hessians_are_added_up_too(engine: str) -> None:
    computation = Computation(parse("x^2*y"), ["x", "y"], {}, ["x", "y"], Hessians(), engine)
    totals, _ = computation.totals({"x": numpy.array([1.0, 2.0, 3.0]), "y": numpy.array([1.0, 1.0, 2.0])})
    assert [each.divided(3) for each in totals] == [23 / 3, 18 / 3, 14 / 3, 8 / 3, 12 / 3, 0.0]


def _exact(column: "numpy.ndarray") -> float:
    return math.fsum(column.tolist())
