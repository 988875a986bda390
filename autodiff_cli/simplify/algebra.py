"""The arithmetic of forms: what is put together here comes out collected, folded and rewritten by the laws."""

from collections.abc import Iterable
from fractions import Fraction
from math import isfinite

from ..operations import OPERATIONS, Operation
from . import calls, products, sums
from .forms import CONSTANTS, Form, Forms, Number, Sum
from .matching import Laws
from .numbers import Exact

_HALF = Fraction(1, 2)
_POWERS: dict[str, Exact] = {"square": 2, "cube": 3, "recip": -1, "sqrt": _HALF}
_ADD, _SUB, _MUL, _DIV, _ABS = (OPERATIONS[name] for name in ("add", "sub", "mul", "div", "abs"))


class Algebra(Forms):
    """Makes forms, by the laws that it is given; `decimals` keeps a sum's numbers as they are written."""

    def __init__(self, laws: Laws, *, decimals: bool = False) -> None:
        super().__init__()
        self.laws, self.decimals = laws, decimals
        self.written: set[Form] = set()
        """conditions that the user wrote"""
        self.expected: dict[tuple[object, ...], tuple[Form, dict[Form, Exact]]] = {}
        """what has to be in a sum beside a monomial for a law to hold"""
        self.work = 0
        """how many products have been made"""
        self.joined: dict[Form, Sum] = {}
        """what is left of a sum without the powers that its terms share → the sum"""

    def sum(self, pairs: Iterable[tuple[Form, Exact]]) -> Form:
        """The sum of forms, each times its coefficient."""
        return sums.total(self, pairs)

    def product(self, coefficient: Exact, pairs: Iterable[tuple[Form, Form]]) -> Form:
        """A coefficient times powers: (base, exponent)."""
        self.work += 1
        return products.product(self, coefficient, pairs)

    def times(self, *parts: Form) -> Form:
        """The product of a few forms."""
        return self.product(1, [(part, self.one) for part in parts])

    def scaled(self, coefficient: Exact, form: Form) -> Form:
        """A form times a number."""
        return form if coefficient == 1 else self.sum([(form, coefficient)])

    def power(self, base: Form, exponent: Form | Exact) -> Form:
        """A power."""
        return self.product(1, [(base, exponent if isinstance(exponent, Form) else self.number(exponent))])

    def exp(self, exponent: Form) -> Form:
        """The exponential."""
        return self.product(1, [(self.e, exponent)])

    def absolute(self, form: Form) -> Form:
        """The absolute value."""
        return calls.call(self, _ABS, (form,))

    def constant(self, number: float, name: str | None = None) -> Form:
        """A number that was written, or a constant with a name."""
        if name == "e":
            return self.exp(self.one)
        if name in CONSTANTS:
            return self.leaf(CONSTANTS[name])
        if not isfinite(number):
            return self.leaf(CONSTANTS["nan" if number != number else "inf"])
        return self.number(int(number) if number.is_integer() else Fraction(repr(number)))

    def primitive(self, form: Sum) -> tuple[Form, Form]:
        """The powers that all terms of a sum have in common, and the sum without them."""
        return sums.primitive(self, form)

    def apply(self, row: Operation, arguments: tuple[Form, ...]) -> Form:
        """An operation on forms."""
        if row is _ADD or row is _SUB:
            return self.sum([(arguments[0], 1), (arguments[1], 1 if row is _ADD else -1)])
        if row is _MUL or row is _DIV:
            return self.product(
                1, [(arguments[0], self.one), (arguments[1], self.one if row is _MUL else self.minus_one)]
            )
        name = row.name
        if name == "neg":
            return self.sum([(arguments[0], -1)])
        if name == "pow":
            return self.power(*arguments)
        if name in _POWERS:
            return self.power(arguments[0], _POWERS[name])
        if name == "exp":
            return self.exp(arguments[0])
        return calls.call(self, row, arguments)


def whole(form: Form) -> int | None:
    """The number of a form that is a whole number."""
    return form.value if isinstance(form, Number) and isinstance(form.value, int) else None
