"""`autodiff graph`: a picture of the computation graph, with the value and the gradient of every node."""

import sys
from typing import Any, cast, get_args

import click

from ..errors import AutodiffError, Notice, Remedy, UsageError
from ..evaluation import Evaluation
from ..evaluation.nonfinite import nonfinite_error, nonfinite_warning
from ..graph_drawing import file_formats, tree
from ..graph_drawing.annotated_graph import evaluate_if_given
from ..graph_drawing.file_formats import FORMATS
from ..graph_drawing.picture import MOST_NODES, ColoredBy, Direction, DrawnNodes, Look, Picture
from ..terminal import color as terminal_color
from . import options
from .command_line.arguments import FormulaCommand, ShortForm
from .output import output_file
from .output.notices import raise_or_warn, warn
from .sources.formula import FormulaOptions

_BINARY = ("png", "pdf")
_FORMATS = ("text", *FORMATS)

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


def _color(ctx: click.Context, parameter: click.Parameter, choice: str | None) -> ColoredBy:
    """The colours of the picture if this choice is about them; any other choice is that of every command."""
    if choice == "gradient":
        return "gradient"
    if choice is not None:
        terminal_color.choose(cast(terminal_color.Choice, choice))
    return "kind"


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.wrt_option
@options.value_option("Draw this named value instead of the last.")
@options.expand_option
@options.path_option(
    "-o",
    "--out",
    help="Write the picture to a file, in the format of its extension; - is standard output.",
)
@options.picture_option(_FORMATS, "The format, where FILE's extension does not say it.")
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
    help="Refuse to draw more nodes than this.",
)
@click.option(
    "--stacked/--flat",
    default=None,
    help="Write the texts of a box one below the other, or side by side; the default depends on the width.",
)
@click.option(
    "--direction", cls=ShortForm, type=click.Choice(get_args(Direction)), help="The same as --flow, an older word."
)
@click.option(
    "--flow",
    "direction",
    type=click.Choice(get_args(Direction)),
    help="From left to right, the default, or from top to bottom.",
)
@click.option("--partials", is_flag=True, help="Show the derivative of each operation on the lines of its arguments.")
@click.option(
    "--color",
    type=click.Choice([*get_args(terminal_color.Choice), "gradient"]),
    callback=_color,
    help="When to use colours; `gradient` colours the picture by the sign and size of gradients.",
)
@click.option("--dark", is_flag=True, help="Draw on a dark background.")
@options.precision_option("Digits after the point.")
def command(
    out: str | None,
    format_: str | None,
    nodes: DrawnNodes,
    depth: int | None,
    max_nodes: int,
    stacked: bool | None,
    direction: Direction | None,
    partials: bool,
    color: ColoredBy,
    dark: bool,
    precision: int,
    **formula: Any,
) -> None:
    """Draw the graph in the terminal or as a picture."""
    chosen = _format(out, format_)
    subject = evaluate_if_given(*FormulaOptions(**formula).read())
    if not isinstance(subject, Evaluation) and (partials or color == "gradient"):
        what = "--partials" if partials else "--color gradient"
        remedy = Remedy("missing inputs", tuple(subject.inputs), "give them numbers")
        raise AutodiffError(f"{what} needs numbers for the inputs", remedy=remedy)
    look = Look(
        precision=precision, stacked=stacked, direction=direction or "LR", color=color, dark=dark, partials=partials
    )
    picture = Picture.of(subject, nodes=nodes, depth=depth, most=max_nodes, **look)
    drawn = None if chosen == "text" else file_formats.write(picture, chosen)
    if isinstance(subject, Evaluation):  # a picture of infinite and nan results helps to find where they arise
        raise_or_warn(nonfinite_error(subject), True, nonfinite_warning(subject))
    if drawn is None:
        ignored = {
            "--partials": partials,
            "--color gradient": color == "gradient",
            "--stacked" if stacked else "--flat": stacked is not None,
            "--flow": direction,
            "--dark": dark,
        }
        if names := [name for name, is_given in ignored.items() if is_given]:
            warn(Notice(f"the tree ignores {', '.join(names)}", hint="-o graph.svg writes to a file"))
        with output_file.redirected(out):
            tree.write(picture, sys.stdout)
    else:
        output_file.write_bytes(drawn, out)
        warn(file_formats.notice(picture, chosen))


def _format(out: str | None, format_: str | None) -> str:
    """The format of the picture; `text` for the tree."""
    format_ = output_file.format_of(format_, out, _FORMATS)
    if format_ in _BINARY and out in (None, "-") and sys.stdout.isatty():
        raise UsageError(f"a terminal cannot show {format_.upper()}", f"write it to a file: -o graph.{format_}")
    return format_
