"""The change of a result with each of its inputs: slopes, elasticities, and the result with an input changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log10, nan

from ..evaluation import Evaluation, evaluate
from ..program import Program
from .rows import no_input


@dataclass(frozen=True)
class InputSensitivity:
    """The effect of one input on the result."""

    value: float
    gradient: float
    elasticity: float
    """the relative change of the result for a relative change of the input; nan where either is 0"""
    low: float
    """the result with the input made smaller by the share"""
    high: float
    """the result with the input made larger by the share"""


@dataclass(frozen=True)
class Sensitivity:
    """The inputs of a result, the one that changes it most first."""

    value: float
    share: float
    inputs: dict[str, InputSensitivity]

    @property
    def condition(self) -> float:
        """The relative change of the result, at most, if every input changes relatively by 1; nan where it is 0."""
        sizes = [abs(part.elasticity) for part in self.inputs.values() if part.value]
        return sum(sizes) if self.value else nan

    @property
    def digits_lost(self) -> float:
        """The number of decimal digits of the inputs that the result does not have; nan where it is 0."""
        return max(0.0, log10(self.condition)) if self.condition > 0 else self.condition


def sensitivity(program: Program, point: Mapping[str, float], wrt: Sequence[str] | None, share: float) -> Sensitivity:
    """The sensitivities at a point, for each input made smaller and larger by a share of its value.

    Raises AutodiffError for a name in `wrt` that the program computes.
    """
    evaluation = evaluate(program, point, wrt)
    inputs_there = program.inputs_given({*point, *(name for name in wrt or () if name in program.constants)})
    for name, node in evaluation.nodes.items():
        if node is not None and name not in inputs_there:
            raise no_input(name, inputs_there)
    inputs = {name: _of_input(evaluation, point, name, share) for name in evaluation.wrt}
    ranked = sorted(inputs, key=lambda name: -_change(evaluation.value, inputs[name]))
    return Sensitivity(evaluation.value, share, {name: inputs[name] for name in ranked})


def _change(value: float, part: InputSensitivity) -> float:
    """The distance between the results with and without a change, as far as these are finite."""
    results = [result for result in (part.low, value, part.high) if isfinite(result)]
    return max(results, default=0.0) - min(results, default=0.0)


def _of_input(evaluation: Evaluation, point: Mapping[str, float], name: str, share: float) -> InputSensitivity:
    program, node = evaluation.program, evaluation.nodes[name]
    number = point[name] if node is None else evaluation.values[node]
    slope = evaluation.gradient[name]
    elasticity = number / evaluation.value * slope if number and evaluation.value else nan
    low, high = (evaluate(program, {**point, name: number * (1 + side * share)}, ()).value for side in (-1, 1))
    return InputSensitivity(number, slope, elasticity, low, high)
