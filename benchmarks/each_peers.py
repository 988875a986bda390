"""Time a library on formulas, one a line: the value and the gradient of each, read with Python's own parser.

    python benchmarks/each_peers.py PyTorch formulas.txt --lines 1000 --point '{"a": 1.0}'

prints a JSON object: `seconds` of the loop over the lines, `results` with the value and the gradient of each.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from itertools import islice
from typing import Any

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
"""how each is used, and the package that it is"""


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
