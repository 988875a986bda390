"""Products: like bases collected, numbers multiplied out, powers of powers and of products where that is valid."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from .forms import Call, Form, Number, Product, Sum, factors, split
from .numbers import Exact, known_power
from .signs import is_nonnegative, is_positive

if TYPE_CHECKING:
    from .algebra import Algebra

_MOST_FACTORS = 40  # of a product that is taken apart in another


def product(algebra: Algebra, coefficient: Exact, pairs: Iterable[tuple[Form, Form]]) -> Form:
    """A coefficient times powers."""
    gathering = _Gathering(algebra, coefficient)
    gathering.pending = [*pairs][::-1]
    gathering.run()
    while algebra.laws.products and gathering.rewrite():
        gathering.run()
    return gathering.result()


class _Gathering:
    """A product while it is put together."""

    def __init__(self, algebra: Algebra, coefficient: Exact) -> None:
        self.algebra, self.coefficient = algebra, coefficient
        self.factors: dict[Form, Form] = {}
        self.pending: list[tuple[Form, Form]] = []
        """powers still to be multiplied in; the last comes first"""

    def run(self) -> None:
        """Multiply in what is pending."""
        while self.pending:
            base, exponent = self.pending.pop()
            if exponent is self.algebra.zero:
                continue
            if isinstance(base, Number):
                self._number(base, exponent)
            elif isinstance(base, Product):
                self._product(base, exponent)
            elif isinstance(base, Sum):
                self._sum(base, exponent)
            else:
                self._enter(base, exponent)

    def rewrite(self) -> bool:
        """Apply one of the laws for products."""
        found = self.algebra.laws.product(self.algebra, self.factors)
        self.pending += found
        return bool(found)

    def _enter(self, base: Form, exponent: Form) -> None:
        """One more power of a base that is not looked into."""
        algebra = self.algebra
        before = self.factors.pop(base, None)
        total = exponent if before is None else algebra.sum([(before, 1), (exponent, 1)])
        if total is algebra.zero:
            return
        if base is algebra.e:
            total = self._without_logarithm(total)
            if total is algebra.zero:
                return
        number = total.value if isinstance(total, Number) else None
        if isinstance(number, int):
            if before is not None and isinstance(base, Product | Sum):
                self.pending.append((base, total))
                return
            if isinstance(base, Call) and base.row.name == "abs" and number % 2 == 0:
                self.pending.append((base.arguments[0], total))
                return
        self.factors[base] = total

    def _without_logarithm(self, exponent: Form) -> Form:
        """exp(b*log(a)) is a^b; with more in the exponent that could overflow where the whole does not."""
        algebra = self.algebra
        coefficient, monomial = split(exponent, algebra.one)
        for base, power in factors(monomial, algebra.one):
            if isinstance(base, Call) and base.row.name in ("log", "log1p") and power is algebra.one:
                (inside,) = base.arguments
                rest = algebra.product(coefficient, [(monomial, algebra.one), (base, algebra.minus_one)])
                plain = base.row.name == "log"
                self.pending.append((inside if plain else algebra.sum([(algebra.one, 1), (inside, 1)]), rest))
                return algebra.zero
        return exponent

    def _number(self, base: Number, exponent: Form) -> None:
        value = base.value
        if value == 1:
            return
        if isinstance(exponent, Number):
            power = known_power(value, exponent.value)
            if power is not None:
                self.coefficient *= power
                return
        elif value == 0:  # 0^b stays: it is 1 where b is 0
            pass
        self._enter(base, exponent)

    def _product(self, base: Product, exponent: Form) -> None:
        algebra = self.algebra
        number = exponent.value if isinstance(exponent, Number) else None
        if isinstance(number, int):
            if len(base.factors) > _MOST_FACTORS:
                self._enter(base, exponent)
            else:
                self.pending += [(b, algebra.scaled(number, e)) for b, e in reversed(base.factors)]
            return
        inner = []
        for b, e in reversed(base.factors):
            even = isinstance(e, Number) and isinstance(e.value, int) and e.value % 2 == 0
            alone = len(base.factors) == 1 and isinstance(e, Number)
            root = isinstance(e, Number) and not isinstance(e.value, int)  # its base is not negative
            if is_positive(b, algebra) or (alone and (root or (number is not None and not even))):
                self.pending.append((b, algebra.times(e, exponent)))
            elif alone and number is not None:
                self.pending.append((algebra.absolute(b), algebra.times(e, exponent)))
            else:
                inner.append((b, e))
        if len(inner) == len(base.factors):
            self._enter(base, exponent)
        elif inner:
            self.pending.append((algebra.product(1, reversed(inner)), exponent))

    def _sum(self, base: Sum, exponent: Form) -> None:
        algebra = self.algebra
        number = exponent.value if isinstance(exponent, Number) else None
        if base.is_scaled:
            monomial, coefficient = base.terms[0]
            apart = (
                coefficient > 0
                and is_nonnegative(monomial, algebra)
                and (number is not None or is_positive(monomial, algebra))
            )
            root = known_power(coefficient, number) if coefficient > 0 and number is not None else None
            if isinstance(number, int) or apart or root is not None:
                self.pending += [(monomial, exponent), (algebra.number(coefficient), exponent)]
            else:
                self._enter(base, exponent)
        elif isinstance(number, int):
            common, rest = algebra.primitive(base)
            if common is not algebra.one:
                self.pending += [(rest, exponent), (common, exponent)]
                return
            opposite = algebra.turned(rest)
            self.coefficient *= 1 if opposite is None or number % 2 == 0 else -1
            self._enter(rest if opposite is None else opposite, exponent)
        else:
            self._enter(base, exponent)

    def result(self) -> Form:
        """The product as a form."""
        algebra = self.algebra
        if self.coefficient == 0 or (algebra.zero in self.factors and self._has_logarithm_of_zero()):
            return algebra.zero
        self._reduce_roots()
        if not self.factors:
            return algebra.number(self.coefficient)
        return algebra.scaled(self.coefficient, algebra.plain_product(self.factors))

    def _has_logarithm_of_zero(self) -> bool:
        """0^a*log(0) is the limit of x^a*log(x)."""
        return any(
            isinstance(base, Call) and base.row.name == "log" and base.arguments[0] is self.algebra.zero
            for base in self.factors
        )

    def _reduce_roots(self) -> None:
        """2/sqrt(2) is sqrt(2): a whole number and its root."""
        for base, exponent in [*self.factors.items()]:
            if not isinstance(base, Number) or not isinstance(exponent, Number) or not isinstance(base.value, int):
                continue
            value, power = base.value, exponent.value
            while power < 0 and value > 1 and self.coefficient.numerator % value == 0:
                self.coefficient, power = Fraction(self.coefficient) / value, power + 1
            while power > 0 and value > 1 and self.coefficient.denominator % value == 0:
                self.coefficient, power = self.coefficient * value, power - 1
            if power != exponent.value:
                self.factors[base] = self.algebra.number(power)
