"""The meaning of names at a position in a program's text: values, constants, and user-defined functions."""

import re
from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import Any, NamedTuple

from ..errors import AutodiffError, Remedy, Source
from ..graph import Graph
from ..operations import ALIASES, CONSTANT, CONSTANTS, FUNCTIONS, LIST_FUNCTIONS, OWN_CALL
from ..work_budget import NODE, TooMuchWorkError, charge

_MOST_INLINED, _MOST_BY_CHARACTER = 10_000_000, 50  # nodes that calls unfold to; per character of the text
_MOST_COUNTED = 10**15  # nodes of a function; those of f(f(x)), and so on, would soon have thousands of digits
_MOST_LISTED = 100  # characters of the parameters in a hint


class Function(NamedTuple):
    """A user-defined function; a call copies the nodes of its body, with the arguments in place of the parameters."""

    parameters: list[int]
    body: list[int]
    result: int
    size: int
    """the number of nodes that a call unfolds to"""
    is_closed: bool = False
    """whether it uses nothing but its parameters and numbers"""


class _Copying(NamedTuple):
    """Nodes that are being copied, those of a whole function for a call among the nodes of another."""

    nodes: Iterator[int]
    copies: dict[int, int]
    is_unwritten: bool = False
    call: int = -1
    result: int = -1


class FunctionCall(NamedTuple):
    """A call of a function with its arguments, and the places where it, its parenthesis and the first of them begin."""

    function: str
    values: list[Any]
    start: int
    opening: int
    first: int
    end: int


class Scope:
    """The names of one program, and the graph whose nodes they stand for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.graph = Graph()
        self.names: dict[str, int] = {}  # values, inputs and the constants that are in use
        self.functions: dict[str, Function] = {}
        self._statement_start = 0  # the first node of the statement that is being read
        self._defining = ""  # the function whose definition is being read
        self._parameters: dict[str, int] = {}  # its parameters
        self._hidden: dict[str, int] = {}  # the values that these hide
        self._dependent: set[int] = set()  # the nodes that depend on them, of those before the next one
        self._next = 0
        self._called: dict[int, Function] = {}  # the calls in definitions, which unfold where a statement needs them
        self._inlined = 0

    def is_value(self, name: str) -> bool:
        """Whether the name stands for a number."""
        return name in self.names or name in CONSTANTS

    def is_function(self, name: str) -> bool:
        """Whether the name can be called and stands for no value."""
        is_callable = name in self.functions or name in FUNCTIONS or name in ALIASES or name in LIST_FUNCTIONS
        return name not in self.names and is_callable

    def is_defining(self, name: str) -> bool:
        """Whether the name is that of the function whose definition is being read."""
        return name == self._defining

    def is_literal(self, node: int) -> bool:
        """Whether the node is a whole number written out."""
        graph = self.graph
        return graph.operations[node] is CONSTANT and node not in graph.labels and graph.numbers[node].is_integer()

    def parameters(self, function: str) -> str:
        """The parameters of a user-defined function, as its definition lists them: `a, b`, the first of very many."""
        text = self.source.text[slice(*self.graph.span(self.functions[function].parameters[0]))]
        return shorten(re.sub(r"#[^\r\n]*+", "", text), _MOST_LISTED, placeholder=" …")

    def error(self, message: str, start: int, end: int, hint: str = "", remedy: Remedy | None = None) -> AutodiffError:
        """An error at a place in this program's text."""
        return AutodiffError(message, span=(start, end), hint=hint, remedy=remedy, source=self.source)

    # ---- Functions --------------------------------------------------------------------------------------------------

    def begin_function(self, name: str, parameters: dict[str, int]) -> None:
        """Let the parameters of a function hide other names until `end_function`."""
        self._defining, self._parameters = name, parameters
        self._dependent, self._next = set(parameters.values()), self._statement_start
        self._hidden = {parameter: self.names[parameter] for parameter in parameters if parameter in self.names}
        self.names |= parameters

    def end_function(self, result: int) -> None:
        """Define the function that was begun, with the node of its result."""
        parameters = list(self._parameters.values())
        body = self._body(result)
        called = [self._called[node] for node in body if node in self._called]
        size = min(len(body) - len(called) + sum(function.size for function in called), _MOST_COUNTED)
        used = {part for node in body for part in self.graph.arguments[node]} - {*parameters, *body}
        is_closed = self._all_constant(used) and all(function.is_closed for function in called)
        self.functions[self._defining] = Function(parameters, body, result, size, is_closed)
        self.names |= self._hidden
        for parameter in self._parameters.keys() - self._hidden.keys():
            del self.names[parameter]
        self._defining, self._parameters, self._hidden = "", {}, {}

    def _body(self, result: int) -> list[int]:
        """The nodes of the current statement that the result needs and that depend on a parameter."""
        arguments, dependent, needed = self.graph.arguments, self._dependent_nodes(), {result}
        statement = range(self._statement_start, len(self.graph))
        for node in reversed(statement):
            if node in needed:
                needed.update(arguments[node])
        return [node for node in statement if node in dependent and node in needed and arguments[node]]

    def _dependent_nodes(self) -> set[int]:
        """The nodes so far that depend on a parameter of the function whose definition is being read."""
        arguments, dependent = self.graph.arguments, self._dependent
        for node in range(self._next, len(self.graph)):
            if not dependent.isdisjoint(arguments[node]):
                dependent.add(node)
        self._next = len(self.graph)
        return dependent

    def count_inlined(self, nodes: int, start: int, end: int, price: float = NODE, further: int = 0) -> None:
        """Count nodes that a place in the text unfolds to, each at a price. Raises AutodiffError for too many.

        About so many `further` ones are going to follow: more work is no remedy where they would be too many.
        """
        self._inlined += nodes
        most, spent = max(_MOST_INLINED, _MOST_BY_CHARACTER * len(self.source.text)), None
        try:
            charge(price * nodes if self._inlined <= most else 0.0)
        except TooMuchWorkError as error:
            spent = error
        if spent or self._inlined > most:
            is_possible = self._inlined + further <= most
            many = "too many nodes for the work that is allowed" if is_possible else f"more than {most:,} nodes"
            raise self.error(
                f"the program's own functions, sums and lists unfold to {many}",
                start,
                end,
                hint="name the values that they share, so that these are computed once, or add fewer terms",
                remedy=spent.remedy if spent and is_possible else None,
            )

    def inline(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        """Copy the body of a function for a call at a place in the text, and return the node of the result.

        In a definition the call itself is a node, unless part of what it unfolds to is the same for all values of the
        parameters: they share that.
        """
        if self._defining and function.body and self._waits(function, arguments):
            node = self.graph.add(OWN_CALL, tuple(arguments), start, end)
            self._called[node] = function
            return node
        self.count_inlined(function.size, start, end)
        copies = dict(zip(function.parameters, arguments, strict=True))
        self.copy(function.body, copies)
        return copies.get(function.result, function.result)

    def _waits(self, function: Function, arguments: list[int]) -> bool:
        """Whether all that a call in a definition unfolds to, but for operations on numbers, depends on a parameter."""
        fixed = {*arguments} - self._dependent_nodes()
        return not fixed or (function.is_closed and len(fixed) < len({*arguments}) and self._all_constant(fixed))

    def _all_constant(self, nodes: Iterable[int]) -> bool:
        return all(self.graph.operations[node] is CONSTANT for node in nodes)

    def unfolded(self, node: int, start: int, end: int) -> int:
        """A copy of a node of a definition, with the bodies of the functions that are called; itself without calls."""
        order = self.graph.needed_by(node)
        calls = [part for part in order if part in self._called]
        if not calls:
            return node
        self.count_inlined(sum(self._called[call].size for call in calls), start, end)
        depends, copies = self.graph.dependent(order, calls), dict[int, int]()
        self.copy([part for part in order if depends[part]], copies)
        return copies[node]

    def copy(self, nodes: Iterable[int], copies: dict[int, int]) -> None:
        """Append copies of nodes, with the copies of their arguments where there are any, and add them to `copies`.

        A call among them becomes a copy of the body of its function.
        """
        graph, levels = self.graph, [_Copying(iter(nodes), copies)]
        while levels:
            level = levels[-1]
            for node in level.nodes:
                copied = tuple([level.copies.get(argument, argument) for argument in graph.arguments[node]])
                is_unwritten = level.is_unwritten or node in graph.unwritten
                if function := self._called.get(node):
                    parameters = dict(zip(function.parameters, copied, strict=True))
                    levels.append(_Copying(iter(function.body), parameters, is_unwritten, node, function.result))
                    break
                level.copies[node] = graph.add(graph.operations[node], copied, *graph.span(node))
                if is_unwritten:
                    graph.unwritten.add(level.copies[node])
            else:
                levels.pop()
                if levels:
                    levels[-1].copies[level.call] = level.copies.get(level.result, level.result)
