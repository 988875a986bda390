"""Products with sums in them, written in other ways that may be shorter."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING

from .division import divided
from .factoring import over_common_denominator
from .forms import Form, Number, Sum, factors, split
from .quotients import Power, Quotient

if TYPE_CHECKING:
    from .algebra import Algebra


def regrouped(algebra: Algebra, quotient: Quotient, originals: Container[Form]) -> Iterator[Quotient]:
    """The quotient with its sums over a common denominator, divided, or as the user wrote them."""
    sums = {
        base: exponent
        for base, exponent in quotient.powers.items()
        if isinstance(base, Sum) and not base.is_scaled and isinstance(exponent, Number) and exponent.value % 1 == 0
    }
    cleared = [(over_common_denominator(algebra, base), exponent) for base, exponent in sums.items()]
    if any(base not in sums for base, _ in cleared):
        yield _replaced(algebra, quotient, sums, cleared)
    for total, exponent in sums.items():
        if exponent is algebra.one:
            yield from _divided(algebra, quotient, total)
        whole = algebra.joined.get(total)
        if whole is not None and whole in originals:
            yield from _restored(algebra, quotient, total, whole)


def _divided(algebra: Algebra, quotient: Quotient, total: Sum) -> Iterator[Quotient]:
    """A sum above the line divided by what is below: term by term where that shortens one, or as a polynomial."""
    inside = {base for monomial, _ in total.terms for base, _ in factors(monomial, algebra.one)}
    below = {b: e for b, e in quotient.powers.items() if isinstance(e, Number) and e.value < 0}
    again = [(base, exponent) for base, exponent in below.items() if base in inside]
    if again:
        terms = [(algebra.product(1, [(monomial, algebra.one), *again]), number) for monomial, number in total.terms]
        yield _replaced(algebra, quotient, [total, *dict(again)], [(algebra.sum(terms), algebra.one)])
    for base, exponent in below.items():
        result = divided(algebra, total, base)
        if result is not None:
            less = algebra.sum([(exponent, 1), (algebra.one, 1)])
            yield _replaced(algebra, quotient, [total, base], [(result, algebra.one), (base, less)])


def _restored(algebra: Algebra, quotient: Quotient, total: Sum, whole: Sum) -> Iterator[Quotient]:
    """x*(x + 1) as x^2 + x, where that is what the user wrote."""
    exponent = quotient.powers[total]
    common = dict(factors(algebra.primitive(whole)[0], algebra.one))
    if all(quotient.powers.get(base) is algebra.times(e, exponent) for base, e in common.items()):
        rest = {base: e for base, e in quotient.powers.items() if base is not total and base not in common}
        rest[whole] = algebra.sum([(rest.get(whole, algebra.zero), 1), (exponent, 1)])
        yield Quotient(quotient.coefficient, rest)


def _replaced(algebra: Algebra, quotient: Quotient, old: Container[Form], new: Iterable[Power]) -> Quotient:
    rest = [power for power in quotient.powers.items() if power[0] not in old]
    coefficient, monomial = split(algebra.product(quotient.coefficient, [*rest, *new]), algebra.one)
    return Quotient(coefficient, dict(factors(monomial, algebra.one)))
