"""Elementary functions of the platform's C library, on vectors where it has vector versions, else on single numbers.

glibc's libmvec has functions of vectors, named as the ABI for vector functions of x86-64 and AArch64 specifies.
"""

import ctypes
from contextlib import suppress
from functools import cache
from typing import NamedTuple

_LIBRARIES = ("libm.so.6", "libSystem.dylib", "ucrtbase.dll")
_VECTOR_LIBRARY = "libmvec.so.1"
C_FUNCTIONS = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "pow", "mod")
"""operations without a formula in simpler ones"""
_RENAMED = {"mod": "fmod"}
_ONE = "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10 log1p log2 sin sinh tan tanh"
_TWO = "atan2 fmod hypot pow"
_ARGUMENTS = dict.fromkeys(_ONE.split(), 1) | dict.fromkeys(_TWO.split(), 2)
"""function → the number of its arguments"""
_VECTOR = frozenset(_ARGUMENTS) - {"cos", "exp", "fmod", "sin"}
"""taken from libmvec; by its `exp` and `cos` some derivatives would not keep the bounds of docs/numerics.md"""


class CFunction(NamedTuple):
    """A function of the C library."""

    address: int
    lanes: int
    """the number of elements in each argument and in the result"""


@cache
def c_function(operation: str, isa: str, lanes: int) -> CFunction | None:
    """The function for an operation on vectors of `lanes` numbers, if the C library has one.

    `isa` is the letter that the ABI has for the instructions in use.
    """
    name = _RENAMED.get(operation, operation)
    arity = _ARGUMENTS.get(name)
    if arity is None:
        return None
    candidates = [(name, 1, library) for library in _LIBRARIES]
    if isa and name in _VECTOR:
        candidates.insert(0, (f"_ZGV{isa}N{lanes}{'v' * arity}_{name}", lanes, _VECTOR_LIBRARY))
    for symbol, width, library in candidates:
        with suppress(OSError):  # a library that is not there
            function = getattr(ctypes.CDLL(library), symbol, None)
            if function is not None:
                return CFunction(ctypes.cast(function, ctypes.c_void_p).value or 0, width)
    return None
