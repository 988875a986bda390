"""Sums: like terms collected, a common number in front; the powers that terms share or are divided by."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm

from .algebra import Algebra
from .forms import Form, Number, Product, Sum, Term
from .numbers import Exact, as_int_if_whole, magnitude

_MOST_TERMS = 40  # of a sum that is taken apart in another
MOST_FACTORS = 40  # of a product that is taken apart in another


def collected(algebra: Algebra, terms: Iterable[Term]) -> dict[Form, Exact]:
    """The terms of a sum, like ones added: monomial → coefficient."""
    collection: dict[Form, Exact] = {}
    nested: list[tuple[Sum, Exact]] = []
    for form, coefficient in terms:
        _gather(algebra, form, coefficient, collection, nested)
    sharing = _sharing(collection, nested) if nested else ()
    for inner, coefficient in nested:
        if inner in sharing:
            for monomial, number in inner.terms:
                _add(collection, monomial, number * coefficient)
        else:
            _add(collection, inner, coefficient)
    return collection


def _gather(
    algebra: Algebra, form: Form, coefficient: Exact, terms: dict[Form, Exact], nested: list[tuple[Sum, Exact]]
) -> None:
    """Add a form to the terms; a sum times a number is kept apart until all terms are known."""
    if isinstance(form, Number):
        _add(terms, algebra.one, coefficient * form.value)
    elif not isinstance(form, Sum):
        _add(terms, form, coefficient)
    elif form.is_scaled:
        ((monomial, number),) = form.terms
        if isinstance(monomial, Sum):
            _gather(algebra, monomial, number * coefficient, terms, nested)
        else:
            _add(terms, monomial, number * coefficient)
    elif abs(coefficient) == 1 and len(form.terms) <= _MOST_TERMS:
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


def _sharing(terms: dict[Form, Exact], nested: Sequence[tuple[Sum, Exact]]) -> set[Sum]:
    """The nested sums that share a term with another or with the terms: these are added term by term."""
    users: dict[Form, Sum | None] = dict.fromkeys(terms)
    sharing: set[Sum] = set()
    for inner, _ in nested:
        for monomial, _ in inner.terms:
            other = users.setdefault(monomial, inner)
            if other is not inner:
                sharing.update([inner] if other is None else [inner, other])
    return sharing


def total(algebra: Algebra, terms: dict[Form, Exact]) -> Form:
    """The sum of collected terms, with the number that they have in common in front."""
    if not terms:
        return algebra.zero
    common = _content(algebra, terms) if len(terms) > 1 else 1
    if common == 1:
        return algebra.plain_sum(terms)
    divided = {monomial: as_int_if_whole(Fraction(number) / common) for monomial, number in terms.items()}
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
    return as_int_if_whole(size * sign)


def primitive(algebra: Algebra, form: Sum) -> tuple[Form, Form]:
    """The powers that all terms of a sum have in common, except divisions by 0, and the sum without them."""
    if any(len(algebra.factors(monomial)) > MOST_FACTORS for monomial, _ in form.terms):
        return algebra.one, form  # of which a quotient would take nothing out
    common = dict(algebra.factors(form.terms[0][0]))
    common.pop(algebra.zero, None)
    for monomial, _ in form.terms[1:]:
        if not common:
            break
        powers = dict(algebra.factors(monomial))
        common = {
            base: shared
            for base, exponent in common.items()
            if base in powers and (shared := _shared(algebra, exponent, powers[base])) is not None
        }
    if not common:
        return algebra.one, form
    rest = algebra.multiplied(form.terms, algebra.inverse(common.items()))
    algebra.undivided.setdefault(rest, form)
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


def denominators(monomial: Form) -> Iterable[tuple[Form, Exact]]:
    """The bases that a monomial is divided by, with their exponents."""
    if isinstance(monomial, Product):
        for base, exponent in monomial.factors:
            is_zero = isinstance(base, Number) and base.value == 0
            if isinstance(exponent, Number) and exponent.value < 0 and not is_zero:
                yield base, exponent.value
