"""A bound on the time of an evaluation with many digits."""

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import NamedTuple

SECONDS = 4
"""for the check of a program of up to 100 operations"""
Clock = Callable[[], float]
"""returns the time in seconds, counted from any moment"""


class OutOfTimeError(Exception):
    """An evaluation has not ended by its deadline."""


class Deadline(NamedTuple):
    """A moment on a clock."""

    end: float = inf
    clock: Clock = monotonic

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> "Deadline":
        """The deadline that many seconds from now."""
        return cls(clock() + seconds, clock)

    def expect(self, seconds: float) -> None:
        """Raise OutOfTimeError if something that takes so many seconds would end after it."""
        if self.clock() + seconds > self.end:
            raise OutOfTimeError

    def enforce(self) -> None:
        """Raise OutOfTimeError if it has passed."""
        if self.clock() > self.end:
            raise OutOfTimeError
