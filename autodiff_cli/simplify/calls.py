"""Operations other than arithmetic: choices, conditions, what is a number already, and the laws for the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..operations import Operation
from .choices import choice
from .conditions import LOGIC, condition
from .forms import Form, Number, factors, split
from .numbers import Exact, magnitude
from .signs import is_positive

if TYPE_CHECKING:
    from .algebra import Algebra

_OF_NUMBERS: dict[str, Callable[..., Exact]] = {
    "abs": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": round,
    "max": max,
    "min": min,
    "step": lambda a: int(a >= 0),
    "relu": lambda a: max(a, 0),
}


def call(algebra: Algebra, row: Operation, arguments: tuple[Form, ...]) -> Form:
    """An operation on forms."""
    if row.name == "where":
        return choice(algebra, *arguments)
    if row.name in LOGIC:
        return condition(algebra, row.name, arguments)
    if row.name in _OF_NUMBERS:
        numbers = [argument.value for argument in arguments if isinstance(argument, Number)]
        if len(numbers) == len(arguments):
            return algebra.number(_OF_NUMBERS[row.name](*numbers) if len(numbers) > 1 else _single(row, numbers[0]))
    if row.name in ("abs", "sign") and algebra.laws.calls:
        apart = _positive_apart(algebra, row, arguments[0])
        if apart is not None:
            return apart
    return algebra.laws.call(algebra, row, arguments) or algebra.plain_call(row, arguments)


def _single(row: Operation, number: Exact) -> Exact:
    return number if row.variadic else _OF_NUMBERS[row.name](number)


def _positive_apart(algebra: Algebra, row: Operation, argument: Form) -> Form | None:
    """abs(2*a) is 2*abs(a) and sign(2*a) is sign(a): what is positive anyway stands apart."""
    number, monomial = split(argument, algebra.one)
    powers = list(factors(monomial, algebra.one))
    positive = [power for power in powers if is_positive(power[0], algebra)]
    if abs(number) == 1 and (not positive or len(positive) == len(powers) == 1):
        return None
    rest = algebra.product(1 if number > 0 else -1, [power for power in powers if power not in positive])
    inner = call(algebra, row, (rest,))
    return algebra.product(magnitude(number), [(inner, algebra.one), *positive]) if row.name == "abs" else inner
