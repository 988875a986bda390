"""The file that `-o` names, or standard output in its place, and the format that its ending says."""

import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from os.path import splitext
from typing import TextIO

from .. import files

_JSON_LINES = (".jsonl", ".ndjson")


@contextmanager
def opened(out: str | None) -> Iterator[TextIO]:
    """Standard output for None or `-`, else a text file, which appears when the block ends without an error."""
    if out is None or out == "-":
        yield sys.stdout
        return
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
        files.write_file(out, data)


def format_of(format_: str | None, out: str | None, formats: Collection[str]) -> str:
    """The format that `--format` names, else that of the file's ending, else the first."""
    ending = splitext(out or "")[1].lower()
    by_ending = "json" if ending in _JSON_LINES else ending.removeprefix(".")
    return format_ or (by_ending if by_ending in formats else next(iter(formats)))
