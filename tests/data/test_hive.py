"""Folders whose names are columns, `year=2024`: in every format, as one table and file by file."""

from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import processes
import pyarrow
from pyarrow import feather, orc, parquet

from autodiff_cli.cli import group
from autodiff_cli.data.hive import partition_values
from autodiff_cli.errors import AutodiffError

FILES = {
    "year=2023/place=a%20b": [1.0, 2.0],
    "year=2024/place=c%2Fd": [3.0],
    "year=__HIVE_DEFAULT_PARTITION__/place=e": [4.0],
}
WRITERS = {
    "csv": lambda table, path: path.write_bytes(b"x\n" + b"".join(b"%g\n" % x for x in table["x"].to_pylist())),
    "jsonl": lambda table, path: path.write_bytes(b"".join(b'{"x": %g}\n' % x for x in table["x"].to_pylist())),
    "parquet": lambda table, path: parquet.write_table(table, path),
    "arrow": lambda table, path: feather.write_feather(table, str(path), compression="uncompressed"),
    "orc": lambda table, path: orc.write_table(table, str(path)),
}


def folder(root: Path, format_: str) -> Path:
    """Files of this format in folders by year and place."""
    for place, numbers in FILES.items():
        (root / place).mkdir(parents=True)
        WRITERS[format_](pyarrow.table({"x": numbers}), root / place / f"part.{format_}")
    return root


def run(*words: object) -> int:
    """Run the command line; returns its exit code."""
    code: int = group.main(list(map(str, words)), standalone_mode=False)
    return code


@pytest.mark.parametrize("format_", WRITERS)
def test_folders_are_columns_in_every_format(format_: str, tmp_path: Path) -> None:
    words = ("eval", "x*year", "--data", folder(tmp_path / "data", format_), "--na", "skip", "--format", "parquet")
    assert run(*words, "-o", tmp_path / "all.arrow") == 0
    table = parquet.read_table(tmp_path / "all.arrow", partitioning=None)
    assert table["place"].to_pylist() == ["a b", "a b", "c/d", "e"]
    assert table["year"].to_pylist() == [2023, 2023, 2024, None]
    assert table["value"].to_pylist() == [2023, 4046, 6072, None]
    assert table["grad_year"].to_pylist() == [1, 2, 3, None]


@pytest.mark.parametrize("format_", ["csv", "jsonl"])
def test_texts_are_written_with_the_columns_of_their_folders(
    format_: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    data = folder(tmp_path, format_)
    assert run("eval", "x", "--data", data, "--na", "skip", "--columns", "place,x,year", "--where", "year > 2023") == 0
    expected = {
        "csv": b"place,x,year,value,grad_x\nc/d,3,2024,3,1\n",
        "jsonl": b'{"place": "c/d", "x": 3, "year": 2024, "value": 3.0, "grad_x": 1.0}\n',
    }
    assert capfdbinary.readouterr().out == expected[format_]


def test_results_by_file_leave_to_the_folders_what_their_names_say(tmp_path: Path) -> None:
    words = ("--data", folder(tmp_path / "data", "csv"), "-o", tmp_path / "out", "--na", "skip")
    assert run("eval", "x*year", *words) == 0
    results = parquet.read_table(tmp_path / "out")
    assert results.column_names == ["x", "value", "grad_x", "grad_year", "year", "place"]
    assert results["value"].to_pylist() == [2023, 4046, 6072, None]


def test_a_column_of_the_files_is_preferred_to_the_name_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data" / "x=7").mkdir(parents=True)
    (tmp_path / "data" / "x=7" / "a.csv").write_text("x\n1\n")
    assert run("eval", "x", "--data", tmp_path / "data", "-o", tmp_path / "all.jsonl") == 0
    assert (tmp_path / "all.jsonl").read_text() == '{"x": 1.0, "value": 1.0, "grad_x": 1.0}\n'


def test_a_column_is_of_numbers_if_all_of_its_values_are() -> None:
    names = ["a=1/b=1/c=1e3/d=x", "a=-2/b=2.5/c=7/d=1", "a=/b=0/c=0/d="]
    values = partition_values([f"{name}/file=1.csv" for name in names])
    assert [{name: value.as_py() for name, value in file.items()} for file in values] == [
        {"a": 1, "b": 1.0, "c": 1000.0, "d": "x"},
        {"a": -2, "b": 2.5, "c": 7.0, "d": "1"},
        {"a": None, "b": 0.0, "c": 0.0, "d": None},
    ]
    assert partition_values(["plain/=5/file.csv"]) == [{}]
    (values,) = partition_values(["a=２０２４/b=1٫5/c=१/file.csv"])
    assert [value.as_py() for value in values.values()] == ["２０２４", "1٫5", "१"]


@pytest.mark.parametrize("beyond", ["1e400", "1e-400"])
def test_rows_whose_folder_names_a_number_beyond_the_doubles_cannot_be_read(
    beyond: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for value in ("3", beyond):
        (tmp_path / f"t={value}").mkdir()
        (tmp_path / f"t={value}" / "a.csv").write_text("x\n2\n")
    with pytest.raises(AutodiffError, match="1 of 2 rows cannot be read"):
        run("eval", "x*t", "--data", tmp_path)
    out, err = capfdbinary.readouterr()
    assert sorted(out.decode().splitlines()) == sorted(["x,t,value,grad_x,grad_t", "2,3,6,3,2", f"2,{beyond},,,"])
    assert f"column `t` holds '{beyond}'" in err.decode()


def test_folders_that_say_different_things_are_not_one_table(tmp_path: Path) -> None:
    for name in ("year=1/a.csv", "b.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n1\n")
    done = processes.run("eval", "x", "--data", str(tmp_path))
    assert (done.returncode, "a.csv: this has `year` too" in done.stderr.decode()) == (1, True)
