"""Folders of files: links that lead in circles or nowhere."""

import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from pyarrow.fs import LocalFileSystem

from autodiff_cli.data.dataset.file_systems import files_below, files_matching
from autodiff_cli.data.dataset.output_folder import OutputFolder
from autodiff_cli.data.dataset.partitions import data_set
from autodiff_cli.errors import AutodiffError
from autodiff_cli.work_budget import TooMuchWorkError, WorkBudget

SYSTEM = LocalFileSystem()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.csv", "part/b.csv", "part/_SUCCESS", ".hidden/c.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x\n1\n")
    return tmp_path


def _names(root: Path, pattern: str = "") -> list[str]:
    found = files_matching(SYSTEM, f"{root}/{pattern}")[1] if pattern else files_below(SYSTEM, str(root))
    return [str(Path(file.path).relative_to(root)) for file in found]


def test_files_come_by_name_without_hidden_ones(folder: Path) -> None:
    assert _names(folder) == ["a.csv", "part/b.csv"]


def test_a_link_that_leads_back_is_followed_once(folder: Path) -> None:
    (folder / "part" / "again").symlink_to(folder)
    (folder / "self").symlink_to(".")
    assert _names(folder) == ["a.csv", "part/b.csv"]
    assert _names(folder, "**/*.csv") == ["a.csv", "part/b.csv"]


def test_a_link_to_another_folder_or_file_is_one_more(folder: Path) -> None:
    (folder / "other").symlink_to(folder / "part")
    (folder / "z.csv").symlink_to(folder / "a.csv")
    assert _names(folder) == ["a.csv", "other/b.csv", "part/b.csv", "z.csv"]


@pytest.mark.parametrize("pattern", ["", "*.csv", "**/*.csv"])
def test_a_link_to_nothing_is_an_error(folder: Path, pattern: str) -> None:
    (folder / "lost.csv").symlink_to("nowhere.csv")
    with pytest.raises(AutodiffError, match=r"lost\.csv` is a link to nothing"):
        _names(folder, pattern)


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("[a-b].csv", ["a.csv"]),
        ("[--~].csv", ["a.csv", "~.csv"]),
        ("[&&~~||].csv", ["~.csv"]),
        ("[!a--].csv", ["~.csv"]),
    ],
)
def test_characters_in_brackets_are_those_that_a_file_may_have(folder: Path, pattern: str, names: list[str]) -> None:
    (folder / "~.csv").write_text("x\n1\n")
    assert _names(folder, pattern) == names


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.csv", ["a.csv"]),
        ("?a.csv", []),
        ("[.]a.csv", []),
        ("**/*a.csv", ["a.csv"]),
        ("**.csv", ["a.csv", "part/b.csv"]),
        ("*/c.csv", []),
        ("**/.a.csv", [".a.csv"]),
        (".*.csv", [".a.csv"]),
        (".hidden/*.csv", [".hidden/c.csv"]),
        ("pa**/*.csv", ["part/b.csv"]),
    ],
)
def test_no_wildcard_matches_the_dot_that_hides_a_file(folder: Path, pattern: str, names: list[str]) -> None:
    (folder / ".a.csv").write_text("x\n1\n")
    assert _names(folder, pattern) == names


def test_a_link_to_nothing_that_is_not_asked_for_is_none(folder: Path) -> None:
    (folder / "lost.csv").symlink_to("nowhere.csv")
    assert _names(folder, "part/*.csv") == ["part/b.csv"]


@pytest.mark.parametrize(
    ("pattern", "found", "listed"),
    [
        ("*/*.csv", ["a/1.csv", "b/3.csv"], ["", "a", "b"]),
        ("[a]/*/*.csv", ["a/x/2.csv"], ["", "a", "a/x"]),
        ("?/x/**/*.csv", ["a/x/2.csv", "a/x/y/4.csv"], ["", "a", "a/x", "a/x/y", "b"]),
        ("**/4.csv", ["a/x/y/4.csv"], ["", "a", "a/x", "a/x/y", "b", "b/z"]),
        ("*z**.csv", [], [""]),
        ("[a**c]/x**.csv", ["a/x/2.csv", "a/x/y/4.csv"], ["", "a", "a/x", "a/x/y"]),
    ],
)
def test_only_folders_that_may_hold_what_matches_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, found: list[str], listed: list[str]
) -> None:
    for name in ("a/1.csv", "a/x/2.csv", "a/x/y/4.csv", "b/3.csv", "b/z/5.csv"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    seen: list[str] = []
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: seen.append(path) or listdir(path))
    assert _names(tmp_path, pattern) == found
    assert sorted(os.path.relpath(path, tmp_path).removeprefix(".") for path in seen) == listed


def test_files_that_are_looked_at_in_vain_are_work(folder: Path) -> None:
    with WorkBudget(1e-3):
        assert _names(folder, "") == ["a.csv", "part/b.csv"]
    with WorkBudget(0.0):
        with pytest.raises(TooMuchWorkError):
            _names(folder, "**/nothing.csv")
        (folder / "notes.dat").touch()
        with pytest.raises(TooMuchWorkError):
            _names(folder, "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the names of files are Unicode")
@pytest.mark.parametrize("name", [b"caf\xe9.csv", b"caf\xe9/a.csv"])
def test_a_name_that_is_not_utf_8_is_an_error(name: bytes, folder: Path) -> None:
    path = folder / os.fsdecode(name)
    path.parent.mkdir(exist_ok=True)
    path.touch()
    with pytest.raises(AutodiffError, match=r"the name `.*caf.*` is not UTF-8"):
        data_set(str(folder))
    with pytest.raises(AutodiffError, match=r"cannot write .*the name `.*caf.*` is not UTF-8"):
        OutputFolder(str(path))
