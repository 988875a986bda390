"""The arithmetic of forms: what the files on sums, products, choices and laws need from each other.

The operations that they implement are abstract here; `simplifier` puts them together.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from itertools import count
from math import isfinite

from ..operations import Operation
from .forms import NAMED, Call, E, Form, Leaf, Number, Power, Product, Sum, Term
from .numbers import Exact


class Algebra(ABC):
    """Makes the forms of one simplification.

    `decimals` are the decimal numbers of the formula, grouped by their numerators without the factors 2 and 5. Where
    there are any, those of a sum are kept as they are written.
    """

    def __init__(self, *, decimals: Mapping[int, Collection[Fraction]] | None = None) -> None:
        self.decimals = decimals or {}
        self._indices = count()
        self._numbers: dict[Exact, Number] = {}
        self._leaves: dict[int, Leaf] = {}
        self._calls: dict[tuple[Operation, tuple[Form, ...]], Call] = {}
        self._products: dict[frozenset[Power], Product] = {}
        self._sums: dict[frozenset[Term], Sum] = {}
        self._opposites: dict[Form, Sum] = {}
        self.zero, self.one, self.minus_one, self.half = (self.number(n) for n in (0, 1, -1, Fraction(1, 2)))
        self.e = self.leaf(E)
        self.written_conditions: set[Form] = set()
        """conditions that the user wrote"""
        self.most_parts = 16
        """the number of parts of a condition, joined by `and` or `or`, that are looked at one by one"""
        self.refined_junctions = 0
        """the number of junctions that were simplified by facts"""
        self.junctions: dict[tuple[Operation, frozenset[Form]], Form] = {}
        """`and` or `or` and the conditions that it joins → the form"""
        self.undivided: dict[Form, Sum] = {}
        """a sum divided by the powers that its terms share → the sum"""
        self.multiples: dict[object, tuple[Form, dict[Form, Exact]]] = {}
        """a law and where it may apply in a sum → a factor, and the terms of the law's left side times that"""
        self.work = 0
        """the number of products computed"""

    # ---- Forms as given ----------------------------------------------------------------------------------------------

    def number(self, value: Exact) -> Number:
        """An exact number."""
        form = self._numbers.get(value)
        if form is None:
            whole = value.numerator if value.denominator == 1 else value
            form = self._numbers[value] = Number(next(self._indices), whole)
        return form

    def leaf(self, node: int, *, is_computed: bool = False) -> Leaf:
        """An opaque node of the graph."""
        form = self._leaves.get(node)
        if form is None:
            form = self._leaves[node] = Leaf(next(self._indices), node, is_computed)
        return form

    def plain_call(self, operation: Operation, arguments: tuple[Form, ...]) -> Call:
        """A call exactly as given."""
        form = self._calls.get((operation, arguments))
        if form is None:
            form = self._calls[operation, arguments] = Call(next(self._indices), operation, arguments)
        return form

    def plain_product(self, factors: Mapping[Form, Form]) -> Form:
        """A product of powers exactly as given: base → exponent."""
        if not factors:
            return self.one
        if len(factors) == 1:
            ((base, exponent),) = factors.items()
            if exponent is self.one:
                return base
        key = frozenset(factors.items())
        form = self._products.get(key)
        if form is None:
            ordered = sorted(factors.items(), key=lambda power: power[0].index)
            form = self._products[key] = Product(next(self._indices), tuple(ordered))
        return form

    def plain_sum(self, terms: Mapping[Form, Exact]) -> Form:
        """A sum of at least one term, exactly as given: monomial → coefficient."""
        if len(terms) == 1:
            ((monomial, coefficient),) = terms.items()
            if coefficient == 1:
                return monomial
            if monomial is self.one:
                return self.number(coefficient)
        key = frozenset(terms.items())
        form = self._sums.get(key)
        if form is None:
            form = self._sums[key] = Sum(next(self._indices), tuple(terms.items()))
            opposite = self._sums.get(frozenset([(m, -n) for m, n in terms.items()])) if len(terms) > 1 else None
            if opposite is not None:
                self._opposites[form] = opposite
        return form

    def opposite(self, total: Form) -> Sum | None:
        """The negative of a sum if that was made first, so that it represents both; None otherwise."""
        return self._opposites.get(total)

    def constant(self, number: float, name: str | None = None) -> Form:
        """The form of a number in the formula, or of a named constant."""
        if name == "e":
            return self.exp(self.one)
        if name in NAMED:
            return self.leaf(NAMED[name])
        if not isfinite(number):
            return self.leaf(NAMED["nan" if number != number else "inf"])
        return self.number(Fraction(repr(number)))

    # ---- Operations --------------------------------------------------------------------------------------------------

    @abstractmethod
    def sum(self, terms: Iterable[Term]) -> Form:
        """The sum of forms, each times its coefficient."""

    @abstractmethod
    def product(self, coefficient: Exact, powers: Iterable[Power]) -> Form:
        """A coefficient times powers."""

    @abstractmethod
    def call(self, operation: Operation, arguments: tuple[Form, ...]) -> Form:
        """An operation other than arithmetic."""

    @abstractmethod
    def rewritten(self, operation: Operation, arguments: tuple[Form, ...]) -> Form:
        """A call, rewritten by the laws for its operation; as given where none applies."""

    def apply(self, operation: Operation, arguments: tuple[Form, ...]) -> Form:
        """An operation of any kind."""
        arithmetic = _ARITHMETIC.get(operation.name)
        return arithmetic(self, *arguments) if arithmetic else self.call(operation, arguments)

    def function(self, operation: Operation, count: int) -> Callable[..., Form]:
        """The operation on `count` forms."""
        return lambda *arguments: self.apply(operation, arguments)

    def times(self, *parts: Form) -> Form:
        """The product of a few forms."""
        return self.product(1, [(part, self.one) for part in parts])

    def quotient(self, top: Form, bottom: Form) -> Form:
        """One form divided by another."""
        return self.product(1, [(top, self.one), (bottom, self.minus_one)])

    def scaled(self, coefficient: Exact, form: Form) -> Form:
        """A form times a number."""
        return form if coefficient == 1 else self.sum([(form, coefficient)])

    def power(self, base: Form, exponent: Form | Exact) -> Form:
        """A power."""
        return self.product(1, [(base, exponent if isinstance(exponent, Form) else self.number(exponent))])

    def exp(self, exponent: Form) -> Form:
        """The exponential."""
        return self.product(1, [(self.e, exponent)])

    def multiplied(self, terms: Iterable[Term], powers: Iterable[Power]) -> Form:
        """The sum of terms, each times the powers."""
        powers = tuple(powers)
        return self.sum([(self.product(1, [(monomial, self.one), *powers]), number) for monomial, number in terms])

    def multiply(self, powers: dict[Form, Form], base: Form, exponent: Form, sign: int = 1) -> None:
        """Multiply a product, base → exponent, by a power, or divide it where the sign is -1."""
        total = self.sum([(powers.pop(base, self.zero), 1), (exponent, sign)])
        if total is not self.zero:
            powers[base] = total

    # ---- Parts of forms ----------------------------------------------------------------------------------------------

    def split(self, form: Form) -> tuple[Exact, Form]:
        """A form as a coefficient and a monomial."""
        if isinstance(form, Sum) and form.is_scaled:
            monomial, coefficient = form.terms[0]
            return coefficient, monomial
        return (form.value, self.one) if isinstance(form, Number) else (1, form)

    def factors(self, monomial: Form) -> tuple[Power, ...]:
        """The powers that a monomial is a product of."""
        if isinstance(monomial, Product):
            return monomial.factors
        return () if monomial is self.one else ((monomial, self.one),)

    def inverse(self, powers: Iterable[Power]) -> list[Power]:
        """The same bases with the opposite exponents."""
        return [(base, self.scaled(-1, exponent)) for base, exponent in powers]


_ARITHMETIC: dict[str, Callable[..., Form]] = {
    "add": lambda algebra, a, b: algebra.sum([(a, 1), (b, 1)]),
    "sub": lambda algebra, a, b: algebra.sum([(a, 1), (b, -1)]),
    "neg": lambda algebra, a: algebra.sum([(a, -1)]),
    "mul": Algebra.times,
    "div": Algebra.quotient,
    "pow": Algebra.power,
    "square": lambda algebra, a: algebra.power(a, 2),
    "cube": lambda algebra, a: algebra.power(a, 3),
    "recip": lambda algebra, a: algebra.power(a, -1),
    "sqrt": lambda algebra, a: algebra.power(a, Fraction(1, 2)),
    "exp": Algebra.exp,
}
"""the operations that are sums and products of powers"""
