"""The rows of `--data` and `--over` for commands whose results are values of a formula made from another."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ...program import Program
from ..command_line.remedies import number_signs, worded
from ..sources.data_file import refuse_same_stream
from ..sources.formula import FormulaOptions
from .many_points import Transformation, evaluate_points
from .request import EvalRequest

_WORDS: dict[str, Callable[..., str]] = {
    "not finite rows": lambda: "--allow-nonfinite makes this a warning",
    "result names": lambda: "rename the column",
    "strict": lambda: "",
    "rows without a number": lambda: "--na skip passes over rows without a number",
    "number signs": number_signs,
}
"""words for commands that do not have all options of `eval`"""

ProgramFor = Callable[[Collection[str]], Program]
"""the program for columns of these names"""


@dataclass(frozen=True, kw_only=True)
class TransformedRequest(EvalRequest):
    """A request in which the formula and the numbers for its inputs are replaced."""

    source: FormulaOptions
    base: ProgramFor
    numbers: Mapping[str, float]

    @cached_property
    def given(self) -> dict[str, float]:
        """The numbers."""
        return dict(self.numbers)

    @cached_property
    def from_file(self) -> dict[str, float]:
        """The numbers of the file that `--inputs` names."""
        return self.source.from_file

    @cached_property
    def inputs_text(self) -> str:
        """The text of the file that `--inputs` names, which the command may have read."""
        return self.source.inputs_text

    def program(self, columns: Collection[str] = ()) -> Program:
        """The formula that is to be transformed."""
        return self.base(columns)


def evaluate_rows(
    command: str,
    options: FormulaOptions,
    base: ProgramFor,
    transformation: Transformation,
    numbers: Mapping[str, float],
    **others: Any,
) -> int:
    """Write the results of a transformed formula for each row; `base` is the formula that is transformed.

    `options` are those of the command, of which `eval` takes what it has too; `others` are further ones. Returns 0, or
    raises the error for rows without results.
    """
    known = {field.name for field in fields(EvalRequest)}
    shared: dict[str, Any] = {name: value for name, value in vars(options).items() if name in known}
    shared["present"] = {name: option for name, option in shared["present"].items() if name not in ("output", "wrt")}
    shared |= {"output": (), **others}
    request = TransformedRequest(**shared, source=options, base=base, numbers=numbers)
    for path in request.data:
        refuse_same_stream(command, path, options)
    with worded(_WORDS):
        return evaluate_points(request, transformation)
