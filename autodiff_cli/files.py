"""Writing files completely or not at all, and reading files and pipes; errors name the file."""

import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from .errors import AutodiffError, uncapitalized

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

_TEMPORARY = r"\.autodiff-[a-z0-9_]{8}\.tmp"  # the names of temporary files, as `tempfile` makes them
_FATAL_SIGNALS = ("SIGTERM", "SIGHUP", "SIGQUIT")
_MOST_LINKS = 40  # symbolic links that are followed from one to the next


def write_file(path: str, data: bytes) -> None:
    """Write a file; if that fails, the file that was there before remains.

    An open stream, such as /dev/stdout, a pipe or a device is written to directly. Raises AutodiffError with the
    reason.
    """
    with open_for_writing(path) as file:
        file.write(data)


@contextmanager
def open_for_writing(path: str) -> Iterator[BinaryIO]:
    """Open a file that appears when the block ends without an error; otherwise what was there before remains.

    An open stream, such as /dev/stdout, a pipe or a device is written to directly. Raises AutodiffError with the
    reason.
    """
    stream = _open_stream(path)
    if stream is not None:
        with _errors_about("write", path):
            sys.stdout.flush()
            copy = io.BufferedWriter(_NamedFile(os.dup(stream), "wb", path))
        with copy:
            yield copy
    elif is_pipe_or_device(path):
        with _errors_about("write", path):
            device = io.BufferedWriter(_NamedFile(path, "wb", path))
        with device:
            yield device
    else:
        with exit_on_signals(), _replacement(path) as file:
            yield file


def _open_stream(path: str) -> int | None:
    """The number of the open stream that a path names: 1 for /dev/stdout and /dev/fd/1; None for any other path."""
    with suppress(OSError, ValueError):
        streams = ("/dev/fd", os.path.realpath("/proc/self/fd"))
        for _ in range(_MOST_LINKS):
            folder, name = os.path.split(path)
            if name.isdecimal() and os.path.realpath(folder) in streams:
                return int(name)
            path = os.path.join(folder, os.readlink(path))  # an error if it is not a link
    return None


def is_url(path: str) -> bool:
    """Whether this is a URL rather than the path of a file on this machine."""
    return "://" in path


def without_credentials(path: str) -> str:
    """A path, or a URL without the credentials that it may contain."""
    return re.sub("://[^/]*@", "://", path.split("?")[0]) if is_url(path) else path


def is_pipe_or_device(path: str) -> bool:
    """Whether the path exists and is neither a regular file nor a folder."""
    with suppress(OSError, ValueError):
        return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    return False


def open_for_reading(path: str) -> io.BufferedReader:
    """Open a file, or standard input for `-`. Raises AutodiffError with the reason, here or while it is read."""
    with _errors_about("read", "standard input" if path == "-" else path):
        if path == "-":
            if sys.stdin is None:  # its number may by now be that of another file
                raise OSError("it is closed")
            return io.BufferedReader(_NamedFile(0, "rb", "standard input", closefd=False))
        if os.path.isdir(path):
            raise OSError("it is a folder")
        return io.BufferedReader(_NamedFile(path, "rb", path))


class _NamedFile(io.FileIO):
    """A file that raises AutodiffError with its name, even if another library reads or writes it."""

    def __init__(self, file: str | int, mode: str, shown: str, closefd: bool = True) -> None:
        super().__init__(file, mode, closefd=closefd)
        self._shown = shown

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        with _errors_about("read", self._shown):
            return super().readinto(buffer)

    def write(self, data: "ReadableBuffer") -> int:
        with _errors_about("write", self._shown):
            return super().write(data)


@contextmanager
def _errors_about(verb: str, path: str) -> Iterator[None]:
    """Raise errors of the operating system as AutodiffError: cannot read, or write, the path."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AutodiffError(f"cannot {verb} `{path}`: {uncapitalized(reason)}") from None


@contextmanager
def _replacement(shown: str) -> Iterator[BinaryIO]:
    """A temporary file in the same folder, which is renamed to the path at the end of the block."""
    with _errors_about("write", shown):
        path = os.path.realpath(shown)
        if not os.path.basename(shown) or os.path.isdir(path):
            raise OSError("it is a folder" if shown else "the name is empty")
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OSError("permission denied")
        handle, temporary = _temporary_file(os.path.dirname(path))
    file = io.BufferedWriter(_NamedFile(handle, "wb", shown))
    try:
        yield file
        with _errors_about("write", shown), _locked_on(handle):
            file.close()
            os.chmod(temporary, _permissions(path))
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError, AutodiffError):
            file.close()
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _temporary_file(folder: str) -> tuple[int, str]:
    """A new file in the folder, open and locked; what processes that were killed have left there is removed."""
    import tempfile

    for name in os.listdir(folder):
        if re.fullmatch(_TEMPORARY, name):
            remove_abandoned(os.path.join(folder, name))
    while True:
        handle, path = tempfile.mkstemp(prefix=".autodiff-", suffix=".tmp", dir=folder)
        lock(handle, wait=True)
        if os.fstat(handle).st_nlink:
            return handle, path
        os.close(handle)  # another process took it for abandoned before it was locked


def remove_abandoned(path: str) -> bool:
    """Remove a temporary file unless a running process has locked it; return whether it was removed."""
    with suppress(OSError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            if lock(handle):
                os.unlink(path)
                return True
        finally:
            os.close(handle)
    return False


def lock(handle: int, *, wait: bool = False) -> bool:
    """Lock an open file until it is closed or the process ends; return whether that was possible.

    It is not if another process has locked the file and this does not `wait` for it, or if there are no locks.
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


@contextmanager
def _locked_on(handle: int) -> Iterator[None]:
    """Within the block, an open file stays locked even when it is closed."""
    if os.name == "nt":  # has no such locks, and renames no file that is open
        yield
        return
    copy = os.dup(handle)
    try:
        yield
    finally:
        os.close(copy)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Within the block, a signal that would end the process raises SystemExit, so that unfinished work is undone."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in _FATAL_SIGNALS if hasattr(signal, name)]
    handled = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _exit)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _exit(signal_number: int, frame: object) -> None:
    raise SystemExit(128 + signal_number)


def _permissions(path: str) -> int:
    """The permissions of the file at the path, or those of a new file if there is none."""
    with suppress(OSError):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
