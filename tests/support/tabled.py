"""A table read in one format and written in another, with results that are easy to tell."""

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from autodiff_cli.data import formats
from autodiff_cli.data.formats import text_files

RESULTS = ["value", "grad_x"]


class CountingName(str):
    """A name of a column that counts the names that it is compared with."""

    compared = 0
    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        CountingName.compared += 1
        return str.__eq__(self, other)


class Converted(NamedTuple):
    """The rows that were written, and the reasons of those that cannot be read."""

    data: bytes
    unreadable: dict[int, str]
    """line or row → reason"""
    columns: dict[str, list[float]]
    """the numbers that were read"""


def convert(
    data: bytes,
    columns: Sequence[str] = ("x",),
    source: str = "csv",
    target: str | None = None,
    kept: Sequence[str] | None = None,
    compression: str | None = None,
    part: int | None = None,
    results: Sequence[float] | None = None,
    names: Sequence[str] = RESULTS,
    options: formats.ReadOptions = formats.READ_DEFAULTS,
) -> Converted:
    """The value is twice the first column, or the given results, the gradient 0.5; they are called `names`.

    A part has so many bytes.
    """
    usual, text_files.PART_BYTES = text_files.PART_BYTES, part or text_files.PART_BYTES
    try:
        return _convert(data, columns, source, target or source, kept, compression, results, names, options)
    finally:
        text_files.PART_BYTES = usual


def _convert(
    data: bytes,
    columns: Sequence[str],
    source: str,
    target: str,
    kept: Sequence[str] | None,
    compression: str | None,
    results: Sequence[float] | None,
    names: Sequence[str],
    options: formats.ReadOptions,
) -> Converted:
    reader, out = formats.reader(source, io.BytesIO(data), options), io.BytesIO()
    kept = reader.names if kept is None else kept
    writer = formats.writer(
        target, out, formats.Destination(reader, kept, columns, names), formats.WriteOptions(compression)
    )
    converted = Converted(b"", {}, {name: [] for name in columns})
    done = 0
    for part in reader.parts():
        block = reader.block(part, columns)
        with numpy.errstate(over="ignore"):
            value: Any = 2 * block.columns[columns[0]] if columns else numpy.zeros(block.rows)
        if results is not None:
            value = numpy.array(results[done : done + block.rows], dtype=float)
        writer.append(writer.encode(block, dict(zip(names, (value, numpy.full(block.rows, 0.5)), strict=True))))
        converted.unreadable.update({block.place(row): reason for row, reason in block.reasons.items()})
        for name in columns:
            assert len(block.columns[name]) == block.rows
            converted.columns[name] += block.columns[name].tolist()
        done += block.rows
    writer.close()
    return converted._replace(data=out.getvalue())
