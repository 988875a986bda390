"""`autodiff fit`: the parameters of a formula by least squares."""

from typing import TYPE_CHECKING, Any

import click

from ..errors import MISMATCH, USAGE, AutodiffError, needing_arrays
from ..parser import parse
from ..program import Program
from . import inputs, options, ranges
from .arguments import FormulaCommand
from .data_file import read_columns, refuse_formula_from_same_stream
from .formula import FormulaOptions, unused
from .notices import shown, warn
from .result_output import ResultOptions, result_options

if TYPE_CHECKING:
    from ..arithmetic.arrays import Doubles
    from ..curve_fitting.fit import Fit
    from ..curve_fitting.model import Model
    from ..curve_fitting.report import PredictionReport
    from ..plot.drawable import Drawable

LOSSES = ("linear", "soft_l1", "huber", "cauchy")

_HELP = """The parameters with which FORMULA describes the rows of a table best, by least squares.

\b
  autodiff fit "b1*(1 - exp(-b2*x))" --data points.csv --response y --start b1=500 b2=1e-4
  autodiff fit "a + b*x" --data points.csv --response y --start a=0 b=1 --sigma u --absolute
  autodiff fit -f model.expr --data points.csv --response "log(y)" --predict more.csv

Inputs that are columns are data; those with a number from --set are fixed; all others are parameters, whose default is
their start. Exit code 4: the search did not end at a minimum; the best parameters are printed all the same."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="The parameters of a formula by least squares.")
@options.formula_options
@options.output_option
@click.option("--data", metavar="FILE", required=True, help="The table; - is standard input.")
@options.data_format_option
@click.option(
    "--response", metavar="FORMULA", required=True, help="The column that is described, or a formula in columns."
)
@options.repeatable("--start", "NAME=NUMBER …", "Where the search begins.")
@options.repeatable("--bounds", "NAME=LOW:HIGH …", "Bounds of parameters; either end may be left out.")
@click.option("--weights", metavar="COLUMN", help="The weights of the squares.")
@click.option(
    "--sigma", metavar="COLUMN", help="The standard deviations of the responses; weights are their inverse squares."
)
@click.option(
    "--absolute", is_flag=True, help="Do not scale standard errors by the residuals: --sigma is right as it is."
)
@click.option(
    "--loss", type=click.Choice(LOSSES), default="linear", show_default=True, help="Count large residuals less."
)
@click.option("--starts", type=click.IntRange(1), default=1, metavar="N", help="Search from N places, keep the best.")
@options.seed_option
@click.option("--level", type=options.OpenShare(), default=0.95, metavar="P", help="The level of intervals and bands.")
@click.option("--predict", metavar="FILE", help="Write the curve and its bands for the rows of this table instead.")
@result_options("the data, the curve and the residuals")
def command(
    output: str | None,
    data: str,
    data_format: str | None,
    response: str,
    start: tuple[str, ...],
    bounds: tuple[str, ...],
    weights: str | None,
    sigma: str | None,
    absolute: bool,
    loss: str,
    starts: int,
    seed: int,
    level: float,
    predict: str | None,
    format_: str | None,
    precision: int,
    plot: bool,
    out: str | None,
    **formula: Any,
) -> int:
    """Fit the formula and write the parameters."""
    with needing_arrays("fits"):
        from ..curve_fitting.fit import fit
        from ..curve_fitting.model import Model, data_of, inverse_squares
        from ..curve_fitting.report import FitReport
    result = ResultOptions(format_=format_, precision=precision, plot=plot, out=out)
    if weights and sigma:
        raise AutodiffError("both --weights and --sigma were given", hint="leave one of them out", code=USAGE)
    source = FormulaOptions(**formula)
    refuse_formula_from_same_stream("fit", data, source.formula, source.file)
    program, fixed, described = source.program(output), source.point, parse(response, "<response>")
    columns = _columns(data, data_format, program, described, weights or sigma)
    factors = columns[weights] if weights else inverse_squares(columns[sigma]) if sigma else None
    model = Model(program, data_of(program, described, columns, factors, fixed), fixed)
    warn(unused(program, source.given, model.parameters))
    limits = ranges.bounds(bounds)
    first = model.start(inputs.from_assignments(start, "--start"))
    found = fit(
        model,
        first,
        limits,
        loss=loss,
        absolute=absolute,
        starts=starts,
        seed=seed,
        level=level,
        progress=shown("searching", starts),
    )

    def drawing() -> "Drawable":
        from ..curve_fitting import charts

        return charts.drawing(model, found, response)

    report = FitReport(found, _errors(sigma, weights, absolute), precision)
    result.write(report if predict is None else _prediction(model, found, predict, precision), drawing)
    return 0 if found.converged else MISMATCH


def _columns(
    data: str, data_format: str | None, program: Program, response: Program, weights: str | None
) -> dict[str, "Doubles"]:
    """The columns of the table that are needed."""
    needed = {*program.inputs, *program.constants, *response.inputs, *response.constants}
    columns = read_columns(data, data_format, {*needed, *([weights] if weights else ())})
    if weights and weights not in columns:
        raise AutodiffError(f"there is no column `{weights}`", hint="name the column of --weights or --sigma")
    return columns


def _errors(sigma: str | None, weights: str | None, absolute: bool) -> str:
    """How standard errors were scaled, in words."""
    if absolute:
        return f"standard errors take `{sigma or weights or 'a deviation of 1'}` as it is, whatever the residuals are"
    return "standard errors are scaled by the residuals"


def _prediction(model: "Model", found: "Fit", file: str, precision: int) -> "PredictionReport":
    from ..curve_fitting.prediction import predicted
    from ..curve_fitting.report import PredictionReport

    columns = read_columns(file, None, model.data.columns.keys())
    absent = [name for name in model.data.columns if name not in columns]
    if absent:
        raise AutodiffError(f"`{file}` has no column `{absent[0]}`", hint="it needs the columns of the formula")
    return PredictionReport({**columns, **predicted(model, found, columns)}, precision)
