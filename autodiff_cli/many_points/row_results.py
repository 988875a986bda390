"""The results of rows, which of them are not finite, and the work for what they leave open."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy
from numpy.typing import NDArray

from ..arithmetic.arrays import Doubles
from ..work_budget import WorkBudget

Rows: TypeAlias = "NDArray[numpy.int64]"
"""numbers of rows, counted from 0, ascending"""
NO_ROWS: Rows = numpy.empty(0, numpy.int64)


class RowResults(NamedTuple):
    """The results for some rows."""

    columns: Doubles
    """an array with a row for each of `Computation.results`"""
    nonfinite_rows: Rows
    """the rows of which some result is not finite"""

    @property
    def value(self) -> Doubles:
        """The value of the first output."""
        return self.columns[0, :]

    @property
    def gradient(self) -> Doubles:
        """Of a gradient, the partial derivatives in the order of `wrt`."""
        return self.columns[1:]


class RowWork(NamedTuple):
    """The work for what rows leave open: limits of slopes, and the reasons why results are not finite.

    The parts of a table share nothing, so that any thread may compute them and the outcome is the same.
    """

    limits: float
    """seconds at least, for the first part"""
    reasons: float
    """seconds at most, for a part"""
    row: float
    """seconds that a row adds"""

    def for_limits(self, rows: int, *, is_first: bool) -> WorkBudget:
        """The work for the limits in a part with this many rows."""
        return WorkBudget(max(self.limits, self.row * rows - self.limits) if is_first else self.row * rows)

    def for_reasons(self, rows: int, *, is_first: bool) -> WorkBudget:
        """The work for the reasons in a part with this many rows."""
        return WorkBudget(self.reasons if is_first else min(self.reasons, self.row * rows / 4))


def distinct(columns: Sequence[Doubles], rows: int) -> tuple[Rows, Rows]:
    """The rows that differ from all before them, ascending, and for each row its place among these, to the bit."""
    bits = [column.view(numpy.int64) for column in columns] or [numpy.zeros(rows, numpy.int64)]
    order = numpy.lexsort(bits)
    is_other = numpy.logical_or.reduce([numpy.diff(column[order], prepend=~column[order[:1]]) != 0 for column in bits])
    firsts = order[is_other]
    ascending = numpy.argsort(firsts)
    places = numpy.empty(rows, numpy.int64)
    places[order] = numpy.argsort(ascending)[numpy.cumsum(is_other) - 1]
    return firsts[ascending], places


def nonfinite_rows_of(columns: Doubles) -> Rows:
    """The rows in which some number is not finite, of an array of columns."""
    return numpy.flatnonzero(~numpy.isfinite(columns).all(axis=0))
