"""`autodiff eval` with `--data` or `--over`: the rows of a table, or the points of a grid."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, BinaryIO

from ...data import columns, formats
from ...data.layout import ColumnLayout, ColumnRequest, column_layout, require_packages
from ...data.several_files import SeveralFiles
from ...errors import AutodiffError, Notice, UsageError
from ...program import Program
from ...terminal.progress import meter
from ...work_budget import TooMuchWorkError, seconds_left
from ..command_line.remedies import command_line
from ..options import DATA_FIELDS
from ..output.notices import warn
from ..sources import ranges
from ..sources.data_file import files_of_table, open_files, refuse_same_stream
from ..sources.formula import lacks_list, unused
from . import many_files
from .derivatives import direction_of, refuse_combinations
from .reduced_output import ReducedOutput
from .request import DATA_ONLY, FOLDER_FIELDS, ROW_FIELDS, EvalRequest
from .row_output import (
    ERROR_COLUMN,
    RowOutput,
    error_list,
    refuse_among_data,
    refuse_overwriting,
    show_summary,
)

if TYPE_CHECKING:
    from ...data.failed_rows import FailedRows
    from ...data.formats.interfaces import Part
    from ...many_points.quantities import Quantity

Transformation = Callable[[Program, Sequence[str]], tuple[Program, Sequence[str]]]
"""makes another program of one, for columns of these names, and says which of its named values are results"""


def evaluate_points(request: EvalRequest, transformation: Transformation | None = None) -> int:
    """Evaluate every point and write its results: those of the transformed program, or what the options ask for.

    Returns 0, or raises the error for points without them.
    """
    begun, unpaid = monotonic(), None
    refuse_for_rows(request)
    require_packages()
    planned = partial(_layout, request, transformation, *_program_and_columns(request))
    if many_files.is_for_folder(request):
        failed_rows = many_files.evaluate_files(request, planned)
    else:
        request.refuse(FOLDER_FIELDS, "is for a folder of results: --data FOLDER -o FOLDER")
        reader, source = table(request)
        output = ReducedOutput(request) if request.reduce else RowOutput(request, reader)
        with source.first_named() if isinstance(source, SeveralFiles) else nullcontext():
            plan = planned(reader.names, reader.format)
        unpaid = _charge_grid(reader, output, plan)
        failed_rows = _write(request, reader, output, plan)
        if source is not None:
            source.close()  # only now: a thread that still waits for a pipe cannot be made to let go of it
    error = failed_rows.error()
    if unpaid is not None:
        warn(error and Notice(error.message))
        error = unpaid
    if request.verbose:
        show_summary(failed_rows.counts.rows, failed_rows.computation.engines, monotonic() - begun)
    if error is not None and error.code:
        raise error
    warn(error)
    return 0


def _charge_grid(
    reader: formats.TableReader, output: RowOutput | ReducedOutput, plan: ColumnLayout
) -> AutodiffError | None:
    """Count the work of the points of a grid: of all, or, in a stream, whose reader may soon have enough, of the first.

    Returns the error with which a stream then ends; raises it where no points can be left out.
    """
    from ...data.grid import GridReader

    if not isinstance(reader, GridReader):
        return None
    computation, rows, besides = plan.computation, reader.size(), reader.price + output.price(plan)
    price = computation.price(rows) + besides
    if output.is_stream and price * rows > seconds_left():
        reader.end = int(seconds_left() / 2 / price)  # the rest is for what these rows leave open
    computation.charge_rows(reader.end, besides)
    if reader.end == rows:
        return None
    spent = TooMuchWorkError(price * rows)
    message = f"only {reader.end:,} of {rows:,} rows are written: {spent.message}"
    return AutodiffError(message, remedy=spent.remedy)


def refuse_for_rows(request: EvalRequest) -> None:
    """Raise an error for options that do not go with many points, or with one another."""
    option = request.many_points
    if request.check and request.data:
        hint = f"write {command_line('autodiff', 'check', *_words_for_check(request))}"
        raise UsageError("`--check` does not go with --data", hint)
    request.refuse(("check", "each", "nodes"), f"does not go with {option}")
    refuse_combinations(request)
    if request.errors == "-" and request.out in (None, "-"):
        hint = "name a file for one of them: --errors errors.csv"
        raise UsageError("the results and the errors cannot both go to standard output", hint)
    refuse_overwriting(request.errors, filter(None, [request.out]))
    if request.data and request.over:
        hint = "leave one of them out; a number for all rows is given with --set"
        raise UsageError("both --data and --over were given", hint)
    if not request.data:
        request.refuse(DATA_ONLY, "is for --data")
    if request.sample is None:
        request.refuse(("seed",), "is for --sample")
    if request.cluster is None:
        request.refuse(("retries",), "is for --cluster")
    if request.reduce:
        request.refuse((*ROW_FIELDS, "order", "direction"), "does not go with --reduce")
        if request.errors == ERROR_COLUMN:
            raise UsageError("`--errors column` does not go with --reduce", "name a file")
        if len(request.outputs) > 1:
            raise UsageError("several outputs do not go with --reduce", "name one of them")
    if request.columns and request.no_inputs:
        raise UsageError("both --columns and --no-inputs were given", "leave one of them out")
    for path in request.data or (None,):
        refuse_same_stream("eval", path, request)


def _words_for_check(request: EvalRequest) -> list[str]:
    """The words of the command line that `check` takes too."""
    words = list(request.words)
    for parameter, option in request.present.items():
        if parameter in (*DATA_FIELDS, "wrt", "output", "seed", "strict"):
            value = getattr(request, parameter)
            words += [option, *(value if isinstance(value, tuple) else () if value is True else [str(value)])]
    return [*words, "--data", request.data[0]]


def _program_and_columns(request: EvalRequest) -> tuple[Program | None, ColumnRequest]:
    """The program, or None where that needs the lists that the columns are, and what is asked of these."""
    given, program = request.given, None
    try:
        program = None if request.begun_lists else request.program()
    except AutodiffError as error:
        if not lacks_list(error):
            raise
    kept = [] if request.no_inputs or request.reduce else list(request.columns) or None
    return program, ColumnRequest(
        given,
        request.from_file,
        request.wrt_names,
        kept,
        request.prefix or "",
        _quantity(request),
        request.engine or "auto",
        every_input=request.reduce is not None,
        mapping=request.mapping,
        errors=request.errors == ERROR_COLUMN,
        file=request.file_column,
        renamed=request.renamed,
    )


def _quantity(request: EvalRequest) -> "Quantity":
    """The results of each row that the options ask for."""
    from ...many_points import quantities

    if len(request.outputs) > 1:
        return quantities.Jacobians(tuple(request.outputs))
    if request.direction:
        return quantities.Slopes(direction_of(request))
    if request.order is not None:
        return quantities.Orders(request.order)
    return quantities.Hessians() if request.hessian else quantities.Gradients()


def _layout(
    request: EvalRequest,
    transformation: Transformation | None,
    program: Program | None,
    columns_wanted: ColumnRequest,
    names: Sequence[str],
    format_: str,
) -> ColumnLayout:
    """The layout for columns of these names; warns of names and columns that are not used."""
    if program is None or columns.named_entries(names, request.mapping):
        try:
            program = request.program(names)
        except AutodiffError as error:
            columns.advise_entries(error, names)
            raise
    wrt = columns_wanted.wrt
    columns_wanted = columns_wanted._replace(wrt=wrt and program.entries(wrt), format=format_)
    if transformation is not None:
        from ...many_points.quantities import NamedValues

        program, results = transformation(program, names)
        columns_wanted = columns_wanted._replace(quantity=NamedValues(tuple(results)))
    plan = column_layout(program, names, columns_wanted)
    warn(*unused(program, columns_wanted.given, plan.computation.wrt))
    if request.data:
        given = {*columns_wanted.given, *columns_wanted.fallback}
        warn(*columns.unused_columns(program, names, plan.inputs, given))
        if transformation is None:
            warn(*columns.unused_mapping(request.mapped, program.inputs | program.constants))
    else:
        warn(*columns.unused_ranges(program, names, plan.inputs))
    return plan


def table(request: EvalRequest) -> tuple[formats.TableReader, BinaryIO | SeveralFiles | None]:
    """The table, and what is to be closed when it has been read."""
    if request.data:
        listed = files_of_table(request.data)
        for path in (request.out, request.errors):
            refuse_among_data(path, request.data)
        refuse_overwriting(request.errors, (file.name for file in listed))
        reader, source = open_files(listed, request, named=request.file_column is not None)
        return request.selected(reader), source
    from ...data.grid import GridAxis, GridReader

    return GridReader({name: GridAxis(*steps) for name, steps in ranges.with_steps(request.over).items()}), None


def _with_sizes(
    reader: formats.TableReader, names: Sequence[str] | None, sizes: "deque[int]"
) -> Iterator[tuple[int, "Part"]]:
    """The parts of a table, numbered; some are read before the first is computed. `sizes` has what each takes."""
    begin = 0
    for numbered in enumerate(reader.parts(names)):
        end = reader.position()
        sizes.append(end - begin)
        begin = end
        yield numbered


def _write(
    request: EvalRequest, reader: formats.TableReader, output: RowOutput | ReducedOutput, plan: ColumnLayout
) -> "FailedRows":
    """Compute and write all rows of a table; returns the count of them, and of those without a result."""
    from ...data.job import Job
    from ...parallel import in_order

    with error_list(request.errors, formats.row_word(reader.format)) as errors, output.writer(plan) as writer:
        failed_rows = request.failed_rows(reader.format, plan.computation, errors)
        job = Job(reader, plan, writer, jobs=request.threads)
        sizes: deque[int] = deque()
        with (
            meter(reader.size(), f"computing, engine {plan.computation.engine}", is_hidden=output.is_screen) as advance,
            closing(in_order(_with_sizes(reader, plan.needed, sizes), job, request.threads)) as parts,
        ):
            for part in parts:
                failed_rows.add(part)
                writer.append(part.encoded)
                advance(part.block.rows, sizes.popleft())
        if errors:
            errors.flush()  # a disk that is full leaves no results behind either
    return failed_rows
