"""The columns that are written, and their order, in every format."""

import io
import json
from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import pyarrow
from pyarrow import csv, ipc, parquet
from tabled import CountingName

from autodiff_cli import parse
from autodiff_cli.cli import group
from autodiff_cli.data import formats
from autodiff_cli.data.columns import result_names
from autodiff_cli.data.formats import WRITABLE
from autodiff_cli.data.formats.arrow_tables import output_schema
from autodiff_cli.data.layout import ColumnRequest, column_layout
from autodiff_cli.errors import AutodiffError

ORDER = ["grad_b", "note", "value", "a"]
ROWS = [(1, "x, y", 2, 1), (3, "z", 12, 3), (0.1, 'a "q"', 0.1 * 0.7, 0.1)]


@pytest.fixture(params=["csv", "tsv", "jsonl", "parquet", "arrow"])
def data(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same table in every format that is read."""
    table = pyarrow.table({"a": [1, 3, 0.1], "b": [2, 4, 0.7], "note": [row[1] for row in ROWS]})
    path = tmp_path / f"data.{request.param}"
    if request.param == "parquet":
        parquet.write_table(table, path)
    elif request.param == "arrow":
        with ipc.new_file(str(path), table.schema) as file:
            file.write_table(table)
    elif request.param == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    else:
        delimiter = "\t" if request.param == "tsv" else ","
        csv.write_csv(table, path, csv.WriteOptions(delimiter=delimiter))
    return path


def run(data: Path, *words: str) -> None:
    with chdir(data.parent):
        assert not group.main(["eval", "a*b", "--data", data.name, *words], standalone_mode=False)


def read(path: Path) -> "tuple[list[str], list[tuple[object, ...]]]":
    """The names and the rows of a table."""
    if path.suffix in (".json", ".jsonl"):
        text = path.read_text()
        objects = json.loads(text if path.suffix == ".json" else f"[{','.join(text.splitlines())}]")
        return list(objects[0]), [tuple(row.values()) for row in objects]
    if path.suffix == ".parquet":
        table = parquet.read_table(path)
    elif path.suffix in (".arrow", ".arrows"):
        with pyarrow.memory_map(str(path)) as file:
            table = (ipc.open_file if path.suffix == ".arrow" else ipc.open_stream)(file).read_all()
    else:
        table = csv.read_csv(path, parse_options=csv.ParseOptions(delimiter="\t" if path.suffix == ".tsv" else ","))
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


@pytest.mark.parametrize("format_", WRITABLE)
def test_results_stand_where_they_are_named(data: Path, format_: str) -> None:
    run(data, "--columns", ",".join(ORDER), "-o", f"out.{format_}")
    assert read(data.parent / f"out.{format_}") == (ORDER, ROWS)


@pytest.mark.parametrize("format_", WRITABLE)
def test_results_alone_can_be_named(data: Path, format_: str) -> None:
    run(
        data, "--columns", "o_grad_b", "o_value", "--prefix", "o_", "--rename", "slope=o_grad_b", "-o", f"out.{format_}"
    )
    assert read(data.parent / f"out.{format_}") == (["slope", "o_value"], [(row[0], row[2]) for row in ROWS])


def test_errors_and_file_follow_where_they_are_not_named(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,b\n1,2\n,1\n")
    words = ["--columns", "value,a", "--errors", "column", "--file-column", "file", "--na", "skip", "-o", "out.csv"]
    run(data, *words)
    names, rows = read(tmp_path / "out.csv")
    assert names == ["value", "a", "error", "file"]
    assert rows[0] == (2, 1, "", "data.csv") and rows[1][3] == "data.csv"
    run(data, "--file-column", "file", "--columns", "file,value", "--limit", "1", "-o", "out.csv")
    assert read(tmp_path / "out.csv") == (["file", "value"], [("data.csv", 2)])


def test_parts_of_a_folder_have_the_order(data: Path) -> None:
    folder = data.parent / "many"
    folder.mkdir()
    data.rename(folder / data.name)
    run(folder, "--columns", ",".join(ORDER), "-o", str(data.parent / "results"))
    for part in (data.parent / "results").iterdir():
        assert read(part) == (ORDER, ROWS)


def test_many_columns_are_chosen_and_named_without_a_search_for_each() -> None:
    names = [CountingName(f"c{place}") for place in range(2000)]
    CountingName.compared = 0
    layout = column_layout(parse("c1*c2"), names, ColumnRequest({}, {}, kept=names[1:]))
    target = output_schema(layout.destination(formats.reader("csv", io.BytesIO(",".join(names).encode()))))
    assert target.names == [*names[1:], "value", "grad_c1", "grad_c2"]
    assert result_names(names, [f"d{place}" for place in range(2000)], "") == names
    assert CountingName.compared < 30 * len(names)


@pytest.mark.parametrize("request_", [ColumnRequest({}, {}, prefix="\udcff"), ColumnRequest({}, {}, file="\udcff")])
def test_a_name_that_is_not_unicode_is_an_error(request_: ColumnRequest) -> None:
    with pytest.raises(AutodiffError, match=r"`\\udcff.*` is not Unicode"):
        column_layout(parse("x^2"), ["x"], request_)
