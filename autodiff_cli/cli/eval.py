"""`autodiff eval`: the value and the gradient of every node of a formula."""

import sys

import click

from .. import formats
from ..diagnosis import passed_through, problem
from ..evaluation import evaluate
from . import formula as shared
from . import inputs

_HELP = """The value of FORMULA and of each of its nodes, and the gradient of the result with respect to each of them.

\b
  autodiff eval "a*b+c" --set a=2 b=-3 c=10
  autodiff eval "-x^2" --set x=3
  autodiff eval "sin(x)^2" --set x=pi/4 --precision 8
  autodiff eval -f neuron.expr --set b=8 --wrt w1,w2
  autodiff eval -f neuron.expr --expand tanh
  cat neuron.expr | autodiff eval --inputs point.json --format json | jq .gradient

Without FORMULA and -f it is read from standard input. A formula that is an assignment goes before --set, or after --."""


@click.command(cls=shared.FormulaCommand, help=_HELP)
@shared.formula_options
@click.option("--wrt", multiple=True, metavar="NAMES", help="The gradient with respect to these only: --wrt a,b.")
@click.option("--output", metavar="NAME", help="Differentiate this named value instead of the last.")
@click.option("--expand", multiple=True, metavar="NAMES", help="Take functions apart: --expand tanh, or --expand all.")
@click.option(
    "--format", "format_", type=click.Choice(formats.FORMATS), default="table", help="How to write the result."
)
@click.option("--nodes", type=click.Choice(["all", "named", "inputs"]), help="The nodes that have a row.")
@click.option(
    "--precision", type=click.IntRange(0, 17), default=4, show_default=True, help="Digits after the point in the table."
)
@click.option("--allow-nonfinite", is_flag=True, help="Print infinite and nan results, with a warning.")
def command(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    wrt: tuple[str, ...],
    output: str | None,
    expand: tuple[str, ...],
    format_: str,
    nodes: formats.Nodes | None,
    precision: int,
    allow_nonfinite: bool,
) -> None:
    """Read, evaluate, write."""
    program = shared.read_program(formula, file)
    if output is not None:
        program = program.select(shared.names([output])[0])
    if expand:
        program = shared.expanded(program, shared.names(expand))
    given = inputs.from_assignments(assignments)
    names = shared.names(wrt) if wrt else None
    evaluation = evaluate(program, shared.from_file(inputs_file) | given, names)
    shared.warn(shared.unused(program, given, names or ()))
    error = problem(evaluation)
    if error is not None and not allow_nonfinite:
        raise error
    shared.warn([error or passed_through(evaluation)])
    formats.write(formats.Report(evaluation, nodes, precision), format_, sys.stdout)
