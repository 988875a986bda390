"""`autodiff diff`: the derivative as a formula."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..derivatives import formula_report
from ..errors import UsageError
from ..work_budget import MOST_FORMULA_ORDERS
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.remedies import FOR_FORMULAS, command_line, worded
from .output import output_file
from .output.notices import warn
from .sources.formula import FormulaOptions, like_constants

_HELP = """Write the derivative of FORMULA as a formula, simplified.

\b
  autodiff diff "x^2*sin(x)"
  autodiff diff "sqrt(x^2 + y^2)" --wrt x,y
  autodiff diff "exp(-x^2)" --order 3
  autodiff diff -f neuron.expr --wrt w1 --format latex
  autodiff diff -f neuron.expr --wrt w1 | autodiff eval --set x1=3
  autodiff diff "x^2*y" --wrt x | autodiff diff --wrt y

The result is a program in the same language, so it can be evaluated, drawn or differentiated again. With several
variables, or if it is large, it has several statements. Inputs keep their defaults; --set replaces them by numbers."""


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.names_option("--wrt", help="The names to differentiate with respect to; by default all inputs.")
@click.option(
    "--order",
    type=click.IntRange(1, MOST_FORMULA_ORDERS),
    default=1,
    metavar="N",
    help="The order of the derivative: N times with respect to the same variable.",
)
@options.output_option
@options.format_option(formula_report.FORMATS)
@options.path_option("-o", "--out", help="Write to a file.")
@worded(FOR_FORMULAS)
def command(order: int, format_: str | None, out: str | None, **formula: Any) -> None:
    """Write the derivative of the formula."""
    from ..derivatives.differentiate import differentiate, refuse_repeated

    format_ = output_file.format_of(format_, out, (*formula_report.FORMATS, "expr"))
    source = FormulaOptions(**formula)
    refuse_repeated(source.wrt)
    program, point, names = source.read()
    _refuse_numbers(source, names or list(program.inputs), point, order)
    warn(*like_constants(program, [*point, *(names or ())]))
    derivative = differentiate(program, names, order=order, fixed=point)
    with output_file.opened(out) as stream:
        formula_report.write(derivative, "text" if format_ == "expr" else format_, stream)


def _refuse_numbers(source: FormulaOptions, names: Sequence[str], point: Mapping[str, float], order: int) -> None:
    """Raise an error for a number of what is differentiated by: a name of --wrt, or without it all inputs."""
    fixed = [name for name in names if name in point]
    if fixed and (source.wrt or len(fixed) == len(names)):
        words = [*source.words, *(("--wrt", *source.wrt) if source.wrt else ())]
        words += ["--of", *source.outputs] if source.outputs else []
        words += ["--order", str(order)] if order > 1 else []
        message = f"`{fixed[0]}` is set to a number, and the derivative is with respect to it"
        raise UsageError(message, f"for the derivative at a point write {command_line('autodiff', 'eval', *words)}")
