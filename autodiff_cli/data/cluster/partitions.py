"""The partitions of a data set: the files of a folder or of a pattern, or the row groups of one Parquet file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pyarrow.fs import FileType

from ...errors import USAGE, AutodiffError
from ..formats import compression_of, format_of, reader
from .storage import below, located, matching, opened, public, reason, shown

ENDING = ".parquet"


class Partition(NamedTuple):
    """What one task computes: a file, or one part of it."""

    path: str
    shown: str
    """what messages call it"""
    format: str
    target: str
    """the name of its results in the output folder, such as `year=2024/a.parquet`"""
    size: int
    """bytes"""
    group: int | None = None
    """which of the file's row groups, counted from 0; None for all of them"""


class DataSet(NamedTuple):
    """Partitions that lie in one file system."""

    system: Any
    partitions: list[Partition]

    @property
    def size(self) -> int:
        """How many bytes they have together."""
        return sum(partition.size for partition in self.partitions)


def data_set(data: str, format_: str | None = None) -> DataSet:
    """The partitions that a path, a pattern or a URL names, in the order of their names.

    `format_` holds for all files; without it their endings tell. Raises AutodiffError where there are none, and for a
    file of another kind among them.
    """
    system, path = located(data)
    try:
        found = system.get_file_info(path)
        if found.type == FileType.File:
            return DataSet(system, _of_file(system, found, format_ or _format(found.path)))
        root, files = below(system, path) if found.type == FileType.Directory else matching(system, path)
    except OSError as error:
        raise AutodiffError(f"cannot read `{public(data)}`: {reason(error)}") from None
    if not files:
        what = "there is no data in" if found.type == FileType.Directory else "cannot find"
        raise AutodiffError(
            f"{what} `{public(data)}`", hint='write --data FOLDER, or a pattern in quotes: --data "FOLDER/*.parquet"'
        )
    partitions = [
        Partition(file.path, shown(system, file.path), kind, target, file.size or 0)
        for file in files
        for kind, target in [_kind_and_target(file.path, root, format_)]
    ]
    _refuse_clashes(partitions)
    return DataSet(system, partitions)


def _of_file(system: Any, file: Any, format_: str) -> list[Partition]:
    """The row groups of a Parquet file; any other file is one partition."""
    count = 1
    if format_ == "parquet":
        with opened(system, file.path) as source:
            table: Any = reader(format_, source)
            count = max(table.groups, 1)
    named, width = shown(system, file.path), len(str(count - 1))
    return [
        Partition(
            file.path,
            named,
            format_,
            f"part-{group:0{width}}{ENDING}",
            file.size // count,
            group if count > 1 else None,
        )
        for group in range(count)
    ]


def _kind_and_target(path: str, root: str, format_: str | None) -> tuple[str, str]:
    """The format of a file, and the name of its results."""
    name = str(PurePosixPath(path).relative_to(root))
    if compression_of(name):
        name = name[: name.rindex(".")]
    if format_of(name):
        name = name[: name.rindex(".")]
    return format_ or _format(path), name + ENDING


def _format(path: str) -> str:
    kind = format_of(path)
    if kind is None:
        raise AutodiffError(
            f"`{path}` has an ending that says nothing of its format",
            hint='name the files by a pattern, as in --data "FOLDER/*.parquet", or say --data-format',
            code=USAGE,
        )
    return kind


def _refuse_clashes(partitions: Sequence[Partition]) -> None:
    """Two files whose results would have the same name are an error."""
    seen: dict[str, Partition] = {}
    for partition in partitions:
        other = seen.setdefault(partition.target, partition)
        if other is not partition:
            message = (
                f"the results of `{other.shown}` and `{partition.shown}` would both be called `{partition.target}`"
            )
            raise AutodiffError(message, hint="name one kind of file by a pattern: --data 'FOLDER/*.csv'")


def names(data: DataSet) -> list[str]:
    """The columns of the first partition, which all of them have."""
    first = data.partitions[0]
    with opened(data.system, first.path) as source, said_of(first):
        return list(reader(first.format, source).names)


@contextmanager
def said_of(partition: Partition) -> Iterator[None]:
    """An error in a partition begins with its name."""
    try:
        yield
    except AutodiffError as error:
        error.message = f"{partition.shown}: {error.message}"
        raise
