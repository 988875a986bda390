"""Quantities of a row: the gradient, a Hessian, a Jacobian, derivatives of any order, a slope.

A quantity is a class here: it names its results, has a graph that computes them for columns, and returns what the
engine for one point gives, which decides where the graph leaves doubt.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple

from ..derivatives import forward
from ..derivatives import hessian as hessians
from ..derivatives.jacobian import jacobian, named_error
from ..errors import AutodiffError, Remedy
from ..evaluation import evaluate
from ..evaluation.nonfinite import nonfinite_error
from ..lowering.lowering import Target
from ..program import Program
from ..vectorized.plan import Plan
from .bound_program import BoundProgram
from .differentiated_program import DifferentiatedProgram, along, forward_mode, reverse_mode

_MOST_NAMES = 100
"""names of a Hessian, which then has 5,050 columns"""
_MOST_NODES = 20_000
_FEW = 8  # up to this many derivatives are tried in either mode
_LARGE, _TWO = 10_000, 2  # with this many nodes only one mode is tried, forward for up to two derivatives


class ResultColumn(NamedTuple):
    """One of the results for a row."""

    name: str
    by: tuple[str, ...] = ()
    """the names that it is a derivative with respect to, in turn"""


RowAnswer = tuple[Sequence[float], Callable[[], AutodiffError | None]]
"""the results at one point, and what finds the error for one that is not finite"""


class Quantity(ABC):
    """The results of a row: for each output its value, and then as many derivatives as for every other one."""

    rows_worth_a_plan = 0
    """for fewer rows of a large program, making a plan takes longer than computing each row as one point"""

    def outputs(self, program: Program) -> list[int]:
        """The nodes of the outputs. Raises AutodiffError for one that the program does not have."""
        return [program.output]

    def wrt(self, names: Sequence[str]) -> Sequence[str]:
        """The names to differentiate with respect to, if these are asked for."""
        return names

    def check(self, program: Program, inputs: Mapping[str, int], wrt: Sequence[str]) -> None:  # noqa: B027  # most have no rule
        """Raise AutodiffError for names that the quantity cannot be computed for; `inputs` have their nodes."""

    @abstractmethod
    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """The results, in order."""

    def plans(self, program: BoundProgram, target: Target) -> Iterator[Plan]:
        """Plans for the results in the operations that an executor has; the cheapest should be used.

        Here each output is followed by its partial derivatives.
        """
        for derivatives in _derivatives(program, program.outputs):
            rows = zip(derivatives.program.outputs, derivatives.rows, strict=True)
            yield derivatives.plan([node for output, row in rows for node in (output, *row)], target)

    @abstractmethod
    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results by the engine for one point."""


def _derivatives(program: BoundProgram, nodes: Sequence[int]) -> Iterator[DifferentiatedProgram]:
    """The partial derivatives of some nodes, in each mode that may be the cheaper one."""
    is_large = len(program.graph) >= _LARGE
    is_few = len(program.wrt) <= max(_TWO if is_large else _FEW, len(nodes))
    forward_graph = forward_mode(program, nodes) if program.wrt and is_few else None
    if forward_graph is None or (not is_large and len(nodes) <= max(_FEW, len(program.wrt))):
        yield reverse_mode(program, nodes)
    if forward_graph is not None:
        yield forward_graph


class Gradients(Quantity):
    """The value and its partial derivatives."""

    rows_worth_a_plan = 20

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """`value`, then `grad_x` for each name."""
        return [ResultColumn("value"), *(ResultColumn(f"grad_{name}", (name,)) for name in wrt)]

    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results of `evaluate`."""
        evaluation = evaluate(program, point, wrt)
        return [evaluation.value, *evaluation.gradient.values()], lambda: nonfinite_error(evaluation)


@dataclass(frozen=True)
class Jacobians(Quantity):
    """The values and the partial derivatives of several named values."""

    output_names: tuple[str, ...]
    find_error = staticmethod(named_error)

    def outputs(self, program: Program) -> list[int]:
        """The nodes of the named values."""
        return [program.select(name).output for name in self.output_names]

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """`a_value`, then `a_grad_x` for each name, and likewise for every other output."""
        gradient = Gradients().results(wrt)
        return [ResultColumn(f"{output}_{name}", by) for output in self.output_names for name, by in gradient]

    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results of `jacobian`."""
        matrix = jacobian(program, point, self.output_names, wrt)
        rows = zip(matrix.outputs.values(), matrix.rows, strict=True)
        errors = (self.find_error(evaluation) for evaluation in matrix.suspects)
        return [number for value, row in rows for number in (value, *row)], lambda: next(filter(None, errors), None)


class NamedValues(Jacobians):
    """Several named values, without derivatives."""

    find_error = staticmethod(nonfinite_error)

    def wrt(self, names: Sequence[str]) -> Sequence[str]:
        """Nothing."""
        return ()

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """The names."""
        return [ResultColumn(name) for name in self.output_names]


class Hessians(Quantity):
    """The value, its gradient, and the second derivatives with respect to each pair of names."""

    def check(self, program: Program, inputs: Mapping[str, int], wrt: Sequence[str]) -> None:
        """Raise AutodiffError where a name is computed from another one, and for very many names."""
        if len(wrt) > _MOST_NAMES:
            message = f"a Hessian of {len(wrt):,} names has {len(wrt) * (len(wrt) + 1) // 2:,} entries for each row"
            remedy = Remedy("fewer names", (str(_MOST_NAMES),), f"name {_MOST_NAMES} at most in `wrt`")
            raise AutodiffError(message, remedy=remedy)
        nodes = {name: program.node(name, inputs) for name in wrt}
        hessians.refuse_dependent(program.graph, program.graph.needed([program.output]), nodes)

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """Those of the gradient, then `d2_x_y` for each pair."""
        pairs = combinations_with_replacement(wrt, 2)
        return [*Gradients().results(wrt), *(ResultColumn(f"d2_{a}_{b}", (a, b)) for a, b in pairs)]

    def plans(self, program: BoundProgram, target: Target) -> Iterator[Plan]:
        """The gradient backward and forward, and its derivatives forward where these are with respect to inputs."""
        pairs = list(combinations_with_replacement(range(len(program.wrt)), 2))
        for first in _derivatives(program, program.outputs):
            again = first.again([*first.program.outputs, *first.rows[0]])
            second = forward_mode(again, again.outputs[1:]) or reverse_mode(again, again.outputs[1:])
            yield second.plan([*second.program.outputs, *(second.rows[i][j] for i, j in pairs)], target)

    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results of `hessian`."""
        evaluation = evaluate(program, point, wrt)
        matrix = hessians.hessian(evaluation)
        pairs = combinations_with_replacement(range(len(wrt)), 2)
        return (
            [evaluation.value, *evaluation.gradient.values(), *(matrix.entry(*pair) for pair in pairs)],
            lambda: nonfinite_error(evaluation) or hessians.nonfinite_error(evaluation, matrix),
        )


@dataclass(frozen=True)
class Orders(Quantity):
    """The value and its derivatives up to some order, with respect to the one name."""

    order: int

    def check(self, program: Program, inputs: Mapping[str, int], wrt: Sequence[str]) -> None:
        """Raise AutodiffError unless there is one name."""
        from ..derivatives import taylor  # only here: it imports mpmath, which takes long to start

        taylor.single_variable(wrt)

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """Those of the gradient, then `d2_x`, `d3_x` and so on."""
        orders = range(2, self.order + 1)
        return [*Gradients().results(wrt), *(ResultColumn(f"d{order}_{wrt[0]}", tuple(wrt)) for order in orders)]

    def plans(self, program: BoundProgram, target: Target) -> Iterator[Plan]:
        """Each derivative is that of the one before."""
        for order in range(self.order):
            derivative = forward_mode(program, program.outputs[-1:]) or reverse_mode(program, program.outputs[-1:])
            program = derivative.again([*derivative.program.outputs, derivative.rows[0][0]])
            if len(program.graph) > _MOST_NODES:
                message = f"the derivative of order {order + 1} takes more than {_MOST_NODES:,} operations for each row"
                raise AutodiffError(message, remedy=Remedy("fewer orders", (str(order),), f"order {order} is possible"))
        yield reverse_mode(program, ()).plan(program.outputs, target)

    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results of `taylor`."""
        from ..derivatives import taylor

        evaluation = evaluate(program, point, wrt)
        series = taylor.taylor(evaluation, self.order)
        return series.derivatives, lambda: taylor.nonfinite_error(evaluation, series) or nonfinite_error(evaluation)


@dataclass(frozen=True)
class Slopes(Quantity):
    """The value and its slope along a direction, which has a component for each name."""

    direction: Mapping[str, float]

    def wrt(self, names: Sequence[str]) -> Sequence[str]:
        """The names of the direction."""
        return list(self.direction)

    def check(self, program: Program, inputs: Mapping[str, int], wrt: Sequence[str]) -> None:
        """Raise AutodiffError for a name that is computed."""
        forward.refuse_computed(program, [program.node(name, inputs) for name in wrt])

    def results(self, wrt: Sequence[str]) -> list[ResultColumn]:
        """`value` and `slope`."""
        return [ResultColumn("value"), ResultColumn("slope")]

    def plans(self, program: BoundProgram, target: Target) -> Iterator[Plan]:
        """Forward, in one direction."""
        slopes = along(program, program.outputs, list(self.direction.values()))
        yield slopes.plan([*slopes.program.outputs, *slopes.rows[0]], target)

    def at(self, program: Program, point: Mapping[str, float], wrt: Sequence[str]) -> RowAnswer:
        """The results of `directional`."""
        derivative = forward.directional(program, point, self.direction)
        return [derivative.evaluation.value, derivative.slope], lambda: forward.nonfinite_error(derivative)
