"""Double precision: the operations of `math`, made to answer as IEEE arithmetic does where Python raises.

An operation with a `value` in the table, and every rule, becomes a Python function once a program has the operation.
It is made from the table's formulas alone, never from a user's text. The function first tries Python's own operators;
only if one of these raises (a division by zero, an overflow) does a second one, made of the careful functions below,
give the answer that IEEE arithmetic has.
"""

import math
import operator
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from .. import rules
from ..graph import Graph
from ..operations import CONSTANT, OPERATIONS, Operation

Function = Callable[..., float]
Pullback = Callable[..., tuple[float, ...]]
INFINITY, NAN = math.inf, math.nan


def _guarded(function: Function, undefined: Function | None = None, overflow: Function | None = None) -> Function:
    """The function of one number, with the IEEE answer in place of an exception."""

    def guarded(a: float) -> float:
        try:
            return function(a)
        except ValueError:
            return undefined(a) if undefined else NAN
        except OverflowError:
            return overflow(a) if overflow else INFINITY

    return guarded


def _whole(function: Callable[[float], int]) -> Function:
    """A rounding to whole numbers that keeps infinities, nan and the sign of zero."""

    def whole(a: float) -> float:
        return math.copysign(float(function(a)), a) if math.isfinite(a) else a

    return whole


def _div(a: float, b: float) -> float:
    try:
        return a / b
    except ZeroDivisionError:
        return NAN if a == 0 or a != a else math.copysign(INFINITY, a) * math.copysign(1.0, b)


def _mod(a: float, b: float) -> float:
    try:
        return a % b
    except ZeroDivisionError:
        return NAN


def _pow(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INFINITY if a < 0 and b % 2 == 1 else INFINITY
    except ValueError:
        if a != 0:
            return NAN
        return math.copysign(INFINITY, a) if b % 2 == 1 else INFINITY


def _pole_at_zero(a: float) -> float:
    return -INFINITY if a == 0 else NAN


def _extreme(choose: Callable[..., float]) -> Function:
    def extreme(*numbers: float) -> float:
        for number in numbers:
            if number != number:
                return number
        return choose(numbers)

    return extreme


def _where(condition: float, a: float, b: float) -> float:
    return (a if condition else b) if condition == condition else NAN


def _sign(a: float) -> float:
    return float(a > 0) - float(a < 0) if a == a else a


def _precisely(name: str) -> Function:
    """A function that `math` lacks: computed with some digits more than a double has, then rounded."""

    def precisely(*numbers: float) -> float:
        precise = _precise()
        return float(precise.function(OPERATIONS[name], len(numbers))(*map(precise.number, numbers)))

    return precisely


@cache
def _precise() -> Any:
    from .multiprecision import Multiprecision  # only here: mpmath takes long to start

    return Multiprecision(25)


CAREFUL: dict[str, Function] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "neg": operator.neg,
    "div": _div,
    "mod": _mod,
    "pow": _pow,
    "lt": lambda a, b: float(a < b),
    "le": lambda a, b: float(a <= b),
    "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b),
    "eq": lambda a, b: float(a == b),
    "ne": lambda a, b: float(a != b),
    "not": lambda a: float(not a),
    "and": lambda a, b: float(bool(a and b)),
    "or": lambda a, b: float(bool(a or b)),
    "abs": abs,
    "sign": _sign,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(round),
    "trunc": _whole(math.trunc),
    "max": _extreme(max),
    "min": _extreme(min),
    "where": _where,
    "log": _guarded(math.log, _pole_at_zero),
    "log2": _guarded(math.log2, _pole_at_zero),
    "log10": _guarded(math.log10, _pole_at_zero),
    "log1p": _guarded(math.log1p, lambda a: _pole_at_zero(a + 1)),
    "sinh": _guarded(math.sinh, overflow=lambda a: math.copysign(INFINITY, a)),
    "atanh": _guarded(math.atanh, lambda a: a * INFINITY if abs(a) == 1 else NAN),
    "gamma": _guarded(
        math.gamma,
        lambda a: math.copysign(INFINITY, a) if a == 0 else NAN,
        lambda a: math.copysign(INFINITY, a) if abs(a) < 1 else INFINITY,
    ),
    "lgamma": _guarded(math.lgamma, lambda a: INFINITY),
    "digamma": _precisely("digamma"),
    "polygamma": _precisely("polygamma"),
    "beta": _precisely("beta"),
}
"""name → function for the primitives that `math` lacks or that need an answer where it raises otherwise than nan, inf"""

@cache
def function(row: Operation, count: int) -> Function:
    """The operation on so many doubles; never raises."""
    if row.value:
        return _compiled(rules.value(row, count, row.value), "{}")
    if row.name in CAREFUL:
        return CAREFUL[row.name]
    found: Function | None = getattr(math, row.name, None)
    if found is None:
        return _compiled(rules.value(row, count, row.meaning), "{}")
    return found if len(row.names) > 1 or row.variadic else _guarded(found)


@cache
def pullback(row: Operation, count: int, wanted: tuple[bool, ...]) -> Pullback:
    """The operation's contributions to the adjoints of its arguments: (g, y, *arguments) → one number for each.

    An adjoint that is zero contributes zero, whatever the partial is; a result that is nan contributes nan.
    """
    rule = rules.pullback(row, count, wanted)
    adjoint, result = rule.parameters[:2]
    zeros, nans = (f"({text * len(rule.results)})" for text in ("0.0, ", "nan, "))
    special = (f"if not p{adjoint}: return {zeros}", f"if p{result} != p{result}: return {nans}")
    made: Pullback = _compiled(rule, "({},)", special)
    return made


@cache
def singular(row: Operation, count: int) -> Callable[..., bool]:
    """Whether the operation has no derivative there: (y, *arguments) → true or false."""
    return _compiled(rules.singular(row, count), "{}") if row.singular else lambda *numbers: False


add = operator.add


# ---- The table's formulas as Python functions -----------------------------------------------------------------------

_CONDITIONS = {
    "lt": "({} < {})", "le": "({} <= {})", "gt": "({} > {})", "ge": "({} >= {})", "eq": "({} == {})",
    "ne": "({} != {})", "and": "({} and {})", "or": "({} or {})", "not": "(not {})",
}  # fmt: skip
_NATIVE = _CONDITIONS | {"add": "({} + {})", "sub": "({} - {})", "mul": "({} * {})", "div": "({} / {})", "neg": "(-{})"}
_RAW = {name: getattr(math, name) for name in OPERATIONS if hasattr(math, name)} | {"round": round, "floor": None, "ceil": None, "trunc": None}


def _compiled(rule: rules.Rule, shape: str, special: tuple[str, ...] = ()) -> Callable[..., Any]:
    """A Python function of a rule's parameters: quick operators first and, if these raise, the careful functions."""
    scope: dict[str, Any] = {"nan": NAN, "inf": INFINITY}
    quick, careful = (_statements(rule, shape, scope, quick) for quick in (True, False))
    text = "\n    ".join(
        [f"def function({', '.join(f'p{node}' for node in rule.parameters)}):", *special]
        + ["try:", *(f"    {line}" for line in quick)]
        + ["except (ArithmeticError, ValueError):", *(f"    {line}" for line in careful)]
    )
    exec(text, scope)  # the table's own formulas; nothing of a user's text is in them
    made: Callable[..., Any] = scope["function"]
    return made


def _statements(rule: rules.Rule, shape: str, scope: dict[str, Any], quick: bool) -> list[str]:
    """Python for a rule: an assignment for each node that is used twice, then the results."""
    graph = rule.graph
    results = [result for result in rule.results if result is not None]
    order = graph.needed(results)
    uses = Counter([argument for node in order for argument in graph.arguments[node]] + results)
    texts = {node: f"p{node}" for node in rule.parameters} | _constants(graph, order)
    lines = []
    for node in order:
        if node in texts:
            continue
        texts[node] = _expression(graph, node, texts, scope, quick)
        if uses[node] > 1:
            lines.append(f"t{node} = {texts[node]}")
            texts[node] = f"t{node}"
    zero = "0.0"
    return [*lines, f"return {shape.format(', '.join(zero if r is None else texts[r] for r in rule.results))}"]


def _constants(graph: Graph, order: list[int]) -> dict[int, str]:
    """The numbers that depend on no parameter, such as 1/log(2)."""
    numbers: dict[int, float] = {}
    for node in order:
        row, arguments = graph.operations[node], graph.arguments[node]
        if row is CONSTANT:
            numbers[node] = graph.numbers[node]
        elif arguments and all(argument in numbers for argument in arguments):
            numbers[node] = function(row, len(arguments))(*[numbers[argument] for argument in arguments])
    return {node: repr(number) if number >= 0 else f"({number!r})" for node, number in numbers.items()}


def _expression(graph: Graph, node: int, texts: dict[int, str], scope: dict[str, Any], quick: bool) -> str:
    row, arguments = graph.operations[node], graph.arguments[node]
    operands = [texts[argument] for argument in arguments]
    if quick and row.name in _NATIVE:
        return _NATIVE[row.name].format(*operands)
    if quick and row.name == "where" and graph.operations[arguments[0]].name in _CONDITIONS:
        return "({1} if {0} else {2})".format(*operands)
    raw = _RAW.get(row.name) if quick else None
    name = f"{row.name}_{len(arguments)}_{'quick' if raw else 'careful'}"
    scope[name] = raw or function(row, len(arguments))
    return f"{name}({', '.join(operands)})"
