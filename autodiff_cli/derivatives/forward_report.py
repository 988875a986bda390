"""A directional derivative: each node's value and its slope along the direction, as a sweep forward finds them."""

from dataclasses import replace
from typing import TextIO

from ..output import Nodes, Report, finite_or_text
from ..output import write as write_report
from .forward import Directional


def write(found: Directional, name: str, out: TextIO, *, nodes: Nodes | None, precision: int) -> None:
    """Write values and slopes in the format of that name; plain lines are the output's."""
    evaluation = replace(found.evaluation, adjoints=found.slopes)
    if name == "plain":
        out.write(f"{evaluation.value!r}\n{found.slope!r}\n")
        return
    fields = {
        "direction": {name: finite_or_text(component) for name, component in found.direction.items()},
        "directional": finite_or_text(found.slope),
    }
    write_report(Report(evaluation, nodes, precision, derivative="slope", fields=fields), name, out)
