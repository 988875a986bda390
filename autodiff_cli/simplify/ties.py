"""The slopes of `max` and `min`, which share a tie, without conditions.

`where(a > b, 1, where(a == b, 1/2, 0))` is `(1 + sign(a - b))/2`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..operations import OPERATIONS
from .conditions import EQUAL, GREATER, LESS, holds
from .forms import Call, Form, Leaf, Number, Product, Sum, split

if TYPE_CHECKING:
    from .algebra import Algebra

_WHERE, _SIGN = OPERATIONS["where"], OPERATIONS["sign"]
_FINITE = frozenset(
    ["sin", "cos", "abs", "sign", "atan", "asinh", "sigmoid", "erf", "erfc", "normpdf", "normcdf", "max", "min"]
)
_DEPTH = 5


def by_sign(algebra: Algebra, choice: Call) -> Form | None:
    """A choice between two finite branches, with their mean at a tie, as a form without conditions."""
    c, p, rest = choice.arguments
    number, rest = split(rest, algebra.one)
    if holds(c) not in (LESS, GREATER) or not isinstance(rest, Call) or rest.row is not _WHERE:
        return None
    tie, mean, q = rest.arguments[0], *(algebra.scaled(number, branch) for branch in rest.arguments[1:])
    assert isinstance(c, Call)
    if not isinstance(tie, Call) or holds(tie) != EQUAL or tie.arguments != c.arguments:
        return None
    half = algebra.half.value
    if mean is not algebra.sum([(p, half), (q, half)]) or not (_is_finite(p) and _is_finite(q)):
        return None
    sign = algebra.apply(_SIGN, (algebra.sum([(c.arguments[0], 1), (c.arguments[1], -1)]),))
    slope = algebra.sum([(p, half), (q, -half)] if holds(c) == GREATER else [(p, -half), (q, half)])
    return algebra.sum([(mean, 1), (algebra.times(slope, sign), 1)])


def _is_finite(form: Form, depth: int = _DEPTH) -> bool:
    """Is it a number wherever its inputs are?"""
    if isinstance(form, Number | Leaf):
        return True
    if not depth:
        return False
    if isinstance(form, Product):
        return all(_is_natural(exponent) and _is_finite(base, depth - 1) for base, exponent in form.factors)
    if isinstance(form, Sum):
        return all(_is_finite(monomial, depth - 1) for monomial, _ in form.terms)
    return isinstance(form, Call) and form.row.name in _FINITE and all(_is_finite(a, depth - 1) for a in form.arguments)


def _is_natural(exponent: Form) -> bool:
    return isinstance(exponent, Number) and isinstance(exponent.value, int) and exponent.value > 0
