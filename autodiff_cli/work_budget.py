"""Bounds on the work of a computation: the same on every machine, because nothing reads a clock.

Each operation with many digits has a price, about the seconds that it takes; one whose result is cached costs
nothing. Searches and the like bound this work. A budget counts it too, and also every node that is swept. A text
allows work in proportion to its length, so what a budget stops is short formulas that ask for much; only a budget that
the user gave is the same for every text. Each command has one; a program that uses the package has none unless it makes
one.
"""

from collections.abc import Callable, Iterator
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
    "digamma": (6e-5, 1.2e-10),
    **dict.fromkeys(("trigamma", "polygamma"), (1.2e-3, 1.6e-10)),
}
"""operations whose time grows nearly with the cube of the digits: seconds with 30 digits, and per cubed digit"""
FEW_DIGITS = 25
"""digits of the operations that have no accurate form in doubles"""

NODE = 5.4e-6
"""seconds for a node that a text unfolds to, or whose value takes longer than in doubles"""
BUDGET = 3.0
"""seconds of a command, in addition to what its text allows"""
CHARACTER = 1e-3
"""seconds that a character of a formula allows"""
ROW = 0.01
"""seconds that a row of a table allows, beyond the first ones"""
FIRST_ROWS = 400
"""rows of a table that the budget pays for, as many as fit in a kilobyte"""
MOST_ORDERS, MOST_FORMULA_ORDERS, MOST_COEFFICIENTS = 100, 50, 1000
"""of derivatives as numbers, as formulas, and of the coefficients of a series in Python"""
MOST_STARTS = 10_000
"""places that a search begins from"""
FEWEST_DRAWS, MOST_DRAWS = 100, 10**8
"""draws of the inputs of a measurement; fewer say nothing about an interval"""
_MORE = 60
"""seconds that a message proposes, times ten as often as needed"""


class TooMuchWorkError(AutodiffError):
    """A computation needs more work than it is allowed."""

    def __init__(self, needed: float) -> None:
        """`needed` is the work, in seconds, at which it stopped, or which it would have taken."""
        more = _MORE
        while more <= needed:
            more *= 10
        remedy = Remedy("more work", (f"{more:g}",), "compute less at a time")
        super().__init__("this takes more work than is allowed", remedy=remedy)
        self.args = (needed,)  # those of the constructor, with which pickle makes the error again


class Work:
    """The work with many digits that may still be done: all blocks `with work:` take from it together."""

    def __init__(self, seconds: float) -> None:
        self.granted = seconds
        """the seconds at first, before rows allow more"""
        self.left = seconds

    def allow(self, seconds: float) -> None:
        """Let more be done, whether or not all has been spent."""
        self.left = max(self.left, 0.0) + seconds

    def take(self, seconds: float) -> None:
        """Count work; raises TooMuchWorkError if it is more than is left."""
        self.left -= seconds
        if self.left < 0:
            raise TooMuchWorkError(self.granted - self.left)

    def __enter__(self) -> Self:
        _bounds.all.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _bounds.all.pop()


class WorkBudget(Work):
    """The work of every kind that may still be done. Texts are granted more if it `grows`."""

    def __init__(self, seconds: float, *, grows: bool = True) -> None:
        super().__init__(seconds)
        self._grows = grows

    def grant_text(self, text: str) -> None:
        """Let more be done for the text of a formula."""
        if self._grows:
            self.granted += CHARACTER * len(text)
            self.allow(CHARACTER * len(text))

    def become(self, other: Self) -> None:
        """Take over the seconds of another budget, for what it counts from now on."""
        self.granted, self.left, self._grows = other.granted, other.left, other._grows

    def __enter__(self) -> Self:
        _bounds.budgets.append(self)
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        _bounds.budgets.pop()
        super().__exit__()


class _Bounds(local):
    """The bounds around what a thread computes."""

    def __init__(self) -> None:
        self.all: list[Work] = []
        self.budgets: list[WorkBudget] = []
        """those that count work of every kind"""


_bounds = _Bounds()


def charge_digits(seconds: float) -> None:
    """Count work with many digits; raises TooMuchWorkError if it is more than an enclosing bound leaves."""
    for bound in reversed(_bounds.all):  # what the innermost refuses is not done, so the others do not count it
        bound.take(seconds)


def charger_for(digits: int) -> Callable[[float], None]:
    """The function that counts the work of operations with this many digits: `charge` if they are few."""
    return charge_digits if digits > FEW_DIGITS else charge


def charge(seconds: float) -> None:
    """Count other work; raises TooMuchWorkError if it is more than the budget leaves."""
    for budget in reversed(_bounds.budgets):
        budget.take(seconds)


def seconds_granted() -> float:
    """The seconds of the budget, without what rows allow; infinity without one."""
    return min([budget.granted for budget in _bounds.budgets], default=inf)


def seconds_left() -> float:
    """The seconds that the budget leaves; infinity without one."""
    return min([budget.left for budget in _bounds.budgets], default=inf)


def allow_more(seconds: float) -> None:
    """Add some seconds to the budget."""
    for budget in _bounds.budgets:
        budget.allow(seconds)


def grant_text(text: str) -> None:
    """Add to the budget what the text of a formula allows, unless the user gave the budget."""
    for budget in _bounds.budgets:
        budget.grant_text(text)


@contextmanager
def uncounted() -> Iterator[None]:
    """Neither count nor allow work in this block, for texts that the program itself writes."""
    bounds, budgets = _bounds.all, _bounds.budgets
    _bounds.all, _bounds.budgets = [], []
    try:
        yield
    finally:
        _bounds.all, _bounds.budgets = bounds, budgets


def price(operation: Operation, digits: int) -> float:
    """The approximate seconds that an operation takes with this many digits; 0 for a quick one with few digits."""
    if digits <= FEW_DIGITS and operation.name not in _SLOW:
        return 0.0
    each, cubed = _SLOW.get(operation.name, (1e-5, 0.0))
    return each * (1 + digits / 30) / 2 + 1e-9 * digits**2 + cubed * digits**3
