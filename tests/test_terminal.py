"""The command line where it meets the system: terminals, pipes, signals and broken bytes."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

AUTODIFF = [sys.executable, "-m", "autodiff_cli"]
ESCAPE = "\x1b"


def _run(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    return subprocess.run(
        [*AUTODIFF, *words], input=stdin, env=kept | environment, capture_output=True, timeout=60, check=False
    )


def _on_a_terminal(*words: str, columns: int = 80, **environment: str) -> str:
    """What a person sees who runs the command in a terminal of so many columns."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    kept |= {"TERM": "xterm-256color", "COLUMNS": str(columns)} | environment
    process = subprocess.Popen([*AUTODIFF, *words], stdin=follower, stdout=follower, stderr=follower, env=kept)
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other side has closed
            break
        if not part:
            break
        seen += part
    process.wait(timeout=60)
    os.close(leader)
    return seen.decode()


def test_a_table_has_colours_on_a_terminal_and_nowhere_else() -> None:
    words = ("eval", "a*b", "--set", "a=1", "b=2")
    assert ESCAPE in _on_a_terminal(*words)
    assert ESCAPE not in _on_a_terminal(*words, NO_COLOR="1").replace(f"{ESCAPE}[1m", "").replace(f"{ESCAPE}[0m", "")
    assert ESCAPE.encode() not in _run(*words).stdout


def test_a_narrow_terminal_shortens_the_text_of_a_node_in_its_middle() -> None:
    names = " + ".join(f"variable{i}" for i in range(20))
    seen = _on_a_terminal("eval", names, "--set", *(f"variable{i}=1" for i in range(20)), columns=60, NO_COLOR="1")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", seen)
    assert all(len(line) <= 60 for line in plain.splitlines())
    assert re.search(r"variable0 .*….* variable19", plain)


def test_a_pipe_cuts_no_column_off() -> None:
    name = "a_rather_long_name_for_an_input_of_a_formula"
    done = _run("eval", f"{name}*2", "--set", f"{name}=1", COLUMNS="20")
    assert name.encode() in done.stdout


def test_no_formula_at_a_terminal_is_an_error_and_does_not_wait() -> None:
    assert "no formula was given" in _on_a_terminal("eval")


@pytest.mark.parametrize("format_", ["table", "json", "plain"])
def test_a_closed_pipe_ends_quietly(format_: str) -> None:
    command = f"{sys.executable} -m autodiff_cli eval --set x=1 --format {format_} | true; echo ${{PIPESTATUS[0]}}"
    formula = "+".join(f"sin({i}*x)" for i in range(20_000))
    done = subprocess.run(["bash", "-c", command], input=formula.encode(), capture_output=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("format_", ["table", "json", "plain"])
def test_a_full_disk_is_no_defect_of_the_program(format_: str) -> None:
    command = f"{sys.executable} -m autodiff_cli eval 1+1 --format {format_} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (1, b"error: the result cannot be written: no space left on device\n")


def test_closed_streams_are_no_obstacle() -> None:
    command = f"{sys.executable} -m autodiff_cli eval 1+1 >&- 2>&- <&-"
    assert subprocess.run(["bash", "-c", command], timeout=60, check=False).returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_an_interrupt_ends_without_a_traceback() -> None:
    process = subprocess.Popen(
        [*AUTODIFF, "eval"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in error


@pytest.mark.parametrize(
    "text",
    [
        b"\x1b[31mred\x1b[0m",
        b"[red]x[/red]",
        b"x\0y",
        b"\xff\xfe\x00",
        b"\xe2\x80\xaex*y",
        b"x\xc2\x9b31m",
        "ｘ = ‘1’".encode(),
        b"a\rb\x08c",
    ],
)
def test_hostile_bytes_end_in_a_clean_error(text: bytes) -> None:
    done = _run("eval", stdin=text)
    assert done.returncode == 1
    assert done.stdout == b""
    message = done.stderr.decode()
    assert message.startswith("error: ")
    assert all(character.isprintable() or character == "\n" for character in message)


def test_markup_in_a_formula_reaches_the_table_as_it_is() -> None:
    done = _run("eval", "a*b", "--set", "a=1", "b=2", "--output", "[red]")
    assert b"[red]" in done.stderr
    assert done.returncode == 1


def test_a_stream_that_cannot_show_every_letter_is_no_obstacle() -> None:
    done = _run("eval", "θ*2", "--set", "θ=1", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"\\u03b8" in done.stdout


def test_a_long_check_shows_its_progress_on_a_terminal() -> None:
    words = ("check", "sin(x)*exp(y)", "--points", "6000", "--over", "x=-2:2", "y=-1:1", "--format", "plain")
    assert "checking" in _on_a_terminal(*words)
    assert _run(*words[:3], "20", *words[4:]).stderr == b""


def test_a_table_in_a_pipe_has_no_spaces_at_the_ends_of_its_lines() -> None:
    lines = _run("eval", "2*x", "--set", "x=1").stdout.decode().splitlines()
    assert lines
    assert not [line for line in lines if line != line.rstrip()]


def test_a_small_grid_is_a_table_on_a_terminal_and_csv_in_a_pipe() -> None:
    words = ("eval", "x^2", "--over", "x=0:1:0.5")
    assert "─" in _on_a_terminal(*words)
    assert _run(*words).stdout == b"x,value,grad_x\n0,0,0\n0.5,0.25,1\n1,1,2\n"
    assert "0,0,0" in _on_a_terminal("eval", "x^2", "--over", "x=0:2000:1"), "a large one is not"


def test_what_is_not_text_is_kept_from_a_terminal(tmp_path: Path) -> None:
    for format_ in ("parquet", "arrow", "arrows"):
        assert "nothing for a terminal" in _on_a_terminal("eval", "x", "--over", "x=0:1:1", "--format", format_)
        assert _run("eval", "x", "--over", "x=0:1:1", "--format", format_).returncode == 0


def test_a_narrow_terminal_shows_the_rows_of_a_grid_with_whole_numbers() -> None:
    words = ("eval", "a*b*c*d", "--over", "a=1:1:1", "b=1:1:1", "c=1:1:1", "d=2:2:1")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", _on_a_terminal(*words, columns=40)).split()
    assert lines[-9:] == ["1.0000", "1.0000", "1.0000", "2.0000", "2.0000", "2.0000", "2.0000", "2.0000", "1.0000"]
