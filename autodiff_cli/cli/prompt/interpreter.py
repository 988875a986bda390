"""Running what is typed at the prompt: statements by the session, commands by the command line."""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from io import BytesIO, TextIOWrapper

import click

from ... import files
from ...conversion import Converter, NoFormulaError
from ...errors import AutodiffError, Source, UsageError, did_you_mean
from ...notation import canonical
from ...output import write
from ...parser.diagnostics.synonyms import similar_function
from ...repl.results import Reply
from ...repl.session import Session
from ...repl.statements import COMMAND
from ...terminal.color import choice_kept, is_colored, styled
from ...terminal.printable_text import columns
from ...terminal.size import width
from ...work_budget import WorkBudget
from ..command_line.arguments import options_and_others
from ..command_line.global_options import WORK_BUDGET
from ..command_line.help_texts import HelpContext
from ..command_line.lists import NAMES, separated
from ..command_line.outcome import outcome
from ..command_line.remedies import worded
from ..output.notices import warn
from ..sources.formula import text_of_file
from . import hints
from .commands import COMMANDS, CommandHelp, Delegated

_FORCE = "--force"
"""the word with which `:save` overwrites a file that it has not written itself"""


class _PromptContext(HelpContext):
    """The context of a command that is written as the prompt has it."""

    @property
    def command_path(self) -> str:
        """The command, as help texts and hints name it."""
        return f"{COMMAND}{self.info_name}"


class Interpreter:
    """Runs what is typed: statements, which may be in another notation, and commands."""

    def __init__(self, context: click.Context, notation: str | None = None) -> None:
        self.session = Session()
        self.is_over = False
        """whether the user wants to leave"""
        self._converter = Converter(notation) if notation else None
        self._saved: set[str] = set()
        self._context = context  # of the command line, whose options hold here too
        self._budget: WorkBudget = context.meta[WORK_BUDGET]
        self._budget_of_a_line = copy(self._budget)

    def run(self, text: str, name: str = "<line>", line: int = 0, indent: int | None = None) -> int:
        """Run statements or a command and return the exit code; an error is printed.

        Where the text stands just above in the terminal, this many columns from the left, its caret is put below it.
        """
        self._budget.become(self._budget_of_a_line)
        with choice_kept():
            return outcome(lambda: self._run(text, name, line, indent))

    def load(self, path: str) -> None:
        """Take the definitions of a file."""
        self._show(self.session.load(self._source(text_of_file(path), path)))

    @worded(hints.WORDS)
    def _run(self, text: str, name: str, line: int, indent: int | None) -> object:
        if text.lstrip().startswith(COMMAND):
            with _encoding_kept():
                return self._command(text)
        try:
            for answer in self.session.run(self._source(text, name, line)):
                self._show(answer)
        except AutodiffError as error:
            if hint := hints.for_missing_colon(text, self.session.definitions):
                error.hint = hint
            is_here = indent is not None and error.source and error.source.text == text
            if is_here and error.span and _mark(text, error.span, indent or 0):
                error.span = None
            raise
        return 0

    def _source(self, text: str, name: str, line: int = 0) -> Source:
        """Statements as they are in the language; what is said about them points into what was typed."""
        if self._converter is None or not text.strip():
            return Source(text, name, line)
        try:
            converted = self._converter.convert(text, name, line)
        except NoFormulaError:  # but perhaps imports, declarations or comments
            return Source("", name, line)
        return Source(converted.text, name, line, converted.origin)

    def _command(self, text: str) -> object:
        called, *words = _words(text) or ["help"]
        command = COMMANDS.get(called)
        if command is None:
            raise UsageError(f"there is no command `:{called}`", hints.for_unknown_command(called, words))
        if isinstance(command, Delegated):
            return self._delegate(called, command, words)
        return self._run_own(called, words)

    def _show(self, answer: Reply) -> None:
        write(replace(answer, width=width(sys.stdout)), "table", sys.stdout)
        if answer.notice is not None:
            warn(answer.notice)

    # ---- Commands of the command line --------------------------------------------------------------------------------

    def _delegate(self, called: str, command: Delegated, words: Sequence[str]) -> object:
        """Run a command with the program of a value on its standard input.

        That is the value which a word names, else the last result; the other words that belong to no option are those
        that the command takes at the prompt.
        """
        name = command.arguments[0]
        context = _PromptContext(self._known(name), parent=self._context, info_name=name)
        options, plain = options_and_others(context, words)
        if not {"-h", "--help"}.isdisjoint(options):
            self._print_help(called, command)
            return None
        values = [word for word in plain if self.session.is_computed(canonical(word))]
        own = [word for word in plain if word in _own_words(command, options)]
        if own and all(word in values for word in own):  # the first is the command's, as the language of `:export c c`
            values.remove(own[0])
        hints.refuse_formula(called, [word for word in plain if word not in own], words)
        hints.refuse_several_values(called, command, values)
        program = self.session.text(canonical("".join(values[:1])), map(canonical, words))
        if not program:
            raise AutodiffError("there is no formula yet", hint="write one first, such as y = x^2")
        for value in values:
            plain.remove(value)
        given = [part for word in plain for part in (command.option_for(word), word)]
        with _standard_input(program):
            return self._call(*command.arguments, *given, *options)

    def _known(self, name: str) -> click.Command:
        group = self._context.command
        command = group.get_command(self._context, name) if isinstance(group, click.Group) else None
        assert command is not None
        command.context_class = _PromptContext
        return command

    def _call(self, name: str, *arguments: str) -> object:
        command = self._known(name)
        try:
            with command.make_context(name, [*arguments], self._context) as context:
                return command.invoke(context)
        except click.exceptions.Exit as leaving:  # after the help of `-vh`
            return leaving.exit_code

    # ---- Commands of the prompt --------------------------------------------------------------------------------------

    def _run_own(self, called: str, words: Sequence[str]) -> object:
        match called:
            case "list":
                click.echo(self.session.program(), nl=False)
            case "clear":
                names = [canonical(name) for word in words for name in separated(word, NAMES)]
                self.session.forget(names if words else self.session.definitions)
            case "save":
                self._save(words)
            case "load":
                self.load(_file_name(words))
            case "help":
                return self._help(words)
            case "quit":
                self.is_over = True
        return None

    def _save(self, words: Sequence[str]) -> None:
        path = _file_name([word for word in words if word != _FORCE])
        if os.path.isfile(path) and path not in self._saved and _FORCE not in words:
            raise UsageError(f"`{path}` exists already", f":save {shlex.quote(path)} {_FORCE} overwrites it")
        files.write_file(path, self.session.program().encode())
        self._saved.add(path)

    def _print_help(self, called: str, command: Delegated) -> None:
        """Print the help of a command of the command line, with its usage here."""
        name = command.arguments[0]
        context = _PromptContext(self._known(name), parent=self._context, info_name=name)
        _, _, about = context.get_help().partition("\n\n")  # what follows the usage
        argument = context.command.collect_usage_pieces(context)[-1].strip("[] …")
        given = f"  {argument} is the last result, or a value that is named."
        click.echo(f"Usage: {COMMAND}{called} {command.parameters} [OPTIONS]\n\n{given}\n\n{about}")

    def _help(self, words: Sequence[str]) -> object:
        if not words:
            write(CommandHelp(), "table", sys.stdout)
            return None
        command = COMMANDS.get(words[0].removeprefix(COMMAND))
        if isinstance(command, Delegated):
            self._print_help(words[0].removeprefix(COMMAND), command)
            return None
        if command is not None:
            click.echo(command.doc)
            return None
        try:
            return self._call("functions", words[0])
        except AutodiffError as error:
            others = "`:help` lists the commands; Tab completes the names of functions"
            error.hint = did_you_mean(words[0], COMMANDS) or similar_function(words[0].partition("(")[0]) or others
            raise


def _own_words(command: Delegated, options: Sequence[str]) -> Sequence[str]:
    """The command's own words, such as the languages of `:export`; none where an option has the word already."""
    is_given = any(word.partition("=")[0] == command.option for word in options)
    return () if is_given or isinstance(command.words, str) else command.words


def _mark(text: str, span: tuple[int, int], indent: int) -> bool:
    """Put carets below a place of a text that stands just above, unless it went on in another line."""
    before, marked = columns(text[: span[0]]), max(1, columns(text[slice(*span)]))
    fits = indent + before + marked <= width(sys.stdout)
    if fits:
        carets = "^" * marked
        sys.stderr.write(
            f"{' ' * (indent + before)}{styled(carets, 'bold red') if is_colored(sys.stderr) else carets}\n"
        )
    return fits


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text.strip().removeprefix(COMMAND))
    except ValueError:
        raise UsageError("a quote is never closed", "close it, or put \\ before it") from None


def _file_name(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise UsageError("name one file", "write :save f.expr or :load f.expr")
    return os.path.expanduser(words[0])


@contextmanager
def _encoding_kept() -> Iterator[None]:
    """Let what programs read be UTF-8 (see `encoding.for_programs`), and what follows be as before."""
    out, encoding, errors = sys.stdout, sys.stdout.encoding, sys.stdout.errors
    try:
        yield
    finally:
        if isinstance(out, TextIOWrapper) and out.encoding != encoding:
            out.reconfigure(encoding=encoding, errors=errors)


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
