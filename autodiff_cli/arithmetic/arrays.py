"""Columns of doubles: the operations of NumPy and scipy.special, each a function of whole arrays.

An operation is looked up by its name in NumPy, then in scipy.special; those with another name are listed. If neither
has it, or has it less accurately, the table's formula is used.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import Any

import numpy
from numpy.typing import NDArray

from ..errors import not_installed
from ..operations import Operation

Doubles = NDArray[numpy.float64]
Truths = NDArray[numpy.bool_]

_RENAMED: dict[str, Callable[..., Any]] = {
    "sub": numpy.subtract, "mul": numpy.multiply, "div": numpy.divide, "neg": numpy.negative,
    "lt": numpy.less, "le": numpy.less_equal, "gt": numpy.greater, "ge": numpy.greater_equal, "eq": numpy.equal,
    "ne": numpy.not_equal, "not": numpy.logical_not, "and": numpy.logical_and, "or": numpy.logical_or,
    "max": numpy.maximum, "min": numpy.minimum, "round": numpy.rint,
}  # fmt: skip
_INACCURATE = frozenset(("erfc", "gamma", "lgamma", "digamma", "beta"))
"""functions for which scipy.special breaks the bounds of docs/numerics.md or has other values at poles"""


def neighbours(vector: Doubles, places: Iterable[int]) -> Iterator[Doubles]:
    """The vectors that differ in one of some places, where they have the next smaller or the next larger double."""
    for place, end in product(places, (-numpy.inf, numpy.inf)):
        moved = vector.copy()
        moved[place] = numpy.nextafter(vector[place], end)
        yield moved


def in_units(numbers: Doubles) -> tuple[Doubles, Doubles]:
    """Numbers in a unit for each row that makes the largest about 1, and the binary exponents of the units.

    In such units squares of numbers are doubles.
    """
    _, exponents = numpy.frexp(abs(numbers).max(axis=-1, keepdims=True))
    return numpy.ldexp(numbers, -exponents), exponents


@contextmanager
def without_warnings() -> Iterator[None]:
    """Compute with IEEE arithmetic: NumPy and SciPy return what is not finite without a warning."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def function(operation: Operation, count: int) -> Callable[..., Any] | None:
    """The operation on `count` arrays, as a NumPy ufunc with the results of IEEE arithmetic; None if there is none."""
    if operation.value or operation.name in _INACCURATE or count != len(operation.names) + operation.variadic:
        return None  # the table's formula is chosen for its accuracy; a variadic operation has a ufunc of two
    name = operation.name
    ufunc = _RENAMED.get(name) or getattr(numpy, name, None) or getattr(special_functions(), name, None)
    return ufunc if isinstance(ufunc, numpy.ufunc) else None


def special_functions() -> Any:
    """The module scipy.special, which takes long to start, so that only what needs it waits for it."""
    try:
        from scipy import special
    except ModuleNotFoundError:
        raise not_installed("functions of arrays need SciPy, which is not installed", "data") from None
    return special
