"""A program as a function of some of its inputs: its value and partial derivatives at many points."""

from collections.abc import Mapping, Sequence

from .. import engine
from ..arithmetic import floats
from ..evaluation import LIMIT_SECONDS, evaluate, settle, sweep_backward
from ..operations import SLOW
from ..program import Program
from ..work import Work

_SLOW_SIZE = 1000
"""the number of other operations that take the time of a slow one and its derivative"""


class ProgramSampler:
    """A program of which only some inputs change; what does not depend on these is computed once.

    All samples share one bound on the work for slopes that are limits; what is open at further ones stays open.
    Raises the errors of `evaluate`.
    """

    def __init__(
        self, program: Program, point: Mapping[str, float], over: Mapping[str, tuple[float, float]], wrt: Sequence[str]
    ) -> None:
        evaluation = evaluate(program, {**point, **{name: low for name, (low, _) in over.items()}}, wrt)
        self.program, self.wrt = program, evaluation.wrt
        graph, order = program.graph, evaluation.order
        self._values = evaluation.values
        self._moving = [evaluation.inputs.get(name) for name in over]  # None for one that the program does not have
        self._nodes = [evaluation.nodes[name] for name in wrt]
        self._known = [node for node in self._nodes if node is not None]
        changing = graph.dependent(order, [node for node in self._moving if node is not None])
        self._order = [node for node in order if changing[node]]
        self._active = graph.dependent(order, self._known)
        self._needed = order
        self._reached = [node for node in order if self._active[node]]
        self._limits = Work(LIMIT_SECONDS)

    @property
    def size(self) -> int:
        """The number of operations of one sample; slow ones count as many."""
        operations = self.program.graph.operations
        slow = sum(1 for node in self._order if operations[node].name in SLOW)
        return len(self._order) + len(self._reached) + _SLOW_SIZE * slow

    def value(self, *numbers: float) -> float:
        """The output for these numbers of the changing inputs."""
        for node, number in zip(self._moving, numbers, strict=True):
            if node is not None:
                self._values[node] = number
        engine.forward(self.program.graph, self._order, self._values, floats)
        return self._values[self.program.output]

    def __call__(self, *numbers: float) -> tuple[float, ...]:
        """The output, then its partial derivative with respect to each name of `wrt`."""
        value = self.value(*numbers)
        graph, output = self.program.graph, self.program.output
        adjoints = sweep_backward(graph, self._reached, self._values, output, self._active)
        with self._limits:
            settle(graph, self._needed, self._values, output, adjoints, self._known)
        return value, *(0.0 if node is None else adjoints[node] or 0.0 for node in self._nodes)
