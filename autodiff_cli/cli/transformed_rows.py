"""The rows of `--data` and `--over` for commands whose results are values of a formula made from another."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ..errors import USAGE, AutodiffError
from ..program import Program
from .eval_data import evaluate_points
from .eval_request import EvalRequest
from .formula import FormulaOptions


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
    options: FormulaOptions,
    output: Sequence[str],
    transform: Callable[[Program], Program],
    results: Callable[[Program], Sequence[str]],
    numbers: Mapping[str, float],
) -> int:
    """Write the named results of the transformed formula for each row; `results` gives their names.

    `options` are those of a command, of which `eval` takes what it has too. Returns 0, or raises the error for rows
    without results.
    """
    from ..vectorized.quantities import NamedValues

    if len(output) > 1:
        raise AutodiffError("several outputs do not go with --data", hint="name one of them", code=USAGE)
    known = {field.name for field in fields(EvalRequest)}
    shared: dict[str, Any] = {name: value for name, value in vars(options).items() if name in known}
    shared["present"] = {name: option for name, option in shared["present"].items() if name not in ("output", "wrt")}
    request = TransformedRequest(**shared | {"output": output}, transform=transform, numbers=numbers)
    quantity = NamedValues(tuple(results(request.program(request.output_name))))
    try:
        return evaluate_points(request, quantity)
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "not finite rows":
            error.remedy, error.hint = None, "--allow-nonfinite makes this a warning"
        elif error.remedy is not None and error.remedy.kind == "strict":
            error.remedy, error.hint = None, request.fate
        raise
