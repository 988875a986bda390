"""Spreadsheets of Excel and OpenDocument: one of their sheets. They are read, not written."""

import posixpath
import re
import string
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from io import BytesIO
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import pyarrow

from ...errors import AutodiffError, did_you_mean, needing, quoted_names
from ...notation import shortest
from .arrow_tables import BatchReader
from .options import ReadOptions

with needing("spreadsheets need python-calamine, which is not installed", "data"):
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

_MANY_CELLS = 2**25
"""cells of which a twentieth must have something in it: all of them need memory, 32 bytes each"""
_FILLED_CELL = re.compile(rb' r="([A-Z]{1,3}[0-9]{1,7})"[^>]{0,99}(?<!/)>')
_LETTERS, _DIGITS = string.ascii_uppercase.encode(), string.digits.encode()
_LINKS = "xl/_rels/workbook.xml.rels"
_ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')
_UNLIKE = (BadZipFile, EOFError, LookupError, RuntimeError, StopIteration, ValueError, zlib.error)
"""errors of reading the parts of a file that is broken, or of another kind"""
_EMPTY = ""
"""a cell with nothing in it"""


class ExcelReader(BatchReader):
    """Reads a sheet whole. Its first row with something in it has the names; rows are counted as in the sheet."""

    format = "excel"

    def __init__(self, source: BinaryIO, options: ReadOptions) -> None:
        rows = _rows(source, options.sheet)
        while rows and not _has_cells(rows[-1]):
            rows.pop()
        first = next((row for row in range(options.skip, len(rows)) if _has_cells(rows[row])), None)
        if first is None:
            which = f"sheet `{options.sheet}`" if options.sheet else "first sheet"
            raise AutodiffError(f"the {which} is empty")
        named = [_text(cell) or "" for cell in rows[first]]
        self._rows_read = first if options.no_header else first + 1
        columns = [list(column) for column in zip(*rows[self._rows_read :], strict=True)] or [[] for _ in named]
        if options.no_header:
            named = [f"c{place}" for place in range(1, len(named) + 1)]
        kept = [place for place, name in enumerate(named) if name or _has_cells(columns[place])]
        arrays = [_array(columns[place]) for place in kept]
        self._table = pyarrow.Table.from_arrays(arrays, [named[place] for place in kept])
        self._size = len(rows)
        super().__init__(options, self._table.schema)

    def _batches(self, names: Sequence[str] | None) -> list[pyarrow.RecordBatch]:
        batches: list[pyarrow.RecordBatch] = self._table.to_batches()
        return batches

    def size(self) -> int:
        """The number of rows in the sheet."""
        return self._size


def _has_cells(cells: Sequence[Any]) -> bool:
    return any(cell != _EMPTY for cell in cells)


def _rows(source: BinaryIO, name: str) -> list[list[Any]]:
    """The rows of the sheet of this name, or of the first that is shown, all of the same length."""
    data = BytesIO(source.read())
    try:
        book = CalamineWorkbook.from_filelike(data)
        sheets = [pair for pair in enumerate(book.sheets_metadata) if pair[1].typ == SheetTypeEnum.WorkSheet]
        for place, sheet in sheets:
            if sheet.name == name if name else sheet.visible == SheetVisibleEnum.Visible:
                _refuse_far_apart(data, place)
                return book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    except PasswordError:
        raise AutodiffError("the spreadsheet is locked with a password", hint="save it without one") from None
    except CalamineError as error:
        raise AutodiffError(f"the data is not a whole spreadsheet: {error}") from None
    if name:
        names = [sheet.name for _, sheet in sheets]
        hint = did_you_mean(name, names) or f"its sheets are {quoted_names(names)}"
        raise AutodiffError(f"the spreadsheet has no sheet `{name}`", hint=hint)
    return []


def _refuse_far_apart(data: BytesIO, place: int) -> None:
    """Raises AutodiffError for a sheet of few cells that lie far apart, since all that lie between them need memory.

    That may be 2^34 cells. Looked at are sheets in which each cell says where it is, as Excel writes them.
    """
    count, row, columns, tail = 0, 0, {b""}, b""
    with suppress(*_UNLIKE), ZipFile(data) as archive:
        sheet = _elements(archive.read("xl/workbook.xml"), b"sheet")[place]
        links = {link[b"Id"]: link[b"Target"] for link in _elements(archive.read(_LINKS), b"Relationship")}
        target = links[next(value for name, value in sheet.items() if name.endswith(b":id"))]
        with archive.open(posixpath.join("/xl", target.decode())[1:]) as text:
            while chunk := text.read(2**20):
                if cells := _FILLED_CELL.findall(tail + chunk):
                    count, row = count + len(cells), max(row, int(cells[-1].lstrip(_LETTERS)))
                    columns |= {cell.rstrip(_DIGITS) for cell in cells}
                tail = chunk[-120:]
    last = max(columns, key=_column_number)
    if row * _column_number(last) > max(_MANY_CELLS, 20 * count):
        message = f"the sheet reaches to row {row:,} and column {last.decode()}, and few of its cells hold something"
        raise AutodiffError(message, hint="delete the cells that are far from the table, or save the table as CSV")


def _elements(xml: bytes, tag: bytes) -> list[dict[bytes, bytes]]:
    """The attributes of all elements of a kind."""
    return [dict(_ATTRIBUTE.findall(text)) for text in re.findall(rb"<(?:\w+:)?%b\s([^>]*)" % tag, xml)]


def _column_number(letters: bytes) -> int:
    """The number of a column: 1 for A, 27 for AA."""
    return reduce(lambda number, letter: 26 * number + letter - 64, letters, 0)


def _array(cells: Sequence[Any]) -> pyarrow.Array:
    """Cells of one kind as they are, others as texts."""
    kinds = {type(cell) for cell in cells if cell != _EMPTY}
    if kinds <= {int, float}:
        return pyarrow.array([None if cell == _EMPTY else float(cell) for cell in cells], pyarrow.float64())
    if len(kinds) == 1:
        return pyarrow.array([None if cell == _EMPTY else cell for cell in cells])
    return pyarrow.array(map(_text, cells), pyarrow.string())


def _text(cell: Any) -> str | None:
    if cell == _EMPTY:
        return None
    return shortest(cell) if isinstance(cell, float) else str(cell)
