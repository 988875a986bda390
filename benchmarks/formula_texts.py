"""A workload's text for other libraries: as a Python function, and with its gradient written out."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from workloads import Workload


def written_out(work: Workload) -> tuple[list[tuple[str, str]], list[str]]:
    """The steps to the value and the gradient, and the names of these."""
    if work.name == "neuron":  # as one would write it by hand; numexpr has no sech
        steps = {"value": "tanh(x1*w1 + x2*w2 + b)", "slope": "1 - value**2"}
        steps |= {name: f"slope*{factor}" for name, factor in (("d1", "w1"), ("d2", "x1"), ("d3", "w2"), ("d4", "x2"))}
        return list(steps.items()), ["value", "d1", "d2", "d3", "d4", "slope"]
    program = import_module("autodiff_cli").parse(work.text)
    found = import_module("autodiff_cli.derivatives.differentiate").differentiate(program, list(work.variables))
    steps = dict(line.split(" = ", 1) for line in _lines(work.text)[:-1])
    steps["value"] = _last(work.text)
    for statement in found.statements:
        steps.setdefault(*str(statement).replace("^", "**").split(" = ", 1))  # a name of the formula's stays as it is
    return list(steps.items()), ["value", *[str(found.results[name]).split(" = ")[0] for name in work.variables]]


def formula(work: Workload, functions: Any) -> Callable[..., Any]:
    """The workload's text as a Python function of its shared numbers and its columns."""
    names = ", ".join([*work.given, *work.columns(1)])
    body = "".join(f"    {line}\n" for line in _lines(work.text)[:-1])
    scope = dict(functions)
    exec(f"def formula({names}):\n{body}    return {_last(work.text)}\n", scope)
    return scope["formula"]


def _lines(text: str) -> list[str]:
    return text.replace("^", "**").splitlines()


def _last(text: str) -> str:
    return _lines(text)[-1].split(" = ", 1)[-1]
