"""A program as a function of a vector: its value, gradient and Hessian, as numerical methods ask for them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ..errors import AutodiffError
from ..evaluation import Evaluation, evaluate
from ..evaluation.nonfinite import nonfinite_error
from ..program import Program
from .hessian import hessian


class ScalarFunction:
    """The value of a program, where some of its inputs are the components of a vector; the others have numbers."""

    def __init__(self, program: Program, names: Sequence[str], fixed: Mapping[str, float]) -> None:
        self.program, self.names, self.fixed = program, tuple(names), dict(fixed)
        self.evaluations = 0
        self._at = lru_cache(maxsize=1)(self._evaluate)

    def at(self, vector: Iterable[float]) -> Evaluation:
        """The evaluation at a vector, whose components are in the order of the names."""
        return self._at(tuple(map(float, vector)))

    def _evaluate(self, vector: tuple[float, ...], wrt: Sequence[str] | None = None) -> Evaluation:
        self.evaluations += 1
        point = self.fixed | dict(zip(self.names, vector, strict=True))
        return evaluate(self.program, point, self.names if wrt is None else wrt)

    def value(self, vector: Iterable[float]) -> float:
        """The value at a vector, where the gradient is likely to be asked for too."""
        return self.at(vector).value

    def value_alone(self, vector: Iterable[float]) -> float:
        """The value at a vector, without the work for a gradient."""
        return self._evaluate(tuple(map(float, vector)), ()).value

    def gradient(self, vector: Iterable[float]) -> list[float]:
        """The partial derivatives at a vector."""
        return list(self.at(vector).gradient.values())

    def error(self, vector: Iterable[float]) -> AutodiffError | None:
        """The error for a value or a gradient that is not finite; None if all are."""
        return nonfinite_error(self.at(vector))

    def hessian(self, vector: Iterable[float]) -> list[list[float]]:
        """The matrix of second partial derivatives at a vector."""
        return hessian(self.at(vector)).matrix
