"""A folder of results that appears completely or not at all, however many machines write it.

On a file system the parts are written to a temporary folder beside it, which takes its name at the end; each part is
written under a name of its own and then renamed, so that a part that was begun twice appears once. An object store has
no renaming: a part is uploaded when it is complete, and `_SUCCESS` says at the end that all of them are there.
"""

import errno
import json
import os
import secrets
import shutil
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from glob import escape, glob
from hashlib import sha256
from io import TextIOWrapper
from itertools import chain, count
from pathlib import PurePosixPath
from typing import BinaryIO, TextIO

from pyarrow.fs import FileInfo, FileSelector, FileType

from ...errors import AutodiffError, Remedy
from ...files import lock, remove_abandoned, without_credentials
from .file_systems import io_errors, locate, reason_of, uploaded

MARKER = "_SUCCESS"
_LOCK = "lock"
_MOVES = "moved.jsonl"
"""the record of the parts that were added, on a disk of this machine: a name and a path on each line"""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""errors of writing alone; others may be those of the data that a part is computed from"""
_OBJECT_STORES = ("s3", "gcs", "abfs")


class OutputFolder:
    """A folder that parts are written to; it can be pickled, so that workers write their parts."""

    def __init__(self, path: str, *, append: bool = False, resumes: bool = False) -> None:
        """With `append` parts are added to a folder that holds some; one that `resumes` keeps its parts when it fails.

        Raises AutodiffError for a folder that is not empty, and for one that cannot be made.
        """
        self._name = without_credentials(path)
        self._system, self._path = locate(path.rstrip("/") if "://" in path else os.path.realpath(path))
        self.is_object_store = self._system.type_name in _OBJECT_STORES
        """whether it has no files beside the results: an object store, which cannot rename"""
        self.is_local = self._system.type_name == "local"
        """whether it is on a disk that this machine has, or has mounted"""
        parent, _, name = self._path.rpartition("/")
        self.temporary = f"{parent}/.{name}-{secrets.token_hex(4)}"
        """the folder in which the parts wait, where the file system has renaming"""
        self._append, self.resumes = append, resumes
        self._names: dict[str, str] = {}  # of the parts → under which they are written
        self._lock: int | None = None  # an open file that is locked as long as this process needs the folder
        if resumes and not self.is_local:
            message = (
                f"a job that writes to `{self._name}` cannot be resumed: the folder is not on a disk of this machine"
            )
            raise AutodiffError(message, hint="leave it out, or write to a folder here first")
        with io_errors("write", self._name):
            self._refuse_used()

    def _refuse_used(self) -> None:
        """Raise AutodiffError for a file, and for a folder that holds something, unless parts are added to it."""
        words = "name a folder that is empty or does not exist yet"
        if self._is_used():
            raise AutodiffError(
                f"`{self._name}` holds something already",
                remedy=None if self._is_file() else Remedy("folder in use", (), words),
                hint=words if self._is_file() else "",
            )

    def _is_used(self) -> bool:
        return self._is_file() or bool(self._entries(self._path) and not self._append)

    def _is_file(self) -> bool:
        return bool(self._system.get_file_info(self._path).type == FileType.File)

    @property
    def _parts(self) -> str:
        return self._path if self.is_object_store else f"{self.temporary}/parts"

    @property
    def _attempts(self) -> str:
        return f"{self.temporary}/attempts"

    def _entries(self, path: str, recursive: bool = False) -> list[FileInfo]:
        return list(self._system.get_file_info(FileSelector(path, allow_not_found=True, recursive=recursive)))

    def adopt(self, is_wanted: Callable[[str], bool]) -> None:
        """Go on with the temporary folder that a process left which has ended, if there is one that is wanted."""
        for folder in self._left():
            if is_wanted(folder) and remove_abandoned(f"{folder}/{_LOCK}"):
                self.temporary = folder
                shutil.rmtree(self._attempts, ignore_errors=True)
                self._take_back(folder, _recorded_moves(folder))
                return

    def begin(self, names: Iterable[str], kept: Collection[str] = ()) -> None:
        """Make the folders for parts of these names; workers make none, so that they cannot write elsewhere.

        Of the parts that are there already, only the `kept` ones stay.
        """
        if self.is_object_store:
            given = set[str]()
            for name in names:
                self._names[name] = self._unused(name, given)
                given.add(self._names[name])
            return
        for folder in self._left():
            if remove_abandoned(f"{folder}/{_LOCK}"):
                self._take_back(folder, _recorded_moves(folder))
                shutil.rmtree(folder, ignore_errors=True)
        with io_errors("write", self._name):
            self._system.create_dir(self.temporary, recursive=False)
            if self.is_local:
                self._lock = os.open(f"{self.temporary}/{_LOCK}", os.O_CREAT | os.O_RDWR, 0o600)
                lock(self._lock)
            for needed in (self._attempts, f"{self.temporary}/errors"):
                self._system.create_dir(needed)
            for folder in {str(PurePosixPath(name).parent) for name in names}:
                self._system.create_dir(f"{self._parts}/{folder}")
            for name in self._sizes().keys() - set(kept):
                self._system.delete_file(f"{self._parts}/{name}")

    def _left(self) -> list[str]:
        """The temporary folders of this name, some of which processes left that were killed."""
        parent, _, name = self._path.rpartition("/")
        return glob(f"{escape(parent)}/.{escape(name)}-{'[0-9a-f]' * 8}") if self.is_local else []

    def _unused(self, name: str, given: Container[str] = ()) -> str:
        """A name for a part that no other has in the folder, and none of those that are given out already."""
        folder, _, file = name.rpartition("/")
        stem, dot, extension = file.partition(".")
        others = (f"{folder}{'/' * bool(folder)}{stem}-{number}{dot}{extension}" for number in count(2))
        return next(
            tried
            for tried in chain([name], others)
            if tried not in given and self._system.get_file_info(f"{self._path}/{tried}").type == FileType.NotFound
        )

    def _sizes(self) -> dict[str, int]:
        """The parts that are there, and their sizes."""
        entries = self._entries(self._parts, recursive=True)
        return {file.path[len(self._parts) + 1 :]: file.size for file in entries if file.type == FileType.File}

    def part(self, name: str) -> AbstractContextManager[BinaryIO]:
        """Open a file for writing; it takes this name when it is complete, and is removed where writing fails."""
        if self.is_object_store:
            return uploaded(self._system, f"{self._parts}/{self._names[name]}")
        return self._moved(f"{self._parts}/{name}")

    @contextmanager
    def errors(self, name: str) -> Iterator[TextIO]:
        """Open the list of the rows without a result in a part for writing."""
        with self._moved(self._errors_of(name)) as out:
            text = TextIOWrapper(out, encoding="utf-8", newline="")
            yield text
            text.detach()

    def all_errors(self, names: Iterable[str]) -> Iterator[str]:
        """The lines of the lists of the parts of these names, in their order."""
        for name in names:
            with self._system.open_input_stream(self._errors_of(name)) as file:
                yield from TextIOWrapper(file, encoding="utf-8", newline="")

    def _errors_of(self, name: str) -> str:
        return f"{self.temporary}/errors/{sha256(name.encode()).hexdigest()}"

    @contextmanager
    def _moved(self, path: str) -> Iterator[BinaryIO]:
        """Open a file for writing in a place of its own; it moves to this path when it is complete."""
        attempt = f"{self._attempts}/{secrets.token_hex(8)}"
        try:
            with self._system.open_output_stream(attempt) as out:
                yield out
            self._system.move(attempt, path)
        except BaseException as error:
            with suppress(OSError):
                self._system.delete_file(attempt)
            if isinstance(error, OSError) and error.errno in _NO_ROOM:
                raise AutodiffError(f"cannot write `{self._name}`: {reason_of(error)}") from None
            raise

    @contextmanager
    def removed_on_error(self) -> Iterator[None]:
        """Remove what was written if the block fails, but keep the finished parts of a job that can be resumed."""
        try:
            yield
        except BaseException:
            if self.resumes and self._sizes() and not self._is_used():
                self._unlock()
                shutil.rmtree(self._attempts, ignore_errors=True)
            else:
                self._discard()
            raise

    def require_wanted(self) -> None:
        """Raise AutodiffError where the job was stopped, so that a worker does not go on in vain."""
        if not self.is_object_store and self._system.get_file_info(self._attempts).type == FileType.NotFound:
            raise AutodiffError("the work was stopped")

    def finish(self, sizes: Mapping[str, int]) -> None:
        """Give the folder its name, when all parts are there with these sizes."""
        with io_errors("write", self._name):
            arrived = self._sizes()
            if wrong := sorted(
                name for name, size in sizes.items() if arrived.get(self._names.get(name, name)) != size
            ):
                message = f"`{wrong[0]}` did not arrive in `{self._name}` as it was written"
                raise AutodiffError(message, hint="all machines must see the same folder under the same name")
            if self.is_object_store:
                with self._system.open_output_stream(f"{self._path}/{MARKER}"):
                    self._names = {}  # so that nothing is discarded any more
                return
            if self._append:
                self._add(sizes)
            else:
                self._refuse_used()  # another process may have written it meanwhile
                if self._system.get_file_info(self._path).type == FileType.Directory:  # and empty
                    os.rmdir(self._path) if self.is_local else self._system.delete_dir(self._path)
                self._system.move(self._parts, self._path)
        self._discard()

    def _add(self, names: Iterable[str]) -> None:
        """Move the parts to those that the folder has, each under a name that is free; none of them if this fails."""
        moved = dict[str, str]()
        try:
            for name in names:
                moved[name] = target = f"{self._path}/{self._unused(name)}"
                if self.is_local:
                    with open(f"{self.temporary}/{_MOVES}", "a", encoding="utf-8") as file:
                        file.write("\n" + json.dumps([name, target]))
                self._system.create_dir(str(PurePosixPath(target).parent))
                self._system.move(f"{self._parts}/{name}", target)
        except BaseException:
            self._take_back(self.temporary, moved)
            raise

    def _take_back(self, temporary: str, moved: Mapping[str, str]) -> None:
        """Move parts back into a temporary folder that were added to the folder, and forget that they were."""
        for name, path in moved.items():
            part = f"{temporary}/parts/{name}"
            types = [entry.type for entry in self._system.get_file_info([part, path])]
            if types == [FileType.NotFound, FileType.File]:
                self._system.move(path, part)
        if self.is_local:
            with suppress(OSError):
                os.unlink(f"{temporary}/{_MOVES}")

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _discard(self) -> None:
        """Remove the temporary folder, or the parts in an object store."""
        self._unlock()
        if self.is_object_store:
            self._discard_objects()
            return
        for _ in range(10):  # a worker that does not know yet that the job was stopped may be writing
            with suppress(OSError):
                self._system.delete_dir(self.temporary)
                return

    def _discard_objects(self) -> None:
        for name in self._names.values():
            with suppress(OSError):
                self._system.delete_file(f"{self._path}/{name}")
        with suppress(OSError):
            left = self._entries(self._path, recursive=True)
            if "/" in self._path and all(entry.type == FileType.Directory for entry in left):
                self._system.delete_dir(self._path)


def _recorded_moves(temporary: str) -> dict[str, str]:
    """The parts that a process which has ended was adding to the folder: name → path."""
    moved = dict[str, str]()
    with suppress(OSError), open(f"{temporary}/{_MOVES}", encoding="utf-8") as file:
        for line in file:
            with suppress(ValueError):  # the last line may not be whole
                name, moved_to = json.loads(line)
                moved[name] = moved_to
    return moved
