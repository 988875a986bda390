"""The progress of long work is one line, whatever the width of the terminal and the number of rows."""

import re
import subprocess
import sys

import pytest

SCRIPT = """
import time
from autodiff_cli.terminal import progress
progress._DELAY = 0.0
with progress.meter(10**9, "computing, engine compiled") as advance:
    for _ in range(5):
        time.sleep(0.1)
        advance(123_456_789, 10**8)
"""


WAITING = """
import time
from autodiff_cli.cli.output.notices import progress_shown
from autodiff_cli.terminal import progress
progress._DELAY = 0.0
with progress_shown("searching") as progress:
    for _ in progress([1]):
        time.sleep(0.5)
        raise SystemExit
"""


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_the_progress_of_millions_of_rows_is_one_line(columns: int) -> None:
    lines = _plain(_seen(SCRIPT, columns))
    assert any("rows/s" in line for line in lines)
    assert all("%" in line and "rows" in line for line in lines if line.strip())
    assert max(map(len, lines)) <= columns


def test_a_single_long_search_shows_the_time_and_leaves_nothing() -> None:
    seen = _seen(WAITING, 60)
    assert any("searching" in line and "0:00:00" in line for line in _plain(seen))
    assert seen.endswith("\x1b[2K")  # the line is cleared, also where the work ends with an error


def _plain(seen: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen).replace("\r", "\n").splitlines()


def _seen(script: str, columns: int) -> str:
    """The standard error of a script, if that is a terminal of so many columns."""
    pty = pytest.importorskip("pty")
    import os

    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen([sys.executable, "-c", script], stderr=follower, env=environment)
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 65536):
            seen += part
    except OSError:  # the other side has closed
        pass
    process.wait(timeout=60)
    os.close(leader)
    return seen.decode()
