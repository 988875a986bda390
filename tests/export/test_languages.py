"""Exported functions, compiled and run: they answer as the engine does, within 2 ulp for each operation."""

import itertools
import math
import random
from functools import cache
from importlib import import_module
from pathlib import Path

import exported
import mpmath
import pytest
import referee
from exported import Job
from places import EXAMPLES

from autodiff_cli import engine, parse, rules
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.gradient_check.rounding import ContributionSizes
from autodiff_cli.lowering import lowering
from autodiff_cli.notation import CALL, operation_text
from autodiff_cli.operations import Operation

TARGETS = ("c", "python", "javascript", "numpy", "rust", "fortran", "sql")
every_target = pytest.mark.parametrize("target", TARGETS)
EXPRESSIONS = sorted(EXAMPLES.glob("*.expr"))
ULPS = 2
PLATFORM = {
    "cbrt": 10,  # the C library's is off by up to 3.7, and the rule squares it
    "gamma": 10,  # Python's own sum is off by up to 7, the C library's by up to 5
    "factorial": 10,  # is made of gamma
    "lgamma": 16,  # Python's own sum, which the engine has far from its zeros, is off by up to 11
    "beta": 1000,  # the logarithm of a small or large result counts
}
"""functions that are taken as a platform has them: the bound that they keep"""
UNITS = {"lgamma": 1.0, "digamma": 1.0}
"""the smallest value whose last place counts: around their zeros left of 0 these are differences of large numbers"""


# ---- Every operation of the table ------------------------------------------------------------------------------------


@cache
def _operations() -> list[tuple[Operation, tuple[float, ...], Job]]:
    """For each operation a program that consists of it, and where to run it: in its domain, and everywhere."""
    jobs = []
    for operation, count, number in referee.FORMULAS_OF_ONE:
        if operation.variadic and count == 1:
            continue
        literals = () if number is None else (float(number),)
        names = [f"x{i}" for i in range(count - len(literals))]
        text = operation_text(operation, [(str(number), CALL)] * len(literals) + [(name, CALL) for name in names])
        points = [point[len(literals) :] for point in referee.samples(operation, count, 40)]
        points = points[:: 1 + len(points) // 40] + list(itertools.product(referee.HARD[len(names)], repeat=len(names)))
        called = f"f_{operation.name}_{count}_{number or 0}"
        jobs.append((operation, literals, Job(parse(text), list(dict.fromkeys(points)), called)))
    return jobs


@pytest.mark.slow
@every_target
def test_every_operation_answers_as_the_engine(target: str, tmp_path: Path) -> None:
    cases = _operations()
    found = exported.run(target, [job for _, _, job in cases], tmp_path)
    for (operation, literals, job), answers in zip(cases, found, strict=True):
        for point, (value, *gradient) in zip(job.points, answers, strict=True):
            arguments = (*literals, *point)
            if not referee.has_no_formula(operation, arguments):
                _assert_value(target, operation, arguments, value)
                _assert_partials(operation, arguments, gradient, len(literals))


@pytest.mark.parametrize("target", ["python", "javascript"])
def test_lgamma_keeps_its_digits_next_to_its_zeros(target: str, tmp_path: Path) -> None:
    job = Job(parse("lgamma(x)"), [(1 + 1e-9,), (2 - 1e-9,)], "f")
    for (x,), (value, _) in zip(job.points, exported.run(target, [job], tmp_path)[0], strict=True):
        assert referee.error(value, mpmath.loggamma(mpmath.mpf(x))) <= ULPS * 2


@pytest.mark.parametrize("target", ["python", "numpy", "javascript"])
def test_a_constant_of_zero_in_a_function_divides_as_in_doubles(target: str, tmp_path: Path) -> None:
    job = Job(parse("nthroot(2 + (x > 0), not 1e-30) + elu(x, 0)"), [[2.0], [-1.0]], "f")
    ((above, *_), (below, *_)) = exported.run(target, [job], tmp_path)[0]
    assert (above, below) == (math.inf, math.inf)


@pytest.mark.slow
@every_target
def test_a_remainder_of_zero_has_the_sign_of_the_divisor(target: str, tmp_path: Path) -> None:
    points = [[-6.0, 3.0], [6.0, -3.0], [-6.0, -3.0], [0.0, 3.0], [-0.5, math.inf], [5.0, 0.0], [7.5, -2.0]]
    found = exported.run(
        target, [Job(parse("copysign(1, x % y)"), points, "sign_of"), Job(parse("x % y"), points, "rest")], tmp_path
    )
    assert [value for value, *_ in found[0]][:4] == [1.0, -1.0, -1.0, 1.0]
    assert [value for value, *_ in found[1]][4:] == pytest.approx([math.inf, math.nan, -0.5], nan_ok=True)


def _assert_value(target: str, operation: Operation, arguments: tuple[float, ...], actual: float) -> None:
    expected = floats.function(operation, len(arguments))(*arguments)
    rule = _taken_apart(target, operation, arguments)
    numbers = arguments[1:] if operation.literal else arguments
    _assert_close(operation, actual, expected, rule, numbers)


def _taken_apart(target: str, operation: Operation, arguments: tuple[float, ...]) -> rules.Rule | None:
    """The formula of an operation that the language, or the engine, lacks."""
    language = import_module(f"autodiff_cli.export.{target}").LANGUAGE
    if operation.literal:
        return lowering.formula(lowering.literal(operation, arguments[0]), 1)
    if language.knows(operation, len(arguments)) or (operation.variadic and not operation.value):
        return lowering.formula(operation, len(arguments)) if operation.value else None
    return lowering.formula(operation, len(arguments))


def _assert_partials(operation: Operation, arguments: tuple[float, ...], actual: list[float], first: int) -> None:
    count, result = len(arguments), floats.function(operation, len(arguments))(*arguments)
    for place, partial in enumerate(actual, first):
        wanted = tuple(i == place for i in range(count))
        expected = floats.pullback(operation, count, wanted)(1.0, result, *arguments)[place] or 0.0
        rule = rules.pullback(operation, count, wanted)
        alone = rules.Rule(rule.graph, rule.parameters, (rule.results[place],))
        _assert_close(operation, partial, expected, alone, (1.0, result, *arguments))


def _assert_close(
    operation: Operation, actual: float, expected: float, rule: rules.Rule | None, numbers: tuple[float, ...]
) -> None:
    """Within 2 ulp for each operation of the rule or, where these cancel, of the largest term."""
    bound = PLATFORM.get(operation.name, ULPS * max(1, lowering.size(rule) if rule else 1))
    off = referee.error(actual, mpmath.mpf(expected))
    if off > bound and math.isfinite(expected):
        largest = next(referee.largest_terms(rule, numbers)) if rule else 0
        off = referee.error(actual, mpmath.mpf(expected), max(largest, UNITS.get(operation.name, 0.0)))
    assert off <= bound, (operation, numbers, actual, expected)


# ---- The examples ----------------------------------------------------------------------------------------------------


_LISTS = """
k = 2; x = 0.3; w = [0.5, -1, 2]
u = sin(k*x)*exp(-x); h = tanh(w*x + 0.1); norms(v, W) = [norm(v), norm(matvec(W, v))]
D(u, x, 2) + k^2*u + sum(norms(h, [w, h, w])) + sum(i, 1, 3, i*w[i]^2) + D(sum(h), x)*prod(w) + max(softmax(h))
"""


@cache
def _examples(*, hessian: bool) -> list[Job]:
    """Each example, and a program with lists and derivatives inside, at its own numbers and around them."""
    chance = random.Random(1)
    jobs = []
    texts = {path.stem: path.read_text(encoding="utf-8") for path in EXPRESSIONS}
    for name, text in {**texts, "lists": _LISTS}.items():
        program = parse(text, name)
        evaluation = evaluate(program, {})
        own = [evaluation.values[evaluation.inputs[name]] for name in evaluation.wrt]
        near = [[a * (1 + chance.uniform(-0.1, 0.1)) for a in own] for _ in range(4)]
        jobs.append(Job(program, [own, *near], f"example_{name}", hessian))
    return jobs


@pytest.mark.slow
@every_target
def test_examples_answer_as_the_engine(target: str, tmp_path: Path) -> None:
    jobs = _examples(hessian=False)
    for job, answers in zip(jobs, exported.run(target, jobs, tmp_path), strict=True):
        bound = ULPS * exported.size(job.function)
        for point, actual in zip(job.points, answers, strict=True):
            evaluation = evaluate(job.program, dict(zip(job.function.inputs, point, strict=True)))
            expected = [evaluation.value, *evaluation.gradient.values()]
            for a, e, scale in zip(actual, expected, _scales(evaluation), strict=True):
                assert referee.error(a, mpmath.mpf(e), scale) <= bound, (job.name, point, a, e)


def _scales(evaluation: Evaluation) -> list[float]:
    """The size of the terms of the value and the gradient."""
    graph = evaluation.program.graph
    active, sizes = graph.dependent(evaluation.order, evaluation.inputs.values()), ContributionSizes(floats)
    output = evaluation.program.output
    adjoints = engine.backward(graph, evaluation.order, evaluation.values, output, active, sizes)
    largest = max(abs(evaluation.values[node]) for node in evaluation.order)
    return [largest, *(adjoints[evaluation.inputs[name]] or 0.0 for name in evaluation.gradient)]


@pytest.mark.slow
@every_target
def test_second_derivatives_are_differences_of_the_gradient(target: str, tmp_path: Path) -> None:
    jobs = [job for job in _examples(hessian=True) if len(job.function.inputs) < 8]
    for job, answers in zip(jobs, exported.run(target, jobs, tmp_path), strict=True):
        count = len(job.function.inputs)
        found = answers[1][1 + count :]
        true = _hessian(job.name)
        largest = max(map(abs, true))
        assert [float(a) for a in found] == pytest.approx([float(t) for t in true], rel=0, abs=1e-11 * float(largest))
        assert all(found[i * count + j] == found[j * count + i] for i in range(count) for j in range(count))


@cache
def _hessian(name: str) -> list[mpmath.mpf]:
    """The second derivatives at the second point, by differences of the gradient with 60 digits."""
    job = next(job for job in _examples(hessian=True) if job.name == name)
    evaluation = evaluate(job.program, dict(zip(job.function.inputs, job.points[1], strict=True)))
    exact, columns = Multiprecision(60), []
    step = exact.number("0.7390851e-20")
    for moved in job.function.inputs:
        right, left = (referee.precise_gradient(evaluation, exact, moved, move)[1] for move in (step, -step))
        columns.append([(a - b) / (2 * step) for a, b in zip(right, left, strict=True)])
    return [columns[j][i] for i in range(len(columns)) for j in range(len(columns))]
