"""Assignments in a target language for the nodes of a graph: each node once, nested as long as that is readable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph import Graph
from ..lowering.folded_graph import FoldedGraph
from ..lowering.identifiers import Identifiers
from ..lowering.lowering import formula, lowered
from ..lowering.target_language import ATOM, LOOSE, Assignment, Shape, TargetLanguage, call
from ..operations import CONSTANT, LOGIC, WHERE, Operation
from ..rules import Rule
from ..work_budget import NODE, charge


@dataclass(frozen=True)
class Body:
    """The assignments that compute some results, and the text of each result."""

    statements: list[Assignment]
    results: list[str]


class HelperFunctions:
    """The helper functions that a piece of code needs, each written when it is first called for."""

    def __init__(self, language: TargetLanguage) -> None:
        self.language = language
        self.texts: dict[str, str] = {}
        """name → text, each after those that it calls"""
        self._shapes: dict[tuple[Operation, int], Shape] = {}

    def shape(self, graph: Graph, node: int) -> Shape:
        """The shape of an operation of a graph; its helper function is then in the helpers."""
        operation, arguments = graph.operations[node], graph.arguments[node]
        if self.language.specialized is not None:
            operation = self.language.specialized(operation, [graph.numbers.get(argument) for argument in arguments])
        key = operation, len(arguments)
        if key not in self._shapes:
            self._shapes[key] = self._find(*key)
        return self._shapes[key]

    def _find(self, operation: Operation, count: int) -> Shape:
        language = self.language
        if language.knows(operation, count):
            if operation.name in language.handwritten:
                self.texts.setdefault(operation.name, language.handwritten[operation.name])
            return language.shape(operation, count)
        name = language.helper_prefix + (f"{operation.name}{count}" if operation.variadic else operation.name)
        name += "_" * (name in language.taken or name in language.reserved_functions)
        rule = formula(operation, count)
        parameters = [f"a{i + 1}" for i in range(count)] if operation.variadic else list(operation.names)
        body = write(rule, parameters, self)
        self.texts[name] = language.helper_function(name, parameters, body.statements, body.results[0], operation.doc)
        return call(name, count)


def write(rule: Rule, parameters: Sequence[str], helpers: HelperFunctions) -> Body:
    """The statements for a formula of the table, its parameters called by these names."""
    graph, copies = lowered(helpers.language, rule.graph, rule.parameters, rule.results)
    names = {copies[node]: name for node, name in zip(rule.parameters, parameters, strict=True)}
    results = [None if result is None else copies[result] for result in rule.results]
    return StatementWriter(graph, results, helpers).body(names, Identifiers(helpers.language, parameters))


class StatementWriter:
    """Writes nodes of a graph of the language's operations, and the helper functions that these call."""

    def __init__(self, graph: FoldedGraph, results: Sequence[int | None], helpers: HelperFunctions) -> None:
        self.graph, self.results, self.language = graph, results, helpers.language
        self._order = graph.needed(result for result in results if result is not None)
        charge(NODE * len(self._order))
        self.nodes = frozenset(self._order)
        """the nodes that the results need"""
        self._shapes = {node: helpers.shape(graph, node) for node in self._order if graph.arguments[node]}
        self._texts: dict[int, tuple[str, int]] = {}

    def body(self, names: Mapping[int, str], free: Identifiers, called: Mapping[int, str] | None = None) -> Body:
        """The statements in order, and the text of each result; one that is None is zero.

        `names` has the names of the leaves, `called` those of some nodes in their statements; other names are
        taken from those that are free.
        """
        graph, language, called = self.graph, self.language, called or {}
        self._texts = {node: (language.reference(name), ATOM) for node, name in names.items()}
        uses = self._uses()
        statements: list[Assignment] = []
        for node in self._order:
            if node in self._texts:
                continue
            text, binding = self._text(node)
            named = uses[node] > 1 or node in called or (len(text) > language.longest_operand and uses[node] >= 0)
            if named and graph.arguments[node]:
                name = called.get(node) or free.new()
                statements.append(Assignment(name, text, self.graph.is_condition(node)))
                text, binding = language.reference(name), ATOM
            self._texts[node] = text, binding
        zero = language.number(0.0)
        results = [zero if each is None else self._operand(each, LOOSE, False) for each in self.results]
        return Body(statements, results)

    def _uses(self) -> list[int]:
        """The number of uses of each node; a template that repeats it counts twice, and a result once at its end -1."""
        arguments = self.graph.arguments
        uses = [0] * len(self.graph)
        for node, shape in self._shapes.items():
            for argument in arguments[node]:
                uses[argument] += 1
            for place in shape.repeated:
                uses[arguments[node][place]] += 1
        for result in self.results:
            if result is not None:
                uses[result] = -1 if uses[result] == 0 else 2
        return uses

    def _text(self, node: int) -> tuple[str, int]:
        """A node in terms of the texts of its arguments, and how tightly it binds."""
        operation = self.graph.operations[node]
        if operation is CONSTANT:
            return self._number(self.graph.numbers[node])
        shape = self._shapes[node]
        logic, first = operation in LOGIC, operation is WHERE
        operands = []
        for argument, binding in zip(self.graph.arguments[node], shape.operands, strict=True):
            operands.append(self._operand(argument, binding, logic or first))
            first = False
        return shape.template.format(*operands), shape.binding

    def _number(self, number: float) -> tuple[str, int]:
        text = self.language.number(number)
        return text, self.language.shapes["neg"].binding if text.startswith("-") else ATOM

    def _operand(self, node: int, binding: int, condition: bool) -> str:
        """A node's text as an operand that must bind at least this tightly, as a condition or as a number."""
        text, own = self._texts[node]
        if condition != self.graph.is_condition(node):
            shape = self.language.as_condition if condition else self.language.as_number
            text, own = shape.template.format(_enclosed(text, own, shape.operands[0])), shape.binding
        return _enclosed(text, own, binding)


def _enclosed(text: str, own: int, binding: int) -> str:
    return text if own >= binding else f"({text})"
