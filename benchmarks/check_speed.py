"""The time of the gradient check.

    python benchmarks/check_speed.py

Ordinary formulas, a program with a thousand inputs of which each reaches about a hundred of ten thousand nodes, and a
program of a hundred thousand nodes. Times are of this machine; every verdict must be ok.
"""

from random import Random
from statistics import median
from time import perf_counter

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.gradient_check.checker import Checker
from autodiff_cli.program import Program

ORDINARY = (
    "a*b + c",
    "tanh(a*b + c)",
    "exp(-((a - 1)/b)^2)*sin(c)",
    "sqrt(a^2 + b^2 + c^2)/(1 + exp(-a))",
    "b*log(a/c) + (1 - b)*log1p(a*c)",
    "erf(a)*normcdf(b) - atan2(a, c)",
)


def many_inputs(inputs: int = 1000, group: int = 40, seed: int = 1) -> Program:
    """A sum of chains of operations, into each of which go some of the inputs."""
    random = Random(seed)
    lines, ends = [], []
    for chain in range(inputs // group):
        end = f"t{chain}"
        lines.append(f"{end} = 1 + 0")
        for number in range(group):
            for _ in range(2):
                step = random.choice(("sin({t}) + {x}", "tanh({t})*{x} + 0.1", "{t}/(2 + {x}^2) + 1"))
                lines.append(f"{end} = " + step.format(t=end, x=f"x{group * chain + number}"))
        ends.append(end)
    while len(ends) > 1:  # in pairs: each input then reaches the output through few nodes
        ends = [f"({a} + {b})" for a, b in zip(ends[::2], ends[1::2], strict=False)] + ends[len(ends) - len(ends) % 2 :]
    return parse("\n".join([*lines, ends[0]]))


def long_program(steps: int = 33_000) -> Program:
    """Three inputs that all nodes depend on."""
    return parse("t = x*y\n" + "t = t*0.99 + z\n" * steps)


def timed(program: Program, point: dict[str, float], wrt: list[str] | None = None) -> tuple[float, int, int]:
    """Seconds for the check, how many gradients it judged, and how many nodes they reach at the median."""
    start = perf_counter()
    checker = Checker(evaluate(program, point, wrt), seconds=60)
    verdicts = checker.all()
    seconds = perf_counter() - start
    assert {verdict.verdict for verdict in verdicts} == {"ok"}, verdicts
    reached = median(len(checker.dependents(node)) for _, node in checker.nodes() if node is not None)
    return seconds, len(verdicts), int(reached)


def main() -> None:
    """Measure and print."""
    for formula in ORDINARY:
        program = parse(formula)
        point = dict(zip("abc", (1.3, 0.7, 0.4), strict=True))
        best = min(timed(program, {name: point[name] for name in program.inputs})[0] for _ in range(5))
        print(f"{best / len(program.inputs) * 1e3:6.2f} ms for each input of {formula}")
    for program in (many_inputs(), long_program()):
        random = Random(2)
        point = {name: random.uniform(0.5, 1.5) for name in program.inputs}
        seconds, count, reached = timed(program, point)
        print(f"{seconds:6.1f} s for {count:,} inputs, {reached:,} nodes each, of {len(program.graph):,} nodes")


if __name__ == "__main__":
    main()
