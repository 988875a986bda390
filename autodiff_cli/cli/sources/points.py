"""Points at which a gradient is checked or certified: drawn from ranges, or the rows of a table."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...data import formats
from ...data.columns import input_columns, unused_columns, unused_mapping, unused_ranges
from ...data.formats.interfaces import Missing
from ...errors import AutodiffError, UsageError
from ...gradient_check.sampling import sample
from ...program import Program
from ...work_budget import FIRST_ROWS, ROW, allow_more
from ..output.notices import warn
from .data_file import DataOptions


class Point(NamedTuple):
    """Numbers for the inputs, and a name for the place that they come from."""

    name: str
    numbers: dict[str, float]
    reason: str = ""
    """the reason for numbers that are not there, and nan"""


def random_points(
    count: int, ranges: Mapping[str, tuple[float, float]], seed: int, given: Mapping[str, float]
) -> Iterator[Point]:
    """Random points of the ranges, completed by the numbers that are given."""
    if not ranges:
        raise UsageError("--points needs ranges", "add --over x=-2:2 for each input")
    twice = sorted(ranges.keys() & given.keys())
    if twice:
        raise UsageError(f"`{twice[0]}` has both a range and a number", "leave one of them out")
    points = sample(ranges, count, seed)
    return (Point(f"point {number}", {**given, **point}) for number, point in enumerate(points, 1))


def complete_rows(
    reader: formats.TableReader, inputs: Mapping[str, str], others: Mapping[str, float]
) -> Iterator[Point]:
    """Those of `all_rows` that lack no number. Raises AutodiffError for a row that cannot be read."""
    for point in all_rows(reader, inputs, others):
        if not point.reason:
            yield point
        elif not isinstance(point.reason, Missing):
            raise AutodiffError(f"{point.name}: {point.reason}")


def columns_of(
    reader: formats.TableReader,
    program: Program,
    given: Mapping[str, float],
    others: Mapping[str, float],
    options: DataOptions,
) -> dict[str, str]:
    """The inputs that are columns of a table, or ranges: name in the program → column. Warns of those without a use.

    Numbers are given, and others are for inputs that are not columns; `options.mapping` has the columns of inputs that
    are called otherwise.
    """
    inputs = input_columns(program, reader.names, given, others, reader.format, mapping=options.mapping)
    if reader.format == "grid":
        warn(*unused_ranges(program, reader.names, inputs))
    else:
        warn(*unused_columns(program, reader.names, inputs, {*given, *others}))
        warn(*unused_mapping(options.mapped, program.inputs | program.constants))
    return inputs


def all_rows(reader: formats.TableReader, inputs: Mapping[str, str], others: Mapping[str, float]) -> Iterator[Point]:
    """The rows of a table, completed by numbers for inputs that are not columns.

    Each row of a file beyond the first ones allows some work more.
    """
    place = formats.row_word(reader.format)
    allowed, unpaid = 0.0 if reader.format == "grid" else ROW, FIRST_ROWS
    for part in reader.parts(list(inputs.values())):
        block = reader.block(part, list(inputs.values()))
        numbers = {name: block.columns[column].tolist() for name, column in inputs.items()}
        for row in range(block.rows):
            unpaid -= 1
            allow_more(allowed if unpaid < 0 else 0.0)
            point = {**others, **{name: column[row] for name, column in numbers.items()}}
            yield Point(block.named_place(row, place), point, block.reasons.get(row, ""))
