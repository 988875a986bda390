"""File systems and object stores such as `s3://bucket/folder`: paths, patterns and files, by PyArrow."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from pyarrow import ArrowInvalid
from pyarrow.fs import FileInfo, FileSelector, FileSystem, FileType, LocalFileSystem

from ...errors import AutodiffError, uncapitalized
from ...files import without_credentials
from ...work_budget import charge
from ..formats import format_of
from .web import is_of_web, open_url, put

_IN_VAIN = 2.5e-5  # the work of looking at a file that a pattern does not name, or that may be no data, seconds

_SHOWN = r"(?!(?<=/)\.)"
"""the regular expression of a place where no dot begins a name"""


def locate(path: str) -> tuple[FileSystem, str]:
    """Return the file system of a path or URL, and the path there.

    Raises AutodiffError for a URL that PyArrow cannot read.
    """
    if "://" not in path:
        return LocalFileSystem(), os.path.abspath(path).replace(os.sep, "/")
    try:
        system, path_there = FileSystem.from_uri(path)
    except (ArrowInvalid, OSError) as error:
        shown = without_credentials(path)
        message = f"cannot open `{shown}`: {reason_of(error).replace(path, shown)}"
        raise AutodiffError(
            message, hint="https://, s3://, gs://, abfs:// and hdfs:// are known, and paths of files"
        ) from None
    return system, path_there


def files_below(system: FileSystem, root: str) -> list[FileInfo]:
    """The files in a folder and its subfolders, without those that programs hide there: `_SUCCESS`, `.crc`.

    Raises AutodiffError for a link to nothing, and TooMuchWorkError where very many files may be no data.
    """
    above = root.rstrip("/")

    def is_shown(path: str) -> bool:
        is_hidden = re.search("/[._]", path.removeprefix(above)) is not None
        charge(_IN_VAIN if is_hidden or not format_of(path) else 0.0)
        return not is_hidden

    return _files(system, root, lambda folder: True, is_shown)


def files_matching(system: FileSystem, pattern: str) -> tuple[str, list[FileInfo]]:
    """The folder before the first wildcard of a pattern, and the files that match it.

    Raises AutodiffError for a link to nothing, and TooMuchWorkError where very many files are looked at in vain.
    """
    pieces = _pieces(pattern)
    fixed = next((place for place, piece in enumerate(pieces) if piece[0] in "*?["), len(pieces))
    root = pattern[:fixed].rpartition("/")[0] or "/"
    # a folder may hold what matches if it matches the beginning of the pattern up to a slash, or to what crosses one
    ends = [place for place, piece in enumerate(pieces, 1) if place > fixed and piece in ("/", "**/", "**")]
    beginnings = "|".join(_regular_expression(pieces[:place]) for place in ends)
    try:
        expression, beginning = (re.compile(text, re.DOTALL) for text in (_regular_expression(pieces), beginnings))
    except re.error:
        shown = display_path(system, pattern)
        raise AutodiffError(f"`{shown}` is not a pattern", hint="in [a-z] the first comes before the last") from None

    def is_named(path: str) -> bool:
        if expression.fullmatch(path):
            return True
        charge(_IN_VAIN)
        return False

    def may_hold(folder: str) -> bool:
        return beginning.fullmatch(f"{folder}/") is not None

    return root, _files(system, root, may_hold if ends else None, is_named)


def is_below(path: str, data: str) -> bool:
    """Whether a path is in a folder of this machine, or matches a pattern."""
    if os.path.isdir(data):
        return os.path.realpath(path).startswith(os.path.join(os.path.realpath(data), ""))
    return re.fullmatch(_regular_expression(_pieces(locate(data)[1])), locate(path)[1], re.DOTALL) is not None


def _files(
    system: FileSystem, root: str, may_hold: Callable[[str], bool] | None, is_named: Callable[[str], bool]
) -> list[FileInfo]:
    """The files that are named, sorted, in a folder and in those below it that `may_hold` accepts; without it in none.

    Raises AutodiffError for a link to nothing, whose rows would be missing.
    """
    if isinstance(system, LocalFileSystem):
        entries = system.get_file_info(list(filter(is_named, _paths_below(root, may_hold))))
    else:
        selector = FileSelector(root, allow_not_found=True, recursive=may_hold is not None)
        entries = [entry for entry in system.get_file_info(selector) if is_named(entry.path)]
    entries = sorted(entries, key=lambda entry: str(entry.path))
    for entry in entries:
        if entry.type == FileType.NotFound:
            path = display_path(system, entry.path)
            raise AutodiffError(f"`{path}` is a link to nothing", hint="remove it, or mend it")
    return [entry for entry in entries if entry.type == FileType.File]


def _paths_below(root: str, may_hold: Callable[[str], bool] | None) -> Iterator[str]:
    """The paths of all files below a folder of this machine; links that lead back are not followed."""
    pending = [(root, frozenset([os.path.realpath(root)]))]
    while pending:
        folder, above = pending.pop()
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            path = f"{folder.rstrip('/')}/{name}"
            if not os.path.isdir(path):
                yield path
            elif may_hold and may_hold(path) and (real := os.path.realpath(path)) not in above:
                pending.append((path, above | {real}))


def _regular_expression(pieces: Sequence[str]) -> str:
    """The regular expression of a pattern in which `*` stays within a folder and `**/` matches any number of them.

    As in a shell, no wildcard matches the dot at the beginning of a name.
    """
    any_path = f"(?:{_SHOWN}.)*"
    wildcards = {"**/": f"(?:{any_path}/)?", "**": any_path, "*": f"{_SHOWN}[^/]*", "?": f"{_SHOWN}[^/]"}
    return "".join(
        wildcards.get(piece) or (_SHOWN + _character_set(piece) if len(piece) > 1 else re.escape(piece))
        for piece in pieces
    )


def _pieces(pattern: str) -> list[str]:
    """The wildcards of a pattern, its sets of characters, and its other characters one by one."""
    return re.findall(r"(?s)\*\*/|\*\*|\*|\?|\[[^\]/]+\]|.", pattern)


def _character_set(piece: str) -> str:
    """`[a-z]`, or `[!a-z]` for the characters not in it."""
    inner = re.sub(r"[\\\[&~|]|-(?=-)", r"\\\g<0>", piece[1:-1])  # of which Python warns where they are doubled
    return f"[^{inner[1:]}]" if inner.startswith("!") and len(inner) > 1 else f"[{inner.replace('^', chr(92) + '^')}]"


def display_path(system: FileSystem, path: str) -> str:
    """A path relative to the current folder where it is below it."""
    relative = os.path.relpath(path) if isinstance(system, LocalFileSystem) else ".."
    return path if relative.startswith("..") else relative


def open_file(system: FileSystem, path: str) -> BinaryIO:
    """Open a file for reading; raises AutodiffError with the reason."""
    with io_errors("read", path):
        if isinstance(system, LocalFileSystem):
            return open(path, "rb")
        file: BinaryIO = system.open_input_file(path)
    return file


def is_object(url: str) -> bool:
    """Whether a URL names a file, if there is one; otherwise a folder, or a pattern, of an object store."""
    if is_of_web(url):
        return True
    system, path = locate(url)
    with io_errors("read", url):
        type_ = system.get_file_info(path).type
    return bool(
        type_ == FileType.File or (type_ == FileType.NotFound and not any(character in path for character in "*?["))
    )


def open_object(url: str, from_end: bool = False) -> BinaryIO:
    """Open the file that a URL names; raises AutodiffError with the reason.

    One that is read from its end, and whose server gives it from its beginning only, is copied to the disk first.
    """
    if not is_of_web(url):
        return open_file(*locate(url))
    stream = open_url(url)
    if not from_end:
        return stream
    spool = tempfile.TemporaryFile()  # noqa: SIM115  # the caller closes it
    with stream:
        shutil.copyfileobj(stream, spool, 2**20)
    spool.seek(0)
    return spool


@contextmanager
def uploaded(system: FileSystem, path: str) -> Iterator[BinaryIO]:
    """A temporary file that becomes an object of a store when the block ends without an error."""
    with tempfile.TemporaryFile() as spool:
        yield spool
        spool.seek(0)
        with system.open_output_stream(path) as out:
            shutil.copyfileobj(spool, out, 2**23)


@contextmanager
def uploaded_to(url: str) -> Iterator[BinaryIO]:
    """The same for the object or the file of the web that a URL names; raises AutodiffError with the reason."""
    if not is_of_web(url):
        with io_errors("write", url), uploaded(*locate(url)) as out:
            yield out
        return
    with tempfile.TemporaryFile() as spool:
        yield spool
        spool.seek(0)
        put(url, spool)


@contextmanager
def io_errors(verb: str, name: str) -> Iterator[None]:
    """Raise errors of a file system as AutodiffError: cannot read, or write, the path or URL."""
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:
        raise AutodiffError(f"cannot {verb} `{without_credentials(name)}`: {reason_of(error)}") from None


def reason_of(error: Exception) -> str:
    """The reason of an error in a few words; a UnicodeEncodeError is that of a path."""
    if isinstance(error, UnicodeEncodeError):
        path, place = error.object, error.start
        name, *_ = path[path.rfind("/", 0, place) + 1 :].split("/")
        return f"the name `{name}` is not UTF-8"
    text = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    return uncapitalized(text.strip().split("\n")[0] or type(error).__name__)
