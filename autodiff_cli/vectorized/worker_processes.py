"""A computation shared with copies of this process, where threads would wait for each other.

A copy is made in no time and sees all that this process has. It writes to memory that both share, and ends as soon as
it is done.
"""

import gc
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from threading import Lock
from typing import Any, NoReturn, TypeVar

Found = TypeVar("Found")
Work = Callable[[Iterator[int]], Found]
"""takes numbers as long as there are any, and says what it found"""

AVAILABLE = sys.platform == "linux"
"""elsewhere a copy of a process with threads is not safe"""
MOST = 2**10
"""numbers, for which there is room in the smallest pipe"""
_making = Lock()
"""while a process is copied: a copy made meanwhile would keep the ends of its pipes open"""


def in_forks(work: Work[Found], count: int, copies: int, *, here: bool = False) -> list[Found]:
    """Do the work for the numbers below `count` in so many copies of this process, and `here` too.

    Whoever is free takes the next number. What a copy raises is raised here. `here` is for the main thread: another
    one, which no interrupt reaches, would go on to the end.
    """
    children: dict[int, int] = {}
    with _making:
        numbers = _filled(count)
    try:
        for _ in range(copies):
            with _making:
                child, ours = _started(work, numbers)
            children[child] = ours
        found = [work(_taken(numbers))] if here else []
        return found + [_answer(child, ours) for child, ours in children.items()]
    finally:
        os.close(numbers)
        for child, ours in children.items():
            _end(child, ours)


def _filled(count: int) -> int:
    """A pipe from which the numbers can be read, by whoever comes first."""
    assert count <= MOST
    numbers, end = os.pipe()
    with os.fdopen(end, "wb") as file:
        file.write(b"".join(number.to_bytes(4, "big") for number in range(count)))
    return numbers


def _taken(numbers: int) -> Iterator[int]:
    while number := os.read(numbers, 4):
        yield int.from_bytes(number, "big")


def _started(work: Work[Any], numbers: int) -> tuple[int, int]:
    """A copy of this process that does the work, and the pipe from which its answer can be read."""
    ours, theirs = os.pipe()
    parent = os.getpid()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads: the copy needs no lock that one may hold
            child = os.fork()
    except OSError:
        os.close(ours)
        os.close(theirs)
        raise
    if child == 0:
        os.close(ours)
        _work(work, takewhile(lambda _: os.getppid() == parent, _taken(numbers)), theirs)
    os.close(theirs)
    return child, ours


def _work(work: Work[Any], numbers: Iterator[int], out: int) -> NoReturn:
    """What a copy does: it answers and ends, whatever happens, without what ends a program."""
    code = 1
    try:
        gc.disable()  # it might let go of what other threads held a lock of when this copy was made
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with os.fdopen(out, "wb") as file:
            try:
                pickle.dump((work(numbers), None), file)
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
    with suppress(ProcessLookupError, ChildProcessError):
        os.kill(child, signal.SIGKILL)  # it has answered, or nobody waits for it any more
        os.waitpid(child, 0)
