"""Several places to begin a search from."""

import numpy
from numpy.typing import ArrayLike

from ..arithmetic.arrays import Doubles
from ..arithmetic.statistics import random_generator
from .problem import Problem

_LARGEST = numpy.finfo(float).max
_SPREAD = 3.0  # times the size of the first start, where a variable has no bounds


def random_starts(problem: Problem, first: ArrayLike, count: int, seed: int) -> list[Doubles]:
    """The first start, and others that are drawn: uniformly between bounds, else around the first."""
    start = numpy.array(first, dtype=float)
    generator = random_generator(seed)
    room = _SPREAD * numpy.maximum(1.0, abs(start))
    low = numpy.where(numpy.isfinite(problem.low), problem.low, numpy.minimum(start, problem.high) - room)
    high = numpy.where(numpy.isfinite(problem.high), problem.high, numpy.maximum(start, problem.low) + room)
    low, high = numpy.clip([low, high], -_LARGEST, _LARGEST) / 2  # halved, as their distance might overflow
    return [start, *(2 * generator.uniform(low, high) for _ in range(count - 1))]
