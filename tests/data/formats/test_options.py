"""Options for writing: compression within Parquet and Arrow files and of whole text files, and row groups."""

import gzip
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from places import ROOT
from processor_time import within

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import pyarrow
from pyarrow import ipc, parquet

from autodiff_cli import file_extensions
from autodiff_cli.data import formats
from autodiff_cli.data.formats.registry import CODECS

pytestmark = pytest.mark.slow  # each test starts processes
ROWS = b"x\n" + b"".join(b"%d\n" % row for row in range(1000))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.csv").write_bytes(ROWS)
    (tmp_path / "many").mkdir()
    for name in ("a.csv", "b.csv.gz"):
        (tmp_path / "many" / name).write_bytes(gzip.compress(ROWS) if name.endswith("gz") else ROWS)
    return tmp_path


def run(folder: Path, *words: str) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "autodiff_cli", "eval", "x^2", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
def test_parquet_has_the_compression_and_the_row_groups_that_are_asked_for(folder: Path, codec: str) -> None:
    done = run(folder, "--data", "x.csv", "-o", "y.parquet", "--compression", codec, "--row-group-size", "300")
    assert done.returncode == 0, done.stderr
    metadata = parquet.read_metadata(folder / "y.parquet")
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    assert [group.num_rows for group in groups] == [300, 300, 300, 100]
    expected = {"none": "UNCOMPRESSED"}.get(codec, codec.upper())
    assert {group.column(0).compression for group in groups} == {expected}


def test_arrow_files_are_compressed_within(folder: Path) -> None:
    for codec in ("none", "zstd", "lz4"):
        assert run(folder, "--data", "x.csv", "-o", f"{codec}.arrow", "--compression", codec).returncode == 0
        with ipc.open_file(pyarrow.memory_map(str(folder / f"{codec}.arrow"))) as file:
            assert file.read_all()["value"].to_pylist() == [float(row) ** 2 for row in range(1000)]
    assert (folder / "zstd.arrow").stat().st_size < (folder / "none.arrow").stat().st_size


def test_text_on_a_pipe_is_compressed_as_asked(folder: Path) -> None:
    plain = run(folder, "--data", "x.csv").stdout
    assert gzip.decompress(run(folder, "--data", "x.csv", "--compression", "gzip").stdout) == plain


@pytest.mark.parametrize(
    ("words", "extension"),
    [
        (["--format", "csv"], ".csv"),
        (["--format", "tsv", "--compression", "gzip"], ".tsv.gz"),
        (["--json", "--compression", "zstd"], ".jsonl.zst"),
        (["--format", "arrow", "--compression", "lz4"], ".arrow"),
        (["--compression", "zstd"], ".parquet"),
    ],
)
def test_a_folder_has_files_of_the_format_that_is_asked_for(folder: Path, words: list[str], extension: str) -> None:
    done = run(folder, "--data", "many", "-o", "out", *words)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (folder / "out").iterdir()) == [f"a{extension}", f"b{extension}"]
    again = run(folder, "--data", "out", "--columns", "value", "--prefix", "second_", "--format", "csv", "--wrt", "x")
    once = run(folder, "--data", "many", "--columns", "x", "--format", "csv")
    values = [line.split(b",")[0] for line in again.stdout.splitlines()[1:]]
    assert list(map(float, values)) == [float(line.split(b",")[1]) for line in once.stdout.splitlines()[1:]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--data", "x.csv", "-o", "y.csv.gz", "--compression", "zstd"], "hint: write -o y.csv.zst"),
        (["--data", "x.csv", "-o", "y.csv", "--compression", "xz"], "hint: write -o y.csv.xz"),
        (["--data", "x.csv", "-o", "y.csv.gz", "--compression", "none"], "hint: write -o y.csv,"),
        (["--data", "x.csv", "-o", "y.parquet", "--compression", "xz"], "parquet cannot be compressed with xz"),
        (["--data", "x.csv", "--compression", "snappy"], "csv cannot be compressed with snappy"),
        (["--data", "x.csv", "--row-group-size", "5"], "only Parquet has row groups, and this is csv"),
        (["--data", "x.csv", "--format", "table", "--compression", "gzip"], "`--compression` is for what programs"),
        (["--data", "x.csv", "--reduce", "sum", "--compression", "gzip"], "does not go with --reduce"),
        (["--set", "x=1", "--row-group-size", "5"], "`--row-group-size` is for --data and --over"),
        (["--data", "many", "-o", "out", "--format", "table"], "the files of a folder cannot be table"),
        (["--data", "many", "-o", "out", "--format", "csv", "--compression", "brotli"], "csv cannot be compressed"),
    ],
)
def test_what_a_format_does_not_have_is_refused(folder: Path, words: list[str], message: str) -> None:
    done = run(folder, *words)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert sorted(path.name for path in folder.iterdir()) == ["many", "x.csv"]


def test_every_compression_of_a_file_has_an_extension() -> None:
    for codec, extension in ((codec, file_extensions.recompressed("a.csv.gz", codec)) for codec in CODECS):
        assert file_extensions.compression_of(extension) in (codec, None)
    assert file_extensions.recompressed("a.csv.gz", None) == "a.csv"


def test_numbers_that_repeat_have_a_dictionary_and_others_none(folder: Path) -> None:
    table = pyarrow.table({"x": [float(row % 7) for row in range(1000)], "s": ["a"] * 1000, "l": [["b"]] * 1000})
    parquet.write_table(table, folder / "x.parquet")
    assert run(folder, "--data", "x.parquet", "--wrt", "x", "-o", "y.parquet").returncode == 0
    (folder / "z.csv").write_text("x\n" + "".join(f"{row}\n" for row in range(1000)))
    assert run(folder, "--data", "z.csv", "-o", "z.parquet").returncode == 0
    for name, expected in (("y", [True] * 5), ("z", [False] * 3)):
        group = parquet.read_metadata(folder / f"{name}.parquet").row_group(0)
        assert [group.column(place).has_dictionary_page for place in range(group.num_columns)] == expected
    assert parquet.read_table(folder / "y.parquet").select(["x", "s", "l"]).equals(table)


def test_a_row_that_waits_for_its_row_group_is_counted_once() -> None:
    schema = pyarrow.schema([("x", pyarrow.float64())])
    source = SimpleNamespace(names=["x"], schema=schema, format="arrow")
    writer = formats.writer("parquet", io.BytesIO(), formats.Destination(source, ["x"], [], []))  # type: ignore[arg-type]
    row = pyarrow.table({"x": [1.0]}, schema)
    with within(10):  # a look at all that wait for each of them takes minutes
        for _ in range(20_000):
            writer.append(row)


def test_pandas_is_not_imported(folder: Path) -> None:
    (folder / "pandas.py").write_text("raise RuntimeError('pandas is imported')")
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    for words in (["-o", "y.parquet"], []):
        command = [sys.executable, "-m", "autodiff_cli", "eval", "x^2", "--data", "x.csv", *words]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
