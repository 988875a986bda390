"""Ten thousand small formulas, one a line: the whole command against libraries that read them with Python's parser.

    python benchmarks/each.py PyTorch formulas.txt --lines 1000 --point '{"a": 1.0}'

times one library and prints a JSON object: `seconds` of the loop over the lines, `results` with the value and the
gradient of each.
"""

import argparse
import json
import math
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from measure import Run, attempt, autodiff, hot_spots, interleaved, python, reached, run, seconds, table

RATE = 20_000.0
"""formulas a second"""
SYMPY_TARGET = 100.0
LINES = 10_000
SHARES = {"SymPy": 50, "JAX": 50}
"""peer → the part of the lines that it is given"""
POINT = {"a": 0.75, "b": 1.25, "c": 0.6, "d": 1.4, "e": 0.9}
TOLERANCE = 1e-9


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    lines = LINES // 5 if small else LINES
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "formulas.txt"
        file.write_text("\n".join(formulas(lines)) + "\n", encoding="utf-8")
        return _measured(file, lines, rounds)


def formulas(count: int) -> list[str]:
    """Different formulas of five inputs with six operations, such as `sin(a*c - d)/(b + tanh(e))`."""
    draw = random.Random(6)
    found: dict[str, None] = {}
    while len(found) < count:
        parts = draw.sample(list(POINT), len(POINT))
        steps = ["binary"] * 4 + ["unary"] * 2
        draw.shuffle(steps)
        for step in steps:
            place = draw.randrange(len(parts))
            if step == "unary" or len(parts) == 1:
                parts[place] = f"{draw.choice(('sin', 'cos', 'tanh', 'exp'))}({parts[place]})"
            else:
                left = parts.pop(place)
                right = parts.pop(draw.randrange(len(parts)))
                parts.append(f"({left} {draw.choice('+-*/')} {right})")
        if len(parts) == 1 and _ordinary(parts[0]):
            found[parts[0]] = None
    return list(found)


def _ordinary(text: str) -> bool:
    """Whether the value is a number of ordinary size."""
    try:
        return abs(eval(text, {**vars(math), **POINT})) < 1000  # `text` is made here
    except (OverflowError, ZeroDivisionError):
        return False


def _measured(file: Path, lines: int, rounds: int) -> str:
    settings = [f"{name}={number}" for name, number in POINT.items()]
    ours = autodiff("eval", "--each", "-f", str(file), "--format", "json", "--set", *settings)
    peers = {name: _peer(name, file, lines) for name, (_, package) in ANSWERS.items() if find_spec(package)}
    answers = [json.loads(line) for line in run(ours).output.splitlines()]
    for name, command in list(peers.items()):
        done = attempt(command)
        if isinstance(done, str):
            print(f"{name} {done}", file=sys.stderr)
            del peers[name]
        else:
            _check(name, answers, json.loads(done.output)["results"])
    runs = interleaved({"autodiff": ours, **peers}, rounds, cores=1)
    rates = {"autodiff": lines / seconds(runs["autodiff"])}
    rates |= {name: _rate(runs[name]) for name in peers}
    about = (
        f"{lines:,} formulas of six operations and five inputs, such as `{formulas(1)[0]}`; the value and the gradient "
        "of each, on one core. Ours is the whole command, from the file to JSON; of the others only the loop over the "
        f"lines is timed, and {' and '.join(SHARES)} have fewer lines."
    )
    order = sorted(rates, key=lambda name: -rates[name])
    rows = [[_title(name), f"{rates[name]:,.0f}", f"{rates['autodiff'] / rates[name]:.1f}"] for name in order]
    parts = [f"## Each line a formula\n\n{about}", table(["", "formulas a second", "ours is × as fast"], rows)]
    verdicts = _verdicts(rates)
    profile = [hot_spots(ours[ours.index("eval") :])] if "missed" in verdicts else []
    return "\n\n".join([*parts, verdicts, *profile])


def _title(name: str) -> str:
    return "`autodiff eval --each`" if name == "autodiff" else name


def _verdicts(rates: dict[str, float]) -> str:
    missing = [name for name in ANSWERS if name not in rates]
    lines = [f"- Formulas a second: {reached(rates['autodiff'], RATE)}."]
    for name in ANSWERS:
        if name in rates:
            target = SYMPY_TARGET if name == "SymPy" else 1.0
            lines.append(f"- Ahead of {name}: {reached(rates['autodiff'] / rates[name], target)}.")
    return "\n".join([*lines, *([f"- Not installed, or failing: {', '.join(missing)}."] if missing else [])])


def _peer(name: str, file: Path, lines: int) -> list[str]:
    count = max(lines // SHARES.get(name, 1), 20)
    here = str(Path(__file__).parent / "each.py")
    return python(here, name, str(file), "--lines", str(count), "--point", json.dumps(POINT))


def _rate(runs: list[Run]) -> float:
    found = [json.loads(each.output) for each in runs]
    return median(len(each["results"]) / each["seconds"] for each in found)


def _check(name: str, ours: list[Any], theirs: list[list[float]]) -> None:
    """Compare value and gradient, relative to the largest of a formula's numbers."""
    for answer, numbers in zip(ours, theirs, strict=False):
        mine = [answer["value"], *[answer["gradient"][variable] for variable in POINT]]
        scale = max(map(abs, mine))
        if not all(abs(a - b) <= TOLERANCE * scale for a, b in zip(mine, numbers, strict=True)):
            raise SystemExit(f"error: {name} gives {numbers} on line {answer['line']}, ours are {mine}")


Answer = Callable[[str], list[float]]
"""text → value and gradient"""
Point = Mapping[str, float]


def pytorch(point: Point) -> Answer:
    """Use one tensor for each input, and `torch.autograd.grad`."""
    torch, functions = import_module("torch"), _functions("pytorch")
    torch.set_num_threads(1)

    def answer(text: str) -> list[float]:
        tensors = {name: torch.tensor(x, dtype=torch.float64, requires_grad=True) for name, x in point.items()}
        value = _value(text, functions, tensors)
        return [float(value), *map(float, torch.autograd.grad(value, list(tensors.values())))]

    return answer


def jax(point: Point) -> Answer:
    """Use `value_and_grad` without `jit`, which would compile every formula for one use."""
    return _of_function(import_module("jax").value_and_grad, _functions("jax"), point)


def autograd(point: Point) -> Answer:
    """Use `value_and_grad` with respect to all inputs."""
    return _of_function(import_module("autograd").value_and_grad, _functions("autograd"), point)


def casadi(point: Point) -> Answer:
    """Use a `Function` of SX symbols for each formula."""
    ca, functions = import_module("casadi"), _functions("casadi")
    symbols = {name: ca.SX.sym(name) for name in point}
    variables, numbers = ca.vertcat(*symbols.values()), list(point.values())

    def answer(text: str) -> list[float]:
        value = _value(text, functions, symbols)
        function = ca.Function("formula", [variables], [value, ca.gradient(value, variables)])
        result, gradient = function(numbers)
        return [float(result), *map(float, gradient.full().ravel())]

    return answer


def sympy(point: Point) -> Answer:
    """Use `diff` and numerical evaluation."""
    library = import_module("sympy")
    functions = {name: getattr(library, name) for name in ("sin", "cos", "tanh", "exp")}
    symbols = {name: library.Symbol(name, real=True) for name in point}
    numbers = {symbols[name]: x for name, x in point.items()}

    def answer(text: str) -> list[float]:
        value = _value(text, functions, symbols)
        return [float(formula.evalf(subs=numbers)) for formula in (value, *map(value.diff, symbols.values()))]

    return answer


def _of_function(differentiated: Any, functions: Any, point: Point) -> Answer:
    head, numbers, places = f"lambda {', '.join(point)}: ", list(point.values()), tuple(range(len(point)))

    def answer(text: str) -> list[float]:
        value, gradient = differentiated(eval(head + text, functions), places)(*numbers)
        return [float(value), *map(float, gradient)]

    return answer


def _value(text: str, functions: Any, variables: Mapping[str, Any]) -> Any:
    return eval(text, functions, variables)


def _functions(library: str) -> dict[str, Any]:
    return dict(getattr(import_module("libraries"), library)().functions)


ANSWERS: dict[str, tuple[Callable[[Point], Answer], str]] = {
    "PyTorch": (pytorch, "torch"),
    "autograd": (autograd, "autograd"),
    "CasADi": (casadi, "casadi"),
    "SymPy": (sympy, "sympy"),
    "JAX": (jax, "jax"),
}
"""name → its use, and the package that it is"""


def main() -> None:
    """Answer one line to warm up, then time them all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("library", choices=ANSWERS)
    parser.add_argument("file")
    parser.add_argument("--lines", type=int, required=True)
    parser.add_argument("--point", type=json.loads, required=True)
    arguments = parser.parse_args()
    answer = ANSWERS[arguments.library][0](arguments.point)
    with open(arguments.file, encoding="utf-8") as lines:
        texts = list(islice(lines, arguments.lines))
    answer(texts[0])
    start = time.perf_counter()
    results = [answer(text) for text in texts]
    print(json.dumps({"seconds": time.perf_counter() - start, "results": results}))


if __name__ == "__main__":
    main()
