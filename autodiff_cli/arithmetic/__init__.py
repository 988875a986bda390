"""The arithmetics: a file for each kind of number over which the sweeps of `engine` run, and what these files share."""

from collections.abc import Callable
from typing import Any

Real = Any
"""a number with many digits: one of mpmath, which has no types"""
RealFunction = Callable[..., Real]
"""an operation on such numbers"""
