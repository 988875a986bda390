"""`autodiff check`: a gradient against finite differences, at one point or at many."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

from ..data.layout import require_packages
from ..errors import MISMATCH, USAGE, AutodiffError
from ..evaluation import evaluate
from ..program import Program
from . import data as data_options
from . import eval_data as rows
from . import formula as shared
from . import inputs, points, ranges
from .arguments import FormulaCommand
from .checking import checked, failed
from .output import out_option

_HELP = """Compare the gradient of FORMULA with finite differences, input by input.

The differences are taken with as many digits as it takes, so they are the truth; a verdict that is not simply ok says
why in words. A mismatch ends with exit code 4.

\b
  autodiff check "x^2*sin(x)" --set x=2
  autodiff check "abs(x)" --set x=0
  autodiff check "3*x^2-4*x+5" --set x=4 --sweep
  autodiff check "sqrt(x)*y" --points 100 --over x=0:9 y=-1:1 --seed 1
  autodiff check "exp(-x^2)" --data points.csv

--sweep shows what a textbook shows instead: differences in double precision for smaller and smaller steps."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="Compare the gradient with finite differences.")
@shared.formula_options
@click.option("--wrt", multiple=True, metavar="NAMES", help="Check the gradient with respect to these only.")
@shared.output_option
@click.option("--nodes", is_flag=True, help="Check the gradient of every node.")
@click.option("--sweep", is_flag=True, help="Show differences in double precision for steps of 0.1 to 1e-12.")
@click.option("--points", type=click.IntRange(1), metavar="N", help="Check at N points of the ranges of --over.")
@click.option(
    "--over", multiple=True, metavar="NAME=LOW:HIGH …", help="A range for each input that points are drawn of."
)
@shared.seed_option
@click.option("--data", metavar="FILE", help="Check at every row of a file; its columns are inputs. - is a pipe.")
@data_options.format_option
@click.option("--strict", is_flag=True, help="A verdict of undecided is a mismatch too.")
@click.option(
    "--timeout",
    type=click.FloatRange(0),
    metavar="SECONDS",
    default=10,
    show_default=True,
    help="The time for each input.",
)
@shared.report_options
@out_option
def command(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    wrt: tuple[str, ...],
    output: str | None,
    over: tuple[str, ...],
    data: str | None,
    data_format: str | None,
    **options: Any,
) -> None:
    """Read, check, write."""
    _refuse(data, formula, file)
    given = inputs.from_assignments(assignments)
    program = shared.read_program(formula, file, output)
    names = shared.names(wrt, "--wrt") if wrt else None
    shared.warn(shared.unused(program, given, names or ()))
    others = shared.from_file(inputs_file)
    point = others | given
    if data is not None:
        bad = _rows(data, data_format, program, given, others, names, **options)
    elif (many := points.drawn(options["points"], ranges.from_words(over), options["seed"], point)) is not None:
        bad = _many(program, many, names, **options)
    elif options["sweep"]:
        bad = _sweep(program, point, names, options["format_"])
    else:
        bad = _one(program, point, names, **options)
    if bad:
        click.get_current_context().exit(MISMATCH)


def _refuse(data: str | None, formula: str | None, file: str | None) -> None:
    """Raise an error for options that do not go together."""
    if data is None:
        shared.refuse(("data_format",), "is for --data")
        return
    shared.refuse(("points", "over"), "does not go with --data")
    rows.refuse_two_from_one_stream(data, formula, file)


def _rows(
    data: str,
    data_format: str | None,
    program: Program,
    given: Mapping[str, float],
    others: Mapping[str, float],
    wrt: list[str] | None,
    **options: Any,
) -> bool:
    require_packages()
    reader, source = rows.opened(data, data_format)
    with source:
        return _many(program, points.rows(reader, program, given, others), wrt, **options)


def _one(program: Program, point: Mapping[str, float], wrt: list[str] | None, **options: Any) -> bool:
    from ..gradient_check import report as checks

    evaluation = evaluate(program, point, wrt)
    verdicts = checked(evaluation, nodes=options["nodes"], seconds=options["timeout"])
    checks.write(verdicts, options["format_"], sys.stdout, options["precision"], nodes=options["nodes"])
    return failed(verdicts, strict=options["strict"])


def _sweep(program: Program, point: Mapping[str, float], wrt: list[str] | None, format_: str) -> bool:
    from ..gradient_check import report as checks
    from ..gradient_check.verify import sweep

    evaluation = evaluate(program, point, wrt)
    swept = [checks.Swept(name, evaluation.gradient[name], sweep(evaluation, name)) for name in evaluation.wrt]
    checks.write_sweep(swept, format_, sys.stdout)
    return False


def _many(program: Program, many: Iterable[points.Point], wrt: list[str] | None, **options: Any) -> bool:
    from ..gradient_check import summary as summaries
    from ..gradient_check.checker import Checker
    from ..terminal import progress

    if options["sweep"] or options["nodes"]:
        raise AutodiffError("--sweep and --nodes are for one point", hint="give it with --set", code=USAGE)
    summary = summaries.Summary()
    for point in progress(list(many), "checking"):
        for verdict in Checker(evaluate(program, point.numbers, wrt), options["timeout"]).all():
            summary.add(point.name, point.numbers, verdict)
    summaries.write(summary, options["format_"], sys.stdout)
    return failed(summary.verdicts, strict=options["strict"])
