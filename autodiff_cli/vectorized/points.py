"""Many points at once, from Python: arrays in, arrays of the same shape out."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import ArrayLike

from ..arithmetic.arrays import Doubles
from ..evaluation import used
from ..program import Program
from .computation import Computation
from .threads import cores


class PointResults(NamedTuple):
    """The results at many points."""

    value: Doubles
    gradient: dict[str, Doubles]
    """name of `wrt` → the partial derivatives"""


def at_points(program: Program, points: Mapping[str, ArrayLike], wrt: Sequence[str] | None = None) -> PointResults:
    """The value and the gradient at points whose coordinates are arrays, which are broadcast against each other.

    The gradient is with respect to every input that the output depends on, or to the names of `wrt`. Results have the
    common shape; what is undefined is nan. Raises AutodiffError as for one point, and ValueError for shapes that do not
    fit together.
    """
    arrays = {name: numpy.asarray(number, dtype=float) for name, number in points.items()}
    shape = numpy.broadcast_shapes(*(array.shape for array in arrays.values()))
    columns = {
        name: numpy.ascontiguousarray(numpy.broadcast_to(array, shape)).reshape(-1)
        for name, array in arrays.items()
        if array.ndim
    }
    given = {name: float(array) for name, array in arrays.items() if not array.ndim}
    inputs = program.point(dict.fromkeys(columns, 0.0) | given)
    names = tuple(used(program.graph.needed([program.output]), inputs)) if wrt is None else tuple(wrt)
    computation = Computation(program, tuple(columns), given, names)
    results = computation(columns, jobs=cores(), rows=int(numpy.prod(shape)))
    partials = {name: partial.reshape(shape) for name, partial in zip(names, results.gradient, strict=True)}
    return PointResults(results.value.reshape(shape), partials)
