"""The truth for the tests of the table: values and slopes at a double, and points at which to look.

Values are mpmath's, slopes are differences of values, taken with ever more digits until two answers agree: neither a
derivative rule nor a form made for doubles takes part.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import compress
from typing import Any, NamedTuple

import mpmath
import pytest
from flint import arb

from autodiff_cli import engine, parse, rules
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.balls import Balls
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.graph import Graph
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import CONSTANT, INPUT, OPERATIONS, REAL, TABLE, Operation
from autodiff_cli.rules import Rule
from autodiff_cli.transforms import derivative

Number = Any
Arguments = tuple[float, ...]

LARGEST = math.nextafter(math.inf, 0)
SMALLEST_NORMAL = sys.float_info.min
SMALLEST = 1e-320
"""so far may a subnormal result be off"""
_NOTHING = mpmath.mpf("1e-330")
_SPECIAL = [
    0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 10.0, 36.7, 37.5, 100.0, 700.0, 745.0, 800.0, math.pi / 2, math.pi, math.sqrt(2),
]  # fmt: skip
_MAGNITUDES = [10.0**k for k in (-300, -200, -155, -100, -16, -8, -5, -3, 4, 8, 16, 100, 155, 200, 300)]
_NEAR = [1e-16, 3e-16, 1e-12, 1e-8, 1e-4, 1e-2]

CASES = [
    (operation, count)
    for operation in TABLE
    for count in ((1, 2, 3) if operation.variadic else (len(operation.names),))
]
every_operation = pytest.mark.parametrize(
    ("operation", "count"), CASES, ids=[f"{operation.name}-{count}" for operation, count in CASES]
)
"""the operation and the number of arguments, of one that takes any number a few"""
FORMULAS_OF_ONE = [(*case, number) for case in CASES for number in (range(4) if case[0].literal else (None,))]
"""the same with the number that a formula has written out, where the operation needs one"""
_HARD = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1e300, -1e300, 1e-300, math.inf, -math.inf, math.nan)
HARD = {1: _HARD, 2: (*_HARD[::2], math.inf), 3: (0.0, -1.0, 2.0, math.nan)}
"""numbers for so many arguments, all of which are tried with each other"""


def has_no_formula(operation: Operation, arguments: Arguments) -> bool:
    """Whether the engine says there what no formula can."""
    if operation.name == "beta":
        return not all(0 < a < 1e10 for a in arguments)  # where gamma functions overflow, or are poles
    # the slopes of logsumexp are nan there, as masks they are 0
    return operation.name == "logsumexp" and any(map(math.isinf, arguments))


@cache
def arithmetic(digits: int) -> Multiprecision:
    return Multiprecision(digits)


@cache
def textbook(digits: int) -> Multiprecision:
    return Multiprecision(digits, textbook=True)


def called(operation: Operation, arguments: Arguments) -> Evaluation:
    """The operation on inputs `a`, `b`, … at these numbers; a first argument that must be written out is."""
    names = "abcd"[: len(arguments)]
    point = dict(zip(names, arguments, strict=True))
    operands = [(name, CALL) for name in names]
    if operation.literal:
        operands[0] = (str(int(arguments[0])), CALL)
        del point["a"]
    return evaluate(parse(operation_text(operation, operands)), point)


# ---- Where to look ---------------------------------------------------------------------------------------------------


def samples(operation: Operation, count: int, limit: int) -> list[Arguments]:
    """Points over the whole of the operation's domain, those of several arguments partly of ordinary size."""
    chance = random.Random(f"{operation.name} {count}")
    intervals = operation.domain if len(operation.domain) == count else (REAL,) * count
    candidates = [_points(low, high, chance) for low, high in intervals]
    if operation.literal:
        candidates[0] = [float(n) for n in range(int(intervals[0][0]), int(intervals[0][1]) + 1)]
    if count == 1:
        return [(point,) for point in candidates[0]]
    ordinary = [[x for x in points if x == 0 or 1e-3 <= abs(x) <= 1e3] for points in candidates]
    found = [tuple(map(chance.choice, candidates)) for _ in range(limit // 2)]
    found += [tuple(map(chance.choice, ordinary)) for _ in range(limit // 4)]
    found += [_close(tuple(map(chance.choice, ordinary)), operation.literal, chance) for _ in range(limit // 4)]
    return [
        point for point in dict.fromkeys(found) if all(a <= x <= b for x, (a, b) in zip(point, intervals, strict=True))
    ]


def _points(low: float, high: float, chance: random.Random) -> list[float]:
    """Special values, magnitudes, the neighbourhood of 1 and of the edges, and random numbers of every size."""
    found = _SPECIAL + _MAGNITUDES + [1 + q for q in _NEAR] + [1 - q for q in _NEAR]
    found += [10 ** chance.uniform(-300, 300) for _ in range(6)] + [10 ** chance.uniform(-8, 3) for _ in range(12)]
    found += [chance.uniform(0, scale) for scale in (1, 3, 40, 1000) for _ in range(5)]
    found += [-x for x in found]
    for edge in filter(math.isfinite, (low, high)):
        found += [edge, *(edge + sign * q * max(abs(edge), 1) for q in _NEAR for sign in (1, -1))]
        found += [chance.uniform(low, high) for _ in range(15) if math.isfinite(low + high)]
    return [x for x in dict.fromkeys(found) if low <= x <= high]


def _close(point: Arguments, literal: bool, chance: random.Random) -> Arguments:
    """All arguments near the last one or near a multiple of it."""
    near = [
        point[-1] * chance.choice([1, 1, 3, 10]) * (1 + chance.choice([0, 1e-15, -1e-12, 1e-5, 0.01])) for _ in point
    ]
    return (point[0], *near[1:]) if literal else tuple(near)


# ---- What is true there ----------------------------------------------------------------------------------------------


def value(operation: Operation, arguments: Arguments) -> Number:
    """The operation's value at these doubles."""

    def attempt(digits: int) -> Number:
        exact = arithmetic(digits)
        return exact.function(operation, len(arguments))(*map(exact.number, arguments))

    return _settled(attempt, 50 + _spread(*arguments), 700)


def slope(operation: Operation, arguments: Arguments, places: Sequence[int]) -> Number:
    """Its partial derivative by the argument at a place, or the second one by the arguments at two places."""
    order = len(places)

    def attempt(digits: int) -> Number:
        exact = arithmetic(digits)
        function, at = exact.function(operation, len(arguments)), [exact.number(a) for a in arguments]
        return _difference(lambda numbers: function(*numbers), at, places, exact, digits // (2 * order + 1))

    spread = order * _spread(*arguments)
    hidden = (
        340 + spread + _spread(float(value(operation, arguments)))
    )  # the digits of the value that no step must reach
    return _settled(attempt, 60 + spread * 3 // 2, hidden * (2 * order + 1) // (order + 1))


def _difference(
    function: Callable[[list[Number]], Number],
    at: list[Number],
    places: Sequence[int],
    exact: Multiprecision,
    digits: int,
) -> Number:
    """The central difference quotient, repeated for each place, at a step that is so many digits smaller."""
    if not places:
        return function(at)
    place = places[0]
    size = min(abs(at[place]), 1) or 1
    step = exact.number("0.7390851") * size * exact.context.power(10, -digits)

    def beside(sign: int) -> Number:
        moved = [number + sign * step * (i == place) for i, number in enumerate(at)]
        return _difference(function, moved, places[1:], exact, digits)

    return (beside(1) - beside(-1)) / (2 * step)


def _spread(*numbers: float) -> int:
    """The number of digits between 1 and these numbers."""
    return max(int(abs(math.log10(abs(a)))) if a and math.isfinite(a) else 0 for a in numbers)


def _settled(attempt: Callable[[int], Number], digits: int, enough: int) -> Number:
    """The answer on which two precisions agree; zero only with so many digits that no double could be hidden."""
    before = attempt(digits)
    while digits < 5000:
        digits = digits * 8 // 5
        now = attempt(digits)
        if (now != now and before != before) or (mpmath.isinf(now) and now == before):
            return now
        if abs(now - before) <= abs(now) * 1e-20 and now != 0:
            return now
        if digits > enough and abs(now) < _NOTHING and abs(before) < _NOTHING:
            return now * 0
        before = now
    raise NoAnswerError("the referee found no answer")


class NoAnswerError(Exception):
    """Even thousands of digits do not settle what is true."""


# ---- How far off a double is -----------------------------------------------------------------------------------------


def largest_terms(rule: Rule, numbers: Sequence[float]) -> Iterator[Number]:
    """The size of the largest term of each result of a rule, when sums are multiplied out."""
    exact = arithmetic(60)
    graph, values, sizes = rule.graph, dict(zip(rule.parameters, map(exact.number, numbers), strict=True)), {}
    for node in graph.needed(result for result in rule.results if result is not None):
        operation, parts = graph.operations[node], graph.arguments[node]
        if operation is CONSTANT:
            values[node] = exact.constant(graph.numbers[node], graph.labels.get(node))
        elif parts:
            values[node] = exact.function(operation, len(parts))(*[values[part] for part in parts])
        sizes[node] = _size(
            operation.name, [values[part] for part in parts], [sizes[part] for part in parts], values[node]
        )
    return (exact.context.zero if result is None else sizes[result] for result in rule.results)


def _size(name: str, values: list[Number], sizes: list[Number], result: Number) -> Number:
    if name in ("add", "sub"):
        return max(sizes)
    if name == "mul":
        return sizes[0] * sizes[1]
    if name == "div":
        return sizes[0] / abs(values[1]) if values[1] else mpmath.inf
    if name == "neg":
        return sizes[0]
    if name == "where":
        return sizes[1] if values[0] else sizes[2]
    return abs(result)


def near_zero(true: Callable[[Arguments], Number], arguments: Arguments) -> bool:
    """Whether the sign of the truth changes within a factor of 2.5 of an argument."""
    here = true(arguments)
    moved = (
        (*arguments[:place], a * factor, *arguments[place + 1 :])
        for place, a in enumerate(arguments)
        for factor in (0.4, 2.5)
    )
    try:
        return bool(here == 0) or any(here * true(point) < 0 for point in moved)
    except NoAnswerError:
        return False


def error(actual: float, true: Number, largest: Number = 0) -> float:
    """The error in units in the last place of the true number or, where that is larger, of the largest term.

    What overflows counts as the largest double.
    """
    if math.isnan(actual) or true != true:
        return 0.0 if math.isnan(actual) and true != true else math.inf
    off = abs(_within(mpmath.mpf(actual)) - _within(true))
    return 0.0 if off <= SMALLEST else float(off / math.ulp(float(_within(max(abs(true), largest)))))


def _within(number: Number) -> Number:
    return max(-LARGEST, min(LARGEST, number))


ULPS = 4
LOOSE = {
    "gamma": 10,  # Python's own sum is off by up to 6.9
    "factorial": 10,  # is made of gamma
    "lgamma": 12,  # Python's own sum is off by up to 10.8 left of 0
    "gelu": 5,  # a number times normcdf, which is off by up to 4
}
"""operation → its bound, where a function that it is made of, taken as it is, keeps it from the usual one"""
PARTIALS = {
    **dict.fromkeys(("atan2", "csch", "gelu", "log_base", "normpdf", "sech", "silu", "tanh"), 6),  # products
    "cbrt": 12,  # the C library's is off by up to 3.7, and the rule squares it
    "factorial": 12,  # a value that is off by up to 10, times the digamma function
    "beta": 12,  # left of 0 they are products of many functions
}
"""operation → the bound of its partials, where it is looser than that of the value"""
FORMULAS = {"beta": 1000, "polygamma": 20, "trigamma": 16}
"""bounds of formulas that take the place of a function"""
FORMULA_ULPS = 10
"""the bound of an operation that is made of such formulas"""
GAMMAS = {"gamma", "lgamma", "factorial", "digamma", "trigamma", "polygamma", "beta"}
"""operations that left of 0 are the sum of a function right of 0 and one of period 1, with a zero between two poles"""
OSCILLATING = {"sinc"}
"""operations that have a zero, or a slope of zero, near every number but the smallest"""
OF_TERMS = GAMMAS | OSCILLATING
"""operations that are off by units of the largest term of their rule"""


class Verdict(NamedTuple):
    """The error of a result."""

    ulps: float
    true: float
    beyond: bool
    """the bound of docs/numerics.md"""


def bound_of(operation: Operation, place: int, *, formula: bool = False) -> float:
    """The bound of docs/numerics.md for the value, place 0, or a partial, in units in the last place."""
    bound = (PARTIALS if place else {}).get(operation.name) or LOOSE.get(operation.name, ULPS)
    return FORMULAS.get(operation.name, max(bound, FORMULA_ULPS)) if formula else bound


def judged(
    operation: Operation, arguments: Arguments, place: int, actual: float, expected: Number, *, formula: bool = False
) -> Verdict:
    """The verdict on the value, place 0, or on the partial by an argument, from 1 on.

    What is off by more than the bound from what is expected is judged by the truth: in units of the true number or,
    near a zero of it, in units of the largest term of its rule. `formula` says that it is computed without any function
    that is not elementary.
    """
    bound = bound_of(operation, place, formula=formula)
    off = error(actual, expected)
    if off > bound:
        true = partial(slope, operation, places=(place - 1,)) if place else partial(value, operation)
        expected = true(arguments)
        off = error(actual, expected)
        if off > bound and (operation.name in OF_TERMS or near_zero(true, arguments)):
            off = error(actual, expected, unit(operation, arguments, place))
    return Verdict(off, float(expected), off > bound)


def unit(operation: Operation, arguments: Arguments, place: int) -> float:
    """The size of the largest term of the rule for the value or a partial; left of 0 that of the reflected function."""
    return (_reflected if operation.name in GAMMAS else _largest_term)(operation, arguments, place)


def _largest_term(operation: Operation, arguments: Arguments, place: int) -> float:
    count = len(arguments)
    if place:
        result = floats.function(operation, count)(*arguments)
        alone = rules.pullback(operation, count, tuple(i == place - 1 for i in range(count)))
        rule = Rule(alone.graph, alone.parameters, (alone.results[place - 1],))
        return float(_within(next(largest_terms(rule, (1.0, result, *arguments)))))
    if operation.value:
        return float(_within(next(largest_terms(rules.formula(operation, count, operation.value), arguments))))
    return 0.0


def _reflected(operation: Operation, arguments: Arguments, place: int) -> float:
    """The largest term of a relative of gamma: left of 0 it is a function right of 0, and one of period 1."""
    if not place and operation.name in ("gamma", "factorial", "beta"):
        return 0.0
    exact = Balls(64 + 4 * _spread(*arguments))
    with exact.precision():
        size = _reflected_ball(exact, operation, [arb(a) for a in arguments], place)
    return min(float(size), LARGEST) if size.is_finite() else 0.0


def _reflected_ball(exact: Balls, operation: Operation, numbers: list[arb], place: int) -> arb:
    def size(order: int, a: arb) -> arb:
        found = abs(exact.function(OPERATIONS["polygamma"], 2)(arb(order), a if a > 0 else 1 - a))
        return found if order or a > 0 else found.max(1)  # digamma has a zero right of 0 too

    function, first = exact.function(operation, len(numbers)), numbers[0]
    if operation.name == "beta":
        return abs(function(*numbers)) * size(0, numbers[place - 1]).max(size(0, sum(numbers, start=arb(0))))
    if operation.name == "polygamma":
        return size(round(float(first)) + (place > 0), numbers[1])
    if operation.name in ("digamma", "trigamma"):
        return size(place + (operation.name == "trigamma"), first)
    if operation.name == "lgamma":
        return size(0, first) if place else abs(function((1 - first).max(first))).max(1)
    return size(0, first + (operation.name == "factorial")) * abs(function(first))


def precise_gradient(
    evaluation: Evaluation, exact: Multiprecision, moved: str = "", step: Number = 0
) -> tuple[Number, list[Number]]:
    """The value and the gradient of the same graph from the same doubles and the exact pi, with one input moved."""
    program, order = evaluation.program, evaluation.order
    values = [exact.number(number) for number in evaluation.values]
    for name, node in program.constants.items():
        values[node] = exact.constant(evaluation.values[node], name)
    if moved:
        values[evaluation.inputs[moved]] += step
    engine.forward(program.graph, order, values, exact)
    nodes = [evaluation.inputs[name] for name in evaluation.wrt]
    active = program.graph.dependent(order, nodes)
    adjoints = engine.backward(program.graph, order, values, program.output, active, exact, exact.context.one)
    return values[program.output], [adjoints[node] or exact.context.zero for node in nodes]


def quick_results(operation: Operation, arguments: Arguments) -> Iterator[tuple[int, Number]]:
    """The true value, place 0, and the true partials by the arguments, from 1 on: by the textbook's rules.

    There are no partials where the operation is not smooth.
    """
    count, places = len(arguments), wanted(operation, len(arguments))

    @cache
    def result(digits: int) -> Number:
        exact = textbook(digits)
        return exact.function(operation, count)(*map(exact.number, arguments))

    @cache
    def partials(digits: int) -> Sequence[Number]:
        exact = textbook(digits)
        numbers = map(exact.number, arguments)
        found = exact.pullback(operation, count, places)(exact.context.one, result(digits), *numbers)
        return [exact.context.zero if partial is None else partial for partial in found]

    yield 0, _settled(result, 30, 700)
    if smooth(operation, arguments):
        for place in compress(range(count), places):
            yield place + 1, _settled(lambda digits, place=place: partials(digits)[place], 30, 700)


def wanted(operation: Operation, count: int) -> tuple[bool, ...]:
    """Its arguments but for a number that is written out."""
    return tuple(place > 0 or not operation.literal for place in range(count))


def smooth(operation: Operation, arguments: Arguments, result: float | None = None) -> bool:
    """Whether there is a derivative by doubles on either side; the operation's result need not be computed again."""
    inside = all(a not in edges for a, edges in zip(arguments, operation.domain, strict=False))
    if result is None:
        result = floats.function(operation, len(arguments))(*arguments)
    return inside and not floats.singular(operation, len(arguments))(result, *arguments)


def smooth_samples(operation: Operation, count: int, limit: int, step: int = 1) -> Iterator[Arguments]:
    """Those of every so many `samples` at which there is a derivative."""
    return (arguments for arguments in samples(operation, count, limit)[::step] if smooth(operation, arguments))


def second_partials(operation: Operation, arguments: Arguments) -> Iterator[tuple[int, int, float, float]]:
    """The places that are differentiated by, the second partial as a double, and the size of its largest term."""
    graph = Graph()
    places = wanted(operation, len(arguments))
    nodes = tuple(graph.add(INPUT) if want else graph.constant(a) for a, want in zip(arguments, places, strict=True))
    free = [place for place, want in enumerate(places) if want]
    first = derivative(graph, graph.add(operation, nodes), [nodes[i] for i in free])
    second = {(i, j): node for i, part in zip(free, first, strict=True)
              for j, node in zip(free, derivative(graph, part, [nodes[j] for j in free]), strict=True)}  # fmt: skip
    values = [graph.numbers.get(node, 0.0) for node in range(len(graph))]
    for node, a in zip(nodes, arguments, strict=True):
        values[node] = a
    engine.forward(graph, graph.needed(second.values()), values, floats)
    sizes = largest_terms(rules.Rule(graph, nodes, tuple(second.values())), arguments)
    return ((i, j, values[node], size) for ((i, j), node), size in zip(second.items(), sizes, strict=True))
