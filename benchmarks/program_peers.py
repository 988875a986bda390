"""Time a library on a program, once: from source text to the value and the derivative at x = 0.75.

    python benchmarks/program_peers.py CasADi chain.expr

prints a JSON object: `seconds`, `value`, `derivative`. Neither the interpreter's start nor the import is counted.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from scaling import X

Answer = Callable[[str], tuple[float, float]]


def autodiff() -> Answer:
    """Use this program from Python."""
    parse = import_module("autodiff_cli").parse
    evaluate = import_module("autodiff_cli.evaluation").evaluate

    def answer(text: str) -> tuple[float, float]:
        found = evaluate(parse(text), {"x": X})
        return found.value, found.gradient["x"]

    return answer


def pytorch() -> Answer:
    """Use tensors and `torch.autograd.grad`."""
    torch, functions = import_module("torch"), _functions("pytorch")
    torch.set_num_threads(1)

    def answer(text: str) -> tuple[float, float]:
        x = torch.tensor(X, dtype=torch.float64, requires_grad=True)
        value = output(text, functions, x)
        return float(value), float(torch.autograd.grad(value, x)[0])

    return answer


def jax() -> Answer:
    """Use `value_and_grad` without `jit`."""
    return _of_function(import_module("jax").value_and_grad, _functions("jax"))


def autograd() -> Answer:
    """Use `value_and_grad`."""
    return _of_function(import_module("autograd").value_and_grad, _functions("autograd"))


def casadi() -> Answer:
    """Use a `Function` of SX symbols."""
    ca, functions = import_module("casadi"), _functions("casadi")

    def answer(text: str) -> tuple[float, float]:
        x = ca.SX.sym("x")
        value = output(text, functions, x)
        found = ca.Function("program", [x], [value, ca.gradient(value, x)])(X)
        return float(found[0]), float(found[1])

    return answer


def micrograd() -> Answer:
    """Use `Value`, with a sine that is written as micrograd writes its `relu`."""
    value_type = import_module("micrograd.engine").Value

    def sin(a: Any) -> Any:
        out = value_type(math.sin(a.data), (a,), "sin")

        def _backward() -> None:
            a.grad += math.cos(a.data) * out.grad

        out._backward = _backward
        return out

    def answer(text: str) -> tuple[float, float]:
        x = value_type(X)
        value = output(text, {"sin": sin}, x)
        value.backward()
        return value.data, x.grad

    return answer


def output(text: str, functions: Any, x: Any) -> Any:
    """What a program's last statement gives, for `x` of a library's own kind."""
    scope = {**functions, "x": x}
    exec(compile(text, "program", "exec"), scope)
    return scope[text[text.rstrip().rfind("\n") + 1 :].partition(" = ")[0]]


def _of_function(differentiated: Any, functions: Any) -> Answer:
    def answer(text: str) -> tuple[float, float]:
        value, derivative = differentiated(lambda x: output(text, functions, x))(X)
        return float(value), float(derivative)

    return answer


def _functions(library: str) -> Any:
    return getattr(import_module("libraries"), library)().functions


ANSWERS: dict[str, tuple[Callable[[], Answer], str]] = {
    "autodiff": (autodiff, "autodiff_cli"),
    "micrograd": (micrograd, "micrograd"),
    "PyTorch": (pytorch, "torch"),
    "autograd": (autograd, "autograd"),
    "CasADi": (casadi, "casadi"),
    "JAX": (jax, "jax"),
}
"""how each is used, and the package that it is"""


def main() -> None:
    """Answer a small program to warm up, then the program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("library", choices=ANSWERS)
    parser.add_argument("file")
    arguments = parser.parse_args()
    sys.setrecursionlimit(10**8)  # micrograd sorts its graph by recursion
    answer = ANSWERS[arguments.library][0]()
    answer("v1 = sin(x) + x\n")
    start = time.perf_counter()
    value, derivative = answer(Path(arguments.file).read_text(encoding="utf-8"))
    print(json.dumps({"seconds": time.perf_counter() - start, "value": value, "derivative": derivative}))


if __name__ == "__main__":
    main()
