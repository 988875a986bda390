"""What `eval` computes beyond the gradient or in its place: one of four things, where it is asked to."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import click

from ..errors import USAGE, AutodiffError
from ..evaluation import Evaluation, evaluate
from ..nonfinite import kink, passed_through, problem
from ..output import Nodes, Report
from ..program import Program
from . import formula as shared
from . import inputs

Point = Mapping[str, float]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])

MOST_ORDERS = 100
_BETWEEN = re.compile(r",(?=\s*\w+\s*=(?!=))")


def options(function: Decorated) -> Decorated:
    """The options that ask for it; --output with several names does so too."""
    for decorator in (
        click.option(
            "--direction",
            multiple=True,
            metavar="NAME=NUMBER …",
            help="The slope along a direction in place of the gradient, in forward mode: --direction x=1,y=2.",
        ),
        click.option(
            "--order",
            type=click.IntRange(1, MOST_ORDERS),
            metavar="N",
            help="The derivatives up to order N, with respect to one variable.",
        ),
        click.option("--hessian", is_flag=True, help="The matrix of second derivatives too."),
    ):
        function = decorator(function)
    return function


@dataclass(frozen=True)
class Wish:
    """What is asked for: nothing, or one of these."""

    outputs: tuple[str, ...]
    hessian: bool
    order: int | None
    direction: Mapping[str, float]

    @property
    def options(self) -> list[str]:
        """The options that ask for something."""
        several = {f"--output {','.join(self.outputs)}": len(self.outputs) > 1}
        asked = several | {"--hessian": self.hessian, "--order": self.order, "--direction": self.direction}
        return [option for option, value in asked.items() if value]


def wish(output: Sequence[str], hessian: bool, order: int | None, direction: Iterable[str], **others: object) -> Wish:
    """The wish of a command line; `others` are options, by their names, that do not go with all that can be asked."""
    outputs = tuple(shared.names(output, "--output")) if output else ()
    if len(set(outputs)) < len(outputs):
        raise AutodiffError("`--output` has the same name twice", hint="leave one of the two out", code=USAGE)
    components = [part for text in direction for part in _BETWEEN.split(text)]
    made = Wish(outputs, hessian, order, inputs.from_assignments(components, "--direction"))
    out_of_place = {"check": True, "wrt": bool(direction), "nodes": len(outputs) > 1 or order is not None}
    refused = [f"--{name}" for name, value in others.items() if value and out_of_place[name]]
    for first, second in zip(made.options[:1], [*made.options[1:], *refused], strict=False):
        raise AutodiffError(f"`{first}` and `{second}` do not go together", hint="leave one of them out", code=USAGE)
    return made


class Manner(NamedTuple):
    """How it is to be written."""

    format: str
    nodes: Nodes | None
    precision: int
    allow_nonfinite: bool


def write(wish: Wish, program: Program, point: Point, wrt: Sequence[str] | None, manner: Manner) -> None:
    """Compute what is asked for and write it."""
    if len(wish.outputs) > 1:
        _jacobian(wish.outputs, program, point, wrt, manner)
    elif wish.direction:
        _directional(wish.direction, program, point, manner)
    elif wish.hessian:
        _hessian(evaluate(program, point, wrt), manner)
    else:
        _derivatives(wish.order or 0, evaluate(program, point, wrt), manner)


def _hessian(evaluation: Evaluation, manner: Manner) -> None:
    from ..derivatives import hessian as hessians
    from ..derivatives.hessian_report import write

    found = hessians.hessian(evaluation)
    error = problem(evaluation) or hessians.problem(evaluation, found)
    notices = passed_through(evaluation), kink(evaluation, "second derivatives")
    shared.tell(error, manner.allow_nonfinite, *notices)
    write(Report(evaluation, manner.nodes, manner.precision), found, manner.format, sys.stdout)


def _derivatives(order: int, evaluation: Evaluation, manner: Manner) -> None:
    from ..derivatives import taylor
    from ..derivatives.taylor_report import write_derivatives

    found = taylor.taylor(evaluation, order)
    error = taylor.problem(evaluation, found)
    shared.tell(error, manner.allow_nonfinite, passed_through(evaluation), kink(evaluation, "derivatives"))
    report = Report(evaluation, manner.nodes, manner.precision)
    write_derivatives(report, found.derivatives, manner.format, sys.stdout)


def _directional(direction: Point, program: Program, point: Point, manner: Manner) -> None:
    from ..derivatives import forward, forward_report

    found = forward.directional(program, point, direction)
    shared.tell(forward.problem(found), manner.allow_nonfinite, passed_through(found.evaluation))
    forward_report.write(found, manner.format, sys.stdout, nodes=manner.nodes, precision=manner.precision)


def _jacobian(
    outputs: Sequence[str], program: Program, point: Point, wrt: Sequence[str] | None, manner: Manner
) -> None:
    from ..derivatives import jacobian_report
    from ..derivatives.jacobian import jacobian

    found = jacobian(program, point, outputs, wrt)
    for evaluation in found.suspects:
        error = problem(evaluation)
        if error is not None:
            error.message = f"`{evaluation.program.output_name}`: {error.message}"
        shared.tell(error, manner.allow_nonfinite, passed_through(evaluation))
    jacobian_report.write(found, manner.format, sys.stdout, manner.precision)
