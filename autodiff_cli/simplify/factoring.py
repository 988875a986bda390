"""Other ways to write a sum: common factors in front, over a common denominator, multiplied out."""

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from .algebra import Algebra
from .assumptions import is_nonnegative
from .forms import Form, Leaf, Number, Power, Product, Sum, Term, whole
from .numbers import Exact, exact_power, magnitude
from .sums import denominators, primitive

Key = TypeVar("Key", bound=Hashable)

_MOST_EXPANDED = 100  # terms
_HIGHEST = 3  # power of a sum that is multiplied out
_SMALL = 100  # coefficients of a polynomial that is multiplied out although digits may cancel
_MOST_DENOMINATORS = 4  # that are tried one by one
_MOST_TOGETHER = 16  # denominators that a common one may have: each term is multiplied by those that it lacks


def alternatives(algebra: Algebra, total: Sum) -> Iterator[Form]:
    """Forms with the same value as a sum, one of which may be shorter."""
    common, rest = primitive(algebra, total)
    if common is not algebra.one:
        yield algebra.times(common, rest)
    largest = _largest_denominators(total)
    if len(largest) > 1:
        yield _over(algebra, total, largest)
    for base, exponent in largest.items() if len(largest) <= _MOST_DENOMINATORS else ():
        yield _over(algebra, total, {base: exponent})
    yield from _with_contained_sums(algebra, total)
    for alternative in (_grouped, _expanded, _square):
        form = alternative(algebra, total)
        if form is not None:
            yield form


def over_common_denominator(algebra: Algebra, total: Sum) -> Form:
    """The sum as one fraction."""
    largest = _largest_denominators(total)
    return _over(algebra, total, largest) if largest else total


def _largest_denominators(total: Sum) -> dict[Form, Exact]:
    """The common denominator of the terms of a sum: base → the lowest exponent. Empty if it would be too long."""
    largest: dict[Form, Exact] = {}
    for monomial, _ in total.terms:
        for base, exponent in denominators(monomial):
            largest[base] = min(exponent, largest.get(base, 0))
    return largest if len(largest) <= _MOST_TOGETHER else {}


def _over(algebra: Algebra, total: Sum, exponents: dict[Form, Exact]) -> Form:
    top = algebra.multiplied(total.terms, [(base, algebra.number(-e)) for base, e in exponents.items()])
    return algebra.product(1, [(top, algebra.one), *((base, algebra.number(e)) for base, e in exponents.items())])


def _with_contained_sums(algebra: Algebra, total: Sum) -> Iterator[Form]:
    """a*(b + c) + b + c as (a + 1)*(b + c): the terms of a sum that is a factor of another term."""
    terms = dict(total.terms)
    for monomial, _ in total.terms:
        for inner in _sums_in(algebra, monomial)[0]:
            inside = dict(inner.terms)
            ratios = {Fraction(terms.get(m, 0)) / number for m, number in inside.items()}
            if len(ratios) == 1 and (ratio := ratios.pop()):
                rest = [(m, number) for m, number in terms.items() if m not in inside]
                inverse = algebra.power(inner, -1)
                quotients = [(algebra.times(m, inverse), n) for m, n in rest if _has_factor(m, inner)]
                others = [(m, n) for m, n in rest if not _has_factor(m, inner)]
                first = algebra.sum([*quotients, (algebra.one, ratio)])
                yield algebra.sum([(algebra.times(first, inner), 1), *others])


def _has_factor(monomial: Form, base: Form) -> bool:
    return monomial is base or (isinstance(monomial, Product) and base in dict(monomial.factors))


def _grouped(algebra: Algebra, total: Sum) -> Form | None:
    """The sum with some terms grouped: those with the commonest factor, or else those with the same number."""
    powers: Counter[Power] = Counter()
    sizes: Counter[Exact] = Counter()
    for monomial, number in total.terms:
        powers.update(power for power in algebra.factors(monomial) if power[0] is not algebra.zero)
        sizes[magnitude(number)] += 1
    del sizes[1]
    power, size = _most_common(powers, len(total.terms)), _most_common(sizes, len(total.terms))
    if power is not None:
        group = {m: number for m, number in total.terms if power in algebra.factors(m)}
        inner = algebra.multiplied(group.items(), algebra.inverse([power]))
        together = algebra.product(1, [power, (inner, algebra.one)])
    elif size is not None:
        group = {m: number for m, number in total.terms if magnitude(number) == size}
        together = algebra.sum(group.items())
    else:
        return None
    rest = {m: number for m, number in total.terms if m not in group}
    if together in rest or isinstance(together, Number):
        return None
    return algebra.sum([(together, 1), *rest.items()])


def _most_common(counts: Counter[Key], size: int) -> Key | None:
    """The key that most terms have, among those that several, but not all, of `size` terms have."""
    shared = {key: count for key, count in counts.items() if 1 < count < size}
    return max(shared, key=shared.__getitem__, default=None)


def _expanded(algebra: Algebra, total: Sum) -> Form | None:
    """The sum with the products of sums in it multiplied out, where that loses few digits or leaves a single term."""
    expansion: list[Term] = []
    is_safe = True
    for monomial, number in total.terms:
        sums, others = _sums_in(algebra, monomial, _HIGHEST)
        is_safe = is_safe and len(sums) <= 2 and sum(map(_has_both_signs, sums)) <= 1
        parts: list[Term] = [(others, number)]
        for inner in sums:
            parts = [(algebra.times(part, m), n * k) for part, n in parts for m, k in inner.terms]
            if len(parts) > _MOST_EXPANDED:
                return None
        expansion += parts
    if not len(total.terms) < len(expansion) <= _MOST_EXPANDED:
        return None
    result = algebra.sum(expansion)
    if (
        is_safe
        or not isinstance(result, Sum)
        or result.is_scaled
        or is_nonnegative(result)
        or _is_small(algebra, result)
    ):
        return result
    return None


def _square(algebra: Algebra, total: Sum) -> Form | None:
    """a^2 + 2*a*b + b^2 as (a + b)^2."""
    roots = {place: root for place, term in enumerate(total.terms) if (root := _root(algebra, *term))}
    for (i, (a, size)), (j, (b, other)) in combinations(roots.items(), 2) if len(total.terms) == 3 else ():
        mixed, number = total.terms[3 - i - j]
        if mixed is algebra.times(a, b) and magnitude(number) == 2 * size * other:
            return algebra.power(algebra.sum([(a, size), (b, other if number > 0 else -other)]), 2)
    return None


def _root(algebra: Algebra, monomial: Form, number: Exact) -> Term | None:
    """The monomial and the number whose squares are these; None where they are not whole powers."""
    size = exact_power(number, algebra.half.value) if number > 0 else None
    powers = algebra.factors(monomial)
    if size is None or any((whole(exponent) or 1) % 2 for _, exponent in powers):
        return None
    return algebra.product(1, [(base, algebra.scaled(algebra.half.value, exponent)) for base, exponent in powers]), size


def _is_small(algebra: Algebra, total: Sum) -> bool:
    """Whether a sum is a polynomial in one input whose coefficients are so small that few digits are lost."""
    bases = {base for monomial, _ in total.terms for base, _ in algebra.factors(monomial)}
    is_polynomial = len(bases) == 1 and all(isinstance(base, Leaf) and base.node >= 0 for base in bases)
    return is_polynomial and all(magnitude(number) <= _SMALL for _, number in total.terms)


def _sums_in(algebra: Algebra, monomial: Form, most: int = 1) -> tuple[list[Sum], Form]:
    """The sums that a monomial has as factors, in powers up to `most`, and the rest of it."""
    if isinstance(monomial, Sum):
        return [monomial], algebra.one
    if not isinstance(monomial, Product):
        return [], monomial
    sums: list[Sum] = []
    rest = dict(monomial.factors)
    for base, exponent in monomial.factors:
        power = whole(exponent) or 0
        if isinstance(base, Sum) and not base.is_scaled and 0 < power <= most:
            sums += [base] * power
            del rest[base]
    return sums, algebra.plain_product(rest)


def _has_both_signs(total: Sum) -> bool:
    """Whether a sum has positive and negative terms, which may cancel."""
    return len({number > 0 for _, number in total.terms}) > 1
