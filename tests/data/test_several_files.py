"""Several files as one table: rows in the order of the files, which must have the same columns."""

import datetime
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import processes
import pyarrow
from processor_time import within
from pyarrow import csv, feather, orc, parquet

from autodiff_cli import files
from autodiff_cli.cli import group
from autodiff_cli.data import formats
from autodiff_cli.data.several_files import SeveralFiles
from autodiff_cli.errors import AutodiffError

Opener = Callable[..., SeveralFiles]


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Opens paths as one table, and closes their files at the end of the test."""
    with ExitStack() as sources:

        def open_table(path: str) -> tuple[formats.TableReader, BinaryIO]:
            source = sources.enter_context(files.open_for_reading(path))
            return formats.reader(formats.format_of(path) or "", source), source

        yield lambda *paths: SeveralFiles(list(map(str, paths)), open_table)


@pytest.fixture
def table(tmp_path: Path, opened: Opener) -> Opener:
    """Opens CSV files with these contents as one table."""

    def table(*contents: str) -> SeveralFiles:
        paths = [tmp_path / f"{place}.csv" for place in range(len(contents))]
        for path, text in zip(paths, contents, strict=True):
            path.write_text(text)
        return opened(*paths)

    return table


def _rows(table: SeveralFiles) -> list[tuple[str, int, float]]:
    """The file, the place and the number in `x` of each row."""
    blocks = map(partial(table.block, columns=["x"]), table.parts())
    return [
        (Path(block.file).name, block.place(row), block.columns["x"][row])
        for block in blocks
        for row in range(block.rows)
    ]


def test_rows_come_in_the_order_of_the_files_and_know_theirs(table: Opener) -> None:
    several = table("x\n1\n2", "x\n", "x\n\n3\n")
    assert _rows(several) == [("0.csv", 2, 1.0), ("0.csv", 3, 2.0), ("2.csv", 3, 3.0)]
    assert several.position() == several.size() == 12
    several.close()


def test_a_missing_column_names_the_first_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("y\n1\n")
    done = processes.run("eval", "x", "--data", ".")
    assert done.stderr.decode().startswith("error: a.csv: the data has no column `x`\n")


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_integers_in_one_parquet_file_and_doubles_in_another_are_doubles(
    order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write_table(pyarrow.table({"x": [1, 2], "k": pyarrow.array([3, 4], "int32")}), "a.parquet")
    parquet.write_table(pyarrow.table({"k": [2**40], "x": [1.5]}), "b.parquet")  # in another order too
    words = ["eval", "2*x", "--data", *(f"{name}.parquet" for name in order), "-o", "all.parquet"]
    assert group.main(words, standalone_mode=False) == 0
    written = parquet.read_table("all.parquet").sort_by("value").select(["x", "k", "value"])
    assert written.to_pydict() == {"x": [1.0, 1.5, 2.0], "k": [3, 2**40, 4], "value": [2.0, 3.0, 4.0]}
    assert written.schema.field("x").type == pyarrow.float64()
    assert written.schema.field("k").type == pyarrow.int64()


@pytest.mark.parametrize(
    ("integers", "others", "kind"),
    [
        (pyarrow.array([2**53 + 1]), pyarrow.array([0.5]), "double"),
        (pyarrow.array([2**63], "uint64"), pyarrow.array([-1]), "int64"),
    ],
)
def test_an_integer_that_the_type_of_both_files_does_not_hold_is_an_error(
    integers: pyarrow.Array, others: pyarrow.Array, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parquet.write_table(pyarrow.table({"x": [1.0], "k": integers}), "a.parquet")
    parquet.write_table(pyarrow.table({"x": [1.0], "k": others}), "b.parquet")
    done = processes.run("eval", "x", "--data", "a.parquet", "b.parquet", "-o", "all.parquet")
    assert done.returncode == 1
    assert done.stderr.decode().startswith(f"error: column `k` holds an integer that is too large for {kind}\n")


def test_columns_of_one_name_that_are_not_used_are_compared_one_by_one(tmp_path: Path, opened: Opener) -> None:
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path, kind in zip(paths, ("int32", "float64"), strict=True):
        columns = [pyarrow.array([1.0]), pyarrow.array(["a"]), pyarrow.array([2], kind)]
        parquet.write_table(pyarrow.Table.from_arrays(columns, ["x", "d", "d"]), path)
    table = opened(*paths)
    assert len(_rows(table)) == 2
    assert table.schema is not None and table.schema.types == [pyarrow.float64(), pyarrow.string(), pyarrow.float64()]


def test_the_types_of_many_columns_are_compared_in_linear_time(tmp_path: Path, opened: Opener) -> None:
    table = pyarrow.table({f"x{number}": [number] for number in range(10_000)})
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in paths:
        parquet.write_table(table, path)
    with within(6):  # in quadratic time it takes 20 s
        assert opened(*paths).schema == table.schema


def test_parquet_files_need_types_that_go_together(tmp_path: Path, opened: Opener) -> None:
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    parquet.write_table(pyarrow.table({"x": [1.0]}), paths[0])
    parquet.write_table(pyarrow.table({"x": ["2"]}), paths[1])
    with pytest.raises(AutodiffError, match=r"b\.parquet: column `x` holds string, and in `.*a\.parquet` double"):
        _rows(opened(*paths))
    parquet.write_table(
        pyarrow.table({"x": [1.0]}, pyarrow.schema([pyarrow.field("x", "float64", nullable=False)])), paths[1]
    )
    with pytest.raises(AutodiffError, match=r"column `x` holds double not null, and in `.*a\.parquet` double"):
        _rows(opened(*paths))
    assert _rows(opened(paths[1], paths[1])) == [("b.parquet", 1, 1.0)] * 2


def test_texts_have_no_types_that_could_differ(tmp_path: Path, opened: Opener) -> None:
    (tmp_path / "a.jsonl").write_text('{"x": 1, "k": true}\n')
    (tmp_path / "b.jsonl").write_text('{"x": 2.5, "k": "z"}\n')
    several = opened(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert _rows(several) == [("a.jsonl", 1, 1.0), ("b.jsonl", 1, 2.5)]


def test_a_column_of_a_spreadsheet_may_be_empty_in_one_file_and_hold_dates_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="writes spreadsheets")
    pytest.importorskip("python_calamine", reason="reads spreadsheets")
    monkeypatch.chdir(tmp_path)
    for name, cell in (("a", None), ("b", datetime.date(2024, 2, 29))):
        book = openpyxl.Workbook()
        for row in (("x", "day"), (1, cell)):
            book.active.append(row)
        book.save(f"{name}.xlsx")
    words = ["eval", "x", "--data", "a.xlsx", "b.xlsx", "--columns", "day", "-o"]
    assert group.main([*words, "all.csv"], standalone_mode=False) == 0
    assert (tmp_path / "all.csv").read_text().splitlines()[1:] == [",1,1", "2024-02-29,1,1"]
    done = processes.run(*words, "all.parquet")
    assert b"column `day` does not always hold the same kind of value" in done.stderr


@pytest.mark.parametrize(
    "cells",
    [(True, 5), (datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 30))],  # a cell has none
    ids=["truth", "date"],
)
def test_cells_of_another_file_lose_nothing(
    cells: tuple[object, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="writes spreadsheets")
    pytest.importorskip("python_calamine", reason="reads spreadsheets")
    monkeypatch.chdir(tmp_path)
    for name, cell in zip("ab", cells, strict=True):
        book = openpyxl.Workbook()
        for row in (("x", "kept"), (1, cell)):
            book.active.append(row)
        book.save(f"{name}.xlsx")
    done = processes.run("eval", "x", "--data", "a.xlsx", "b.xlsx", "--columns", "kept", "-o", "all.parquet")
    assert b"column `kept` does not always hold the same kind of value" in done.stderr


@pytest.mark.parametrize(
    ("header", "difference"),
    [
        ("y,z", "lacks `x`"),
        ("X,y", "lacks `x`"),
        ("x,y,z", "has `z` too"),
        ("x,y,y", "has `y` too"),
        ("x,y," + ",".join(map(str, range(20))), "has `0`, `1`, .*`11`, … too"),
        ("y,x", "has its columns in another order"),
    ],
)
def test_other_columns_are_an_error_that_names_the_file(header: str, difference: str, table: Opener) -> None:
    several = table("x,y\n1,2\n", f"{header}\n2,3,4\n")
    with pytest.raises(AutodiffError, match=rf"1\.csv: this {difference}") as caught:
        _rows(several)
    assert caught.value.hint == "all files must have the columns of the first, in its order"


def test_arrow_files_may_have_dictionaries_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, word in (("a", "p"), ("b", "q")):
        column = pyarrow.array([word]).dictionary_encode()
        feather.write_feather(pyarrow.table({"x": [1.0], "k": column}), f"{name}.arrow")
    assert processes.run("eval", "x", "--data", "a.arrow", "b.arrow", "-o", "all.arrow").returncode == 0
    assert feather.read_table("all.arrow")["k"].to_pylist() == ["p", "q"]


def test_a_missing_file_is_an_error_before_any_row_is_read(tmp_path: Path, opened: Opener) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    with pytest.raises(AutodiffError, match="cannot read"):
        opened(tmp_path / "a.csv", tmp_path / "missing.csv")


def test_a_broken_file_is_named(table: Opener) -> None:
    with pytest.raises(AutodiffError, match=r"1\.csv: "):
        _rows(table("x\n1\n", 'x\n"2\n'))


def test_a_folder_and_a_pattern_are_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = partial(group.main, standalone_mode=False)
    (tmp_path / "days" / "more").mkdir(parents=True)
    for name, number in (("days/b.csv", 2), ("days/a.csv", 1), ("days/more/c.csv", 3)):
        (tmp_path / name).write_text(f"x\n{number}\n")
    parquet.write_table(pyarrow.table({"x": [4.0]}), "one.parquet")
    for data, expected in (
        ("days", ["days/a.csv", "days/b.csv", "days/more/c.csv"]),
        ("days/*.csv", ["days/a.csv", "days/b.csv"]),
    ):
        assert run(["eval", "x", "--data", data, "-o", "all.jsonl", "--file-column", "file"]) == 0
        rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
        assert [row["file"] for row in rows] == expected
        assert [row["value"] for row in rows] == [1, 2, 3][: len(expected)]
    assert run(["eval", "x", "--data", "one.parquet", "--file-column", "file", "-o", "two.parquet"]) == 0
    assert parquet.read_table("two.parquet")["file"].to_pylist() == ["one.parquet"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the names of files are Unicode")
def test_the_name_of_a_file_is_data_and_not_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = partial(group.main, standalone_mode=False)
    name = "a\nline.csv"
    (tmp_path / name).write_text("x\n1\n")
    for out in ("out.csv", "out.jsonl"):
        assert run(["eval", "x", "--data", name, "--file-column", "file", "-o", out]) == 0
    assert json.loads((tmp_path / "out.jsonl").read_text())["file"] == name
    assert (tmp_path / "out.csv").read_text() == f'x,value,grad_x,file\n1,1,1,"{name}"\n'
    (tmp_path / os.fsdecode(b"\xff.csv")).write_text("x\n1\n")
    assert run(["eval", "x", "--data", os.fsdecode(b"\xff.csv"), "--file-column", "file", "-o", "out.csv"]) == 0
    assert (tmp_path / "out.csv").read_text() == "x,value,grad_x,file\n1,1,1,\\udcff.csv\n"
    done = processes.run("eval", "1/(x-1)", "--data", os.fsdecode(b"\xff.csv"), name, "--errors", "errors.csv")
    assert done.returncode == 3
    assert (tmp_path / "errors.csv").read_text().splitlines()[1].startswith('\\udcff.csv,2,"the result is not finite')


WRITERS = {"csv": csv.write_csv, "parquet": parquet.write_table, "arrow": feather.write_feather, "orc": orc.write_table}


@pytest.mark.skipif(sys.platform != "linux", reason="needs the list of this process's open files")
@pytest.mark.parametrize("format_", WRITERS)
def test_files_that_have_been_read_are_closed_though_a_sample_keeps_their_rows(
    format_: str, tmp_path: Path, opened: Opener
) -> None:
    paths = [str(tmp_path / f"{place}.{format_}") for place in range(5)]
    for path in paths:
        WRITERS[format_](pyarrow.table({"x": [1.0]}), path)
    several = opened(*paths)
    parts = list(several.parts())
    held = {os.path.realpath(entry) for entry in Path("/proc/self/fd").iterdir()}
    assert held.intersection(paths) == {paths[-1]}
    assert [several.block(part, ["x"]).columns["x"].tolist() for part in parts] == [[1.0]] * 5
