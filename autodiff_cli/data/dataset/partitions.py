"""The partitions of a data set: the files of a folder or of a pattern, or the parts of one file.

These are the row groups of Parquet, and sections of a text, which end where a record ends.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pyarrow.fs import FileInfo, FileSystem, FileType, LocalFileSystem

from ...errors import USAGE, AutodiffError, Remedy
from ...file_extensions import compression_of
from ...files import without_credentials
from ..formats import READ_DEFAULTS, TEXTS, ReadOptions, TableReader, format_of, reader
from ..formats.parquet import ParquetReader
from ..formats.text_files import TextReader
from ..hive import partition_values, with_partition_columns
from ..several_files import NamedTable, TableFile, errors_about
from .delta import is_delta_table, live_files
from .file_systems import display_path, files_below, files_matching, io_errors, locate, open_file

SECTION_BYTES = 2**26
"""of a text that is one file, at the least"""


class Partition(NamedTuple):
    """The data of one task: a file, or a row group or a section of one."""

    path: str
    shown: str
    """its name in messages"""
    format: str
    target: str
    """the name of its results in the output folder, such as `year=2024/a.parquet`"""
    size: int
    """bytes"""
    section: Any = None
    """for `select` of the reader: the index of a row group, or a section of a text; None for the whole file"""
    folders: tuple[tuple[str, Any], ...] = ()
    """the items of the `PartitionValues` that the names of its folders give"""
    modified: int | None = None
    """the time of the file's last change, in nanoseconds of the file system's clock; None if that is not known"""


class DataSet(NamedTuple):
    """Partitions that lie in one file system."""

    system: FileSystem
    partitions: list[Partition]

    @property
    def size(self) -> int:
        """The bytes of all partitions."""
        return sum(partition.size for partition in self.partitions)


def data_set(
    data: str, format_: str | None = None, options: ReadOptions = READ_DEFAULTS, extension: str = ".parquet"
) -> DataSet:
    """Return the partitions that a path, a pattern or a URL names, sorted by name.

    `format_` holds for all files; None for the formats that their names end with. `extension` is that of the names of
    their results. Raises AutodiffError where there are no files, and for a file of unknown format among them.
    """
    system, files, paths = _files(data)
    if paths == ["."]:
        (file,) = files
        return DataSet(system, _parts(system, file, format_ or _format(file.path, options), options, extension))
    partitions = [
        Partition(
            file.path,
            display_path(system, file.path),
            format_ or _format(file.path, options),
            _target(path) + extension,
            file.size or 0,
            folders=tuple(values.items()),
            modified=file.mtime_ns,
        )
        for file, path, values in zip(files, paths, partition_values(paths), strict=True)
    ]
    _refuse_clashes(partitions)
    return DataSet(system, partitions)


def table_files(data: str) -> list[TableFile]:
    """The files that a path, a pattern or a URL names, sorted, with what the names of their folders say.

    Raises AutodiffError where there are none.
    """
    system, files, paths = _files(data)
    folders = partition_values(paths)
    if isinstance(system, LocalFileSystem):
        names = [display_path(system, file.path) for file in files]
        return list(map(TableFile, names, folders))
    scheme = data.partition("://")[0]
    return [
        TableFile(f"{scheme}://{file.path}", values, partial(open_file, system, file.path))
        for file, values in zip(files, folders, strict=True)
    ]


def _files(data: str) -> tuple[FileSystem, list[FileInfo], list[str]]:
    """The files that a path, a pattern or a URL names, and their paths below it; `.` for one that is named itself."""
    system, path = locate(data)
    with io_errors("read", data):
        entry = system.get_file_info(path)
        if entry.type == FileType.File:
            return system, [entry], ["."]
        is_folder = entry.type == FileType.Directory
        root, files = (path, files_below(system, path)) if is_folder else files_matching(system, path)
        if is_delta_table(system, root):
            files = live_files(system, root, files_below(system, root))
    if not files:
        if not is_folder and any(character in path for character in "*?["):
            raise AutodiffError(f"no file matches `{without_credentials(data)}`")
        problem = "there is no data in" if is_folder else "cannot find"
        remedy = Remedy("data set", (), "name a folder, or a pattern such as FOLDER/*.parquet")
        raise AutodiffError(f"{problem} `{without_credentials(data)}`", remedy=remedy)
    return system, files, [str(PurePosixPath(file.path).relative_to(root)) for file in files]


def _parts(system: FileSystem, file: FileInfo, format_: str, options: ReadOptions, extension: str) -> list[Partition]:
    """The row groups of a Parquet file, the sections of a text; any other file is one partition."""
    sections: Sequence[Any] = ()
    path = display_path(system, file.path)
    if format_ == "parquet" or (format_ in TEXTS and file.size > SECTION_BYTES):
        with open_file(system, file.path) as source, errors_about(path):
            table = reader(format_, source, options)
            if isinstance(table, ParquetReader | TextReader):
                sections = table.sections(SECTION_BYTES)
    sections = sections if len(sections) > 1 else [None]
    width, size = len(str(len(sections) - 1)), file.size // len(sections)
    names = [f"part-{place:0{width}}{extension}" for place in range(len(sections))]
    return [
        Partition(file.path, path, format_, name, size, section, modified=file.mtime_ns)
        for name, section in zip(names, sections, strict=True)
    ]


def _target(name: str) -> str:
    """The name of the results of a file of this name, without its extension."""
    for extension_meaning in (compression_of, format_of):
        if extension_meaning(name):
            name = name[: name.rindex(".")]
    return name


def _format(path: str, options: ReadOptions) -> str:
    format_ = format_of(path) or ("csv" if options.is_for_csv else None)
    if format_ is None:
        message = f"`{path}` has an extension that names no format"
        remedy = Remedy("format of files", (), "name the files by a pattern such as FOLDER/*.parquet, or their format")
        raise AutodiffError(message, remedy=remedy, code=USAGE)
    return format_


def _refuse_clashes(partitions: Sequence[Partition]) -> None:
    """Raise AutodiffError for two files whose results would have the same name."""
    seen: dict[str, Partition] = {}
    for partition in partitions:
        other = seen.setdefault(partition.target, partition)
        if other is not partition:
            message = (
                f"the results of `{other.shown}` and `{partition.shown}` would both be called `{partition.target}`"
            )
            remedy = Remedy("one kind of file", (), "name one kind of file by a pattern: FOLDER/*.csv")
            raise AutodiffError(message, remedy=remedy)


@contextmanager
def opened(system: FileSystem, partition: Partition, options: ReadOptions) -> Iterator[TableReader]:
    """The table of a partition, with the columns that its folders are; errors of the block begin with its name."""
    with errors_about(partition.shown), open_file(system, partition.path) as source:
        table = reader(partition.format, source, options)
        if partition.section is not None and isinstance(table, ParquetReader | TextReader):
            table.select(partition.section)
        yield NamedTable(with_partition_columns(table, dict(partition.folders), options), partition.shown)


def column_names(data: DataSet, options: ReadOptions) -> list[str]:
    """The columns of the first partition, which all of them must have."""
    with opened(data.system, data.partitions[0], options) as table:
        return list(table.names)
