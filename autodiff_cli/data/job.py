"""What is done with a part of a table: its rows are read, computed and made ready to be written."""

from collections.abc import Mapping, Sequence
from threading import get_ident
from typing import Any, NamedTuple

import numpy

from ..vectorized.computation import Computation, Results
from .formats import Block, TableReader, TableWriter


class Done(NamedTuple):
    """A part that is ready."""

    encoded: Any
    """for the writer"""
    block: Block
    columns: Mapping[str, Any]
    """the inputs' names → their doubles"""
    odd: Any
    """an array: the rows, counted from 0, that could be read and whose value or gradient is not finite, ascending"""


class Job:
    """A computation from a reader to a writer; `inputs` says which input each column is: input → column."""

    def __init__(
        self,
        reader: TableReader,
        computation: Computation,
        writer: TableWriter,
        inputs: Mapping[str, str],
        names: Sequence[str],
        jobs: int = 1,
    ) -> None:
        """`names` are those of the results: of the value, then of the gradient.

        Of the `jobs` threads those that have no part of their own help to compute this one.
        """
        self._reader, self._computation, self._writer = reader, computation, writer
        self._inputs, self._names, self._jobs = inputs, names, jobs
        self._columns = list(inputs.values())
        self._busy: set[int] = set()

    def __call__(self, part: Any) -> Done:
        """Read and compute a part, in any thread."""
        block = self._reader.block(part, self._columns)
        columns = {name: block.columns[column] for name, column in self._inputs.items()}
        value, gradient, odd = self._computed(columns, block.rows)
        for partial in gradient:
            partial += 0.0  # a zero is written without the sign that a product has left
        encoded = self._writer.encode(block, dict(zip(self._names, (value, *gradient), strict=True)))
        readable = numpy.setdiff1d(odd, list(block.reasons)) if block.reasons else odd
        return Done(encoded, block, columns, readable)

    def _computed(self, columns: Mapping[str, Any], rows: int) -> Results:
        me = get_ident()
        self._busy.add(me)
        try:
            return self._computation(columns, max(1, self._jobs // len(self._busy)), rows)
        finally:
            self._busy.discard(me)
