"""Rewriting by laws: a pattern that is found in a call, a product or a sum is replaced."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ..operations import Operation
from .algebra import Algebra
from .forms import Call, E, Form, Leaf, Number, Power, Sum, Term
from .numbers import Exact
from .patterns import Binding, instance, is_letter, match, match_all
from .sums import denominators

_MOST_TERMS = 60  # of a sum that laws are tried on


class Law(NamedTuple):
    """Wherever the left form is found, the right one takes its place."""

    algebra: Algebra
    """the algebra that its forms belong to"""
    left: Form
    right: Form


class LawPlace(NamedTuple):
    """The power in the left side of a law by which the law is looked up, and the monomial that it belongs to."""

    law: Law
    base: Form
    exponent: Form
    monomial: Form


class Laws:
    """Laws by where they apply: to calls of an operation, in products, in sums."""

    def __init__(self, laws: Iterable[Law] = ()) -> None:
        self.calls: dict[Operation, list[Law]] = {}
        self.products: dict[object, list[LawPlace]] = {}
        self.sums: dict[object, list[LawPlace]] = {}
        for law in laws:
            if isinstance(law.left, Call):
                self.calls.setdefault(law.left.operation, []).append(law)
            elif isinstance(law.left, Sum):
                for monomial, _ in law.left.terms:
                    if not isinstance(monomial, Number):
                        self._enter(self.sums, law, monomial)
            else:
                self._enter(self.products, law, law.left)

    @staticmethod
    def _enter(places: dict[object, list[LawPlace]], law: Law, monomial: Form) -> None:
        powers = [power for power in law.algebra.factors(monomial) if _key(power[0])]
        base, exponent = min(powers, key=lambda power: (Call, Sum, Leaf).index(type(power[0])))
        places.setdefault(_key(base), []).append(LawPlace(law, base, exponent, monomial))

    def call(self, algebra: Algebra, operation: Operation, arguments: tuple[Form, ...]) -> Form | None:
        """The replacement for a call; None where no law applies."""
        for law in self.calls.get(operation, ()):
            assert isinstance(law.left, Call)
            binding: Binding = {}
            patterns = law.left.arguments
            if len(patterns) == len(arguments) and match_all(algebra, patterns, arguments, binding):
                return instance(algebra, law.right, binding)
        return None

    def product(self, algebra: Algebra, powers: dict[Form, Form], *, plain: bool = False) -> list[Power]:
        """Remove powers from a product by a law; return their replacement, which `plain` leaves unsimplified."""
        for base, exponent in powers.items() if self.products else ():
            for place in self.products.get(_key(base), ()):
                taken, binding = _powers_to_take(algebra, place, base, exponent, powers)
                if taken and (times := min([_times_contained(powers[part], power) for part, power in taken])):
                    for part, power in taken:
                        algebra.multiply(powers, part, algebra.scaled(times, power), -1)
                    return [(instance(algebra, place.law.right, binding, plain=plain), algebra.number(times))]
        return []

    def sum(self, algebra: Algebra, terms: dict[Form, Exact]) -> list[Term]:
        """Remove terms from a sum by a law; return their replacement."""
        if not self.sums or len(terms) > _MOST_TERMS:
            return []
        powers = [(monomial, *power) for monomial in terms for power in algebra.factors(monomial)]
        exponentials = sum(base is algebra.e for _, base, _ in powers)
        for monomial, base, exponent in powers:
            if isinstance(base, Call) or (base is algebra.e and exponentials > 1):
                for place in self.sums.get(_key(base), ()):
                    binding = _binding(algebra, place, base, exponent)
                    replacement = binding and _take_terms(algebra, place, binding, monomial, terms)
                    if replacement:
                        return replacement
        return []


def _key(base: Form) -> object:
    """The key under which the laws for a base are stored; None for a base without laws."""
    if isinstance(base, Call):
        return base.operation
    return Sum if isinstance(base, Sum) else "e" if isinstance(base, Leaf) and base.node == E else None


def _reaches(exponent: Form, needed: Form) -> bool:
    """Whether a power contains another one of the same base."""
    return isinstance(exponent, Number) and isinstance(needed, Number) and _ratio(exponent, needed) >= 1


def _ratio(exponent: Number, needed: Number) -> Fraction:
    return exponent.value / Fraction(needed.value)


# ---- Products --------------------------------------------------------------------------------------------------------


def _powers_to_take(
    algebra: Algebra, place: LawPlace, base: Form, exponent: Form, powers: Mapping[Form, Form]
) -> tuple[list[Power], Binding]:
    """The powers that a law removes from a product, and the binding of its letters; no powers where it does not fit."""
    binding: Binding = {}
    law = place.law
    if not _reaches(exponent, place.exponent) or not match(algebra, place.base, base, binding):
        return [], binding
    taken: list[Power] = []
    for part, power in law.algebra.factors(law.left):
        if part is place.base:
            taken.append((base, instance(algebra, power, binding)))
        elif not is_letter(part):
            taken.append((instance(algebra, part, binding, plain=True), instance(algebra, power, binding)))
        elif isinstance(binding[part], Number | Sum) and not _is_base(algebra, binding[part]):
            return [], binding
        else:
            sign = instance(algebra, power, binding)
            taken += [(b, algebra.times(e, sign)) for b, e in algebra.factors(binding[part])]
    return (taken if all(part in powers for part, _ in taken) else []), binding


def _is_base(algebra: Algebra, form: Form) -> bool:
    """Whether a form is a sum that products do not multiply out."""
    return isinstance(form, Sum) and not form.is_scaled and algebra.opposite(form) is None


def _times_contained(exponent: Form, needed: Form) -> int:
    """The number of times that an exponent contains another."""
    if isinstance(exponent, Number) and isinstance(needed, Number):
        return max(0, int(_ratio(exponent, needed)))
    terms = dict(exponent.terms if isinstance(exponent, Sum) else ((exponent, 1),))
    wanted = needed.terms if isinstance(needed, Sum) else ((needed, 1),)
    return int(all(terms.get(monomial) == number for monomial, number in wanted))


# ---- Sums ------------------------------------------------------------------------------------------------------------


def _binding(algebra: Algebra, place: LawPlace, base: Form, exponent: Form) -> Binding:
    """The binding of a law's letters by one power in a sum; empty where it does not fit."""
    binding: Binding = {}
    if isinstance(place.exponent, Number):
        fits = _reaches(exponent, place.exponent) and match(algebra, place.base, base, binding)
    else:
        fits = match(algebra, place.exponent, exponent, binding)
    return binding if fits else {}


def _take_terms(
    algebra: Algebra, place: LawPlace, binding: Binding, monomial: Form, terms: dict[Form, Exact]
) -> list[Term]:
    """Remove a multiple of a law's left side from a sum, if all of it is there; return the replacement."""
    left = place.law.left
    assert isinstance(left, Sum)
    key = place, monomial, *binding.values()
    if key not in algebra.multiples:
        algebra.multiples[key] = _multiple(algebra, place, binding, monomial)
    factor, multiple = algebra.multiples[key]
    times = Fraction(terms[monomial]) / dict(left.terms)[place.monomial]
    if any(terms.get(part, 0) != times * coefficient for part, coefficient in multiple.items()):
        return []
    for part in multiple:
        del terms[part]
    return [(algebra.times(factor, instance(algebra, place.law.right, binding)), times)]


def _multiple(algebra: Algebra, place: LawPlace, binding: Binding, monomial: Form) -> tuple[Form, dict[Form, Exact]]:
    """The factor between a term of a law's left side and a monomial, and all the terms times that factor.

    The law does not apply where the right side would stay divided by what the left side was multiplied by:
    1 + tanh(a) is not exp(a)/cosh(a), both of which overflow.
    """
    left = place.law.left
    assert isinstance(left, Sum)
    factor = algebra.quotient(monomial, instance(algebra, place.monomial, binding))
    terms: dict[Form, Exact] = {}
    multiplied: set[Form] = set()
    for part, coefficient in left.terms:
        inner = instance(algebra, part, binding)
        multiplied |= {base for base, _ in algebra.factors(algebra.split(inner)[1])} - _divisors(algebra, inner)
        size, product = algebra.split(algebra.times(factor, inner))
        if not size or product in terms:
            return factor, {algebra.zero: 1}
        terms[product] = coefficient * size
    divisors = _divisors(algebra, factor) & multiplied
    if divisors and not isinstance(place.law.right, Number):
        divisors &= _divisors(algebra, algebra.times(factor, instance(algebra, place.law.right, binding)))
        return factor, {algebra.zero: 1} if divisors else terms
    return factor, terms


def _divisors(algebra: Algebra, form: Form) -> set[Form]:
    """The bases that a product is divided by."""
    return {base for base, _ in denominators(algebra.split(form)[1])}
