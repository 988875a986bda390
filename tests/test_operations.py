"""Every operation of the table, over the whole of its domain.

Values and partials are within 4 units in the last place of the truth, second derivatives within 1e-12.
"""

import itertools
import pickle

import pytest
import referee
import sweep
from referee import Arguments, every_operation

from autodiff_cli import engine, rules
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.operations import CONSTANT, INPUT, OPERATIONS, OWN_CALL, PARAMETER, Operation

_EXACT = {textbook: Multiprecision(100, textbook=textbook) for textbook in (False, True)}


@pytest.mark.slow
@every_operation
def test_value_is_within_4_ulp(operation: Operation, count: int) -> None:
    for arguments in referee.samples(operation, count, 120):
        actual = floats.function(operation, count)(*arguments)
        verdict = referee.judged(operation, arguments, 0, actual, referee.value(operation, arguments))
        assert not verdict.beyond, (arguments, actual, verdict)


@pytest.mark.slow
@every_operation
def test_partials_are_within_4_ulp(operation: Operation, count: int) -> None:
    wanted = referee.wanted(operation, count)
    for arguments in referee.smooth_samples(operation, count, 120):
        result = floats.function(operation, count)(*arguments)
        partials = floats.pullback(operation, count, wanted)(1.0, result, *arguments)
        for place in itertools.compress(range(count), wanted):
            true = referee.slope(operation, arguments, (place,))
            verdict = referee.judged(operation, arguments, place + 1, partials[place] or 0.0, true)
            assert not verdict.beyond, (place, arguments, partials[place], verdict)


def test_a_sweep_without_names_is_one_of_all_operations() -> None:
    assert {name for name, _ in sweep.cases([])} == {operation.name for operation in referee.TABLE}


@pytest.mark.slow
@pytest.mark.parametrize("case", referee.CASES, ids=[f"{operation.name}-{count}" for operation, count in referee.CASES])
def test_a_sweep_over_all_doubles_finds_nothing_beyond_the_bounds(case: tuple[Operation, int]) -> None:
    operation, count = case
    for finding in sweep.findings((operation.name, count), batch=0, seed=1, size=40):
        assert not finding.beyond, finding


@pytest.mark.slow
@every_operation
def test_second_partials_are_within_1e_12_of_the_largest_term(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 120, step=3):
        if all(a == 0 or 1e-4 <= abs(a) <= 1e4 for a in arguments):  # before they are simplified, they may overflow
            for i, j, actual, size in referee.second_partials(operation, arguments):
                true = referee.slope(operation, arguments, (i, j))
                assert referee.error(actual, true, size) * 2**-52 <= 1e-12, (i, j, arguments, actual, float(true))


HARD: list[tuple[str, Arguments]] = [
    ("nthroot", (1e240, -3.0)),
    ("nthroot", (2.1e249, -1.4157786530527403)),
    ("nthroot", (0.0250388, 0.025206385211826044)),
    ("nthroot", (1e-310, 1e10)),
    ("nthroot", (1.5e-307, 7.4e-307)),
    ("nthroot", (-0.5, -0.9999999999999999)),
    ("pow", (4.7782622145e-314, -4.778262273e-314)),
    ("mod", (-1.2998292748237152e308, 1.2983263495046508e308)),
    ("log_base", (1.0000000000000007, 0.9999999999999993)),
    ("cbrt", (0.003031331080815565,)),
    ("tanh", (-3.1251996626076872,)),
    ("asech", (1e-310,)),
    ("acsch", (-1e-310,)),
    ("lgamma", (1.1850293984971216,)),
    ("lgamma", (1.0 + 1e-9,)),
    ("lgamma", (2.0 - 1e-9,)),
    ("lgamma", (-7.629437427980122e305,)),
    ("beta", (0.5, -1000000.4)),
    ("beta", (43.5041290216266, -491024570.9999998)),
    ("beta", (-72517636018.02509, 72517636049.8012)),
    ("beta", (-31.499999999999993, -179670199977.5)),
    ("nthroot", (0.9999999999999993, 1.751352620714948e-18)),
    ("nthroot", (0.999999999999999, -5.4753107980941826e-18)),
    ("nthroot", (0.012609858773509827, 0.006173758145403363)),
    ("log_base", (5.8018267261301306e57, 7.979513692322072)),
    ("atan2", (0.0, 2.368165275879317e-308)),
    ("normpdf", (1.9164666183111287,)),
    ("silu", (-30.492553409222285,)),
    ("gelu", (-4.019061613508299,)),
    ("sech", (-0.58890673392999,)),
    ("csch", (-2.0330870219895622e-06,)),
    ("beta", (-1000000.4, 0.5)),
    ("beta", (2.0, 1e-7)),
    ("beta", (3e6, 2.0)),
    ("beta", (1e249, 1e-300)),
    ("beta", (5.9e307, -0.0033)),
    ("beta", (0.9999999999999895, -2.9999999999894973)),
    ("beta", (7.57e-272, -1.2e-279)),
    ("beta", (50.0, -4.7714208045463765e38)),
    ("beta", (-3.141592653589793, 6.265934164552289e94)),
    ("beta", (4.9e225, -0.9988755650947081)),
    ("beta", (-0.0138, 1.3e308)),
    ("beta", (2.16737110586726e-151, -2.167371105867261e-151)),
    ("beta", (-9.9e-310, 9.90000000000026e-310)),
    ("beta", (-1.107e-321, 1.107e-321)),
    ("beta", (1e-310, -2.5)),
    ("beta", (-35577.5, -35577.5)),
    ("beta", (-2.250091880200388e52, 2.250091880200388e52)),
    ("beta", (5.131394299333058e307, -1.7976931348623157e308)),
    ("polygamma", (4.0, -0.05163666276569986)),
    ("polygamma", (1.0, -407.4999999707359)),
    ("factorial", (-1.0,)),
    ("factorial", (-172.02062701768386,)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), HARD)
def test_hard_points_are_within_the_bounds_at_one_point_in_columns_and_by_formulas(
    name: str, arguments: Arguments
) -> None:
    for finding in sweep.judged(OPERATIONS[name], arguments):
        assert not finding.beyond, finding


@pytest.mark.parametrize(("base", "power"), [(10.0, 3), (3.0, 5), (7.0, 11), (10.0, -4), (1.0000001, 3)])
def test_the_logarithm_of_a_whole_power_is_whole_unless_it_is_not(base: float, power: int) -> None:
    logarithm = floats.function(OPERATIONS["log_base"], 2)(base**power, base)
    assert (logarithm == power) == (
        referee.error(float(power), referee.value(OPERATIONS["log_base"], (base**power, base))) < 1
    )


@every_operation
def test_values_and_partials_are_doubles(operation: Operation, count: int) -> None:
    function, pullback = floats.function(operation, count), floats.pullback(operation, count, (1,) * count)
    for arguments in [(3.0,) * count, (8.0, 2.0, *[1.0] * count)[:count], *referee.samples(operation, count, 20)]:
        value = function(*arguments)
        assert {type(number) for number in (value, *pullback(1.0, value, *arguments))} <= {float, type(None)}, arguments


@pytest.mark.parametrize("order", [2.0, 3.0, 5.0, 7.0])
def test_the_root_of_a_whole_power_is_whole(order: float) -> None:
    nthroot = floats.function(OPERATIONS["nthroot"], 2)
    assert [nthroot(n**order, order) for n in range(1, 100)] == list(range(1, 100))


@every_operation
def test_meaning_has_the_same_value_and_partials(operation: Operation, count: int) -> None:
    if not operation.meaning:
        return
    exact = Multiprecision(400)
    for arguments in referee.smooth_samples(operation, count, 40):
        if all(0.01 <= abs(a) <= 20 for a in arguments):
            numbers = [exact.number(a) for a in arguments]
            value, gradient = _meaning(operation, numbers, exact)
            assert abs(exact.function(operation, count)(*numbers) - value) <= 1e-30 * abs(value) + referee.SMALLEST
            partials = exact.pullback(operation, count, referee.wanted(operation, count))(
                exact.context.one, value, *numbers
            )
            for partial, expected in zip(partials, gradient, strict=True):
                assert abs((partial or 0) - expected) <= 1e-12 * abs(expected) + referee.SMALLEST, arguments


@every_operation
def test_the_textbook_writes_the_same_partials(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 60):
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
    graph, parameters, (output,) = rules.formula(operation, len(numbers), operation.meaning)
    values = [exact.constant(graph.numbers.get(node, 0.0), graph.labels.get(node)) for node in range(len(graph))]
    for parameter, number in zip(parameters, numbers, strict=True):
        values[parameter] = number
    assert output is not None
    order = graph.needed([output])
    engine.forward(graph, order, values, exact)
    active = graph.dependent(order, parameters)
    adjoints = engine.backward(graph, order, values, output, active, exact, exact.context.one)
    return values[output], [adjoints[parameter] or exact.context.zero for parameter in parameters]


def test_an_operation_that_goes_to_another_process_is_the_one_there() -> None:
    for operation in (CONSTANT, INPUT, OWN_CALL, PARAMETER, *OPERATIONS.values()):
        assert pickle.loads(pickle.dumps(operation)) is operation  # noqa: S301  # its own
