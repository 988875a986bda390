"""Delta tables: folders of Parquet files with a log, which says which of the files have been overwritten."""

from collections.abc import Iterable

from pyarrow.fs import FileInfo, FileSystem, FileType, LocalFileSystem

from ...errors import MISSING_PACKAGE, AutodiffError

_LOG = "_delta_log"
_EXPORT = "export it as plain Parquet files"
_FEATURES = {"deletionVectors": "rows that are marked as deleted", "columnMapping": "columns under other names"}


def is_delta_table(system: FileSystem, folder: str) -> bool:
    """Whether a folder holds the log of a Delta table."""
    return bool(system.get_file_info(f"{folder.rstrip('/')}/{_LOG}").type == FileType.Directory)


def live_files(system: FileSystem, folder: str, files: Iterable[FileInfo]) -> list[FileInfo]:
    """Those of a Delta table's files that belong to its latest version.

    Raises AutodiffError where they do not say all: where columns or deleted rows are written in the log only.
    """
    if not isinstance(system, LocalFileSystem):
        raise AutodiffError(f"`{folder}` is a Delta table, which is read from this machine only", hint=_EXPORT)
    try:
        from deltalake import DeltaTable
        from deltalake.exceptions import DeltaError
    except ModuleNotFoundError:
        message = (
            f"`{folder}` is a Delta table; without the package `deltalake`, rows that were overwritten would come back"
        )
        raise AutodiffError(message, hint=f"pip install deltalake, or {_EXPORT}", code=MISSING_PACKAGE) from None
    try:
        table = DeltaTable(folder)
        names = {address.rpartition("/")[2] for address in table.file_uris()}
        columns, protocol = table.metadata().partition_columns, table.protocol()
    except DeltaError as error:
        raise AutodiffError(f"`{folder}` is not a whole Delta table: {error}") from None
    features = {*(protocol.reader_features or ()), *["columnMapping"] * (protocol.min_reader_version == 2)}
    live = [file for file in files if file.path.rpartition("/")[2] in names]
    kept = [f"column `{name}` in its log" for name in columns if any(f"/{name}=" not in file.path for file in live)]
    kept += [what for feature, what in _FEATURES.items() if feature in features]
    if kept:
        raise AutodiffError(f"`{folder}` is a Delta table with {kept[0]}, which is not read here", hint=_EXPORT)
    if len(live) < len(names):
        raise AutodiffError(f"`{folder}` is not a whole Delta table: {len(names) - len(live)} of its files are missing")
    return live
