"""The file that `-o` names, or standard output in its place, and the format that its extension says."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from os.path import splitext
from typing import TextIO

from ... import file_extensions, files
from ...errors import AutodiffError, UsageError


@contextmanager
def opened(out: str | None) -> Iterator[TextIO]:
    """Standard output for None or `-`, else a text file, which appears when the block ends without an error."""
    if out is None or out == "-":
        yield sys.stdout
        return
    _refuse_url(out)
    from io import TextIOWrapper

    with files.open_for_writing(out) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


@contextmanager
def redirected(out: str | None) -> Iterator[None]:
    """Send what the block prints on standard output to the file, if there is one."""
    with opened(out) as stream, redirect_stdout(stream):
        yield


def write_bytes(data: bytes, out: str | None) -> None:
    """Write to standard output for None or `-`, else to a file, which appears whole or not at all."""
    if out is None or out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        _refuse_url(out)
        files.write_file(out, data)


def _refuse_url(out: str) -> None:
    if files.is_url(out):
        message = f"cannot write `{files.without_credentials(out)}`: it is a URL"
        raise UsageError(message, "name a file: only rows for programs, as in CSV or Parquet, are sent to URLs")


def format_of(format_: str | None, out: str | None, formats: Collection[str], more: str = "") -> str:
    """The format of these that `--format` names, else that of the file's extension.

    The first one is for a terminal, for files without an extension, and for `.txt`; "" where there is no such format.
    Raises AutodiffError for an extension that stands for none of them, to whose hint `more` is added, and for one of
    compressed files.
    """
    _refuse_url(out or "")
    extension, first = file_extensions.extension_of(out or ""), next(iter(formats))
    if file_extensions.compression_of(out or ""):
        raise not_writable(out or "", formats, more)
    if format_ is None and (not extension or (extension == ".txt" and first)):
        return first
    chosen = format_ or file_extensions.FORMATS.get(extension, extension)
    if chosen == "jsonl" and "jsonl" not in formats:
        chosen = "json"  # a report is one object on one line
    if format_ is None and chosen not in formats:
        raise not_writable(out or "", formats, more)
    return chosen


def not_writable(out: str, formats: Collection[str], more: str) -> AutodiffError:
    """The error for the extension of a file that is to have one of these formats."""
    first = next(iter(formats))
    text = [".txt"] if first and first not in file_extensions.FORMATS.values() else []
    *others, last = dict.fromkeys((*text, *file_extensions.extensions_of(formats)))
    hint = f"it can be {', '.join(others)} or {last}{more}"
    return UsageError(f"`-o {out}`: this result cannot be a {_whole_extension(out)} file", hint)


def _whole_extension(out: str) -> str:
    """The extension as it stands, with that of compressed files."""
    root, extension = splitext(out)
    return splitext(root)[1] + extension if file_extensions.compression_of(out) else extension
