"""`autodiff sensitivity`: which inputs a result depends on most."""

from typing import TYPE_CHECKING, Any

import click

from ..errors import USAGE, AutodiffError
from ..evaluation import evaluate
from ..evaluation.nonfinite import nonfinite_error
from . import inputs, options
from .arguments import FormulaCommand
from .eval_request import ALL_FORMATS
from .formula import FormulaOptions
from .notices import raise_or_warn
from .result_output import ResultOptions, result_options

if TYPE_CHECKING:
    from ..plot.drawable import Drawable

_HELP = """Which inputs of FORMULA change its result most.

\b
  autodiff sensitivity "price*units - wages" --set price=12 units=1000 wages=9000
  autodiff sensitivity -f cost.expr --by 5% -o tornado.svg
  autodiff sensitivity "a*x^2 + b" --set a=1 b=2 --over x=1:3:1

For each input: its gradient; the elasticity, which is the relative change of the result for a relative change of the
input; and the result with the input made smaller and larger by --by, computed anew. The input that changes the result
most comes first."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="Which inputs a result depends on most.")
@options.formula_options
@options.wrt_option
@options.output_option
@click.option("--data", metavar="FILE", help="The elasticities for each row of a table.")
@options.data_format_option
@options.repeatable("--over", "NAME=LOW:HIGH:STEP …", "The elasticities at each point of a grid.")
@click.option("--by", metavar="SHARE", default="10%", show_default=True, help="By how much inputs are changed.")
@options.nonfinite_option
@result_options("a tornado chart", ALL_FORMATS)
@click.pass_context
def command(
    context: click.Context,
    /,
    wrt: tuple[str, ...],
    output: str | None,
    data: str | None,
    data_format: str | None,
    over: tuple[str, ...],
    by: str,
    allow_nonfinite: bool,
    format_: str | None,
    precision: int,
    plot: bool,
    out: str | None,
    **formula: Any,
) -> int:
    """Analyse the formula and write the sensitivities."""
    from ..sensitivity.analysis import sensitivity
    from ..sensitivity.report import SensitivityReport

    if data is not None or over:
        from ..sensitivity.rows import results, with_elasticities
        from .transformed_rows import evaluate_rows

        present = options.present(context)
        options.refuse(present, ("by", "plot"), "is for one point")
        source = FormulaOptions(**formula, wrt=wrt)
        written = {"format_": format_, "precision": precision, "out": out, "allow_nonfinite": allow_nonfinite}
        rows = {"data": data, "data_format": data_format, "over": over, "output": (output,) if output else ()}
        return evaluate_rows(
            lambda program: with_elasticities(program, source.wrt_names), results, source.given, present,
            **rows, **written, **formula,
        )  # fmt: skip
    result = ResultOptions(format_=format_, precision=precision, plot=plot, out=out)
    program, point, names = FormulaOptions(**formula, wrt=wrt).read(output)
    share = _share(by)
    raise_or_warn(nonfinite_error(evaluate(program, point, names)), allowed=allow_nonfinite)
    found = sensitivity(program, point, names, share)

    def drawing() -> "Drawable":
        from ..plot.captions import function_caption
        from ..plot.tornado import Tornado, tornado_drawing

        parts = found.inputs.values()
        ends = [part.low for part in parts], [part.high for part in parts]
        return tornado_drawing(Tornado(function_caption(program), found.value, list(found.inputs), *ends))

    result.write(SensitivityReport(program.output_name or "value", found, precision), drawing)
    return 0


def _share(text: str) -> float:
    """The share that `10%` or `0.1` says."""
    number = inputs.number(text.strip().removesuffix("%"), "--by") / (100 if text.strip().endswith("%") else 1)
    if not 0 < number < float("inf"):
        raise AutodiffError(f"`{text}` is no share", hint="write --by 10%, or --by 0.1", code=USAGE)
    return number
