"""Products: like bases collected, numbers multiplied out, powers of powers and of products where that is valid."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from ..operations import ABS, LOG
from .algebra import Algebra
from .assumptions import is_nonnegative, is_positive
from .forms import Call, Form, Number, Power, Product, Sum, whole
from .numbers import Exact, exact_power, magnitude
from .sums import MOST_FACTORS, primitive

_MOST_OF_SUM = 10
"""the largest exponent b of exp(b*log1p(a)) written as (1 + a)^b"""


class Factors:
    """A product while it is put together: a coefficient, and an exponent for each base."""

    def __init__(self, algebra: Algebra, coefficient: Exact) -> None:
        self.algebra, self.coefficient = algebra, coefficient
        self.exponents: dict[Form, Form] = {}
        self._pending: list[Power] = []
        """powers still to be multiplied in; the last comes first"""

    def multiply(self, powers: Iterable[Power]) -> None:
        """Multiply powers in."""
        self._pending = [*powers][::-1]
        while self._pending:
            base, exponent = self._pending.pop()
            if exponent is self.algebra.zero:
                continue
            if isinstance(base, Number):
                self._multiply_number(base, exponent)
            elif isinstance(base, Product):
                self._multiply_product(base, exponent)
            elif isinstance(base, Sum):
                self._multiply_sum(base, exponent)
            else:
                self._enter(base, exponent)

    def _enter(self, base: Form, exponent: Form) -> None:
        """Multiply in a power of an opaque base."""
        algebra = self.algebra
        before = self.exponents.pop(base, None)
        total = exponent if before is None else algebra.sum([(before, 1), (exponent, 1)])
        if total is algebra.zero or (base is algebra.e and self._take_logarithm(total)):
            return
        if before is not None and isinstance(base, Product | Sum) and whole(total) is not None:
            self._pending.append((base, total))
        elif isinstance(base, Call) and base.operation is ABS and (whole(total) or 1) % 2 == 0:
            self._pending.append((base.arguments[0], total))
        else:
            self.exponents[base] = total

    def _take_logarithm(self, exponent: Form) -> bool:
        """exp(b*log(a)) is a^b; with more in the exponent that could overflow where the whole does not."""
        algebra = self.algebra
        coefficient, monomial = algebra.split(exponent)
        for base, power in algebra.factors(monomial):
            if isinstance(base, Call) and base.operation.name in ("log", "log1p") and power is algebra.one:
                (inside,) = base.arguments
                rest = algebra.product(coefficient, [(monomial, algebra.one), (base, algebra.minus_one)])
                is_small = isinstance(rest, Number) and magnitude(rest.value) <= _MOST_OF_SUM
                if base.operation is not LOG and not is_small:
                    continue  # for the exponent would multiply the rounding error of 1 + a
                inside = inside if base.operation is LOG else algebra.sum([(algebra.one, 1), (inside, 1)])
                self._pending.append((inside, rest))
                return True
        return False

    def _multiply_number(self, base: Number, exponent: Form) -> None:
        if base.value == 1:
            return
        power = exact_power(base.value, exponent.value) if isinstance(exponent, Number) else None
        if power is None:  # 0^b stays too: it is 1 where b is 0
            self._enter(base, exponent)
        else:
            self.coefficient *= power

    def _multiply_product(self, base: Product, exponent: Form) -> None:
        algebra = self.algebra
        number = whole(exponent)
        if number is not None:
            if len(base.factors) > MOST_FACTORS:
                self._enter(base, exponent)
            else:
                self._pending += [(b, algebra.scaled(number, e)) for b, e in reversed(base.factors)]
            return
        single, is_number = len(base.factors) == 1, isinstance(exponent, Number)
        if isinstance(exponent, Number) and self._multiply_square(base, exponent.value):
            return
        kept = []
        for b, e in reversed(base.factors):
            power = e.value if single and isinstance(e, Number) else None
            is_root = power is not None and power.denominator != 1  # so that its base is not negative
            is_apart = is_positive(b) and ((is_number and single) or not isinstance(b, Call))
            if is_apart or is_root or (power is not None and is_number):
                terms = exponent.terms if isinstance(exponent, Sum) else [(exponent, 1)]
                self._pending.append((b, algebra.multiplied(terms, [(e, algebra.one)])))
            elif isinstance(exponent, Number) and _is_pole(e, exponent):
                self._pending.append((algebra.call(ABS, (b,)), algebra.times(e, exponent)))
            else:
                kept.append((b, e))
        if len(kept) == len(base.factors):
            self._enter(base, exponent)
        elif kept:
            self._pending.append((algebra.product(1, reversed(kept)), exponent))

    def _multiply_square(self, base: Product, exponent: Exact) -> bool:
        """Multiply in a power of a product of even powers, which is not negative; False for any other."""
        algebra = self.algebra
        powers = {b: whole(e) or 1 for b, e in base.factors}
        common = gcd(*powers.values()) * (-1 if max(powers.values()) < 0 else 1)
        if common % 2 or (len(powers) > 1 and (common * exponent).denominator != 1):
            return False
        totals = {b: e * exponent for b, e in powers.items()}
        outside = [b for b, total in totals.items() if total.denominator == 1 and total % 2 == 0]
        root = algebra.product(1, [(b, algebra.number(powers[b] // common)) for b in powers if b not in outside])
        self._pending.append((algebra.call(ABS, (root,)), algebra.number(common * exponent)))
        self._pending += [(b, algebra.number(totals[b])) for b in outside]
        return True

    def _multiply_sum(self, base: Sum, exponent: Form) -> None:
        number = exponent.value if isinstance(exponent, Number) else None
        if base.is_scaled:
            self._multiply_scaled(base, exponent, number)
        elif not isinstance(number, int):
            self._enter(base, exponent)
        else:
            common, rest = primitive(self.algebra, base)
            if common is not self.algebra.one:
                self._pending += [(rest, exponent), (common, exponent)]
                return
            opposite = self.algebra.opposite(rest)
            if opposite is not None and number % 2:
                self.coefficient *= -1
            self._enter(opposite or rest, exponent)

    def _multiply_scaled(self, base: Sum, exponent: Form, number: Exact | None) -> None:
        monomial, coefficient = base.terms[0]
        apart = is_nonnegative(monomial) and (number is not None or is_positive(monomial))
        has_power = number is not None and coefficient > 0 and exact_power(coefficient, number) is not None
        if isinstance(number, int) or (coefficient > 0 and apart) or has_power:
            self._pending += [(monomial, exponent), (self.algebra.number(coefficient), exponent)]
        else:
            self._enter(base, exponent)

    def result(self) -> Form:
        """The product as a form."""
        algebra = self.algebra
        if self.coefficient == 0 or (algebra.zero in self.exponents and self._has_logarithm_of_zero()):
            return algebra.zero
        self._reduce_roots()
        if not self.exponents:
            return algebra.number(self.coefficient)
        return algebra.scaled(self.coefficient, algebra.plain_product(self.exponents))

    def _has_logarithm_of_zero(self) -> bool:
        """0^a*log(0) is the limit of x^a*log(x)."""
        bases = [base for base in self.exponents if isinstance(base, Call) and base.operation is LOG]
        return any(base.arguments[0] is self.algebra.zero for base in bases)

    def _reduce_roots(self) -> None:
        """2/sqrt(2) is sqrt(2): a whole number and its root."""
        for base, exponent in [*self.exponents.items()]:
            value = whole(base)
            if value is None or not isinstance(exponent, Number):
                continue
            power = exponent.value
            while power < 0 and value > 1 and self.coefficient.numerator % value == 0:
                self.coefficient, power = Fraction(self.coefficient) / value, power + 1
            while power > 0 and value > 1 and self.coefficient.denominator % value == 0:
                self.coefficient, power = self.coefficient * value, power - 1
            if power != exponent.value:
                self.exponents[base] = self.algebra.number(power)


def _is_pole(exponent: Form, outer: Number) -> bool:
    """Whether a power is even and negative, and that power of it is whole: where its base is 0, it alone decides."""
    degree = whole(exponent) or 1
    return degree < 0 and degree % 2 == 0 and (degree * outer.value).denominator == 1
