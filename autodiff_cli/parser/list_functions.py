"""The functions that take lists, each replaced by operations on numbers, and the derivative of an expression."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from ..errors import AutodiffError
from ..notation import leaves
from ..operations import ADD, DIV, EXP, HYPOT, LOGSUMEXP, MUL, SUB
from .builder import Builder
from .diagnostics import lists as diagnostics
from .list_graph import UNKNOWN, ListGraph, ListValue, mapped

CallPlaces = tuple[int, int, int]
"""the beginnings of a call, of its parenthesis and of its first argument"""

_MOST_ORDERS = 20
_COUNTS = {"len": 1, "norm": 1, "softmax": 1, "dot": 2, "matvec": 2}
"""function → the number of its arguments, where there is one"""


class ListFunctions(Builder, ABC):
    """A builder that knows the functions of lists; a call that they cannot take is refused."""

    graph: ListGraph
    names: dict[str, ListValue]
    _output: Any
    _captured: dict[str, ListValue] | None = None  # the names that the definition which is being read has used
    _is_inlined = True  # whether the nodes of that definition serve calls with numbers
    _differentiates = False  # whether it has a derivative

    def refused(self, error: AutodiffError) -> ListValue:
        """Raise an error; in the definition of a function, wait for the call that says what its parameters are."""
        if self._captured is None:
            raise error
        self._is_inlined = False
        return UNKNOWN

    def of_lists(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        """The value of a call of one of the functions of lists."""
        self._differentiates |= name == "D"
        if UNKNOWN not in values and len(values) != (count := _COUNTS.get(name, len(values))):
            raise diagnostics.wrong_count(self, name, values, str(count), places[0], end)
        return UNKNOWN if UNKNOWN in values else self._METHODS[name](self, name, values, places, end)

    # ---- One list, or several numbers -------------------------------------------------------------------------------

    def _sum(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        if len(values) > 3:
            error = diagnostics.misplaced_index(self, name, values, places[2], end)
            if error:
                return self.refused(error)
        terms = self._terms_of(name, values, places, end)
        if terms is UNKNOWN:
            return UNKNOWN
        return self.graph.total(MUL if name == "prod" else ADD, iter(terms), places[0], end)

    def _mean(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        terms = self._terms_of(name, values, places, end)
        if terms is UNKNOWN:
            return UNKNOWN
        total = self.graph.total(ADD, iter(terms), places[0], end)
        if isinstance(total, int) and len(terms) > 1:
            self.graph.unwritten.add(total)
        count = self.graph.constant(float(len(terms)), places[0], end)
        return self.graph.add(DIV, (total, count), places[0], end)

    def _terms_of(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        """The entries of the one list, or the several arguments themselves."""
        return values if len(values) > 1 else self._list(name, values, 0, places, end)

    # ---- Lists ------------------------------------------------------------------------------------------------------

    def _len(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        if not isinstance(values[0], tuple):
            return self.refused(diagnostics.list_expected(self, name, values, 0, places[2], end))
        return self.graph.constant(float(len(values[0])), places[0], end)

    def _norm(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        terms = self._list(name, values, 0, places, end)
        return UNKNOWN if terms is UNKNOWN else self.graph.add(HYPOT, terms, places[0], end)

    def _softmax(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        terms = self._list(name, values, 0, places, end)
        if terms is UNKNOWN:
            return UNKNOWN
        graph, place = self.graph, (places[0], end)
        total = graph.add(LOGSUMEXP, terms, *place)
        graph.unwritten.add(total)
        return graph.add(EXP, (graph.add(SUB, (terms, total), *place),), *place)

    def _dot(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        left, right = (self._list(name, values, index, places, end) for index in (0, 1))
        return UNKNOWN if UNKNOWN in (left, right) else self.graph.dot(left, right, places[0], end)

    def _matvec(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        vector = self._list(name, values, 1, places, end)
        if not isinstance(values[0], tuple) or not all(isinstance(row, tuple) for row in values[0]):
            return self.refused(diagnostics.matrix_expected(self, values, places[2], end))
        if vector is UNKNOWN:
            return UNKNOWN
        results = []
        for row in values[0]:
            if len(row) != len(vector):
                raise diagnostics.different_rows(self, len(row), len(vector), places[2], end)
            results.append(self.graph.dot(row, vector, places[0], end))
        self.graph.unwritten.update(results)
        return tuple(results)

    def _list(self, name: str, values: list[ListValue], index: int, places: CallPlaces, end: int) -> ListValue:
        """The argument with that index, if it is a list of numbers."""
        value = values[index]
        if not isinstance(value, tuple):
            return self.refused(diagnostics.list_expected(self, name, values, index, places[2], end))
        if any(isinstance(entry, tuple) for entry in value):
            raise diagnostics.nested_list(self, name, index, places[2], end)
        return value

    # ---- Derivatives ------------------------------------------------------------------------------------------------

    def _derivative(self, name: str, values: list[ListValue], places: CallPlaces, end: int) -> ListValue:
        """D(expression, x) or D(expression, x, order)."""
        if not 2 <= len(values) <= 3:
            raise diagnostics.wrong_count(self, name, values, "2 or 3", places[0], end)
        order = self.graph.number(values[2]) if len(values) == 3 else 1.0
        if order is None or order % 1 or not 1 <= order <= _MOST_ORDERS:
            return self.refused(diagnostics.order(self, _MOST_ORDERS, places[2], end))
        error = diagnostics.variable_of_derivative(self, values, places[2], end)
        if error:
            return self.refused(error)
        value = values[0]
        for _ in range(int(order)):
            value = self._differentiated(value, values[1], places[0], end)
        return value

    @abstractmethod
    def differentiate(self, output: int, variables: Sequence[int]) -> list[int]:
        """The derivatives of a node by others, added to the graph: for who knows the rules, which the parser reads."""

    def _differentiated(self, value: ListValue, variable: ListValue, start: int, end: int) -> ListValue:
        """The derivative of a number or of each entry of a list, by a name or by each entry of a list."""
        if isinstance(value, tuple):
            return tuple([self._differentiated(entry, variable, start, end) for entry in value])
        graph, before, variables = self.graph, len(self.graph), [*leaves(variable)]
        slopes = dict(zip(variables, self.differentiate(value, variables), strict=True))
        for added in range(before, len(graph)):
            graph.starts[added], graph.ends[added] = start, end
            if graph.arguments[added]:
                graph.unwritten.add(added)
        self.count_inlined(len(graph) - before, start, end)
        return mapped(variable, slopes)

    _METHODS: ClassVar[dict[str, Callable[..., ListValue]]] = {
        "sum": _sum,
        "prod": _sum,
        "mean": _mean,
        "len": _len,
        "norm": _norm,
        "softmax": _softmax,
        "dot": _dot,
        "matvec": _matvec,
        "D": _derivative,
    }
