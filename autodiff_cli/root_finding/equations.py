"""Equations in unknowns: functions that should be zero, with their exact Jacobian, in doubles and with more digits."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy

from .. import engine
from ..arithmetic import Real
from ..arithmetic.arrays import Doubles
from ..arithmetic.multiprecision import Multiprecision
from ..errors import AutodiffError, Remedy, did_you_mean, quoted_names
from ..evaluation import used
from ..language.relations import differences
from ..notation import counted
from ..operations import SLOW
from ..program import Program
from ..search.scalar_function import ScalarFunction
from ..search.starts_and_bounds import bound_vectors, entry_bounds, start_instead, starting_point
from ..work_budget import Work

_SECONDS = 2


@dataclass(frozen=True)
class Equations:
    """Functions that should be 0, as many as there are unknowns."""

    names: tuple[str, ...]
    functions: Sequence[ScalarFunction]
    texts: Sequence[str]
    """as they were written"""
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """of roots that are searched from a start"""
    work: Work = field(default_factory=lambda: Work(_SECONDS))
    """with many digits, for one search; of all roots, renewed for each that is proved"""

    @property
    def is_slow(self) -> bool:
        """Whether there are functions that many digits make slow."""
        graphs = (function.program.graph for function in self.functions)
        return any(operation.name in SLOW for graph in graphs for operation in graph.operations)

    def start(self, given: Mapping[str, float]) -> list[float]:
        """The start of a search: the numbers given, else the defaults that the formulas give the unknowns."""
        return starting_point(self.names, (function.program for function in self.functions), given, "unknown")

    @property
    def low(self) -> Doubles:
        """The lower bound of each unknown."""
        return bound_vectors(self.bounds, self.names)[0]

    @property
    def high(self) -> Doubles:
        """The upper bound of each unknown."""
        return bound_vectors(self.bounds, self.names)[1]

    def admits(self, vector: Iterable[float]) -> bool:
        """Whether a vector is within the bounds."""
        return all(low <= x <= high for low, x, high in zip(self.low, vector, self.high, strict=True))

    def residuals(self, vector: Iterable[float]) -> Doubles:
        """The values of the functions."""
        return numpy.array([function.value(vector) for function in self.functions])

    def jacobian(self, vector: Iterable[float]) -> Doubles:
        """A row for each function: its partial derivatives."""
        return numpy.array([function.gradient(vector) for function in self.functions])

    def precisely(self, vector: Sequence[Real], arithmetic: Multiprecision) -> tuple[list[Real], list[list[Real]]]:
        """The values and the Jacobian at a vector of numbers with many digits.

        Raises TooMuchWorkError where that is more than all roots may take.
        """
        with self.work:
            rows = [_precisely(function, vector, arithmetic) for function in self.functions]
        return [value for value, _ in rows], [partials for _, partials in rows]


def equations(
    texts: Iterable[str] | None,
    unknowns: Sequence[str],
    fixed: Mapping[str, float],
    context: Program | None = None,
    entries: Iterable[str] = (),
    bounds: Mapping[str, tuple[float, float]] = {},
) -> Equations:
    """The equations that texts such as `x*y = 2` state, or `x^3 - 2` for `x^3 - 2 = 0`.

    They may use the names of a program; without texts this program itself is set to 0. If no unknowns are given, they
    are all inputs that have no fixed number. `entries` are those of lists that are given numbers, such as `x[1]`.
    Raises AutodiffError where there are not as many equations as unknowns, and for bounds of anything else.
    """
    if texts is None:
        assert context is not None
        texts = [context.output_name or context.source.text]
        programs = [context] if context.output_name else differences(context.source.text, entries=entries)
    else:
        texts = list(texts)
        programs = [program for text in texts for program in differences(text, context, entries)]
    if not programs:
        raise AutodiffError("there is no equation to solve", hint='write one such as "x^2 = 2"')
    every = dict.fromkeys(entry for name in unknowns for program in programs for entry in program.entries([name]))
    lists = {name for program in programs for name in program.list_names}
    unknowns = [name for name in every if name not in lists]
    inputs = dict.fromkeys(
        name for program in programs for name in used(program.graph.needed([program.output]), program.inputs)
    )
    for name in unknowns:
        if name not in inputs:
            known = f"the inputs are {quoted_names(inputs)}" if inputs else f"write one in {name}"
            hint = did_you_mean(name, inputs) or known
            raise AutodiffError(f"`{name}` is not in the equations", hint=hint)
    names = tuple(unknowns) or tuple(name for name in inputs if name not in fixed)
    if len(names) != len(programs):
        counts = f"{counted(len(programs), 'equation')} in {counted(len(names), 'unknown')}"
        if not names and inputs:
            first = next(iter(inputs))
            raise AutodiffError(f"{counts} cannot be solved", remedy=start_instead(first, fixed[first]))
        if len(names) < len(programs):
            words = "give as many equations as unknowns" if names else "write an equation in x"
            raise AutodiffError(f"{counts} cannot be solved", hint=words)
        words = f"name {len(programs)} of them in `unknowns`, with numbers for the others"
        remedy = Remedy("unknowns", names[: len(programs)], words, f"the unknowns are {quoted_names(names)}: ")
        raise AutodiffError(f"{counts} cannot be solved", remedy=remedy)
    for program in programs:
        needed, numbers = used(program.graph.needed([program.output]), program.inputs), program.graph.numbers
        absent = [name for name in needed if name not in names and name not in fixed and needed[name] not in numbers]
        if absent:
            raise program.missing(absent, [*names, *fixed], place="`fixed`")
    others = {name: number for name, number in fixed.items() if name not in names}
    limits = entry_bounds(bounds, names, "unknown")
    return Equations(names, [ScalarFunction(program, names, others) for program in programs], texts, limits)


def _precisely(function: ScalarFunction, vector: Sequence[Real], arithmetic: Multiprecision) -> tuple[Real, list[Real]]:
    program, graph = function.program, function.program.graph
    order, inputs = graph.needed([program.output]), program.inputs_given([*function.fixed, *function.names])
    constants = [node for node in order if node in graph.numbers]
    leaves = {node: arithmetic.constant(graph.numbers[node], graph.labels.get(node)) for node in constants}
    given = {name: arithmetic.number(number) for name, number in function.fixed.items()}
    given |= dict(zip(function.names, vector, strict=True))
    leaves |= {inputs[name]: number for name, number in given.items() if name in inputs}
    nodes = [inputs.get(name) for name in function.names]
    active = graph.dependent(order, [node for node in nodes if node is not None])
    values = [leaves.get(node) for node in range(len(graph))]
    engine.forward(graph, order, values, arithmetic)
    adjoints = engine.backward(graph, order, values, program.output, active, arithmetic, arithmetic.number(1))
    return values[program.output], [0 if node is None else adjoints[node] or 0 for node in nodes]
