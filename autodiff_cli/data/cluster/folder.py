"""A folder of results that appears whole or not at all, however many machines write it.

On a file system the parts are written to a folder beside it that takes its name at the end; each part is written under
a name of its own and then renamed, so that a part that was begun twice is there once. An object store has no renaming:
a part is uploaded when it is complete, and `_SUCCESS` says at the end that all of them are there.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from pyarrow.fs import FileSelector, FileType

from ...errors import AutodiffError
from .storage import located, public, reason

MARKER = "_SUCCESS"
_OBJECT_STORES = ("s3", "gcs", "abfs")


class Folder:
    """An output folder; it can be pickled, so that workers write into it."""

    def __init__(self, path: str) -> None:
        """Raises AutodiffError for a folder that holds something, and for one that cannot be made."""
        self._name = public(path)
        self._system, self._path = located(path.rstrip("/") if "://" in path else os.path.realpath(path))
        self._staged = self._system.type_name not in _OBJECT_STORES
        parent, _, name = self._path.rpartition("/")
        self._work = f"{parent}/.{name}-{secrets.token_hex(4)}"
        self._parts, self._attempts = (
            (f"{self._work}/parts", f"{self._work}/attempts") if self._staged else (self._path, "")
        )
        self._names: set[str] = set()
        with self._refused():
            if self._system.get_file_info(self._path).type == FileType.File or self._entries(self._path):
                message = f"`{self._name}` holds something already"
                raise AutodiffError(message, hint="name a folder that is empty or does not exist yet")

    @contextmanager
    def _refused(self) -> Iterator[None]:
        """A trouble of the file system is an error of the user's."""
        try:
            yield
        except OSError as error:
            raise AutodiffError(f"cannot write `{self._name}`: {reason(error)}") from None

    def _entries(self, path: str, recursive: bool = False) -> list[Any]:
        return list(self._system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive)))

    def begin(self, names: Iterable[str]) -> None:
        """Make the folders for parts of these names; workers make none, so that they cannot write elsewhere."""
        self._names = set(names)
        if self._staged:
            with self._refused():
                self._system.create_dir(self._work, recursive=False)
                self._system.create_dir(self._attempts)
                for folder in {str(PurePosixPath(name).parent) for name in self._names}:
                    self._system.create_dir(f"{self._parts}/{folder}")

    @contextmanager
    def part(self, name: str) -> Iterator[BinaryIO]:
        """A file to be written; it takes this name when it is complete, and where writing fails there is none."""
        if not self._staged:
            with tempfile.TemporaryFile() as spool:
                yield spool
                spool.seek(0)
                with self._system.open_output_stream(f"{self._parts}/{name}") as out:
                    shutil.copyfileobj(spool, out, 2**23)
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
    def or_nothing(self) -> Iterator[None]:
        """Where the block fails, what was written is removed."""
        try:
            yield
        except BaseException:
            self._discard()
            raise

    def check(self) -> None:
        """Raise AutodiffError where the folder is not wanted any more, so that a worker does not go on for nothing."""
        if self._staged and self._system.get_file_info(self._attempts).type == FileType.NotFound:
            raise AutodiffError("the work was stopped")

    def finish(self, sizes: Mapping[str, int]) -> None:
        """Give the folder its name, when the parts are there with these sizes."""
        with self._refused():
            found = {
                file.path[len(self._parts) + 1 :]: file.size for file in self._entries(self._parts, recursive=True)
            }
            if odd := sorted(name for name, size in sizes.items() if found.get(name) != size):
                message = f"`{odd[0]}` did not arrive in `{self._name}` as it was written"
                raise AutodiffError(message, hint="all machines must see the same folder under the same name")
            if not self._staged:
                with self._system.open_output_stream(f"{self._path}/{MARKER}"):
                    self._names = set()  # that is, there is nothing to discard any more
                return
            if os.path.isdir(self._path):
                os.rmdir(self._path)
            self._system.move(self._parts, self._path)
        self._discard()

    def _discard(self) -> None:
        """Remove what was written for a folder that will not be."""
        if not self._staged:
            self._discard_objects()
            return
        for _ in range(10):  # a worker that has not heard of it may be writing
            with suppress(OSError):
                self._system.delete_dir(self._work)
                return

    def _discard_objects(self) -> None:
        for name in self._names:
            with suppress(OSError):
                self._system.delete_file(f"{self._path}/{name}")
        with suppress(OSError):
            left = self._entries(self._path, recursive=True)
            if "/" in self._path and all(entry.type == FileType.Directory for entry in left):
                self._system.delete_dir(self._path)
