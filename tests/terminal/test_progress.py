"""The progress of long work is one line, whatever the width of the terminal and the number of rows."""

import re
import subprocess
import sys

import pytest

SCRIPT = """
import time
from autodiff_cli.terminal import progress
progress._DELAY = 0.0
done = 0
with progress.meter(10**9, lambda: done, "computing, engine compiled") as advance:
    for _ in range(5):
        time.sleep(0.1)
        done += 10**8
        advance(123_456_789)
"""


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_the_progress_of_millions_of_rows_is_one_line(columns: int) -> None:
    pty = pytest.importorskip("pty")
    import os

    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen([sys.executable, "-c", SCRIPT], stderr=follower, env=environment)
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 65536):
            seen += part
    except OSError:  # the other side has closed
        pass
    process.wait(timeout=60)
    os.close(leader)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode()).replace("\r", "\n").splitlines()
    assert any("rows/s" in line for line in lines)
    assert all("%" in line and "rows" in line for line in lines if line.strip())
    assert max(map(len, lines)) <= columns
