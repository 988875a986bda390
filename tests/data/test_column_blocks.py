"""Columns that are read more than once, from memory or from a temporary file."""

import pytest

numpy = pytest.importorskip("numpy", reason='columns need: pip install "autodiff-cli[data]"')

from autodiff_cli import AutodiffError
from autodiff_cli.data import column_blocks
from autodiff_cli.data.column_blocks import ArrayColumns, Columns, StoredColumns, whole_columns

ROWS = 300_001  # more than two blocks


def _stored() -> StoredColumns:
    columns = StoredColumns(("x", "y"))
    for first, end in ((0, 70_000), (70_000, 250_000), (250_000, ROWS)):
        columns.append(end - first, [numpy.arange(first, end, dtype=float), -numpy.arange(first, end, dtype=float)])
    return columns


@pytest.mark.parametrize("in_memory", [2**25, 1000])
def test_columns_are_read_again_as_they_were_stored(in_memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_blocks, "_IN_MEMORY", in_memory)
    columns = _stored()
    for _ in range(2):
        assert whole_columns(columns)["y"].tolist() == (-numpy.arange(ROWS, dtype=float)).tolist()
    outer, inner = columns.blocks(), columns.blocks()
    for mine, other in zip(outer, inner, strict=True):  # readers do not disturb each other
        assert mine.columns["x"].tolist() == other.columns["x"].tolist()


def test_blocks_are_the_same_from_memory_and_from_a_file() -> None:
    stored = _stored()
    arrays = ArrayColumns(whole_columns(stored))
    columns: tuple[Columns, ...] = (stored, arrays)
    sizes = [[block.rows for block in each.blocks()] for each in columns]
    assert sizes[0] == sizes[1]
    assert sum(sizes[0]) == ROWS


def test_rows_count_where_no_column_is_needed() -> None:
    columns = StoredColumns(())
    columns.append(140_000, [])
    assert [(block.rows, block.columns) for block in columns.blocks()] == [(2**17, {}), (8_928, {})]


def test_arrays_of_different_lengths_are_refused() -> None:
    with pytest.raises(AutodiffError, match="`x` has 2 rows, but `y` has 1"):
        ArrayColumns({"x": numpy.zeros(2), "y": numpy.zeros(1)})
