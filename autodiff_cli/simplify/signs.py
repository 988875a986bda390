"""What is known of a form's sign, whatever its inputs are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .forms import Call, Form, Number, Product, Sum

if TYPE_CHECKING:
    from .algebra import Algebra

_POSITIVE = frozenset(["cosh", "sech", "exp2", "sigmoid", "softplus", "erfc", "normpdf", "normcdf"])
_NONNEGATIVE = frozenset(["abs", "hypot", "relu", "acos", "acosh", "asech", "step"])
_DEPTH = 6


def is_positive(form: Form, algebra: Algebra, depth: int = _DEPTH) -> bool:
    """Is it above 0 wherever it has a value?"""
    if isinstance(form, Number):
        return form.value > 0
    if form is algebra.e:
        return True
    if isinstance(form, Call):
        return form.row.name in _POSITIVE or (form.row.name == "where" and _branches(form, algebra, depth, is_positive))
    if not depth:
        return False
    if isinstance(form, Product):
        return all(is_positive(base, algebra, depth - 1) for base, _ in form.factors)
    if isinstance(form, Sum):
        return is_nonnegative(form, algebra, depth) and any(
            is_positive(monomial, algebra, depth - 1) for monomial, _ in form.terms
        )
    return False


def is_nonnegative(form: Form, algebra: Algebra, depth: int = _DEPTH) -> bool:
    """Is it 0 or above wherever it has a value?"""
    if isinstance(form, Number):
        return form.value >= 0
    if isinstance(form, Call):
        return (
            form.row.name in _NONNEGATIVE
            or (form.row.name == "where" and _branches(form, algebra, depth, is_nonnegative))
            or is_positive(form, algebra, depth)
        )
    if not depth:
        return False
    if isinstance(form, Product):
        return all(_is_nonnegative_power(base, exponent, algebra, depth - 1) for base, exponent in form.factors)
    if isinstance(form, Sum):
        return all(number > 0 and is_nonnegative(monomial, algebra, depth - 1) for monomial, number in form.terms)
    return is_positive(form, algebra, depth)


def _is_nonnegative_power(base: Form, exponent: Form, algebra: Algebra, depth: int) -> bool:
    if isinstance(exponent, Number) and (exponent.value.denominator != 1 or exponent.value % 2 == 0):
        return True  # a power that is not whole has no value for a negative base
    return is_nonnegative(base, algebra, depth)


def _branches(form: Call, algebra: Algebra, depth: int, test: object) -> bool:
    assert callable(test)
    return depth > 0 and all(test(branch, algebra, depth - 1) for branch in form.arguments[1:])
