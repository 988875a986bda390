"""Products as they are written: what stands above and below the line, in which order, and by which functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from .forms import Call, E, Form, Leaf, Number, Product, Sum, factors, split
from .laws import DOUBLES, RATIOS, RECIPROCALS, compiled
from .numbers import Exact, exact

if TYPE_CHECKING:
    from .algebra import Algebra
    from .matching import Laws

_RECIPROCAL = ("sec", "csc", "sech", "csch")
_RATIOS = ("tan", "cot", "tanh", "coth")
_WRITTEN_ANEW = frozenset(["sin", "cos", "sinh", "cosh"])
Power = tuple[Form, Form]


class Quotient(NamedTuple):
    """A coefficient times powers."""

    coefficient: Exact
    powers: dict[Form, Form]

    def sides(self, algebra: Algebra) -> tuple[list[Power], list[Power]]:
        """The powers above the line, and those below with the opposite exponents."""
        above: list[Power] = []
        below: list[Power] = []
        for base, exponent in sorted(self.powers.items(), key=_rank):
            number = exponent.value if isinstance(exponent, Number) else 1
            if number < 0 and base is not algebra.e:
                below.append((base, algebra.number(-number)))
            else:
                above.append((base, exponent))
        return above, below


def _rank(power: Power) -> tuple[int, int, int]:
    """The order of factors: numbers and constants, inputs, sums, functions, sums with functions in them."""
    base, exponent = power
    if isinstance(base, Number):
        return 0, 0, base.index
    if isinstance(base, Leaf):
        place = 4 if base.node == E else 0 if base.node < 0 else 1 if isinstance(exponent, Number) else 2
        return place, int(place == 2), base.node
    if isinstance(base, Call):
        return 3, 2 * any(map(_has_calls, base.arguments)) + (base.row.name not in _RECIPROCAL), base.index
    return (5 if _has_calls(base) else 2), 0, base.index


def _has_calls(form: Form, depth: int = 3) -> bool:
    """Are there functions in it, as far as one sees at a glance?"""
    if isinstance(form, Product):
        return depth > 0 and any(_has_calls(base, depth - 1) for base, _ in form.factors)
    if isinstance(form, Sum):
        return depth > 0 and any(_has_calls(monomial, depth - 1) for monomial, _ in form.terms)
    return isinstance(form, Call) or (isinstance(form, Leaf) and form.node == E)


def variants(algebra: Algebra, quotient: Quotient, names: Collection[str]) -> Iterator[Quotient]:
    """The quotient, and other ways to write it; of equally short ones the first is the most like the user's."""
    likes_reciprocals = any(name in names for name in _RECIPROCAL + _RATIOS)
    if not likes_reciprocals:
        yield quotient
    if any(isinstance(base, Call) and base.row.name in _WRITTEN_ANEW for base in quotient.powers):
        ratios = _by(algebra, quotient, compiled(RATIOS))
        if not likes_reciprocals:
            yield ratios
        yield _by(algebra, ratios, compiled(RECIPROCALS))
        doubled = _by(algebra, quotient, compiled(DOUBLES))
        yield _by(algebra, doubled, compiled(RATIOS))
    if likes_reciprocals:
        yield quotient
    yield from _grouped(algebra, quotient)
    for base, exponent in quotient.powers.items():
        if isinstance(base, Product | Sum) and isinstance(exponent, Number) and exponent.value.denominator != 1:
            for shift in (1, -1):
                yield from _shifted(algebra, quotient, base, exponent, shift)


def _grouped(algebra: Algebra, quotient: Quotient) -> Iterator[Quotient]:
    """The powers with the same exponent as one: a quotient of such, or a product of three or more."""
    groups: dict[int, dict[Form, Form]] = {}
    for base, exponent in quotient.powers.items():
        number = exponent.value if isinstance(exponent, Number) else 0
        if base is not algebra.e and isinstance(number, int) and abs(number) >= 2:
            groups.setdefault(abs(number), {})[base] = algebra.one if number > 0 else algebra.minus_one
    for size, group in groups.items():
        signs = set(group.values())
        if len(signs) > 1 or len(group) > 2:
            inverse = signs == {algebra.minus_one}
            together = algebra.plain_product(dict.fromkeys(group, algebra.one) if inverse else group)
            rest = {base: exponent for base, exponent in quotient.powers.items() if base not in group}
            exponent = algebra.number(-size if inverse else size)
            rest[together] = algebra.sum([(rest.get(together, algebra.zero), 1), (exponent, 1)])
            yield Quotient(quotient.coefficient, rest)


def _by(algebra: Algebra, quotient: Quotient, laws: Laws) -> Quotient:
    """By laws that make a product shorter."""
    powers, coefficient = dict(quotient.powers), quotient.coefficient
    while found := laws.product(algebra, powers, plain=True):
        for form, times in found:
            number, monomial = split(form, algebra.one)
            assert isinstance(times, Number)
            coefficient *= exact(Fraction(number) ** int(times.value))
            for base, exponent in factors(monomial, algebra.one):
                total = algebra.sum([(powers.pop(base, algebra.zero), 1), (algebra.times(exponent, times), 1)])
                if total is not algebra.zero:
                    powers[base] = total
    return Quotient(coefficient, powers)


def _shifted(algebra: Algebra, quotient: Quotient, base: Form, exponent: Number, shift: int) -> Iterator[Quotient]:
    """x*y/sqrt(x*y) as sqrt(x*y), and x/sqrt(x*y) as sqrt(x*y)/y: a root times or over what is under it."""
    number, monomial = split(base, algebra.one)
    if isinstance(monomial, Sum) or (isinstance(base, Sum) and not base.is_scaled):
        return
    powers = dict(quotient.powers)
    powers[base] = algebra.number(exponent.value + shift)
    for part, power in factors(monomial, algebra.one):
        total = algebra.sum([(powers.pop(part, algebra.zero), 1), (power, -shift)])
        if total is not algebra.zero:
            powers[part] = total
    yield Quotient(quotient.coefficient * Fraction(number) ** -shift, powers)
