"""CSV and TSV: the lines of the file as they stand, each with its results at the end.

Parts end where a record ends, so that they can be read in any order. An empty line is not a row; it stays where it is.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO

import numpy
import pyarrow
from numpy.typing import NDArray
from pyarrow import compute

from ...errors import AutodiffError, Remedy
from . import csv_records, text_files
from .arrow_tables import results_table
from .column_texts import concatenated, csv_cells
from .csv_records import CsvRecords
from .interfaces import Destination, RowBlock
from .options import ReadOptions, WriteOptions
from .streams import ByteStream
from .text_files import BYTE_ORDER_MARK, TextPart, TextReader, TextWriter

_BREAK = b"\n"
_LINE = re.compile(rb"[^\r\n]*(?:\n|\r\n|\r(?=[^\n]))")


class CsvReader(TextReader):
    """Reads a table whose first line names the columns."""

    format = "csv"
    delimiter = ","
    schema = None

    def __init__(self, source: ByteStream, options: ReadOptions) -> None:
        super().__init__(source)
        self.delimiter = options.delimiter or self.delimiter
        self.decimal = options.decimal
        self._options = replace(options, delimiter=self.delimiter)
        self._rest = self._after_lines(options.skip)
        self.header = self._take_header()
        """the line with the names as it stands, with its line break"""
        self.line_break = self.header[len(self.header.rstrip(b"\r\n")) :]
        self.names = tuple(self._names())

    def parts(self, names: Sequence[str] | None = None) -> Iterator[TextPart]:
        """Yield complete records, as soon as they are available."""
        while data := self._take_records():
            yield TextPart(data, self._line)
            self._line += csv_records.count_lines(data)

    def block(self, part: TextPart, columns: Sequence[str]) -> RowBlock:
        """Return the records of a part with the numbers of these columns."""
        return CsvRecords(part, self.names, self._options).block(columns)

    def chosen(self, part: TextPart, rows: NDArray[numpy.int64]) -> TextPart:
        """A part of these rows alone."""
        return CsvRecords(part, self.names, self._options).chosen(rows)

    def _after_lines(self, count: int) -> bytes:
        """The bytes that were read after the first `count` lines."""
        data, position = b"", 0
        for _ in range(count):
            while (line := _LINE.match(data, position)) is None and (more := self._read()):
                data, position = data[position:] + more, 0
            if line is None:
                return b""
            position = line.end()
            self._line += 1
        return data[position:]

    def _take_header(self) -> bytes:
        data, longest = self._rest, text_files.LONGEST_RECORD
        while not (end := self._end_of_header(data)) and len(data) <= longest and (more := self._read()):
            data += more
        header = data[:end] if end else data
        if not self._without_comments(header).strip() or len(header) > longest:
            raise AutodiffError("the data has no header", hint="its first line names the columns, such as x,y")
        self._check_quotes(header.removeprefix(BYTE_ORDER_MARK))
        if self._options.no_header:
            self._rest = data.removeprefix(BYTE_ORDER_MARK)
            return self._made_header(header)
        self._rest = data[len(header) :]
        self._line += csv_records.count_lines(header)
        return header if header.endswith((b"\n", b"\r")) else header + b"\n"

    def _made_header(self, start: bytes) -> bytes:
        """A header for a table whose first row this is."""
        row = self._without_comments(start).strip(b"\r\n")
        names = (f"c{number}" for number, _ in enumerate(csv_records.split_cells(row, self.delimiter), 1))
        return self.delimiter.join(names).encode() + (start[len(start.rstrip(b"\r\n")) :] or b"\n")

    def _without_comments(self, data: bytes) -> bytes:
        """The text after a byte-order mark, with line breaks in place of the comments."""
        return csv_records.without_comments(data.removeprefix(BYTE_ORDER_MARK), self.delimiter, self._options.comment)

    def _end_of_header(self, data: bytes) -> int:
        """The end of the first line that is not empty; 0 where it does not end yet."""
        text = self._without_comments(data)
        complete = text[: csv_records.complete_length(text, self.delimiter, is_last=False)]
        stops, ends = csv_records.record_breaks(complete, self.delimiter)
        full = ends[stops > numpy.append(0, ends[:-1])]
        return len(data) - len(text) + int(full[0]) if len(full) else 0

    def _names(self) -> list[str]:
        try:
            text = self._without_comments(self.header).decode().lstrip("\r\n")
        except UnicodeDecodeError:
            remedy = Remedy("encoding", ("latin-1",), "name its encoding")
            raise AutodiffError("the header is not UTF-8", remedy=remedy) from None
        csv.field_size_limit(max(csv.field_size_limit(), len(text)))
        cells = next(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter))
        return [cell.strip() for cell in cells]

    def _take_records(self) -> bytes:
        """Complete records; at the end of the file all that is left."""
        data, self._rest = self._rest, b""
        while not (length := self._complete_length(data)) and not self._ended:
            if len(data) > text_files.LONGEST_RECORD:
                self._check_quotes(data)
                raise AutodiffError(f"the record in line {self._line} is too long", hint="is this a CSV file?")
            data += self._read(max(len(data), text_files.PART_BYTES))
        self._rest = data[length:]
        if self._ended and data:
            self._check_quotes(data)
            return data if data.endswith((b"\n", b"\r")) else data + self.line_break
        return data[:length]

    def _complete_length(self, data: bytes) -> int:
        lines = data if self._ended else data.removesuffix(b"\r")  # it may be half of a line break
        text = csv_records.without_comments(lines, self.delimiter, self._options.comment) + data[len(lines) :]
        return csv_records.complete_length(text, self.delimiter, self._ended)

    def _check_quotes(self, data: bytes) -> None:
        text = csv_records.without_comments(data, self.delimiter, self._options.comment)
        start = csv_records.open_quote(text, self.delimiter)
        if start is not None:
            line = self._line + csv_records.count_lines(data[:start])
            raise AutodiffError(
                f'the quote (") that opens a cell in line {line} is never closed',
                hint='close it; within quotes, a quote is written ""',
            )


class TsvReader(CsvReader):
    """Reads a table whose cells are separated by tabs."""

    format = "tsv"
    delimiter = "\t"


class CsvWriter(TextWriter):
    """Writes each row as it stands in a file of the same format, or its cells, then its results."""

    format = "csv"
    delimiter = ","

    def __init__(self, out: BinaryIO, destination: Destination, options: WriteOptions) -> None:
        super().__init__(out, destination, options)
        if destination.source.format == self.format:
            self.delimiter = getattr(destination.source, "delimiter", self.delimiter)
        self._decimal = getattr(destination.source, "decimal", ".")
        self._edge = self.delimiter.encode()
        self._header = self._header_line()

    def encode(self, block: RowBlock, results: Mapping[str, NDArray[numpy.float64]]) -> "list[bytes | pyarrow.Buffer]":
        """Return the lines of a block: the rows as they stand, or their cells, with the results."""
        added = [self._cells(column) for column in results_table(block, results).columns]
        if self._copies_rows:
            rows = compute.binary_join_element_wise(block.source_text.texts, *added, self._edge)
            return self._compressed([concatenated(rows), block.source_text.ending])
        kept = [self._cells(column) for column in block.read_columns(self._destination.kept).values()]
        cells = self._destination.ordered(kept, added)
        if len(cells) == 1:  # an empty line would not be a row
            cells = [compute.if_else(compute.equal(cells[0], b""), b'""', cells[0])]
        rows = compute.binary_join_element_wise(*cells, self._edge)
        return self._compressed([concatenated(compute.binary_join_element_wise(rows, _BREAK, b""))])

    def _header_line(self) -> bytes:
        source, results = self._destination.source, self._destination.results
        header: bytes | None = getattr(source, "header", None)
        line_break: bytes = getattr(source, "line_break", _BREAK) if self._copies_rows else _BREAK
        if self._copies_rows and header is not None and not self._destination.renamed:
            start = header.rstrip(b"\r\n")
            return start + self._edge + self._joined_names(results) + header[len(start) :]
        return self._joined_names(self._destination.names) + line_break

    def _joined_names(self, names: Sequence[str]) -> bytes:
        line, end = io.StringIO(), "\r\n"  # names with one of these characters are quoted
        csv.writer(line, delimiter=self.delimiter, lineterminator=end).writerow(names)
        return line.getvalue().removesuffix(end).encode()

    def _cells(self, column: "pyarrow.Array | pyarrow.ChunkedArray") -> pyarrow.Array:
        return csv_cells(column, self.delimiter, self._decimal)


class TsvWriter(CsvWriter):
    """Writes a table whose cells are separated by tabs."""

    format = "tsv"
    delimiter = "\t"
