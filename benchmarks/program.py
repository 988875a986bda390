"""Programs of ten thousand to a million nodes, once: from source text to gradient, against libraries.

The text is a chain of statements, `v2 = sin(v1) + x`, which Python's own parser reads as well.

    python benchmarks/program.py micrograd program.py

times one library and prints a JSON object: `seconds`, `value`, `derivative`.
"""

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from measure import attempt, autodiff, hot_spots, python, reached, run, table, verdict
from scaling import Program, X, chain

SIZES = (10_000, 100_000, 1_000_000)
LIMIT = 60
"""seconds that a library has for a program; larger ones are not tried if it is not done"""
SLOW = 12.0
"""seconds after which a library is not run again"""
LINEAR = 1.5
"""the time of a node in the largest program over that in one a tenth as large, at most"""
TOLERANCE = 1e-9
OURS, COMMAND = "autodiff", "`autodiff eval`"


@dataclass
class Times:
    """The seconds of one library for one program, or why there are none."""

    answer: list[float] = field(default_factory=list)
    """from source text to gradient"""
    whole: list[float] = field(default_factory=list)
    """of the process, with the start of the interpreter and the import"""
    reason: str = ""


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    sizes = SIZES[:1] if small else SIZES
    names = [name for name, (_, package) in ANSWERS.items() if find_spec(package)]
    times: dict[int, dict[str, Times]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            program, file = chain(size), Path(folder) / f"{size}.expr"
            file.write_text(program.text, encoding="utf-8")
            times[size] = _measured(program, file, names, rounds)
            names = [name for name in names if not times[size][name].reason]
        verdicts = _verdicts(times)
        profile = hot_spots(_command(file)) if "missed" in verdicts else ""
    missing = [name for name in ANSWERS if not find_spec(ANSWERS[name][1])]
    note = f"Not installed: {', '.join(missing)}." if missing else ""
    about = (
        "A chain of statements, `v2 = sin(v1) + x`, once, on one core. The first time is from source text to value "
        "and gradient, within Python; the second that of the whole process, with the interpreter's start and the "
        "import. The libraries read the text with Python's parser; JAX runs without `jit`, which would compile for "
        "one use."
    )
    return "\n\n".join(filter(None, [f"## A program, once\n\n{about}", _table(times), note, verdicts, profile]))


def _command(file: Path) -> list[str]:
    return ["eval", "-f", str(file), "--set", f"x={X}", "--format", "plain"]


def _measured(program: Program, file: Path, names: list[str], rounds: int) -> dict[str, Times]:
    """Run all in turn; each result is checked before its time counts."""
    times = {name: Times() for name in (*names, COMMAND)}
    for _ in range(rounds):
        for name, found in times.items():
            if not found.reason and sum(found.whole) < SLOW:
                _once(name, found, program, file)
    return times


def _once(name: str, times: Times, program: Program, file: Path) -> None:
    if name == COMMAND:
        done = run(autodiff(*_command(file)), cores=1)
        value, derivative = (float(line.split()[-1]) for line in done.output.splitlines())
    else:
        command = python(str(Path(__file__).parent / "program.py"), name, str(file))
        done = run(command, cores=1) if name == OURS else attempt(command, limit=LIMIT, cores=1)
        if isinstance(done, str):
            times.reason = done
            return
        answer = json.loads(done.output)
        value, derivative = answer["value"], answer["derivative"]
        times.answer.append(answer["seconds"])
    for found, true in ((value, program.value), (derivative, program.derivative)):
        if not math.isclose(found, true, rel_tol=TOLERANCE):
            raise SystemExit(f"error: {name} gives {found} instead of {true} for a chain of {program.nodes} nodes")
    times.whole.append(done.seconds)


def _table(times: dict[int, dict[str, Times]]) -> str:
    header = ["", *[f"{size:,} nodes, s" for size in times]]
    names = list(next(iter(times.values())))
    return table(header, [[name, *[_shown(times[size].get(name)) for size in times]] for name in names])


def _shown(times: Times | None) -> str:
    if times is None:
        return "not tried"
    if times.reason:
        return times.reason
    return " / ".join(f"{median(found):.3g}" if found else "–" for found in (times.answer, times.whole))


def _verdicts(times: dict[int, dict[str, Times]]) -> str:
    lines = []
    for size, found in times.items():
        peers = {name: peer for name, peer in found.items() if name not in (OURS, COMMAND) and not peer.reason}
        for what, ours in (("answer", found[OURS].answer), ("whole", found[COMMAND].whole)):
            if peers:
                best = min(peers, key=lambda name: median(getattr(peers[name], what)))
                ratio = median(getattr(peers[best], what)) / median(ours)
                said = "text to gradient" if what == "answer" else "whole process"
                lines.append(f"- {size:,} nodes, {said}: {best}'s time over ours: {reached(ratio, 1.0)}.")
    if len(times) > 1:
        large, smaller = (median(times[size][COMMAND].whole) / size for size in list(times)[:-3:-1])
        said = verdict(large / smaller, LINEAR)
        lines.append(f"- Linear: time a node in the largest program over that in one a tenth as large: {said}.")
    return "\n".join(lines)


Answer = Callable[[str], tuple[float, float]]


def ours() -> Answer:
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
    """The value of a program's last statement, for `x` of a library's own kind."""
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
    "autodiff": (ours, "autodiff_cli"),
    "micrograd": (micrograd, "micrograd"),
    "PyTorch": (pytorch, "torch"),
    "autograd": (autograd, "autograd"),
    "CasADi": (casadi, "casadi"),
    "JAX": (jax, "jax"),
}
"""name → its use, and the package that it is"""


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
