"""A program as a function of some of its inputs: its value and partial derivatives at many points."""

from collections.abc import Mapping, Sequence

from ..evaluation import LIMIT_SECONDS, Sweeper, settle, sweep_backward
from ..operations import SLOW
from ..program import Program
from ..work_budget import Work

_EACH = 8
"""the number of operations that take as long as a sample without its own"""
_SLOW_SIZE = 1000
"""the number of other operations that take as long as a slow one and its derivative"""


class ProgramSampler:
    """A program of which only some inputs change; what does not depend on these is computed once.

    All samples share one bound on the work for slopes that are limits; what is open at further ones stays open.
    Raises the errors of `evaluate`.
    """

    def __init__(
        self, program: Program, point: Mapping[str, float], over: Mapping[str, tuple[float, float]], wrt: Sequence[str]
    ) -> None:
        first = {name: low for name, (low, _) in over.items()}
        self.wrt, self._sweeper = wrt, Sweeper(program, {**point, **first}, list(over), wrt)
        self._program, self._nodes = program, list(self._sweeper.first.nodes.values())
        self._known = [node for node in self._nodes if node is not None]
        self._limits = Work(LIMIT_SECONDS)

    @property
    def cost(self) -> int:
        """The number of operations that take as long as one sample; a slow one counts as many."""
        operations, changing = self._program.graph.operations, self._sweeper.changing
        slow = sum(1 for node in changing if operations[node].name in SLOW)
        return _EACH + len(changing) + len(self._sweeper.active) + _SLOW_SIZE * slow

    def value(self, *numbers: float) -> float:
        """The output for these numbers of the changing inputs."""
        return self._sweeper.values(numbers)[self._program.output]

    def __call__(self, *numbers: float) -> tuple[float, ...]:
        """The output, then its partial derivative with respect to each name of `wrt`."""
        graph, output, sweeper = self._program.graph, self._program.output, self._sweeper
        values = sweeper.values(numbers)
        adjoints = sweep_backward(graph, sweeper.active, values, output, sweeper.marks)
        with self._limits:
            settle(graph, sweeper.first.order, values, output, adjoints, self._known)
        return values[output], *(0.0 if node is None else adjoints[node] or 0.0 for node in self._nodes)
