"""The file that keeps what was typed, for the user's eyes only."""

import os
from pathlib import Path


def history_file() -> str | None:
    """The path of the file, which is made if there is none; None where it cannot be written."""
    try:
        path = _state_folder() / "autodiff/history"
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.close(handle)
        path.chmod(0o600)
    except (OSError, RuntimeError):  # RuntimeError for a user without a home
        return None
    return str(path)


def _state_folder() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
