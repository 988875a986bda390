"""Rows that come as PyArrow's record batches, from files that hold typed columns."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import pyarrow

from ...errors import AutodiffError
from . import Block
from .numbers import with_numbers


class Batch(NamedTuple):
    """Some rows, and how many come before them."""

    rows: Any
    before: int


def block(part: Batch, columns: Sequence[str]) -> Block:
    """The rows of a batch with the numbers of these columns."""

    def line(row: int) -> int:
        return part.before + row + 1

    return with_numbers(_chosen(part.rows, columns), part.rows.num_rows, line, partial(_chosen, part.rows))


def _chosen(rows: Any, names: Sequence[str]) -> dict[str, Any]:
    for name in names:
        if rows.schema.get_field_index(name) < 0:
            raise AutodiffError(f"column `{name}` stands twice in the data", hint="rename one of the two")
    return {name: rows[name] for name in names}


def check_dictionaries(rows: Any) -> None:
    """Raise pyarrow.ArrowInvalid where a dictionary has no such entry, as in a file that is broken."""
    for column in rows.columns:
        if pyarrow.types.is_dictionary(column.type):
            column.validate(full=True)


def seekable(source: BinaryIO, what: str, mapped: bool = False) -> Any:
    """The file for PyArrow, `mapped` into memory; AutodiffError where it is a stream, or compressed as a whole."""
    if not source.seekable():
        raise AutodiffError(
            f"{what} cannot be read from a stream, as its end is read first",
            hint="name the file itself, uncompressed; a stream can be CSV, TSV, JSON Lines or an Arrow stream",
        )
    if isinstance(source, pyarrow.NativeFile):
        return source
    path = getattr(source, "name", None)
    return (
        pyarrow.OSFile(path) if isinstance(path, str) and os.path.isfile(path) else pyarrow.PythonFile(source, mode="r")
    )


@contextmanager
def broken(message: str, hint: str = "") -> Iterator[None]:
    """What PyArrow says of a file that it cannot read, as a user's mistake."""
    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise AutodiffError(f"{message}: {reason[:1].lower()}{reason[1:]}", hint=hint) from None
