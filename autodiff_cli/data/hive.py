"""Hive partitions: the names of folders such as `year=2024` are columns of the files in them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

import pyarrow

from .formats import ReadOptions, RowBlock, TableReader
from .formats.column_numbers import number_column, with_numbers
from .formats.interfaces import DerivedReader, Part
from .formats.options import READ_DEFAULTS

_NULLS = ("", "__HIVE_DEFAULT_PARTITION__")
_TYPES = {
    "-?[0-9]{1,18}": pyarrow.int64(),
    r"-?[0-9]+\.?[0-9]*(e[+-]?[0-9]+)?": pyarrow.float64(),
    "(?s).*": pyarrow.string(),
}
"""a pattern for all values of a column → its type"""

PartitionValues = Mapping[str, pyarrow.Scalar]
"""column → what it holds in every row of a file"""


def partition_values(paths: Sequence[str]) -> list[PartitionValues]:
    """Return the values that the folders in these relative paths name: numbers where all of a column are numbers."""
    texts = [dict(_keys(path)) for path in paths]
    values: dict[str, set[str]] = {}
    for file in texts:
        for name, text in file.items():
            values.setdefault(name, set()).update([] if text is None else [text])
    types = {name: _type(cells) for name, cells in values.items()}
    return [{name: pyarrow.scalar(text, pyarrow.string()).cast(types[name]) for name, text in file.items()}
            for file in texts]  # fmt: skip


def _keys(path: str) -> Iterator[tuple[str, str | None]]:
    for folder in PurePosixPath(path).parts[:-1]:
        name, sign, value = folder.partition("=")
        if name and sign:
            yield unquote(name), None if value in _NULLS else unquote(value)


def _type(cells: set[str]) -> pyarrow.DataType:
    kind = next(type_ for pattern, type_ in _TYPES.items() if all(re.fullmatch(pattern, cell) for cell in cells))
    if kind == pyarrow.float64() and number_column("", pyarrow.array(cells, pyarrow.string()), READ_DEFAULTS).reasons:
        return pyarrow.string()  # 1e400 would be infinity; as a text, it makes its rows unreadable
    return kind


def with_partition_columns(reader: TableReader, values: PartitionValues, options: ReadOptions) -> TableReader:
    """The table in a file, with columns for the names of its folders; one that the file has itself is the file's."""
    added = {name: value for name, value in values.items() if name not in reader.names}
    return _PartitionedTable(reader, added, options) if added else reader


class _PartitionedTable(DerivedReader):
    def __init__(self, reader: TableReader, values: PartitionValues, options: ReadOptions) -> None:
        super().__init__(reader)
        self._values, self._options = values, options
        self.names: Sequence[str] = (*reader.names, *values)
        self.stored_names = reader.names
        """the columns that the rows hold as they stand in the file"""
        self.schema = reader.schema
        if self.schema is not None:
            added = [pyarrow.field(name, value.type) for name, value in values.items()]
            self.schema = pyarrow.schema([*self.schema, *added], self.schema.metadata)

    def parts(self, names: Sequence[str] | None = None) -> Iterator[Part]:
        """Yield the parts of the file."""
        return self._reader.parts(None if names is None else self._own(names))

    def block(self, part: Part, columns: Sequence[str]) -> RowBlock:
        """Return the rows of a part."""
        block = self._reader.block(part, self._own(columns))
        cells = {name: pyarrow.repeat(value, block.rows) for name, value in self._values.items()}

        def read_columns(names: Sequence[str]) -> dict[str, pyarrow.Array]:
            own = block.read_columns(self._own(names))
            return {name: cells[name] if name in cells else own[name] for name in names}

        added = {name: cells[name] for name in columns if name in cells}
        return with_numbers(replace(block, read_columns=read_columns), added, self._options)

    def _own(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name not in self._values]
