"""The data that the page's scripts work on: the nodes, their texts, and the numbers of both sweeps."""

import re
from collections.abc import Mapping
from typing import Any

from ...notation import CALL, elided, operation_text
from ...operations import PREFIX, Operation
from ..chain_rule import BackwardStep
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import Walkthrough
from .data_rows import DataRows
from .source_listing import SourceListing

_MOST_TEXT = 400  # columns of a formula, which with very many arguments is shortened
_NEGATIVE = PREFIX["-"].precedence


def formula(walk: Walkthrough, node: int) -> str:
    """The node as an operation on the names of its arguments; its own name if it is a leaf."""
    return elided(walk.operation(node), _MOST_TEXT) if walk.graph.arguments[node] else walk.names[node][0]


def script_data(walk: Walkthrough, listing: SourceListing, rows: DataRows | None) -> dict[str, Any]:
    """The data, ready for JSON. A node is its place in the topological order."""
    evaluation, steps = walk.evaluation, walk.explanation.steps
    places = {node: place for place, node in enumerate(evaluation.order)}
    backward = {step.node: _rules(walk, step) for step in steps}
    inputs = [(name, places[node]) for name, node in evaluation.inputs.items() if node in places]
    return {
        "precision": walk.precision,
        "source": listing.text,
        "nodes": [_node(walk, node, places, listing) | backward.get(node, {}) for node in evaluation.order],
        "inputs": [{"name": walk.shortened_name(name), "place": place} for name, place in inputs],
        "rows": rows and _rows(dict(inputs), rows),
        "output": places[evaluation.program.output],
        "order": [places[step.node] for step in steps],
        "recorded": {
            "values": [evaluation.values[node] for node in evaluation.order],
            "adjoints": [evaluation.adjoints[node] for node in evaluation.order],
            "passed": [[(link.place, link.local, link.product) for link in step.contributions] for step in steps],
        },
    }


def _node(walk: Walkthrough, node: int, places: dict[int, int], listing: SourceListing) -> dict[str, Any]:
    operation, arguments = walk.graph.operations[node], walk.graph.arguments[node]
    name, binding = walk.names[node]
    return {
        "id": node,
        "name": name,
        "atom": binding >= CALL,
        "about": "an input" if walk.evaluation.is_input(node) else re.split("[;:]", operation.doc)[0],
        "key": f"{operation.name}/{len(arguments)}" if arguments else None,
        "arguments": [places[argument] for argument in arguments],
        "formula": formula(walk, node),
        "inside": node in walk.graph.unwritten,
        "written": _written(operation, len(arguments)) if arguments else [],
        "active": walk.explanation.adjoints[node] is not None,
        "span": [listing.places[end] for end in walk.graph.span(node)],
        "remark": value_remark(walk, node),
    }


def _rows(places: Mapping[str, int], rows: DataRows) -> dict[str, Any]:
    """The rows by the places of the inputs that the output depends on."""
    columns = [column for column, name in enumerate(rows.names) if name in places]
    numbers = [[row[column] for column in columns] for row in rows.numbers]
    return {"places": [places[rows.names[column]] for column in columns], "numbers": numbers}


def _rules(walk: Walkthrough, step: BackwardStep) -> dict[str, Any]:
    """The local derivatives of a node as formulas, by the places of its arguments, and the remarks on the step.

    They hold for the numbers that autodiff computed: where the node counts how many of its arguments tie, so do the
    formulas.
    """
    return {
        "rules": {link.place: walk.rule(link) for link in step.contributions},
        "counting": walk.graph.operations[step.node].variadic,
        "remarks": list(step_remarks(walk, step)),
    }


def _written(operation: Operation, count: int) -> list[str | tuple[int, bool]]:
    """An operation as texts and, between them, its arguments: (place, whether it needs parentheses if negative)."""
    parts = operation_text(operation, [(f"\0{place}\0", CALL) for place in range(count)]).split("\0")
    binds_tightly = operation.precedence >= _NEGATIVE
    return [
        (int(part), operation.symbol != "" and (binds_tightly or int(part) > 0)) if index % 2 else part
        for index, part in enumerate(parts)
    ]
