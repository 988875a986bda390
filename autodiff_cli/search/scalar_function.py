"""A program as a function of a vector: its value, gradient and Hessian, as numerical methods ask for them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ..derivatives.hessian import hessian
from ..errors import AutodiffError
from ..evaluation import LIMIT_SECONDS, Evaluation, Sweeper
from ..evaluation.nonfinite import nonfinite_error
from ..program import Program
from ..work_budget import Work


class ScalarFunction:
    """The value of a program, where some of its inputs are the components of a vector; the others have numbers."""

    def __init__(self, program: Program, names: Sequence[str], fixed: Mapping[str, float]) -> None:
        self.program, self.names, self.fixed = program, tuple(names), dict(fixed)
        self.evaluations = 0
        self._limits = Work(LIMIT_SECONDS)
        self._sweeper: Sweeper | None = None  # which needs a point
        self._swept, self._settled = lru_cache(maxsize=1)(self._sweep), lru_cache(maxsize=1)(self._settle)

    def at(self, vector: Iterable[float]) -> Evaluation:
        """The evaluation at a vector, whose components are in the order of the names."""
        return self._settled(tuple(map(float, vector)))

    def _sweep(self, vector: tuple[float, ...]) -> Evaluation:
        self.evaluations += 1
        if self._sweeper is None:
            point = self.fixed | dict(zip(self.names, vector, strict=True))
            self._sweeper = Sweeper(self.program, point, self.names, self.names)
        return self._sweeper.at(vector)

    def _settle(self, vector: tuple[float, ...]) -> Evaluation:
        evaluation = self._swept(vector)
        with self._limits:
            evaluation.settle()
        return evaluation

    def value(self, vector: Iterable[float]) -> float:
        """The value at a vector; no slope is sought as a limit, which takes much longer."""
        return self._swept(tuple(map(float, vector))).value

    def gradient(self, vector: Iterable[float]) -> list[float]:
        """The partial derivatives at a vector."""
        return list(self.at(vector).gradient.values())

    def error(self, vector: Iterable[float]) -> AutodiffError | None:
        """The error for a value or a gradient that is not finite; None if all are."""
        return nonfinite_error(self.at(vector))

    def hessian(self, vector: Iterable[float]) -> list[list[float]]:
        """The matrix of second partial derivatives at a vector."""
        evaluation = self.at(vector)
        with self._limits:
            return hessian(evaluation).matrix
