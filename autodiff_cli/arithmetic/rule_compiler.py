"""The table's formulas as Python functions of doubles.

They are made from the table alone, never from a user's text: other rules are interpreted. A function first tries
Python's own operators. If one of these raises, because of a division by zero or an overflow, functions that never raise
give the result of IEEE arithmetic.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .. import engine
from ..graph import Graph
from ..operations import OPERATIONS, Operation
from ..rules import MOST_ARGUMENTS, NOTHING, Rule, function

Careful = Callable[[Operation, int], Callable[..., float]]
"""gives the function of an operation that never raises"""

_MOST = MOST_ARGUMENTS + 2  # parameters; a function of more is not worth compiling
_CONDITIONS = {
    "lt": "({} < {})", "le": "({} <= {})", "gt": "({} > {})", "ge": "({} >= {})", "eq": "({} == {})",
    "ne": "({} != {})", "and": "({} and {})", "or": "({} or {})", "not": "(not {})",
}  # fmt: skip
_NATIVE = _CONDITIONS | {"add": "({} + {})", "sub": "({} - {})", "mul": "({} * {})", "div": "({} / {})", "neg": "(-{})"}
_INTEGERS = ("floor", "ceil", "trunc")  # for which Python's own functions return integers
_RAW = {name: getattr(math, name) for name in OPERATIONS if hasattr(math, name) and name not in _INTEGERS}


class _Doubles(NamedTuple):
    """The careful functions, and doubles as constants, for a rule that is interpreted."""

    function: Careful

    def constant(self, number: float, name: str | None = None) -> float:
        """The number itself."""
        return number


def value(rule: Rule, careful: Careful, *, is_of_table: bool = False) -> Callable[..., Any]:
    """A rule with one result as a function of its parameters; one of the table is compiled."""
    if not is_of_table or len(rule.parameters) > _MOST:
        interpreted = function(rule, _Doubles(careful))
        return lambda *numbers: interpreted(*numbers)[0]
    return _compiled(rule, careful, "{}", [])


def contributions(rule: Rule, careful: Careful, *, is_of_table: bool = False) -> Callable[..., Sequence[float | None]]:
    """The rule of a pullback as a function of the adjoint, the result and the arguments.

    An argument that was not chosen gets None; a result that is nan contributes nan.
    """
    nans = (math.nan,) * len(rule.results)
    if not is_of_table or len(rule.parameters) > _MOST:
        interpreted = function(rule, _Doubles(careful), nothing=None)
        return lambda g, y, *numbers: nans if y != y else interpreted(g, y, *numbers)
    result = rule.parameters[1]
    return _compiled(rule, careful, "({},)", [f"if p{result} != p{result}: return {nans}"])


def _compiled(rule: Rule, careful: Careful, shape: str, special: list[str]) -> Callable[..., Any]:
    """A rule as a compiled function: quick operators first and, if these raise, the careful functions."""
    scope: dict[str, Any] = {"nan": math.nan, "inf": math.inf}
    quick, slow = (_statements(rule, careful, shape, scope, quick) for quick in (True, False))
    lines = [f"def function({', '.join(f'p{node}' for node in rule.parameters)}):", *special]
    lines += ["try:", *(f"    {line}" for line in quick)]
    lines += ["except (ArithmeticError, ValueError):", *(f"    {line}" for line in slow)]
    exec("\n    ".join(lines), scope)  # noqa: S102  # the table's own formulas; nothing of a user's text is in them
    compiled: Callable[..., Any] = scope["function"]
    return compiled


def _statements(rule: Rule, careful: Careful, shape: str, scope: dict[str, Any], quick: bool) -> list[str]:
    """Python for a rule: an assignment for each node that is used more than once, then the results."""
    graph = rule.graph
    results = [result for result in rule.results if result is not None]
    order = graph.needed(results)
    uses = Counter([argument for node in order for argument in graph.arguments[node]] + results)
    texts = {node: f"p{node}" for node in rule.parameters} | _constants(rule, order, careful)
    lines = []
    for node in order:
        if node in texts:
            continue
        texts[node] = _expression(graph, node, texts, careful, scope, quick)
        if uses[node] > 1:
            lines.append(f"t{node} = {texts[node]}")
            texts[node] = f"t{node}"
    values = ", ".join("None" if result is None else texts[result] for result in rule.results)
    return [*lines, f"return {shape.format(values)}"]


def _constants(rule: Rule, order: list[int], careful: Careful) -> dict[int, str]:
    """Texts for the nodes that depend on no parameter, such as 1/log(2); None for what passes nothing on."""
    graph = rule.graph
    varying = graph.dependent(order, rule.parameters)
    numbers = dict(graph.numbers)
    engine.forward(graph, [node for node in order if not varying[node]], numbers, _Doubles(careful))
    texts = {node: repr(number) if number >= 0 else f"({number!r})" for node, number in numbers.items()}
    return texts | {node: "None" for node in numbers if graph.labels.get(node) == NOTHING}


def _expression(
    graph: Graph, node: int, texts: dict[int, str], careful: Careful, scope: dict[str, Any], quick: bool
) -> str:
    """Python for one node, in terms of the texts of its arguments."""
    operation, arguments = graph.operations[node], graph.arguments[node]
    operands = [texts[argument] for argument in arguments]
    if quick and operation.name in _NATIVE:
        return _NATIVE[operation.name].format(*operands)
    if quick and operation.name == "where" and graph.operations[arguments[0]].name in _CONDITIONS:
        return "({1} if {0} else {2})".format(*operands)
    raw = _RAW.get(operation.name) if quick else None
    name = f"{operation.name}_{len(arguments)}_{'quick' if raw else 'careful'}"
    scope[name] = raw or careful(operation, len(arguments))
    return f"{name}({', '.join(operands)})"
