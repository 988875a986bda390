"""Shares of a computation in processes of their own, where threads would wait for each other.

A process is a copy of this one, made in no time, that sees all that this one has. It writes to memory that both share,
and ends as soon as it is done.
"""

import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

Found = TypeVar("Found")

AVAILABLE = sys.platform == "linux"
"""elsewhere a copy of a process with threads is not safe"""


def in_forks(work: Callable[[int], Found], shares: int) -> list[Found]:
    """What the work finds for the numbers from 0 on, each in a process of its own; what it raises is raised here."""
    children: dict[int, int] = {}
    try:
        for share in range(shares):
            ours, theirs = os.pipe()
            child = _forked()
            if child == 0:
                os.close(ours)
                _work(work, share, theirs)
            os.close(theirs)
            children[child] = ours
        return [_answer(child, ours) for child, ours in children.items()]
    finally:
        for child, ours in children.items():
            _end(child, ours)


def _forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the copy needs no lock that one may hold
        return os.fork()


def _work(work: Callable[[int], Any], share: int, out: int) -> NoReturn:
    """What a copy does: it answers and ends, whatever happens, without what ends a program."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with os.fdopen(out, "wb") as file:
            try:
                pickle.dump((work(share), None), file)
            except Exception as error:
                pickle.dump((None, error), file)
        code = 0
    finally:
        os._exit(code)


def _answer(child: int, ours: int) -> Any:
    with os.fdopen(os.dup(ours), "rb") as file:
        data = file.read()
    if not data:
        raise MemoryError(f"the process {child} that computed a share ended before it was done")
    found, error = pickle.loads(data)  # noqa: S301  # this program's own
    if error is not None:
        raise error
    return found


def _end(child: int, ours: int) -> None:
    os.close(ours)
    try:
        os.kill(child, signal.SIGKILL)  # it has answered, or nobody waits for it any more
        os.waitpid(child, 0)
    except (ProcessLookupError, ChildProcessError):
        pass
