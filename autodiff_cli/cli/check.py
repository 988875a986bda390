"""`autodiff check`: a gradient against finite differences, at one point or at many."""

import sys
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

import click

from ..data.columns import unused_ranges
from ..data.layout import require_packages
from ..errors import MISMATCH, Notice, UsageError
from ..evaluation import Evaluation, evaluate
from ..gradient_check import SECONDS
from ..output import FORMATS, write
from ..program import Program
from ..work_budget import TooMuchWorkError
from . import options
from .command_line.arguments import FormulaCommand, OptionalValue
from .command_line.parameter_types import NumberRange
from .output import output_file
from .output.notices import progress_shown, warn
from .sources import points, ranges
from .sources.data_file import DataOptions, open_table, refuse_same_stream

if TYPE_CHECKING:  # the check brings mpmath, which nothing else has to wait for
    from ..gradient_check.checker import Verdict

_HELP = """Compare the gradient of FORMULA with finite differences, input by input.

The differences are computed with as many digits as they need, so that they can be trusted; a verdict other than ok
gives the reason. If there is a mismatch, the exit code is 4.

\b
  autodiff check "x^2*sin(x)" --set x=2
  autodiff check "abs(x)" --set x=0
  autodiff check "3*x^2-4*x+5" --set x=4 --sweep
  autodiff check "sqrt(x)*y" --points 100 --over x=0:9 y=-1:1 --seed 1
  autodiff check "exp(-x^2)" --data points.csv

--sweep shows what textbooks show: differences in double precision, for smaller and smaller steps."""


@dataclass(frozen=True, kw_only=True)
class CheckRequest(DataOptions):
    """The options of the command line, under the names of their parameters."""

    nodes: str
    sweep: bool
    points: int | None
    data: str | None
    strict: bool
    timeout: float
    format_: str | None
    precision: int
    out: str | None

    @property
    def format(self) -> str:
        """The format of the report."""
        return output_file.format_of(self.format_, self.out, FORMATS)


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.names_option("--wrt", help="Check the gradient with respect to these only.")
@options.output_option
@click.option(
    "--nodes",
    cls=OptionalValue,
    value_alone="all",
    type=click.Choice(["all", "inputs"]),
    default="inputs",
    show_default=True,
    help="The nodes that are checked; --nodes alone is all.",
)
@click.option("--sweep", is_flag=True, help="Show differences in double precision for steps of 0.1 to 1e-12.")
@click.option("--points", type=click.IntRange(1), metavar="N", help="Check at N points of the ranges of --over.")
@options.random_option("A range for each input, from which points are drawn.")
@options.seed_option
@options.path_option("--data", help="Check at every row of a file; its columns are inputs. - is standard input.")
@options.data_options
@click.option("--strict", is_flag=True, help="A verdict of undecided is a mismatch too.")
@click.option(
    "--timeout",
    type=NumberRange(0),
    metavar="SECONDS",
    default=SECONDS,
    show_default=True,
    help="The time for each point, or for every 100 operations of a longer formula.",
)
@options.report_options(FORMATS)
@options.out_option
@options.request_of(CheckRequest)
def command(request: CheckRequest) -> int:
    """Check the rows of a file, points of ranges, the steps of a sweep, or one point."""
    with output_file.redirected(request.out):
        _refuse_combinations(request)
        if request.data is not None:
            return MISMATCH if _check_rows(request, request.data) else 0
        windows = ranges.ends(request.over)
        program, point, wrt = request.read(columns=windows)
        warn(*unused_ranges(program, windows, program.inputs | program.constants))
        if request.points or windows:
            many = points.random_points(request.points or 100, windows, request.seed, point)
            is_mismatch = _check_points(request, program, wrt, many)
        elif request.sweep:
            is_mismatch = _sweep(request, evaluate(program, point, wrt))
        else:
            is_mismatch = _check_point(request, evaluate(program, point, wrt))
    return MISMATCH if is_mismatch else 0


def _refuse_combinations(request: CheckRequest) -> None:
    if request.sweep:
        request.refuse(("nodes", "strict", "timeout"), "does not go with --sweep: it has no verdicts")
    if request.data is None:
        request.refuse(options.DATA_FIELDS, "is for --data")
        return
    request.refuse(("points", "over"), "does not go with --data")
    refuse_same_stream("check", request.data, request)


def _check_rows(request: CheckRequest, data: str) -> bool:
    require_packages()
    with open_table(data, request) as reader:
        program, _, wrt = request.read(columns=reader.names)
        columns = points.columns_of(reader, program, request.given, request.from_file, request)
        rows = points.complete_rows(reader, columns, request.point)
        return _check_points(request, program, wrt, rows)


def _check_points(
    request: CheckRequest, program: Program, wrt: Sequence[str] | None, many: Iterable[points.Point]
) -> bool:
    from ..gradient_check.checker import Checker
    from ..gradient_check.summary import Summary
    from ..terminal.progress import progress

    if request.sweep or request.nodes == "all":
        raise UsageError("--sweep and --nodes are for one point", "give it with --set")
    summary, left_out = Summary(FORMATS[request.format].has_every_record), None
    try:
        for point in progress(many, "checking", request.points):
            for verdict in Checker(evaluate(program, point.numbers, wrt), request.timeout).all():
                summary.add(point.name, point.numbers, verdict)
    except TooMuchWorkError as error:
        if summary.counts.keys() <= {"undecided"}:
            raise
        summary.complete = False
        left_out = Notice(f"the other points were left out: {error.message}", remedy=error.remedy)
    write(summary, request.format, sys.stdout)
    warn(left_out)
    return failed(summary.counts, strict=request.strict) or (request.strict and left_out is not None)


def _sweep(request: CheckRequest, evaluation: Evaluation) -> bool:
    from ..gradient_check.step_sweep import StepSweepReport, step_sweep
    from ..gradient_check.verdicts import undifferentiable

    sweeps = [(name, step_sweep(evaluation, name)) for name in evaluation.wrt]
    has_remarks = isnan(evaluation.value) or any(undifferentiable(evaluation, node) for node in evaluation.order)
    verdicts = checked(evaluation) if has_remarks and request.format == "table" else ()  # they take much longer
    write(StepSweepReport(evaluation.gradient, sweeps, verdicts), request.format, sys.stdout)
    return False


def _check_point(request: CheckRequest, evaluation: Evaluation) -> bool:
    from ..gradient_check.report import VerdictsReport

    nodes = request.nodes == "all"
    verdicts = checked(evaluation, nodes=nodes, seconds=request.timeout)
    write(VerdictsReport(verdicts, request.precision, nodes), request.format, sys.stdout)
    return failed({verdict.verdict for verdict in verdicts}, strict=request.strict)


def checked(evaluation: Evaluation, *, nodes: bool = False, seconds: float = SECONDS) -> "list[Verdict]":
    """The verdicts on a gradient, with a progress bar on a terminal where that takes more than a second.

    `nodes` checks the gradient of every node; `seconds` is the time for 100 operations.
    """
    from ..gradient_check.checker import Checker

    with progress_shown("checking") as progress:
        return Checker(evaluation, seconds).all(nodes=nodes, progress=progress)


def failed(kinds: Container[str], *, strict: bool) -> bool:
    """Whether one of the verdicts is a mismatch or, with `strict`, undecided."""
    return "mismatch" in kinds or (strict and "undecided" in kinds)
