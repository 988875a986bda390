"""The work on one part of a table: its rows are read, computed and encoded."""

from collections.abc import Mapping, Sequence
from threading import get_ident
from typing import Any, NamedTuple, Protocol

import numpy
from numpy.typing import NDArray

from ..vectorized.computation import Computation, RowResults
from .formats import TEXTS, RowBlock, TableReader

_MANY = 10**6  # rows, where their number is not known
_FIELD = 8  # bytes of a number as text


class ComputedPart(NamedTuple):
    """A part that is ready to be written."""

    encoded: Any
    """what `ResultEncoder.encode` has made of the results"""
    block: RowBlock
    columns: Mapping[str, NDArray[numpy.float64]]
    """input → its doubles"""
    nonfinite_rows: NDArray[numpy.int64]
    """the rows, counted from 0, that could be read and whose result is not finite, ascending"""


class ResultEncoder(Protocol):
    """What makes something of the results for a block of rows: the rows to be written, or their sums."""

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> Any:
        """Whatever is to be made of results, name → doubles, in any thread; it becomes `ComputedPart.encoded`."""


class Job:
    """A computation from a reader to a writer; `inputs` maps each input to its column."""

    def __init__(
        self,
        reader: TableReader,
        computation: Computation,
        writer: ResultEncoder,
        inputs: Mapping[str, str],
        names: Sequence[str],
        jobs: int = 1,
    ) -> None:
        """`names` are those of the results.

        Of the `jobs` threads those that have no part of their own help to compute this one.
        """
        self._reader, self._computation, self._writer = reader, computation, writer
        self._inputs, self._names, self._jobs = inputs, names, jobs
        self._columns = list(inputs.values())
        self._busy: set[int] = set()
        computation.expect(_rows(reader))

    def __call__(self, part: Any) -> ComputedPart:
        """Read, compute and encode a part, in any thread."""
        block = self._reader.block(part, self._columns)
        columns = {name: block.columns[column] for name, column in self._inputs.items()}
        results, nonfinite_rows = self._compute(columns, block.rows)
        for place, result in enumerate(results):
            if place % self._computation.group:
                result += 0.0  # a zero is written without the sign that a product has left
        encoded = self._writer.encode(block, dict(zip(self._names, results, strict=True)))
        if block.reasons:
            nonfinite_rows = numpy.setdiff1d(nonfinite_rows, list(block.reasons))
        return ComputedPart(encoded, block, columns, nonfinite_rows)

    def _compute(self, columns: Mapping[str, NDArray[numpy.float64]], rows: int) -> RowResults:
        thread = get_ident()
        self._busy.add(thread)
        try:
            return self._computation(columns, max(1, self._jobs // len(self._busy)), rows)
        finally:
            self._busy.discard(thread)


def _rows(reader: TableReader) -> int:
    """About how many rows there are."""
    size = reader.size()
    if size is None:
        return _MANY
    return size // (_FIELD * max(1, len(reader.names))) if reader.format in TEXTS else size
