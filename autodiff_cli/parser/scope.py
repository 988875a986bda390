"""The names and the functions that a program knows at a place of its text."""

import unicodedata
from typing import Any, NamedTuple

from ..errors import AutodiffError, Source
from ..graph import Graph
from ..operations import INFIX, PARAMETER, PREFIX

MOST_INLINED = 10_000_000

_NAMES = {"π": "pi", "∞": "inf", "√": "sqrt"}


class Function(NamedTuple):
    """A function of the user's own; a call copies the nodes of its body, with the arguments for the parameters."""

    parameters: list[int]
    body: list[int]
    result: int


class Scope:
    """Values by their names, and functions of the user's own, which are copied into the graph where they are called."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.graph = Graph()
        self.names: dict[str, int] = {}  # as they stand at this place of the text: values, inputs, constants
        self.functions: dict[str, Function] = {}
        self._mark = 0  # the first node of the statement at hand
        self._shadowed: dict[str, int | None] = {}  # what the parameters of the function at hand hide
        self._defining = ""
        self._inlined = 0

    def _canonical(self, text: str, start: int) -> str:
        """The name that a word stands for: equal letters of Unicode are one letter, π is pi."""
        if text.isascii():
            return text
        name = _NAMES.get(text) or unicodedata.normalize("NFKC", text)
        if not name.isidentifier():
            from .diagnostics.calls import not_a_name

            raise not_a_name(self, text, start)
        if name in INFIX or name in PREFIX:
            raise self.error(f"`{text}` is a reserved word in other letters", start, start + len(text))
        return name

    def header(self, values: list[Any], starts: list[int], end: int) -> tuple[str, list[int]]:
        """`f(a, b) =`: from here to the end of the statement the parameters hide other names."""
        name = self._canonical(values[0], starts[0])
        self._mark = len(self.graph)
        parameters = []
        self._shadowed = {}
        for index, word in enumerate(values[2]):
            parameter = self._canonical(word, starts[2])
            if parameter in self._shadowed:
                from .diagnostics.calls import named_twice

                raise named_twice(self, index, starts[2])
            self._shadowed[parameter] = self.names.get(parameter)
            self.names[parameter] = self.graph.add(PARAMETER, (), starts[2], starts[3])
            parameters.append(self.names[parameter])
        self._defining = name
        return name, parameters

    def definition(self, values: list[Any], starts: list[int], end: int) -> None:
        """The end of a function's definition."""
        (name, parameters), result = values
        self.functions[name] = Function(parameters, self._body(parameters, result), result)
        for parameter, hidden in self._shadowed.items():
            if hidden is None:
                del self.names[parameter]
            else:
                self.names[parameter] = hidden
        self._shadowed, self._defining = {}, ""
        self._mark = len(self.graph)

    def _body(self, parameters: list[int], result: int) -> list[int]:
        """The nodes of the definition at hand that its result needs and that depend on a parameter."""
        arguments = self.graph.arguments
        segment = range(self._mark, len(self.graph))
        dependent, needed = set(parameters), {result}
        for node in segment:
            if not dependent.isdisjoint(arguments[node]):
                dependent.add(node)
        for node in reversed(segment):
            if node in needed:
                needed.update(arguments[node])
        return [node for node in segment if node in dependent and node in needed and arguments[node]]

    def _inline(self, function: Function, arguments: list[int], start: int, end: int) -> int:
        self._inlined += len(function.body)
        if self._inlined > MOST_INLINED:
            raise self.error(
                f"the calls of the program's own functions unfold to more than {MOST_INLINED:,} nodes",
                start,
                end,
                hint="name the values that the functions share, so that they are computed once",
            )
        graph = self.graph
        copies = dict(zip(function.parameters, arguments, strict=True))
        for node in function.body:
            copied = tuple([copies.get(argument, argument) for argument in graph.arguments[node]])
            copies[node] = graph.add(graph.operations[node], copied, *graph.span(node))
        return copies.get(function.result, function.result)

    def error(self, message: str, start: int, end: int, hint: str = "") -> AutodiffError:
        """An error at a place in this program's text."""
        return AutodiffError(message, span=(start, end), hint=hint, source=self.source)
