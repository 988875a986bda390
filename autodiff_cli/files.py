"""Files that are written whole or not at all, and files and pipes that are read, with errors that name them."""

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from .errors import AutodiffError

_FATAL = ("SIGTERM", "SIGHUP")


def write_whole(path: str, data: bytes) -> None:
    """Write a file; where that fails, what was there before is still there.

    A pipe or a device is written to as it is. Raises AutodiffError with the reason.
    """
    with whole(path) as file:
        file.write(data)


@contextmanager
def whole(path: str) -> Iterator[BinaryIO]:
    """A file to be written to, which appears when the block ends well; else what was there before is still there.

    A pipe or a device is written to as it is. Raises AutodiffError with the reason.
    """
    if is_stream(path):
        with _told("write", path):
            device = io.BufferedWriter(_Raw(path, "wb", path))
        with device:
            yield device
    else:
        with ended_well(), _replaced(path) as file:
            yield file


def is_stream(path: str) -> bool:
    """Is it a pipe or a device?"""
    with suppress(OSError, ValueError):
        return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    return False


def source(path: str) -> io.BufferedReader:
    """A file that is read, or standard input for `-`. Raises AutodiffError with the reason, now or while reading."""
    if path == "-":
        return io.BufferedReader(_Raw(0, "rb", "standard input", closefd=False))
    with _told("read", path):
        if os.path.isdir(path):
            raise OSError("it is a folder")
        return io.BufferedReader(_Raw(path, "rb", path))


class _Raw(io.FileIO):
    """A file whose errors are those of this program, wherever in another library they come up."""

    def __init__(self, file: str | int, mode: str, shown: str, closefd: bool = True) -> None:
        super().__init__(file, mode, closefd=closefd)
        self._shown = shown

    def readinto(self, buffer: Any) -> int | None:
        with _told("read", self._shown):
            return super().readinto(buffer)

    def write(self, data: Any) -> int:
        with _told("write", self._shown):
            return super().write(data)


@contextmanager
def _told(what: str, path: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AutodiffError(f"cannot {what} `{path}`: {reason[:1].lower()}{reason[1:]}") from None


@contextmanager
def _replaced(shown: str) -> Iterator[BinaryIO]:
    """A temporary file beside the path, which takes its place at the end."""
    import tempfile

    with _told("write", shown):
        path = os.path.realpath(shown)
        if os.path.isdir(path):
            raise OSError("it is a folder")
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OSError("permission denied")
        handle, temporary = tempfile.mkstemp(prefix=".autodiff-", dir=os.path.dirname(path))
    file = io.BufferedWriter(_Raw(handle, "wb", shown))
    try:
        yield file
        with _told("write", shown):
            file.close()
            os.chmod(temporary, _mode(path))
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError, AutodiffError):
            file.close()
        with suppress(OSError):
            os.unlink(temporary)
        raise


@contextmanager
def ended_well() -> Iterator[None]:
    """Let a signal that ends the process end the block first, so that nothing of it is left."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _FATAL if hasattr(signal, name)]
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, frame: object) -> None:
    raise SystemExit(128 + number)


def _mode(path: str) -> int:
    """The permissions of the file that is replaced; those of a new file where there is none."""
    with suppress(OSError):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
