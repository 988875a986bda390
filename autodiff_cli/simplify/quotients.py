"""Products as quotients: numerator and denominator, the order of factors, and other ways to write them."""

from collections.abc import Collection, Container, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from .algebra import Algebra
from .factoring import over_common_denominator
from .forms import Call, E, Form, Leaf, Number, Power, Product, Sum, whole
from .laws import DOUBLES, RATIOS, RECIPROCALS, compiled
from .numbers import Exact, as_int_if_whole
from .rewriting import Laws
from .sums import primitive

_RECIPROCALS = ("sec", "csc", "sech", "csch")
_RATIOS = ("tan", "cot", "tanh", "coth")
_IN_RATIOS = frozenset(["sin", "cos", "sinh", "cosh"])
_MOST_TERMS, _MOST_STEPS = 30, 60  # of sums that are divided by each other


class Quotient(NamedTuple):
    """A coefficient times powers."""

    coefficient: Exact
    powers: dict[Form, Form]

    def total(self) -> Sum | None:
        """The sum that this is; None if it is anything else."""
        if self.coefficient != 1 or len(self.powers) != 1:
            return None
        ((base, exponent),) = self.powers.items()
        return base if isinstance(base, Sum) and whole(exponent) == 1 else None

    def sides(self, algebra: Algebra) -> tuple[list[Power], list[Power]]:
        """The powers of the numerator, and those of the denominator with positive exponents."""
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
        return 3, 2 * any(map(_has_calls, base.arguments)) + (base.operation.name not in _RECIPROCALS), base.index
    return (5 if _has_calls(base) else 2), 0, base.index


def _has_calls(form: Form, depth: int = 3) -> bool:
    """Whether there are functions in the upper levels of a form."""
    if isinstance(form, Product):
        return depth > 0 and any(_has_calls(base, depth - 1) for base, _ in form.factors)
    if isinstance(form, Sum):
        return depth > 0 and any(_has_calls(monomial, depth - 1) for monomial, _ in form.terms)
    return isinstance(form, Call) or (isinstance(form, Leaf) and form.node == E)


def variants(algebra: Algebra, quotient: Quotient, names: Collection[str]) -> Iterator[Quotient]:
    """The quotient, and other ways to write it; of equally short ones the first is the most like the user's.

    `names` are the operations in the user's formula.
    """
    prefers_ratios = any(name in names for name in _RECIPROCALS + _RATIOS)
    if not prefers_ratios:
        yield quotient
    if any(isinstance(base, Call) and base.operation.name in _IN_RATIOS for base in quotient.powers):
        ratios = _rewritten(algebra, quotient, compiled(RATIOS))
        if not prefers_ratios:
            yield ratios
        yield _rewritten(algebra, ratios, compiled(RECIPROCALS))
        doubled = _rewritten(algebra, quotient, compiled(DOUBLES))
        doubled = _rewritten(algebra, doubled, compiled(RATIOS))
        yield doubled
        yield _rewritten(algebra, doubled, compiled(RECIPROCALS))
    if prefers_ratios:
        yield quotient
    yield from _grouped(algebra, quotient)
    for base, exponent in quotient.powers.items():
        if isinstance(base, Product | Sum) and isinstance(exponent, Number) and exponent.value.denominator != 1:
            for shift in (1, -1):
                yield from _shifted(algebra, quotient, base, exponent, shift)


def _grouped(algebra: Algebra, quotient: Quotient) -> Iterator[Quotient]:
    """The powers with the same exponent combined: a quotient of them, or a product of three or more."""
    groups: dict[int, dict[Form, Form]] = {}
    for base, exponent in quotient.powers.items():
        number = whole(exponent) or 0
        if base is not algebra.e and abs(number) >= 2:
            groups.setdefault(abs(number), {})[base] = algebra.one if number > 0 else algebra.minus_one
    for size, group in groups.items():
        signs = set(group.values())
        if len(signs) > 1 or len(group) > 2:
            inverse = signs == {algebra.minus_one}
            together = algebra.plain_product(dict.fromkeys(group, algebra.one) if inverse else group)
            rest = {base: exponent for base, exponent in quotient.powers.items() if base not in group}
            algebra.multiply(rest, together, algebra.number(-size if inverse else size))
            yield Quotient(quotient.coefficient, rest)


def _rewritten(algebra: Algebra, quotient: Quotient, laws: Laws) -> Quotient:
    """The quotient rewritten by laws that make a product shorter."""
    powers, coefficient = dict(quotient.powers), quotient.coefficient
    while replacement := laws.product(algebra, powers, plain=True):
        for form, times in replacement:
            number, monomial = algebra.split(form)
            assert isinstance(times, Number)
            coefficient *= as_int_if_whole(Fraction(number) ** int(times.value))
            for base, exponent in algebra.factors(monomial):
                algebra.multiply(powers, base, algebra.times(exponent, times))
    return Quotient(coefficient, powers)


def _shifted(algebra: Algebra, quotient: Quotient, base: Form, exponent: Number, shift: int) -> Iterator[Quotient]:
    """x*y/sqrt(x*y) as sqrt(x*y), and x/sqrt(x*y) as sqrt(x*y)/y: a root times or over what is under it."""
    number, monomial = algebra.split(base)
    if isinstance(monomial, Sum):
        return
    powers = dict(quotient.powers)
    powers[base] = algebra.number(exponent.value + shift)
    for part, power in algebra.factors(monomial):
        algebra.multiply(powers, part, power, -shift)
    yield Quotient(quotient.coefficient * Fraction(number) ** -shift, powers)


# ---- With sums in them -----------------------------------------------------------------------------------------------


def regrouped(algebra: Algebra, quotient: Quotient, originals: Container[Form]) -> Iterator[Quotient]:
    """The quotient with its sums over a common denominator, divided, or as the user wrote them, the `originals`."""
    sums = {
        base: exponent
        for base, exponent in quotient.powers.items()
        if isinstance(base, Sum) and not base.is_scaled and whole(exponent) is not None
    }
    cleared = [(over_common_denominator(algebra, base), exponent) for base, exponent in sums.items()]
    if any(base not in sums for base, _ in cleared):
        yield _replaced(algebra, quotient, sums, cleared)
    for total, exponent in sums.items():
        if exponent is algebra.one:
            yield from _divided(algebra, quotient, total)
        undivided = algebra.undivided.get(total)
        if undivided is not None and undivided in originals:
            yield from _restored(algebra, quotient, total, undivided)


def _divided(algebra: Algebra, quotient: Quotient, total: Sum) -> Iterator[Quotient]:
    """The numerator's sum divided by the denominator: term by term where that shortens one, or as a polynomial."""
    inside = {base for monomial, _ in total.terms for base, _ in algebra.factors(monomial)}
    below = {b: e for b, e in quotient.powers.items() if isinstance(e, Number) and e.value < 0}
    shared = {base: exponent for base, exponent in below.items() if base in inside}
    if shared:
        inner = algebra.multiplied(total.terms, shared.items())
        yield _replaced(algebra, quotient, [total, *shared], [(inner, algebra.one)])
    for base, exponent in below.items():
        result: Form = total
        while exponent.value < 0 and (divided := _polynomial_quotient(algebra, result, base)) is not None:
            result, exponent = divided, algebra.number(exponent.value + 1)
        if result is not total:
            yield _replaced(algebra, quotient, [total, base], [(result, algebra.one), (base, exponent)])


def _restored(algebra: Algebra, quotient: Quotient, total: Sum, undivided: Sum) -> Iterator[Quotient]:
    """x*(x + 1) as x^2 + x, where that is what the user wrote."""
    exponent = quotient.powers[total]
    common = dict(algebra.factors(primitive(algebra, undivided)[0]))
    if all(quotient.powers.get(base) is algebra.times(e, exponent) for base, e in common.items()):
        rest = {base: e for base, e in quotient.powers.items() if base is not total and base not in common}
        algebra.multiply(rest, undivided, exponent)
        yield Quotient(quotient.coefficient, rest)


def _replaced(algebra: Algebra, quotient: Quotient, old: Container[Form], new: Iterable[Power]) -> Quotient:
    rest = [power for power in quotient.powers.items() if power[0] not in old]
    coefficient, monomial = algebra.split(algebra.product(quotient.coefficient, [*rest, *new]))
    return Quotient(coefficient, dict(algebra.factors(monomial)))


# ---- Polynomials -----------------------------------------------------------------------------------------------------

Polynomial = dict[tuple[int, ...], Exact]
"""the exponents of the bases → the coefficient"""


def _polynomial_quotient(algebra: Algebra, top: Form, bottom: Form) -> Form | None:
    """The quotient of two sums as polynomials in the bases of their powers; None where there is a remainder."""
    if not isinstance(top, Sum) or not isinstance(bottom, Sum) or bottom.is_scaled:
        return None
    if max(len(top.terms), len(bottom.terms)) > _MOST_TERMS:
        return None
    bases = list({base: None for form in (top, bottom) for m, _ in form.terms for base, _ in algebra.factors(m)})
    dividend, divisor = _polynomial(algebra, top, bases), _polynomial(algebra, bottom, bases)
    quotient = None if dividend is None or divisor is None else _long_division(dividend, divisor)
    if quotient is None:
        return None
    terms = [
        (algebra.product(1, [(b, algebra.number(e)) for b, e in zip(bases, powers, strict=True)]), number)
        for powers, number in quotient.items()
    ]
    return algebra.sum(terms)


def _polynomial(algebra: Algebra, form: Sum, bases: list[Form]) -> Polynomial | None:
    """A sum as a polynomial in some bases; None where an exponent is not a natural number."""
    polynomial: Polynomial = {}
    for monomial, number in form.terms:
        powers = dict(algebra.factors(monomial))
        exponents = [whole(powers.get(base, algebra.zero)) for base in bases]
        naturals = tuple([exponent for exponent in exponents if exponent is not None and exponent >= 0])
        if len(naturals) < len(bases):
            return None
        polynomial[naturals] = number
    return polynomial


def _long_division(rest: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """Divide by the highest powers, using up `rest`, the dividend; None where there is a remainder."""
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
