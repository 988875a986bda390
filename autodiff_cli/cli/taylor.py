"""`autodiff taylor`: the Taylor series of a formula in one variable, as numbers and as a polynomial."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..errors import AutodiffError, UsageError
from ..evaluation import evaluate
from ..notation import canonical
from ..output import FORMATS, write
from ..program import Program
from ..work_budget import MOST_ORDERS
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.lists import ASSIGNMENTS, separated
from .completion import completers
from .output import output_file
from .output.notices import raise_or_warn, warn
from .sources import inputs
from .sources.formula import FormulaOptions, unused

_HELP = """Compute the Taylor series of FORMULA in one variable around a point: coefficients, derivatives, polynomial.

\b
  autodiff taylor "exp(sin(x))" --at 0 --order 8
  autodiff taylor "a*log(x)" --wrt x --at 1 --set a=3
  autodiff taylor "sqrt(1+x)" --at 0 --format plain | autodiff eval --set x=1

The coefficients are computed with as many digits as needed, so that every printed digit is right, even where the
formula cancels. Where a large formula takes too much work for that, a warning says so."""


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.names_option(
    "--wrt",
    help="The variable; it can be left out where there is only one.",
    example="x",
    shell_complete=completers.inputs,
)
@click.option(
    "--at", metavar="NUMBER", help="The point: a number or a constant expression, such as pi/2; x=0 works too."
)
@click.option(
    "--order",
    type=click.IntRange(0, MOST_ORDERS),
    default=6,
    metavar="N",
    show_default=True,
    help="The highest power.",
)
@options.value_option("Expand this named value instead of the last.")
@options.report_options(FORMATS)
@options.nonfinite_option
@options.out_option
def command(
    order: int,
    format_: str | None,
    precision: int,
    allow_nonfinite: bool,
    out: str | None,
    **formula: Any,
) -> None:
    """Write the Taylor series of the formula."""
    from ..derivatives import taylor
    from ..derivatives.taylor_report import TaylorReport

    format_ = output_file.format_of(format_, out, FORMATS)
    with output_file.redirected(out):
        program, point, name = _program_at(FormulaOptions(**formula))
        evaluation = evaluate(program, point, [name])
        expansion = taylor.taylor(evaluation, order)
        error = taylor.nonfinite_error(evaluation, expansion)
        raise_or_warn(error, allow_nonfinite, *taylor.warnings(evaluation, expansion))
        node = evaluation.nodes[name]
        start = point[name] if node is None else evaluation.values[node]
        write(TaylorReport(program.output_name, name, start, expansion, precision), format_, sys.stdout)


def _program_at(source: FormulaOptions) -> tuple[Program, dict[str, float], str]:
    """The program, the point that the series is around, and the variable."""
    given, program, wrt = source.given, source.program(), options.names(source.wrt)
    place, *others = separated(source.at or "", ASSIGNMENTS) or [""]
    if others:
        raise UsageError("--at takes one variable", f"the others are set: --at {place} --set {' '.join(others)}")
    variable, _, number = place.rpartition("=")
    if variable and wrt not in ([], [canonical(variable)]):
        message = f"--at is for `{canonical(variable)}`, and --wrt names `{wrt[0]}`"
        raise UsageError(message, "leave one of the two out")
    name = _variable(program, [canonical(variable)] if variable else wrt, source.point, source.at)
    if source.at is not None:
        if name in given:
            raise UsageError(f"`{name}` is set, and --at sets it too", "leave one of the two out")
        given = {**given, name: inputs.number(number.strip(), "--at")}
    warn(*unused(program, given, ()))
    return program, source.point | given, name


def _variable(program: Program, wrt: Sequence[str], point: Mapping[str, float], at: str | None) -> str:
    """The variable: the one that --wrt names, else the only input without a number, else the only input."""
    from ..derivatives.taylor import single_variable

    numbers = program.graph.numbers
    absent = [name for name, node in program.inputs.items() if name not in point and node not in numbers]
    candidates = absent if len(absent) == 1 else list(program.inputs)
    name = single_variable(program.entries(wrt) or candidates)
    if at is None and name in absent:
        raise AutodiffError(f"the series has no point: a number for `{name}`", hint="add --at 0, with your number")
    return name
