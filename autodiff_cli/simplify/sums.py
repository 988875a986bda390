"""Sums: like terms collected, a common number in front, choices by the same condition joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from .forms import Form, Number, Product, Sum, factors
from .joining import join
from .numbers import Exact, exact, magnitude

if TYPE_CHECKING:
    from .algebra import Algebra

_MOST_TERMS = 40  # of a sum that is taken apart in another


def total(algebra: Algebra, pairs: Iterable[tuple[Form, Exact]]) -> Form:
    """The sum of forms, each times its coefficient."""
    terms: dict[Form, Exact] = {}
    nested: list[tuple[Sum, Exact]] = []
    for form, coefficient in pairs:
        _gather(algebra, form, coefficient, terms, nested)
    shares = _shares(terms, nested) if nested else ()
    for inner, coefficient in nested:
        if inner in shares:
            for monomial, number in inner.terms:
                _add(terms, monomial, number * coefficient)
        else:
            _add(terms, inner, coefficient)
    if len(terms) > 1:
        found = join(algebra, terms) or algebra.laws.sum(algebra, terms)
        if found:
            return total(algebra, [*terms.items(), *found])
    return _made(algebra, terms)


def _gather(
    algebra: Algebra, form: Form, coefficient: Exact, terms: dict[Form, Exact], nested: list[tuple[Sum, Exact]]
) -> None:
    """Add a form to the terms; a sum times a number waits until it is known what else there is."""
    if isinstance(form, Number):
        _add(terms, algebra.one, coefficient * form.value)
        return
    if not isinstance(form, Sum):
        _add(terms, form, coefficient)
        return
    if form.is_scaled:
        ((monomial, number),) = form.terms
        if isinstance(monomial, Sum):
            _gather(algebra, monomial, number * coefficient, terms, nested)
        else:
            _add(terms, monomial, number * coefficient)
        return
    if abs(coefficient) == 1 and len(form.terms) <= _MOST_TERMS:
        for monomial, number in form.terms:
            if isinstance(monomial, Sum):
                nested.append((monomial, number * coefficient))
            else:
                _add(terms, monomial, number * coefficient)
    else:
        nested.append((form, coefficient))


def _add(terms: dict[Form, Exact], monomial: Form, coefficient: Exact) -> None:
    number = terms.get(monomial, 0) + coefficient
    if number:
        terms[monomial] = number
    else:
        terms.pop(monomial, None)


def _shares(terms: dict[Form, Exact], nested: Sequence[tuple[Sum, Exact]]) -> set[Sum]:
    """The sums that have a term that is found elsewhere too, so that something comes of adding them term by term."""
    seen: dict[Form, Sum | None] = dict.fromkeys(terms)
    found: set[Sum] = set()
    for inner, _ in nested:
        for monomial, _ in inner.terms:
            if monomial in seen and seen[monomial] is not inner:
                other = seen[monomial]
                found.add(inner)
                if other is not None:
                    found.add(other)
            seen.setdefault(monomial, inner)
    return found


def _made(algebra: Algebra, terms: dict[Form, Exact]) -> Form:
    if not terms:
        return algebra.zero
    if len(terms) == 1:
        return algebra.plain_sum(terms)
    common = _content(algebra, terms)
    if common == 1:
        return algebra.plain_sum(terms)
    divided = {monomial: exact(Fraction(number) / common) for monomial, number in terms.items()}
    return algebra.plain_sum({algebra.plain_sum(divided): common})


def _content(algebra: Algebra, terms: dict[Form, Exact]) -> Exact:
    """The number that all terms have in common; negative where all are."""
    numbers = [*terms.values()]
    size = magnitude(numbers[0])
    sign = -1 if all(number < 0 for number in numbers) else 1
    if any(magnitude(number) != size for number in numbers):
        below = lcm(*(number.denominator for number in numbers))
        if below != 1 and algebra.decimals:
            return sign
        size = Fraction(gcd(*(int(number * below) for number in numbers)), below)
    return exact(size * sign)


def primitive(algebra: Algebra, form: Sum) -> tuple[Form, Form]:
    """The powers that all terms of a sum have in common, and the sum without them."""
    common = dict(factors(form.terms[0][0], algebra.one))
    for monomial, _ in form.terms[1:]:
        if not common:
            return algebra.one, form
        powers = dict(factors(monomial, algebra.one))
        common = {
            base: shared
            for base, e in common.items()
            if base in powers and (shared := _shared(algebra, e, powers[base])) is not None
        }
    if not common:
        return algebra.one, form
    inverse = [(base, algebra.scaled(-1, exponent)) for base, exponent in common.items()]
    rest = algebra.sum(
        [(algebra.product(1, [(monomial, algebra.one), *inverse]), number) for monomial, number in form.terms]
    )
    algebra.joined.setdefault(rest, form)
    return algebra.plain_product(common), rest


def _shared(algebra: Algebra, a: Form, b: Form) -> Form | None:
    """The exponent that two powers of a base have in common: the smaller one, if they differ by a whole number."""
    if a is b:
        return a
    if isinstance(a, Number) and isinstance(b, Number) and (a.value < 0) != (b.value < 0):
        return None
    difference = algebra.sum([(a, 1), (b, -1)])
    if not isinstance(difference, Number) or difference.value.denominator != 1:
        return None
    return b if difference.value > 0 else a


def denominators(form: Form) -> Iterable[tuple[Form, Exact]]:
    """The bases that a monomial is divided by, with their exponents."""
    if isinstance(form, Product):
        for base, exponent in form.factors:
            if isinstance(exponent, Number) and exponent.value < 0:
                yield base, exponent.value
