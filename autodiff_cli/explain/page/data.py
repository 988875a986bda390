"""What the page's script works on: the nodes, how they are written, and every number that the engine found."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...errors import one_line
from ...notation import CALL, elided, spelled
from ...operations import PREFIX, Operation
from ...output import Report, finite_or_text
from ...printer import Text
from .. import Explanation, Step
from ..formats import Lesson, remarks
from .listing import Listing
from .naming import NAME_WIDTH

_MOST_TEXT = 400  # columns of a formula: that of an operation with very many arguments is cut short
_NEGATIVE = PREFIX["-"].precedence


@dataclass(frozen=True)
class Subject:
    """What a page is about: the steps, what the nodes are called, the source, and the digits to show."""

    explanation: Explanation
    names: Mapping[int, Text]
    listing: Listing
    precision: int

    @cached_property
    def report(self) -> Report:
        """The same numbers as a table has them."""
        return Report(self.explanation.evaluation, precision=self.precision)

    @cached_property
    def lesson(self) -> Lesson:
        """The same steps as the explanation in words has them."""
        return Lesson(self.explanation, self.names, self.precision)

    @property
    def order(self) -> list[int]:
        """The nodes, in topological order."""
        return self.explanation.evaluation.order

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each node in the order, which is its number in the script."""
        return {node: place for place, node in enumerate(self.order)}

    def operation(self, node: int) -> str:
        """The node's operation as a table has it."""
        row = self.explanation.evaluation.program.graph.operations[node]
        return "input" if self.report.is_input(node) else row.symbol or row.called

    def formula(self, node: int) -> str:
        """How a node is computed, with the names of its arguments; its own name if it is a leaf."""
        graph = self.explanation.evaluation.program.graph
        if not graph.arguments[node]:
            return self.names[node][0]
        return elided(spelled(graph.operations[node], [self.names[one] for one in graph.arguments[node]]), _MOST_TEXT)


def data(subject: Subject) -> dict[str, Any]:
    """The data, ready for JSON. A node is its place in the topological order."""
    explanation, places = subject.explanation, subject.places
    evaluation = explanation.evaluation
    backward = {step.node: _rules(subject, step) for step in explanation.steps}
    inputs = [(name, places[node]) for name, node in evaluation.inputs.items() if node in places]
    return {
        "precision": subject.precision,
        "source": subject.listing.text,
        "nodes": [_node(subject, node) | backward.get(node, {}) for node in subject.order],
        "inputs": [{"name": elided(one_line(name), NAME_WIDTH), "place": place} for name, place in inputs],
        "output": places[evaluation.program.output],
        "order": [places[step.node] for step in explanation.steps],
        "recorded": {
            "values": [finite_or_text(evaluation.values[node]) for node in subject.order],
            "passed": [_passed(step) for step in explanation.steps],
        },
    }


def _node(subject: Subject, node: int) -> dict[str, Any]:
    graph = subject.explanation.evaluation.program.graph
    row, arguments = graph.operations[node], graph.arguments[node]
    name, binding = subject.names[node]
    return {
        "id": node,
        "name": name,
        "atom": binding >= CALL,
        "about": "an input" if subject.report.is_input(node) else row.doc,
        "key": f"{row.name}/{len(arguments)}" if arguments else None,
        "arguments": [subject.places[argument] for argument in arguments],
        "formula": subject.formula(node),
        "written": _written(row, len(arguments)) if arguments else [],
        "active": subject.explanation.adjoints[node] is not None,
        "span": subject.listing.span(*graph.span(node)),
        "remark": remarks.forward(subject.lesson, node),
    }


def _rules(subject: Subject, step: Step) -> dict[str, Any]:
    """The local derivatives of a node as formulas, by their places, and what there is to say about them.

    They are about the numbers that autodiff computed: where the node counts how many of its arguments tie, so do the
    formulas.
    """
    return {
        "rules": {one.place: subject.lesson.rule(one) for one in step.contributions},
        "counting": subject.explanation.evaluation.program.graph.operations[step.node].variadic,
        "remarks": list(remarks.backward(subject.lesson, step)),
    }


def _written(row: Operation, count: int) -> list[str | tuple[int, bool]]:
    """How an operation is written: texts, and between them (argument, whether to enclose it if it is negative)."""
    parts = spelled(row, [(f"\0{place}\0", CALL) for place in range(count)]).split("\0")
    tight = row.precedence >= _NEGATIVE
    return [
        (int(part), row.symbol != "" and (tight or int(part) > 0)) if index % 2 else part
        for index, part in enumerate(parts)
    ]


def _passed(step: Step) -> list[tuple[int, Any, Any]]:
    """What a step passes on: (place of the argument, local derivative, product)."""
    return [(one.place, finite_or_text(one.local), finite_or_text(one.product)) for one in step.contributions]
