"""The file that keeps what was typed, for the user's eyes only."""

import os
from pathlib import Path

from ..errors import AutodiffError
from ..files import write_file

_MOST_BYTES = 2**20  # of the file; the older half is dropped then


def history_file() -> str | None:
    """The path of the file, which is made if there is none; None where it cannot be written."""
    try:
        folder = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
        path = Path(folder, "autodiff/history")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o600))
        path.chmod(0o600)
        _shorten(path)
    except (OSError, RuntimeError, AutodiffError):  # RuntimeError for a user without a home
        return None
    return str(path)


def _shorten(path: Path) -> None:
    """Drop what was typed long ago from a file that has grown too large."""
    if path.stat().st_size > _MOST_BYTES:
        recent = path.read_bytes()[-_MOST_BYTES // 2 :]
        write_file(str(path), recent[recent.find(b"\n# ") + 1 :])  # a comment begins each text
