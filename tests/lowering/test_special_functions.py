"""The functions that some languages lack, as generated code computes them: close to the truth."""

import math

import pytest
import referee

from autodiff_cli import rules
from autodiff_cli.arithmetic import floats, rule_compiler
from autodiff_cli.lowering import lowering, special_functions
from autodiff_cli.operations import OPERATIONS

ACCURACY = {"tanh": 3, "erf": 3, "erfc": 3, "normcdf": 3, "gamma": 5, "lgamma": 6, "digamma": 8, "beta": 1000}
"""in ulp, where it is more than 2"""
UNITS = {"lgamma": 1.0, "digamma": 1.0}
"""the smallest value whose last place counts: around their zeros left of 0 these are differences of larger numbers"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in special_functions.FORMULAS if name != "polygamma"])
def test_formulas_are_close_to_the_truth(name: str) -> None:
    row = OPERATIONS[name]
    count = 2 if row.variadic else len(row.names)
    function = rule_compiler.value(rules.formula(row, count, special_functions.FORMULAS[name]), floats.function)
    for point in referee.samples(row, count, 150):
        true, actual = referee.value(row, point), function(*point)
        right = name in UNITS and point[0] > 0
        bound, unit = (3, 0.0) if right else (ACCURACY.get(name, 2), UNITS.get(name, 0.0))
        assert referee.error(actual, true, unit) <= bound, (point, actual, float(true))


@pytest.mark.slow
@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_formulas_of_polygamma_are_close_to_the_truth(order: int) -> None:
    row = OPERATIONS["polygamma"]
    function = rule_compiler.value(lowering.formula(lowering.literal(row, order), 1), floats.function)
    for _, a in referee.samples(row, 2, 150):
        true, actual = referee.value(row, (float(order), a)), function(a)
        reflected = 0.0 if a > 0 else float(abs(referee.value(row, (float(order), 1 - a))))
        assert referee.error(actual, true, reflected) <= (4 if a > 0 else 10), (a, actual, float(true))


def test_a_high_order_of_polygamma_is_close_right_of_zero() -> None:
    row = OPERATIONS["polygamma"]
    function = rule_compiler.value(lowering.formula(lowering.literal(row, 30), 1), floats.function)
    for a in (0.25, 1.0, 7.5, 60.0):
        assert referee.error(function(a), referee.value(row, (30.0, a))) <= 20


@pytest.mark.parametrize("order", [24, 25, 51, 100, 170, 171, 300, 1001])
def test_high_orders_of_polygamma_are_close_to_the_truth(order: int) -> None:
    row = OPERATIONS["polygamma"]
    function = rule_compiler.value(lowering.formula(lowering.literal(row, order), 1), floats.function)
    finite = 0
    for a in (0.25, 1.5, order / 3, order * 0.9, order * 1.5, 1e4, -0.25, -0.5, -3.5, -3.75, -1e-3):
        true, actual = referee.value(row, (float(order), a)), function(a)
        if math.isinf(float(true)):
            assert actual == float(true), a
        else:
            assert referee.error(actual, true) <= order, (a, actual, float(true))
            finite += abs(float(true)) > 0
    assert finite >= 1
    assert math.isnan(function(-2.0)) and function(math.inf) == 0


@pytest.mark.parametrize("order", [1e6, 1e15, 1e18, 1e300])
def test_huge_orders_of_polygamma_are_zero_or_infinite(order: float) -> None:
    function = rule_compiler.value(
        lowering.formula(lowering.literal(OPERATIONS["polygamma"], order), 1), floats.function
    )
    assert function(2.5) == -math.inf and function(-2.5) in (math.inf, -math.inf)
    assert function(order * 2) == 0 and math.isnan(function(-2.0)) and math.isnan(function(math.nan))
