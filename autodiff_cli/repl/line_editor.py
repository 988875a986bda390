"""The terminal in which a session is typed: history, completion, colours, matching parentheses, several lines.

The only file that imports prompt_toolkit.
"""

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout.processors import HighlightMatchingBracketProcessor
from prompt_toolkit.lexers import Lexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

from ..terminal.color import is_colored
from .completion import PromptCommand, candidates
from .highlighting import fragments
from .history import history_file
from .session import Session
from .statements import COMMAND, is_unfinished

PROMPT = "> "
_CONTINUED = ". "
_MOST_REMEMBERED = 10_000  # characters
_STYLE = Style.from_dict(
    {
        "prompt": "bold",
        "number": "ansiblue",
        "function": "ansicyan",
        "constant": "ansiblue",
        "word": "bold",
        "comment": "ansibrightblack",
        "command": "ansimagenta",
        "unknown": "ansired",
        "matching-bracket.cursor": "noinherit bold underline",
        "matching-bracket.other": "noinherit bold underline",
    }
)


class LineEditor:
    """Reads the input of a session."""

    def __init__(self, session: Session, commands: Mapping[str, PromptCommand]) -> None:
        path = history_file()
        self._prompt: PromptSession[str] = PromptSession(
            [("class:prompt", PROMPT)],
            multiline=True,
            prompt_continuation=lambda width, number, is_wrapped: "" if is_wrapped else _CONTINUED,
            lexer=_Highlighter(session),
            completer=_Completer(session, commands),
            complete_while_typing=False,
            history=_History(path) if path else InMemoryHistory(),
            input_processors=[HighlightMatchingBracketProcessor(chars="()")],
            key_bindings=_keys(),
            style=_STYLE,
            color_depth=None if is_colored(sys.stdout) else ColorDepth.DEPTH_1_BIT,
            include_default_pygments_style=False,
            reserve_space_for_menu=6,
            enable_suspend=True,
        )

    def texts(self) -> Iterator[str]:
        """The texts that are typed, until Ctrl-D; Ctrl-C drops the line."""
        while True:
            try:
                yield self._prompt.prompt()
            except KeyboardInterrupt:
                continue
            except EOFError:
                return


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=has_focus(DEFAULT_BUFFER))  # in a search, Enter takes the line that is found
    def enter(event: KeyPressEvent) -> None:
        """Take the text, unless it is unfinished."""
        buffer = event.current_buffer
        if is_unfinished(buffer.text):
            buffer.newline(copy_margin=False)
        else:
            buffer.validate_and_handle()

    return keys


class _History(FileHistory):
    """A history without long programs, which does without its file once that cannot be written."""

    def store_string(self, string: str) -> None:
        """Append a text to the file."""
        if len(string) <= _MOST_REMEMBERED:
            with suppress(OSError):
                super().store_string(string)


class _Highlighter(Lexer):
    def __init__(self, session: Session) -> None:
        self._session = session

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """The styled parts of each line."""
        styled: StyleAndTextTuples = [
            (f"class:{kind}", text) for kind, text in fragments(document.text, self._session) if text
        ]
        lines = [*split_lines(styled)]
        return lambda number: lines[number] if number < len(lines) else []


class _Completer(Completer):
    def __init__(self, session: Session, commands: Mapping[str, PromptCommand]) -> None:
        self._session, self._commands = session, commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The completions of the word before the cursor."""
        text = document.current_line_before_cursor
        name, blank, rest = text.lstrip().partition(" ")
        command = self._commands.get(name.removeprefix(COMMAND)) if blank else None
        if command and command.words == "files":
            begun = _unquoted(rest)
            for path in PathCompleter(expanduser=True).get_completions(Document(begun), complete_event):
                yield Completion(_quoted(begun + path.text), -len(rest), display=path.display)
            return
        prefix, endings = candidates(text, self._session, self._commands)
        for candidate in endings:
            yield Completion(candidate.text, -len(prefix), display_meta=candidate.doc)


def _unquoted(text: str) -> str:
    """The beginning of a file's name as it is meant, where a quote may still be open."""
    for quote in ("", "'", '"'):
        with suppress(ValueError):
            return " ".join(shlex.split(text + quote))
    return text


def _quoted(path: str) -> str:
    """A file's name as a command of the prompt takes it."""
    with suppress(ValueError):
        if shlex.split(path) == [path]:
            return path
    return shlex.quote(path)
