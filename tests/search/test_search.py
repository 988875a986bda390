"""Programs as functions of a vector; the points at which searches start, and their bounds."""

import math

import numpy
import pytest

from autodiff_cli import AutodiffError, parse
from autodiff_cli.arithmetic.arrays import without_warnings
from autodiff_cli.arithmetic.distributions import random_generator
from autodiff_cli.search.scalar_function import ScalarFunction
from autodiff_cli.search.starts_and_bounds import entry_bounds, mirrored, random_starts, starting_point


def test_a_program_is_a_function_of_the_named_inputs_while_the_others_are_fixed() -> None:
    function = ScalarFunction(parse("a*x^2*y"), ["y", "x"], {"a": 2.0})
    assert function.value([3.0, 5.0]) == 150
    assert function.gradient([3.0, 5.0]) == [50.0, 60.0]
    assert [list(row) for row in function.hessian([3.0, 5.0])] == [[0.0, 20.0], [20.0, 12.0]]


def test_the_same_vector_is_evaluated_only_once() -> None:
    function = ScalarFunction(parse("x^2"), ["x"], {})
    assert (function.value([3.0]), function.gradient([3.0]), function.evaluations) == (9.0, [6.0], 1)


def test_a_search_starts_where_it_is_told_or_at_the_defaults_of_the_programs() -> None:
    assert starting_point(["a", "b"], [parse("a = 2; b = 3; a*b")], {"b": 5.0}, "variable") == [2.0, 5.0]


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ({}, "no start for `a`"),
        ({"a": float("inf")}, "`a` starts at inf"),
        ({"a": 1.0, "ab": 2.0}, "`ab` has a start, but it is not one of the variables"),
    ],
)
def test_a_start_that_is_missing_infinite_or_of_something_else_is_an_error(
    start: dict[str, float], message: str
) -> None:
    with pytest.raises(AutodiffError, match=message):
        starting_point(["a"], [parse("a^2")], start, "variable")


def test_the_bounds_of_a_list_are_those_of_its_entries_without_bounds_of_their_own() -> None:
    bounds = {"x[2]": (0.0, 1.0), "x": (-1.0, 5.0)}
    assert entry_bounds(bounds, ["x[1]", "x[2]"], "variable") == {"x[1]": (-1.0, 5.0), "x[2]": (0.0, 1.0)}
    with pytest.raises(AutodiffError, match="`y` has a bound"):
        entry_bounds({"y": (0.0, 1.0)}, ["x[1]"], "variable")


@pytest.mark.parametrize(
    ("start", "low", "high", "expected"),
    [(-1.0, 0.0, math.inf, 1.0), (7.5, -math.inf, 5.0, 2.5), (2.0, 0.0, 5.0, 2.0), (-9.0, 0.0, 5.0, 2.5), (1, 3, 3, 3)],
)
def test_a_start_beyond_a_bound_is_mirrored_in_it(start: float, low: float, high: float, expected: float) -> None:
    assert mirrored(start, low, high) == expected


@pytest.mark.parametrize("first", [1.0, 1e308, 1.75e308, -1.75e308])
@pytest.mark.parametrize(("low", "high"), [(-math.inf, math.inf), (-1e308, 1e308), (-math.inf, 1.7e308)])
def test_starts_are_drawn_next_to_the_largest_doubles(first: float, low: float, high: float) -> None:
    with without_warnings():
        others = random_starts(*numpy.array([[first], [low], [high]]), 5, seed=0)[1:]
    assert all(math.isfinite(x) and low <= x <= high for (x,) in others)


def test_starts_are_uniform_between_the_bounds_or_around_the_first() -> None:
    first, low, high = numpy.array([[2.5, 0.3], [-math.inf, -0.1], [math.inf, 0.7]])
    generator = random_generator(3)
    expected = [[2.5, 0.3], *(generator.uniform([-5.0, -0.1], [10.0, 0.7]).tolist() for _ in range(9))]
    assert [vector.tolist() for vector in random_starts(first, low, high, 10, seed=3)] == expected
