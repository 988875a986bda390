"""`autodiff eval`: the value and the gradient of every node of a formula."""

import sys

import click

from .. import output as formats
from ..errors import MISMATCH
from ..evaluation import evaluate
from ..nonfinite import passed_through, problem
from . import data, each, inputs
from . import eval_derivatives as higher
from . import formula as shared
from .arguments import FormulaCommand, Optional
from .checking import checked, failed

_HELP = """The value of FORMULA and of each of its nodes, and the gradient of the result with respect to each of them.

\b
  autodiff eval "a*b+c" --set a=2 b=-3 c=10
  autodiff eval "-x^2" --set x=3
  autodiff eval "sin(x)^2" --set x=pi/4 --precision 8
  autodiff eval -f neuron.expr --set b=8 --wrt w1,w2
  autodiff eval -f neuron.expr --expand tanh
  autodiff eval -f neuron.expr --check
  autodiff eval "x^2*y" --set x=2 y=3 --hessian
  autodiff eval "a*b" --data points.csv -o results.parquet
  autodiff eval "x^2*y" --over x=-5:5:0.25 y=0:1:0.1
  autodiff eval -f neuron.expr --inputs x.json --format json | jq .gradient
  autodiff eval --each -f formulas.txt --set x=2 --format json

Without FORMULA and -f it is read from standard input.
A formula that is an assignment goes before --set, or after --."""


class _Eval(FormulaCommand):
    sections = {
        "Formula and inputs": ("file", "assignments", "inputs_file"),
        "What is computed": ("wrt", "output", "expand", "check", "hessian", "order", "direction"),
        "How it is written": ("format_", "precision", "nodes", "out", "allow_nonfinite"),
        "Many points or formulas": (
            *("data", "data_format", "over", "columns", "no_inputs", "prefix"),
            *("each", "strict", "jobs", "cluster", "retries"),
        ),
    }


@click.command(cls=_Eval, help=_HELP, short_help="Value and gradient of every node of a formula.")
@shared.formula_options
@data.options
@each.options
@shared.wrt_option
@click.option(
    "--output",
    multiple=True,
    metavar="NAMES",
    help="Differentiate this named value instead of the last; several, as in --output a,b, give a Jacobian.",
)
@shared.expand_option
@shared.reporting(data.TABLES)
@click.option("--nodes", type=click.Choice(["all", "named", "inputs"]), help="The nodes that have a row.")
@click.option(
    "--check",
    cls=Optional,
    type=click.Choice(["inputs", "nodes"]),
    help="Compare the gradient with finite differences: of the inputs, or with --check=nodes of every node.",
)
@higher.options
@click.option(
    "--strict",
    is_flag=True,
    help="Stop at the first row or line without a result; with --check, a verdict of undecided is a mismatch too.",
)
@click.option("--allow-nonfinite", is_flag=True, help="Print infinite and nan results, with a warning.")
def command(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    wrt: tuple[str, ...],
    output: tuple[str, ...],
    expand: tuple[str, ...],
    format_: str,
    nodes: formats.Nodes | None,
    precision: int,
    check: str | None,
    hessian: bool,
    order: int | None,
    direction: tuple[str, ...],
    strict: bool,
    allow_nonfinite: bool,
) -> None:
    """Read, evaluate, write."""
    given = inputs.from_assignments(assignments)
    wish = higher.wish(output, hessian, order, direction, check=check, wrt=wrt, nodes=nodes)
    program = shared.read_program(formula, file, wish.outputs[0] if len(wish.outputs) == 1 else None, expand)
    names = shared.names(wrt, "--wrt") if wrt else None
    shared.warn(shared.unused(program, given, names or wish.direction))
    point = shared.from_file(inputs_file) | given
    if wish.options:
        higher.write(wish, program, point, names, higher.Manner(format_, nodes, precision, allow_nonfinite))
        return
    evaluation = evaluate(program, point, names)
    verdicts = None if check is None else checked(evaluation, nodes=check == "nodes")
    bad = verdicts is not None and failed(verdicts, strict=strict)
    shared.tell(problem(evaluation), allow_nonfinite or bad, passed_through(evaluation))
    formats.write(formats.Report(evaluation, nodes, precision, verdicts), format_, sys.stdout)
    if bad:
        click.get_current_context().exit(MISMATCH)
