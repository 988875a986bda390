"""`autodiff solve`: where a formula is zero, or where several equations hold."""

from typing import TYPE_CHECKING, Any

import click

from ..errors import MISMATCH, USAGE, AutodiffError, named, needing_arrays
from . import inputs, options
from .arguments import FormulasCommand
from .formula import FormulaOptions, unused
from .notices import warn
from .result_output import ResultOptions, result_options

if TYPE_CHECKING:
    from ..plot.drawable import Drawable

_HELP = """Where EQUATION holds: the roots of a formula, or of several equations in as many unknowns.

\b
  autodiff solve "x^3 - 2*x - 5" --between 2:3
  autodiff solve "cos(x) = x" --start x=1
  autodiff solve "sin(x)*x = 1" --all 0:20
  autodiff solve "x^2 + y^2 = 4" "y = exp(x)" --start x=1 y=1
  autodiff solve "p*v = n*r*t" --for v --set p=101325 n=1 r=8.314 t=300 --start v=1

A formula without two sides is to be zero. Every input without a number is an unknown, or those that --for names. Exit
code 4: no root was found."""


@click.command(cls=FormulasCommand, help=_HELP, short_help="The roots of a formula, or of several equations.")
@click.argument("formulas", nargs=-1, metavar="EQUATION …")
@options.file_option
@options.set_option
@options.inputs_option
@click.option("--output", metavar="NAME", help="Of a program from a file or standard input, the value that is to be 0.")
@options.repeatable("--for", "NAMES", "The unknowns: --for x,y.")
@options.repeatable("--start", "NAME=NUMBER …", "Where the search begins.")
@click.option("--between", metavar="LOW:HIGH", help="Two points at which the formula has different signs.")
@click.option("--all", "everywhere", metavar="LOW:HIGH", help="Find every root between two points.")
@click.option("--trace", is_flag=True, help="Show the points on the way.")
@result_options("the roots on the curve")
def command(
    formulas: tuple[str, ...],
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    output: str | None,
    start: tuple[str, ...],
    between: str | None,
    everywhere: str | None,
    trace: bool,
    format_: str | None,
    precision: int,
    plot: bool,
    out: str | None,
    **others: Any,
) -> int:
    """Solve the equations and write the roots."""
    with needing_arrays("roots"):
        from ..root_finding import solve
        from ..root_finding.equations import equations
        from ..root_finding.report import SolutionReport
    result = ResultOptions(format_=format_, precision=precision, plot=plot, out=out)
    single = formulas[0] if len(formulas) == 1 and file is None else None
    source = FormulaOptions(formula=single, file=file, assignments=assignments, inputs_file=inputs_file)
    program = None if formulas and file is None else source.program(output)
    unknowns = options.names(others["for"], "--for") if others["for"] else []
    system = equations(formulas or None, unknowns, source.point, program)
    for function in system.functions:
        warn(unused(function.program, source.given, system.names) if len(system.functions) == 1 else ())
    one_way = [option for option in (start, between, everywhere) if option]
    if len(one_way) > 1:
        hint = "leave all but one of --start, --between and --all out"
        raise AutodiffError("two places to search were given", hint=hint, code=USAGE)
    window = _ends(between or everywhere, "--between" if between else "--all") if between or everywhere else None
    if window is not None and len(system.names) > 1:
        hint = f"write --start {' '.join(f'{name}=1' for name in system.names)}, with your numbers"
        raise AutodiffError(f"an interval is for one unknown, not for {named(system.names)}", hint=hint, code=USAGE)
    if window is None:
        solution = solve.from_start(system, system.start(inputs.from_assignments(start, "--start")))
    else:
        solution = (solve.between if between else solve.everywhere)(system, *window)

    def drawing() -> "Drawable":
        from ..root_finding import charts

        return charts.drawing(system, solution, window)

    result.write(SolutionReport(system.names, solution, precision, trace), drawing)
    return 0 if solution.converged else MISMATCH


def _ends(text: str | None, option: str) -> tuple[float, float]:
    """The ends of `LOW:HIGH`."""
    parts = (text or "").rpartition("=")[2].split(":")
    if len(parts) != 2:
        raise AutodiffError(f"`{text}` is not an interval", hint=f"write {option} 2:3", code=USAGE)
    low, high = (inputs.number(part.strip(), option) for part in parts)
    if not -float("inf") < low < high < float("inf"):
        raise AutodiffError(f"the interval `{text}` is empty", hint="write the smaller end first: 2:3", code=USAGE)
    return low, high
