"""Expressions in a form in which equal ones are one object: sums of products of powers, and functions of these.

A sum is a coefficient for each of its monomials, a product an exponent for each of its bases; both are without order.
Numbers are exact: a decimal is the decimal that was written.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeVar

from ..operations import Operation
from .numbers import Exact


class Form:
    """An expression; one that is part of another has a smaller index."""

    __slots__ = ("index",)
    index: int


class Number(Form):
    """An exact number."""

    __slots__ = ("value",)
    value: Exact


class Leaf(Form):
    """A node of the graph that is not looked into: an input, a named value, a constant with a name."""

    __slots__ = ("node",)
    node: int


class Call(Form):
    """An operation other than arithmetic."""

    __slots__ = ("arguments", "row")
    row: Operation
    arguments: tuple[Form, ...]


class Product(Form):
    """Powers of different bases, none a number's that could be multiplied out; or one power."""

    __slots__ = ("factors",)
    factors: tuple[tuple[Form, Form], ...]
    """(base, exponent)"""


class Sum(Form):
    """Different monomials, each with a coefficient other than zero; or one monomial with a coefficient other than 1."""

    __slots__ = ("terms",)
    terms: tuple[tuple[Form, Exact], ...]
    """(monomial, coefficient), in the order in which they were first put together"""

    @property
    def is_scaled(self) -> bool:
        """Is this one monomial with its coefficient?"""
        return len(self.terms) == 1


Kind = TypeVar("Kind", bound=Form)

E = -1
CONSTANTS = {"pi": -2, "inf": -3, "nan": -4}
"""in place of a node: the base of exp, and the constants with a name"""


class Forms:
    """All the forms of one simplification."""

    def __init__(self) -> None:
        self._known: dict[object, Form] = {}
        self._numbers: dict[Exact, Number] = {}
        self._opposite: dict[Form, Form] = {}
        self._count = 0
        self.zero, self.one, self.minus_one, self.half = (self.number(n) for n in (0, 1, -1, Fraction(1, 2)))
        self.e = self.leaf(E)

    def _made(self, form: Kind) -> Kind:
        form.index = self._count
        self._count += 1
        return form

    def number(self, value: Exact) -> Number:
        """An exact number."""
        form = self._numbers.get(value)
        if form is None:
            form = self._numbers[value] = self._made(Number())
            form.value = value.numerator if value.denominator == 1 else value
        return form

    def leaf(self, node: int) -> Leaf:
        """A node that is not looked into."""
        form = self._known.get(node)
        if form is None:
            form = self._known[node] = leaf = self._made(Leaf())
            leaf.node = node
        assert isinstance(form, Leaf)
        return form

    def plain_call(self, row: Operation, arguments: tuple[Form, ...]) -> Call:
        """An operation as it stands."""
        key = row, arguments
        form = self._known.get(key)
        if form is None:
            form = self._known[key] = call = self._made(Call())
            call.row, call.arguments = row, arguments
        assert isinstance(form, Call)
        return form

    def plain_product(self, factors: Mapping[Form, Form]) -> Form:
        """A product of powers as they stand."""
        if not factors:
            return self.one
        if len(factors) == 1:
            ((base, exponent),) = factors.items()
            if exponent is self.one:
                return base
        key = frozenset(factors.items())
        form = self._known.get(key)
        if form is None:
            form = self._known[key] = product = self._made(Product())
            product.factors = tuple(sorted(factors.items(), key=_place))
        return form

    def plain_sum(self, terms: Mapping[Form, Exact]) -> Form:
        """A sum of at least one term, as they stand."""
        if len(terms) == 1:
            ((monomial, coefficient),) = terms.items()
            if coefficient == 1:
                return monomial
            if monomial is self.one:
                return self.number(coefficient)
        key = frozenset(terms.items())
        form = self._known.get(key)
        if form is None:
            form = self._known[key] = total = self._made(Sum())
            total.terms = tuple(terms.items())
            self._orient(total)
        return form

    def _orient(self, total: Sum) -> None:
        opposite = self._known.get(frozenset((monomial, -coefficient) for monomial, coefficient in total.terms))
        if opposite is not None and len(total.terms) > 1:
            self._opposite[total] = opposite

    def turned(self, total: Form) -> Form | None:
        """The sum that is the negative of this one, where that was there before: it stands for both."""
        return self._opposite.get(total)


def _place(factor: tuple[Form, Form]) -> int:
    return factor[0].index


def split(form: Form, one: Form) -> tuple[Exact, Form]:
    """A form as a coefficient and a monomial."""
    if isinstance(form, Sum) and form.is_scaled:
        monomial, coefficient = form.terms[0]
        return coefficient, monomial
    return (form.value, one) if isinstance(form, Number) else (1, form)


def factors(monomial: Form, one: Form) -> Iterable[tuple[Form, Form]]:
    """The powers that a monomial is a product of."""
    if isinstance(monomial, Product):
        return monomial.factors
    return () if monomial is one else ((monomial, one),)
