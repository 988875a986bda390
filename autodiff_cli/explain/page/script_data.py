"""The data that the page's scripts work on: the nodes, their texts, and the numbers of both sweeps."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...errors import one_line
from ...evaluation import Evaluation
from ...notation import CALL, elided, operation_text
from ...operations import PREFIX, Operation
from ...output.json import finite_or_text
from ..chain_rule import BackwardStep
from ..node_names import PAGE_NAME_WIDTH
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import Walkthrough
from .source_listing import SourceListing

_MOST_TEXT = 400  # columns of a formula, which with very many arguments is shortened
_NEGATIVE = PREFIX["-"].precedence


@dataclass(frozen=True)
class PageContent:
    """What a page shows: the walkthrough and the source."""

    walk: Walkthrough
    listing: SourceListing

    @property
    def evaluation(self) -> Evaluation:
        """The values and gradients."""
        return self.walk.evaluation

    @property
    def order(self) -> list[int]:
        """The nodes, in topological order."""
        return self.walk.evaluation.order

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of each node in the order, which is its number in the scripts."""
        return {node: place for place, node in enumerate(self.order)}

    def formula(self, node: int) -> str:
        """The node as an operation on the names of its arguments; its own name if it is a leaf."""
        graph, names = self.walk.graph, self.walk.names
        if not graph.arguments[node]:
            return names[node][0]
        return elided(operation_text(graph.operations[node], [names[a] for a in graph.arguments[node]]), _MOST_TEXT)


def script_data(content: PageContent) -> dict[str, Any]:
    """The data, ready for JSON. A node is its place in the topological order."""
    explanation, places, evaluation = content.walk.explanation, content.places, content.evaluation
    backward = {step.node: _rules(content, step) for step in explanation.steps}
    inputs = [(name, places[node]) for name, node in evaluation.inputs.items() if node in places]
    return {
        "precision": content.walk.precision,
        "source": content.listing.text,
        "nodes": [_node(content, node) | backward.get(node, {}) for node in content.order],
        "inputs": [{"name": elided(one_line(name), PAGE_NAME_WIDTH), "place": place} for name, place in inputs],
        "output": places[evaluation.program.output],
        "order": [places[step.node] for step in explanation.steps],
        "recorded": {
            "values": [finite_or_text(evaluation.values[node]) for node in content.order],
            "passed": [_passed(step) for step in explanation.steps],
        },
    }


def _node(content: PageContent, node: int) -> dict[str, Any]:
    walk = content.walk
    operation, arguments = walk.graph.operations[node], walk.graph.arguments[node]
    name, binding = walk.names[node]
    return {
        "id": node,
        "name": name,
        "atom": binding >= CALL,
        "about": "an input" if walk.is_input(node) else operation.doc,
        "key": f"{operation.name}/{len(arguments)}" if arguments else None,
        "arguments": [content.places[argument] for argument in arguments],
        "formula": content.formula(node),
        "written": _written(operation, len(arguments)) if arguments else [],
        "active": walk.explanation.adjoints[node] is not None,
        "span": content.listing.span(*walk.graph.span(node)),
        "remark": value_remark(walk, node),
    }


def _rules(content: PageContent, step: BackwardStep) -> dict[str, Any]:
    """The local derivatives of a node as formulas, by the places of its arguments, and the remarks on the step.

    They hold for the numbers that autodiff computed: where the node counts how many of its arguments tie, so do the
    formulas.
    """
    return {
        "rules": {link.place: content.walk.rule(link) for link in step.contributions},
        "counting": content.walk.graph.operations[step.node].variadic,
        "remarks": list(step_remarks(content.walk, step)),
    }


def _written(operation: Operation, count: int) -> list[str | tuple[int, bool]]:
    """An operation as texts and, between them, its arguments: (place, whether it needs parentheses if negative)."""
    parts = operation_text(operation, [(f"\0{place}\0", CALL) for place in range(count)]).split("\0")
    binds_tightly = operation.precedence >= _NEGATIVE
    return [
        (int(part), operation.symbol != "" and (binds_tightly or int(part) > 0)) if index % 2 else part
        for index, part in enumerate(parts)
    ]


def _passed(step: BackwardStep) -> list[tuple[int, float | str | None, float | str | None]]:
    """What a step passes on: (place of the argument, local derivative, product)."""
    return [(link.place, finite_or_text(link.local), finite_or_text(link.product)) for link in step.contributions]
