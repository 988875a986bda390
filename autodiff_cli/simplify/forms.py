"""Canonical forms: sums of products of powers, and functions of these. Equal expressions are one object.

A sum is a coefficient for each of its monomials, a product an exponent for each of its bases; both are unordered.
Numbers are exact: a decimal is the decimal that was written. An `Algebra` makes the forms.
"""

from dataclasses import dataclass

from ..operations import CONSTANTS, Operation
from .numbers import Exact


@dataclass(slots=True, eq=False)
class Form:
    """An expression. Its index is larger than those of its parts."""

    index: int


@dataclass(slots=True, eq=False)
class Number(Form):
    """An exact number."""

    value: Exact


@dataclass(slots=True, eq=False)
class Leaf(Form):
    """An opaque node of the graph: an input, a named value, a named constant."""

    node: int
    is_computed: bool = False
    """whether it is neither an input nor a constant, so that it may be nan"""


@dataclass(slots=True, eq=False)
class Call(Form):
    """An operation other than arithmetic."""

    operation: Operation
    arguments: tuple[Form, ...]


Power = tuple[Form, Form]
"""base, exponent"""

Term = tuple[Form, Exact]
"""monomial, coefficient"""


@dataclass(slots=True, eq=False)
class Product(Form):
    """Powers of different bases, without a number that could be multiplied out; or a single power."""

    factors: tuple[Power, ...]


@dataclass(slots=True, eq=False)
class Sum(Form):
    """Different monomials with coefficients other than 0, in the order in which they were first put together."""

    terms: tuple[Term, ...]

    @property
    def is_scaled(self) -> bool:
        """Whether this is a single monomial, with a coefficient other than 1."""
        return len(self.terms) == 1


NAMED = {name: -place for place, name in enumerate(CONSTANTS, start=1)}
"""constant with a name → the number that represents it in place of a node"""
E = NAMED["e"]
"""the base of exp"""


def whole(form: Form) -> int | None:
    """The integer that a form is; None for any other form."""
    return form.value if isinstance(form, Number) and isinstance(form.value, int) else None
