"""Sums and products over an index: their terms are the same expression of the text, read again for each index."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import Source
from ..operations import ADD, ALIASES, MUL
from ..parser.builder import Stack
from ..parser.scope import FunctionCall
from ..parser.shift_reduce import run
from ..parser.tokens import NAME
from . import list_errors
from .list_functions import ListFunctions
from .list_graph import UNKNOWN, ListValue

_COMMA = re.compile(r"(?:\s|#[^\r\n]*+)*+,")
_INDEX_NAME = re.compile(rf"({NAME})(?:\s|#[^\r\n]*+)*+,")
_MOST_READINGS = 100  # within one another
_READ_AGAIN = 9e-6  # the work of a node of a term after the first, in seconds


@dataclass
class _Series:
    """A sum or product over an index whose terms are being read."""

    index: str
    opening: int
    """the place of the parenthesis after `sum`"""
    body: int
    """the place where the expression of the terms begins"""
    bounds: range | None
    """the values of the index; None where they are not known yet"""
    place: tuple[int, int]
    """of the index after the parenthesis"""
    before: int
    """the number of nodes before the first term"""
    hidden: ListValue
    """the meaning of the index outside the sum, None for nothing"""
    outer: "_Series | None"
    """the sum around it with the same index"""
    is_used: bool = False


class SeriesBuilder(ListFunctions):
    """A builder that reads expressions of the text again, and writes out sums over an index."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._series: list[_Series] = []
        self._indices: dict[str, _Series] = {}
        self._unbounded: dict[int, FunctionCall] = {}
        """possible indices of sums with unknown bounds"""
        self._results: list[list[ListValue]] = []  # of the expressions that are being read again

    def read_again(self, start: int, end: int) -> ListValue:
        """The value of an expression of the text, with the names as they stand."""
        if len(self._results) == _MOST_READINGS:
            message = f"sums and functions with lists are nested more than {_MOST_READINGS} deep"
            raise self.error(message, start, end, "write some of the steps out")
        self._results.append([])
        try:
            run(self, start, end)
        finally:
            results = self._results.pop()
        return results[0]

    def append(self, stack: Stack, end: int) -> Stack:
        """A further argument; after the bounds of a sum over an index, the index gets its first value."""
        arguments: Any = super().append(stack, end)
        below, values, first = arguments
        if len(values) == 3 and not isinstance(values[0], str):
            (caller, sign, opening) = below
            word = caller[1] if sign == "(" else ""
            name = ALIASES.get(word, word)
            if name in ("sum", "prod") and all({word, name}.isdisjoint(own) for own in (self.functions, self.names)):
                self._begin_series(FunctionCall(name, values, caller[2], opening, first, end))
        return below, values, first

    def _begin_series(self, call: FunctionCall) -> None:
        """Give the index of a sum its first value, if the three arguments so far are an index and its bounds."""
        text, graph = self.source.text, self.graph
        _, values, _, opening, first, end = call
        comma, index = _COMMA.match(text, end), _INDEX_NAME.match(text, first)
        if comma is None or index is None:
            return
        bounds = [graph.number(value) for value in values[1:]]
        if None in bounds and self._captured is None:  # a sum of numbers, or an error, as the fourth argument will show
            self._unbounded[values[0]] = call
            return
        name, place = self._canonical(index[1], first), (first, first + len(index[1]))
        known = None if None in bounds else self._index_range(bounds, call)
        if isinstance(values[0], int) and graph.starts[values[0]] == first and self.names.get(name) == values[0]:
            for names in (self._free, self._constants, self.names, self._captured or {}):
                names.pop(name, None)  # the index is not an input
            graph.labels.pop(values[0], None)
        series = _Series(
            name, opening, comma.end(), known, place, len(graph), self.names.get(name), self._indices.get(name)
        )
        self._series.append(series)
        self._indices[name] = series
        self.names[name] = UNKNOWN if known is None else graph.constant(float(known.start), *place)

    def _index_range(self, bounds: Sequence[float | None], call: FunctionCall) -> range:
        """The values of the index between two bounds. Raises AutodiffError for bounds that are not whole."""
        for place, bound in enumerate(bounds, 1):
            if bound is not None and (bound % 1 or abs(bound) > 2**53):
                raise list_errors.bound_not_whole(self, bound, call, place)
        low, high = (int(bound or 0) for bound in bounds)
        return range(low, high + 1)

    def _end_series(self, call: FunctionCall) -> ListValue:
        """The sum or product, once its first term has been read."""
        series, graph, place = self._series[-1], self.graph, (call.start, call.end)
        if len(call.values) != 4 or not series.is_used:
            raise list_errors.no_series(self, call, series.index, series.bounds)
        operation = ADD if call.function == "sum" else MUL
        if series.bounds is None:
            total = self.refused(self.error("", *place))
        elif not series.bounds:
            total = graph.constant(0.0 if operation is ADD else 1.0, *place)
        else:
            total = graph.total(operation, self._terms(series, call.values[3], *place), *place)
        self._series.pop()
        if series.hidden is None:
            del self.names[series.index]
        else:
            self.names[series.index] = series.hidden
        if series.outer is None:
            del self._indices[series.index]
        else:
            self._indices[series.index] = series.outer
        if not self._series:
            graph.unwritten.update(node for node in range(series.before, len(graph)) if graph.arguments[node])
            if isinstance(total, int) and len(series.bounds or ()) > 1:
                graph.unwritten.discard(total)
        return total

    def _terms(self, series: _Series, first: ListValue, start: int, end: int) -> Iterator[ListValue]:
        """The terms, of which the first has been read already."""
        assert series.bounds is not None
        following, graph = len(series.bounds) - 1, self.graph
        self.count_inlined(following, start, end, further=following * (len(graph) - series.before))
        yield first
        for number in series.bounds[1:]:
            following, before = following - 1, len(graph)
            self.names[series.index] = graph.constant(float(number), *series.place)
            yield self.read_again(series.body, end - 1)
            nodes = len(graph) - before
            self.count_inlined(nodes, start, end, _READ_AGAIN, further=following * nodes)
