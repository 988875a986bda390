"""Time micrograd, with `exp` and `log` added, on a program: building its graph and `backward()`, nothing else.

    python benchmarks/micrograd_peer.py PROGRAM.expr INPUTS.json

prints a JSON object: `seconds`, `value`, `gradient`, `nodes`. The program is compiled to a flat list of operations
first, with operations between constants already carried out.
"""

import ast
import json
import math
import operator
import sys
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

Value: Any = import_module("micrograd.engine").Value

Leaf = str | float
"""the name of an input, or a constant"""
Step = tuple[Callable[[Any, Any], Any], int, int]
"""a function and the places of its two arguments; one with a single argument gets it twice"""


def exp(a: Any, _: Any) -> Any:
    """Return e to the power `a`, written as micrograd writes its `relu`."""
    if not isinstance(a, Value):
        return math.exp(a)
    out = Value(math.exp(a.data), (a,), "exp")

    def _backward() -> None:
        a.grad += out.data * out.grad

    out._backward = _backward
    return out


def log(a: Any, _: Any) -> Any:
    """Return the natural logarithm of `a`, written as micrograd writes its `relu`."""
    if not isinstance(a, Value):
        return math.log(a)
    out = Value(math.log(a.data), (a,), "log")

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
    values: list[Any] = [Value(inputs[leaf]) if isinstance(leaf, str) else leaf for leaf in leaves]
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
