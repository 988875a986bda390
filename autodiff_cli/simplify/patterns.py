"""Patterns: forms with letters in them, found in other forms and filled in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .forms import Call, Form, Leaf, Number, Product, Sum, factors, split

if TYPE_CHECKING:
    from .algebra import Algebra

Binding = dict[Form, Form]
"""a letter of a law → what it stands for"""

_LETTERS = -10  # and below: the leaves of patterns, in place of nodes


def letter(algebra: Algebra, name: str) -> Form:
    """The leaf of a letter in a pattern."""
    return algebra.leaf(_LETTERS - ord(name))


def is_letter(form: Form) -> bool:
    """Is it the leaf of a letter?"""
    return isinstance(form, Leaf) and form.node <= _LETTERS


def all_match(algebra: Algebra, patterns: Iterable[Form], forms: Iterable[Form], binding: Binding) -> bool:
    """Are the forms instances of the patterns, one by one?"""
    return all(match(algebra, pattern, form, binding) for pattern, form in zip(patterns, forms, strict=True))


def match(algebra: Algebra, pattern: Form, form: Form, binding: Binding) -> bool:
    """Is the form an instance of the pattern? The letters found are added to the binding."""
    if isinstance(pattern, Leaf):
        if not is_letter(pattern):
            return isinstance(form, Leaf) and form.node == pattern.node
        return binding.setdefault(pattern, form) is form
    if isinstance(pattern, Number):
        return isinstance(form, Number) and form.value == pattern.value
    if isinstance(pattern, Call):
        if not isinstance(form, Call) or form.row is not pattern.row or len(form.arguments) != len(pattern.arguments):
            return False
        return all_match(algebra, pattern.arguments, form.arguments, binding)
    if isinstance(pattern, Product):
        return _match_product(algebra, pattern, form, binding)
    assert isinstance(pattern, Sum)
    if not pattern.is_scaled:
        return _match_sum(algebra, pattern, form, binding)
    ((monomial, coefficient),) = pattern.terms
    if is_letter(monomial) and coefficient == -1:
        return (
            is_turned(algebra, form) and binding.setdefault(monomial, opposite := algebra.scaled(-1, form)) is opposite
        )
    number, rest = split(form, algebra.one)
    return number == coefficient and match(algebra, monomial, rest, binding)


def is_turned(algebra: Algebra, form: Form) -> bool:
    """Is it the negative of something simpler?"""
    if isinstance(form, Number):
        return form.value < 0
    if isinstance(form, Sum):
        return form.terms[0][1] < 0 if form.is_scaled else algebra.turned(form) is not None
    return False


def _match_product(algebra: Algebra, pattern: Product, form: Form, binding: Binding) -> bool:
    """All powers of the pattern in any order; a letter alone takes the rest."""
    number, monomial = split(form, algebra.one)
    powers = list(factors(monomial, algebra.one))
    rest = None
    for base, exponent in pattern.factors:
        if is_letter(base) and isinstance(exponent, Number) and exponent.value == 1:
            rest = base
            continue
        for power in powers:
            attempt = dict(binding)
            if match(algebra, base, power[0], attempt) and match(algebra, exponent, power[1], attempt):
                binding.update(attempt)
                powers.remove(power)
                break
        else:
            return False
    if rest is None:
        return number == 1 and not powers
    left = algebra.product(number, powers)
    return binding.setdefault(rest, left) is left


def _match_sum(algebra: Algebra, pattern: Sum, form: Form, binding: Binding) -> bool:
    """All terms of the pattern, in any order, and no others."""
    if not isinstance(form, Sum) or len(form.terms) != len(pattern.terms):
        return False
    terms = list(form.terms)
    for monomial, number in sorted(pattern.terms, key=lambda term: is_letter(term[0])):
        for term in terms:
            attempt = dict(binding)
            if term[1] == number and match(algebra, monomial, term[0], attempt):
                binding.update(attempt)
                terms.remove(term)
                break
        else:
            return False
    return True


def instance(algebra: Algebra, pattern: Form, binding: Binding, *, plain: bool = False) -> Form:
    """The pattern with its letters filled in; `plain` leaves its own operations as they stand."""
    if pattern in binding:
        return binding[pattern]
    if isinstance(pattern, Number):
        return algebra.number(pattern.value)
    if isinstance(pattern, Leaf):
        return algebra.leaf(pattern.node)
    if isinstance(pattern, Call):
        arguments = tuple([instance(algebra, part, binding) for part in pattern.arguments])
        return algebra.plain_call(pattern.row, arguments) if plain else algebra.apply(pattern.row, arguments)
    if isinstance(pattern, Product):
        powers = [
            (instance(algebra, base, binding, plain=plain), instance(algebra, exponent, binding))
            for base, exponent in pattern.factors
        ]
        if plain and all(isinstance(base, Call | Leaf) for base, _ in powers):
            return algebra.plain_product(dict(powers))
        return algebra.product(1, powers)
    assert isinstance(pattern, Sum)
    return algebra.sum([(instance(algebra, monomial, binding), number) for monomial, number in pattern.terms])
