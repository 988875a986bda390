"""The bytes of a file as they come: a pipe is not waited for longer than it takes."""

import os
import select
import stat
from typing import BinaryIO

PART = 2**22  # bytes that are read at a time
LONGEST = 2**26  # bytes of one record


def what_is_there(source: BinaryIO, size: int = PART) -> bytes:
    """At least one byte, and of what follows as much as can be had at once; nothing at the end of the file."""
    read = getattr(source, "read1", source.read)
    pieces = [read(size)]
    missing = size - len(pieces[0])
    while pieces[-1] and missing > 0 and _is_more_there(source):
        pieces.append(read(missing))
        missing -= len(pieces[-1])
    return b"".join(pieces)


def _is_more_there(source: BinaryIO) -> bool:
    """Whether reading would not wait; False where that cannot be told."""
    try:
        return bool(select.select([source], [], [], 0)[0])
    except (OSError, ValueError, TypeError):
        return False


def size(source: BinaryIO) -> int | None:
    """How many bytes a file has, compressed where it is; None where that is not known, as of a pipe."""
    try:
        status = os.fstat(source.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def position(source: BinaryIO) -> int:
    """How many of them have been read; 0 where that is not known."""
    try:
        return source.tell()
    except (OSError, ValueError, AttributeError):
        return 0


def is_seekable(out: BinaryIO) -> bool:
    """Whether it is a file that can be read at any place later."""
    return hasattr(out, "seekable") and out.seekable()
