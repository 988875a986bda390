"""Comparisons, and conditions joined by `and`, `or` and `not`.

Two numbers compare as less, equal or greater; a comparison is the set of the outcomes for which it holds. Nan has no
outcome: where it gets into a condition the formula has no value to begin with.
"""

from typing import TypeGuard

from ..operations import AND, EQ, GE, GT, LE, LT, MAX, MIN, NE, NOT, OR, Operation
from .algebra import Algebra
from .forms import Call, Form, Number

LESS, EQUAL, GREATER = 1, 2, 4
ALWAYS = LESS | EQUAL | GREATER
_OUTCOMES = {LT: LESS, LE: LESS | EQUAL, GT: GREATER, GE: GREATER | EQUAL, EQ: EQUAL, NE: LESS | GREATER}
_COMPARISONS = {outcomes: operation for operation, outcomes in _OUTCOMES.items()}
LOGIC = frozenset([*_OUTCOMES, AND, OR, NOT])


def is_comparison(form: Form) -> TypeGuard[Call]:
    """Whether a form compares two others."""
    return isinstance(form, Call) and form.operation in _OUTCOMES


def outcomes(form: Form) -> int:
    """The outcomes for which a comparison holds; 0 for any other form."""
    return _OUTCOMES.get(form.operation, 0) if isinstance(form, Call) else 0


def condition(algebra: Algebra, operation: Operation, arguments: tuple[Form, ...]) -> Form:
    """A comparison, or conditions joined by `and`, `or` and `not`."""
    if operation in _OUTCOMES:
        return comparison(algebra, arguments, _OUTCOMES[operation])
    return negation(algebra, *arguments) if operation is NOT else _junction(algebra, operation, *arguments)


def comparison(algebra: Algebra, pair: tuple[Form, ...], when: int) -> Form:
    """The comparison that holds for some outcomes; a number stands on the right, others in the order of the formula."""
    a, b = pair
    (times_a, left), (times_b, right) = algebra.split(a), algebra.split(b)
    if a is not b and left is right and not isinstance(a, Number):  # x < 2*x is x > 0
        a, b, when = left, algebra.zero, when if times_a > times_b else _swapped(when)
    if a is b:
        when = ALWAYS if when & EQUAL else 0
    elif isinstance(a, Number) and isinstance(b, Number):
        outcome = LESS if a.value < b.value else EQUAL if a.value == b.value else GREATER
        when = ALWAYS if when & outcome else 0
    if when in (0, ALWAYS):
        return algebra.one if when else algebra.zero
    for part, extreme in ((a, b), (b, a)) if when == EQUAL else ():
        if isinstance(extreme, Call) and extreme.operation in (MAX, MIN) and len(extreme.arguments) == 2:
            first, second = extreme.arguments
            if part is first or part is second:  # a == max(a, b) is a >= b
                other = second if part is first else first
                return comparison(algebra, (part, other), EQUAL | (GREATER if extreme.operation is MAX else LESS))
    if isinstance(a, Number) or (a.index > b.index and not isinstance(b, Number)):
        a, b, when = b, a, _swapped(when)
    return algebra.plain_call(_COMPARISONS[when], (a, b))


def _swapped(when: int) -> int:
    """The outcomes for the two numbers in the other order."""
    return when & EQUAL | (GREATER if when & LESS else 0) | (LESS if when & GREATER else 0)


def negation(algebra: Algebra, form: Form) -> Form:
    """`not form`."""
    if isinstance(form, Number):
        return algebra.zero if form.value else algebra.one
    if is_comparison(form):
        return comparison(algebra, form.arguments, ALWAYS & ~outcomes(form))
    return algebra.plain_call(NOT, (form,))


def _junction(algebra: Algebra, operation: Operation, a: Form, b: Form) -> Form:
    """`a and b`, or `a or b`."""
    decisive = operation is OR  # the truth value of one condition that decides without the other
    for first, second in ((a, b), (b, a)):
        if isinstance(first, Number) and bool(first.value) is decisive:
            return algebra.number(int(decisive))
        if isinstance(first, Number) and isinstance(second, Number):
            return algebra.number(int(second.value != 0))
        if isinstance(first, Number) and is_comparison(second):
            return second
        if decisive and isinstance(first, Call) and first.operation is NOT and first.arguments[0] is second:
            return algebra.one
    if is_comparison(a) and is_comparison(b) and a.arguments == b.arguments:
        both = outcomes(a), outcomes(b)
        return comparison(algebra, a.arguments, both[0] | both[1] if decisive else both[0] & both[1])
    return algebra.plain_call(operation, (a, b))
