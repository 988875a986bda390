"""The uncertainty of one result or several, from what is known of the inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..arithmetic.arrays import without_warnings
from ..errors import AutodiffError, quoted_names
from ..evaluation import used
from ..parallel import Progress
from ..program import Program
from .budget import Budget, Coverage, budget, correlation
from .correlations import Correlations, correlation_matrix
from .measured_values import MeasuredValue
from .monte_carlo import MonteCarlo, monte_carlo


@dataclass(frozen=True)
class Uncertainty:
    """The budgets of results, and what drawing the inputs says about them."""

    outputs: dict[str, Budget]
    correlation: list[list[float]]
    """of the results, in their order"""
    monte_carlo: dict[str, MonteCarlo]
    """result → what the draws show; empty where none were asked for"""

    @property
    def single(self) -> Budget:
        """The budget of the only result. Raises AutodiffError where there are several."""
        if len(self.outputs) > 1:
            hint = f'take one by its name, such as outputs["{next(iter(self.outputs))}"]'
            raise AutodiffError(f"there are {len(self.outputs)} results: {quoted_names(self.outputs)}", hint=hint)
        (only,) = self.outputs.values()
        return only


@without_warnings()
def uncertainty(
    program: Program,
    inputs: Mapping[str, MeasuredValue],
    correlations: Correlations,
    *,
    coverage: Coverage,
    outputs: Sequence[str] = (),
    draws: int = 0,
    seed: int = 0,
    progress: Progress = iter,
) -> Uncertainty:
    """The uncertainty of a program's output, or of several named values.

    Inputs without an uncertainty are exact. Raises AutodiffError for inputs without a value, for invalid
    correlations, and where a result is not finite.
    """
    programs = {name: program.select(name) for name in outputs} or {program.output_name or "value": program}
    known = _inputs(list(programs.values()), inputs)
    matrix = correlation_matrix(known, correlations)
    budgets = {
        name: budget(selected, known, matrix, coverage, needs_slopes=not draws) for name, selected in programs.items()
    }
    drawn = {
        name: monte_carlo(programs[name], known, matrix, budget, draws, seed, progress)
        for name, budget in (budgets.items() if draws else ())
    }
    return Uncertainty(budgets, correlation(list(budgets.values()), matrix), drawn)


def _inputs(programs: Sequence[Program], given: Mapping[str, MeasuredValue]) -> dict[str, MeasuredValue]:
    """The inputs that the results depend on, in the order of the program, and others that are uncertain.

    Defaults are exact values. Raises AutodiffError for inputs without a value.
    """
    known: dict[str, MeasuredValue] = {}
    for program in programs:
        numbers = program.graph.numbers
        needed = used(program.graph.needed([program.output]), program.inputs_given(given))
        absent = [name for name, node in needed.items() if name not in given and node not in numbers]
        if absent:
            raise program.missing(absent, place="`inputs`")
        known |= {name: given[name] if name in given else MeasuredValue(numbers[node]) for name, node in needed.items()}
    return known | {name: quantity for name, quantity in given.items() if quantity.u and name not in known}
