"""A large program: the whole command on a Gaussian mixture against micrograd on the same graph.

The command reads 26,000 statements, checks their names, evaluates, differentiates and prints; micrograd, with `exp` and
`log` added, is handed a flat list of operations and merely builds its graph and runs `backward()`. The formulas are in
the corpora, which are optional.

    python benchmarks/large_program.py PROGRAM.expr INPUTS.json

times micrograd and prints a JSON object: `seconds`, `value`, `gradient`, `nodes`.
"""

import ast
import json
import math
import operator
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from measure import CORPORA, autodiff, interleaved, python, run, seconds, table, verdict

TARGET = 3.0
PROGRAM, RECORDS, RECORD = CORPORA / "gmm_d2_K5_n1000.expr", CORPORA / "adbench.jsonl", "gmm-d2-K5-n1000"
TOLERANCE = 1e-9
"""relative, of value and gradient, to the largest of the gradient's entries"""


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    heading = "## A large program\n\n"
    if not (PROGRAM.exists() and RECORDS.exists()):
        return f"{heading}Skipped: `{PROGRAM.name}` and `{RECORDS.name}` are not there."
    if not find_spec("micrograd"):
        return f"{heading}Skipped: `micrograd` is not installed."
    with tempfile.TemporaryDirectory() as folder:
        return heading + _measured(Path(folder), rounds)


def _measured(folder: Path, rounds: int) -> str:
    record = _record()
    inputs = folder / "inputs.json"
    inputs.write_text(json.dumps(record["at"]), encoding="utf-8")
    ours = ("eval", "-f", str(PROGRAM), "--inputs", str(inputs))
    peer = python(str(Path(__file__).parent / "large_program.py"), str(PROGRAM), str(inputs))
    result = json.loads(run(autodiff(*ours, "--format", "json")).output)
    reference = json.loads(run(peer).output)
    _check("autodiff", result, record)
    _check("micrograd", reference, record)

    runs = interleaved({"ours": autodiff(*ours, "--format", "plain"), "peer": peer}, rounds)
    command = seconds(runs["ours"])
    micrograd = median(json.loads(each.output)["seconds"] for each in runs["peer"])
    about = f"{PROGRAM.name}: {len(result['nodes']):,} nodes, {len(record['at'])} inputs."
    note = f"micrograd's graph has {reference['nodes']:,}, as it writes a - b as a + b*(-1)."
    rows = [
        [f"`autodiff eval -f {PROGRAM.name} --inputs … --format plain`, whole command", f"{command:.2f} s"],
        ["micrograd with `exp` and `log`, build and backward alone", f"{micrograd:.2f} s"],
        [f"**ratio** (target {TARGET:g})", verdict(command / micrograd, TARGET)],
    ]
    return f"{about} {note}\n\n{table(['', 'median'], rows)}"


def _record() -> Mapping[str, Any]:
    with RECORDS.open(encoding="utf-8") as lines:
        records = (json.loads(line) for line in lines)
        return next(record for record in records if record["id"] == RECORD)


def _check(name: str, result: Mapping[str, Any], record: Mapping[str, Any]) -> None:
    """Compare value and gradient with the record's, which were found with 60 digits and no rule of differentiation."""
    true = {name: float(text) for name, text in record["grad"].items()}
    scale = max(abs(number) for number in true.values())
    worst = max(abs(result["gradient"][name] - true[name]) for name in true) / scale
    value = float(record["value"])
    if not (worst <= TOLERANCE and abs(result["value"] - value) <= TOLERANCE * abs(value)):
        raise SystemExit(f"error: {name} is off by {worst:.1e} in the gradient, its value is {result['value']}")


@cache
def value_type() -> Any:
    """Micrograd's `Value`."""
    return import_module("micrograd.engine").Value


Leaf = str | float
"""the name of an input, or a constant"""
Step = tuple[Callable[[Any, Any], Any], int, int]
"""a function and the places of its two arguments; one with a single argument gets it twice"""


def exp(a: Any, _: Any) -> Any:
    """Return e to the power `a`, written as micrograd writes its `relu`."""
    if not isinstance(a, value_type()):
        return math.exp(a)
    out = value_type()(math.exp(a.data), (a,), "exp")

    def _backward() -> None:
        a.grad += out.data * out.grad

    out._backward = _backward
    return out


def log(a: Any, _: Any) -> Any:
    """Return the natural logarithm of `a`, written as micrograd writes its `relu`."""
    if not isinstance(a, value_type()):
        return math.log(a)
    out = value_type()(math.log(a.data), (a,), "log")

    def _backward() -> None:
        a.grad += out.grad / a.data

    out._backward = _backward
    return out


OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
FUNCTIONS = {"exp": exp, "log": log}
CONSTANTS = {"pi": math.pi, "e": math.e}


class Compiler(ast.NodeVisitor):
    """Turn statements into leaves and steps; leaf k has the place -1 - k, step k the place k."""

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.steps: list[Step] = []
        self.places: dict[str, int] = {}

    def visit_Module(self, node: ast.Module) -> int:
        """Compile every statement and return the place of the last one's value."""
        place = 0
        for statement in node.body:
            assert isinstance(statement, ast.Assign | ast.Expr)
            place = self.visit(statement.value)
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.places[statement.targets[0].id] = place
        return place

    def visit_Name(self, node: ast.Name) -> int:
        """Return the place of a named value; a name that is not known yet is an input."""
        if node.id not in self.places:
            self.places[node.id] = self._leaf(CONSTANTS.get(node.id, node.id))
        return self.places[node.id]

    def visit_Constant(self, node: ast.Constant) -> int:
        """Add a constant: an exponent stays a whole number where it is one."""
        assert isinstance(node.value, int | float)
        return self._leaf(node.value)

    def visit_BinOp(self, node: ast.BinOp) -> int:
        """Add an operation on two values."""
        function = operator.pow if isinstance(node.op, ast.Pow) else OPERATORS[type(node.op)]
        return self._step(function, self.visit(node.left), self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> int:
        """Add a negation."""
        assert isinstance(node.op, ast.USub)
        place = self.visit(node.operand)
        return self._step(lambda a, _: -a, place, place)

    def visit_Call(self, node: ast.Call) -> int:
        """Add a call of `exp` or `log`."""
        assert isinstance(node.func, ast.Name)
        place = self.visit(node.args[0])
        return self._step(FUNCTIONS[node.func.id], place, place)

    def _leaf(self, leaf: Leaf) -> int:
        self.leaves.append(leaf)
        return -len(self.leaves)

    def _constant(self, place: int) -> float | None:
        leaf = self.leaves[-1 - place] if place < 0 else ""
        return None if isinstance(leaf, str) else leaf

    def _step(self, function: Callable[[Any, Any], Any], left: int, right: int) -> int:
        a, b = self._constant(left), self._constant(right)
        if a is not None and b is not None:
            return self._leaf(function(a, b))
        self.steps.append((function, left, right))
        return len(self.steps) - 1


def compile_program(text: str) -> tuple[list[Leaf], list[Step], int]:
    """Return the leaves, the steps in order, and the output's place among leaves and steps in one list."""
    compiler = Compiler()
    output = compiler.visit(ast.parse(text.replace("^", "**")))
    count = len(compiler.leaves)

    def place(index: int) -> int:
        return -1 - index if index < 0 else count + index

    steps = [(function, place(left), place(right)) for function, left, right in compiler.steps]
    return compiler.leaves, steps, place(output)


def differentiate(leaves: list[Leaf], steps: list[Step], output: int, inputs: Mapping[str, float]) -> list[Any]:
    """Build the graph and run it backward: what is timed. Return the values in order."""
    values: list[Any] = [value_type()(inputs[leaf]) if isinstance(leaf, str) else leaf for leaf in leaves]
    append = values.append
    for function, left, right in steps:
        append(function(values[left], values[right]))
    values[output].backward()
    return values


def count_nodes(root: Any) -> int:
    """Count the nodes of a graph."""
    seen, waiting = {root}, [root]
    while waiting:
        fresh = waiting.pop()._prev - seen
        seen |= fresh
        waiting += fresh
    return len(seen)


def main() -> None:
    """Compile, time, print."""
    sys.setrecursionlimit(10**6)  # micrograd sorts its graph by recursion
    program, inputs_file = sys.argv[1:]
    inputs = json.loads(Path(inputs_file).read_text(encoding="utf-8"))
    leaves, steps, output = compile_program(Path(program).read_text(encoding="utf-8"))
    start = time.perf_counter()
    values = differentiate(leaves, steps, output, inputs)
    elapsed = time.perf_counter() - start
    gradient = {leaf: node.grad for leaf, node in zip(leaves, values, strict=False) if isinstance(leaf, str)}
    root = values[output]
    print(json.dumps({"seconds": elapsed, "value": root.data, "gradient": gradient, "nodes": count_nodes(root)}))


if __name__ == "__main__":
    main()
