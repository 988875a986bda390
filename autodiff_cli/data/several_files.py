"""Several files as one table: their rows, one file after the other."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ..errors import USAGE, AutodiffError
from ..files import is_url, without_credentials
from .columns import require_same
from .formats.interfaces import DerivedReader, Part, RowBlock, TableReader
from .formats.registry import TEXTS

if TYPE_CHECKING:
    import numpy
    import pyarrow
    from numpy.typing import NDArray

    from .hive import PartitionValues

_UNTYPED = (*TEXTS, "excel")
"""formats in which the types of columns are those of their cells, which need not be the same in every file"""


class TableFile(NamedTuple):
    """A file whose rows are some of those of a table."""

    name: str
    """its path or URL, which says its format"""
    folders: "PartitionValues" = {}
    """the columns that the names of its folders are"""
    open: Callable[[], BinaryIO] | None = None
    """opens it, where its name is not enough for that"""


class FilePart(NamedTuple):
    """A part of one of the files."""

    reader: TableReader
    part: Part


class NamedTable(DerivedReader):
    """A table whose rows, and errors in them, say what file they are from."""

    def __init__(self, reader: TableReader, name: str) -> None:
        super().__init__(reader)
        self._name, self._file = name, name.encode(errors="backslashreplace").decode()  # a file holds Unicode

    def block(self, part: Part, columns: Sequence[str]) -> RowBlock:
        """Return a part with the numbers of these columns."""
        with errors_about(self._name):
            block = self._reader.block(part, columns)
        block.file = self._file
        return block


class SeveralFiles(DerivedReader):
    """Reads files of one format with the same columns; each is open while its rows are read."""

    is_file = False
    """whether it is one file of Arrow, in which a column has one dictionary; several files may have several"""

    def __init__(self, paths: Sequence[str], open_table: Callable[[str], tuple[TableReader, BinaryIO]]) -> None:
        """`open_table` opens the file of a path. Raises AutodiffError for one that is missing."""
        self._paths, self._open = paths, open_table
        super().__init__(self._opened(paths[0]))
        self._current, self._before = self._reader, 0
        self.schema = self._reader.schema
        """the types of the columns; one that has integers in one file and doubles in another has doubles"""
        for path in paths[1:]:
            if path != "-" and not is_url(path) and not os.path.exists(path):
                self._open(path)  # raises the error before the rows of others are written
            if self.schema is not None and self.format not in _UNTYPED and os.path.isfile(path):  # no pipe
                self.schema = self._widened(self.schema, path)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[FilePart]:
        """Yield the parts of all files. Raises AutodiffError for a file with other columns than the first."""
        for place, path in enumerate(self._paths):
            with errors_about(path):
                if place:
                    self._before += self._current.position()
                    self._source.close()
                    self._current = self._opened(path)
                    self._require_columns(self._current)
                for part in self._current.parts(names):
                    yield FilePart(self._current, part)

    def block(self, part: FilePart, columns: Sequence[str]) -> RowBlock:
        """Return a part with the numbers of these columns."""
        return part.reader.block(part.part, columns)

    def chosen(self, part: FilePart, rows: "NDArray[numpy.int64]") -> FilePart:
        """A part of these rows alone."""
        return part._replace(part=part.reader.chosen(part.part, rows))

    def first_named(self) -> AbstractContextManager[None]:
        """Begin the messages of errors about the columns with the name of the first file."""
        return errors_about(self._paths[0])

    def size(self) -> int | None:
        """The bytes of all files; None where they are not known, or rows are counted."""
        if self.format not in TEXTS or not all(map(os.path.isfile, self._paths)):
            return None
        return sum(map(os.path.getsize, self._paths))

    def position(self) -> int:
        """The number of bytes, or of rows, that have been read."""
        return self._before + self._current.position()

    def close(self) -> None:
        """Close the file that was read last."""
        self._source.close()

    def _opened(self, path: str) -> TableReader:
        reader, self._source = self._open(path)
        return NamedTable(reader, without_credentials(path))

    def _widened(self, schema: "pyarrow.Schema", path: str) -> "pyarrow.Schema":
        """The types, but for columns of numbers those that hold the numbers of this file too."""
        import pyarrow

        with errors_about(path):
            reader, source = self._open(path)
            with source:
                others = {} if reader.schema is None else _numbered(reader.schema)
        fields = [_common(field, others.get(key, field)) or field for key, field in _numbered(schema).items()]
        return pyarrow.schema(fields, schema.metadata)

    def _require_columns(self, reader: TableReader) -> None:
        first = self._paths[0]
        if reader.format != self.format:
            raise AutodiffError(f"this is {reader.format}, and `{without_credentials(first)}` is {self.format}")
        require_same(self.names, reader.names, self.format)
        if self.schema is None or reader.schema is None or self.format in _UNTYPED:
            return
        fields = _numbered(reader.schema)
        for key, expected in _numbered(self.schema).items():
            field = fields[key]
            common = _common(expected, field)
            if common is None or common != expected:
                message = f"column `{field.name}` holds {_type(field)}, and in `{without_credentials(first)}`"
                raise AutodiffError(f"{message} {_type(expected)}", hint="give the column one type in all files")


def _numbered(schema: "pyarrow.Schema") -> "dict[tuple[str, int], pyarrow.Field]":
    """The columns by their names and, for those of one name, their numbers."""
    counts: Counter[str] = Counter()
    columns = {}
    for field in schema:
        columns[field.name, counts[field.name]] = field
        counts[field.name] += 1
    return columns


def _common(field: "pyarrow.Field", other: "pyarrow.Field") -> "pyarrow.Field | None":
    """The type of a column that has these two in two files; None where neither holds the values of both."""
    import pyarrow

    if field == other:
        return field
    kinds, types = (field.type, other.type), pyarrow.types
    if field.nullable != other.nullable or not all(types.is_integer(kind) or types.is_floating(kind) for kind in kinds):
        return None
    return field.with_type(pyarrow.int64() if all(map(types.is_integer, kinds)) else pyarrow.float64())


def _type(field: "pyarrow.Field") -> str:
    return f"{field.type}{'' if field.nullable else ' not null'}"


@contextmanager
def errors_about(path: str) -> Iterator[None]:
    """Begin the messages of errors with the name of the file, but for errors in options."""
    name = without_credentials(path)
    try:
        yield
    except AutodiffError as error:
        if error.code != USAGE and not error.message.startswith(f"{name}: "):
            error.message = f"{name}: {error.message}"
        raise
