"""Random numbers, and the quantiles of Student's t distribution."""

from math import erf, inf, sqrt
from statistics import NormalDist

import numpy
from numpy.random import Generator

from .arrays import special_functions


def random_generator(seed: int) -> Generator:
    """The generator for a seed, which may be any whole number."""
    return numpy.random.default_rng(int(seed) % 2**64)


def coverage_factor(level: float, degrees_of_freedom: float) -> float:
    """The half-width of the interval that contains a fraction `level` of Student's t distribution, centred at 0."""
    if degrees_of_freedom == inf:  # the normal distribution, for which SciPy need not be imported
        return -NormalDist().inv_cdf((1 - level) / 2)
    return float(special_functions().stdtrit(degrees_of_freedom, (1 + level) / 2))


def level_of_confidence(factor: float, degrees_of_freedom: float) -> float:
    """The fraction of Student's t distribution that lies within `factor` of 0: the inverse of `coverage_factor`."""
    if degrees_of_freedom == inf:
        return erf(factor / sqrt(2))
    return 2 * float(special_functions().stdtr(degrees_of_freedom, factor)) - 1
