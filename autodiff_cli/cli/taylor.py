"""`autodiff taylor`: the Taylor series of a formula in one variable, as numbers and as a polynomial."""

import sys
from collections.abc import Mapping

import click

from ..errors import USAGE, AutodiffError
from ..evaluation import evaluate
from ..nonfinite import kink, passed_through
from ..program import Program
from . import formula as shared
from . import inputs
from .arguments import FormulaCommand
from .eval_derivatives import MOST_ORDERS
from .output import out_option

_HELP = """The Taylor series of FORMULA in one variable around a point: coefficients, derivatives and the polynomial.

\b
  autodiff taylor "exp(sin(x))" --at 0 --order 8
  autodiff taylor "a*log(x)" --wrt x --at 1 --set a=3
  autodiff taylor "sqrt(1+x)" --at 0 --format plain | autodiff eval --set x=1

The coefficients are computed with as many digits as it takes, so that all that are printed are right, where the formula
cancels too."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="The Taylor series of a formula in one variable.")
@shared.formula_options
@click.option("--wrt", metavar="NAME", help="The variable; it can be left out where there is only one.")
@click.option("--at", metavar="NUMBER", help="Where to expand: a number or a constant expression, such as pi/2.")
@click.option(
    "--order",
    type=click.IntRange(0, MOST_ORDERS),
    default=6,
    metavar="N",
    show_default=True,
    help="The highest power.",
)
@click.option("--output", metavar="NAME", help="Expand this named value instead of the last.")
@shared.report_options
@click.option("--allow-nonfinite", is_flag=True, help="Print infinite and nan results, with a warning.")
@out_option
def command(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    wrt: str | None,
    at: str | None,
    order: int,
    output: str | None,
    format_: str,
    precision: int,
    allow_nonfinite: bool,
) -> None:
    """Read, expand, write."""
    from ..derivatives import taylor, taylor_report

    given = inputs.from_assignments(assignments)
    program = shared.read_program(formula, file, output)
    from_file = shared.from_file(inputs_file)
    name = _variable(program, wrt, from_file | given, at)
    if at is not None:
        given[name] = _place(name, at, given)
    shared.warn(shared.unused(program, given, ()))
    point = from_file | given
    evaluation = evaluate(program, point, [name])
    found = taylor.taylor(evaluation, order)
    error = taylor.problem(evaluation, found)
    shared.tell(error, allow_nonfinite, passed_through(evaluation), kink(evaluation, "derivatives"))
    node = evaluation.nodes[name]
    start = point[name] if node is None else evaluation.values[node]
    taylor_report.write(
        taylor_report.Expansion(program.output_name, name, start, found), format_, sys.stdout, precision
    )


def _variable(program: Program, wrt: str | None, point: Mapping[str, float], at: str | None) -> str:
    """What the series is in: what --wrt names, or the only input without a number, or the only one."""
    from ..derivatives.taylor import only

    numbers = program.graph.numbers
    absent = [name for name, node in program.inputs.items() if name not in point and node not in numbers]
    candidates = absent if len(absent) == 1 else list(program.inputs)
    name = only(candidates if wrt is None else shared.names([wrt], "--wrt"))
    if at is None and name in absent:
        raise AutodiffError(f"the series has no point: a number for `{name}`", hint="add --at 0, with your number")
    return name


def _place(name: str, at: str, given: Mapping[str, float]) -> float:
    """Where --at says; a number for the same input from --set is an error."""
    if name in given:
        raise AutodiffError(f"`{name}` is set, and --at sets it too", hint="leave one of the two out", code=USAGE)
    return inputs.number(at.strip(), "--at")
