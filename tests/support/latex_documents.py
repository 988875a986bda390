"""LaTeX documents of the examples and of random formulas: the derivatives, and the explanation at a point."""

import io
from collections.abc import Iterator

import random_programs
from places import EXAMPLES

from autodiff_cli import AutodiffError, Program, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.explain import formats
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.explain.walkthrough import Walkthrough
from autodiff_cli.export import export

RANDOM = 60
"""formulas"""
_MOST_NODES = 400
_NAMES = "结果 = é*γ + Ångström/ж_1 + a_b__c + _x + theta_camera1"


def explanation(program: Program, point: dict[str, float], precision: int = 4) -> str:
    """The explanation; "" where there is no value at the point."""
    try:
        evaluation = evaluate(program, point)
    except AutodiffError:
        return ""
    names, out = short_names(evaluation), io.StringIO()
    formats.write(Walkthrough(explain(evaluation, names), names, precision), "latex", out)
    return out.getvalue()


def programs() -> Iterator[tuple[Program, dict[str, float]]]:
    """Programs of moderate size, each with a point."""
    yield parse(_NAMES), dict.fromkeys(["é", "γ", "Ångström", "ж_1", "a_b__c", "_x", "theta_camera1"], -1e-9)
    drawn = [random_programs.case(5, number) for number in range(RANDOM)]
    examples = [(parse(file.read_text(encoding="utf-8")), {}) for file in sorted(EXAMPLES.glob("*.expr"))]
    for program, point in [*examples, *((parse(case.formula), case.point) for case in drawn)]:
        if len(program.graph) < _MOST_NODES:
            yield program, point


def documents() -> Iterator[str]:
    """All documents."""
    for program, point in programs():
        yield export(program, "latex")
        yield explanation(program, point)
