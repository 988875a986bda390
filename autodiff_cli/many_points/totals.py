"""Sums of doubles, in any order, without a rounding error that adds up."""

from fractions import Fraction
from math import fsum, inf
from typing import NamedTuple

import numpy

from ..arithmetic.arrays import Doubles


class Total(NamedTuple):
    """The sum of some doubles: that of the finite ones, and that of the others, which is 0 where there are none."""

    finite: Fraction = Fraction(0)
    nonfinite: float = 0.0

    def plus(self, other: "Total") -> "Total":
        """The sum of both."""
        return Total(self.finite + other.finite, self.nonfinite + other.nonfinite)

    def divided(self, count: int) -> float:
        """The double nearest to the sum divided by a count."""
        if self.nonfinite != 0:
            return self.nonfinite
        try:
            return float(self.finite / count)
        except OverflowError:
            return inf if self.finite > 0 else -inf


def total(column: Doubles) -> Total:
    """The sum of a column, with twice the digits of a double.

    Halves are added to each other, again and again, and what each addition loses is added up separately: Ogita, Rump
    and Oishi, Accurate sum and dot product (2005), in the order of pairwise summation.
    """
    is_finite = numpy.isfinite(column)
    if not is_finite.all():
        with numpy.errstate(invalid="ignore"):  # of two infinities
            return total(column[is_finite])._replace(nonfinite=float(column[~is_finite].sum()))
    parts: list[float] = []
    exponent = 64 if len(column) and numpy.abs(column).max() > 1e290 else 0  # so that nothing overflows on the way
    terms = numpy.ldexp(column, -exponent) if exponent else column
    while len(terms) > 1:
        half = len(terms) // 2
        parts += terms[2 * half :].tolist()
        a, b = terms[:half], terms[half : 2 * half]
        terms = a + b
        rounded = terms - a
        parts.append(float(((a - (terms - rounded)) + (b - rounded)).sum()))
    parts += terms.tolist()
    high = fsum(parts)
    return Total((Fraction(high) + Fraction(fsum([*parts, -high]))) * 2**exponent)
