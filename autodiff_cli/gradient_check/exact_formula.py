"""A formula whose numbers are what they are on paper: 0.1 is one tenth, and pi has all its digits."""

from collections.abc import Iterable, Mapping

from ..arithmetic import Real
from ..arithmetic.multiprecision import with_digits
from ..language.written_numbers import as_written
from ..operations import INPUT
from ..program import Program
from .finite_differences import HighPrecisionPoint


class ExactFormula:
    """A program to be computed with many digits at points, and the names to differentiate with respect to (`wrt`).

    `also` are further names whose values are wanted; those that the program does not have are left out of both.
    `written` maps names to formulas without inputs, whose exact values replace the doubles of a point.
    """

    def __init__(
        self,
        program: Program,
        wrt: Iterable[str] = (),
        also: Iterable[str] = (),
        written: Mapping[str, Program] | None = None,
    ) -> None:
        self.program, self._wrt, self._written = program, list(wrt), written or {}
        self._wanted = [program.names[name] for name in (*self._wrt, *also) if name in program.names]
        self._numbers: dict[tuple[str, int], Real] = {}
        self._named = {node: name for name, node in (program.inputs | program.constants).items()}

    @property
    def free(self) -> set[str]:
        """The names that it uses without giving them a number."""
        numbers, inputs = self.program.graph.numbers, self.program.inputs
        return {name for name, node in inputs.items() if node not in numbers} | self.program.constants.keys()

    def nodes(self, point: Mapping[str, float]) -> dict[str, int | None]:
        """The node of each name of `wrt` at a point; None for one that the program does not have.

        Raises AutodiffError if the point has a name that the program computes.
        """
        inputs = self.program.inputs_given(point) if self._wrt else self.program.inputs
        return {name: self.program.node(name, inputs) for name in self._wrt}

    def at(
        self, point: Mapping[str, float], digits: int, known: Mapping[str, Real] | None = None
    ) -> HighPrecisionPoint:
        """The formula at a point.

        `known` has values for names that are not in the point. Without names in `wrt`, everything that
        is not exact has an adjoint. Raises AutodiffError for an input without a number.
        """
        program, graph, exact = self.program, self.program.graph, with_digits(digits)
        nodes = [node for node in self.nodes(point).values() if node is not None]
        order = graph.needed([program.output, *self._wanted, *nodes])
        leaves: dict[int, Real] = {}
        for node in order:
            name = self._named.get(node)
            if name is not None and name in point:
                leaves[node] = self._given(name, point, digits)
            elif name is not None and known and name in known and name in self.free:
                leaves[node] = known[name]
            elif node in graph.numbers:
                leaves[node] = as_written(program, node, exact)
        absent = [self._named[node] for node in order if graph.operations[node] is INPUT and node not in leaves]
        if absent:
            raise program.missing(absent)
        sources = nodes if self._wrt else [node for node in order if graph.arguments[node] or not _whole(leaves[node])]
        return HighPrecisionPoint(graph, program.output, order, leaves, graph.dependent(order, sources), digits)

    def _given(self, name: str, point: Mapping[str, float], digits: int) -> Real:
        """The number of a name at a point."""
        if name not in self._written:
            return with_digits(digits).number(point[name])
        if (name, digits) not in self._numbers:  # the same at every point
            number = ExactFormula(self._written[name]).at({}, digits)
            self._numbers[name, digits] = number.values[number.output]
        return self._numbers[name, digits]


def _whole(number: Real) -> bool:
    return bool(number == int(number)) if abs(number) < 1e15 else False
