"""Bounds on the work of a computation: the same on every machine, because nothing reads a clock.

Each node that is swept has a price, about the seconds that it takes, and so has each operation with many digits; one
that was kept costs nothing. A text allows work in proportion to its length, so what a bound stops is short formulas
that ask for much. Without a bound around it nothing is limited: that is how a program uses the package.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from threading import local
from typing import Self

from .errors import AutodiffError, Remedy
from .operations import Operation

_SLOW = {
    **dict.fromkeys(("erf", "erfc"), (2e-5, 4e-12)),
    **dict.fromkeys(("gamma", "lgamma"), (5e-5, 3e-11)),
    "beta": (2e-4, 1e-10),
    **dict.fromkeys(("digamma", "trigamma", "polygamma"), (5e-4, 1.2e-10)),
}
"""operations whose time grows nearly with the cube of the digits: seconds for each of them, and for a digit cubed"""
_OF_DOUBLES = 25
"""digits of the operations that have no accurate form in doubles"""

NODE = 4e-6
"""for a node that a text unfolds to, or whose value takes longer than in doubles"""
BUDGET = 4.0
"""of a command, beside what its text allows"""
ROW = 0.01
"""that a row of data, or one of many points, allows"""
_CHARACTER = 1e-3
"""that a character of a formula allows"""


MORE_WORK = Remedy("more work", (), "compute less at a time")


class TooMuchWorkError(AutodiffError):
    """A computation has spent what it may."""

    def __init__(self) -> None:
        super().__init__("this takes more work than is allowed for so short a formula", remedy=MORE_WORK)


class Work:
    """The work that may still be done: all blocks `with work:` take from it together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def allow(self, seconds: float) -> None:
        """Let more be done, whether or not all has been spent."""
        self.left = max(self.left, 0.0) + seconds

    def __enter__(self) -> Self:
        _bounds.all.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _bounds.all.pop()


class _Bounds(local):
    """The bounds around what a thread computes."""

    def __init__(self) -> None:
        self.all: list[Work] = []


_bounds = _Bounds()


def spend(seconds: float) -> None:
    """Count work; raises TooMuchWorkError if it is more than a bound around it leaves."""
    for bound in _bounds.all:
        bound.left -= seconds
        if bound.left < 0:
            raise TooMuchWorkError


def left() -> float:
    """The work that every bound leaves; infinity without a bound."""
    return min([bound.left for bound in _bounds.all], default=inf)


def allow(seconds: float = 0.0, text: str = "") -> None:
    """Let more be done within every bound, by itself or for a formula."""
    for bound in _bounds.all:
        bound.allow(seconds + _CHARACTER * len(text))


@contextmanager
def apart() -> Iterator[None]:
    """Work that every bound limits, and that does not count afterwards."""
    before = [(bound, bound.left) for bound in _bounds.all]
    try:
        yield
    finally:
        for bound, seconds in before:
            bound.left = seconds


def price(operation: Operation, digits: int) -> float:
    """About the seconds that an operation takes with so many digits; 0 for a quick one with as few as doubles need."""
    if digits <= _OF_DOUBLES and operation.name not in _SLOW:
        return 0.0
    each, cubed = _SLOW.get(operation.name, (1e-5, 0.0))
    return each + 1e-9 * digits**2 + cubed * digits**3
