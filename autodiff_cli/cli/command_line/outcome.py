"""The end of a command: its error as a message on standard error, and its exit code."""

import re
import sys
from collections.abc import Callable

import click

from ...errors import (
    CLOSED_PIPE,
    INPUT,
    INTERNAL,
    INTERRUPTED,
    MISMATCH,
    MISSING_PACKAGE,
    NOT_FINITE,
    USAGE,
    AutodiffError,
)
from ...terminal import messages
from ...terminal.printable_text import printable
from ...version import __version__

EXIT_CODES = {
    0: "done",
    INPUT: "the input is wrong",
    USAGE: "wrong usage",
    NOT_FINITE: "a result is not finite",
    MISMATCH: "a check says no or a search found nothing",
    MISSING_PACKAGE: "an optional package is missing",
}
"""the exit codes that scripts rely on → what they mean"""

_NUMBERS = {"integer": "a whole number", "float": "a number"}
"""click's word for a number → what a value is not"""
_LITTLE_MEMORY = ("can't start new thread", "failed to map segment")  # how Python says that there is none left


class ClosedPipe(Exception):  # noqa: N818  # it is not an error
    """The reader of the output has closed the pipe."""


def outcome(run: Callable[[], object]) -> int:
    """Run a command and return its exit code; its error, if there is one, is printed."""
    try:
        code = run()
        return code if isinstance(code, int) else 0
    except AutodiffError as error:
        from .remedies import in_options

        _print(in_options(error).render(room=messages.room(sys.stderr)))
        return error.code
    except click.ClickException as error:
        _print(_usage(error))
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except ClosedPipe:
        return CLOSED_PIPE
    except OSError as error:
        return not_written(error)
    except Exception as error:
        if isinstance(error, MemoryError) or any(phrase in str(error) for phrase in _LITTLE_MEMORY):
            _print("error: there is not enough memory for this")
            return INPUT
        import traceback

        traceback.print_exc()
        _print(f"error: this is a defect of autodiff {__version__}; please report it with the lines above")
        return INTERNAL


def not_written(error: OSError) -> int:
    """Print that the result cannot be written, unless its reader does not want it, and return the exit code."""
    if isinstance(error, BrokenPipeError):
        return CLOSED_PIPE
    _print(f"error: the result cannot be written: {str(error.strerror or error).lower()}")
    return INPUT


def _usage(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    if isinstance(error, click.NoSuchOption) and context:
        from .foreign_words import no_option

        return no_option(error.option_name, (), context).render(room=messages.room(sys.stderr))
    command = context.command_path if context else "autodiff"
    hint = _own_hint(error) or f"`{command} --help` shows how it is used"
    return f"error: {printable(usage_message(error))}\n\nhint: {hint}"


def _own_hint(error: click.ClickException) -> str:
    """The hint for a missing option, or for a value that is none of its choices; "" if there is none."""
    if not isinstance(error, click.BadParameter) or not isinstance(error.param, click.Option):
        return ""
    if isinstance(error, click.MissingParameter):
        return f"add {max(error.param.opts, key=len)} {error.param.metavar}"
    tried = re.match(r"'([^']*)' is not one of", error.message)
    if not tried:
        return ""
    from .foreign_words import instead_of_choice

    return instead_of_choice(tried[1], error.param)


def usage_message(error: click.ClickException) -> str:
    """The message of click's error in the form of this program's."""
    message = " ".join(error.format_message().split())  # click lists choices with a tab before each
    for kind, number in _NUMBERS.items():
        message = re.sub(f"is not a valid {kind}( range)?", f"is not {number}", message)
    return re.sub(r"'([^']*)'", r"`\1`", message[:1].lower() + message[1:]).rstrip(".")


def _print(text: str) -> None:
    messages.show(text, sys.stderr)
