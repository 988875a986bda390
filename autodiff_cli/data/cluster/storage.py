"""Where data lies: a file system, or an object store such as `s3://bucket/folder` where PyArrow knows its kind."""

import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pyarrow import ArrowInvalid
from pyarrow.fs import FileSelector, FileSystem, FileType, LocalFileSystem

from ...errors import AutodiffError


class Location(NamedTuple):
    """A place in a file system."""

    system: Any
    path: str


def located(path: str) -> Location:
    """The place of a path or URL. Raises AutodiffError for a URL that PyArrow cannot read."""
    if "://" not in path:
        return Location(LocalFileSystem(), os.path.abspath(path).replace(os.sep, "/"))
    try:
        return Location(*FileSystem.from_uri(path))
    except (ArrowInvalid, OSError) as error:
        message = f"cannot open `{public(path)}`: {reason(error)}"
        raise AutodiffError(message, hint="s3://, gs://, abfs:// and hdfs:// are known, and paths of files") from None


def below(system: Any, root: str) -> tuple[str, list[Any]]:
    """The files below a folder, but for those that programs hide there: `_SUCCESS`, `.crc`."""
    return root, [
        file
        for file in _files(system, root, recursive=True)
        if not any(part.startswith((".", "_")) for part in file.path[len(root) :].split("/"))
    ]


def matching(system: Any, pattern: str) -> tuple[str, list[Any]]:
    """The files that a pattern names, and the folder before its first wildcard."""
    segments = pattern.split("/")
    fixed = next((index for index, segment in enumerate(segments) if _is_pattern(segment)), len(segments) - 1)
    root = "/".join(segments[:fixed]) or "/"
    try:
        wanted = re.compile(_expression(pattern), re.DOTALL)
    except re.error:
        raise AutodiffError(f"`{pattern}` is not a pattern", hint="in [a-z] the first comes before the last") from None
    files = _files(system, root, recursive=fixed < len(segments) - 1 or "**" in pattern)
    return root, [file for file in files if wanted.fullmatch(file.path)]


def _files(system: Any, root: str, recursive: bool) -> list[Any]:
    found = system.get_file_info(FileSelector(root, allow_not_found=True, recursive=recursive))
    return sorted((file for file in found if file.type == FileType.File), key=lambda file: str(file.path))


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _expression(pattern: str) -> str:
    """The regular expression of a pattern in which `*` stays within a folder and `**/` goes through any number."""
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces: Iterator[str] = (found[0] for found in re.finditer(r"(?s)\*\*/|\*\*|\*|\?|\[[^\]/]+\]|.", pattern))
    return "".join(signs.get(piece) or (_set(piece) if len(piece) > 1 else re.escape(piece)) for piece in pieces)


def _set(piece: str) -> str:
    """`[a-z]`, or `[!a-z]` for what it does not hold."""
    inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    return f"[^{inner[1:]}]" if inner.startswith("!") and len(inner) > 1 else f"[{inner.replace('^', chr(92) + '^')}]"


def public(path: str) -> str:
    """A path or URL without the keys that it may hold."""
    return re.sub("://[^/]*@", "://", path.split("?")[0]) if "://" in path else path


def shown(system: Any, path: str) -> str:
    """A path as a person would write it from here."""
    near = os.path.relpath(path) if isinstance(system, LocalFileSystem) else ".."
    return path if near.startswith("..") else near


def opened(system: Any, path: str) -> Any:
    """A file to be read."""
    try:
        return open(path, "rb") if isinstance(system, LocalFileSystem) else system.open_input_file(path)
    except OSError as error:
        raise AutodiffError(f"cannot read `{path}`: {reason(error)}") from None


def reason(error: Exception) -> str:
    """Why it failed, in few words."""
    text = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    text = text.strip().split("\n")[0] or type(error).__name__
    return text[:1].lower() + text[1:]
