"""Work in several threads: the order of the results, how far the items are read ahead, and errors in their turn."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import closing

import pytest

from autodiff_cli.parallel import check_cancelled, in_order, together


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_keep_the_order_of_the_items_however_long_each_takes(jobs: int) -> None:
    def work(item: int) -> int:
        time.sleep((item * 7 % 5) / 500)
        return item

    assert list(in_order(range(50), work, jobs)) == list(range(50))


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_no_more_items_are_taken_than_the_threads_have_use_for(jobs: int) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for item in range(200):
            taken += 1
            yield item

    with closing(in_order(items(), lambda item: item, jobs)) as done:
        for count, _ in enumerate(done, 1):
            assert taken - count <= 2 * jobs + 1
            if count == 20:
                time.sleep(0.05)  # a consumer that is slow


@pytest.mark.parametrize("jobs", [1, 3])
def test_an_error_is_raised_after_the_results_before_it(jobs: int) -> None:
    def work(item: int) -> int:
        if item == 5:
            raise ValueError("the work")
        return item

    def items() -> Iterator[int]:
        yield from range(3)
        raise ValueError("the items")

    for what, source, before in (("the work", range(10), 5), ("the items", items(), 3)):
        done = in_order(source, work, jobs)
        assert [next(done) for _ in range(before)] == list(range(before))
        with pytest.raises(ValueError, match=what):
            next(done)


def test_what_is_done_comes_out_while_the_next_item_is_waited_for() -> None:
    more = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        more.wait(60)

    with closing(in_order(items(), lambda item: item, 2)) as done:
        assert next(done) == 1
    more.set()


@pytest.mark.parametrize("fails_here", [False, True])
def test_what_one_of_several_threads_raises_is_raised_and_the_others_are_cancelled(fails_here: bool) -> None:
    here, ended = threading.current_thread(), threading.Event()

    def work() -> None:
        if fails_here == (threading.current_thread() is here):
            raise ZeroDivisionError
        try:
            while fails_here:
                check_cancelled()
                time.sleep(0.001)
        except CancelledError:
            ended.set()
            raise

    with pytest.raises(ZeroDivisionError):
        together(work, 2)
    assert not fails_here or ended.wait(60)
