"""The work on one part of a table: its rows are read, computed and encoded."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import get_ident
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from ..many_points.row_results import Rows
from ..terminal.printable_text import one_line
from ..work_budget import WorkBudget, seconds_left
from .formats import TEXTS, RowBlock, TableReader, TableWriter
from .formats.interfaces import Part
from .layout import ColumnLayout
from .sums import Sums

ResultColumns = Mapping[str, NDArray[numpy.float64]]

_MANY = 10**6  # rows, where their number is not known
_FIELD = 8  # bytes of a number, as text too


class ComputedPart(NamedTuple):
    """A part that is ready to be written."""

    encoded: Any
    """the rows as `TableWriter.encode` returned them, or the sums"""
    block: RowBlock
    columns: ResultColumns
    """input → its doubles"""
    nonfinite_rows: Rows
    """the rows, counted from 0, that could be read and whose result is not finite, ascending"""


class Job:
    """The computation of a layout from a reader to a writer, or to sums, part by part."""

    def __init__(self, reader: TableReader, layout: ColumnLayout, writer: TableWriter | Sums, *, jobs: int = 1) -> None:
        """`jobs` is the number of threads; those without a part of their own help with this one."""
        self._reader, self._layout, self._writer, self._jobs = reader, layout, writer, jobs
        self._columns = list(layout.inputs.values())
        self._busy: set[int] = set()
        self._work = WorkBudget(seconds_left())  # of this thread: others do not know of it
        layout.computation.prepare_for(_expected_rows(reader))

    def __call__(self, numbered: tuple[int, Part]) -> ComputedPart:
        """Read, compute and encode a part, which comes with its number, counted from 0; in any thread."""
        number, part = numbered
        block = self._reader.block(part, self._columns)
        columns = {name: block.columns[column] for name, column in self._layout.inputs.items()}
        with self._share_of_threads() as jobs, self._work:
            if isinstance(self._writer, Sums):
                encoded, nonfinite_rows = self._sums(block, columns, jobs, is_first=number == 0)
            else:
                encoded, nonfinite_rows = self._rows(self._writer, block, columns, jobs, is_first=number == 0)
        if block.reasons:
            nonfinite_rows = numpy.setdiff1d(nonfinite_rows, list(block.reasons))
        return ComputedPart(encoded, block, columns, nonfinite_rows)

    def _rows(
        self, writer: TableWriter, block: RowBlock, columns: ResultColumns, jobs: int, *, is_first: bool
    ) -> tuple[Any, Rows]:
        """The encoded results for a block, and the rows whose result is not finite."""
        computation = self._layout.computation
        results, nonfinite_rows = computation(columns, jobs, block.rows, is_first=is_first)
        for place, result in enumerate(results):
            if place % computation.group:
                result += 0.0  # a zero is written without the sign that a product has left
        named = dict(zip(self._layout.results, results, strict=True))
        if self._layout.errors is not None:
            work = computation.row_work.for_reasons(block.rows, is_first=is_first)
            named[self._layout.errors] = self._reasons(block, columns, nonfinite_rows, work)
        if self._layout.file is not None:
            named[self._layout.file] = numpy.full(block.rows, block.file, dtype=object)
        return writer.encode(block, named), nonfinite_rows

    def _reasons(self, block: RowBlock, columns: ResultColumns, nonfinite_rows: Rows, work: WorkBudget) -> NDArray[Any]:
        """The reason why each row has no result; None for a row that has one."""
        reasons: NDArray[Any] = numpy.full(block.rows, None, dtype=object)
        for row in nonfinite_rows.tolist():
            reasons[row] = one_line(self._layout.computation.reason(columns, row, work))
        for row, reason in block.reasons.items():
            reasons[row] = one_line(reason)
        return reasons

    def _sums(self, block: RowBlock, columns: ResultColumns, jobs: int, *, is_first: bool) -> tuple[Sums, Rows]:
        """The sums of the results over the readable rows of a block, and the rows whose result is not finite."""
        skipped = list(block.reasons)
        totals, nonfinite_rows = self._layout.computation.totals(
            columns, jobs, block.rows, skipped=skipped, is_first=is_first
        )
        return Sums(totals, block.rows - len(block.reasons)), nonfinite_rows

    @contextmanager
    def _share_of_threads(self) -> Iterator[int]:
        thread = get_ident()
        self._busy.add(thread)
        try:
            yield max(1, self._jobs // len(self._busy))
        finally:
            self._busy.discard(thread)


def _expected_rows(reader: TableReader) -> int:
    """About how many rows there are."""
    size = reader.size()
    if size is None:
        return _MANY
    return rows_in(size, len(reader.names)) if reader.format in TEXTS else size


def rows_in(size: int, columns: int) -> int:
    """About how many rows with this many columns there are in some bytes."""
    return size // (_FIELD * max(1, columns))
