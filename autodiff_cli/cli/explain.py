"""`autodiff explain`: the chain rule step by step, with the numbers filled in."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from math import isfinite
from os.path import realpath
from typing import Any

import click

from ..errors import NOT_FINITE, AutodiffError, Notice, UsageError, quoted_names
from ..evaluation import Evaluation, evaluate
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from ..explain import formats
from ..explain.chain_rule import explain
from ..explain.gradient_paths import gradient_paths
from ..explain.node_names import named_node, short_names
from ..explain.page.data_rows import MOST_PAGE_ROWS, DataRows
from ..explain.walkthrough import MOST_NODES, Walkthrough, require_short
from ..files import exit_on_signals, without_credentials
from . import options
from .command_line.arguments import FormulaCommand
from .output import output_file
from .output.notices import raise_or_warn, warn
from .sources.data_file import DataOptions, program_and_columns
from .sources.keyboard import key_presses

_HELP = """Walk through the computation of FORMULA and of its gradient, step by step, with the numbers filled in.

First come the values, from the inputs to the result; then the gradients, from the result back to the inputs: for each
node the gradient that arrives, the local derivative as a rule and as a number, and the product that is passed on.

\b
  autodiff explain "b = a + a" --set a=3
  autodiff explain -f neuron.expr --step
  autodiff explain -f neuron.expr --expand tanh
  autodiff explain -f neuron.expr --node w1
  autodiff explain -f neuron.expr -o lesson.md
  autodiff explain -f neuron.expr --html neuron.html
  autodiff explain "(w*x - y)^2" --set w=0 --data points.csv --html fit.html

--node explains one gradient alone: the product of the local derivatives along each path, and the sum over the paths."""


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.wrt_option
@options.output_option
@options.expand_option
@options.names_option("--node", "nodes", help="Explain these gradients alone.", example="b v3")
@click.option("--step", is_flag=True, help="On a terminal, show the next step at each key that is pressed.")
@options.format_option(formats.FORMATS, "How to write the explanation, if FILE's extension does not say")
@options.path_option("-o", "--out", help="Write to a file instead of standard output.")
@options.path_option(
    "--html",
    help="Write a page for a browser that steps through formula, graph and table; -o FILE.html does so too.",
)
@options.path_option("--worksheet", help="Write a page to print, with room for the numbers.")
@click.option("--solved", is_flag=True, help="Write the answers on the --worksheet.")
@options.path_option("--data", help="Rows of a table to step downhill on, with --html.")
@options.data_options
@options.seed_option
@options.precision_option("Digits after the point.")
@click.option(
    "--max-nodes",
    type=click.IntRange(1),
    default=MOST_NODES,
    show_default=True,
    metavar="N",
    help="Refuse to walk through more nodes than this; --node and JSON have no limit.",
)
@click.option("--allow-nonfinite", is_flag=True, help="Explain infinite and nan results too, with a warning.")
@click.pass_context
def command(
    context: click.Context,
    /,
    nodes: tuple[str, ...],
    step: bool,
    format_: str | None,
    out: str | None,
    html: str | None,
    worksheet: str | None,
    solved: bool,
    data: str | None,
    precision: int,
    max_nodes: int,
    allow_nonfinite: bool,
    **sources: Any,
) -> None:
    """Write the explanation, a page for a browser, or one step for each key."""
    alone, source = options.names(nodes), DataOptions(present=options.present(context), **sources)
    chosen = output_file.format_of(format_, out, (*formats.FORMATS, "html"))
    if html is None and chosen == "html":
        html, out = out, None
    page = "--html" if html is not None else "--worksheet" if worksheet is not None else None
    if page and (nodes or step or format_ or out):
        raise UsageError(f"{page} writes a page of the whole walk", "leave out --node, --step, --format and --out")
    if html is not None and worksheet is not None and realpath(html) == realpath(worksheet):
        raise UsageError(f"the page and the worksheet cannot both be `{html}`", "give --worksheet another name")
    if solved and worksheet is None:
        raise UsageError("--solved is for a worksheet", "add --worksheet FILE")
    if data is not None and html is None:
        raise UsageError("--data is for a page", "add --html FILE")
    if data is None:
        source.refuse((*options.DATA_FIELDS, "seed"), "is for --data")
    if source.sample is None:
        source.refuse(("seed",), "is for --sample")
    if step:
        _refuse_step(format_, out)
    rows = None if data is None else _rows(data, source)
    evaluation = _evaluation(source, alone, rows.first if rows else {})
    walk = _walkthrough(evaluation, alone, precision, max_nodes if chosen != "json" else None)
    error = nonfinite_error(evaluation) or _infinite_path(walk)
    raise_or_warn(error, allow_nonfinite, nonfinite_warning(evaluation))
    if page:
        _write_pages(evaluation, precision, rows, html, worksheet, solved)
        return
    if step:
        _step_through(walk)
    else:
        with output_file.opened(out) as stream:
            formats.write(walk, chosen, stream)


def _evaluation(source: DataOptions, alone: Sequence[str], row: Mapping[str, float]) -> Evaluation:
    """The evaluation; without --wrt its gradient is with respect to the names that are explained alone.

    A row of data takes the place of the numbers that the formula has for its inputs.
    """
    program, point, wrt = source.read(alone, row)
    if alone and wrt is None:
        wrt = [name for name in program.entries(alone) if name in program.names or name in program.inputs]
    return evaluate(program, {**point, **row}, wrt)


def _rows(path: str, source: DataOptions) -> DataRows:
    """The columns of a table that are inputs, as many rows of them as a page can hold. Warns of rows left out."""
    program, columns = program_and_columns("explain", path, source)
    if not columns.names:
        names = sorted({*program.inputs, *program.constants})
        raise AutodiffError(
            f"no column of `{without_credentials(path)}` is an input", hint=f"the inputs are {quoted_names(names)}"
        )
    if columns.rows > MOST_PAGE_ROWS:
        warn(Notice(f"the page has the first {MOST_PAGE_ROWS:,} of the {columns.rows:,} rows"))
    return DataRows.first_of(columns)


def _walkthrough(evaluation: Evaluation, alone: Sequence[str], precision: int, most: int | None) -> Walkthrough:
    """The explanation as it is written. Raises AutodiffError for a walk through more than `most` nodes."""
    short = short_names(evaluation)
    wanted = [named_node(evaluation, short, name) for name in evaluation.program.entries(alone)]
    if not wanted and most is not None:
        everything = f"--max-nodes {len(evaluation.order)} goes through all of them"
        require_short(evaluation, most, f"--node NAME explains one gradient alone, {everything}")
    explanation = explain(evaluation, short, beside=wanted)
    return Walkthrough(explanation, short, precision, tuple(gradient_paths(explanation, node) for node in wanted))


def _infinite_path(walk: Walkthrough) -> AutodiffError | None:
    """The error for a gradient that --node asks for by a name that only the explanation knows."""
    for path in walk.paths:
        if not isfinite(path.gradient):
            message = f"the gradient of `{walk.name(path.node)}` is {walk.figure(path.gradient)}"
            return AutodiffError(message, hint="--allow-nonfinite explains it all the same", code=NOT_FINITE)
    return None


def _write_pages(
    evaluation: Evaluation, precision: int, rows: DataRows | None, html: str | None, worksheet: str | None, solved: bool
) -> None:
    """Write the files that are asked for, all or none of them."""
    from ..explain.page import html as interactive_page
    from ..explain.page import worksheet as printed_page

    with ExitStack() as files:
        if html is not None:
            text = interactive_page.page(evaluation, precision, rows)
            files.enter_context(output_file.opened(html)).write(text)
        if worksheet is not None:
            text = printed_page.worksheet(evaluation, precision, solved=solved)
            files.enter_context(output_file.opened(worksheet)).write(text)


# ---- One step at a time ----------------------------------------------------------------------------------------------


def _refuse_step(format_: str | None, out: str | None) -> None:
    if format_ not in (None, "text") or out is not None:
        raise UsageError("--step is for a person at a terminal", "leave it out, or -o and --format")
    from ..terminal.pager import is_paged

    if is_paged(sys.stdout):
        raise UsageError("--step shows the explanation itself", "leave out --pager")
    if not sys.stdout.isatty():
        raise UsageError("--step needs a terminal", "leave it out: the whole explanation is printed then")


def _step_through(walk: Walkthrough) -> None:
    from ..explain.formats.key_stepper import KeyStepper
    from ..terminal.screen import full_screen

    stepper = KeyStepper(walk, sys.stdout)
    with exit_on_signals(), key_presses() as key, full_screen(sys.stdout):
        while stepper.is_running:
            stepper.show()
            stepper.press(key())
