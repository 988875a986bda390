"""`autodiff` on a terminal: keys go in, and what is seen there comes out."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import ROOT

pytest.importorskip("prompt_toolkit")
pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")
fcntl = pytest.importorskip("fcntl")

ESCAPE = re.compile(r"\x1b\[[0-9;?=>]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\r\a]")
CTRL_C, CTRL_D, UP = "\x03", "\x04", "\x1b[A"
SECONDS = 20.0


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 80, **environment: str) -> None:
        self._keyboard, screen = pty.openpty()
        termios.tcsetwinsize(screen, (40, columns))
        own = {"TERM": "xterm", "PYTHONUTF8": "1", "XDG_STATE_HOME": str(folder), "PROMPT_TOOLKIT_NO_CPR": "1"}
        inherited = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "autodiff_cli", *arguments],
            stdin=screen,
            stdout=screen,
            stderr=screen,
            env=inherited | own | environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
        )
        os.close(screen)
        self.shown = ""
        self._place = 0

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._keyboard, keys.encode())

    def enter(self, keys: str) -> None:
        """Wait for the prompt, and type a line."""
        self.see("\n>")
        self.press(keys + "\r")

    def leave(self) -> None:
        """Wait for the prompt, and press Ctrl-D."""
        self.see("\n>")
        time.sleep(0.5)  # a terminal that is not read key by key would take it for the end of a line
        self.press(CTRL_D)

    def see(self, text: str) -> None:
        """Wait until a text is shown, after the one that was seen last."""
        end = time.monotonic() + SECONDS
        while text not in self._plain:
            assert time.monotonic() < end and self._read(1.0), f"{text!r} is not in {self._plain[-500:]!r}"
        self._place += self._plain.index(text) + len(text)

    def wait(self) -> int:
        """Wait for the end, and return the exit code."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and self._read(1.0):
            pass
        return self.process.wait(SECONDS)

    @property
    def _plain(self) -> str:
        return ESCAPE.sub("", self.shown)[self._place :]

    def _read(self, seconds: float) -> bool:
        """Read what is shown; False at the end."""
        if not select.select([self._keyboard], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self._keyboard, 65536)
        except OSError:  # the other side is closed
            return False
        self.shown += data.decode()
        return bool(data)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """The terminals of a test, whose processes are ended."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.process.kill()
        terminal.process.wait()


def test_a_session_in_a_terminal(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "repl")
    terminals.append(terminal)
    terminal.enter("velocity = 3")
    terminal.see("\n>")
    terminal.press("y = vel\t")
    terminal.see("velocity")
    terminal.press("^2\r")
    terminal.see("y = 9   dy/dvelocity = 6")
    terminal.enter("half a line" + CTRL_C + "y = 3 +* 4")
    terminal.see("\n         ^\nerror: expected an operand after `+`, found `*`")
    terminal.enter(":diff velocity")
    terminal.see("2*velocity")
    terminal.enter(":taylr")
    terminal.see("did you mean `:taylor`?")
    terminal.leave()
    assert terminal.wait() == 0
    assert "velocity = 3" in (tmp_path / "autodiff/history").read_text()


def test_an_error_in_several_lines_shows_the_line_that_it_is_about(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "repl")
    terminals.append(terminal)
    terminal.enter("\x1b[200~a = 1\nb = 2\nc = a + b\nd = 3 +* c\ne = (a +\n  sin b)\x1b[201~")
    terminal.see("<line>:4:8\n  |\n4 | d = 3 +* c\n  |        ^\n")
    terminal.see("<line>:6:7\n  |\n6 |   sin b)\n  |       ^\n")


@pytest.mark.slow
def test_the_name_of_a_file_is_completed_with_the_quotes_that_it_needs(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    (tmp_path / "my file.expr").write_text("x = 2\nx^2\n")
    terminal = Terminal(tmp_path, "repl", columns=200)
    terminals.append(terminal)
    terminal.see("\n>")
    terminal.press(f":load {tmp_path}/my\t")
    terminal.see("my file.expr'")
    terminal.press("\r")
    terminal.see("_1 = 4   d/dx = 4")


@pytest.mark.slow
def test_autodiff_alone_is_the_prompt_and_remembers(tmp_path: Path, terminals: list[Terminal]) -> None:
    for keys in ("x = 2; x^10", UP):
        terminal = Terminal(tmp_path)
        terminals.append(terminal)
        terminal.see("\n>")
        time.sleep(0.5)  # until the history is read
        terminal.press(keys + "\r")
        terminal.see("_1 = 1024   d/dx = 5120")
        terminal.enter(":quit")
        assert terminal.wait() == 0
        (tmp_path / "autodiff/history").write_text((tmp_path / "autodiff/history").read_text().replace("+:quit\n", ""))


@pytest.mark.slow
def test_ctrl_c_stops_a_long_computation_and_the_session_goes_on(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "repl")
    terminals.append(terminal)
    terminal.enter("x = 0.5; y = sin(x)")
    terminal.see("y = 0.4794255386")
    terminal.enter(":check --over x=0:1 --points 100000000")
    terminal.see("checking")
    terminal.press(CTRL_C)
    terminal.see("interrupted")
    terminal.enter("y")
    terminal.see("y = 0.4794255386")


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_a_terminal_without_colours_or_other_letters(
    environment: dict[str, str], tmp_path: Path, terminals: list[Terminal]
) -> None:
    terminal = Terminal(tmp_path, "repl", columns=40, **environment)
    terminals.append(terminal)
    terminal.enter("x = 1/3; sin(x)*cos(x)")
    terminal.see("_1 = 0.3091849015   d/dx = 0.7858872608")
    is_colored = re.search(r"\x1b\[[0-9;]*[39][0-8]m", terminal.shown)
    assert bool(is_colored) == ("LC_ALL" in environment)
    terminal.leave()
    assert terminal.wait() == 0


@pytest.mark.slow
def test_without_the_package_a_terminal_is_told_how_to_get_it(tmp_path: Path, terminals: list[Terminal]) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['prompt_toolkit'] = None")
    for arguments, code in ((), 2), (("repl",), 5):
        terminal = Terminal(tmp_path, *arguments, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
        terminals.append(terminal)
        terminal.see('pip install "autodiff-cli[prompt]"')
        assert terminal.wait() == code
        assert max(map(len, ESCAPE.sub("", terminal.shown).split("\n"))) <= 80
