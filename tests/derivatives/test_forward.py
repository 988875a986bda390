"""Slopes along a direction: forward mode agrees with the gradient."""

import math
from dataclasses import replace

import pytest
import random_programs
import referee
from hypothesis import given
from hypothesis import strategies as st
from referee import called, every_operation

from autodiff_cli import gradient, parse
from autodiff_cli.derivatives.forward import directional
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.evaluation import evaluate
from autodiff_cli.operations import OPERATIONS, Operation


@given(st.integers(0, 10**6), st.lists(st.floats(-3, 3, allow_subnormal=False), min_size=3, max_size=3))
def test_slope_along_a_direction_is_the_gradient_times_it(number: int, components: list[float]) -> None:
    case = random_programs.case(13, number)
    evaluation = evaluate(parse(case.formula), case.point)
    direction = {name: component for name, component in zip("xyz", components, strict=True) if name in evaluation.wrt}
    found = directional(evaluation.program, case.point, direction)
    terms = [evaluation.gradient[name] * component for name, component in direction.items()]
    if case.ordinary and all(map(math.isfinite, (evaluation.value, found.slope, *terms))):
        pairs = zip(evaluation.adjoints, found.slopes, strict=True)
        size = max((abs((adjoint or 0.0) * (slope or 0.0)) for adjoint, slope in pairs), default=0.0)
        assert abs(found.slope - math.fsum(terms)) <= 1e-9 * size, case.formula


@every_operation
def test_forward_and_backward_have_the_same_partials(operation: Operation, count: int) -> None:
    for arguments in referee.smooth_samples(operation, count, 60, step=4):
        evaluation = called(operation, arguments)
        point = dict(zip("abcd", arguments, strict=False))
        for name, expected in evaluation.gradient.items():
            slope = directional(evaluation.program, point, {name: 1.0}).slope
            assert slope == pytest.approx(expected, rel=1e-15, abs=referee.SMALLEST, nan_ok=True), (arguments, name)


@pytest.mark.parametrize(
    ("text", "slope"), [("x*0 + 1e-100*x + sqrt(y)", 1e-100), ("sqrt(x - 1) + sqrt(y) + 1e-100", math.inf)]
)
def test_an_infinite_slope_by_a_name_that_does_not_move_stays_out(text: str, slope: float) -> None:
    assert directional(parse(text), {"x": 1.0, "y": 0.0}, {"x": 1.0, "y": 0.0}).slope == slope


def test_every_node_has_its_slope_and_what_does_not_move_has_none() -> None:
    program = parse("n = x*w; m = floor(x); o = n + sin(b)*m")
    found = directional(program, {"x": 2, "w": 3, "b": 1}, {"x": 10.0, "w": 0.0})
    by_name = {name: found.slopes[node] for name, node in program.names.items()}
    assert by_name == {"x": 10.0, "w": None, "b": None, "n": 30.0, "m": None, "o": 30.0}


@pytest.mark.parametrize(
    "text",
    [
        "where(x > 0, sqrt(x), 0) + y",
        "max(sqrt(x), 1) + y",
        "asin(x >= 0) + y",
        "asin(1 + relu(x)) + y",
        "atanh(clip(x, 1, 2)) + y",
    ],
)
def test_infinite_slopes_of_what_was_not_chosen_stay_out(text: str) -> None:
    program, point = parse(text), {"x": 0.0, "y": 1.0}
    assert gradient(program, point)["x"] == 0
    assert directional(program, point, {"x": 1, "y": 2}).slope == 2.0
    assert hessian(evaluate(program, point)).matrix == [[0.0, 0.0], [0.0, 0.0]]
    value = evaluate(program, point).value
    moved = program.graph.add(OPERATIONS["mul"], (program.inputs["x"], program.output))
    slope = taylor(evaluate(replace(program, output=moved), point, ["x"]), 1).derivatives[1]
    assert slope == value or (math.isinf(value) and math.isnan(slope))  # of 0 times infinity, which is nan
