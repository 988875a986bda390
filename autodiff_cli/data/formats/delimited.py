"""Writing CSV and TSV: a row as it stood in the file, or its cells, then its results."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

import numpy
import pyarrow
import pyarrow.csv
from pyarrow import compute, types

from . import Array, Block, Target, typed
from .bytestrings import array, joined
from .compressed import compressed
from .texts import cells

_BREAK = b"\n"


class DelimitedWriter:
    """A table with a header; cells are separated by `delimiter`."""

    format: str
    delimiter: str

    def __init__(self, out: BinaryIO, target: Target, compression: str | None = None) -> None:
        self._out, self._target, self._compression = out, target, compression
        self._edge = self.delimiter.encode()
        source = target.source
        self._as_it_stands = source.format == self.format and tuple(target.kept) == tuple(source.names)
        self._header: bytes | None = self._whole_header()

    def encode(self, block: Block, results: Mapping[str, Array]) -> list[Any]:
        """The lines of a block."""
        if self._as_it_stands:
            pieces = [self._after_rows(block, results) if block.rows else b"", block.text.ending]
        else:
            pieces = [self._after_cells(block, results)] if block.rows else []
        return [compressed(b"".join(map(memoryview, pieces)), self._compression)] if self._compression else pieces

    def append(self, encoded: list[Any]) -> None:
        """Write the lines."""
        self._write_header()
        for piece in encoded:
            self._out.write(piece)
        self._out.flush()

    def close(self) -> None:
        """Write the header where there were no rows."""
        self._write_header()
        self._out.flush()

    def _write_header(self) -> None:
        if self._header is not None:
            header, self._header = self._header, None
            self._out.write(compressed(header, self._compression) if self._compression else header)

    def _whole_header(self) -> bytes:
        if self._as_it_stands:
            header: bytes = self._target.source.header
            ending: bytes = self._target.source.break_
            return header.removesuffix(ending) + self._edge + self._names(self._target.results) + ending
        return self._names([*self._target.kept, *self._target.results]) + _BREAK

    def _names(self, names: Sequence[str]) -> bytes:
        line = io.StringIO()
        csv.writer(line, delimiter=self.delimiter, lineterminator="").writerow(names)
        return line.getvalue().encode()

    def _after_rows(self, block: Block, results: Mapping[str, Array]) -> Any:
        """The rows as they stand, each with its results before the line break."""
        data = numpy.frombuffer(self._lines(typed.results_of(block, results), self._edge), dtype=numpy.uint8).copy()
        ends = numpy.flatnonzero(data == _BREAK[0])
        data[ends] = self._edge[0]  # what ended a line begins the results of the next row
        return joined(compute.binary_join_element_wise(block.text.texts, array(data, ends), b""))

    def _after_cells(self, block: Block, results: Mapping[str, Array]) -> Any:
        """The cells of the columns that are kept, then the results."""
        made = typed.results_of(block, results)
        own = typed.own(block, self._target.kept, {})
        if all(types.is_integer(column.type) or types.is_floating(column.type) for column in own.values()):
            return self._lines(pyarrow.table(own | {name: made[name] for name in made.column_names}))
        data = self._lines(made)
        lines = array(data, numpy.flatnonzero(numpy.frombuffer(data, dtype=numpy.uint8) == _BREAK[0]) + 1)
        columns = [cells(column, self.delimiter) for column in own.values()]
        return joined(compute.binary_join_element_wise(*columns, lines, self._edge))

    def _lines(self, table: Any, before: bytes = b"") -> Any:
        """Columns of numbers as lines; empty where there is none."""
        if table.num_columns == 1 and not before and table[0].null_count:  # an empty line would be no row
            cells = compute.fill_null(table[0].cast(pyarrow.string()), '""')
            return pyarrow.py_buffer("".join(f"{cell}\n" for cell in cells.to_pylist()).encode())
        out = pyarrow.BufferOutputStream()
        out.write(before)
        options = pyarrow.csv.WriteOptions(include_header=False, delimiter=self.delimiter)
        pyarrow.csv.write_csv(table, out, options)
        return out.getvalue()
