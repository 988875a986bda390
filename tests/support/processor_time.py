"""A bound on the processor time of a part of a test, which takes many times as long where work is not linear."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """At most so many seconds of this process's own time, whatever else the machine does."""
    start = time.process_time()
    try:
        yield
    finally:
        assert time.process_time() - start < seconds
