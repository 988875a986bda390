"""Disks that are full, folders that are not there, processes that are killed: a whole file or the one before."""

import io
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from processes import AUTODIFF

from autodiff_cli import cli

resource = pytest.importorskip("resource", reason="limits are those of POSIX")

pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)  # a process that ends with an error leaves it to the system to close what it reads
JOBS = [
    ("eval", "x*y", "--set", "x=1", "y=2", "-o", "out.json"),
    ("eval", "x*y", "--data", "data.csv", "-o", "out.csv"),
    ("eval", "x*y", "--data", "data.csv", "-o", "out.csv.gz"),
    ("eval", "x*y", "--data", "data.csv", "-o", "out.parquet"),
    ("eval", "x*y", "--data", "data.csv", "-o", "out.arrow"),
    ("eval", "x*y", "--over", "x=0:9:1", "y=0:9:1", "-o", "out.jsonl"),
    ("eval", "--each", "-f", "formulas.txt", "--set", "x=1", "-o", "out.txt"),
    ("diff", "x*y", "-o", "out.expr"),
    ("export", "x*y", "-o", "out.c"),
    ("explain", "x*y", "--set", "x=1", "y=2", "-o", "out.md"),
    ("explain", "x*y", "--set", "x=1", "y=2", "--html", "out.html"),
    ("taylor", "exp(x)", "--at", "0", "-o", "out.tsv"),
    ("check", "x*y", "--set", "x=1", "y=2", "-o", "out.json"),
    ("verify", "x^2", "2*x", "--wrt", "x", "-o", "out.json"),
    ("functions", "-o", "out.txt"),
    ("graph", "x*y", "-o", "out.dot"),
]
FILES = {"data.csv": "x,y\n" + "1.5,2\n" * 50, "formulas.txt": "x^2\nsin(x)\n"}
every_job = pytest.mark.parametrize("words", JOBS, ids=lambda words: f"{words[0]} {words[-1]}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data, in which the jobs run."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ended(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Run a command in this process: its exit code, and what it says on standard error."""
    error = io.StringIO()
    monkeypatch.setattr(sys, "argv", ["autodiff", *words])
    monkeypatch.setattr(sys, "stderr", error)
    return cli.run(), error.getvalue()


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.slow
@every_job
def test_a_disk_that_is_full_at_any_byte_leaves_what_was_there(
    words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ended(words, monkeypatch) == (0, "")
    out = folder / words[-1]
    whole = out.read_bytes()
    sizes = {0, 1, len(whole) - 1, *random.Random(0).sample(range(len(whole)), min(len(whole), 12))}
    for size in sizes:
        out.write_bytes(b"before")
        with largest_file(size):
            answer = ended(words, monkeypatch)
        assert answer == (1, f"error: cannot write `{out.name}`: file too large\n"), size
        assert sorted(os.listdir(folder)) == sorted([*FILES, out.name])
        assert out.read_bytes() == b"before"
    with largest_file(len(whole)):
        assert ended(words, monkeypatch) == (0, "")
    assert out.read_bytes() == whole or out.suffix == ".gz"  # which holds the time


@every_job
def test_a_folder_that_is_not_there_or_takes_no_files_is_named(
    words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"nowhere/": "no such file or directory", "data.csv/": "not a directory"}
    if os.path.isdir("/proc/self"):
        places["/proc/self/"] = ""  # each system has its own reason
    for place, reason in places.items():
        code, error = ended((*words[:-1], place + words[-1]), monkeypatch)
        assert code == 1
        assert error.startswith(f"error: cannot write `{place}{words[-1]}`: {reason}")
        assert error.count("\n") == 1
    assert sorted(os.listdir(folder)) == sorted(FILES)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@every_job
def test_standard_output_that_is_full_is_an_error_of_one_line(words: tuple[str, ...], folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*AUTODIFF, *words[:-2]], stdout=full, stderr=subprocess.PIPE, timeout=300)
    expected = (1, b"error: the result cannot be written: no space left on device\n")
    if words[0] == "export":
        assert done.returncode == 2, "the language is told by the name of the file"
    else:
        assert (done.returncode, done.stderr) == expected


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_list_of_errors_without_room_leaves_no_results(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("eval", "x/y", "--over", "x=0:1:1", "y=1:2:1", "--errors", "/dev/full", "-o", "out.csv")
    assert ended(words, monkeypatch) == (1, "error: cannot write `/dev/full`: no space left on device\n")
    assert sorted(os.listdir(folder)) == sorted(FILES)


def test_a_folder_without_room_is_named_and_not_its_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "in").mkdir()
    (folder / "data.csv").rename(folder / "in" / "data.csv")
    for format_ in (("csv",), ("parquet",), ("parquet", "--row-group-size", "20")):
        words = ("eval", "x*y", "--data", "in", "-o", "out", "--format", *format_)
        with largest_file(100):
            assert ended(words, monkeypatch) == (1, "error: cannot write `out`: file too large\n")


def test_temporary_files_of_processes_that_are_gone_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    abandoned, held = folder / ".autodiff-abandon1.tmp", folder / ".autodiff-held_by1.tmp"
    abandoned.write_bytes(b"half")
    fcntl = pytest.importorskip("fcntl")
    with held.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert ended(("diff", "x^2", "-o", "out"), monkeypatch) == (0, "")
        assert sorted(os.listdir(folder)) == sorted([*FILES, held.name, "out"])
    assert ended(("diff", "x^2", "-o", "out"), monkeypatch) == (0, "")
    assert sorted(os.listdir(folder)) == sorted([*FILES, "out"])


@pytest.mark.parametrize("name", [".autodiff-notes.md", ".autodiff-settings", ".autodiff-12345678.tmp.gz"])
def test_a_file_of_the_users_with_a_similar_name_is_kept(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / name).write_bytes(b"notes")
    assert ended(("diff", "x^2", "-o", "out"), monkeypatch) == (0, "")
    assert (folder / name).read_bytes() == b"notes"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_a_process_that_is_killed_200_times_leaves_the_old_file_or_the_new_one(folder: Path) -> None:
    command = [*AUTODIFF, "eval", "sin(x)", "--over", "x=0:100000:1", "--jobs", "1", "-o", "out.csv"]
    start = time.monotonic()
    subprocess.run(command, check=True)
    seconds = time.monotonic() - start
    new = (folder / "out.csv").read_bytes()
    chance, seen = random.Random(1), {"old": 0, "new": 0, "half": 0}
    for _ in range(200):
        (folder / "out.csv").write_bytes(b"old")
        process = subprocess.Popen(command)
        time.sleep(chance.uniform(0, 1.1 * seconds))
        process.send_signal(signal.SIGKILL)
        process.wait()
        content = (folder / "out.csv").read_bytes()
        assert content in (b"old", new)
        seen["new" if content == new else "old"] += 1
        seen["half"] += len(list(folder.glob(".autodiff-*")))
        assert len(list(folder.glob(".autodiff-*"))) <= 2, "what the last one left was removed by this one"
    assert seen["old"] and seen["half"], seen
    subprocess.run(command, check=True)
    assert sorted(os.listdir(folder)) == sorted([*FILES, "out.csv"])
    assert (folder / "out.csv").read_bytes() == new
