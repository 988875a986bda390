"""Derivatives by the parameters of the program's own functions: those of the same program without functions."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import pytest

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate

_OPERATIONS = (
    *("({} + {})", "({} - {})", "{}*{}", "{}*{}", "{}^2", "sin({})", "exp({}/9)", "tanh({})/{}"),
    *("where({} > {}, {}, {})", "max({}, {})", "{}/(3 + {}^2)"),
)
_POINT = {"x": 0.7, "y": -1.3}


class _Expression(NamedTuple):
    """What is written with `{}` for each of its parts; a `call` has a function, a derivative a `variable`."""

    text: str
    parts: Sequence["_Expression"] = ()
    call: "_Function | None" = None
    variable: str = ""


class _Function(NamedTuple):
    """A function with a list or a few numbers as parameters."""

    name: str
    parameters: Sequence[str]
    body: _Expression
    is_of_list: bool

    @property
    def definition(self) -> str:
        names = "v" if self.is_of_list else ", ".join(self.parameters)
        return f"{self.name}({names}) = {_written(self.body)}"


class _Drawing:
    """Functions, each of which may call those before it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.functions: list[_Function] = []
        for name in ("f", "g", "h")[: self.random.randint(1, 3)]:
            is_of_list = self.random.random() < 0.25
            count = self.random.randint(1, 3)
            parameters = [f"v[{place + 1}]" if is_of_list else "abc"[place] for place in range(count)]
            body = self.derivative(2, parameters, parameters)
            self.functions.append(_Function(name, parameters, body, is_of_list))

    def expression(self, depth: int, leaves: Sequence[str], parameters: Sequence[str] = ()) -> _Expression:
        """An expression of leaves; in the definition of a function also of derivatives by its parameters."""
        kind = self.random.random()
        if not depth or kind < 0.15:
            return _Expression(self.random.choice([*leaves, *leaves, "x", "named", "1.7"]))
        if parameters and kind < 0.35:
            return self.derivative(depth - 1, leaves, parameters)
        if kind < 0.5 and self.functions:
            return self.call(depth - 1, leaves, parameters)
        if kind < 0.6 and "i" not in leaves:
            term = [_Expression("i"), self.expression(depth - 1, [*leaves, "i"], parameters)]
            return _Expression("sum(i, 1, 3, {})", [_Expression("{}*{}", term)])
        text = self.random.choice(_OPERATIONS)
        return _Expression(text, [self.expression(depth - 1, leaves, parameters) for _ in range(text.count("{}"))])

    def derivative(self, depth: int, leaves: Sequence[str], parameters: Sequence[str]) -> _Expression:
        """A first or second derivative by a parameter."""
        variable, order = self.random.choice(parameters), self.random.choice(("", "", ", 2"))
        inner = _Expression("{}^2*{}", [_Expression(variable), self.expression(depth, leaves, parameters)])
        return _Expression(f"D({{}}, {{}}{order})", [inner], variable=variable)

    def call(self, depth: int, leaves: Sequence[str], parameters: Sequence[str] = ()) -> _Expression:
        """A call of a function."""
        function = self.random.choice(self.functions)
        arguments = [self.expression(depth, leaves, parameters) for _ in function.parameters]
        holes = ", ".join("{}" for _ in arguments)
        text = f"{function.name}([{holes}])" if function.is_of_list else f"{function.name}({holes})"
        return _Expression(text, arguments, call=function)


def _written(expression: _Expression) -> str:
    parts = [_in_parentheses(_written(part)) for part in expression.parts]
    return expression.text.format(*parts, expression.variable)


def _in_parentheses(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _flat(expression: _Expression, names: Mapping[str, str], statements: list[str]) -> str:
    """The text without functions and sums, in which each argument of a call is a value of its own, with a name."""
    if expression.text.startswith("sum("):
        terms = [_flat(expression.parts[0], {**names, "i": str(index)}, statements) for index in (1, 2, 3)]
        return f"({' + '.join(map(_in_parentheses, terms))})"
    if not expression.parts:
        return names.get(expression.text, expression.text)
    parts = [_in_parentheses(_flat(part, names, statements)) for part in expression.parts]
    if expression.call:
        arguments = {}
        for parameter, part in zip(expression.call.parameters, parts, strict=True):
            arguments[parameter] = f"t{len(statements)}"
            statements.append(f"{arguments[parameter]} = {part} + 0")  # which is no other name of `part`
        return _flat(expression.call.body, arguments, statements)
    return expression.text.format(*parts, names.get(expression.variable))


@pytest.mark.parametrize("seed", range(80))
def test_derivatives_by_parameters_are_those_by_inputs_in_their_place(seed: int) -> None:
    drawing = _Drawing(seed)
    call = drawing.call(1, ["x", "y"])
    named = "named = x*y"
    text = "; ".join([named, *(function.definition for function in drawing.functions), _written(call)])
    statements: list[str] = []
    assert call.call
    result = _flat(call, {}, statements)
    found = evaluate(parse(text), _POINT, [*_POINT])
    true = evaluate(parse("; ".join([named, *statements, result])), _POINT, [*_POINT])
    assert found.value == pytest.approx(true.value, rel=1e-9, abs=1e-12, nan_ok=True), text
    assert found.gradient == pytest.approx(true.gradient, rel=1e-9, abs=1e-12, nan_ok=True), text
