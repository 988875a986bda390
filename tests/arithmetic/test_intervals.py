"""Intervals contain every value of a formula, which is all that they promise."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from referee import every_operation

from autodiff_cli import engine
from autodiff_cli.arithmetic import floats, intervals
from autodiff_cli.operations import COMPARISONS, OPERATIONS, POW, WHERE, Operation

ENDS = st.floats(-20, 20).map(lambda number: number + 0.0)  # without -0.0, which Hypothesis puts below 0.0


@pytest.mark.slow
@every_operation
@given(data=st.data())
def test_bounds_contain_the_values_between_the_ends(operation: Operation, count: int, data: st.DataObject) -> None:
    sets = [sorted((data.draw(ENDS), data.draw(ENDS))) for _ in range(count)]
    if operation.literal:
        sets[0] = [2.0, 2.0]
    points = [data.draw(st.floats(low, high)) for low, high in sets]
    value = floats.function(operation, count)(*points)
    bounds = intervals.function(operation, count)(
        *(intervals.between(numpy.array([low]), numpy.array([high])) for low, high in sets)
    )
    if math.isnan(value):
        return
    low, high = float(numpy.min(bounds.low)), float(numpy.max(bounds.high))
    slack = 1e-12 * abs(value)
    assert low - slack <= value <= high + slack, (sets, points)


@pytest.mark.parametrize("name", ["add", "mul", "exp", "sin", "sqrt"])
def test_bounds_of_small_sets_are_narrow(name: str) -> None:
    operation = OPERATIONS[name]
    low = numpy.array([1.5])
    operands = [intervals.between(low, low + 1e-6)] * operation.counts[0]
    bounds = intervals.function(operation, len(operands))(*operands)
    assert bounds.continuous.all()
    assert bounds.high - bounds.low < 1e-5


def test_a_remainder_is_continuous_between_its_jumps() -> None:
    x = intervals.between(numpy.array([2.25, 2.75]), numpy.array([2.5, 3.25]))
    bounds = intervals.function(OPERATIONS["mod"], 2)(x, intervals.constant(1.0))
    assert bounds.continuous.tolist() == [True, False]
    assert bounds.low == pytest.approx([0.25, 0.0])
    assert bounds.high == pytest.approx([0.5, 1.0])


@pytest.mark.parametrize("exponent", [3.0, 1_000_000.0, 1_000_001.0, -1_000_001.0, 2.0**53, 1e300])
def test_a_negative_base_has_powers_with_every_whole_exponent(exponent: float) -> None:
    base = intervals.between(numpy.array([-1.5]), numpy.array([-0.5]))
    bounds = intervals.function(POW, 2)(base, intervals.constant(exponent))
    assert bounds.low <= (-1.0) ** exponent <= bounds.high


def test_a_value_that_does_not_exist_has_no_bounds() -> None:
    from autodiff_cli import parse

    program = parse("sqrt(x - 2)")
    values = [intervals.constant(program.graph.numbers.get(node, 0.0)) for node in range(len(program.graph))]
    values[program.inputs["x"]] = intervals.between(numpy.array([-1.0, 1.0]), numpy.array([1.0, 3.0]))
    engine.forward(program.graph, program.graph.needed([program.output]), values, intervals)
    assert intervals.is_empty(values[program.output]).tolist() == [True, False]


NAN = intervals.constant(math.nan)
PARTLY = intervals.function(OPERATIONS["sqrt"], 1)(intervals.between(numpy.array([-1.0]), numpy.array([0.5])))


@pytest.mark.parametrize(
    "operation", [*COMPARISONS, *[OPERATIONS[name] for name in ("not", "and", "or", "fmax", "fmin")]], ids=str
)
@pytest.mark.parametrize("other", [-1.0, 0.0, 0.5, 1.0, 2.0])
def test_bounds_contain_the_value_where_an_operand_has_none(operation: Operation, other: float) -> None:
    operands = [math.nan, other][: operation.counts[0]]
    for missing in (NAN, PARTLY):
        for order in (1, -1):
            value = floats.function(operation, len(operands))(*operands[::order])
            sets = [missing, intervals.constant(other)][: len(operands)]
            bounds = intervals.function(operation, len(operands))(*sets[::order])
            assert bounds.low <= value <= bounds.high, (operation, operands[::order], missing)


def test_a_choice_by_what_has_a_value_in_places_may_be_either() -> None:
    condition = intervals.function(OPERATIONS["lt"], 2)(PARTLY, intervals.constant(1.0))
    bounds = intervals.function(WHERE, 3)(condition, intervals.constant(5.0), intervals.constant(7.0))
    assert (bounds.low.item(), bounds.high.item(), bounds.continuous.item()) == (5.0, 7.0, False)


def test_a_jump_leaves_a_comparison_certain() -> None:
    floor = intervals.function(OPERATIONS["floor"], 1)(intervals.between(numpy.array([0.5]), numpy.array([1.5])))
    bounds = intervals.function(OPERATIONS["lt"], 2)(floor, intervals.constant(3.0))
    assert (bounds.low.item(), bounds.high.item(), bounds.continuous.item()) == (1.0, 1.0, True)
