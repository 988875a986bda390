"""Columns of doubles: the operations of NumPy and scipy.special, each a function of whole arrays.

An operation is found by its name in NumPy, else in scipy.special; what is called otherwise there is listed. What
neither has, or not as accurately, is for the table's formula.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy
from scipy import special

from ..operations import Operation

Function = Callable[..., Any]

_LISTED: dict[str, Function] = {
    "sub": numpy.subtract, "mul": numpy.multiply, "div": numpy.divide, "neg": numpy.negative,
    "lt": numpy.less, "le": numpy.less_equal, "gt": numpy.greater, "ge": numpy.greater_equal, "eq": numpy.equal,
    "ne": numpy.not_equal, "not": numpy.logical_not, "and": numpy.logical_and, "or": numpy.logical_or,
    "max": numpy.maximum, "min": numpy.minimum, "round": numpy.rint,
}  # fmt: skip
_INACCURATE = frozenset(("erfc", "lgamma", "digamma", "beta"))
"""what scipy.special computes less accurately than the bound of docs/numerics.md, or otherwise at a pole"""


@cache
def function(row: Operation, count: int) -> Function | None:
    """The operation on so many arrays, with the answers of IEEE arithmetic; None where there is none."""
    if row.value or row.name in _INACCURATE or count != len(row.names) + row.variadic:
        return None  # the table's formula is chosen for its accuracy; of a variadic operation there is that of two
    found = _LISTED.get(row.name) or getattr(numpy, row.name, None) or getattr(special, row.name, None)
    return found if isinstance(found, numpy.ufunc) else None
