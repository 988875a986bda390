"""Messages on standard error besides errors: warnings, results that are not finite, the progress of long work."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from ...errors import AutodiffError, Notice, Remedy
from ...terminal import messages
from ..command_line.remedies import in_options

if TYPE_CHECKING:
    from ...parallel import Progress


def warn(*notices: Notice | AutodiffError | None) -> None:
    """Print warnings on standard error."""
    for notice in notices:
        if notice is not None:
            messages.show(in_options(notice).render("warning", messages.room(sys.stderr)), sys.stderr)


def advise(remedy: Remedy | None) -> None:
    """Print the hint to a result that is a failure on standard error; below the result where that is in a pager."""
    if remedy is not None:
        from ...terminal.pager import is_paged

        out = sys.stdout if is_paged(sys.stdout) else sys.stderr
        messages.show(f"hint: {in_options(AutodiffError('', remedy=remedy)).hint}", out)


@contextmanager
def progress_shown(what: str) -> Iterator["Progress"]:
    """Show on a terminal how far work is; nothing of it is left there when the block ends, also with an error."""
    from ...terminal.progress import progress

    with ExitStack() as stack:
        yield lambda items: stack.enter_context(closing(progress(items, what)))


def raise_or_warn(error: AutodiffError | None, allowed: bool, *notices: Notice | None) -> None:
    """Raise the error for a number that is not finite, or print it as a warning if such numbers are allowed.

    Without an error, print the notices.
    """
    if error is not None and not allowed:
        raise error
    if error is not None:
        error.hint = ""  # it says how to get what is now printed
    warn(*((error,) if error is not None else notices))
