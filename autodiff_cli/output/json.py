"""One JSON object: `output`, `value`, `gradient` and `nodes`; numbers in the shortest text that reads back the same."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from . import Report, finite_or_text, verdicts


def write(report: Report, out: TextIO, first: Mapping[str, Any] = {}) -> None:
    """Write the report as one object on one line, node by node, so that a large program needs no second copy.

    `first` are fields that come before its own.
    """
    evaluation = report.evaluation
    head = {
        **first,
        "output": evaluation.program.output_name,
        "value": finite_or_text(evaluation.value),
        "gradient": {name: finite_or_text(partial) for name, partial in evaluation.gradient.items()},
    }
    out.write(json.dumps(head)[:-1] + ', "nodes": [')
    for number, node in enumerate(_nodes(report)):
        out.write((", " if number else "") + json.dumps(node))
    further = "".join(f", {json.dumps(name)}: {json.dumps(value)}" for name, value in report.fields.items())
    out.write("]" + _check(report) + further + "}\n")


def _check(report: Report) -> str:
    if report.verdicts is None:
        return ""
    inputs = {name: report.verdict(node) for name, node in report.evaluation.nodes.items() if node is not None}
    checked = {name: verdicts.fields(verdict) for name, verdict in inputs.items() if verdict is not None}
    unused = {verdict.name: verdicts.fields(verdict) for verdict in report.verdicts if verdict.node is None}
    return ', "check": ' + json.dumps(checked | unused)


def _nodes(report: Report) -> Iterator[dict[str, Any]]:
    evaluation = report.evaluation
    graph = evaluation.program.graph
    places = {node: place for place, node in enumerate(evaluation.order)}
    for node in evaluation.order:
        yield {
            "label": graph.labels.get(node),
            "operation": "input" if report.is_input(node) else graph.operations[node].name,
            "arguments": [places[argument] for argument in graph.arguments[node]],
            "span": list(graph.span(node)),
            "data": finite_or_text(evaluation.values[node]),
            report.derivative: finite_or_text(evaluation.adjoints[node]),
            **_verdict(report, node),
        }


def _verdict(report: Report, node: int) -> dict[str, Any]:
    """What the check says of a node that is no input: names of such nodes need not be unique."""
    verdict = report.verdict(node)
    return {} if verdict is None or report.is_input(node) else {"check": verdicts.fields(verdict)}
