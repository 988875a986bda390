"""`autodiff minimize`: the minimum of a formula, free or within bounds and constraints."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ..errors import MISMATCH, UsageError, needing_arrays
from ..minimization import METHODS
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.lists import RELATIONS
from .command_line.remedies import FOR_SEARCHES, worded
from .completion import completers
from .output.notices import progress_shown, warn
from .output.result_output import ResultOptions, result_options
from .sources import ranges
from .sources.data_file import DataOptions, program_and_columns
from .sources.formula import equation, unused

if TYPE_CHECKING:
    from ..data.column_blocks import StoredColumns
    from ..plot.drawable import Drawable
    from ..program import Program

_HELP = """Find a minimum of FORMULA, with exact gradients and second derivatives.

\b
  autodiff minimize "(1 - x)^2 + 100*(y - x^2)^2" --start x=-1.2 y=1
  autodiff minimize "x*log(x) - x" --start x=1 --bounds x=0.1:
  autodiff minimize "x^2 + y^2" --start x=3 y=0 --subject "x + y >= 2"
  autodiff minimize -f cost.expr --starts 20 --bounds a=0:10 b=0:10
  autodiff minimize "(w*x + b - y)^2" --data points.csv --mean --start w=0 b=0

Every input without a number from --set or --inputs is a variable. It starts at the number of --start, else at the
default that the program gives it. Exit code 4: no minimum was found; the best point is printed all the same."""


@dataclass(frozen=True, kw_only=True)
class MinimizeRequest(DataOptions, ResultOptions):
    """The options of the command line, under the names of their parameters."""

    bounds: tuple[str, ...]
    subject: tuple[str, ...]
    data: str | None
    reduction: str | None
    maximize: bool
    method: str | None
    starts: int
    trace: bool


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.value_option("Minimize this named value instead of the last.")
@options.start_option
@options.bounds_option("variables")
@options.list_option(
    "--subject",
    entry=RELATIONS,
    example='"x + y <= 3"',
    metavar="RELATION …",
    shell_complete=completers.nothing,
    help='Constraints, such as "x + y <= 3" "x*y = 1".',
)
@options.path_option("--data", help="Minimize the --sum or the --mean of the formula over the rows of a table.")
@options.data_options
@click.option("--sum", "reduction", flag_value="sum", help="The sum over the rows of --data.")
@click.option("--mean", "reduction", flag_value="mean", help="The mean over the rows of --data.")
@click.option("--maximize", is_flag=True, help="Look for the maximum.")
@click.option("--method", type=click.Choice(METHODS), help="Use this method instead of the one that suits the problem.")
@options.starts_option
@options.seed_option
@click.option("--trace", is_flag=True, help="Show the points on the way.")
@result_options("the way to the minimum")
@options.request_of(MinimizeRequest)
@worded(FOR_SEARCHES)
def command(request: MinimizeRequest) -> int:
    """Minimize the formula and write the result."""
    with needing_arrays("minima"):
        from ..minimization import formulation
        from ..minimization.minimize import minimize
        from ..minimization.report import MinimumReport
        from ..search.starts_and_bounds import starting_point
    request.require_writable()
    (program, columns), is_mean = _program_and_columns(request), request.reduction == "mean"
    shadowed = columns.names if columns else ()
    fixed = {name: number for name, number in request.point.items() if name not in shadowed}
    subject = [equation(text, request.notation) for text in request.subject]
    problem = formulation.formulated(
        program,
        fixed,
        ranges.bounds(request.bounds),
        subject,
        request.maximize,
        columns,
        is_mean=is_mean,
        entries=request.entries,
    )
    first = starting_point(problem.names, [program], request.started, "variable")
    constraints = (constraint.function.program for constraint in problem.constraints)
    constrained = (name for constraint in constraints for name in (*constraint.inputs, *constraint.constants))
    warn(*unused(program, request.given, [*problem.names, *constrained]))
    with progress_shown("searching") as progress:
        minimum = minimize(problem, first, request.method, request.starts, request.seed, progress)
    warn(minimum.spent)

    def chart() -> "Drawable":
        from ..minimization import charts

        return charts.steps(program, minimum) if columns is not None else charts.chart(program, fixed, minimum)

    name = program.output_name or "value"
    request.write(MinimumReport(name, minimum, request.precision, request.trace), chart)
    request.explain_failure(minimum)
    return 0 if minimum.converged else MISMATCH


def _program_and_columns(request: MinimizeRequest) -> "tuple[Program, StoredColumns | None]":
    """The formula, and the columns of --data that are inputs; None without it."""
    data, reduction = request.data, request.reduction
    if (data is None) != (reduction is None):
        hint = "add --mean or --sum" if data else "add --data FILE, or leave it out"
        option = "--data" if data else f"--{reduction}"
        raise UsageError(f"`{option}` needs {'a way to add up the rows' if data else 'rows'}", hint)
    if data is None:
        request.refuse(options.DATA_FIELDS, "is for --data")
        return request.program(), None
    return program_and_columns("minimize", data, request, varies=True)
