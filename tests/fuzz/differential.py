"""Random programs computed in every way that there is; every answer must be within the documented bounds of the truth.

    python -m tests.fuzz.differential --cases 100000              all ways, in batches that are compiled together
    python -m tests.fuzz.differential --case 4711                 one case, with what each way answers

The truth is the same computation with 100 digits, or 700 among very large and very small numbers. What rounding may do
is found by computing with digits to spare and an error of the documented size in every operation, a few times at
random: an answer further from the truth than a few times the largest effect of that is a finding. Where an
intermediate result leaves the range of doubles, a way may answer anything; so where rounding leaves no digit, and where
it decides a choice, as in `1 + 1e-100 > 1`.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import copysign, inf, isfinite, isnan, nextafter
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import exported
import random_programs
from exported import Job
from random_programs import Case

from autodiff_cli import AutodiffError, engine, parse
from autodiff_cli.arithmetic.multiprecision import Multiprecision, with_digits
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.settled_series import series
from autodiff_cli.derivatives.taylor import nonfinite_error as taylor_error
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.many_formulas.formulas import FormulaLine, LineEvaluator
from autodiff_cli.operations import Operation
from autodiff_cli.program import Program
from autodiff_cli.transforms import derivative

TARGETS = ("c", "javascript", "python", "numpy", "rust", "fortran", "sql")
WAYS = ("point", "columns", "each", "diff", "taylor", "hessian", *TARGETS)
_BATCH = 100
_SECONDS = 3  # of processor time for the truth of a case
_EFFECTS = 6  # computations with errors
_MARGIN = 8.0
_ULPS = {"cbrt": 10, "gamma": 16, "factorial": 16, "lgamma": 16, "beta": 1e6}  # docs/numerics.md; 4 without an entry
_UNITS = {"lgamma", "digamma", "gamma", "factorial", "trigamma", "polygamma"}
"""operations whose errors are those of 1, where they are smaller: they pass through zero"""
_TURNING = {"gelu", "silu", "sinc"}
"""the same for derivatives"""
_STEPS = set("lt le gt ge eq ne not and or step sign floor ceil round trunc".split())  # noqa: SIM905  # one line
"""operations whose results are whole numbers"""
_SIGNED = {"atan2", "copysign", "div", "recip", "acot"}
_LARGEST, _SMALLEST = nextafter(inf, 0), 2.3e-308
Number = Any
Arguments = Sequence[Number]


class WithErrors:
    """An arithmetic in which every operation and every contribution has an error as large as documented."""

    def __init__(self, exact: Multiprecision, random: Random) -> None:
        self.exact, self.random, self.add = exact, random, exact.add

    def function(self, operation: Operation, count: int) -> Callable[..., Number]:
        """The operation, with an error."""
        function = self.exact.function(operation, count)
        if operation.chooses and operation.name != "mod":
            return function
        return lambda *arguments: self._off(operation, function(*arguments))

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Arguments]:
        """The contributions, each with an error: a third of an adjoint, at a tie of three, is rounded too."""
        pullback = self.exact.pullback(operation, count, wanted)
        least = operation.name in _TURNING
        return lambda adjoint, *numbers: [
            None if p is None else self._off(operation, p, least * abs(adjoint)) for p in pullback(adjoint, *numbers)
        ]

    def _off(self, operation: Operation, number: Number, least: Number = 0) -> Number:
        if not self.exact.context.isfinite(number):
            return number
        size = max(abs(number), 1 if operation.name in _UNITS else least)
        unit = size * 2.0**-52 * _ULPS.get(operation.name, 4)
        part = (
            self.exact.context.mpf(self.random.uniform(-1, 1)) * self.exact.context.e / 3
        )  # of all digits, and no period
        return number + part * unit


class WithPartials:
    """An arithmetic that keeps the partials that adjoints are multiplied by."""

    def __init__(self, exact: Multiprecision) -> None:
        self.function, self.add, self._exact = exact.function, exact.add, exact
        self.partials: list[Number] = []

    def pullback(self, operation: Operation, count: int, wanted: tuple[bool, ...]) -> Callable[..., Arguments]:
        """The contributions."""
        pullback = self._exact.pullback(operation, count, wanted)

        def contributions(adjoint: Number, *numbers: Number) -> Arguments:
            found = pullback(adjoint, *numbers)
            self.partials += [number / adjoint for number in found if number is not None and adjoint]
            return found

        return contributions


@dataclass
class Truth:
    """The truth at a point: the value, the derivative, and the distance that rounding may lead from them."""

    value: Number
    slope: Number
    value_error: Number
    slope_error: Number
    noise: Number
    """the error where numbers cancel in the truth itself"""
    inside: bool
    """every intermediate result, and every partial, is in the range of doubles"""
    same_choices: bool
    """doubles choose everywhere as all digits do, and rounding changes no choice"""
    has_signed_zero: bool
    """an operation that minds it has a zero with a minus, which numbers with many digits lack"""

    @property
    def certain(self) -> bool:
        """Whether rounding leaves some digits of the value and of the derivative."""
        return self.value_error <= 1e-3 * abs(self.value) and self.slope_error <= 1e-3 * abs(self.slope)


def truth(evaluation: Evaluation, name: str) -> Truth:
    """The truth for one partial derivative."""
    digits = _digits(evaluation)
    exact = with_digits(digits)
    plain = WithPartials(exact)
    value, slope, inside, choices = _computed(evaluation, name, exact, plain)
    errors = [_computed(evaluation, name, exact, WithErrors(exact, Random(k))) for k in range(_EFFECTS)]
    return Truth(
        value,
        slope,
        max((_apart(other, value) for other, *_ in errors), default=0),
        max((_apart(other, slope) for _, other, *_ in errors), default=0),
        exact.context.mpf(10) ** (20 - digits),
        inside and all(map(_in_range, plain.partials)),
        all(_same(choices, others) for others in (*_choices_of_doubles(evaluation), *[e[3] for e in errors])),
        _has_signed_zero(evaluation),
    )


def _has_signed_zero(evaluation: Evaluation) -> bool:
    graph, values = evaluation.program.graph, evaluation.values
    operands = (graph.arguments[node] for node in evaluation.order if graph.operations[node].name in _SIGNED)
    return any(values[node] == 0 and copysign(1, values[node]) < 0 for nodes in operands for node in nodes)


def _choices(evaluation: Evaluation, values: Sequence[Number]) -> list[Number]:
    """The results that are whole numbers, whose slopes are 0."""
    graph = evaluation.program.graph
    return [values[node] for node in evaluation.order if graph.operations[node].name in _STEPS]


def _choices_of_doubles(evaluation: Evaluation) -> Iterator[list[Number]]:
    """As they are made by the evaluation, and by the nearest double of every result."""
    yield _choices(evaluation, evaluation.values)
    nearest = with_digits(15)  # 53 bits
    values: list[Number] = [nearest.number(number) for number in evaluation.values]
    engine.forward(evaluation.program.graph, evaluation.order, values, nearest)
    yield _choices(evaluation, values)


def _same(choices: Sequence[Number], others: Sequence[Number]) -> bool:
    """Whether choices are the same; whether it is nan decides nothing."""
    return all(a == b or a != a for a, b in zip(choices, others, strict=True))


def _digits(evaluation: Evaluation) -> int:
    """As many as differences of very large or very small numbers need."""
    sizes = [abs(evaluation.values[node]) for node in evaluation.order]
    return 100 if all(size == 0 or 1e-30 < size < 1e30 for size in sizes) else 700


def _computed(
    evaluation: Evaluation, name: str, exact: Multiprecision, arithmetic: Any
) -> tuple[Number, Number, bool, list[Number]]:
    """The value, the slope, whether all results are in the range of doubles, and the choices."""
    graph, context = evaluation.program.graph, exact.context
    values: list[Number] = [exact.number(number) for number in evaluation.values]
    engine.forward(graph, evaluation.order, values, arithmetic)
    node, output = evaluation.inputs[name], evaluation.program.output
    active = graph.dependent(evaluation.order, [node])
    adjoints = engine.backward(graph, evaluation.order, values, output, active, arithmetic, context.one)
    slope = context.zero if adjoints[node] is None else adjoints[node]
    numbers = [values[i] for i in evaluation.order] + [number for number in adjoints if number is not None]
    return values[evaluation.program.output], slope, all(map(_in_range, numbers)), _choices(evaluation, values)


def _in_range(number: Number) -> bool:
    return bool(number == 0 or _SMALLEST <= abs(number) <= _LARGEST)


def _apart(a: Number, b: Number) -> Number:
    """The distance; none between two that are not finite alike, infinite between one that is not and one that is."""
    if a != a or b != b or abs(a) == inf or abs(b) == inf:
        return 0 if a == b or (a != a and b != b) else inf
    return abs(a - b)


# ---- The ways --------------------------------------------------------------------------------------------------------


@dataclass
class Subject:
    """A case with its truth."""

    number: int
    case: Case
    program: Program
    evaluation: Evaluation
    truth: Truth

    @property
    def point(self) -> dict[str, float]:
        return {name: self.case.point[name] for name in self.program.inputs}


Answer = tuple[float | None, float | None]
"""a value and a derivative; None for what a way does not answer"""


def _point(subject: Subject) -> Answer:
    return subject.evaluation.value, subject.evaluation.gradient[subject.case.wrt]


def _columns(subject: Subject) -> Answer | str:
    import numpy

    from autodiff_cli.many_points.python_arrays import at_points

    columns = {name: numpy.full(3, number) for name, number in subject.point.items()}
    found = at_points(subject.program, columns, [subject.case.wrt])
    value, slope = float(found.value[1]), float(found.gradient[subject.case.wrt][1])
    if isfinite(value) and not isfinite(slope) and not all(map(_in_range, _tangents(subject))):
        return "out of the range of doubles on the way forward"
    return value, slope


def _tangents(subject: Subject) -> list[Number]:
    """The slopes of all intermediate results, by which columns compute few derivatives."""
    node = subject.evaluation.inputs[subject.case.wrt]
    moving = series(subject.evaluation, {node: 1.0}, 1, with_digits(_digits(subject.evaluation)))
    return [line.coefficients[1] for line in moving if line is not None and len(line.coefficients) > 1]


def _each(subject: Subject) -> Answer:
    line = FormulaLine(1, subject.case.formula.encode())
    ((answer,),) = LineEvaluator(subject.point, [subject.case.wrt]).answers([line])
    if answer.error is not None:
        raise answer.error
    assert answer.evaluation is not None
    return answer.evaluation.value, answer.evaluation.gradient[subject.case.wrt]


def _diff(subject: Subject) -> Answer | str:
    """The formula that `diff` prints, read again and computed with many digits: it is the same function."""
    formula = parse(differentiate(subject.program, [subject.case.wrt]).text)
    evaluation = evaluate(formula, {name: subject.case.point[name] for name in formula.inputs}, ())
    exact = with_digits(_digits(subject.evaluation))
    slope = _value(evaluation, exact, "pi" in subject.case.formula)
    if slope != slope and _lacks_convention(subject.evaluation):
        return "0 times the logarithm of 0, hypot at the origin or a zero of beta, as docs/derivatives.md says"
    off = _apart(slope, subject.truth.slope)
    if off > _MARGIN * subject.truth.slope_error:
        others = [_value(evaluation, exact, True, Random(k)) for k in range(_EFFECTS)]
        if off <= _MARGIN * max(_apart(other, slope) for other in others):
            return "the numbers of the formula are doubles"
    return None, slope


def _value(evaluation: Evaluation, exact: Multiprecision, is_double: bool, random: Random | None = None) -> Number:
    """The output with many digits; named constants are doubles or exact, and `random` rounds otherwise."""
    graph = evaluation.program.graph
    values: list[Number] = [exact.number(number) for number in evaluation.values]
    for node, number in graph.numbers.items():
        if not is_double:
            values[node] = exact.constant(number, graph.labels.get(node))
        if random:
            values[node] *= 1 + exact.context.mpf(random.uniform(-1, 1)) * 2.0**-53
    engine.forward(graph, evaluation.order, values, exact)
    return values[evaluation.program.output]


def _lacks_convention(evaluation: Evaluation) -> bool:
    """Whether the gradient has a slope by convention that a printed formula lacks."""
    graph, values = evaluation.program.graph, evaluation.values
    for node in evaluation.order:
        name = graph.operations[node].name
        if name == "beta" and values[node] == 0:
            return True
        place = node if name == "hypot" else graph.arguments[node][0] if name in ("pow", "nthroot") else None
        if place is not None and values[place] == 0:
            return True
    return False


def _taylor(subject: Subject) -> Answer:
    evaluation = evaluate(subject.program, subject.point, [subject.case.wrt])
    found = taylor(evaluation, 1)
    value, slope = found.derivatives
    if isnan(slope) and (error := taylor_error(evaluation, found)):
        raise error
    return value, slope


def _hessian(subject: Subject) -> Answer | str:
    """The second derivative, against that of the Taylor series, which has as many digits as it takes."""
    evaluation = evaluate(subject.program, subject.point, [subject.case.wrt])
    ((second,),) = hessian(evaluation).matrix
    value, slope, true = taylor(evaluation, 2).derivatives
    x = abs(subject.case.point[subject.case.wrt]) or 1.0
    lost = subject.truth.slope_error / (abs(subject.truth.slope) + _SMALLEST)  # the errors of a slope, twice
    size = max(abs(true), abs(slope), abs(slope / x), abs(value / x / x))
    off = _apart(second, true)
    if not isfinite(second) or off <= (1e-8 + 100 * lost) * size + _SMALLEST:
        return None, None
    rounding = _truth_of_derivative(subject)
    if not rounding.inside:
        return "out of the range of doubles on the way"
    return (None, None) if off <= _MARGIN * rounding.slope_error else f"wrong: second derivative {second}, not {true}"


def _truth_of_derivative(subject: Subject) -> Truth:
    """The truth for the slope of the derivative's graph."""
    program, name = subject.program, subject.case.wrt
    graph = program.graph.cut([])
    (slope,) = derivative(graph, program.output, [program.inputs[name]])
    return truth(evaluate(replace(program, graph=graph, output=slope), subject.point, [name]), name)


_HERE: dict[str, Callable[[Subject], Answer | str]] = {
    "point": _point,
    "columns": _columns,
    "each": _each,
    "diff": _diff,
    "taylor": _taylor,
    "hessian": _hessian,
}


def _answers(way: str, subjects: Sequence[Subject], folder: Path) -> Iterator[tuple[Subject, Answer | str]]:
    """The answer of a way for each subject; a text where it gives an error."""
    if way in _HERE:
        for subject in subjects:
            try:
                yield subject, _HERE[way](subject)
            except AutodiffError as error:
                yield subject, f"{error.code}: {error.message}"
        return
    try:
        yield from _exported(way, subjects, folder)
    except (ArithmeticError, AssertionError, ValueError) as error:
        if len(subjects) == 1:
            yield subjects[0], f"2: {error}"
        else:  # find out which of them does not compile
            half = len(subjects) // 2
            yield from _answers(way, subjects[:half], folder)
            yield from _answers(way, subjects[half:], folder)


def _exported(way: str, subjects: Sequence[Subject], folder: Path) -> Iterator[tuple[Subject, Answer | str]]:
    """The answers of code in another language. Raises AssertionError where it does not compile."""
    jobs = [Job(subject.program, [[*subject.point.values()]], f"case_{subject.number}") for subject in subjects]
    for subject, job, (row,) in zip(subjects, jobs, exported.run(way, jobs, folder), strict=True):
        places = list(job.function.inputs)
        yield subject, (row[0], row[1 + places.index(subject.case.wrt)] if subject.case.wrt in places else None)


# ---- Judging ---------------------------------------------------------------------------------------------------------


def verdict(subject: Subject, answer: Answer | str) -> str:
    """`right`, an explanation, or what is wrong."""
    true = subject.truth
    if isinstance(answer, str) and answer[0] in "13":
        return "an error that says why"
    if not true.inside:
        return "out of the range of doubles on the way"
    if not true.same_choices:
        return "rounding decides a choice"
    if true.has_signed_zero:
        return "the sign of a zero decides"
    if isinstance(answer, str):
        return answer if true.certain else "no digit is certain"
    for given, number, error in (
        (answer[0], true.value, true.value_error),
        (answer[1], true.slope, true.slope_error),
    ):
        if given is None:
            continue
        if error > 1e-3 * abs(number) or error != error:
            return "no digit is certain"
        if _apart(given, number) > _MARGIN * error + 4 * _SMALLEST + true.noise:
            return f"wrong: {given} in place of {number}, with an error of {error}"
    return "right"


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def subject(seed: int, number: int) -> Subject | str:
    """The case of that number with its truth, or why there is none."""
    case = random_programs.case(seed, number)
    try:
        with _within(_SECONDS):
            program = parse(case.formula)
            if case.wrt not in program.inputs:
                return "does not depend on its input"
            evaluation = evaluate(program, {name: case.point[name] for name in program.inputs})
            if not isfinite(evaluation.value) or not isfinite(evaluation.gradient[case.wrt]):
                return "not finite"
            return Subject(number, case, program, evaluation, truth(evaluation, case.wrt))
    except AutodiffError as error:
        return f"error {error.code}"
    except TimeoutError:
        return "the truth takes too long"


def run(seed: int, cases: int, ways: Sequence[str], start: int = 0) -> tuple[dict[str, Counter[str]], int]:
    """Run the cases in batches; the verdicts of each way, and how many findings were shown."""
    tallies = {way: Counter[str]() for way in ("all", *ways)}
    findings = 0
    with tempfile.TemporaryDirectory() as folder:
        for first in range(start, start + cases, _BATCH):
            drawn = [subject(seed, number) for number in range(first, min(first + _BATCH, start + cases))]
            subjects = [each for each in drawn if isinstance(each, Subject)]
            tallies["all"].update(each if isinstance(each, str) else "compared" for each in drawn)
            for way in ways if subjects else ():
                for each, answer in _answers(way, subjects, Path(folder)):
                    said = verdict(each, answer)
                    if way in TARGETS and answer[1] != answer[1] and 0 in each.evaluation.adjoints:
                        said = "nan where an adjoint of 0 may meet an infinite partial, as docs/export.md says"
                    tallies[way][said.partition(":")[0]] += 1
                    if ":" in said:
                        findings += 1
                        print(
                            f"FOUND {way}, case {each.number}: {each.case.formula} by {each.case.wrt} at {each.point}"
                        )
                        print(f"  {said}", flush=True)
    return tallies, findings


def main() -> int:
    """Run as many cases as asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.differential", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first case")
    parser.add_argument("--ways", default=",".join(WAYS), help="some of the ways, separated by commas")
    parser.add_argument("--case", type=int, help="run one case alone")
    arguments = parser.parse_args()
    ways = arguments.ways.split(",")
    first, count = (arguments.start, arguments.cases) if arguments.case is None else (arguments.case, 1)
    begun = time.monotonic()
    tallies, findings = run(arguments.seed, count, ways, first)
    for way, tally in tallies.items():
        print(f"{way:10}", ", ".join(f"{said} {number:,}" for said, number in tally.most_common()))
    print(f"{count:,} cases, {count / (time.monotonic() - begun):.1f} a second, {findings} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
