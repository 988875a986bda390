"""A folder of results that appears completely or not at all, however many machines write it.

On a file system the parts are written to a temporary folder beside it, which takes its name at the end; each part is
written under a name of its own and then renamed, so that a part that was begun twice appears once. An object store has
no renaming: a part is uploaded when it is complete, and `_SUCCESS` says at the end that all of them are there.
"""

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape, glob
from pathlib import PurePosixPath
from typing import BinaryIO

from pyarrow.fs import FileInfo, FileSelector, FileType

from ...errors import AutodiffError
from ...files import lock, remove_abandoned, without_credentials
from .file_systems import locate, reason_of, uploaded

MARKER = "_SUCCESS"
_LOCK = "lock"
_OBJECT_STORES = ("s3", "gcs", "abfs")


class OutputFolder:
    """A folder that parts are written to; it can be pickled, so that workers write their parts."""

    def __init__(self, path: str) -> None:
        """Raises AutodiffError for a folder that is not empty, and for one that cannot be made."""
        self._name = without_credentials(path)
        self._system, self._path = locate(path.rstrip("/") if "://" in path else os.path.realpath(path))
        self._has_renaming = self._system.type_name not in _OBJECT_STORES
        parent, _, name = self._path.rpartition("/")
        self._temporary = f"{parent}/.{name}-{secrets.token_hex(4)}"
        self._parts = f"{self._temporary}/parts" if self._has_renaming else self._path
        self._attempts = f"{self._temporary}/attempts"
        self._names: set[str] = set()
        self._lock: int | None = None  # an open file that is locked as long as this process needs the folder
        with self._errors_with_name():
            if self._system.get_file_info(self._path).type == FileType.File or self._entries(self._path):
                message = f"`{self._name}` holds something already"
                raise AutodiffError(message, hint="name a folder that is empty or does not exist yet")

    @contextmanager
    def _errors_with_name(self) -> Iterator[None]:
        """Raise errors of the file system as AutodiffError."""
        try:
            yield
        except OSError as error:
            raise AutodiffError(f"cannot write `{self._name}`: {reason_of(error)}") from None

    def _entries(self, path: str, recursive: bool = False) -> list[FileInfo]:
        return list(self._system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive)))

    def begin(self, names: Iterable[str]) -> None:
        """Make the folders for parts of these names; workers make none, so that they cannot write elsewhere."""
        self._names = set(names)
        if self._has_renaming:
            self._remove_abandoned()
            with self._errors_with_name():
                self._system.create_dir(self._temporary, recursive=False)
                if self._is_local:
                    self._lock = os.open(f"{self._temporary}/{_LOCK}", os.O_CREAT | os.O_RDWR, 0o600)
                    lock(self._lock)
                self._system.create_dir(self._attempts)
                for folder in {str(PurePosixPath(name).parent) for name in self._names}:
                    self._system.create_dir(f"{self._parts}/{folder}")

    @property
    def _is_local(self) -> bool:
        return str(self._system.type_name) == "local"

    def _remove_abandoned(self) -> None:
        """Remove the temporary folders of this name that processes left which were killed."""
        parent, _, name = self._path.rpartition("/")
        for folder in glob(f"{escape(parent)}/.{escape(name)}-{'[0-9a-f]' * 8}") if self._is_local else ():
            if remove_abandoned(f"{folder}/{_LOCK}"):
                shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def part(self, name: str) -> Iterator[BinaryIO]:
        """Open a file for writing; it takes this name when it is complete, and is removed where writing fails."""
        if not self._has_renaming:
            with uploaded(self._system, f"{self._parts}/{name}") as out:
                yield out
            return
        attempt = f"{self._attempts}/{secrets.token_hex(8)}"
        try:
            with self._system.open_output_stream(attempt) as out:
                yield out
            self._system.move(attempt, f"{self._parts}/{name}")
        except BaseException:
            with suppress(OSError):
                self._system.delete_file(attempt)
            raise

    @contextmanager
    def removed_on_error(self) -> Iterator[None]:
        """Where the block fails, remove what was written."""
        try:
            yield
        except BaseException:
            self._discard()
            raise

    def require_wanted(self) -> None:
        """Raise AutodiffError where the job was stopped, so that a worker does not go on in vain."""
        if self._has_renaming and self._system.get_file_info(self._attempts).type == FileType.NotFound:
            raise AutodiffError("the work was stopped")

    def finish(self, sizes: Mapping[str, int]) -> None:
        """Give the folder its name, when all parts are there with these sizes."""
        with self._errors_with_name():
            arrived = {
                file.path[len(self._parts) + 1 :]: file.size for file in self._entries(self._parts, recursive=True)
            }
            if wrong := sorted(name for name, size in sizes.items() if arrived.get(name) != size):
                message = f"`{wrong[0]}` did not arrive in `{self._name}` as it was written"
                raise AutodiffError(message, hint="all machines must see the same folder under the same name")
            if not self._has_renaming:
                with self._system.open_output_stream(f"{self._path}/{MARKER}"):
                    self._names = set()  # so that nothing is discarded any more
                return
            if os.path.isdir(self._path):
                os.rmdir(self._path)
            self._system.move(self._parts, self._path)
        self._discard()

    def _discard(self) -> None:
        """Remove the temporary folder, or the parts in an object store."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if not self._has_renaming:
            self._discard_objects()
            return
        for _ in range(10):  # a worker that does not know yet that the job was stopped may be writing
            with suppress(OSError):
                self._system.delete_dir(self._temporary)
                return

    def _discard_objects(self) -> None:
        for name in self._names:
            with suppress(OSError):
                self._system.delete_file(f"{self._path}/{name}")
        with suppress(OSError):
            left = self._entries(self._path, recursive=True)
            if "/" in self._path and all(entry.type == FileType.Directory for entry in left):
                self._system.delete_dir(self._path)
