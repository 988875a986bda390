"""Bounds on the work of computing with many digits: the same on every machine, because nothing reads a clock.

Each operation with many digits has a price, about the seconds that it takes; one that was kept costs nothing.
"""

from threading import local
from typing import Self

from ..operations import Operation

_SLOW = {
    **dict.fromkeys(("erf", "erfc"), (2e-5, 4e-12)),
    **dict.fromkeys(("gamma", "lgamma"), (5e-5, 3e-11)),
    "beta": (2e-4, 1e-10),
    **dict.fromkeys(("digamma", "trigamma", "polygamma"), (5e-4, 1.2e-10)),
}
"""operations whose time grows nearly with the cube of the digits: seconds for each of them, and for a digit cubed"""
_OF_DOUBLES = 25
"""digits of the operations that have no accurate form in doubles"""

_of_thread = local()


class TooMuchWorkError(Exception):
    """A computation with many digits has spent what it may."""


class Work:
    """The work that may still be done: all blocks `with work:` take from it together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def allow(self, seconds: float) -> None:
        """Let more be done, whether or not all has been spent."""
        self.left = max(self.left, 0.0) + seconds

    def __enter__(self) -> Self:
        _bounds().append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _bounds().pop()


def spend(seconds: float) -> None:
    """Count work; raises TooMuchWorkError if it is more than a bound around it leaves."""
    for bound in _bounds():
        bound.left -= seconds
        if bound.left < 0:
            raise TooMuchWorkError


def price(operation: Operation, digits: int) -> float:
    """About the seconds that an operation takes with a number of digits; 0 for as few as doubles are computed with."""
    if digits <= _OF_DOUBLES:
        return 0.0
    each, cubed = _SLOW.get(operation.name, (1e-5, 0.0))
    return each + 1e-9 * digits**2 + cubed * digits**3


def _bounds() -> list[Work]:
    bounds: list[Work] = _of_thread.__dict__.setdefault("bounds", [])
    return bounds
