"""The output of `autodiff eval --data` and `--over`: the format of the rows, and their file."""

import os
import re
import stat
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf
from typing import Any, BinaryIO, TextIO

from ... import file_extensions, files
from ...data import formats
from ...data.layout import ColumnLayout
from ...errors import AutodiffError, UsageError
from ...notation import counted
from ...terminal import messages
from ..command_line.remedies import ALL_ROWS, command_line
from ..output.output_file import not_writable, opened
from ..sources.data_file import is_many
from .request import WRITE_FIELDS, EvalRequest

ERROR_COLUMN = "column"
"""the word after `--errors` that is not the name of a file"""
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|\xc2[\x80-\x9f]")  # besides tabs and line breaks
_RECORD = 5e-6  # the work of listing a row that has no result
_ROW_GROUP = 1e-4  # the work of a row group of Parquet
_MOST_TABLE_ROWS = 1000  # that a terminal shows as a table


class _Screen:
    """A terminal, on which control characters in the texts of a data file are shown as escapes."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, data: bytes) -> int:
        """Write lines of text."""
        return self._out.write(_CONTROL.sub(lambda match: b"\\x%02x" % match[0][-1], bytes(data)))

    def flush(self) -> None:
        """Show what has been written."""
        self._out.flush()


class RowOutput:
    """The rows that are written, of a table that is read.

    Raises AutodiffError for a format that cannot be written there.
    """

    def __init__(self, request: EvalRequest, reader: formats.TableReader) -> None:
        self._out = None if request.out == "-" else request.out
        self._name = files.without_credentials(self._out or "")
        self._reader, self._precision, self._data = reader, request.precision, request.data
        self.is_screen = self._out is None and sys.stdout.isatty()
        self.is_stream = self._out is None and not _is_file(sys.stdout)
        """whether someone reads the rows while they are written"""
        self._record_price = _RECORD if request.errors else 0.0
        self._options = formats.WRITE_DEFAULTS
        self._format = self._chosen(request.format_)
        if self._format not in formats.TEXTS and file_extensions.compression_of(self._name):
            raise self._not_writable()
        if self.is_screen and self._format not in ("table", *formats.TEXTS):
            hint = f"write it to a file: -o FILE.{self._format}, or choose --format csv"
            raise UsageError(f"a terminal cannot show {self._format.capitalize()}", hint)
        if self._format != "table":
            request.refuse(("precision",), "is for --format table: what programs read has all digits")
            self._options = self._write_options(request.write_options)
        else:
            request.refuse(WRITE_FIELDS, "is for what programs read")

    def _chosen(self, format_: str | None) -> str:
        """The format that `--format` names, else that of the file, else that of the data, else one for people."""
        extension = file_extensions.extension_of(self._name)
        by_extension = file_extensions.FORMATS.get(extension)
        format_ = format_ if format_ == by_extension else formats.row_format(format_)
        if format_ not in (None, "table", *formats.WRITABLE):
            hint = f"choose one of {', '.join(('table', *formats.WRITABLE))}"
            raise UsageError(f"the format {format_} is for one point", hint)
        if format_ is not None:
            return format_
        if by_extension in formats.WRITABLE:
            return by_extension
        if extension not in ("", ".txt"):
            raise self._not_writable()
        if self._reader.format in (formats.TEXTS if extension else formats.WRITABLE):
            return self._reader.format
        return "table" if self.is_screen and (self._reader.size() or 0) <= _MOST_TABLE_ROWS else "csv"

    def _not_writable(self) -> AutodiffError:
        more = "; texts may be compressed, as in .csv.gz"
        if len(self._data) == 1 and is_many(self._data[0]):
            more += f"; -o {command_line(f'{self._name}/')} writes a folder"
        return not_writable(self._name, formats.WRITABLE, more)

    def _write_options(self, options: formats.WriteOptions) -> formats.WriteOptions:
        """The options with the compression of the file; a file of text is compressed as its extension says."""
        options.require(self._format)
        by_extension = file_extensions.compression_of(self._name)
        if options.compression is None or self._format not in formats.TEXTS:
            return options._replace(compression=options.compression or by_extension)
        if self.is_screen and options.codec:
            raise UsageError("a terminal cannot show what is compressed", "write it to a file: -o FILE.csv.gz")
        if self._out is not None and options.codec != by_extension:
            hint = f"write -o {file_extensions.recompressed(self._name, options.codec)}, or leave --compression out"
            raise UsageError("the extension of a text file says how it is compressed", hint)
        return options

    def price(self, plan: ColumnLayout) -> float:
        """About the seconds that writing takes for each row."""
        group = _ROW_GROUP / (self._options.row_group_size or inf)
        return self._record_price + group + self._options.price * len(plan.destination(self._reader).names)

    @contextmanager
    def writer(self, plan: ColumnLayout) -> Iterator[Any]:
        """Yield the writer of the rows; a file appears when the block ends without an error."""
        target = plan.destination(self._reader)
        if self._format == "table":
            from ...data.terminal_table import RowsTable

            with opened(self._out) as text:
                table = RowsTable(text, target, self._precision, ALL_ROWS)
                yield table
                table.close()
            return
        screen: Any = _Screen(sys.stdout.buffer) if self.is_screen else sys.stdout.buffer
        stream = nullcontext(screen) if self._out is None else _opened(self._out)
        with stream as out:
            writer = formats.writer(self._format, out, target, self._options)
            yield writer
            writer.close()
            out.flush()


def _is_file(stream: TextIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # in a notebook it has no number
        return False


def _opened(path: str) -> AbstractContextManager[BinaryIO]:
    if not files.is_url(path):
        return files.open_for_writing(path)
    from ...data.dataset.file_systems import uploaded_to

    return uploaded_to(path)


@contextmanager
def error_list(errors: str | None, place: str) -> Iterator[TextIO | None]:
    """The file of `--errors`, a list with the file, the place and the reason of each row without a result, if any.

    Raises AutodiffError for an extension that stands for another format than CSV.
    """
    if errors in (None, ERROR_COLUMN):
        yield None
        return
    format_ = file_extensions.FORMATS.get(file_extensions.extension_of(errors), "csv")
    if format_ not in ("csv", "text") or file_extensions.compression_of(errors):
        shown = files.without_credentials(errors)
        raise UsageError(f"`--errors {shown}`: a list of errors is CSV", "it can be .csv or .txt")
    with opened(errors) as text:
        text.write(f"file,{place},error\n")
        yield text


def refuse_overwriting(errors: str | None, paths: Iterable[str]) -> None:
    """Raise an error where the list of errors would take the place of one of these files of data or results."""
    if errors in (None, "-", ERROR_COLUMN) or files.is_pipe_or_device(errors):
        return
    place = os.path.realpath(errors)
    for path in paths:
        if path != "-" and not files.is_url(path) and os.path.realpath(path) == place:
            message = f"the list of errors would take the place of `{path}`"
            raise UsageError(message, "name another file for it: --errors errors.csv")


def refuse_among_data(path: str | None, data: Iterable[str]) -> None:
    """Raise an error where a file or folder of results would be read as data the next time."""
    if path in (None, "-", ERROR_COLUMN) or files.is_url(path) or files.is_pipe_or_device(path):
        return
    from ...data.dataset.file_systems import is_below

    for source in data:
        if not files.is_url(source) and is_many(source) and is_below(path, source):
            kind = "in the folder of" if os.path.isdir(source) else "among"
            raise UsageError(f"the results would be {kind} the data, `{source}`", "name a place outside of it")


def show_summary(rows: int, engines: Collection[str], seconds: float) -> None:
    """Say on standard error how many rows there were, what computed them, and how long all of it took."""
    by = f"engine{'s' * (len(engines) > 1)} {' and '.join(sorted(engines))}, " if engines else ""
    messages.show(f"{counted(rows, 'row')}, {by}{seconds:,.2f} s", sys.stderr)
