"""Other ways to write a sum: common factors in front, over a common denominator, multiplied out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from .forms import Form, Number, Product, Sum, factors
from .numbers import Exact, magnitude
from .sums import denominators

if TYPE_CHECKING:
    from .algebra import Algebra

_MOST_EXPANDED = 40  # terms


def alternatives(algebra: Algebra, total: Sum) -> Iterator[Form]:
    """Forms with the same value as a sum, one of which may be shorter."""
    common, rest = algebra.primitive(total)
    if common is not algebra.one:
        yield algebra.times(common, rest)
    yield from _over_common_denominators(algebra, total)
    yield from _contained(algebra, total)
    grouped = _grouped(algebra, total)
    if grouped is not None:
        yield grouped
    expanded = _expanded(algebra, total)
    if expanded is not None:
        yield expanded


def over_common_denominator(algebra: Algebra, total: Sum) -> Form:
    """The sum as one fraction."""
    largest = _largest(total)
    return _over(algebra, total, largest) if largest else total


def _largest(total: Sum) -> dict[Form, Exact]:
    """What the terms of a sum are divided by, each base with its largest exponent."""
    largest: dict[Form, Exact] = {}
    for monomial, _ in total.terms:
        for base, exponent in denominators(monomial):
            largest[base] = min(exponent, largest.get(base, 0))
    return largest


def _over_common_denominators(algebra: Algebra, total: Sum) -> Iterator[Form]:
    """The sum over the denominators of its terms, each alone and all together."""
    largest = _largest(total)
    if len(largest) > 1:
        yield _over(algebra, total, largest)
    for base, exponent in largest.items() if len(largest) <= 4 else ():
        yield _over(algebra, total, {base: exponent})


def _over(algebra: Algebra, total: Sum, powers: dict[Form, Exact]) -> Form:
    inverse = [(base, algebra.number(-exponent)) for base, exponent in powers.items()]
    top = algebra.sum([(algebra.product(1, [(m, algebra.one), *inverse]), number) for m, number in total.terms])
    return algebra.product(1, [(top, algebra.one), *((base, algebra.number(e)) for base, e in powers.items())])


def _contained(algebra: Algebra, total: Sum) -> Iterator[Form]:
    """a*(b + c) + b + c as (a + 1)*(b + c): the terms of a sum that is a factor of another term."""
    terms = dict(total.terms)
    for monomial, _ in total.terms:
        for inner in _sums_in(algebra, monomial)[0]:
            ratios = {Fraction(terms.get(m, 0)) / number for m, number in inner.terms}
            if len(ratios) == 1 and (ratio := ratios.pop()):
                rest = [(m, number) for m, number in terms.items() if m not in dict(inner.terms)]
                others = [(algebra.times(m, algebra.power(inner, -1)), n) for m, n in rest if _has(m, inner)]
                free = [(m, n) for m, n in rest if not _has(m, inner)]
                first = algebra.sum([*others, (algebra.one, ratio)])
                yield algebra.sum([(algebra.times(first, inner), 1), *free])


def _has(monomial: Form, base: Form) -> bool:
    return monomial is base or (isinstance(monomial, Product) and base in dict(monomial.factors))


def _grouped(algebra: Algebra, total: Sum) -> Form | None:
    """The terms that share the factor that most of them share, put together."""
    counts: Counter[tuple[Form, Form]] = Counter()
    numbers: Counter[Exact] = Counter()
    for monomial, number in total.terms:
        counts.update(factors(monomial, algebra.one))
        numbers[magnitude(number)] += 1
    del numbers[1]
    shared = [(count, power) for power, count in counts.items() if 1 < count < len(total.terms)]
    if shared:
        most = max(count for count, _ in shared)
        power = next(power for count, power in shared if count == most)
        group = {m: number for m, number in total.terms if power in factors(m, algebra.one)}
        inverse = (power[0], algebra.scaled(-1, power[1]))
        inner = algebra.sum([(algebra.product(1, [(m, algebra.one), inverse]), number) for m, number in group.items()])
        together = algebra.product(1, [power, (inner, algebra.one)])
    else:
        size = next((number for number, count in numbers.most_common(1) if 1 < count < len(total.terms)), None)
        if size is None:
            return None
        group = {m: number for m, number in total.terms if magnitude(number) == size}
        together = algebra.sum(group.items())
    rest = {m: number for m, number in total.terms if m not in group}
    if together in rest or isinstance(together, Number):
        return None
    return algebra.sum([(together, 1), *rest.items()])


def _expanded(algebra: Algebra, total: Sum) -> Form | None:
    """The sum with the products of sums in it multiplied out, where that cannot lose digits."""
    pairs: list[tuple[Form, Exact]] = []
    changed = False
    for monomial, number in total.terms:
        sums, others = _sums_in(algebra, monomial)
        if len(sums) > 2 or sum(map(_is_mixed, sums)) > 1:
            return None
        parts: list[tuple[Form, Exact]] = [(others, number)]
        for inner in sums:
            changed = True
            parts = [(algebra.times(part, m), n * k) for part, n in parts for m, k in inner.terms]
            if len(parts) > _MOST_EXPANDED:
                return None
        pairs += parts
    return algebra.sum(pairs) if changed and len(pairs) <= _MOST_EXPANDED else None


def _sums_in(algebra: Algebra, monomial: Form) -> tuple[list[Sum], Form]:
    """The sums that a monomial has as factors, and the rest of it."""
    if isinstance(monomial, Sum):
        return [monomial], algebra.one
    if not isinstance(monomial, Product):
        return [], monomial
    sums = [base for base, exponent in monomial.factors if isinstance(base, Sum) and exponent is algebra.one]
    rest = {base: exponent for base, exponent in monomial.factors if base not in sums}
    return [total for total in sums if not total.is_scaled], algebra.plain_product(rest)


def _is_mixed(total: Sum) -> bool:
    """Does it have terms of both signs, which may cancel?"""
    return len({number > 0 for _, number in total.terms}) > 1
