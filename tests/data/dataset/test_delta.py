"""Folders that are Delta tables: rows that were overwritten do not come back."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
deltalake = pytest.importorskip("deltalake", reason="needs deltalake to write a table")
import pyarrow
from processes import run

from autodiff_cli.data.dataset.partitions import table_files
from autodiff_cli.errors import MISSING_PACKAGE, AutodiffError


def _table(folder: Path, *versions: list[float]) -> None:
    for numbers in versions:
        deltalake.write_deltalake(folder, pyarrow.table({"x": numbers}), mode="overwrite")


@pytest.mark.parametrize("pattern", ["", "*.parquet"])
def test_only_the_latest_version_is_read(tmp_path: Path, pattern: str) -> None:
    _table(tmp_path / "a b", [1.0, 2.0], [5.0, 6.0])
    deltalake.write_deltalake(tmp_path / "a b", pyarrow.table({"x": [7.0]}), mode="append")
    done = run("eval", "x^2", "--data", f"{tmp_path}/a b/{pattern}", "--format", "csv", "--no-inputs", "--of", "x")
    assert sorted(done.stdout.decode().split()[1:]) == ["5,1", "6,1", "7,1"], done.stderr


def test_what_stands_in_the_log_alone_is_refused(tmp_path: Path) -> None:
    vectors = {"delta.enableDeletionVectors": "true"}
    deltalake.write_deltalake(tmp_path / "vectors", pyarrow.table({"x": [1.0]}), configuration=vectors)
    with pytest.raises(AutodiffError, match="marked as deleted"):
        table_files(str(tmp_path / "vectors"))


def test_the_columns_of_its_partitions_are_in_the_names_of_folders(tmp_path: Path) -> None:
    kinds = pyarrow.table({"x": [1.0, 2.0], "kind": ["u", "v w"]})
    deltalake.write_deltalake(tmp_path, kinds, partition_by=["kind"])
    files = table_files(str(tmp_path))
    assert [file.folders["kind"].as_py() for file in files] == ["u", "v w"]


def test_a_table_that_is_not_whole_is_an_error(tmp_path: Path) -> None:
    _table(tmp_path / "gone", [1.0])
    next((tmp_path / "gone").glob("*.parquet")).unlink()
    (tmp_path / "empty" / "_delta_log").mkdir(parents=True)
    for name in ("gone", "empty"):
        with pytest.raises(AutodiffError, match="not a whole Delta table"):
            table_files(str(tmp_path / name))


def test_without_the_package_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _table(tmp_path, [1.0], [2.0])
    monkeypatch.setitem(sys.modules, "deltalake", None)
    with pytest.raises(AutodiffError, match="rows that were overwritten would come back") as caught:
        table_files(str(tmp_path))
    assert caught.value.code == MISSING_PACKAGE
