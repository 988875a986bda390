"""Columns of doubles: the operations of NumPy and scipy.special, each a function of whole arrays.

An operation is looked up by its name in NumPy, then in scipy.special; those with another name are listed. If neither
has it, or has it less accurately, the table's formula is used.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import product
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from ..errors import AutodiffError, not_installed
from ..notation import listed
from ..operations import Operation
from ..program import as_double

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
_NESTED = (tuple, list, numpy.ma.MaskedArray)
_MISSING = frozenset(("NoneType", "NAType", "NaTType"))
"""the types of missing numbers: of Python, and those of pandas, which is not loaded for them"""


def neighbours(vector: Doubles, places: Iterable[int]) -> Iterator[Doubles]:
    """The vectors that differ in one of some places, where they have the next smaller or the next larger double."""
    for place, end in product(places, (-numpy.inf, numpy.inf)):
        moved = vector.copy()
        moved[place] = numpy.nextafter(vector[place], end)
        yield moved


@contextmanager
def without_warnings() -> Iterator[None]:
    """Compute with IEEE arithmetic: NumPy and SciPy return what is not finite without a warning."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def columns_of(columns: Mapping[str, ArrayLike]) -> dict[str, Doubles]:
    """Columns of any kind as arrays of doubles. Raises AutodiffError as `doubles`."""
    return {name: doubles(name, column) for name, column in columns.items()}


def table_of(columns: Mapping[str, ArrayLike]) -> dict[str, Doubles]:
    """Columns of a table. Raises AutodiffError as `doubles`, and for a column without exactly one number per row."""
    table = columns_of(columns)
    for name, column in table.items():
        if column.ndim != 1:
            raise AutodiffError(
                f"`{name}` is not a column: its shape is {column.shape}", hint="give a number for each row"
            )
    return table


def doubles(name: str, given: Any) -> Doubles:
    """A number, or an array or a list of any depth, as doubles: nan where one is masked or missing.

    Raises AutodiffError, which names the place, for what is not a real number, for lists that are not an array, and for
    the columns of one name that a data frame has.
    """
    if not hasattr(given, "__len__"):
        return numpy.asarray(as_double(name, given))
    given = convertible(given)
    labels = list(getattr(given, "columns", ()))
    if len({*labels}) < len(labels):
        message = f"there are two columns `{name}`, so it is not clear which is the input"
        raise AutodiffError(message, hint="give each column a name of its own")
    try:
        array = numpy.asarray(given)
    except ValueError:
        message = f"the lists in `{name}` have different lengths"
        raise AutodiffError(message, hint="give lists of one length") from None
    kind = getattr(getattr(given, "dtype", None), "kind", array.dtype.kind)  # pandas may make an array of objects
    if kind in "mMc":  # NumPy would take the ticks of a time, and the real part of a complex number
        held = getattr(given, "dtype", array.dtype)
        raise AutodiffError(f"`{name}` holds {held}, not numbers", hint="convert it to real numbers")
    try:
        if array.dtype.kind in "OU":
            _refuse_no_numbers(name, array, str)  # NumPy would take 1_000
        is_mixed = kind == array.dtype.kind == "O"
        numbers = numpy.asarray(_with_nan(array) if is_mixed else given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        _refuse_no_numbers(name, array, object)
        raise
    return numpy.where(given.mask, numpy.nan, numbers) if isinstance(given, numpy.ma.MaskedArray) else numbers


def convertible(given: Any) -> Any:
    """The same in a form that NumPy converts: it has no 128-bit integers of polars, and ignores masks within lists."""
    if str(getattr(given, "dtype", "")) in ("Int128", "UInt128"):
        return listed(given)
    if isinstance(given, tuple | list) and any(issubclass(kind, _NESTED) for kind in {*map(type, given)}):
        return [listed(part) if isinstance(part, numpy.ma.MaskedArray) else convertible(part) for part in given]
    return given


def _with_nan(array: NDArray[Any]) -> NDArray[Any]:
    """An array of objects with nan for those that are missing."""
    missing = [type(entry).__name__ in _MISSING for entry in array.flat]
    return numpy.where(numpy.reshape(missing, array.shape), numpy.nan, array)


def _refuse_no_numbers(name: str, array: NDArray[Any], kind: type) -> None:
    """Raise AutodiffError for an entry of this kind that is not a number, nor a missing one."""
    for place, entry in enumerate(array.reshape(-1).tolist(), 1):
        if isinstance(entry, kind) and type(entry).__name__ not in _MISSING:
            as_double(name, entry, f"entry {place} of " * bool(array.ndim))


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
