"""Spreadsheets and ORC, which are read and not written."""

import gzip
import io
import os
import random
import sys
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
openpyxl = pytest.importorskip("openpyxl", reason="needs openpyxl to write spreadsheets")
import pyarrow
from processes import run
from pyarrow import orc
from tabled import convert

from autodiff_cli.data import formats
from autodiff_cli.errors import AutodiffError

ROWS = [["x", "y", "day", "name"], [1, 0.1, date(2020, 1, 2), "a"], [None, 2.5, datetime(2020, 1, 2, 3), 7], ["n/a"]]


def _sheet(rows: Sequence[Sequence[Any]], hidden: bool = False) -> bytes:
    """A spreadsheet with these rows in its first sheet, or in the second behind one that is hidden."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    if hidden:
        sheet.append(["hidden"])
        sheet.sheet_state = "hidden"
        sheet = book.create_sheet("shown")
    for row in rows:
        sheet.append(row)
    book.save(out)
    return out.getvalue()


def _reaching(place: str, number: float | None = None) -> bytes:
    """A spreadsheet of two cells, and a bold one at a place, with a number or with nothing in it."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (["x"], [2.5]):
        book.active.append(row)
    book.active[place], book.active[place].font = number, openpyxl.styles.Font(bold=True)
    book.save(out)
    return out.getvalue()


def _orc(rows: int = 4) -> bytes:
    out = io.BytesIO()
    table = {"x": [1.5, None, 3.0, 4.0], "a.b": [1, 2, 3, 4], "text": ["é", None, "", "a,b"], "list": [[1]] * 4}
    orc.write_table(pyarrow.table(table).slice(0, rows), out)
    return out.getvalue()


@pytest.mark.parametrize("hidden", [False, True])
def test_a_sheet_becomes_any_other_format(hidden: bool) -> None:
    done = convert(_sheet(ROWS, hidden), source="excel", target="csv")
    assert done.data.decode().splitlines() == [
        "x,y,day,name,value,grad_x",
        "1,0.1,2020-01-02,a,2,0.5",
        ",2.5,2020-01-02 03:00:00,7,,",
        "n/a,,,,,",
    ]
    assert done.unreadable == {3: "column `x` is empty", 4: "column `x` holds 'n/a', which is not a number"}


def test_a_compressed_sheet_is_read_whole() -> None:
    plain = _sheet([["x"], *([number] for number in range(20_000))])
    assert len(plain) > 2**16
    assert convert(gzip.compress(plain), source="excel", target="csv").data.count(b"\n") == 20_001


def test_what_stands_above_the_table_is_skipped_and_rows_keep_their_numbers() -> None:
    data = _sheet([[], ["a title"], [], ["x", "y"], [1, 2], ["?", 3], [5, 6], [None]])
    options = formats.ReadOptions(skip=2)
    done = convert(data, source="excel", target="csv", options=options)
    assert done.columns["x"][::2] == [1.0, 5.0]
    assert [*done.unreadable] == [6]
    bare = convert(data, ["c2"], source="excel", target="csv", options=formats.ReadOptions(skip=4, no_header=True))
    assert bare.columns["c2"] == [2.0, 3.0, 6.0]


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("Shown", "the spreadsheet has no sheet `Shown`", "did you mean `shown`?"),
        ("2024", "the spreadsheet has no sheet `2024`", "its sheets are `Sheet`, `shown`"),
    ],
)
def test_a_sheet_is_read_by_its_name(name: str, message: str, hint: str) -> None:
    data = _sheet(ROWS, hidden=True)
    assert formats.reader("excel", io.BytesIO(data), formats.ReadOptions(sheet="Sheet")).names == ("hidden",)
    assert formats.reader("excel", io.BytesIO(data), formats.ReadOptions(sheet="shown")).names == tuple(ROWS[0])
    with pytest.raises(AutodiffError) as caught:
        formats.reader("excel", io.BytesIO(data), formats.ReadOptions(sheet=name))
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_a_sheet_without_cells_is_refused() -> None:
    with pytest.raises(AutodiffError, match="the first sheet is empty"):
        formats.reader("excel", io.BytesIO(_sheet([])))


def test_a_column_without_a_name_goes_along_and_one_without_cells_is_none() -> None:
    done = convert(_sheet([[None, "x"], [7, 2]]), source="excel", target="csv")
    assert done.data.decode().splitlines() == [",x,value,grad_x", "7,2,4,0.5"]
    assert formats.reader("excel", io.BytesIO(_sheet([["x", None, "y"], [1, None, 2]]))).names == ("x", "y")


def test_orc_keeps_types_and_columns_are_chosen_by_their_whole_names() -> None:
    done = convert(_orc(), ["a.b"], source="orc", target="arrow", kept=["text", "list"])
    table = pyarrow.ipc.open_file(done.data).read_all()
    assert table.schema.field("list").type == pyarrow.list_(pyarrow.int64())
    assert table.column("text").to_pylist() == ["é", None, "", "a,b"]
    assert table.column("value").to_pylist() == [2.0, 4.0, 6.0, 8.0]
    assert convert(_orc(), source="orc", target="csv").unreadable == {2: "column `x` is empty"}


def test_cells_that_are_too_far_apart_for_memory_are_an_error() -> None:
    with pytest.raises(AutodiffError, match="reaches to row 1,048,576 and column XFD, and few of its cells") as error:
        formats.reader("excel", io.BytesIO(_reaching("XFD1048576", 1.0)))
    assert "delete the cells that are far from the table" in str(error.value.hint)
    assert formats.reader("excel", io.BytesIO(_reaching("XFD1048576"))).size() == 2
    assert formats.reader("excel", io.BytesIO(_reaching("A2000", 1.0))).size() == 2000


@pytest.mark.parametrize(("format_", "data"), [("excel", _sheet(ROWS)), ("orc", _orc())])
def test_files_that_are_broken_are_clear_errors(format_: str, data: bytes) -> None:
    source = random.Random(1)
    outcomes = set()
    for _ in range(60):
        broken = bytearray(data)
        broken[source.randrange(len(data))] ^= 1 << source.randrange(8)
        try:
            reader = formats.reader(
                format_, io.BytesIO(broken[: source.choice([len(data), source.randrange(len(data))])])
            )
            for part in reader.parts():
                reader.block(part, [])
            outcomes.add("read")
        except AutodiffError as error:
            outcomes.add(error.message.partition(":")[0])
    assert any("whole" in outcome for outcome in outcomes)


@pytest.mark.slow
def test_the_command_reads_them_and_writes_csv(tmp_path: Path) -> None:
    book, rows = tmp_path / "book.xlsx", tmp_path / "rows.orc"
    book.write_bytes(_sheet(ROWS[:2]))
    rows.write_bytes(_orc(1))
    words = ("eval", "2*y", "--columns", "name", "--data")
    assert run(*words, str(book)).stdout == b"name,value,grad_y\na,0.2,2\n"
    assert run("eval", "2*x", "--no-inputs", "--data", str(rows)).stdout == b"value,grad_x\n3,2\n"
    assert (
        b"--data-format excel reads a spreadsheet; unzip another archive first"
        in run(*words, "-", stdin=book.read_bytes()).stderr
    )
    piped = run(*words, "-", "--data-format", "excel", stdin=book.read_bytes())
    assert piped.stdout == b"name,value,grad_y\na,0.2,2\n"


def test_a_missing_package_for_sheets_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    monkeypatch.delitem(sys.modules, "autodiff_cli.data.formats.excel", raising=False)
    with pytest.raises(AutodiffError, match=r"spreadsheets need python-calamine, which is not installed"):
        formats.reader("excel", io.BytesIO(b"PK" + os.urandom(8)))
