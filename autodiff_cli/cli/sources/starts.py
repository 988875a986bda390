"""The starts of searches, in what errors say."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...errors import AutodiffError


@contextmanager
def hints_at_starts() -> Iterator[None]:
    """Let the error for a list without numbers ask for a start: numbers of `--set` would leave nothing to vary."""
    try:
        yield
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "list input":
            (name,) = error.remedy.names
            error.hint = error.hint.replace(error.remedy.words, f'add --start "{name}=[1,2,3]", with your numbers')
        raise
