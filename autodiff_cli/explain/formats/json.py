"""One JSON object: the values, the steps of the sweep backward in their order, and the paths that were asked for."""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from ...output import finite_or_text
from .. import Contribution, Step
from ..paths import MANY, Path, Paths
from . import Lesson, remarks


def write(lesson: Lesson, out: TextIO) -> None:
    """Write the lesson as one object on one line, node by node and step by step."""
    evaluation = lesson.evaluation
    places = {node: place for place, node in enumerate(evaluation.order)}
    head = {
        "output": evaluation.program.output_name,
        "value": finite_or_text(evaluation.value),
        "gradient": {name: finite_or_text(partial) for name, partial in evaluation.gradient.items()},
    }
    out.write(json.dumps(head)[:-1] + ', "nodes": [')
    _write_list((_node(lesson, node, places) for node in evaluation.order), out)
    out.write('], "steps": [')
    _write_list((_step(lesson, step, places) for step in lesson.explanation.steps), out)
    out.write("]")
    if lesson.paths:
        out.write(', "paths": ' + json.dumps([_paths(lesson, paths, places) for paths in lesson.paths]))
    out.write("}\n")


def _write_list(entries: Iterator[dict[str, Any]], out: TextIO) -> None:
    for number, entry in enumerate(entries):
        out.write((", " if number else "") + json.dumps(entry))


def _node(lesson: Lesson, node: int, places: dict[int, int]) -> dict[str, Any]:
    graph, evaluation = lesson.graph, lesson.evaluation
    received = [
        {"from": places[one.result], "place": one.place, "product": finite_or_text(one.product)}
        for one in lesson.explanation.received.get(node, ())
    ]
    return {
        "name": lesson.names[node][0],
        "label": graph.labels.get(node),
        "operation": "input" if lesson.is_input(node) else graph.operations[node].name,
        "arguments": [places[argument] for argument in graph.arguments[node]],
        "span": list(graph.span(node)),
        "data": finite_or_text(evaluation.values[node]),
        "grad": finite_or_text(lesson.explanation.adjoints[node]),
        "received": received,
        "remark": remarks.forward(lesson, node) or None,
    }


def _step(lesson: Lesson, step: Step, places: dict[int, int]) -> dict[str, Any]:
    return {
        "node": places[step.node],
        "adjoint": finite_or_text(step.adjoint),
        "contributions": [_contribution(one, places) for one in step.contributions],
        "remarks": list(remarks.backward(lesson, step)),
    }


def _contribution(one: Contribution, places: dict[int, int]) -> dict[str, Any]:
    return {
        "to": places[one.argument],
        "place": one.place,
        "rule": one.rule,
        "local": finite_or_text(one.local),
        "product": finite_or_text(one.product),
    }


def _paths(lesson: Lesson, paths: Paths, places: dict[int, int]) -> dict[str, Any]:
    return {
        "name": lesson.names[paths.node][0] if paths.node in lesson.names else lesson.name(paths.node),
        "node": places.get(paths.node),
        "gradient": finite_or_text(paths.gradient),
        "count": paths.count if paths.count < MANY else None,
        "shown": [_path(path, paths.node, places) for path in paths.shown],
        "rest": finite_or_text(paths.rest),
    }


def _path(path: Path, node: int, places: dict[int, int]) -> dict[str, Any]:
    return {
        "nodes": [places[one] for one in (*(link.result for link in path.links), node)],
        "rules": [link.rule for link in path.links],
        "locals": [finite_or_text(link.local) for link in path.links],
        "product": finite_or_text(path.product),
    }
