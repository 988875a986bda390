"""Data files: readers and writers of tables, by the name of their format.

source = formats.reader("csv", open("points.csv", "rb"))
destination = formats.Destination(source, source.names, ["x", "y"], ["value", "grad_x", "grad_y"])
target = formats.writer("csv", out, destination)
for part in source.parts():
    block = source.block(part, ["x", "y"])
    target.append(target.encode(block, compute(block.columns)))
target.close()
"""

from dataclasses import replace
from importlib import import_module
from typing import BinaryIO

from ... import file_extensions
from ...errors import AutodiffError, Remedy, needing
from .interfaces import Destination, RowBlock, TableReader, TableWriter
from .options import READ_DEFAULTS, WHITE_SPACE, WRITE_DEFAULTS, ReadOptions, WriteOptions
from .registry import KINDS, READABLE, TEXTS, WRITABLE, DataFormat, row_format, row_word

__all__ = [
    "KINDS", "READABLE", "READ_DEFAULTS", "TEXTS", "WRITABLE", "WRITE_DEFAULTS", "Destination", "ReadOptions",
    "RowBlock", "TableReader", "TableWriter", "WriteOptions", "format_of", "reader", "row_format", "row_word", "writer",
]  # fmt: skip


def format_of(path: str) -> str | None:
    """The format that the extension of a file's name stands for, without `.gz` and the like; None for other names."""
    extension = file_extensions.extension_of(path)
    format_ = row_format(file_extensions.FORMATS.get(extension))
    return format_ if format_ in READABLE else None


def reader(format_: str, source: BinaryIO, options: ReadOptions = READ_DEFAULTS) -> TableReader:
    """Return a reader for a file in the given format, which is decompressed where its first bytes say so.

    Raises AutodiffError where the file is not in that format, and where a package is missing.
    """
    options.require(format_)
    kind = KINDS["tsv" if options.delimiter == WHITE_SPACE else format_]
    table_reader = _class(kind, kind.reader)
    from .streams import decoded, decompressed, refuse_binary

    stream = decompressed(source)
    if options.encoding:
        stream = decoded(stream, options.encoding)
    elif format_ in TEXTS:
        refuse_binary(stream)
    if options.delimiter == WHITE_SPACE:
        from .whitespace import with_tabs

        stream, options = with_tabs(stream, options.comment), replace(options, delimiter="\t")
    opened: TableReader = table_reader(stream, options)
    return opened


def writer(
    format_: str, out: BinaryIO, destination: Destination, options: WriteOptions = WRITE_DEFAULTS
) -> TableWriter:
    """Return a writer of the given format.

    Raises AutodiffError where the format cannot hold the columns, or does not have what the options ask for.
    """
    options.require(format_)
    if format_ != "jsonl":
        for name in destination.kept_names:
            _require_unicode(name)
    opened: TableWriter = _class(KINDS[format_], KINDS[format_].writer)(out, destination, options)
    return opened


def _require_unicode(name: str) -> None:
    """Raise the error for a key of JSON that is not a text of Unicode: bytes that are not UTF-8, or half of a pair."""
    shown = name.encode(errors="backslashreplace").decode()
    if shown != name:
        remedy = Remedy("choose columns", (), "choose the columns to keep")
        raise AutodiffError(f"the key `{shown}` is not Unicode, so it cannot name a column", remedy=remedy)


def _class(kind: DataFormat, name: str) -> type:
    with needing("data files need PyArrow and NumPy, which are not installed", "data"):
        class_: type = getattr(import_module(f".{kind.module}", __package__), name)
    return class_
