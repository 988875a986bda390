"""`autodiff sensitivity`: which inputs a result depends on most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ..data.columns import names_in_program, unused_mapping
from ..errors import Notice, UsageError
from ..evaluation import evaluate
from ..evaluation.nonfinite import nonfinite_error
from ..notation import rounded
from ..program import Program
from . import options
from .command_line.arguments import FormulaCommand
from .evaluation.request import ALL_FORMATS
from .output.notices import raise_or_warn, warn
from .output.result_output import ResultOptions, result_options
from .sources import inputs
from .sources.data_file import DataOptions

if TYPE_CHECKING:
    from ..plot.drawable import Drawable

_HELP = """Show which inputs change the result of FORMULA most.

\b
  autodiff sensitivity "price*units - wages" --set price=9 units=100 wages=500
  autodiff sensitivity -f cost.expr --by 5% -o tornado.svg
  autodiff sensitivity "a*x^2 + b" --set a=1 b=2 --over x=1:3:1

For each input: its gradient; the elasticity, which is the relative change of the result for a relative change of the
input; and the result with the input made smaller and larger by --by, computed anew. The input that changes the result
most comes first."""


@dataclass(frozen=True, kw_only=True)
class SensitivityRequest(DataOptions, ResultOptions):
    """The options of the command line, under the names of their parameters."""

    data: tuple[str, ...]
    by: str
    allow_nonfinite: bool


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.wrt_option
@options.value_option("Analyse this named value instead of the last.")
@options.tables_option("The elasticities for each row of a table.")
@options.data_options
@options.seed_option
@options.range_option("The elasticities at each point of a grid; without STEP a hundredth of the range.")
@click.option("--by", metavar="SHARE", default="10%", show_default=True, help="By how much each input is changed.")
@options.nonfinite_option
@result_options("a tornado chart", ALL_FORMATS, "--tornado")
@options.request_of(SensitivityRequest)
def command(request: SensitivityRequest) -> int:
    """Analyse the formula and write the sensitivities."""
    from ..sensitivity.analysis import sensitivity
    from ..sensitivity.report import SensitivityReport

    if request.data or request.over:
        return _evaluate_rows(request)
    request.refuse(options.DATA_FIELDS, "is for --data")
    request.require_writable()
    program, point, names = request.read()
    share = _share(request.by)
    raise_or_warn(nonfinite_error(evaluate(program, point, names)), allowed=request.allow_nonfinite)
    result = sensitivity(program, point, names, share)

    def chart() -> "Drawable":
        from ..plot.captions import function_caption
        from ..plot.tornado import Tornado, tornado_drawing

        parts = result.inputs.values()
        ends = [part.low for part in parts], [part.high for part in parts]
        return tornado_drawing(Tornado(function_caption(program), result.value, list(result.inputs), *ends))

    request.write(SensitivityReport(program.output_name or "value", result, request.precision), chart)
    return 0


def _evaluate_rows(request: SensitivityRequest) -> int:
    """Write the value and the elasticities of each row."""
    from ..sensitivity.rows import with_elasticities
    from .evaluation.transformed_rows import evaluate_rows

    request.refuse(("by", "plot"), "is for one point")

    def transformed(program: Program, columns: Sequence[str]) -> tuple[Program, Sequence[str]]:
        wrt = request.wrt_names
        warn(*unused_mapping(request.mapped, program.inputs | program.constants))
        called = names_in_program(columns, {*program.names, *program.constants}, request.mapping)
        return with_elasticities(program, wrt and program.entries(wrt), (*called, *request.point))

    return evaluate_rows("sensitivity", request, request.program, transformed, request.given)


def _share(text: str) -> float:
    """The share that `10%` or `0.1` says. Warns of one above 1, which is probably meant in percent."""
    number = inputs.number(text.strip().removesuffix("%"), "--by") / (100 if text.strip().endswith("%") else 1)
    if not 0 < number < float("inf"):
        raise UsageError(f"`{text}` is not a share", "write --by 10%, or --by 0.1")
    if number > 1 and "%" not in text:
        percent, share = rounded(number), rounded(number / 100)
        warn(Notice(f"--by {text.strip()} is {rounded(100 * number)} %", f"write --by {percent}%, or --by {share}"))
    return number
