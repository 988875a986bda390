"""Statements that give inputs numbers, as hints show them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

_INDEX = re.compile(r"\[(\d+)\]")
_MOST_ENTRIES = 12  # of a list that is written out


def examples(names: Iterable[str], number: int) -> list[str]:
    """A statement for each input, with this number; the entries of a list are given together: `x = [1, 2]`."""
    entries: dict[str, list[list[int]]] = {}
    for name in names:
        entries.setdefault(name.partition("[")[0], []).append([int(index) for index in _INDEX.findall(name)])
    return [f"{name} = {_list(indices, count(1)) if any(indices) else number}" for name, indices in entries.items()]


def _list(entries: Sequence[Sequence[int]], numbers: Iterator[int]) -> str:
    """A list that has the entries with these indices, and these numbers.

    Lists within it are as long as the longest of them, except where some entries are lists and others are numbers.
    """
    length, are_alike = max(index for index, *_ in entries), len({len(indices) for indices in entries}) == 1
    inner = [
        [within for index, *within in entries if within and (are_alike or index == place)]
        for place in range(1, min(length, _MOST_ENTRIES) + 1)
    ]
    texts = [_list(within, numbers) if within else str(next(numbers)) for within in inner]
    return f"[{', '.join([*texts, *['…'] * (length > _MOST_ENTRIES)])}]"
