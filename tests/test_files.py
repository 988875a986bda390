"""Files that are written completely or not at all."""

import os
from pathlib import Path

import pytest

from autodiff_cli import AutodiffError, files


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out"
    for data in (b"first", b"the second"):
        files.write_file(str(path), data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="permissions are those of POSIX")
def test_a_file_has_the_permissions_of_any_other_or_those_that_it_had(tmp_path: Path) -> None:
    path, other = tmp_path / "out", tmp_path / "other"
    other.touch()
    files.write_file(str(path), b"new")
    assert path.stat().st_mode == other.stat().st_mode
    path.chmod(0o640)
    files.write_file(str(path), b"newer")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "out", tmp_path / "link"
    path.touch()
    link.symlink_to(path)
    files.write_file(str(link), b"data")
    assert link.is_symlink()
    assert path.read_bytes() == b"data"


def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")

    def full(source: str, target: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(AutodiffError, match=r"cannot write `.*`: no space left on device"):
        files.write_file(str(path), b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name == "nt", reason="locks are those of POSIX")
def test_no_other_process_removes_a_file_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, permissions = tmp_path / "out", os.chmod

    def while_another_one_writes(temporary: str, mode: int) -> None:
        assert not files.remove_abandoned(temporary)
        permissions(temporary, mode)

    monkeypatch.setattr(os, "chmod", while_another_one_writes)
    files.write_file(str(path), b"data")
    assert path.read_bytes() == b"data"
    left = tmp_path / ".autodiff-left"
    left.touch()
    assert files.remove_abandoned(str(left))


@pytest.mark.parametrize("name", ["", ".", "nowhere/out", "a\0b"])
def test_a_place_that_cannot_be_written_to_is_an_error(name: str, tmp_path: Path) -> None:
    with pytest.raises(AutodiffError, match=r"cannot write"):
        files.write_file(str(tmp_path / name) if name else "", b"data")


@pytest.mark.skipif(os.name == "nt", reason="devices are those of POSIX")
def test_a_device_is_written_to_as_it_is() -> None:
    files.write_file("/dev/null", b"data")
    assert not Path("/dev/null").is_file()


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="only Linux has these names")
@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "a link"])
def test_an_open_stream_is_written_to_where_it_is(name: str, tmp_path: Path) -> None:
    path, link = tmp_path / "log", tmp_path / "link"
    path.write_bytes(b"precious\n")
    with path.open("ab") as stream:
        link.symlink_to(f"/dev/fd/{stream.fileno()}")
        files.write_file(str(link) if name == "a link" else name.format(stream.fileno()), b"more\n")
        stream.write(b"and more\n")
    assert path.read_bytes() == b"precious\nmore\nand more\n"


def test_a_stream_that_is_not_open_cannot_be_written() -> None:
    with pytest.raises(AutodiffError, match=r"cannot write `/dev/fd/999`"):
        files.write_file("/dev/fd/999", b"data")


def test_a_file_appears_when_all_of_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with files.open_for_writing(str(path)) as file:
        file.write(b"one ")
        assert not path.exists()
        file.write(b"two")
    assert path.read_bytes() == b"one two"


def test_an_error_between_two_writes_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"before")
    with pytest.raises(ZeroDivisionError), files.open_for_writing(str(path)) as file:
        file.write(b"%d" % (file.write(b"after") // 0))
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(AutodiffError, match=r"cannot read `.*nowhere`: no such file or directory"):
        files.open_for_reading(str(tmp_path / "nowhere"))
    with pytest.raises(AutodiffError, match=r"cannot read `.*`: it is a folder"):
        files.open_for_reading(str(tmp_path))
