"""`autodiff eval`: the value and the gradient of every node of a formula."""

import sys

import click

from ..data.formats.registry import CODECS
from ..errors import MISMATCH
from ..evaluation import evaluate
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from ..evaluation.report import EvaluationReport
from ..output import write
from ..work_budget import MOST_ORDERS, charge
from . import options
from .command_line.arguments import FormulaCommand, OptionalValue
from .command_line.lists import COLUMNS, RENAMES
from .command_line.remedies import ALL_NODES
from .completion import completers
from .evaluation.request import ALL_FORMATS, FOLDER_FIELDS, WRITE_FIELDS, EvalRequest
from .output import output_file
from .output.notices import raise_or_warn

MOST_DIGITS = 100_000
_NODE_ROW = 3e-5  # the work of writing a node, seconds
_HELP = """Compute FORMULA and every step on the way to it, and the derivative of the result with respect to each.

\b
  autodiff eval "a*b+c" --set a=2 b=-3 c=10
  autodiff eval "-x^2" --set x=3
  autodiff eval "sin(x)^2" --set x=pi/4 --precision 8
  autodiff eval -f neuron.expr --set b=8 --wrt w1,w2
  autodiff eval -f neuron.expr --expand tanh
  autodiff eval -f neuron.expr --check
  autodiff eval "x^2*y" --set x=2 y=3 --hessian
  autodiff eval "sin(x)/x" --set x=1e-9 --certify --digits 40
  autodiff eval "a*b" --data points.csv -o results.parquet
  autodiff eval "(w*x - y)^2" --data points.csv --set w=1 --reduce mean
  autodiff eval "x^2*y" --over x=-5:5:0.25 y=0:1:0.1
  autodiff eval -f neuron.expr --inputs x.json --format json | jq .gradient
  autodiff eval --each -f formulas.txt --set x=2 --format json

Without FORMULA and -f the formula is read from standard input.
A formula that is an assignment goes before --set, or after --."""


class _Eval(FormulaCommand):
    sections = {
        "Formula and inputs": ("file", "notation", "assignments", "inputs_file"),
        "What is computed": ("wrt", "value_only", "output", "expand", "check", "hessian", "order", "direction"),
        "A proof": ("certify", "digits", "split"),
        "How it is written": ("format_", "precision", "nodes", "out", "allow_nonfinite"),
        "Files of data": (*options.DATA_FIELDS, "seed"),
        "Many points or formulas": (
            *("data", "over", "columns", "no_inputs", "prefix", "reduce", "errors", "file_column", "rename"),
            *(*WRITE_FIELDS, *FOLDER_FIELDS),
            *("each", "strict", "jobs", "engine", "verbose", "cluster", "retries"),
        ),
    }


@click.command(cls=_Eval, help=_HELP)
@options.formula_options
@options.tables_option(
    "Every row of a file, of several or of all in a folder, is a point; its columns are inputs; - is standard input."
)
@options.range_option("Every point of a grid, ends included; without STEP a hundredth of the range.")
@options.data_options
@options.seed_option
@options.path_option(
    "-o",
    "--out",
    help="Write to a file, or with a folder of data to a folder; it appears whole or not at all.",
)
@options.names_option(
    "--columns",
    help="Which columns are written, and in which order.",
    entry=COLUMNS,
    shell_complete=completers.written_columns,
)
@click.option("--no-inputs", is_flag=True, help="Write the results only.")
@click.option(
    "--reduce",
    type=click.Choice(["sum", "mean"]),
    help="Write the sum or the mean over all points, and its derivatives, instead of rows.",
)
@options.path_option(
    "--errors", help="Write why rows have no result: to a column, with --errors column, or to a CSV file."
)
@options.assigned_option(
    "--rename",
    metavar="NAME=COLUMN …",
    example="delta=grad_spot",
    entry=RENAMES,
    help="Write columns of the data and of the results under other names.",
    shell_complete=completers.nothing,
)
@click.option("--file-column", metavar="NAME", help="Add a column of this name that says which file a row is from.")
@click.option(
    "--compression",
    type=click.Choice(CODECS),
    help="The compression of Parquet and Arrow files, or of text on standard output or in a folder.",
)
@click.option("--row-group-size", type=click.IntRange(1), metavar="N", help="The rows of a row group of Parquet.")
@click.option("--append", is_flag=True, help="Add to a folder that holds results already; nothing is replaced.")
@click.option(
    "--resume",
    is_flag=True,
    help="Keep the finished parts of a folder if the job is stopped, and go on with those of an earlier run.",
)
@click.option("--prefix", metavar="TEXT", help="Put this before the names of the results.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Work in N threads, or with --each in N processes; by default one thread for each core, or one process.",
)
@click.option(
    "--engine",
    type=click.Choice(("auto", "compiled", "numpy")),
    help="How rows are computed: by code compiled for the processor, or by NumPy; auto, the default, takes the faster.",
)
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Report at the end how many rows there were, which engine computed them, and how long it took.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Compute the files of --data on a Dask cluster: its scheduler's HOST:PORT or file, or local.",
)
@click.option(
    "--retries",
    type=click.IntRange(0),
    metavar="N",
    help="How often a failed task of a cluster is tried again; 3 by default.",
)
@click.option(
    "--each", is_flag=True, help="Every line of the input is a formula of its own; they share what --set gives."
)
@options.wrt_option
@click.option("--value-only", is_flag=True, help="Print only the value: a bare number, if there is no --format.")
@options.values_option("Differentiate this named value instead of the last; several give a Jacobian.")
@click.option(
    "--certify", is_flag=True, help="Show only digits that are certain; inputs may be ranges, as in --set x=1..2."
)
@click.option(
    "--digits",
    type=click.IntRange(1, MOST_DIGITS),
    metavar="N",
    help="How many digits --certify shows; 17 by default.",
)
@click.option(
    "--split",
    type=click.IntRange(1),
    metavar="N",
    help="With --certify, divide each range into N parts, for narrower results.",
)
@options.expand_option
@options.report_options(ALL_FORMATS)
@click.option("--nodes", type=click.Choice(["all", "named", "inputs"]), help="Which nodes are shown.")
@click.option(
    "--check",
    cls=OptionalValue,
    value_alone="inputs",
    type=click.Choice(["inputs", "nodes"]),
    help="Compare the gradient with finite differences: of the inputs, or with --check nodes of every node.",
)
@click.option("--hessian", is_flag=True, help="Add the matrix of second derivatives.")
@click.option(
    "--order",
    type=click.IntRange(1, MOST_ORDERS),
    metavar="N",
    help="Compute the derivatives up to order N, with respect to one variable.",
)
@options.assigned_option(
    "--direction",
    example="x=1 y=2",
    help="Compute the slope along a direction, in forward mode, instead of the gradient.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Stop at the first row or line without a result; with --check, a verdict of undecided is a mismatch too.",
)
@options.nonfinite_option
@options.request_of(EvalRequest)
def command(request: EvalRequest) -> int:
    """Evaluate many points, a formula a line, derivatives of higher order, or one point; or certify one or many."""
    request.refuse_derivatives()
    request.refuse_uncertified()
    if request.many_points and not request.certify:
        from .evaluation.many_points import evaluate_points

        return evaluate_points(request)
    if not request.many_points:
        request.refuse_options_for_data()
    with output_file.redirected(request.out):
        if request.each:
            from .evaluation.many_formulas import evaluate_lines

            return evaluate_lines(request)
        if request.certify:
            from .evaluation.certify import certify_point, certify_points

            return certify_points(request) if request.many_points else certify_point(request)
        if request.derivatives:
            from .evaluation.derivatives import evaluate_derivatives

            return evaluate_derivatives(request)
        return _evaluate_point(request)


def _evaluate_point(request: EvalRequest) -> int:
    """Write the value and the gradient at one point; the exit code says whether a check of it failed."""
    evaluation = evaluate(*request.read())
    if request.nodes == "all":
        charge(_NODE_ROW * len(evaluation.order))  # now, since a check may leave no work for writing
    report = EvaluationReport(evaluation, request.nodes, request.precision, ALL_NODES)
    is_mismatch = False
    if request.check is not None:
        from ..gradient_check.report import CheckedEvaluationReport
        from .check import checked, failed

        verdicts = checked(evaluation, nodes=request.check == "nodes")
        report = CheckedEvaluationReport(evaluation, request.nodes, request.precision, ALL_NODES, verdicts=verdicts)
        is_mismatch = failed({verdict.verdict for verdict in verdicts}, strict=request.strict)
    raise_or_warn(nonfinite_error(evaluation), request.allow_nonfinite or is_mismatch, nonfinite_warning(evaluation))
    write(report, request.format, sys.stdout)
    return MISMATCH if is_mismatch else 0
