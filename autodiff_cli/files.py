"""Files that are written whole or not at all."""

import os
import tempfile
from contextlib import suppress

from .errors import AutodiffError


def write_whole(path: str, data: bytes) -> None:
    """Write a file; where that fails, what was there before is still there.

    A pipe or a device is written to as it is. Raises AutodiffError with the reason.
    """
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            with open(path, "wb") as device:
                device.write(data)
        else:
            _replace(os.path.realpath(path), data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AutodiffError(f"cannot write `{path}`: {reason[:1].lower()}{reason[1:]}") from None


def _replace(path: str, data: bytes) -> None:
    if os.path.isdir(path):
        raise OSError("it is a folder")
    if os.path.exists(path) and not os.access(path, os.W_OK):
        raise OSError("permission denied")
    handle, temporary = tempfile.mkstemp(prefix=".autodiff-", dir=os.path.dirname(path))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """The permissions of the file that is replaced; those of a new file where there is none."""
    with suppress(OSError):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
