"""Derivatives of random programs: the printed ones are as good as the rules they were made from, and are read again."""

import math
from random import Random

import pytest
import random_programs
from shapes import assert_read_back

from autodiff_cli import engine, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.evaluation import evaluate, leaves
from autodiff_cli.program import Program
from autodiff_cli.transforms import derivative, merged

SEED = 5
NUMBERS = (-1000.0, -360.0, -30.0, -3.3, -0.45, 0.45, 1.0, 2.2, 30.0, 250.0, 1000.0)
CLOSE, UNDERFLOW = 1e-9, 1e-200


def _by_the_rules(program: Program, at: dict[str, float], name: str) -> float:
    """The value of the derivative before it is simplified."""
    copy = merged(program, [name], {})
    (node,) = derivative(copy.graph, copy.output, [copy.inputs[name]], textbook=True)
    order = copy.graph.needed([node])
    values = leaves(copy, [], copy.inputs, at)
    engine.forward(copy.graph, order, values, floats)
    return values[node]


def _is_close(value: float, true: float) -> bool:
    return value == true or abs(value - true) <= CLOSE * abs(true) + UNDERFLOW


def _losses(program: Program, name: str, found: Program, points: list[dict[str, float]]) -> list[dict[str, float]]:
    """The points at which the rules give the gradient, and the printed derivative does not."""
    return [
        at
        for at in points
        if math.isfinite(gradient := evaluate(program, at, [name]).gradient[name])
        and _is_close(_by_the_rules(program, at, name), gradient)
        and not _is_close(evaluate(found, {key: at[key] for key in found.inputs if key in at}, ()).value, gradient)
    ]


@pytest.mark.parametrize("start", range(0, 240, 40))
def test_a_printed_derivative_is_as_good_as_the_rules(start: int) -> None:
    for number in range(start, start + 40):
        case = random_programs.case(SEED, number)
        program, chance = parse(case.formula), Random(number)
        if case.wrt in program.inputs:
            points = [case.point, *({name: chance.choice(NUMBERS) for name in case.point} for _ in range(6))]
            found = differentiate(program, [case.wrt])
            assert_read_back(found)
            assert not _losses(program, case.wrt, parse(found.text), points), (case.formula, found.text)
