"""The commands of the prompt: most are commands of the command line, run on the program of the session."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from itertools import takewhile

import click

from .. import files
from ..errors import USAGE, AutodiffError, columns, did_you_mean
from ..export import TARGETS
from ..notation import canonical
from ..operations import FUNCTIONS
from ..output import write
from ..output.report import Column, Line, Report, Row, Table
from ..repl.completion import PromptCommand
from ..repl.results import Reply
from ..repl.session import Session
from ..repl.statements import COMMAND
from .formula import text_of_file
from .notices import warn
from .outcome import outcome


@dataclass(frozen=True)
class Delegated(PromptCommand):
    """A command of the command line: its arguments, and the option that takes the words of the prompt."""

    arguments: tuple[str, ...] = ()
    option: str = "--wrt"


COMMANDS = {
    "eval": Delegated("every node's value and gradient", "[NAMES]", arguments=("eval",)),
    "diff": Delegated("derivatives as formulas", "[NAMES]", arguments=("diff",)),
    "hessian": Delegated("second derivatives", "[NAMES]", arguments=("eval", "--hessian")),
    "taylor": Delegated("the Taylor series", "[NAME]", arguments=("taylor",)),
    "check": Delegated("the gradient against finite differences", "[NAMES]", arguments=("check",)),
    "graph": Delegated("the computation graph", "[NAME]", arguments=("graph",)),
    "explain": Delegated("the chain rule step by step", "[NAME]", arguments=("explain",)),
    "plot": Delegated("a curve and its slope", "x=-5:5", arguments=("plot",), option="--over"),
    "solve": Delegated("where the result is zero", "[NAME]", arguments=("solve",), option="--for"),
    "minimize": Delegated("where the result is least", "[x=1]", arguments=("minimize",), option="--start"),
    "sensitivity": Delegated("which inputs matter", "[NAMES]", arguments=("sensitivity",)),
    "export": Delegated("a function in another language", "c", tuple(TARGETS), ("export",), "--to"),
    "list": PromptCommand("the definitions so far"),
    "clear": PromptCommand("forget everything, or some names", "[NAMES]"),
    "save": PromptCommand("write the definitions to a file", "f.expr", "files"),
    "load": PromptCommand("read definitions from a file", "f.expr", "files"),
    "help": PromptCommand("this list, or a function or command", "[sin]", "functions"),
    "quit": PromptCommand("leave, as Ctrl-D does"),
}
"""the commands of the prompt, in the order of its help"""

_WORDS = {"missing inputs": lambda *names: f"write {'; '.join(f'{name} = 1' for name in names[:3])}, with your numbers"}


class Interpreter:
    """Runs what is typed: statements and commands."""

    def __init__(self, group: click.Command) -> None:
        self.session = Session()
        self.is_over = False
        """whether the user wants to leave"""
        self._group = group

    def run(self, text: str, name: str = "<line>", line: int = 0, indent: int | None = None) -> int:
        """Run statements or a command and return the exit code; an error is printed.

        Where the text stands just above in the terminal, so many columns from the left, its caret is put below it.
        """
        return outcome(lambda: self._run(text, name, line, indent), _WORDS)

    def load(self, path: str) -> None:
        """Take the definitions of a file."""
        self._show(self.session.load(text_of_file(path), path))

    def _run(self, text: str, name: str, line: int, indent: int | None) -> object:
        if text.lstrip().startswith(COMMAND):
            return self._command(text)
        try:
            for answer in self.session.run(text, name, line):
                self._show(answer)
        except AutodiffError as error:
            is_here = indent is not None and error.source and error.source.text == text
            if is_here and error.span and _mark(text, error.span, indent or 0):
                error.span = None
            raise
        return 0

    def _command(self, text: str) -> object:
        called, *words = _words(text) or ["help"]
        command = COMMANDS.get(called)
        if command is None:
            hint = did_you_mean(called, COMMANDS).replace("`", "`:", 1) or "`:help` lists the commands"
            raise AutodiffError(f"there is no command `:{called}`", hint=hint, code=USAGE)
        return self._delegate(command, words) if isinstance(command, Delegated) else _OWN[called](self, words)

    def _show(self, answer: Reply) -> None:
        write(replace(answer, width=_width()), "table", sys.stdout)
        if answer.notice is not None:
            warn([answer.notice])

    # ---- Commands of the command line --------------------------------------------------------------------------------

    def _delegate(self, command: Delegated, words: Sequence[str]) -> object:
        """Run a command with the program of a value on its standard input.

        That is the value which a word names, else the last result; the other words before the first option belong to
        the command.
        """
        plain = [*takewhile(lambda word: not word.startswith("--") and word not in ("-f", "-o", "-h"), words)]
        values = [word for word in plain if self.session.is_computed(canonical(word))]
        program = self.session.text(*map(canonical, values[-1:]))
        if not program:
            raise AutodiffError("there is no formula yet", hint="write one first, such as y = x^2")
        given = [part for word in plain if word not in values for part in (command.option, word)]
        with _standard_input(program):
            return self._call(*command.arguments, *given, *words[len(plain) :])

    def _call(self, *arguments: str) -> object:
        return self._group.main(arguments, prog_name="autodiff", standalone_mode=False)

    # ---- Commands of the prompt --------------------------------------------------------------------------------------

    def _list(self, words: Sequence[str]) -> None:
        click.echo(self.session.program(), nl=False)

    def _clear(self, words: Sequence[str]) -> None:
        self.session.forget(map(canonical, words) if words else self.session.definitions)

    def _save(self, words: Sequence[str]) -> None:
        files.write_file(_file_name(words), self.session.program().encode())

    def _load(self, words: Sequence[str]) -> None:
        self.load(_file_name(words))

    def _help(self, words: Sequence[str]) -> object:
        if not words:
            write(_CommandHelp(), "table", sys.stdout)
            return None
        command = COMMANDS.get(words[0].removeprefix(COMMAND))
        if isinstance(command, Delegated) and words[0] not in FUNCTIONS:
            return self._call(command.arguments[0], "--help")
        if command is not None:
            click.echo(command.doc)
            return None
        return self._call("functions", words[0])

    def _quit(self, words: Sequence[str]) -> None:
        self.is_over = True


_OWN: Mapping[str, Callable[[Interpreter, Sequence[str]], object]] = {
    "list": Interpreter._list,
    "clear": Interpreter._clear,
    "save": Interpreter._save,
    "load": Interpreter._load,
    "help": Interpreter._help,
    "quit": Interpreter._quit,
}


class _CommandHelp(Report):
    """The commands of the prompt, for people."""

    def tables(self) -> Iterator[Table | Line]:
        """A row for each command."""
        rows = [Row((f":{name} {command.parameters}".rstrip(), command.doc)) for name, command in COMMANDS.items()]
        yield Table((Column("command", "cyan"), Column("what it does", wraps=True)), rows)


def _mark(text: str, span: tuple[int, int], indent: int) -> bool:
    """Put carets below a place of a text that stands just above, unless it went on in another line."""
    before, marked = columns(text[: span[0]]), max(1, columns(text[slice(*span)]))
    fits = indent + before + marked <= _width()
    if fits:
        click.echo(" " * (indent + before) + "^" * marked, err=True)
    return fits


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text.strip().removeprefix(COMMAND))
    except ValueError:
        raise AutodiffError("a quote is never closed", hint="close it, or put \\ before it", code=USAGE) from None


def _file_name(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise AutodiffError("name one file", hint="such as :save f.expr or :load f.expr", code=USAGE)
    return os.path.expanduser(words[0])


@contextmanager
def _standard_input(text: str) -> Iterator[None]:
    """Let standard input be the text of a session."""
    before, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(text.encode()), encoding="utf-8")
    try:
        yield
    except AutodiffError as error:
        if error.source and error.source.name == "<stdin>":
            error.source = error.source._replace(name="<session>")
        raise
    finally:
        sys.stdin = before


def _width() -> int:
    """The columns of the terminal."""
    from ..terminal.console import console  # which the other commands' help does not need

    return console(sys.stdout).width
