"""Sums over all rows: as exact as their last digit, in whatever order the rows come."""

import math
from fractions import Fraction

import pytest

numpy = pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from autodiff_cli.data.formats import RowBlock
from autodiff_cli.data.sums import Sums, total


def _drawn(rows: int, seed: int) -> "numpy.ndarray":
    """Numbers of very different sizes, most of which cancel."""
    chance = numpy.random.default_rng(seed)
    numbers = chance.standard_normal(rows) * 10.0 ** chance.integers(-15, 15, rows)
    return numpy.append(chance.permutation(numpy.concatenate([numbers, -numbers])), [1e-3, 0.25])


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 1000, 30_001])
def test_a_sum_is_the_double_nearest_to_the_exact_one(rows: int) -> None:
    column = _drawn(rows, rows)
    assert total(column).divided(1) == float(sum(map(Fraction, column.tolist())))


@pytest.mark.parametrize("part_rows", [1, 777, 40_000])
def test_the_order_of_rows_and_where_they_are_cut_changes_nothing(part_rows: int) -> None:
    column = _drawn(2_000, 1)
    expected = total(column).divided(1)
    shuffled = numpy.random.default_rng(part_rows).permutation(column)
    sums = Sums(["value"])
    for first in range(0, len(shuffled), part_rows):
        part = shuffled[first : first + part_rows]
        sums.append(sums.encode(RowBlock(len(part), {}), {"value": part}))
    assert (sums.rows, sums.divided(1)) == (len(column), [expected])


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


def test_rows_that_cannot_be_read_are_left_out() -> None:
    sums = Sums(["value", "grad_x"])
    block = RowBlock(3, {}, reasons={1: "is empty"})
    results = {name: numpy.array([1.0, math.nan, 4.0]) for name in ("value", "grad_x")}
    sums.append(sums.encode(block, results))
    assert sums.rows == 2
    assert sums.divided(2) == [2.5, 2.5]
    assert sums.are_of_finite_rows
