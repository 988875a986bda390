"""The plan of a computation on columns: straight-line code, made once for a program."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..lowering.language import CONDITIONS
from ..operations import Operation

TRUTH = Operation("truth", "a", (), "whether a number is not zero")
NUMBER = Operation("number", "a", (), "1 for a condition that holds, else 0")


class Step(NamedTuple):
    """An operation on the results of earlier steps; without operands, a column or a constant.

    The result of a comparison is a condition, which is no number: `TRUTH` and `NUMBER` turn one into the other.
    """

    operation: Operation
    operands: tuple[int, ...] = ()

    @property
    def is_condition(self) -> bool:
        """Whether the result is true or false."""
        return self.operation.name in CONDITIONS or self.operation.name == TRUTH.name


@dataclass(frozen=True)
class Plan:
    """The steps from columns, which are the first, to results. A value is the number of the step that computes it."""

    constants: Mapping[int, float]
    """step → its number"""
    steps: tuple[Step, ...]
    results: tuple[int, ...]
    """the values of the outputs and of their derivatives"""

    @cached_property
    def last_uses(self) -> list[list[int]]:
        """For each step the computed values that no later step uses, and that are no results."""
        seen, last = {*self.results, *(value for value, step in enumerate(self.steps) if not step.operands)}, []
        for step in reversed(self.steps):
            last.append([value for value in dict.fromkeys(step.operands) if value not in seen])
            seen.update(step.operands)
        return last[::-1]

    @cached_property
    def most_kept(self) -> int:
        """The largest number of computed values that are kept at the same time."""
        kept = most = 0
        for step, values in zip(self.steps, self.last_uses, strict=True):
            kept += bool(step.operands)
            most = max(most, kept)
            kept -= len(values)
        return most
