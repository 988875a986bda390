"""Cells that stand for a missing number: they are told apart from those that cannot be read."""

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")

import math

import pyarrow

from autodiff_cli.data.formats import ReadOptions
from autodiff_cli.data.formats.column_numbers import NumberColumn, number_column, with_numbers
from autodiff_cli.data.formats.interfaces import Missing, RowBlock

COLUMNS = [
    pyarrow.array([1.0, None, float("nan"), -999.0, 5.0]),
    pyarrow.array([1, None, None, -999, 5]),
    pyarrow.array(["1", "", " Null ", "-999.0", "5"]),
    pyarrow.array([b"1", b"NA", b"n/a", b" -999", b"5"]),
    pyarrow.array(["1", None, "NaN", "-999", "5"]).dictionary_encode(),
]


def read(column: pyarrow.Array, na: str) -> NumberColumn:
    return number_column("x", column, ReadOptions(na=na))


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.type))
def test_missing_numbers_of_every_type(column: pyarrow.Array) -> None:
    for na in ("-999", "skip,-999", "fail, -999"):
        numbers = read(column, na)
        assert numbers.nullable.to_pylist() == [1, None, None, None, 5]
        assert list(numbers.reasons) == [1, 2, 3]
        assert {type(reason) for reason in numbers.reasons.values()} == {str if "fail" in na else Missing}
    kept = read(column, "keep")
    assert not kept.reasons
    assert [number for number in kept.values if not math.isnan(number)] == [1, -999, 5]


def test_words_of_any_alphabet_stand_for_a_missing_number_in_capitals_too() -> None:
    column = pyarrow.array([" NÃO ", "não", "Não", "nao"])
    assert [row for row, reason in read(column, "Não").reasons.items() if isinstance(reason, Missing)] == [0, 1, 2]


def test_what_cannot_be_read_is_not_missing() -> None:
    column = pyarrow.array(["x", "1e400", "NA", "nap", ""])
    for na in ("skip", "keep"):
        assert [row for row, reason in read(column, na).reasons.items() if not isinstance(reason, Missing)] == [0, 1, 3]


def test_a_row_that_cannot_be_read_is_a_failure_whatever_else_it_lacks() -> None:
    columns = {"x": pyarrow.array(["", "a", "b"]), "y": pyarrow.array(["c", "", "1"])}
    for names in (["x", "y"], ["y", "x"]):
        chosen = {name: columns[name] for name in names}
        block = with_numbers(RowBlock(3, int, lambda names: {}), chosen, ReadOptions(na="skip"))
        assert sorted(block.failures) == sorted(block.reasons) == [0, 1, 2]
