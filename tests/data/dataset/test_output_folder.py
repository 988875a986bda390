"""Folders of results that are added to, and jobs that go on where they were stopped."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from places import ROOT

pytest.importorskip("pyarrow", reason="data files need PyArrow")
from pyarrow.fs import LocalFileSystem, SubTreeFileSystem

from autodiff_cli.data.dataset import output_folder
from autodiff_cli.data.dataset.finished_parts import FinishedParts
from autodiff_cli.data.dataset.output_folder import OutputFolder
from autodiff_cli.data.dataset.partition_task import PartitionResult
from autodiff_cli.data.dataset.partitions import Partition
from autodiff_cli.data.failed_rows import RowCounts
from autodiff_cli.errors import AutodiffError

pytestmark = pytest.mark.slow  # each test starts processes

KILLED = """
import os, signal, sys
from autodiff_cli.cli import main
from autodiff_cli.data.dataset.finished_parts import FinishedParts

add = FinishedParts.add

def add_and_end(self, result):
    add(self, result)
    os.kill(os.getpid(), signal.SIGKILL)

FinishedParts.add = add_and_end
main()
"""
"""the command line, which is killed when the first part is finished"""

STOPPED = """
import os, signal, sys
from autodiff_cli.cli import main
from autodiff_cli.data.dataset.output_folder import OutputFolder

unused = OutputFolder._unused

def unused_or_end(self, name, *given):
    if name.endswith("c.parquet"):
        {end}
    return unused(self, name, *given)

OutputFolder._unused = unused_or_end
sys.exit(main())
"""
"""the command line, which ends while it adds the third part"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in "abc":
        (tmp_path / "data" / "day=1").mkdir(parents=True, exist_ok=True)
        (tmp_path / "data" / "day=1" / f"{name}.csv").write_text(f"x,y\n1,{ord(name)}\n2,3\n")
    return tmp_path


def run(folder: Path, *words: str, program: Sequence[str] = ("-m", "autodiff_cli")) -> tuple[int, str]:
    command = [sys.executable, *program, "eval", *words, "--data", "data", "-o", "out", "--jobs", "1"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def waiting(folder: Path) -> list[Path]:
    """The parts that wait in a temporary folder."""
    return sorted(path for path in folder.glob(".out-*/parts/**/*") if path.is_file())


def test_parts_are_added_to_a_folder_and_replace_nothing(folder: Path) -> None:
    assert run(folder, "x*y", "--format", "csv") == (0, "")
    before = contents(folder / "out")
    code, message = run(folder, "x+y", "--format", "csv")
    assert (code, "`out` holds something already" in message, "--append" in message) == (1, True, True)
    assert run(folder, "x+y", "--format", "csv", "--append") == (0, "")
    assert run(folder, "x-y", "--format", "csv", "--append") == (0, "")
    after = contents(folder / "out")
    assert before.items() <= after.items()
    assert sorted(after) == sorted(f"day=1/{name}{number}.csv" for name in "abc" for number in ("", "-2", "-3"))
    assert after["day=1/b-2.csv"].startswith(b"x,y,value,grad_x,grad_y\n1,98,99,")


@pytest.mark.parametrize("name", ["parquet", "arrow", "csv"])
def test_other_programs_read_the_folder_by_the_name_of_its_format(folder: Path, name: str) -> None:
    dataset = pytest.importorskip("pyarrow.dataset", reason="this reads the folder as other programs do")
    assert run(folder, "x*y", "--format", name) == (0, "")
    table = dataset.dataset(folder / "out", format=name).to_table()
    assert sorted(table["value"].to_pylist()) == [6, 6, 6, 97, 98, 99]


def test_a_job_that_fails_adds_nothing(folder: Path) -> None:
    assert run(folder, "x*y") == (0, "")
    before = contents(folder / "out")
    (folder / "data" / "day=1" / "c.csv").write_text("x\n1\n")
    code, message = run(folder, "x*y", "--append")
    assert (code, "this lacks `y`" in message) == (1, True)
    assert contents(folder / "out") == before
    assert not [*folder.glob(".out-*")]


def test_one_file_can_be_added(folder: Path) -> None:
    assert run(folder, "x*y") == (0, "")
    command = [
        sys.executable,
        "-m",
        "autodiff_cli",
        "eval",
        "x*y",
        "--data",
        "data/day=1/a.csv",
        "-o",
        "out",
        "--append",
    ]
    assert subprocess.run(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=False).returncode == 0
    assert len(contents(folder / "out")) == 4


def test_a_job_that_an_error_stopped_goes_on_with_its_finished_parts(folder: Path) -> None:
    broken = folder / "data" / "day=1" / "c.csv"
    right = broken.read_text()
    broken.write_text("x\n1\n")
    assert run(folder, "x*y", "--resume")[0] == 1
    assert not (folder / "out").exists()
    first, second = waiting(folder)
    numbers = first.stat().st_ino, second.stat().st_ino
    broken.write_text(right)
    changed = folder / "data" / "day=1" / "b.csv"
    changed.write_text("x,y\n7,7\n")
    assert run(folder, "x*y", "--resume") == (0, "")
    assert not [*folder.glob(".out-*")]
    resumed = contents(folder / "out")
    assert (folder / "out" / "day=1" / first.name).stat().st_ino == numbers[0]
    (folder / "out").rename(folder / "resumed")
    assert run(folder, "x*y") == (0, "")
    assert contents(folder / "out") == resumed


def test_a_job_that_was_killed_goes_on_whether_or_not_it_was_to_be_resumed(folder: Path) -> None:
    assert run(folder, "x*y", program=("-c", KILLED))[0] == -9
    (first,) = waiting(folder)
    number = first.stat().st_ino
    (folder / "data" / "day=1" / "d.csv").write_text("x,y\n1,NA\n")
    code, message = run(folder, "x*y", "--resume")
    assert (code, "1 of 7 rows cannot be read" in message) == (1, True)
    assert (folder / "out" / "day=1" / first.name).stat().st_ino == number
    assert len(contents(folder / "out")) == 4


@pytest.mark.parametrize("words", [[], ["--resume"]])
def test_a_job_that_was_killed_while_its_parts_were_added_adds_each_once(folder: Path, words: list[str]) -> None:
    program = ("-c", STOPPED.format(end="os.kill(os.getpid(), signal.SIGKILL)"))
    assert run(folder, "x*y") == (0, "")
    assert run(folder, "x+y", "--append", program=program)[0] == -9
    assert len(contents(folder / "out")) == 5
    assert run(folder, "x+y", "--append", *words) == (0, "")
    assert sorted(contents(folder / "out")) == sorted(
        f"day=1/{name}{end}.parquet" for name in "abc" for end in ("", "-2")
    )
    assert not [*folder.glob(".out-*")]


@pytest.mark.parametrize("words", [[], ["--resume"]])
def test_an_error_while_parts_are_added_leaves_none_of_them(folder: Path, words: list[str]) -> None:
    assert run(folder, "x*y") == (0, "")
    before = contents(folder / "out")
    program = ("-c", STOPPED.format(end="raise OSError('the disk is full')"))
    code, message = run(folder, "x+y", "--append", *words, program=program)
    assert (code, "the disk is full" in message) == (1, True)
    assert contents(folder / "out") == before
    assert len(waiting(folder)) == 3 * len(words)
    assert run(folder, "x+y", "--append", *words) == (0, "")
    assert len(contents(folder / "out")) == 6


def test_a_folder_that_another_process_has_written_meanwhile_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    first, second = (OutputFolder(str(tmp_path / "out"), resumes=resumes) for resumes in (False, True))
    for store in (first, second):
        store.begin(["a.csv"])
        with store.part("a.csv") as out:
            out.write(b"x")
    first.finish({"a.csv": 1})
    with pytest.raises(AutodiffError, match="out` holds something already"), second.removed_on_error():
        second.finish({"a.csv": 1})
    assert [*tmp_path.iterdir()] == [tmp_path / "out"]


def test_rows_without_results_in_finished_parts_are_told_again(folder: Path) -> None:
    (folder / "data" / "day=1" / "a.csv").write_text("x,y\n1,NA\n2,3\n")
    plain = run(folder, "x*y")
    (folder / "out").rename(folder / "plain")
    assert run(folder, "x*y", program=("-c", KILLED))[0] == -9
    assert run(folder, "x*y", "--resume") == plain
    assert plain[0] == 1
    assert contents(folder / "out") == contents(folder / "plain")


def test_the_list_of_errors_is_that_of_all_parts_in_their_order(folder: Path) -> None:
    day = folder / "data" / "day=1"
    (day / "a.csv").write_text("x,y\n1,NA\n2,3\n")
    (day / "c.csv").write_text("x,y\n-1,2\n1,1\n")
    words = ["sqrt(x)*y", "--errors", "errors.csv", "--file-column", "file", "--format", "csv"]
    assert run(folder, *words, program=("-c", KILLED))[0] == -9
    assert not (folder / "errors.csv").exists()
    assert run(folder, *words, "--resume")[0] == 1
    lines = (folder / "errors.csv").read_text().splitlines()
    assert lines[:2] == ["file,line,error", "data/day=1/a.csv,2,\"column `y` holds 'NA', which is not a number\""]
    assert len(lines) == 3 and lines[2].startswith('data/day=1/c.csv,2,"the result is not finite')
    assert [line.split(",")[-1] for line in (folder / "out/day=1/c.csv").read_text().splitlines()] == [
        "file",
        *["data/day=1/c.csv"] * 2,
    ]
    assert not [*folder.glob(".out-*")]


def test_another_job_does_not_go_on_with_the_parts_and_removes_them(folder: Path) -> None:
    assert run(folder, "x*y", program=("-c", KILLED))[0] == -9
    assert run(folder, "x+y", "--resume") == (0, "")
    assert not [*folder.glob(".out-*")]
    resumed = contents(folder / "out")
    (folder / "out").rename(folder / "resumed")
    assert run(folder, "x+y") == (0, "")
    assert contents(folder / "out") == resumed


def test_parts_of_files_that_are_gone_do_not_arrive(folder: Path) -> None:
    assert run(folder, "x*y", program=("-c", KILLED))[0] == -9
    (folder / "data" / "day=1" / "a.csv").unlink()
    assert run(folder, "x*y", "--resume") == (0, "")
    assert sorted(contents(folder / "out")) == ["day=1/b.parquet", "day=1/c.parquet"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["eval", "x", "--data", "data/day=1/a.csv", "--resume"], "`--resume` is for a folder of results"),
        (["eval", "x", "--data", "data", "--reduce", "sum", "--append"], "`--append` does not go with --reduce"),
        (["eval", "x", "--over", "x=0:1:0.5", "--append", "-o", "out"], "`--append` is for --data"),
        (["eval", "x", "--set", "x=1", "--resume"], "`--resume` is for --data"),
        (["eval", "x", "--data", "-", "--append", "-o", "out"], "`--append` needs a file or folder"),
    ],
)
def test_what_is_no_folder_is_refused(folder: Path, words: list[str], message: str) -> None:
    command = [sys.executable, "-m", "autodiff_cli", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, input="", check=False)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_a_row_that_stops_the_job_is_named_with_its_file_once(folder: Path) -> None:
    (folder / "data" / "day=1" / "b.csv").write_text("x,y\n1,NA\n")
    code, message = run(folder, "x*y", "--strict")
    assert (code, message) == (1, "error: data/day=1/b.csv: line 2: column `y` holds 'NA', which is not a number\n")


def test_a_mistake_in_an_option_is_blamed_on_no_file(folder: Path) -> None:
    code, message = run(folder, "x*y", "--map", "x=y", "y=y")
    assert (code, message.splitlines()[0]) == (2, "error: a column is mapped to two names")


def test_names_of_parts_may_be_long_and_of_any_alphabet(folder: Path) -> None:
    long = folder / "data" / "day=1" / ("地域" * 20) / ("都市" * 20)
    long.mkdir(parents=True)
    (long / "b.csv").write_text("x,y\n1,NA\n")
    assert run(folder, "x*y", "--errors", "errors.csv")[0] == 1
    assert len((folder / "errors.csv").read_text(encoding="utf-8").splitlines()) == 2


def test_parts_that_are_added_to_an_object_store_have_names_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output_folder, "_OBJECT_STORES", ("local",))  # a folder here in the place of a store
    (tmp_path / "a.csv").write_text("before")
    names = ["a.csv", "a-2.csv"]
    store = OutputFolder(str(tmp_path), append=True)
    store.begin(names)
    for name in names:
        with store.part(name) as out:
            out.write(name.encode())
    store.finish({name: len(name) for name in names})
    assert {path.read_text() for path in tmp_path.glob("*.csv")} == {"before", *names}


def test_an_empty_folder_elsewhere_is_replaced_and_none_of_that_name_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, here = tmp_path / "elsewhere", tmp_path / "here"
    for place in (elsewhere, here):
        (place / "top" / "out").mkdir(parents=True)
    system = SubTreeFileSystem(str(elsewhere), LocalFileSystem())
    monkeypatch.setattr(output_folder, "locate", lambda path: (system, "top/out"))
    monkeypatch.chdir(here)
    folder = OutputFolder("hdfs://host/top/out")
    folder.begin(["a.csv"])
    with folder.part("a.csv") as out:
        out.write(b"x")
    folder.finish({"a.csv": 1})
    assert contents(elsewhere) == {"top/out/a.csv": b"x"}
    assert (here / "top" / "out").is_dir()


def test_a_record_that_is_cut_off_spoils_none_that_follows(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    parts = [Partition(name, name, "csv", name, 0) for name in "abc"]
    record = FinishedParts(str(tmp_path), "job")
    record.begin()
    for part in parts:
        (tmp_path / "parts" / part.target).touch()
        record.add(PartitionResult(part, RowCounts(1), []))
        if part is parts[0]:
            path = tmp_path / "finished.jsonl"
            path.write_bytes(path.read_bytes()[:-9])
    assert record.is_of_this_job()
    assert [result.partition for result in record.results(parts)] == parts[1:]


def test_a_part_on_record_without_its_counts_is_not_finished(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a").touch()
    part, record = Partition("a", "a", "csv", "a", 0), FinishedParts(str(tmp_path), "job")
    record.add(PartitionResult(part, RowCounts(1), []))
    path = tmp_path / "finished.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"counts"', '"rows"'), encoding="utf-8")
    assert list(record.results([part])) == []
