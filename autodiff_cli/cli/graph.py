"""`autodiff graph`: a picture of the computation graph, with the value and the gradient of every node."""

import sys
from typing import Any

import click

from ..drawing import file_formats, tree
from ..drawing.annotated_graph import evaluate_if_given
from ..drawing.file_formats import FORMATS
from ..drawing.picture import MOST_NODES, Nodes, Picture
from ..errors import USAGE, AutodiffError
from ..evaluation import Evaluation
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from . import options, output_file
from .arguments import FormulaCommand
from .formula import FormulaOptions
from .notices import raise_or_warn

_BINARY = ("png", "pdf")

_HELP = """Draw the computation graph of FORMULA, with the value and the gradient of each node.

\b
  autodiff graph -f neuron.expr
  autodiff graph -f neuron.expr -o neuron.svg
  autodiff graph -f neuron.expr --expand tanh -o neuron.png
  autodiff graph "d = a*b; e = a+b; d*e"
  autodiff graph -f large.expr --nodes named --depth 3
  autodiff graph "x*y" --set x=2 y=3 --format dot | dot -Tsvg

Without -o and --format it is drawn in the terminal, as a tree. SVG, PNG, PDF and HTML need Graphviz.
Without numbers for the inputs the structure alone is drawn."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="A picture of the computation graph.")
@options.formula_options
@options.wrt_option
@options.value_option("Draw this named value instead of the last.")
@options.expand_option
@options.path_option(
    "-o",
    "--out",
    text="Write the picture to a file, in the format of its ending; - is standard output.",
)
@options.picture_option("to", FORMATS, "The format, where FILE's ending does not say it.")
@click.option(
    "--nodes",
    type=click.Choice(["all", "named"]),
    default="all",
    show_default=True,
    help="Draw all nodes, or the inputs and the values that have a name.",
)
@click.option("--depth", type=click.IntRange(0), metavar="N", help="Draw what is at most N operations from the output.")
@click.option(
    "--max-nodes",
    type=click.IntRange(1),
    default=MOST_NODES,
    show_default=True,
    metavar="N",
    help="Refuse to draw more nodes than that.",
)
@click.option("--stacked", is_flag=True, help="Boxes with their texts one below the other, for a narrower picture.")
@options.precision_option("Digits after the point.")
def command(
    output: str | None,
    out: str | None,
    to: str | None,
    nodes: Nodes,
    depth: int | None,
    max_nodes: int,
    stacked: bool,
    precision: int,
    **formula: Any,
) -> None:
    """Draw the graph in the terminal or as a picture."""
    format_ = _format(out, to)
    subject = evaluate_if_given(*FormulaOptions(**formula).read(output))
    picture = Picture.of(subject, nodes=nodes, depth=depth, most=max_nodes, precision=precision, stacked=stacked)
    drawn = None if format_ == "tree" else file_formats.write(picture, format_)
    if isinstance(subject, Evaluation):  # a picture of infinite and nan results helps to find where they arise
        raise_or_warn(nonfinite_error(subject), True, nonfinite_warning(subject))
    if drawn is None:
        with output_file.redirected(out):
            tree.write(picture, sys.stdout)
    else:
        output_file.write_bytes(drawn, out)


def _format(out: str | None, to: str | None) -> str:
    """The format of the picture; `tree` for a drawing in text."""
    format_ = output_file.format_of(to, out, ("tree", *FORMATS))
    if format_ in _BINARY and out in (None, "-") and sys.stdout.isatty():
        raise AutodiffError(f"a terminal cannot show {format_.upper()}", hint=f"add -o graph.{format_}", code=USAGE)
    return format_
