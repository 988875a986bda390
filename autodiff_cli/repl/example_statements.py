"""Statements that give inputs numbers, as hints show them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

_INDEX = re.compile(r"\[(\d+)\]")
_MOST_ENTRIES = 12  # of a list that is written out


def examples(names: Iterable[str], number: int) -> list[str]:
    """A statement for each input, with this number; the entries of a list are given together: `x = [1, 2]`."""
    indices: dict[str, list[list[int]]] = {}
    for name in names:
        indices.setdefault(name.partition("[")[0], []).append([int(index) for index in _INDEX.findall(name)])
    shapes = {name: [max(numbers) for numbers in zip(*entries, strict=True)] for name, entries in indices.items()}
    return [f"{name} = {_list(shape, count(1)) if shape else number}" for name, shape in shapes.items()]


def _list(shape: Sequence[int], numbers: Iterator[int]) -> str:
    """A list, of lists where the shape has more than one length, whose entries are these numbers."""
    length, *inner = shape
    entries = [_list(inner, numbers) if inner else str(next(numbers)) for _ in range(min(length, _MOST_ENTRIES))]
    return f"[{', '.join([*entries, *['…'] * (length > _MOST_ENTRIES)])}]"
