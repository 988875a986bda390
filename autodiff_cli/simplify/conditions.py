"""Comparisons and logic: what follows from what.

Two numbers compare as less, equal or greater; a comparison is the set of those for which it holds. Nan compares as
nothing: where it gets into a condition the formula has no value to begin with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operations import OPERATIONS
from .forms import Call, Form, Number, split

if TYPE_CHECKING:
    from .algebra import Algebra

LESS, EQUAL, GREATER = 1, 2, 4
ALWAYS = LESS | EQUAL | GREATER
_HOLDS = {
    "lt": LESS,
    "le": LESS | EQUAL,
    "gt": GREATER,
    "ge": GREATER | EQUAL,
    "eq": EQUAL,
    "ne": LESS | GREATER,
}
_NAMES = {holds: name for name, holds in _HOLDS.items()}
_AND, _OR, _NOT = (OPERATIONS[name] for name in ("and", "or", "not"))
LOGIC = frozenset([*_HOLDS, "and", "or", "not"])

Facts = dict[object, int]
"""what is known: a pair of forms → how they compare; another condition → 1 or 0"""


def holds(form: Form) -> int:
    """The set for which a comparison holds; 0 for a form that is none."""
    return _HOLDS.get(form.row.name, 0) if isinstance(form, Call) else 0


def comparison(algebra: Algebra, a: Form, b: Form, when: int) -> Form:
    """Whether two forms compare as one of a set: numbers on the right, otherwise in the order of the formula."""
    (times_a, left), (times_b, right) = split(a, algebra.one), split(b, algebra.one)
    if a is not b and left is right and not isinstance(a, Number):  # x < 2*x is x > 0
        a, b, when = left, algebra.zero, when if times_a > times_b else _turned(when)
    if a is b:
        when = ALWAYS if when & EQUAL else 0
    elif isinstance(a, Number) and isinstance(b, Number):
        seen = LESS if a.value < b.value else EQUAL if a.value == b.value else GREATER
        when = ALWAYS if when & seen else 0
    if when in (0, ALWAYS):
        return algebra.one if when else algebra.zero
    if when == EQUAL:
        for one, two in ((a, b), (b, a)):
            other = _beside(two, one)
            if other is not None:
                assert isinstance(two, Call)
                return comparison(algebra, one, other, EQUAL | (GREATER if two.row.name == "max" else LESS))
    if isinstance(a, Number) or (a.index > b.index and not isinstance(b, Number)):
        a, b, when = b, a, _turned(when)
    return algebra.plain_call(OPERATIONS[_NAMES[when]], (a, b))


def _turned(when: int) -> int:
    """The set for the two numbers in the other order."""
    return when & EQUAL | (GREATER if when & LESS else 0) | (LESS if when & GREATER else 0)


def _beside(extreme: Form, part: Form) -> Form | None:
    """The other one of the two numbers of which this is the larger, or the smaller."""
    if not isinstance(extreme, Call) or extreme.row.name not in ("max", "min") or len(extreme.arguments) != 2:
        return None
    a, b = extreme.arguments
    return b if a is part else a if b is part else None


def condition(algebra: Algebra, name: str, arguments: tuple[Form, ...]) -> Form:
    """A comparison, or conditions joined by `and`, `or` and `not`."""
    if name in _HOLDS:
        return comparison(algebra, arguments[0], arguments[1], _HOLDS[name])
    if name == "not":
        return opposite(algebra, arguments[0])
    return both(algebra, *arguments) if name == "and" else either(algebra, *arguments)


def opposite(algebra: Algebra, form: Form) -> Form:
    """Where a condition does not hold."""
    if isinstance(form, Number):
        return algebra.zero if form.value else algebra.one
    if holds(form):
        assert isinstance(form, Call)
        return comparison(algebra, form.arguments[0], form.arguments[1], ALWAYS & ~holds(form))
    return algebra.plain_call(_NOT, (form,))


def both(algebra: Algebra, a: Form, b: Form) -> Form:
    """Where two conditions hold."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Number) and not one.value:
            return algebra.zero
        if isinstance(one, Number) and (holds(other) or isinstance(other, Number)):
            return truth(algebra, other)
    if _same_pair(a, b):
        assert isinstance(a, Call)
        return comparison(algebra, a.arguments[0], a.arguments[1], holds(a) & holds(b))
    return algebra.plain_call(_AND, (a, b))


def either(algebra: Algebra, a: Form, b: Form) -> Form:
    """Where one of two conditions holds, or both."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Number) and one.value:
            return algebra.one
        if isinstance(one, Number) and (holds(other) or isinstance(other, Number)):
            return truth(algebra, other)
        if isinstance(one, Call) and one.row is _NOT and one.arguments[0] is other:
            return algebra.one
    if _same_pair(a, b):
        assert isinstance(a, Call)
        return comparison(algebra, a.arguments[0], a.arguments[1], holds(a) | holds(b))
    return algebra.plain_call(_OR, (a, b))


def truth(algebra: Algebra, form: Form) -> Form:
    """1 or 0 for a number; a comparison is one of them already."""
    return algebra.number(int(form.value != 0)) if isinstance(form, Number) else form


def _same_pair(a: Form, b: Form) -> bool:
    return bool(holds(a) and holds(b)) and isinstance(a, Call) and isinstance(b, Call) and a.arguments == b.arguments


def facts(algebra: Algebra, form: Form, truth: bool) -> Facts:
    """What is known where a condition holds, or where it does not."""
    found: Facts = {}
    pending = [form]
    while pending:
        part = pending.pop()
        if isinstance(part, Call) and holds(part):
            found[part.arguments] = found.get(part.arguments, ALWAYS) & (
                holds(part) if truth else ALWAYS & ~holds(part)
            )
        elif isinstance(part, Call) and part.row is (_AND if truth else _OR):
            pending += part.arguments
        found.setdefault(part, int(truth))
    return found


def known(form: Form, given: Facts) -> bool | None:
    """Whether a condition holds, as far as that is known."""
    truth = given.get(form)
    if truth is not None:
        return bool(truth)
    if isinstance(form, Call) and form.row is _NOT:
        inside = known(form.arguments[0], given)
        return None if inside is None else not inside
    possible = given.get(form.arguments) if isinstance(form, Call) and holds(form) else None
    if possible is None:
        return None
    return True if not possible & ~holds(form) else False if not possible & holds(form) else None


def merged(given: Facts, more: Facts) -> Facts:
    """What is known from both."""
    return {**given, **{key: value & given.get(key, ALWAYS) for key, value in more.items()}}


def narrowed(algebra: Algebra, form: Form, given: Facts) -> Form:
    """A comparison that comes down to whether two forms are equal."""
    assert isinstance(form, Call)
    possible = given.get(form.arguments, ALWAYS)
    a, b = form.arguments
    if possible & holds(form) == EQUAL:
        return comparison(algebra, a, b, EQUAL)
    return comparison(algebra, a, b, LESS | GREATER) if possible & ~holds(form) == EQUAL else form
