"""Where results go: to standard output or to a file, in which format, and how far they have come."""

import io
import sys
from collections.abc import Callable, Iterator, MutableMapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from pathlib import PurePath
from typing import Any, TextIO

import click

from .. import files
from ..data import formats
from ..data.layout import Layout
from ..errors import USAGE, AutodiffError
from . import formula as shared

_BINARY = ("parquet", "arrow", "arrows")
_SMALL = 1000  # rows that a terminal shows as a table


@contextmanager
def opened(out: str | None) -> Iterator[TextIO]:
    """Standard output, or a text file, which appears when the block ends well."""
    if out is None or out == "-":
        yield sys.stdout
        return
    with files.open_for_writing(out) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        yield text
        text.detach()


@contextmanager
def redirected(out: str, words: MutableMapping[str, Any]) -> Iterator[None]:
    """Send what a command prints to a file; its ending says the format, where the words of the command don't."""
    if out == "-":
        yield
        return
    ending = PurePath(out).suffix.lower().removeprefix(".")
    ending = "json" if ending in ("jsonl", "ndjson") else ending
    if ending in shared.choices("format_") and not shared.is_given("format_"):
        words["format_"] = ending
    left = None
    with opened(out) as text, redirect_stdout(text):
        try:
            yield
        except click.exceptions.Exit as exit_:  # with a code for what has been written
            left = exit_
    if left is not None:
        raise left


class Results:
    """The rows that are written, of a table that is read."""

    def __init__(self, out: str | None, format_: str | None, reader: formats.Reader, precision: int) -> None:
        """`out` and `format_` are what the options of these names say; None where they are not given."""
        self._out = None if out == "-" else out
        self._reader, self._precision = reader, precision
        self._is_screen = self._out is None and sys.stdout.isatty()
        self._format = self._chosen(format_)
        if self._format in _BINARY and self._is_screen:
            hint = f"write it to a file: -o FILE.{self._format}, or choose --format csv"
            raise AutodiffError(f"{self._format.capitalize()} is nothing for a terminal", hint=hint, code=USAGE)
        if self._format != "table":
            shared.refuse(("precision",), "is for --format table: what programs read has all digits")

    def _chosen(self, format_: str | None) -> str:
        if format_ == "plain":
            hint = f"choose one of {', '.join(('table', *formats.FORMATS))}"
            raise AutodiffError("the format plain is for one point", hint=hint, code=USAGE)
        if format_ is not None:
            return "jsonl" if format_ == "json" else format_
        if self._out is not None and (told := formats.format_of(self._out)):
            return told
        if self._reader.format in formats.FORMATS:
            return self._reader.format
        return "table" if self._is_screen and (self._reader.size() or 0) <= _SMALL else "csv"

    @contextmanager
    def writer(self, plan: Layout) -> Iterator[Any]:
        """What the rows are written with; a file appears when all is well."""
        numbers = list(plan.inputs.values())
        if self._format == "table":
            from ..data.table import Writer

            with opened(self._out) as text:
                table = Writer(text, plan.kept, numbers, plan.results, self._precision)
                yield table
                table.close()
            return
        stream = nullcontext(sys.stdout.buffer) if self._out is None else files.open_for_writing(self._out)
        with stream as out:
            target = formats.Target(self._reader, plan.kept, numbers, plan.results)
            writer = formats.writer(self._format, out, target, self._out and formats.compression_of(self._out))
            yield writer
            writer.close()
            out.flush()

    def meter(self) -> AbstractContextManager[Callable[[int], None]]:
        """A function that is told how many more rows are done, and shows it to a person who waits."""
        if self._is_screen or not sys.stderr.isatty():
            return nullcontext(lambda rows: None)
        from ..terminal import meter

        return meter(self._reader.size(), self._reader.done)
