"""Typing: keys into texts, with prompt_toolkit's own input of keys and no terminal."""

import stat
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("prompt_toolkit")

from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from autodiff_cli.cli.prompt.commands import COMMANDS
from autodiff_cli.errors import Source
from autodiff_cli.repl.line_editor import LineEditor
from autodiff_cli.repl.session import Session

Typed = Callable[..., list[str]]

ENTER, TAB, UP = "\r", "\t", "\x1b[A"
CTRL_C, CTRL_D, CTRL_E, CTRL_R = "\x03", "\x04", "\x05", "\x12"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def typed(folder: Path) -> Typed:
    """A function from keys, pressed one group after the other, to the texts that are taken."""

    def texts(*groups: str) -> list[str]:
        session = Session()
        for _ in session.run(Source("velocity = 2")):
            pass
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            editor, taken = LineEditor(session, COMMANDS), list[str]()

            def is_waiting(texts_before: int) -> bool:
                loading = editor._prompt.default_buffer._load_history_task
                return len(taken) >= texts_before and editor._prompt.app.is_running and loading and loading.done()

            def press() -> None:
                texts_before = 0
                for group in (*groups, CTRL_D):
                    while not is_waiting(texts_before):
                        time.sleep(0.01)
                    time.sleep(0.1)  # what the keys before started, such as a completion, is done
                    texts_before += group.endswith(ENTER)
                    pipe.send_text(group)

            Thread(target=press).start()
            taken.extend(editor.texts())
            return taken

    return texts


def test_a_line_is_taken_when_it_is_finished(typed: Typed) -> None:
    assert typed(f"x = 2{ENTER}f(a,{ENTER}b) = a +{ENTER}b{ENTER}") == ["x = 2", "f(a,\nb) = a +\nb"]


def test_an_empty_line_ends_an_unfinished_statement(typed: Typed) -> None:
    assert typed(f"sin(x{ENTER}{ENTER}") == ["sin(x\n"]


def test_ctrl_c_drops_the_line(typed: Typed) -> None:
    assert typed(f"x = 2{CTRL_C}y = 3{ENTER}") == ["y = 3"]


@pytest.mark.slow
def test_tab_completes_names_functions_and_commands(typed: Typed) -> None:
    assert typed(f"2*vel{TAB}", ENTER) == ["2*velocity"]
    assert typed(f"gam{TAB}", f"2){ENTER}") == ["gamma(2)"]
    assert typed(f":hess{TAB}", ENTER) == [":hessian"]


def test_tab_completes_files(typed: Typed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "neuron.expr").write_text("x")
    assert typed(f":load neu{TAB}", ENTER) == [":load neuron.expr"]


def test_a_pasted_program_is_one_text(typed: Typed) -> None:
    assert typed(f"\x1b[200~x = 2\ny = x^2\n\x1b[201~{ENTER}") == ["x = 2\ny = x^2\n"]


def test_what_was_typed_comes_back_in_the_next_session(typed: Typed, folder: Path) -> None:
    typed(f"x = 12345{ENTER}")
    assert typed(UP, ENTER) == ["x = 12345"]
    file = folder / "autodiff/history"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_enter_takes_the_line_that_a_search_finds(typed: Typed) -> None:
    lines = "y = w^2", "z = 3"
    found = typed(*(line + ENTER for line in lines), f"{CTRL_R}w^{ENTER}{CTRL_E} + 1", ENTER)
    assert found == [*lines, "y = w^2 + 1"]


def test_there_is_no_history_where_it_cannot_be_written(
    typed: Typed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "file"))
    assert typed(f"x = 2{ENTER}", UP, ENTER) == ["x = 2", "x = 2"]


@pytest.mark.slow
def test_the_history_does_not_grow_for_ever(typed: Typed, folder: Path) -> None:
    file = folder / "autodiff/history"
    file.parent.mkdir()
    file.write_text("".join(f"\n# a time\n+x = {number}\n" for number in range(100_000)))
    assert typed(UP, ENTER) == ["x = 99999"]
    assert file.stat().st_size < 2**20
    assert file.read_text().startswith("# a time\n+x = ")
    typed("\x1b[200~" + "x = 1\n" * 3_000 + "\x1b[201~", ENTER)
    assert file.stat().st_size < 2**20
