"""The command line: `autodiff COMMAND [FORMULA] [OPTIONS]`. `COMMANDS` names the files of this folder that are commands.

`main` is the only door to the outside: it prints every error and turns it into an exit code.
"""

import gc
import os
import sys
from importlib import import_module

import click

from .. import __version__
from ..errors import CLOSED_PIPE, INTERNAL, INTERRUPTED, USAGE, AutodiffError, printable

COMMANDS = ("eval", "functions")

_HELP = """Derivatives of expressions: every node's value and gradient.

\b
  autodiff eval "a*b+c" --set a=2 b=-3 c=10
  autodiff eval -f neuron.expr --set b=8
  cat neuron.expr | autodiff eval --format json | jq .gradient
  autodiff functions tanh

`autodiff COMMAND --help` has more for each command."""

_EPILOG = """\b
Exit codes: 0 done; 1 the input is wrong; 2 wrong usage; 3 a result is not
finite; 4 a mismatch was found; 5 an optional package is missing.

\b
Completion: eval "$(_AUTODIFF_COMPLETE=bash_source autodiff)"
(or zsh_source, or fish_source, in the shell's start-up file)."""


class Commands(click.Group):
    """The commands, each imported only when it is called for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f".{cmd_name}", __name__).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, or an error with a suggestion."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from ..suggestions import did_you_mean

            hint = did_you_mean(args[0], COMMANDS) or f"write autodiff eval {args[0]!r}"
            raise AutodiffError(f"there is no command `{args[0]}`", hint=hint, code=USAGE)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, help=_HELP, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="autodiff %(version)s")
def group() -> None:
    """All commands."""


def main() -> None:
    """Run the command line of this process and exit."""
    gc.disable()  # a graph has no cycles, and to look for some among a million nodes costs as much as the sweeps
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a text file in a process of its own
    code = _run()
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        code = CLOSED_PIPE
    if code == CLOSED_PIPE:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads what is left to be flushed
    sys.exit(code)


def _run() -> int:
    try:
        code = group.main(prog_name="autodiff", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except AutodiffError as error:
        _print(error.render())
        return error.code
    except click.ClickException as error:
        _print(_usage(error))
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        return CLOSED_PIPE
    except Exception:
        import traceback

        traceback.print_exc()
        _print(f"error: this is a defect of autodiff {__version__}; please report it with the lines above")
        return INTERNAL


def _usage(error: click.ClickException) -> str:
    command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "autodiff"
    message = error.format_message()
    message = message[:1].lower() + message[1:]
    return f"error: {printable(message.rstrip('.'))}\n\nhint: `{command} --help` shows how it is used"


def _print(text: str) -> None:
    sys.stderr.write(text + "\n")
