"""Every operation of the table, over the whole of its domain.

Values and partials are within 4 units in the last place of the truth, second derivatives within 1e-12.
"""

import itertools
import pickle
from collections.abc import Callable
from functools import partial

import pytest
import referee
from referee import Arguments, every_operation

from autodiff_cli import engine, rules
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.operations import CONSTANT, INPUT, OPERATIONS, PARAMETER, Operation

ULPS = 4
PLATFORM = {
    "cbrt": 10,  # the C library's is off by up to 2.8, and the rule, with its square, by up to 7.6
    "gamma": 10,  # Python's own sum is off by up to 6.9
    "factorial": 10,  # is made of gamma
    "lgamma": 16,  # Python's own sum is off by up to 10.8
    "beta": 1e6,  # the digammas in its rule cancel down to ten digits where one argument is a millionth of the other
}
"""where a function of the platform, taken as it is, keeps an operation from the bound: the bound that it keeps"""
_EXACT = {textbook: Multiprecision(100, textbook=textbook) for textbook in (False, True)}
UNITS = {"lgamma": 1.0}
"""the smallest value whose last place counts: Python's lgamma takes no care near its zeros"""


@pytest.mark.slow
@every_operation
def test_value_is_within_4_ulp(operation: Operation, count: int) -> None:
    for arguments in referee.samples(operation, count, 120):
        actual = floats.function(operation, count)(*arguments)
        rule = rules.value(operation, count, operation.value) if operation.value else None
        _assert_close(operation, actual, arguments, lambda point: referee.value(operation, point), rule, arguments)


@pytest.mark.slow
@every_operation
def test_partials_are_within_4_ulp(operation: Operation, count: int) -> None:
    wanted = referee.wanted(operation, count)
    for arguments in filter(
        lambda arguments: referee.smooth(operation, arguments), referee.samples(operation, count, 120)
    ):
        result = floats.function(operation, count)(*arguments)
        partials = floats.pullback(operation, count, wanted)(1.0, result, *arguments)
        for place in itertools.compress(range(count), wanted):
            alone = rules.pullback(operation, count, tuple(i == place for i in range(count)))
            rule = rules.Rule(alone.graph, alone.parameters, (alone.results[place],))
            true = partial(referee.slope, operation, places=(place,))
            _assert_close(operation, partials[place] or 0.0, arguments, true, rule, (1.0, result, *arguments))


def _assert_close(
    operation: Operation,
    actual: float,
    arguments: Arguments,
    true: Callable[[Arguments], referee.Number],
    rule: rules.Rule | None,
    numbers: Arguments,
) -> None:
    """Within the bound, in units of the true number; near a zero of it, in units of the largest term of its rule."""
    bound, expected = PLATFORM.get(operation.name, ULPS), true(arguments)
    off = referee.error(actual, expected)
    if off > bound and referee.near_zero(true, arguments):
        size = next(referee.largest_terms(rule, numbers)) if rule else UNITS.get(operation.name, 0.0)
        off = referee.error(actual, expected, size)
    assert off <= bound, (arguments, actual, float(expected))


@pytest.mark.slow
@every_operation
def test_second_partials_are_within_1e_12_of_the_largest_term(operation: Operation, count: int) -> None:
    for arguments in filter(
        lambda arguments: referee.smooth(operation, arguments), referee.samples(operation, count, 120)[::3]
    ):
        if all(a == 0 or 1e-4 <= abs(a) <= 1e4 for a in arguments):  # before they are simplified, they may overflow
            for i, j, actual, size in referee.second_partials(operation, arguments):
                true = referee.slope(operation, arguments, (i, j))
                assert referee.error(actual, true, size) * 2**-52 <= 1e-12, (i, j, arguments, actual, float(true))


@every_operation
def test_meaning_has_the_same_value_and_partials(operation: Operation, count: int) -> None:
    if not operation.meaning:
        return
    exact = Multiprecision(400)
    for arguments in filter(
        lambda arguments: referee.smooth(operation, arguments), referee.samples(operation, count, 40)
    ):
        if all(0.01 <= abs(a) <= 20 for a in arguments):
            numbers = [exact.number(a) for a in arguments]
            value, gradient = _meaning(operation, numbers, exact)
            assert abs(exact.function(operation, count)(*numbers) - value) <= 1e-30 * abs(value)
            partials = exact.pullback(operation, count, referee.wanted(operation, count))(
                exact.context.one, value, *numbers
            )
            for partial, expected in zip(partials, gradient, strict=True):
                assert abs((partial or 0) - expected) <= 1e-12 * abs(expected) + referee.SMALLEST, arguments


@every_operation
def test_the_textbook_writes_the_same_partials(operation: Operation, count: int) -> None:
    for arguments in filter(
        lambda arguments: referee.smooth(operation, arguments), referee.samples(operation, count, 60)
    ):
        if all(1e-3 <= abs(a) <= 20 for a in arguments):
            partials, written = (_partials(operation, arguments, textbook) for textbook in (False, True))
            for partial, expected in zip(written, partials, strict=True):
                assert abs(partial - expected) <= 1e-12 * abs(expected) + referee.SMALLEST, arguments


def _partials(operation: Operation, arguments: Arguments, textbook: bool) -> list[float]:
    exact = _EXACT[textbook]
    numbers = [exact.number(a) for a in arguments]
    result = exact.function(operation, len(numbers))(*numbers)
    pullback = exact.pullback(operation, len(numbers), referee.wanted(operation, len(numbers)))
    return [float(partial or 0) for partial in pullback(exact.context.one, result, *numbers)]


def _meaning(
    operation: Operation, numbers: list[referee.Number], exact: Multiprecision
) -> tuple[referee.Number, list[referee.Number]]:
    """The value and the gradient of the operation's meaning, by the rules of the simpler operations in it."""
    graph, parameters, (output,) = rules.value(operation, len(numbers), operation.meaning)
    values = [exact.constant(graph.numbers.get(node, 0.0), graph.labels.get(node)) for node in range(len(graph))]
    for parameter, number in zip(parameters, numbers, strict=True):
        values[parameter] = number
    assert output is not None
    order = graph.needed([output])
    engine.forward(graph, order, values, exact)
    adjoints: list[referee.Number] = [None] * len(graph)
    adjoints[output] = exact.context.one
    engine.backward(graph, order, values, adjoints, graph.dependent(order, parameters), exact)
    return values[output], [adjoints[parameter] or exact.context.zero for parameter in parameters]


def test_a_row_that_goes_to_another_process_is_the_row_there() -> None:
    for operation in (CONSTANT, INPUT, PARAMETER, *OPERATIONS.values()):
        assert pickle.loads(pickle.dumps(operation)) is operation  # noqa: S301  # its own
