"""The functions that take lists, each replaced by operations on numbers, and the derivative of an expression."""

from collections.abc import Callable
from typing import Any, ClassVar

from ..errors import AutodiffError
from ..notation import flattened
from ..operations import ADD, DIV, EXP, HYPOT, LOGSUMEXP, MUL, SUB
from ..parser.builder import Builder
from ..parser.diagnostics.calls import wrong_list_count
from ..parser.scope import FunctionCall
from . import list_errors
from .derivatives import derivatives
from .list_graph import UNKNOWN, ListGraph, ListValue, mapped

_MOST_ORDERS = 20
_COUNTS = {"len": 1, "norm": 1, "softmax": 1, "dot": 2, "matvec": 2}
"""function → the number of its arguments, where there is one"""


class RefusedCall(Exception):  # noqa: N818  # the error is raised only outside a definition
    """A call that is an error, unless other values of the parameters make it valid."""

    def __init__(self, error: AutodiffError) -> None:
        super().__init__(error)
        self.error = error


class ListFunctions(Builder):
    """A builder that knows the functions of lists; a call that they cannot take is refused."""

    graph: ListGraph
    names: dict[str, ListValue]
    _output: Any
    _captured: dict[str, ListValue] | None = None  # the names that the definition which is being read has used
    _is_inlined = True  # whether the nodes of that definition serve calls with numbers
    _differentiates = False  # whether it has a derivative

    def refused(self, error: AutodiffError) -> ListValue:
        """Raise an error; in the definition of a function, wait for the call that determines its parameters."""
        if self._captured is None:
            raise error
        self._is_inlined = False
        return UNKNOWN

    def of_lists(self, call: FunctionCall) -> ListValue:
        """The value of a call of one of the functions of lists."""
        name, values = call.function, call.values
        self._differentiates |= name == "D"
        if UNKNOWN in values:
            return UNKNOWN
        if len(values) != (count := _COUNTS.get(name, len(values))):
            raise wrong_list_count(self, call, str(count))
        try:
            return self._METHODS[name](self, call)
        except RefusedCall as refused:
            error = refused.error
        return self.refused(error)

    # ---- One list, or several numbers -------------------------------------------------------------------------------

    def _sum(self, call: FunctionCall) -> ListValue:
        if len(call.values) > 3 and (error := list_errors.misplaced_index(self, call)):
            raise RefusedCall(error)
        operation = MUL if call.function == "prod" else ADD
        return self.graph.total(operation, iter(self._terms_of(call)), call.start, call.end)

    def _mean(self, call: FunctionCall) -> ListValue:
        terms, place = self._terms_of(call), (call.start, call.end)
        total = self.graph.total(ADD, iter(terms), *place)
        if isinstance(total, int) and len(terms) > 1:
            self.graph.unwritten.add(total)
        return self.graph.add(DIV, (total, self.graph.constant(float(len(terms)), *place)), *place)

    def _terms_of(self, call: FunctionCall) -> ListValue:
        """The entries of the one list, or the several arguments themselves."""
        return call.values if len(call.values) > 1 else self._list(call, 0)

    # ---- Lists ------------------------------------------------------------------------------------------------------

    def _len(self, call: FunctionCall) -> ListValue:
        if not isinstance(call.values[0], tuple):
            raise RefusedCall(list_errors.list_expected(self, call, 0))
        return self.graph.constant(float(len(call.values[0])), call.start, call.end)

    def _norm(self, call: FunctionCall) -> ListValue:
        return self.graph.add(HYPOT, self._list(call, 0), call.start, call.end)

    def _softmax(self, call: FunctionCall) -> ListValue:
        terms, graph, place = self._list(call, 0), self.graph, (call.start, call.end)
        total = graph.add(LOGSUMEXP, terms, *place)
        graph.unwritten.add(total)
        return graph.add(EXP, (graph.add(SUB, (terms, total), *place),), *place)

    def _dot(self, call: FunctionCall) -> ListValue:
        return self.graph.dot(self._list(call, 0), self._list(call, 1), call.start, call.end)

    def _matvec(self, call: FunctionCall) -> ListValue:
        matrix, vector = call.values[0], self._list(call, 1)
        if not isinstance(matrix, tuple) or not all(isinstance(row, tuple) for row in matrix):
            raise RefusedCall(list_errors.matrix_expected(self, call))
        results = []
        for row in matrix:
            if len(row) != len(vector):
                raise list_errors.different_rows(self, call, len(row), len(vector))
            results.append(self.graph.dot(row, vector, call.start, call.end))
        self.graph.unwritten.update(results)
        return tuple(results)

    def _list(self, call: FunctionCall, index: int) -> ListValue:
        """The argument with that index, if it is a list of numbers."""
        value = call.values[index]
        if not isinstance(value, tuple):
            raise RefusedCall(list_errors.list_expected(self, call, index))
        if any(isinstance(entry, tuple) for entry in value):
            raise list_errors.nested_list(self, call, index)
        return value

    # ---- Derivatives ------------------------------------------------------------------------------------------------

    def _derivative(self, call: FunctionCall) -> ListValue:
        """D(expression, x) or D(expression, x, order)."""
        value, *by = call.values
        if not 1 <= len(by) <= 2:
            raise wrong_list_count(self, call, "2 or 3")
        order = self.graph.number(by[1]) if len(by) == 2 else 1.0
        if order is None or order % 1 or not 1 <= order <= _MOST_ORDERS:
            raise RefusedCall(list_errors.invalid_order(self, _MOST_ORDERS, call))
        if error := list_errors.variable_of_derivative(self, call):
            raise RefusedCall(error)
        for _ in range(int(order)):
            value = self._differentiated(value, by[0], call.start, call.end)
        return value

    def _differentiated(self, value: ListValue, variable: ListValue, start: int, end: int) -> ListValue:
        """The derivative of a number or of each entry of a list, with respect to a name or to each entry of a list."""
        if isinstance(value, tuple):
            return tuple([self._differentiated(entry, variable, start, end) for entry in value])
        value = self.unfolded(value, start, end)
        graph, before, variables = self.graph, len(self.graph), [*flattened(variable)]
        named = {node for known in self.names.values() for node in flattened(known)}
        added = derivatives(graph, self.source.text, self._constants.values(), value, variables, named)
        slopes = dict(zip(variables, added, strict=True))
        for node in range(before, len(graph)):
            graph.starts[node], graph.ends[node] = start, end
            if graph.arguments[node]:
                graph.unwritten.add(node)
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
