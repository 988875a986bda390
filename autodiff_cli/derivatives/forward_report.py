"""The report on a directional derivative: each node's value and its slope along the direction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..evaluation.report import EvaluationReport, Nodes
from ..output.report import Content
from .forward import DirectionalDerivative


@dataclass(frozen=True, kw_only=True)
class DirectionalReport(EvaluationReport):
    """An evaluation that has slopes in place of adjoints."""

    directional: DirectionalDerivative

    derivative: ClassVar[str] = "slope"

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, with the direction and the slope of the output."""
        return super().document() | {"direction": self.directional.direction, "directional": self.directional.slope}

    def lines(self) -> Iterator[Sequence[Content]]:
        """The value, and below it the slope."""
        yield (self.evaluation.value,)
        yield (self.directional.slope,)


def report(directional: DirectionalDerivative, nodes: Nodes | None, precision: int, hint: str) -> DirectionalReport:
    """The report on a directional derivative; `nodes`, `precision` and `hint` as in `EvaluationReport`."""
    evaluation = replace(directional.evaluation, adjoints=directional.slopes)
    return DirectionalReport(evaluation, nodes, precision, hint, directional=directional)
