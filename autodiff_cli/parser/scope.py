"""The meaning of names at a position in a program's text: values, constants, and user-defined functions."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from ..errors import AutodiffError, Remedy, Source
from ..graph import Graph
from ..operations import ALIASES, CONSTANT, CONSTANTS, FUNCTIONS, LIST_FUNCTIONS
from ..work_budget import NODE, TooMuchWorkError, charge

_MOST_INLINED, _MOST_BY_CHARACTER = 10_000_000, 50  # nodes that calls unfold to; per character of the text


class Function(NamedTuple):
    """A user-defined function; a call copies the nodes of its body, with the arguments in place of the parameters."""

    parameters: list[int]
    body: list[int]
    result: int


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
        """The parameters of a user-defined function, as its definition lists them: `a, b`."""
        text = self.source.text[slice(*self.graph.span(self.functions[function].parameters[0]))]
        return " ".join(re.sub(r"#[^\r\n]*+", "", text).split())

    def error(self, message: str, start: int, end: int, hint: str = "", remedy: Remedy | None = None) -> AutodiffError:
        """An error at a place in this program's text."""
        return AutodiffError(message, span=(start, end), hint=hint, remedy=remedy, source=self.source)

    # ---- Functions --------------------------------------------------------------------------------------------------

    def begin_function(self, name: str, parameters: dict[str, int]) -> None:
        """Let the parameters of a function hide other names until `end_function`."""
        self._defining, self._parameters = name, parameters
        self._hidden = {parameter: self.names[parameter] for parameter in parameters if parameter in self.names}
        self.names |= parameters

    def end_function(self, result: int) -> None:
        """Define the function that was begun, with the node of its result."""
        parameters = list(self._parameters.values())
        self.functions[self._defining] = Function(parameters, self._body(parameters, result), result)
        self.names |= self._hidden
        for parameter in self._parameters.keys() - self._hidden.keys():
            del self.names[parameter]
        self._defining, self._parameters, self._hidden = "", {}, {}

    def _body(self, parameters: list[int], result: int) -> list[int]:
        """The nodes of the current statement that the result needs and that depend on a parameter."""
        arguments = self.graph.arguments
        statement = range(self._statement_start, len(self.graph))
        dependent, needed = set(parameters), {result}
        for node in statement:
            if not dependent.isdisjoint(arguments[node]):
                dependent.add(node)
        for node in reversed(statement):
            if node in needed:
                needed.update(arguments[node])
        return [node for node in statement if node in dependent and node in needed and arguments[node]]

    def count_inlined(self, nodes: int, start: int, end: int, price: float = NODE) -> None:
        """Count nodes that a place in the text unfolds to, each at a price. Raises AutodiffError for too many."""
        self._inlined += nodes
        most, remedy = max(_MOST_INLINED, _MOST_BY_CHARACTER * len(self.source.text)), None
        many = f"more than {most:,} nodes"
        try:
            charge(price * nodes)
        except TooMuchWorkError as error:
            many, remedy = "too many nodes for the work that is allowed", error.remedy
        if remedy or self._inlined > most:
            raise self.error(
                f"the program's own functions, sums and lists unfold to {many}",
                start,
                end,
                hint="name the values that they share, so that these are computed once, or add fewer terms",
                remedy=remedy,
            )

    def inline(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        """Copy the body of a function for a call at a place in the text, and return the node of the result."""
        self.count_inlined(len(function.body), start, end)
        copies = dict(zip(function.parameters, arguments, strict=True))
        self.copy(function.body, copies)
        return copies.get(function.result, function.result)

    def copy(self, nodes: Iterable[int], copies: dict[int, int]) -> None:
        """Append copies of nodes, with the copies of their arguments where there are any, and add them to `copies`."""
        graph = self.graph
        for node in nodes:
            copied = tuple([copies.get(argument, argument) for argument in graph.arguments[node]])
            copies[node] = graph.add(graph.operations[node], copied, *graph.span(node))
            if node in graph.unwritten:
                graph.unwritten.add(copies[node])
