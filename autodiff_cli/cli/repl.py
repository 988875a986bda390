"""`autodiff repl`: an interactive prompt that keeps names and values, or a script of what would be typed there."""

import gc
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import TextIOWrapper

import click

from ..errors import CLOSED_PIPE, INPUT, INTERRUPTED, AutodiffError, needing
from ..repl.statements import typed_texts
from ..version import __version__
from . import options
from .prompt.commands import COMMANDS
from .prompt.interpreter import Interpreter

_HELP = """Type formulas one by one: names keep their values, and each line is answered with its value and its gradient.

\b
  > y = x^2*w
  y needs numbers for x, w: x = 2
  > x = 3; w = 2
  y = 18   dy/dx = 12   dy/dw = 9
  > :diff x

`x = 2` gives an input another number, and everything that depends on it is shown again. `ans` is the last result, and
`_1`, `_2` … are results without a name. `:help` lists the commands, which are those of the command line. Ctrl-D quits.

If standard input is not a terminal, it is read as a script, and only what its lines print is written."""


@click.command(help=_HELP)
@options.file_option
@options.from_option
@click.pass_context
def command(ctx: click.Context, /, file: str | None, notation: str | None) -> int:
    """Talk, or run a script; the exit code of a script is 1 if any of its lines was refused."""
    gc.enable()  # a session lasts
    interpreter = Interpreter(ctx.find_root(), notation)
    if file is not None:
        interpreter.load(file)
    if sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
        _talk(interpreter)
        return 0
    return _run_script(interpreter)


def _talk(interpreter: Interpreter) -> None:
    with needing("the prompt needs the package `prompt_toolkit`, which is not installed", "prompt"):
        from ..repl.line_editor import PROMPT, LineEditor
    click.echo(f"autodiff {__version__}   :help   Ctrl-D leaves")
    for text in LineEditor(interpreter.session, COMMANDS).texts():
        is_line = text.isprintable()  # several lines are not
        with suppress(KeyboardInterrupt):  # between two computations
            for typed in typed_texts(text.split("\n")):
                indent, line = (len(PROMPT), 0) if is_line else (None, typed.line)
                if interpreter.run(typed.text, line=line, indent=indent) == INTERRUPTED:
                    click.echo("interrupted", err=True)
                    break
        if interpreter.is_over:
            return


def _run_script(interpreter: Interpreter) -> int:
    code = 0
    for text, line in typed_texts(_script()):
        ended = interpreter.run(text, "<stdin>", line)
        if ended in (INTERRUPTED, CLOSED_PIPE):
            return ended
        sys.stdout.flush()  # somebody may wait for the answer
        code = INPUT if ended else code
        if interpreter.is_over:
            break
    return code


def _script() -> Iterator[str]:
    """The lines of standard input."""
    if sys.stdin is None:
        return
    try:
        yield from TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise AutodiffError("standard input is not UTF-8 text", hint="save it with the encoding UTF-8") from None
