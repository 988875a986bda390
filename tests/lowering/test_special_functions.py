"""The functions that some languages lack, as generated code computes them: close to the truth."""

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
    function = rule_compiler.value(rules.value(row, count, special_functions.FORMULAS[name]), floats.function)
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
