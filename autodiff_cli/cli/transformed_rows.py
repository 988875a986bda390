"""The rows of `--data` and `--over` for commands whose results are values of a formula made from another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import AutodiffError
from ..program import Program
from .eval_data import evaluate_points
from .eval_request import EvalRequest
from .options import Present


@dataclass(frozen=True, kw_only=True)
class TransformedRequest(EvalRequest):
    """A request in which the formula and the numbers for its inputs are replaced."""

    transform: Callable[[Program], Program]
    numbers: Mapping[str, float]

    @cached_property
    def given(self) -> dict[str, float]:
        """The numbers."""
        return dict(self.numbers)

    def program(self, output: str | None = None) -> Program:
        """What the formula is transformed to."""
        return self.transform(super().program(output))


def evaluate_rows(
    transform: Callable[[Program], Program],
    results: Callable[[Program], Sequence[str]],
    numbers: Mapping[str, float],
    present: Present,
    **options: Any,
) -> int:
    """Write the named results of the transformed formula for each row; `results` gives their names.

    Returns 0, or raises the error for rows without them.
    """
    from ..vectorized.quantities import NamedValues

    absent: dict[str, Any] = {
        **dict.fromkeys(("check", "order", "nodes", "prefix", "jobs", "cluster", "retries", "engine", "reduce")),
        **dict.fromkeys(("hessian", "strict", "no_inputs", "each"), False),
        **dict.fromkeys(("direction", "over", "columns", "output"), ()),
        "data": None,
    }
    said = {name: option for name, option in present.items() if name not in ("output", "wrt")}
    request = TransformedRequest(present=said, transform=transform, numbers=numbers, **{**absent, **options})
    quantity = NamedValues(tuple(results(request.program(request.output_name))))
    try:
        return evaluate_points(request, quantity)
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "not finite rows":
            error.remedy, error.hint = None, "--allow-nonfinite makes this a warning"
        raise
