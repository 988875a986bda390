"""Blocks as PyArrow tables: what a typed file holds."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pyarrow

from ...errors import AutodiffError
from . import TEXTS, Array, Block, Target


def schema(target: Target) -> Any:
    """The columns that are kept and the results, with the types and the metadata of the source.

    Where the source has no types, numbers are doubles and the other columns texts.
    """
    types = target.source.schema
    results = [pyarrow.field(name, pyarrow.float64()) for name in target.results]
    return pyarrow.schema([_field(target, name) for name in target.kept] + results, types and types.metadata)


def table(block: Block, columns: Any, target: Target, results: Mapping[str, Array]) -> Any:
    """The rows with their results; `columns` is the schema."""
    found = own(block, target.kept, block.doubles)
    made = results_of(block, results)
    arrays = [_as(found[name], columns.field(name)) for name in target.kept]
    return pyarrow.Table.from_arrays([*arrays, *(made[name] for name in target.results)], schema=columns)


def own(block: Block, names: Sequence[str], doubles: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of the table itself by name, numbers as `doubles` has them."""
    if block.table is None:
        return {name: pyarrow.array(block.columns[name]) for name in names}
    others = [name for name in names if name not in doubles]
    read = block.table(others)
    return {name: doubles[name] if name in doubles else read[name] for name in names}


def results_of(block: Block, results: Mapping[str, Array]) -> Any:
    """The results as a table, null in the rows that cannot be read."""
    unreadable = None
    if block.reasons:
        unreadable = numpy.zeros(block.rows, dtype=bool)
        unreadable[list(block.reasons)] = True
    return pyarrow.table(
        {name: pyarrow.array(column, pyarrow.float64(), mask=unreadable) for name, column in results.items()}
    )


def _field(target: Target, name: str) -> Any:
    types = target.source.schema
    if name in target.numbers and (types is None or target.source.format in TEXTS):
        return pyarrow.field(name, pyarrow.float64())
    if types is None:
        return pyarrow.field(name, pyarrow.string())
    if types.get_field_index(name) < 0:
        raise AutodiffError(f"column `{name}` stands twice in the data", hint="rename one of the two")
    return types.field(name)


def _as(column: Any, field: Any) -> Any:
    if column.type == field.type:
        return column
    try:
        return column.cast(field.type)
    except pyarrow.ArrowInvalid as error:
        if "UTF" in str(error):
            raise AutodiffError(
                f"column `{field.name}` holds bytes that are not UTF-8, which this format cannot hold as text",
                hint="convert the data, such as with iconv -f LATIN1 -t UTF-8, or leave the column out with --columns",
            ) from None
        raise AutodiffError(
            f"column `{field.name}` does not always hold the same kind of value ({field.type} in the first lines)",
            hint="write JSON Lines, which can hold that, or leave the column out with --columns",
        ) from None
