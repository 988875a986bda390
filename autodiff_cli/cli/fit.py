"""`autodiff fit`: the parameters of a formula by least squares."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from .. import files
from ..conversion import parsed
from ..curve_fitting import LOSSES
from ..data.columns import list_entries, names_in_program
from ..data.missing_columns import is_name
from ..errors import MISMATCH, Notice, UsageError, needing_arrays
from ..program import Program
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.remedies import FOR_SEARCHES, command_line, worded
from .completion import completers
from .evaluation.request import ALL_FORMATS
from .output.notices import advise, progress_shown, warn
from .output.result_output import ResultOptions, result_options
from .sources import ranges
from .sources.data_file import (
    DataOptions,
    column_names,
    open_table,
    read_columns,
    refuse_forgotten_columns,
    refuse_same_stream,
)
from .sources.formula import unused

if TYPE_CHECKING:
    from ..curve_fitting.fit import Fit
    from ..curve_fitting.model import Model
    from ..plot.drawable import Drawable

_HELP = """Find the parameters with which FORMULA best describes the rows of a table, by least squares.

\b
  autodiff fit "a*exp(-b*x)" --data points.csv --response y --start a=5 b=1
  autodiff fit -f line.expr --data line.csv --response y --sigma u --absolute
  autodiff fit -f line.expr --data a.csv --response "log(y)" --predict b.csv

Inputs that are columns are data; those with a number from --set are fixed; all others are parameters, which start at
the number of --start or at their default. Exit code 4: the search did not end at a minimum; the best parameters are
printed all the same."""

_NO_RESPONSE = "`--response` is missing"
_FOR_PREDICTIONS = {
    "same number": lambda *names: "",  # the data has it, so that no number may stand for it
    "column and number": lambda: "the number is that of the fit: rename the column",
}


@dataclass(frozen=True, kw_only=True)
class FitRequest(DataOptions, ResultOptions):
    """The options of the command line, under the names of their parameters."""

    data: str
    response: str
    bounds: tuple[str, ...]
    weights: str | None
    sigma: str | None
    absolute: bool
    loss: str
    starts: int
    level: float
    predict: str | None
    allow_nonfinite: bool

    @property
    def scaling(self) -> str:
        """The scaling of standard errors, in words."""
        if self.absolute:
            column = self.sigma or self.weights
            deviations = f"`{column}` as it is" if column else "each deviation as 1"
            return f"standard errors take {deviations}, whatever the residuals are"
        counted = "" if self.loss == "linear" else f", as the loss {self.loss} counts them"
        return f"standard errors are scaled by the residuals{counted}"


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.value_option("Fit this named value instead of the last.")
@options.path_option("--data", required=True, help="The table; - is standard input.")
@options.data_options
@click.option(
    "--response",
    metavar="FORMULA",
    default="",
    shell_complete=completers.columns,
    help="Required: the column that is described, or a formula in columns.",
)
@options.start_option
@options.bounds_option("parameters")
@click.option(
    "--weights",
    metavar="FORMULA",
    shell_complete=completers.columns,
    help="The weights of the squares: a column, or a formula in columns.",
)
@click.option(
    "--sigma",
    metavar="FORMULA",
    shell_complete=completers.columns,
    help="The standard deviations of the responses, likewise; weights are their inverse squares.",
)
@click.option(
    "--absolute",
    is_flag=True,
    help="Take the deviations as given: do not scale standard errors by the residuals.",
)
@click.option(
    "--loss", type=click.Choice(LOSSES), default="linear", show_default=True, help="Count large residuals less."
)
@options.starts_option
@options.seed_option
@options.level_option
@options.path_option("--predict", help="Write the rows of this table with the curve and its bands instead.")
@options.nonfinite_option
@result_options("the data, the curve and the residuals", ALL_FORMATS)
@options.request_of(FitRequest)
@worded(FOR_SEARCHES)
def command(request: FitRequest) -> int:
    """Fit the formula and write the parameters."""
    with needing_arrays("fits"):
        from ..curve_fitting.fit import fit
        from ..curve_fitting.report import FitReport
    if request.predict:
        request.refuse(("plot",), "does not go with --predict")
    else:
        request.require_writable()
    model = _model(request)
    start, bounds = model.start(request.started), ranges.bounds(request.bounds)
    with progress_shown("searching") as progress:
        result = fit(
            model,
            start,
            bounds,
            loss=request.loss,
            absolute=request.absolute,
            starts=request.starts,
            seed=request.seed,
            level=request.level,
            progress=progress,
        )
    warn(result.spent)

    def chart() -> "Drawable":
        from ..curve_fitting import charts

        return charts.chart(model, result, request.response)

    if request.predict:
        _predict(model, result, request)
        advise(result.remedy)
    else:
        request.write(FitReport(result, request.scaling, request.precision), chart)
        request.explain_failure(result)
    return 0 if result.converged else MISMATCH


def _model(request: FitRequest) -> "Model":
    """The formula with the rows of the table."""
    from ..curve_fitting.data import Data
    from ..curve_fitting.model import Model

    if request.weights and request.sigma:
        raise UsageError("both --weights and --sigma were given", "leave one of them out")
    refuse_same_stream("fit", request.data, request)
    with open_table(request.data, request) as reader:
        program = request.program(reader.names)
        if not request.response:
            raise _no_response(program, reader.names)
        formulas = {
            option: _in_columns(option, text, name, reader.names, program, request)
            for option, text, name in (
                ("response", request.response, "y"),
                ("weights", request.weights, "w"),
                ("sigma", request.sigma, "u"),
            )
            if text is not None
        }
        required = [name for formula in formulas.values() for name in formula.inputs]
        needed = {name for one in (program, *formulas.values()) for name in (*one.inputs, *one.constants)}
        columns = read_columns(request.data, reader, request, needed, required=required, given=request.given)
    refuse_forgotten_columns(program, reader, columns.names, request, varies=True)
    fixed = {name: number for name, number in request.point.items() if name not in columns.names}
    model = Model(program, Data(columns, program, fixed=fixed, **formulas), fixed)
    warn(*unused(program, request.given, model.parameters))
    return model


def _no_response(program: Program, table: Sequence[str]) -> UsageError:
    """The error for a missing response, which is the formula's name for its result if a column has that name."""
    if (name := program.output_name) in table:
        return UsageError(_NO_RESPONSE, f"add --response {name}")
    others = [column for column in table if column not in program.inputs] or table
    options = ", or ".join(f"--response {command_line(column)}" for column in others[:3])
    return UsageError(_NO_RESPONSE, f"name the column that is described: {options}")


def _in_columns(
    option: str, text: str, name: str, table: Sequence[str], program: Program, request: FitRequest
) -> Program:
    """The formula of an option in the columns of a table; `name` is one that a column could be given."""
    if text in {*table} - {*list_entries(table).values(), *filter(is_name, table)}:
        message = f"the column `{text}` has no name that a formula can use"
        raise UsageError(message, f'write --map {name}="{text}" --{option} {name}')
    entries = names_in_program(table, program.inputs, request.mapping)
    return parsed(text, f"<{option}>", notation=request.notation, entries=entries)


def _predict(model: "Model", fit: "Fit", request: FitRequest) -> None:
    """Write the rows of another table with the curve, and with its bands where they are known."""
    from ..curve_fitting.prediction import results, with_bands
    from ..data.formats import format_of
    from .evaluation.transformed_rows import evaluate_rows

    path = request.predict or ""
    shown_path, weighting = files.without_credentials(path), model.data.weighting
    table: dict[str, Any] = {
        "data_format": None if format_of(shown_path) else request.data_format,
        **dict.fromkeys(("where", "sample", "limit")),  # which choose rows of the other table
    }
    columns_there = column_names(path, replace(request, **table))
    table["map_"] = [
        text for text in request.map_ if not columns_there or text.partition("=")[2].strip() in columns_there
    ]
    mapping = replace(request, **table).mapping

    def transformed(program: Program, names: Sequence[str]) -> tuple[Program, Sequence[str]]:
        columns = names_in_program(names, program.names, mapping)
        bands = results(model, fit, columns)
        reasons = ["" if fit.converged else fit.reason, *fit.statistics.notes]
        if weighting and "confidence_low" in bands and "prediction_low" not in bands:
            computed = program.names.keys() - program.inputs
            name = next(name for name in weighting.columns if name not in columns or name in computed)
            why = f"`{shown_path}` has no column `{name}` for a new response"
            if name in columns:
                why = f"`{name}` is a name of the formula"
            reasons.append(f"no prediction band: {why}")
        warn(*map(Notice, filter(None, reasons)))
        return with_bands(model, fit, columns), bands

    numbers = {**model.fixed, **fit.point}
    with worded(_FOR_PREDICTIONS):
        evaluate_rows("fit", request, lambda _: model.program, transformed, numbers, present={}, data=(path,), **table)
