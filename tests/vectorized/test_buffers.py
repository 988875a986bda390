"""Memory for results, which is used again."""

import gc
from collections import deque

import pytest

numpy = pytest.importorskip("numpy")

from autodiff_cli.vectorized import buffers
from autodiff_cli.vectorized.buffers import place_in_line, result_columns


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start without memory that other tests have given back."""
    monkeypatch.setattr(buffers, "_free", deque())


def _place(columns: list) -> int:
    return int(columns[0].ctypes.data)


@pytest.mark.slow
def test_memory_is_used_again_only_when_nobody_has_any_part_of_it() -> None:
    first = result_columns(3, 1000)
    place, part = _place(first), first[2][10:20]
    part[:] = 7.0
    del first
    gc.collect()
    other = result_columns(3, 1000)
    other[0][:] = other[2][:] = 1.0
    assert part.tolist() == [7.0] * 10
    assert _place(other) != place
    del part
    gc.collect()
    again = result_columns(3, 900)  # a little less fits as well
    assert _place(again) == place


def test_memory_that_is_much_too_large_is_not_used() -> None:
    large = result_columns(2, 50_000)
    place = _place(large)
    del large
    gc.collect()
    assert _place(result_columns(2, 100)) != place


@pytest.mark.parametrize("place", range(8))
def test_all_results_begin_at_the_same_place_of_a_line_of_the_cache(place: int) -> None:
    columns = result_columns(5, 1001, place)
    assert {column.ctypes.data // 8 % 8 for column in columns} == {place}
    assert place_in_line(columns) == place
    for number, column in enumerate(columns):
        column[:] = number
    assert [set(column.tolist()) for column in columns] == [{number} for number in range(5)]


def test_memory_may_be_given_back_while_another_thread_takes_the_last_that_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Emptied(deque):
        def popleft(self) -> object:
            self.clear()  # as another thread may do just before
            return super().popleft()

    monkeypatch.setattr(buffers, "_free", Emptied())
    monkeypatch.setattr(buffers, "_MOST_KEPT", 0)
    buffers._give_back(numpy.empty(8))
    assert len(buffers._taken(8)) == 8
