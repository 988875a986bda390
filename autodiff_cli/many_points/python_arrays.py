"""Many points at once, from Python: arrays in, arrays of the same shape out."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy
from numpy.typing import ArrayLike

from ..arithmetic.arrays import Doubles
from ..errors import AutodiffError
from ..evaluation import used
from ..program import DataFrame, Program
from ..vectorized.compiled_executor import machine
from ..vectorized.threads import cores
from .array_conversion import columns_of
from .computation import Computation
from .quantities import Gradients, Hessians, Quantity


class PointResults(NamedTuple):
    """The results at many points."""

    value: Doubles
    gradient: dict[str, Any]
    """name of `wrt` → the partial derivatives, an array; from an `ArrayFunction`, a list of arrays for a list"""


class ArrayFunction:
    """A program's value and gradient as a function of arrays, made once and called any number of times."""

    def __init__(
        self,
        program: Program,
        wrt: Sequence[str] | None = None,
        placed: Callable[[Program, Any], tuple[Program, dict[str, Any]]] | None = None,
    ) -> None:
        """The gradient is with respect to every input that the output depends on, or to the names of `wrt`.

        `placed` gives the numbers of points the names that the program has for them. Raises AutodiffError for a name in
        `wrt` that the program does not know.
        """
        numbers, engine = program.graph.numbers, "compiled" if machine() else "numpy"
        inputs = used(program.graph.needed([program.output]), program.inputs)
        self._program, self._defaults = program, {name: numbers.get(node) for name, node in inputs.items()}
        self._wrt, self._placed = wrt, placed
        self._known = program.constants | program.inputs | program.names
        if wrt is not None:
            program.nodes(wrt, program.inputs, {})
        self._computation = Computation(program, tuple(inputs), {}, wrt, engine=engine)
        self._computation.executor()

    def __repr__(self) -> str:
        return f"ArrayFunction({self._program!r})"

    def __call__(self, points: Mapping[str, Any] | DataFrame) -> PointResults:
        """The results at points whose coordinates are arrays, or numbers, which are broadcast against each other.

        Inputs that are not given have their defaults. The points may be a data frame, of which only the columns that
        are inputs are used. Raises AutodiffError for inputs without a number, for numbers given to what the program
        computes, and for shapes that cannot be broadcast.
        """
        program = self._program
        numbers = self._placed(program, points)[1] if self._placed else points
        given = {name: numbers[name] for name in self._known if name in numbers}
        if program.inputs_given(given) is not program.inputs:  # a number for a constant makes it an input
            results = at_points(program, given, self._wrt)
            return results._replace(gradient=program.by_list(results.gradient))
        arrays = columns_of(given)
        shape = _common_shape(arrays)
        absent = [name for name, default in self._defaults.items() if name not in arrays and default is None]
        if absent:
            raise program.missing(absent)
        columns = {name: _column(arrays.get(name, default), shape) for name, default in self._defaults.items()}
        results = _results(self._computation, columns, shape)
        return results._replace(gradient=program.by_list(results.gradient))


def at_points(program: Program, points: Mapping[str, ArrayLike], wrt: Sequence[str] | None = None) -> PointResults:
    """The value and the gradient at points whose coordinates are arrays, which are broadcast against each other.

    The gradient is with respect to every input that the output depends on, or to the names of `wrt`. Results have the
    common shape; what is undefined is nan. Raises AutodiffError as for one point, and for shapes that cannot be
    broadcast.
    """
    return _results(*_prepared(program, points, wrt, Gradients()))


def hessian_at_points(
    program: Program, points: Mapping[str, ArrayLike], wrt: Sequence[str] | None = None
) -> dict[str, dict[str, Doubles]]:
    """The second derivatives at points as `at_points` takes them: name → name → an array."""
    computation, columns, shape = _prepared(program, points, wrt, Hessians())
    computation.charge_rows(prod(shape))
    results = computation(columns, jobs=cores(), rows=prod(shape))
    by_names = {result.by: column for result, column in zip(computation.results, results.columns, strict=True)}
    return {
        a: {b: by_names[(a, b) if (a, b) in by_names else (b, a)].reshape(shape) for b in computation.wrt}
        for a in computation.wrt
    }


def _prepared(
    program: Program, points: Mapping[str, ArrayLike], wrt: Sequence[str] | None, quantity: Quantity
) -> tuple[Computation, dict[str, Doubles], tuple[int, ...]]:
    """The computation of a quantity at points, their columns, and their common shape."""
    known = program.constants | program.inputs | program.names
    arrays = columns_of({name: points[name] if name in known else 0.0 for name in points})
    shape = _common_shape(arrays)
    columns = {name: _column(array, shape) for name, array in arrays.items() if array.ndim}
    given = {name: float(array) for name, array in arrays.items() if not array.ndim}
    inputs = program.inputs_given((*columns, *given))
    if wrt is not None:
        program.nodes(wrt, inputs, arrays)
    names = tuple(used(program.graph.needed([program.output]), inputs)) if wrt is None else tuple(wrt)
    return Computation(program, tuple(columns), given, names, quantity), columns, shape


def _common_shape(arrays: Mapping[str, Doubles]) -> tuple[int, ...]:
    """The shape that the arrays are broadcast to. Raises AutodiffError, which names some, where there is none."""
    shapes = {array.shape: name for name, array in arrays.items()}
    try:
        return next(iter(shapes)) if len(shapes) == 1 else numpy.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(f"`{name}` {shape}" for shape, name in shapes.items() if shape)
        message = f"the shapes of the inputs do not fit together: {listed}"
        raise AutodiffError(message, hint="give arrays of one shape, or of shapes that NumPy broadcasts") from None


def _column(array: ArrayLike | None, shape: tuple[int, ...]) -> Doubles:
    """An array in this shape as one column."""
    numbers = numpy.asarray(array, dtype=float)
    if numbers.shape != shape:  # which takes as long as many rows
        numbers = numpy.broadcast_to(numbers, shape)
    return numpy.ascontiguousarray(numbers).reshape(-1)


def _results(computation: Computation, columns: Mapping[str, Doubles], shape: tuple[int, ...]) -> PointResults:
    computation.charge_rows(prod(shape))
    results = computation(columns, jobs=cores(), rows=prod(shape))
    partials = {name: partial.reshape(shape) for name, partial in zip(computation.wrt, results.gradient, strict=True)}
    return PointResults(results.value.reshape(shape), partials)
