"""Formulas as SymPy has them, and SymPy's own as texts in the language."""

from collections.abc import Callable
from typing import Any

from autodiff_cli import parse
from autodiff_cli.operations import CONSTANT, INPUT


class TooLateError(Exception):
    """A simplification takes too long."""


def too_late(*_: object) -> None:
    """Give up, as the handler of an alarm."""
    raise TooLateError


def for_sympy(sp: Any, text: str, *, exact: bool = False) -> Any:
    """A formula as SymPy has it, with real variables; decimals are fractions where it is to be `exact`."""
    functions: dict[str, Callable[..., Any]] = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "neg": lambda a: -a, "pow": lambda a, b: a**b, "square": lambda a: a**2, "cube": lambda a: a**3,
        "recip": lambda a: 1 / a, "nthroot": lambda a, b: a ** (1 / b), "log_base": lambda a, b: sp.log(a) / sp.log(b),
        "log10": lambda a: sp.log(a, 10), "log2": lambda a: sp.log(a, 2), "log1p": lambda a: sp.log(1 + a),
        "abs": sp.Abs, "ceil": sp.ceiling, "step": lambda a: sp.Heaviside(a, 1), "max": sp.Max, "min": sp.Min,
        "where": lambda c, a, b: sp.Piecewise((b, sp.Eq(c, 0)), (a, True)),
    }  # fmt: skip
    program = parse(text)
    graph, values = program.graph, {}
    for node in graph.needed([program.output]):
        operation, label = graph.operations[node], graph.labels.get(node)
        if operation is INPUT:
            values[node] = sp.Symbol(label, real=True)
        elif operation is CONSTANT:
            number = graph.numbers[node]
            known = {"pi": sp.pi, "e": sp.E}.get(label or "")
            values[node] = known or (
                sp.Rational(repr(number)) if exact or number.is_integer() else sp.Float(repr(number))
            )
        else:
            function = functions.get(operation.name) or getattr(sp, operation.name)
            values[node] = function(*[values[argument] for argument in graph.arguments[node]])
    return values[program.output]


def from_sympy(sp: Any, result: Any) -> str:
    """SymPy's own text, in the names of our functions."""
    from sympy.printing.str import StrPrinter

    printer = StrPrinter()
    text = printer.doprint

    def call(name: str) -> Callable[[Any], str]:
        return lambda result: f"{name}({', '.join(map(text, result.args))})"

    def choice(result: Any) -> str:
        found = "nan"
        for value, condition in reversed(result.args):
            always = condition == True  # noqa: E712  # a symbol
            found = text(value) if always else f"where({text(condition)}, {text(value)}, {found})"
        return found

    def relation(result: Any) -> str:
        sign = {"Eq": "==", "Ne": "!="}.get(result.rel_op, result.rel_op)
        return f"({text(result.lhs)}) {sign} ({text(result.rhs)})"

    shapes = {name: call(ours) for name, ours in (("Abs", "abs"), ("Max", "max"), ("Min", "min"), ("ceiling", "ceil"))}
    shapes |= {"Piecewise": choice, "Relational": relation, "Float": lambda result: repr(float(result))}
    shapes |= {"Heaviside": lambda result: f"step({text(result.args[0])})", "Exp1": lambda result: "exp(1)"}
    for name, shape in shapes.items():
        setattr(printer, f"_print_{name}", lambda result, shape=shape: shape(result))
    found: str = text(result)
    return found
