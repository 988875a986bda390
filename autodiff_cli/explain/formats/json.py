"""One JSON object: the values, the steps of the backward sweep in their order, and the paths that were asked for."""

from typing import Any, TextIO

from ...evaluation.report import EvaluationReport
from ...output.json import write_document
from ..chain_rule import BackwardStep
from ..gradient_paths import MANY, GradientPath, GradientPaths
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import Walkthrough


def write(walk: Walkthrough, out: TextIO) -> None:
    """Write the walkthrough as one object on one line, node by node and step by step."""
    evaluation, report = walk.evaluation, EvaluationReport(walk.evaluation)
    places = {node: place for place, node in enumerate(evaluation.order)}
    document = {
        "output": evaluation.program.output_name,
        "value": evaluation.value,
        "gradient": evaluation.gradient,
        "nodes": (_node(walk, node, report, places) for node in evaluation.order),
        "steps": (_step(walk, step, places) for step in walk.explanation.steps),
    }
    paths = {"paths": [_paths(walk, paths, places) for paths in walk.paths]} if walk.paths else {}
    write_document(document | paths, out)


def _node(walk: Walkthrough, node: int, report: EvaluationReport, places: dict[int, int]) -> dict[str, Any]:
    received = [
        {"from": places[link.result], "place": link.place, "product": link.product}
        for link in walk.explanation.received.get(node, ())
    ]
    return {
        "name": walk.names[node][0],
        **report.node(node),
        "grad": walk.explanation.adjoints[node],
        "received": received,
        "remark": value_remark(walk, node) or None,
    }


def _step(walk: Walkthrough, step: BackwardStep, places: dict[int, int]) -> dict[str, Any]:
    return {
        "node": places[step.node],
        "adjoint": step.adjoint,
        "contributions": [
            {
                "to": places[link.argument],
                "place": link.place,
                "rule": link.rule,
                "local": link.local,
                "product": link.product,
            }
            for link in step.contributions
        ],
        "remarks": list(step_remarks(walk, step)),
    }


def _paths(walk: Walkthrough, paths: GradientPaths, places: dict[int, int]) -> dict[str, Any]:
    return {
        "name": walk.names[paths.node][0] if paths.node in walk.names else walk.name(paths.node),
        "node": places.get(paths.node),
        "gradient": paths.gradient,
        "count": paths.count if paths.count < MANY else None,
        "shown": [_path(path, paths.node, places) for path in paths.shown],
        "rest": paths.rest,
    }


def _path(path: GradientPath, node: int, places: dict[int, int]) -> dict[str, Any]:
    return {
        "nodes": [places[on_path] for on_path in (*(link.result for link in path.links), node)],
        "rules": [link.rule for link in path.links],
        "locals": [link.local for link in path.links],
        "product": path.product,
    }
