"""Formulas that other people wrote: value and gradient at their points, against numbers of 20 digits.

They lie beside the project, at ../shared/corpora; without them these tests are skipped.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import mpmath
import pytest
import referee
from places import corpus, records

from autodiff_cli import engine, parse
from autodiff_cli.arithmetic import floats
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.program import Program
from autodiff_cli.transforms import derivative

Number = Any

EXACT = 60
CLOSE = 1e-9
NEAR_DOUBLE = (14, 15, 16, 17, 18)
"""numbers of digits around those of a double"""

NIST_PROBLEMS = """
Bennett5 BoxBOD Chwirut1 Chwirut2 DanWood ENSO Eckerle4 Gauss1 Gauss2 Gauss3 Hahn1 Kirby2 Lanczos1 Lanczos2 Lanczos3
MGH09 MGH10 MGH17 Misra1a Misra1b Misra1c Misra1d Nelson Rat42 Rat43 Roszman1 Thurber
""".split()  # noqa: SIM905  # a list would have a line for each


# ---- How close is close ----------------------------------------------------------------------------------------------


def _check(program: Program, at: Mapping[str, float], value: str, gradient: Mapping[str, str]) -> None:
    """The value within 1e-9 of itself, the gradient within 1e-9 of its largest entry.

    Where the formula itself loses more digits than that, the same sweeps with 60 digits must be as close, and doubles
    no further off than about as many digits would be.
    """
    evaluation = evaluate(program, at, list(gradient))
    expected = [mpmath.mpf(text) for text in (value, *gradient.values())]
    scales = [abs(expected[0]), *[max(map(abs, expected[1:]), default=0)] * len(gradient)]
    actual = [evaluation.value, *evaluation.gradient.values()]
    if not _all_close(actual, expected, [CLOSE * scale for scale in scales]):
        assert _all_close(_sweeps(evaluation, EXACT), expected, [CLOSE * scale for scale in scales])
        assert _all_close(actual, expected, [100 * loss for loss in _losses(evaluation, expected)])


def _all_close(actual: Sequence[Number], expected: Sequence[Number], tolerances: Sequence[Number]) -> bool:
    return all(abs(a - e) <= t for a, e, t in zip(actual, expected, tolerances, strict=True))


def _losses(evaluation: Evaluation, expected: Sequence[Number]) -> list[Number]:
    """The error of the same sweeps with about as many digits as doubles have: the worst of a few, for 16 digits."""
    attempts = [
        [
            abs(a - e) * mpmath.mpf(10) ** (digits - 16)
            for a, e in zip(_sweeps(evaluation, digits), expected, strict=True)
        ]
        for digits in NEAR_DOUBLE
    ]
    return [max(column) for column in zip(*attempts, strict=True)]


def _sweeps(evaluation: Evaluation, digits: int) -> list[Number]:
    """The value and the gradient of the same graph with so many digits, from the same doubles and the exact pi."""
    value, gradient = referee.precise_gradient(evaluation, Multiprecision(digits))
    return [*map(mpmath.mpf, (value, *gradient))]


# ---- The formulas ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["feynman.jsonl", "adbench.jsonl"])
def test_values_and_gradients(name: str) -> None:
    for record in records(name):
        _check(parse(record["text"], record["id"]), record["at"], record["value"], record["grad"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["feynman.jsonl", "adbench.jsonl"])
def test_derivative_graphs_give_gradients_as_close_as_the_sweeps(name: str) -> None:
    for record in records(name):
        evaluation = evaluate(parse(record["text"], record["id"]), record["at"])
        graph = evaluation.program.graph
        nodes = [evaluation.inputs[name] for name in evaluation.wrt]
        slopes = derivative(graph, evaluation.program.output, nodes)
        values = [*evaluation.values, *(graph.numbers.get(i, 0.0) for i in range(len(evaluation.values), len(graph)))]
        engine.forward(graph, graph.needed(slopes), values, floats)
        expected = [float(record["grad"][name]) for name in evaluation.wrt]
        near = CLOSE * max(map(abs, expected), default=0)
        tolerances = [max(near, 2 * abs(evaluation.gradient[n] - float(record["grad"][n]))) for n in evaluation.wrt]
        assert _all_close([values[slope] for slope in slopes], expected, tolerances), record["id"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NIST_PROBLEMS)
def test_sums_of_squares_at_both_starts_and_at_the_certified_point(name: str) -> None:
    problem = next(record for record in records("nist_strd.jsonl") if record["name"] == name)
    program = parse(corpus(f"nist_strd_sse/{name}.expr"))
    for place in ("start1", "start2", "certified"):
        at = {name: float(text) for name, text in problem[place].items()}
        expected = problem[f"sse_{place}"]
        _check(program, at, expected["value"], expected["grad"])


def test_derivatives_that_peers_expect() -> None:
    for record in records("peer_derivatives.jsonl"):
        text, derivative = (record[key].replace("nthRoot", "nthroot") for key in ("text", "expected_derivative"))
        gradient = {record["wrt"]: record["derivative"]}
        _check(parse(text, record["id"]), record["at"], record["value"], gradient)
        peers = evaluate(parse(derivative, record["id"]), record["at"], []).value
        assert peers == pytest.approx(float(record["derivative"]), rel=CLOSE, abs=0), record["id"]


# ---- An image of 7,866 statements ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (-0.7, 0.35), (0.123, -0.456), (0.9, 0.9), (-0.31, -0.88)])
def test_prospero_agrees_with_an_evaluation_line_by_line(x: float, y: float) -> None:
    evaluation = evaluate(_prospero(), {"x": x, "y": y})
    a, b, h = mpmath.mpf(x), mpmath.mpf(y), mpmath.mpf("1e-20")
    with mpmath.workdps(60):
        slopes = {
            "x": (_line_by_line(a + h, b) - _line_by_line(a - h, b)) / (2 * h),
            "y": (_line_by_line(a, b + h) - _line_by_line(a, b - h)) / (2 * h),
        }
        assert evaluation.value == pytest.approx(float(_line_by_line(a, b)), rel=CLOSE)
    scale = float(max(map(abs, slopes.values())))
    for name, slope in slopes.items():
        assert abs(evaluation.gradient.get(name, 0.0) - slope) <= CLOSE * scale


@cache
def _prospero() -> Program:
    return parse(corpus("prospero.expr"))


def _line_by_line(x: Number, y: Number) -> Number:
    """The last value of lines that hold one operation each, read by nothing but their words."""
    known = {"x": x, "y": y}
    for line in corpus("prospero.expr").splitlines():
        name, expression = line.split(" = ")
        known[name] = _operation(re.split(r"[ (),]+", expression.strip(")")), known)
    return known[name]


def _operation(words: list[str], known: Mapping[str, Number]) -> Number:
    def number(word: str) -> Number:
        return known[word] if word in known else mpmath.mpf(float(word))

    match words:
        case ["sqrt", a]:
            return mpmath.sqrt(number(a))
        case ["max" | "min" as choice, a, b]:
            return max(number(a), number(b)) if choice == "max" else min(number(a), number(b))
        case [a, sign, b]:
            operations = {"+": mpmath.fadd, "-": mpmath.fsub, "*": mpmath.fmul, "^": mpmath.power}
            return operations[sign](number(a), number(b))
        case [a] if a.startswith("-_"):
            return -number(a[1:])
    return number(words[0])
