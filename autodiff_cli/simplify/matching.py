"""The laws, applied: texts of the table as patterns of forms, found in what an algebra puts together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ..operations import Operation
from .forms import Call, E, Form, Leaf, Number, Sum, factors, split
from .numbers import Exact
from .patterns import Binding, all_match, instance, is_letter, match
from .signs import is_nonnegative, is_positive

if TYPE_CHECKING:
    from .algebra import Algebra

_CONDITIONS = {">= 0": is_nonnegative, "> 0": is_positive}
_MOST_TERMS = 60  # of a sum that is looked into


class Law(NamedTuple):
    """One law, read: wherever the left form is found, the right one takes its place."""

    left: Form
    right: Form
    condition: tuple[Form, str] | None
    one: Form
    """the number 1 among the forms of the law"""

    def holds(self, algebra: Algebra, binding: Binding) -> bool:
        """Is its condition known to hold?"""
        return self.condition is None or _CONDITIONS[self.condition[1]](binding[self.condition[0]], algebra)


class Place(NamedTuple):
    """A power in the left side of a law, by which the law is found; in a sum it is part of a monomial."""

    law: Law
    base: Form
    exponent: Form
    monomial: Form


class Laws:
    """Laws by the place where they are looked for: operations, products, sums."""

    def __init__(self, laws: Iterable[Law] = ()) -> None:
        self.calls: dict[Operation, list[Law]] = {}
        self.products: dict[object, list[Place]] = {}
        self.sums: dict[object, list[Place]] = {}
        for law in laws:
            if isinstance(law.left, Call):
                self.calls.setdefault(law.left.row, []).append(law)
            elif isinstance(law.left, Sum):
                for monomial, _ in law.left.terms:
                    if not isinstance(monomial, Number):
                        self._enter(self.sums, law, monomial)
            else:
                self._enter(self.products, law, law.left)

    @staticmethod
    def _enter(laws: dict[object, list[Place]], law: Law, monomial: Form) -> None:
        powers = [(base, exponent) for base, exponent in factors(monomial, law.one) if _key(base)]
        base, exponent = min(powers, key=lambda power: (Call, Sum, Leaf).index(type(power[0])))
        laws.setdefault(_key(base), []).append(Place(law, base, exponent, monomial))

    def call(self, algebra: Algebra, row: Operation, arguments: tuple[Form, ...]) -> Form | None:
        """What an operation is by the laws; None where none applies."""
        for law in self.calls.get(row, ()):
            assert isinstance(law.left, Call)
            binding: Binding = {}
            patterns = law.left.arguments
            fits = len(patterns) == len(arguments) and all_match(algebra, patterns, arguments, binding)
            if fits and law.holds(algebra, binding):
                return instance(algebra, law.right, binding)
        return None

    def product(self, algebra: Algebra, powers: dict[Form, Form], *, plain: bool = False) -> list[tuple[Form, Form]]:
        """Take powers out of a product by one of the laws: what takes their place; `plain` leaves that as it stands."""
        for base, exponent in powers.items():
            if not isinstance(base, Call | Sum):
                continue
            for place in self.products.get(_key(base), ()):
                needed, binding = _contained(algebra, place, base, exponent, powers)
                if needed:
                    times = min(_count(powers.get(part), power) for part, power in needed)
                    for part, power in needed if times else ():
                        _take(algebra, powers, part, algebra.scaled(times, power))
                    if times:
                        return [(instance(algebra, place.law.right, binding, plain=plain), algebra.number(times))]
        return []

    def sum(self, algebra: Algebra, terms: dict[Form, Exact]) -> list[tuple[Form, Exact]]:
        """Take terms out of a sum by one of the laws: what takes their place."""
        if not self.sums or len(terms) > _MOST_TERMS:
            return []
        powers = [(monomial, *power) for monomial in terms for power in factors(monomial, algebra.one)]
        exponentials = sum(base is algebra.e for _, base, _ in powers)
        for monomial, base, exponent in powers:
            if isinstance(base, Call) or (base is algebra.e and exponentials > 1):
                number = terms[monomial]
                for place in self.sums.get(_key(base), ()):
                    binding = _bound(algebra, place, base, exponent)
                    found = binding and _complete(algebra, place, binding, monomial, number, terms)
                    if found:
                        return found
        return []


def _key(base: Form) -> object:
    if isinstance(base, Call):
        return base.row
    return Sum if isinstance(base, Sum) else "e" if isinstance(base, Leaf) and base.node == E else None


# ---- Products --------------------------------------------------------------------------------------------------------


def _contained(
    algebra: Algebra, place: Place, base: Form, exponent: Form, powers: Mapping[Form, Form]
) -> tuple[list[tuple[Form, Form]], Binding]:
    """The powers that the left side of a law takes out of a product; none where it does not fit."""
    binding: Binding = {}
    if not _reaches(exponent, place.exponent) or not match(algebra, place.base, base, binding):
        return [], binding
    if not place.law.holds(algebra, binding):
        return [], binding
    needed: list[tuple[Form, Form]] = []
    for part, power in factors(place.law.left, place.law.one):
        if part is place.base:
            needed.append((base, instance(algebra, power, binding)))
        elif not is_letter(part):
            needed.append((instance(algebra, part, binding, plain=True), instance(algebra, power, binding)))
        elif isinstance(binding[part], Number | Sum) and not is_base(algebra, binding[part]):
            return [], binding
        else:
            sign = instance(algebra, power, binding)
            needed += [(b, algebra.times(e, sign)) for b, e in factors(binding[part], algebra.one)]
    return (needed if all(part in powers for part, _ in needed) else []), binding


def is_base(algebra: Algebra, form: Form) -> bool:
    """Is it a sum that stands in products as it is?"""
    return isinstance(form, Sum) and not form.is_scaled and algebra.turned(form) is None


def _reaches(there: Form, needed: Form) -> bool:
    """Is there as much of a power as is needed?"""
    if not isinstance(there, Number) or not isinstance(needed, Number):
        return False
    return there.value / Fraction(needed.value) >= 1


def _count(there: Form | None, needed: Form) -> int:
    """How often an exponent is contained in another."""
    if isinstance(there, Number) and isinstance(needed, Number):
        return max(0, int(there.value / Fraction(needed.value)))
    terms = dict(there.terms if isinstance(there, Sum) else ((there, 1),))
    wanted = needed.terms if isinstance(needed, Sum) else ((needed, 1),)
    return int(all(terms.get(monomial) == number for monomial, number in wanted))


def _take(algebra: Algebra, powers: dict[Form, Form], base: Form, exponent: Form) -> None:
    rest = algebra.sum([(powers.pop(base), 1), (exponent, -1)])
    if rest is not algebra.zero:
        powers[base] = rest


# ---- Sums ------------------------------------------------------------------------------------------------------------


def _bound(algebra: Algebra, place: Place, base: Form, exponent: Form) -> Binding:
    """What the letters of a law stand for, by one power in a sum; nothing where it does not fit."""
    binding: Binding = {}
    if isinstance(place.exponent, Number):
        fits = _reaches(exponent, place.exponent) and match(algebra, place.base, base, binding)
    else:
        fits = match(algebra, place.exponent, exponent, binding)
    return binding if fits and place.law.holds(algebra, binding) else {}


def _complete(
    algebra: Algebra, place: Place, binding: Binding, monomial: Form, number: Exact, terms: dict[Form, Exact]
) -> list[tuple[Form, Exact]]:
    """The right side of a law times what its left side is multiplied by, if all terms of that are in the sum."""
    left = place.law.left
    assert isinstance(left, Sum)
    key = place, monomial, *binding.values()
    if key not in algebra.expected:
        algebra.expected[key] = _expected(algebra, place, binding, monomial)
    rest, expected = algebra.expected[key]
    times = Fraction(number) / dict(left.terms)[place.monomial]
    if any(terms.get(there, 0) != times * coefficient for there, coefficient in expected.items()):
        return []
    for there in expected:
        del terms[there]
    return [(algebra.times(rest, instance(algebra, place.law.right, binding)), times)]


def _expected(algebra: Algebra, place: Place, binding: Binding, monomial: Form) -> tuple[Form, dict[Form, Exact]]:
    """What a law's left side is multiplied by, if one of its terms is a monomial, and all its terms, multiplied."""
    left = place.law.left
    assert isinstance(left, Sum)
    rest = algebra.product(
        1, [(monomial, algebra.one), (instance(algebra, place.monomial, binding), algebra.minus_one)]
    )
    expected: dict[Form, Exact] = {}
    for part, coefficient in left.terms:
        size, there = split(algebra.times(rest, instance(algebra, part, binding)), algebra.one)
        if not size or there in expected:
            return rest, {algebra.zero: 1}
        expected[there] = coefficient * size
    return rest, expected
