"""`autodiff uncertainty --data`: a result with its uncertainty for each row of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..measurement.correlations import Correlations
from ..measurement.quantities import MeasuredValue
from ..measurement.rows import RowUncertainties, with_uncertainty
from .eval_data import evaluate_points
from .eval_request import EvalRequest
from .options import Present

if TYPE_CHECKING:
    from ..program import Program


@dataclass(frozen=True, kw_only=True)
class UncertaintyRequest(EvalRequest):
    """What the rows are evaluated with: a formula whose results are the value and the uncertainty."""

    known: Mapping[str, MeasuredValue]
    correlations: Correlations

    @cached_property
    def given(self) -> dict[str, float]:
        """The values of --set."""
        return {name: quantity.value for name, quantity in self.known.items()}

    def program(self, output: str | None = None) -> "Program":
        """The program with the uncertainty of that output."""
        return with_uncertainty(super().program(output), self.known, self.correlations)


def evaluate_rows(
    present: Present,
    output: Sequence[str],
    known: Mapping[str, MeasuredValue],
    correlations: Correlations,
    **formula: Any,
) -> int:
    """Write the value and the uncertainty of each row; returns 0, or raises the error for rows without them."""
    absent: dict[str, Any] = {
        **dict.fromkeys(("check", "order", "nodes", "prefix", "jobs", "cluster", "retries", "engine", "reduce")),
        **dict.fromkeys(("hessian", "allow_nonfinite", "strict", "no_inputs", "each"), False),
        **dict.fromkeys(("direction", "over", "columns"), ()),
    }
    said = {name: option for name, option in present.items() if name != "output"}
    request = UncertaintyRequest(
        present=said, known=known, correlations=correlations, output=output, **absent, **formula
    )
    return evaluate_points(request, RowUncertainties())
