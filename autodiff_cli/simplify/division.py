"""Polynomials divided by each other, where nothing is left over."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from .forms import Form, Number, Sum, factors
from .numbers import Exact

if TYPE_CHECKING:
    from .algebra import Algebra

_MOST_TERMS = 30
_MOST_STEPS = 60

Polynomial = dict[tuple[int, ...], Exact]
"""the exponents of the bases → the coefficient"""


def divided(algebra: Algebra, top: Form, bottom: Form) -> Form | None:
    """The quotient of two sums, whose powers are taken as the variables of polynomials; None where there is a rest."""
    if not isinstance(top, Sum) or not isinstance(bottom, Sum) or bottom.is_scaled:
        return None
    if len(top.terms) > _MOST_TERMS or len(bottom.terms) > _MOST_TERMS:
        return None
    bases = list({base: None for form in (top, bottom) for m, _ in form.terms for base, _ in factors(m, algebra.one)})
    rest, divisor = _polynomial(algebra, top, bases), _polynomial(algebra, bottom, bases)
    if rest is None or divisor is None:
        return None
    quotient = _quotient(rest, divisor)
    if quotient is None:
        return None
    terms = [
        (algebra.product(1, [(b, algebra.number(e)) for b, e in zip(bases, powers, strict=True)]), number)
        for powers, number in quotient.items()
    ]
    return algebra.sum(terms)


def _quotient(rest: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """Long division by the highest powers; the dividend is used up."""
    highest = max(divisor)
    quotient: Polynomial = {}
    for _ in range(_MOST_STEPS):
        if not rest:
            return quotient
        leading = max(rest)
        powers = tuple([a - b for a, b in zip(leading, highest, strict=True)])
        if min(powers) < 0:
            return None
        number = quotient[powers] = Fraction(rest[leading]) / divisor[highest]
        for other, coefficient in divisor.items():
            place = tuple([a + b for a, b in zip(powers, other, strict=True)])
            rest[place] = rest.get(place, 0) - number * coefficient
            if not rest[place]:
                del rest[place]
    return None


def _polynomial(algebra: Algebra, form: Sum, bases: list[Form]) -> Polynomial | None:
    """A sum as a polynomial in some bases; None where an exponent is not a natural number."""
    found: Polynomial = {}
    for monomial, number in form.terms:
        powers = dict(factors(monomial, algebra.one))
        exponents = []
        for base in bases:
            exponent = powers.get(base, algebra.zero)
            if not isinstance(exponent, Number) or not isinstance(exponent.value, int) or exponent.value < 0:
                return None
            exponents.append(exponent.value)
        found[tuple(exponents)] = number
    return found
