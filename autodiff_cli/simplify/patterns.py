"""Patterns: forms with letters in them, matched with other forms and filled in."""

from collections.abc import Iterable
from typing import TypeVar

from .algebra import Algebra
from .forms import Call, Form, Leaf, Number, Product, Sum
from .numbers import Exact

Binding = dict[Form, Form]
"""a letter of a law → what it stands for"""

Parts = TypeVar("Parts", bound=tuple[Form, ...])

_LETTERS = -10  # and below: the leaves of patterns, in place of nodes


def letter(algebra: Algebra, name: str) -> Form:
    """The leaf of a letter in a pattern."""
    return algebra.leaf(_LETTERS - ord(name))


def is_letter(form: Form) -> bool:
    """Whether a form is the leaf of a letter."""
    return isinstance(form, Leaf) and form.node <= _LETTERS


def match_all(algebra: Algebra, patterns: Iterable[Form], forms: Iterable[Form], binding: Binding) -> bool:
    """Whether forms are instances of equally many patterns, pair by pair."""
    return all(match(algebra, pattern, form, binding) for pattern, form in zip(patterns, forms, strict=True))


def match(algebra: Algebra, pattern: Form, form: Form, binding: Binding) -> bool:
    """Whether a form is an instance of the pattern; adds what the letters stand for to the binding."""
    if isinstance(pattern, Leaf):
        if not is_letter(pattern):
            return isinstance(form, Leaf) and form.node == pattern.node
        return binding.setdefault(pattern, form) is form
    if isinstance(pattern, Number):
        return isinstance(form, Number) and form.value == pattern.value
    if isinstance(pattern, Call):
        if not isinstance(form, Call) or form.operation is not pattern.operation:
            return False
        sizes = len(pattern.arguments), len(form.arguments)
        return sizes[0] == sizes[1] and match_all(algebra, pattern.arguments, form.arguments, binding)
    if isinstance(pattern, Product):
        return _match_product(algebra, pattern, form, binding)
    assert isinstance(pattern, Sum)
    if not pattern.is_scaled:
        return _match_sum(algebra, pattern, form, binding)
    ((monomial, coefficient),) = pattern.terms
    if is_letter(monomial) and coefficient == -1:
        return _is_negative(algebra, form) and match(algebra, monomial, algebra.scaled(-1, form), binding)
    number, rest = algebra.split(form)
    return number == coefficient and match(algebra, monomial, rest, binding)


def _is_negative(algebra: Algebra, form: Form) -> bool:
    """Whether a form is the negative of something simpler."""
    if isinstance(form, Sum) and not form.is_scaled:
        return algebra.opposite(form) is not None
    return algebra.split(form)[0] < 0


def _match_product(algebra: Algebra, pattern: Product, form: Form, binding: Binding) -> bool:
    """Match all powers of the pattern, in any order; a lone letter takes the rest."""
    number, monomial = algebra.split(form)
    powers = list(algebra.factors(monomial))
    rest = None
    for base, exponent in pattern.factors:
        if is_letter(base) and isinstance(exponent, Number) and exponent.value == 1:
            rest = base
        elif not _take(algebra, (base, exponent), powers, binding):
            return False
    if rest is None:
        return number == 1 and not powers
    return match(algebra, rest, algebra.product(number, powers), binding)


def _match_sum(algebra: Algebra, pattern: Sum, form: Form, binding: Binding) -> bool:
    """Match all terms of the pattern, in any order, and no others."""
    if not isinstance(form, Sum) or len(form.terms) != len(pattern.terms):
        return False
    monomials: dict[Exact, list[tuple[Form]]] = {}
    for monomial, number in form.terms:
        monomials.setdefault(number, []).append((monomial,))
    letters_last = sorted(pattern.terms, key=lambda term: is_letter(term[0]))
    return all(_take(algebra, (monomial,), monomials.get(number, []), binding) for monomial, number in letters_last)


def _take(algebra: Algebra, pattern: Parts, candidates: list[Parts], binding: Binding) -> bool:
    """Match the parts of a pattern with the first candidate that fits, and remove that from the list."""
    for candidate in candidates:
        attempt = dict(binding)
        if match_all(algebra, pattern, candidate, attempt):
            binding.update(attempt)
            candidates.remove(candidate)
            return True
    return False


def instance(algebra: Algebra, pattern: Form, binding: Binding, *, plain: bool = False) -> Form:
    """The pattern with its letters filled in; `plain` leaves its own operations unsimplified."""
    if pattern in binding:
        return binding[pattern]
    if isinstance(pattern, Number):
        return algebra.number(pattern.value)
    if isinstance(pattern, Leaf):
        return algebra.leaf(pattern.node)
    if isinstance(pattern, Call):
        arguments = tuple([instance(algebra, part, binding) for part in pattern.arguments])
        return (algebra.plain_call if plain else algebra.apply)(pattern.operation, arguments)
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
