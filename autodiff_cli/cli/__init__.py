"""The command line: `autodiff COMMAND [FORMULA] [OPTIONS]`. Each of the `COMMANDS` is a module here.

What they share stands in `options` and in the folders, none of which imports a command.

`main` is the only door to the outside; `outcome` prints every error and turns it into an exit code.
"""

import gc
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

import click

from ..errors import INTERRUPTED, USAGE, UsageError
from ..terminal.encoding import for_people
from ..terminal.messages import MessageStream
from ..terminal.size import COLUMNS, width
from ..version import __version__
from .command_line.global_options import global_options
from .command_line.help_texts import HelpContext
from .command_line.outcome import EXIT_CODES, ClosedPipe, not_written, outcome

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "eval": "Compute a value and its gradient, with every step on the way.",
    "diff": "Write the derivative as a formula.",
    "graph": "Draw the computation graph.",
    "explain": "Go through the chain rule step by step, with numbers.",
    "plot": "Draw a function and its derivative over a range.",
    "taylor": "Compute a Taylor series in one variable.",
    "minimize": "Find a minimum, within bounds and constraints.",
    "solve": "Solve an equation, or several.",
    "fit": "Fit a formula to data by least squares.",
    "uncertainty": "Compute the uncertainty of a result from measured values.",
    "sensitivity": "Show which inputs a result depends on most.",
    "check": "Compare the gradient with finite differences.",
    "verify": "Say whether a derivative that you wrote is correct.",
    "export": "Write the gradient as code: C, Python, JavaScript, SQL …",
    "convert": "Translate a formula from Python, LaTeX, C or Excel.",
    "functions": "List all operations and functions, with their derivatives.",
    "repl": "Start a prompt that keeps names and values.",
    "completion": "Print the completion script for bash, zsh or fish.",
}
"""command → what it does; its module is imported only when it is run"""

_HELP = """Exact derivatives of formulas: as numbers, as formulas, as code.

\b
  autodiff diff "x^2*sin(x)"
  autodiff eval "a*b+c" --set a=2 b=-3 c=10
  autodiff explain "a*b+c" --set a=2 b=-3 c=10
  autodiff verify "x^3" "3*x^2"
  autodiff plot "x^2*sin(x)" --over x=-5:5
  autodiff minimize "(x - 1)^2 + 3*y^2" --start x=0 y=1
  autodiff export "x^2*sin(x)" --to c
  autodiff eval -f model.expr --data points.csv -o results.csv
  echo "x^2" | autodiff eval --set x=3 --format json | jq .gradient
  autodiff repl

`autodiff COMMAND --help` has more for each command."""

_EPILOG = f"""Exit codes: {"; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items())}.

\b
Completion: eval "$(autodiff completion bash)" in the shell's start-up file;
`autodiff completion --help` has the line for zsh and fish.
Manual: autodiff --man eval | man -l -"""


_ON_PROMPT = '`pip install "autodiff-cli[prompt]"` makes this a prompt that keeps names and values.'


@contextmanager
def _closed_pipes() -> Iterator[None]:
    """Raise ClosedPipe for a closed pipe, because click would exit with the code 1; --help and --man print early."""
    try:
        yield
    except BrokenPipeError:
        raise ClosedPipe from None


class Commands(click.Group):
    """The commands; a module is imported only when its command is run."""

    context_class = HelpContext

    @_closed_pipes()
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; without any a terminal gets the prompt, all else the help and exit code 2."""
        if not args and not ctx.resilient_parsing:
            from importlib.util import find_spec

            is_terminal = bool(sys.stdin and sys.stdin.isatty() and sys.stdout.isatty())
            if is_terminal and find_spec("prompt_toolkit") is not None:
                return super().parse_args(ctx, ["repl"])
            on_prompt = click.wrap_text(_ON_PROMPT, min(width(sys.stdout), COLUMNS)) if is_terminal else ""
            click.echo("\n\n".join(filter(None, (ctx.get_help(), on_prompt))), err=True)
            ctx.exit(USAGE)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name}", __name__).command
        command.context_class = HelpContext
        command.short_help = COMMANDS[cmd_name]
        known = {parameter.name for parameter in command.params}
        command.params += [option for option in global_options() if option.name not in known]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem[str]"]:
        """The commands and the options that begin with `incomplete`."""
        from click.shell_completion import CompletionItem

        commands = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names. Raises AutodiffError with a suggestion if there is none."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from .command_line.foreign_words import instead_of_command

            raise UsageError(f"there is no command `{args[0]}`", instead_of_command(args, COMMANDS))
        return super().resolve_command(ctx, args)

    @_closed_pipes()
    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        return super().invoke(ctx)


def _print_manual(ctx: click.Context, parameter: click.Parameter, name: str | None) -> None:
    """Print the manual page of the command of that name, or of the program for ""."""
    if name is None or ctx.resilient_parsing:
        return
    from .command_line.manual import page

    assert isinstance(ctx.command, Commands)
    click.echo(page(ctx.command, name), nl=False)
    ctx.exit()


@click.command(
    cls=Commands,
    help=_HELP,
    epilog=_EPILOG,
    params=global_options(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="autodiff %(version)s")
@click.option(
    "--man",
    is_flag=False,
    flag_value="",
    is_eager=True,
    expose_value=False,
    callback=_print_manual,
    shell_complete=lambda ctx, parameter, begun: [name for name in COMMANDS if name.startswith(begun)],
    metavar="[COMMAND]",
    help="Print the manual page of the program or of a command, for `man -l -`.",
)
def group() -> None:
    """All commands."""


class _WithoutPandas:
    """An importer that refuses pandas: PyArrow imports it, where it is installed, to see what is not a data frame."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def main() -> None:
    """Run the command line of this process and exit."""
    gc.disable()  # a graph has no cycles, and to look for some among a million nodes costs as much as the sweeps
    sys.meta_path.insert(0, _WithoutPandas)
    warnings.simplefilter("ignore")  # PYTHONWARNINGS asks for those about the user's own programs
    sys.stdout = _standard_output()
    sys.stderr = MessageStream.of(sys.stderr) if sys.stderr else _null_device(os.O_WRONLY)  # type: ignore[arg-type]  # as below
    for stream in (sys.stdout, sys.stderr):
        for_people(stream)  # type: ignore[arg-type]  # a text file in a process of its own
    code = run()
    try:
        sys.stdout.flush()
    except OSError as error:
        code = code or not_written(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would be tried again at the exit
    if code == INTERRUPTED and os.name == "posix":  # by the signal: after an exit code a shell goes on with its loop
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    sys.exit(code)


def _standard_output() -> TextIO:
    """Standard output, which refuses to be written to where the shell's >&- has closed it.

    It has a buffer even with PYTHONUNBUFFERED, one of a line: a file without a buffer may write a part of its data
    without an error.
    """
    if sys.stdout is None:
        return _null_device(os.O_RDONLY)
    buffering = 1 if getattr(sys.stdout, "write_through", False) else -1
    return open(sys.stdout.fileno(), "w", buffering, encoding=sys.stdout.encoding, closefd=False)


def _null_device(flags: int) -> TextIO:
    """The null device, open until the end of the process."""
    return open(os.open(os.devnull, flags), "w", encoding="utf-8", closefd=False)


def run() -> int:
    """Run the command of this process's arguments and return its exit code; its error is printed."""
    if "_AUTODIFF_COMPLETE" in os.environ:
        from .completion import shells

        shells.register()
    return outcome(lambda: group.main(prog_name="autodiff", standalone_mode=False))
