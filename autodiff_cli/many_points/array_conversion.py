"""Numbers, lists, arrays and columns of data frames, from Python, as arrays of doubles."""

from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from ..arithmetic.arrays import Doubles
from ..errors import AutodiffError
from ..notation import listed
from ..program import as_double

_NESTED = (tuple, list, numpy.ma.MaskedArray)
_MISSING = frozenset(("NoneType", "NAType", "NaTType"))
"""the types of missing numbers: of Python, and those of pandas, which is not loaded for them"""


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
