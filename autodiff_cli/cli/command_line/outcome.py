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
    uncapitalized,
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

        if _is_undecoded(error):
            error.hint = "set PYTHONUTF8=1, so that the command line is read as UTF-8"
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

        if isinstance(error, ImportError) and (package := _broken_package(error)):
            cause = error.__cause__ or error  # of NumPy's long advice the first line does not say what is wrong
            reason = str(cause).strip().partition("\n")[0]
            _print(f"error: the package `{package}` is installed, but cannot be loaded: {printable(reason)}")
            return MISSING_PACKAGE
        traceback.print_exc()
        _print(f"error: this is a defect of autodiff {__version__}; please report it with the lines above")
        return INTERNAL


def _is_undecoded(error: AutodiffError) -> bool:
    """Whether the error is about letters of the command line that the encoding of the locale lacks."""
    about = error.message + (error.source.text if error.source is not None else "")
    return sys.getfilesystemencoding() != "utf-8" and re.search("[\udc80-\udcff]", about) is not None


def _broken_package(error: ImportError) -> str:
    """The package whose own code, or library, fails to load; "" where the import of this package is at fault."""
    import traceback

    names = [str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__)]
    *_, package = (name.partition(".")[0] for name in names if not name.startswith("importlib."))
    return "" if package == __package__.partition(".")[0] else package


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
    return re.sub(r"'([^']*)'", r"`\1`", uncapitalized(message)).rstrip(".")


def _print(text: str) -> None:
    messages.show(text, sys.stderr)
