"""Linear scaling: time and peak memory per node for programs of ten thousand to a million nodes."""

import json
import math
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from measure import Run, autodiff, peak, python, run, seconds, table, verdict

SIZES = (10_000, 100_000, 1_000_000)
MEMORY_TARGET = 500
"""bytes per node of the largest program, above the peak of a bare interpreter"""
X = 0.75


@dataclass(frozen=True)
class Program:
    """A text with its number of nodes, its value at x = 0.75 and its derivative there."""

    text: str
    nodes: int
    value: float
    derivative: float


def chain(nodes: int) -> Program:
    """Return a long chain of named statements: `v2 = sin(v1) + x`."""
    count = nodes // 2
    value, derivative = X, 1.0
    for _ in range(count):
        value, derivative = math.sin(value) + X, math.cos(value) * derivative + 1
    statements = (f"v{number} = sin({f'v{number - 1}' if number > 1 else 'x'}) + x\n" for number in range(1, count + 1))
    return Program("".join(statements), 2 * count + 1, value, derivative)


def wide(nodes: int) -> Program:
    """Return a wide sum in one expression: `x*0.5 + x*1.5 + …`."""
    factors = [number % 7 + 0.5 for number in range(nodes // 3)]
    total = math.fsum(factors)
    return Program(" + ".join(f"x*{factor}" for factor in factors), 3 * len(factors), X * total, total)


def nested(nodes: int) -> Program:
    """Return one deep expression: `sin(sin(…sin(x)…))`."""
    value, derivative = X, 1.0
    for _ in range(nodes):
        value, derivative = math.sin(value), math.cos(value) * derivative
    return Program("sin(" * nodes + "x" + ")" * nodes, nodes + 1, value, derivative)


SHAPES: dict[str, Callable[[int], Program]] = {
    "chain of statements": chain,
    "wide sum": wide,
    "deep nesting": nested,
}


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    bare = [run(python("-c", "pass")) for _ in range(max(rounds, 3))]
    empty = [run(_command("x")) for _ in range(max(rounds, 3))]
    sizes = SIZES[:1] if small else SIZES
    rows: list[list[str]] = []
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for shape, make in SHAPES.items():
            for size in sizes:
                nodes, runs = _runs(make(size), Path(folder) / "program.expr", rounds)
                memory = (peak(runs) - peak(bare)) / nodes
                rows.append(_row(shape, nodes, runs, (seconds(runs) - seconds(empty)) / nodes, memory))
                worst = max(worst, memory) if size == sizes[-1] else worst
    header = ["shape", "nodes", "whole command", "time per node, start-up taken off", "peak", "peak per node"]
    about = f"A bare interpreter peaks at {_mebibytes(peak(bare))}; the peak per node is what exceeds it."
    largest = f"Bytes per node of the largest programs, at most: {verdict(worst, MEMORY_TARGET)}."
    return f"## Scaling\n\n{about}\n\n{table(header, rows)}\n\n{largest}"


def _runs(program: Program, file: Path, rounds: int) -> tuple[int, list[Run]]:
    """Write the program down, check its result, and run it."""
    file.write_text(program.text, encoding="utf-8")
    command = _command("-f", str(file))
    if program.nodes <= 2 * SIZES[0]:
        _check(program, json.loads(run([*command[:-1], "json"]).output))
    return program.nodes, [run(command) for _ in range(rounds)]


def _command(*formula: str) -> list[str]:
    return autodiff("eval", *formula, "--set", f"x={X}", "--format", "plain")


def _check(program: Program, result: dict[str, float | dict[str, float]]) -> None:
    gradient = result["gradient"]
    assert isinstance(gradient, dict)
    for found, true in ((result["value"], program.value), (gradient["x"], program.derivative)):
        if not (isinstance(found, float) and math.isclose(found, true, rel_tol=1e-9)):
            raise SystemExit(f"error: {program.text[:40]}… gives {found} instead of {true}")


def _row(shape: str, nodes: int, runs: list[Run], time: float, memory: float) -> list[str]:
    whole = f"{median(each.seconds for each in runs):.2f} s"
    return [shape, f"{nodes:,}", whole, f"{1e6 * time:.2f} µs", _mebibytes(peak(runs)), f"{memory:.0f} bytes"]


def _mebibytes(size: float) -> str:
    return f"{size / 2**20:.0f} MiB"
