"""Comparisons, and conditions joined by `and`, `or` and `not`.

Two numbers compare as less, equal or greater, or as unordered where one of them is nan; a comparison is the set of the
outcomes for which it holds. So `not (a < b)` is `a >= b` only where neither a nor b can be nan.
"""

from collections.abc import Sequence
from functools import reduce
from typing import TypeGuard

from ..operations import AND, CONDITIONS, EQ, GE, GT, LE, LT, MAX, MIN, NE, NOT, OR, Operation
from .algebra import Algebra
from .forms import NAMED, Call, E, Form, Leaf, Number, Product, Sum, whole

LESS, EQUAL, GREATER, UNORDERED = 1, 2, 4, 8
ALWAYS = LESS | EQUAL | GREATER | UNORDERED
_OUTCOMES = {LT: LESS, LE: LESS | EQUAL, GT: GREATER, GE: GREATER | EQUAL, EQ: EQUAL, NE: ALWAYS & ~EQUAL}
_TOTAL = frozenset(["abs", "sign", "floor", "ceil", "round", "trunc", "max", "min", "relu", "atan", "asinh", "cbrt"])
_SATURATED = frozenset(["sigmoid", "softplus", "erf", "erfc", "normcdf", "normpdf"])
_PERIODIC = frozenset(["sin", "cos"])
_GROWING = frozenset(["exp2", "expm1", "sinh", "cosh"])
_DEPTH = 5  # levels of a form that are searched for what may be nan


def is_comparison(form: Form) -> TypeGuard[Call]:
    """Whether a form compares two others."""
    return isinstance(form, Call) and form.operation in _OUTCOMES


def _is_condition(form: Form) -> TypeGuard[Call]:
    """Whether a form is 0 or 1: a comparison, or conditions joined by `and`, `or` and `not`."""
    return isinstance(form, Call) and form.operation in CONDITIONS


def outcomes(form: Form) -> int:
    """The outcomes for which a comparison holds; 0 for any other form."""
    return _OUTCOMES[form.operation] & possible(form.arguments) if is_comparison(form) else 0


def possible(pair: tuple[Form, ...]) -> int:
    """The outcomes that comparing two forms may have."""
    return ALWAYS & ~UNORDERED if all(map(_has_value, pair)) else ALWAYS


def _has_value(form: Form, depth: int = _DEPTH, *, finite: bool = False) -> bool:
    """Whether a form is never nan, and if `finite` never out of range, for inputs of any ordinary size."""
    if isinstance(form, Number):
        return True
    if isinstance(form, Leaf):
        return not form.is_computed and form.node != NAMED["nan"] and not (finite and form.node == NAMED["inf"])
    if not depth:
        return False
    if isinstance(form, Call):
        name = form.operation.name
        is_total = name in _TOTAL or name in _SATURATED or name in _PERIODIC or (name in _GROWING and not finite)
        finite = (finite and name not in _SATURATED) or name in _PERIODIC
        return is_total and all(_has_value(argument, depth - 1, finite=finite) for argument in form.arguments)
    if isinstance(form, Sum):
        return all(_has_value(monomial, depth - 1, finite=finite or not form.is_scaled) for monomial, _ in form.terms)
    assert isinstance(form, Product)
    base, exponent = form.factors[0]
    if len(form.factors) == 1 and isinstance(base, Leaf) and base.node == E:
        return not finite and _has_value(exponent, depth - 1)
    return all((whole(n) or 0) > 0 and _has_value(base, depth - 1, finite=True) for base, n in form.factors)


def condition(algebra: Algebra, operation: Operation, arguments: tuple[Form, ...]) -> Form:
    """A comparison, or conditions joined by `and`, `or` and `not`."""
    if operation in _OUTCOMES:
        return comparison(algebra, arguments, _OUTCOMES[operation])
    return negation(algebra, *arguments) if operation is NOT else _junction(algebra, operation, *arguments)


def comparison(algebra: Algebra, pair: tuple[Form, ...], when: int) -> Form:
    """The comparison that holds for some outcomes; a number is on the right, others in the order of the formula."""
    a, b = pair
    (times_a, left), (times_b, right) = algebra.split(a), algebra.split(b)
    if a is not b and left is right and not isinstance(a, Number):  # x < 2*x is x > 0
        a, b, when = left, algebra.zero, when if times_a > times_b else _swapped(when)
    every = possible((a, b))
    if a is b:
        every &= EQUAL | UNORDERED
    elif isinstance(a, Number) and isinstance(b, Number):
        every = LESS if a.value < b.value else EQUAL if a.value == b.value else GREATER
    when &= every
    if when in (0, every):
        return algebra.one if when else algebra.zero
    for part, extreme in ((a, b), (b, a)) if when == EQUAL else ():
        if isinstance(extreme, Call) and extreme.operation in (MAX, MIN) and len(extreme.arguments) == 2:
            first, second = extreme.arguments
            if part is first or part is second:  # a == max(a, b) is a >= b
                other = second if part is first else first
                return comparison(algebra, (part, other), EQUAL | (GREATER if extreme.operation is MAX else LESS))
    if isinstance(a, Number) or (a.index > b.index and not isinstance(b, Number)):
        a, b, when = b, a, _swapped(when)
    operation = _named(when, every)
    if operation is None:
        return algebra.plain_call(NOT, (comparison(algebra, (a, b), every & ~when),))
    return algebra.plain_call(operation, (a, b))


def _named(when: int, every: int) -> Operation | None:
    """The comparison that holds for some outcomes among those that are possible; None if there is none."""
    return next((operation for operation, outcomes in _OUTCOMES.items() if outcomes & every == when), None)


def _swapped(when: int) -> int:
    """The outcomes for the two numbers in the other order."""
    return when & (EQUAL | UNORDERED) | (GREATER if when & LESS else 0) | (LESS if when & GREATER else 0)


def negation(algebra: Algebra, form: Form) -> Form:
    """`not form`."""
    if isinstance(form, Number):
        return algebra.zero if form.value else algebra.one
    if isinstance(form, Call) and form.operation is NOT and _is_condition(form.arguments[0]):
        return form.arguments[0]
    if is_comparison(form):
        return comparison(algebra, form.arguments, ALWAYS & ~outcomes(form))
    return algebra.plain_call(NOT, (form,))


def _junction(algebra: Algebra, operation: Operation, a: Form, b: Form) -> Form:
    """`a and b`, or `a or b`."""
    short = _shorter(algebra, operation, a, b) or _shorter(algebra, operation, b, a)
    if short is not None:
        return short
    of_a, of_b = joined_by(algebra, operation, a), joined_by(algebra, operation, b)
    for i, first in enumerate(of_a if len(of_a) + len(of_b) > 2 else ()):
        for j, second in enumerate(of_b):
            short = _shorter(algebra, operation, first, second) or _shorter(algebra, operation, second, first)
            if short is not None:
                return joined(algebra, operation, [*_without(of_a, i), short, *_without(of_b, j)])
    conditions = frozenset([*of_a, *of_b])
    form = algebra.junctions.get((operation, conditions))
    if form is None:  # the first order stays, and so do the shared parts of the longer one
        shorter, longer, parts = (of_b, a, of_a) if len(of_a) > len(of_b) else (of_a, b, of_b)
        more = [part for part in reversed(shorter) if part not in parts]
        form = reduce(lambda right, left: algebra.plain_call(operation, (left, right)), more, longer)
        algebra.junctions[operation, conditions] = form
    return form


def joined_by(algebra: Algebra, operation: Operation, form: Form) -> list[Form]:
    """The conditions that `and` or `or` joins to this one; some of them stay joined where there are many."""
    parts: list[Form] = []
    pending = [form]
    while pending:
        part = pending.pop()
        if isinstance(part, Call) and part.operation is operation and len(parts) + len(pending) < algebra.most_parts:
            pending += reversed(part.arguments)
        else:
            parts.append(part)
    return parts


def joined(algebra: Algebra, operation: Operation, parts: Sequence[Form]) -> Form:
    """Conditions joined by `and` or `or`, from the right."""
    return reduce(lambda right, left: algebra.call(operation, (left, right)), reversed(parts))


def without_redundant_parts(algebra: Algebra, form: Form) -> Form:
    """A condition with `a` in place of `a and 1`, and `a or b` in place of `a or (b and not a)`."""
    each = [joined_by(algebra, AND, part) for part in joined_by(algebra, OR, form)]
    known = {negation(algebra, part) for (part, *others) in each if len(each) > 1 and not others} | {algebra.one}
    rests = [[part for part in parts if part not in known] or parts[:1] for parts in each]
    if rests == each:
        return form
    return without_redundant_parts(algebra, joined(algebra, OR, [joined(algebra, AND, rest) for rest in rests]))


def _without(parts: Sequence[Form], place: int) -> Sequence[Form]:
    return [*parts[:place], *parts[place + 1 :]]


def _shorter(algebra: Algebra, operation: Operation, a: Form, b: Form) -> Form | None:
    """A shorter form of `a and b` or `a or b`, where one decides the other or they share a part; None for none."""
    decisive = operation is OR  # the truth value of one condition that decides without the other
    if isinstance(a, Number):
        if bool(a.value) is decisive:
            return algebra.number(int(decisive))
        if isinstance(b, Number):
            return algebra.number(int(b.value != 0))
        return b if _is_condition(b) else None
    if isinstance(a, Call) and a.operation is NOT and a.arguments[0] is b:
        return algebra.number(int(decisive))
    if a is b:
        return a if _is_condition(a) else comparison(algebra, (a, algebra.zero), ALWAYS & ~EQUAL)
    if is_comparison(a) and a.operation is NE and a.arguments == (b, algebra.zero):
        return a
    if is_comparison(a) and is_comparison(b) and a.arguments == b.arguments:
        when = outcomes(a) | outcomes(b) if decisive else outcomes(a) & outcomes(b)
        every = possible(a.arguments)
        return comparison(algebra, a.arguments, when) if when in (0, every) or _named(when, every) else None
    other = AND if operation is OR else OR
    of_a, of_b = joined_by(algebra, other, a), joined_by(algebra, other, b)
    shared = [part for part in of_a if part in of_b]
    if not shared:
        return None
    common = joined(algebra, other, shared)
    rests = [[part for part in parts if part not in shared] for parts in (of_a, of_b)]
    if not all(rests):  # `a or (a and b)` is a
        return common if _is_condition(common) else comparison(algebra, (common, algebra.zero), ALWAYS & ~EQUAL)
    rest = algebra.call(operation, tuple(joined(algebra, other, parts) for parts in rests))
    return algebra.call(other, (rest, common))
