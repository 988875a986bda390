"""Ten thousand small formulas, one a line: the whole command against libraries that read them with Python's parser."""

import json
import math
import random
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from each_peers import ANSWERS
from hot_spots import hot_spots
from measure import Run, attempt, autodiff, interleaved, python, reached, run, seconds, table

RATE = 10_000.0
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
    here = str(Path(__file__).parent / "each_peers.py")
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
