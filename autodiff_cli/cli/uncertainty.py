"""`autodiff uncertainty`: the uncertainty of a result that is computed from measured values."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING

import click

from .. import files
from ..data.columns import names_in_program, unused_mapping
from ..errors import MISMATCH, AutodiffError, Notice, UsageError, needing_arrays, quoted_names
from ..notation import canonical, shortest
from ..work_budget import FEWEST_DRAWS, MOST_DRAWS
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.lists import PAIRS
from .command_line.parameter_types import NumberRange
from .completion import completers
from .evaluation.request import ALL_FORMATS
from .output.notices import progress_shown, warn
from .output.result_output import ResultOptions, result_options
from .sources import inputs
from .sources.data_file import DataOptions, open_table, read_columns
from .sources.formula import unused

if TYPE_CHECKING:
    from ..plot.drawable import Drawable
    from ..program import Program
    from ..uncertainty_propagation.measured_values import MeasuredValue
    from ..uncertainty_propagation.uncertainty import Uncertainty

_FOR_ONE_RESULT = ("readings", "level", "coverage_factor", "second_order", "draws", "seed", "strict", "plot")

_MOST_COVERAGE = 8  # beyond it, the level of confidence is 1 in double precision

_HELP = """Compute the uncertainty of FORMULA for measured inputs: the uncertainty budget of the GUM.

\b
  autodiff uncertainty "V/I" --set V=5.00±0.01 I=2.0±0.1 --corr V,I=-0.36
  autodiff uncertainty "a*b" --set "a=1.23(4)" b=5±2% --level 0.99
  autodiff uncertainty "x + y" --set "x=10~uniform(0.5)" y=3±0.1@12 --mc 10000
  autodiff uncertainty "V*cos(phi)/I" --readings readings.csv
  autodiff uncertainty "V/I" --data measured.csv

A value is written as 4.999±0.0032 (or +-), as 1.23(4), or as 5±2%; ±0.1@12 has 12 degrees of freedom. Other
distributions: ~uniform(a), ~triangular(a), ~arcsine(a) and ~trapezoid(a, d) have the half-width a; ~normal(u, k=2),
~t(u, df=5)."""


@dataclass(frozen=True, kw_only=True)
class UncertaintyRequest(DataOptions, ResultOptions):
    """The options of the command line, under the names of their parameters."""

    corr: tuple[str, ...]
    data: tuple[str, ...]
    readings: str | None
    level: float
    coverage_factor: float | None
    second_order: bool
    draws: int | None
    strict: bool
    allow_nonfinite: bool

    @cached_property
    def from_file(self) -> dict[str, float]:
        """The numbers of the file that `--inputs` names, without their uncertainties."""
        return {name: value.value for name, value in self.measured_in_file.items()}

    @cached_property
    def measured_in_file(self) -> dict[str, "MeasuredValue"]:
        """The values of the file that `--inputs` names, but for lists that `--set` replaces."""
        return _measured(self.read_inputs(inputs.texts_from_text), self.inputs_name)


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@options.values_option("The uncertainty of this named value, or of several.")
@options.assigned_option(
    "--corr",
    metavar="NAME,NAME=NUMBER …",
    example="a,b=0.5 a,c=0.1",
    help="The correlation coefficient of two inputs.",
    entry=PAIRS,
    shell_complete=completers.pairs,
)
@options.tables_option("A result for each row of a table: columns NAME and u_NAME.")
@options.data_options
@options.path_option("--readings", help="A table with a column of repeated readings for each input.")
@options.level_option
@click.option(
    "-k",
    "--coverage-factor",
    "--k",
    type=NumberRange(0, _MOST_COVERAGE, min_open=True),
    metavar="K",
    help="The coverage factor of the expanded uncertainty, instead of that for --level.",
)
@click.option("--second-order", is_flag=True, help="Add the terms of second order.")
@click.option(
    "--mc",
    "draws",
    type=click.IntRange(FEWEST_DRAWS, MOST_DRAWS),
    metavar="N",
    help="Also draw the inputs N times (Monte Carlo).",
)
@options.seed_option
@click.option("--strict", is_flag=True, help="End with exit code 4 if the draws do not agree with the budget.")
@options.nonfinite_option
@result_options("the distribution of the result", ALL_FORMATS)
@options.request_of(UncertaintyRequest)
def command(request: UncertaintyRequest) -> int:
    """Propagate the uncertainties and write the budget."""
    with needing_arrays("uncertainties"):
        from ..uncertainty_propagation.report import UncertaintyReport
    if request.data:
        return _evaluate_rows(request)
    unused = ("data_format",) if request.readings else options.DATA_FIELDS
    request.refuse((*unused, "allow_nonfinite"), "is for --data")
    if request.strict and not request.draws:
        raise UsageError("`--strict` compares with draws", "add --mc 100000")
    if request.coverage_factor is not None:
        request.refuse(("level",), "does not go with --coverage-factor")
    request.require_writable()
    result = _uncertainty(request)

    def chart() -> "Drawable":
        from ..uncertainty_propagation import charts

        return charts.chart(result)

    request.write(UncertaintyReport(result, request.precision, request.second_order), chart)
    return MISMATCH if request.strict and not all(drawn.agrees for drawn in result.monte_carlo.values()) else 0


def _uncertainty(request: UncertaintyRequest) -> "Uncertainty":
    """The budgets of the results; warns where they leave much out."""
    from ..uncertainty_propagation.budget import Coverage
    from ..uncertainty_propagation.uncertainty import uncertainty

    stated, known = _inputs(request)
    program, means = _program_and_readings(request, stated)
    known |= means
    correlations = _correlations(request.corr)
    warn(*unused(program, stated, ()), _no_uncertainty(known) or _no_correlation(correlations, known))
    draws = request.draws or 0
    with progress_shown("drawing") as progress:
        result = uncertainty(
            program,
            known,
            correlations,
            outputs=request.outputs,
            coverage=Coverage(request.level, request.coverage_factor),
            draws=draws,
            seed=request.seed,
            progress=progress,
        )
    for name, budget in result.outputs.items():
        if budget.second_order is not None and budget.second_order_matters and not request.second_order:
            change = f"from {budget.u:.3g} to {budget.second_order.u:.3g}"
            message = f"terms of second order change the uncertainty of `{name}` {change}"
            warn(Notice(message, "add --second-order"))
        if budget.kink is not None and (not draws or isnan(budget.u)):
            warn(budget.kink._replace(hint="" if draws else "add --mc 100000"))
    return result


def _evaluate_rows(request: UncertaintyRequest) -> int:
    """Write the value and the uncertainty of each row."""
    from ..uncertainty_propagation.rows import PREFIX, RESULTS, with_uncertainty
    from .evaluation.transformed_rows import evaluate_rows

    request.refuse(_FOR_ONE_RESULT, "does not go with --data")
    if len(request.outputs) > 1:
        raise UsageError("several outputs do not go with --data", "name one of them")
    (stated, known), together = _inputs(request), _correlations(request.corr)

    def transformed(program: "Program", columns: Sequence[str]) -> tuple["Program", Sequence[str]]:
        result = with_uncertainty(program, known, together)
        warn(*unused_mapping(request.mapped, result.inputs | result.constants))
        given = {*names_in_program(columns, result.names, request.mapping), *known}
        name = next((name for name in program.inputs if name in given), None)
        uncertain = (result.inputs.keys() - program.inputs) & given or any(value.u for value in known.values())
        if name is not None and not uncertain:
            warn(Notice("no input has an uncertainty", f"give some in columns, such as `{PREFIX}{name}`"))
        return result, RESULTS

    numbers = {name: known[name].value for name in stated}
    return evaluate_rows("uncertainty", request, request.program, transformed, numbers)


def _measured(texts: Mapping[str, str], source: str) -> dict[str, "MeasuredValue"]:
    from ..uncertainty_propagation.measured_values import measured

    return {name: measured(name, text, lambda text: inputs.number(text, source)) for name, text in texts.items()}


def _inputs(source: UncertaintyRequest) -> tuple[Collection[str], dict[str, "MeasuredValue"]]:
    """The names that --set gives a value, and the values that --inputs and --set give, of which the latter count."""
    texts = inputs.assignments(inputs.by_entries(source.assignments), "--set")
    return texts, source.measured_in_file | _measured(texts, "--set")


def _program_and_readings(
    request: UncertaintyRequest, given: Iterable[str]
) -> tuple["Program", dict[str, "MeasuredValue"]]:
    """The formula, and the means of the columns of --readings that are inputs."""
    if request.readings is None:
        return request.program(), {}
    from ..data.column_blocks import whole_columns
    from ..uncertainty_propagation.correlations import from_readings

    with open_table(request.readings, request) as reader:
        program = request.program(reader.names)
        columns = read_columns(request.readings, reader, request, {*program.inputs, *program.constants}, given=given)
    if not columns.names:
        hint = f"the inputs are {quoted_names(program.inputs)}"
        shown_path = files.without_credentials(request.readings)
        raise AutodiffError(f"`{shown_path}` has no column of readings of an input", hint=hint)
    return program, from_readings(whole_columns(columns))


def _correlations(texts: Iterable[str]) -> dict[tuple[str, str], float]:
    coefficients: dict[tuple[str, str], float] = {}
    for text in texts:
        match = re.fullmatch(r"\s*([^,=]+?)\s*,\s*([^,=]+?)\s*=(.+)", text)
        if match is None:
            raise UsageError(f"`{text}` is not a correlation", "write --corr a,b=0.5")
        pair = canonical(match[1]), canonical(match[2])
        if pair in coefficients or pair[::-1] in coefficients:
            raise UsageError(f"the correlation `{text}` is given twice", "leave one out")
        coefficients[pair] = inputs.number(match[3].strip(), "--corr")
    return coefficients


def _no_uncertainty(known: Mapping[str, "MeasuredValue"]) -> Notice | None:
    """The warning for inputs that are all exact."""
    name = next(iter(known), None)
    if name is None or any(value.u for value in known.values()):
        return None
    return Notice("no input has an uncertainty", f"give some, as in {name}={shortest(known[name].value)}±0.1")


def _no_correlation(correlations: Iterable[tuple[str, str]], known: Mapping[str, "MeasuredValue"]) -> Notice | None:
    """The warning for a correlation of an input that is exact."""
    for pair in correlations:
        for name in pair:
            if name in known and not known[name].u:
                message = f"the correlation of {quoted_names(pair)} has no effect, as `{name}` has no uncertainty"
                return Notice(message, f"give some, as in {name}={shortest(known[name].value)}±0.1")
    return None
