"""How other programs are asked for a derivative: SymPy, GiNaC's shell and mathjs. Answers are texts in our language."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from autodiff_cli import parse
from autodiff_cli.notation import CALL
from autodiff_cli.operations import CONSTANT, INPUT
from autodiff_cli.printer import expression

SECONDS = 600  # for a peer that is asked for all derivatives in one go


class Formula(NamedTuple):
    """What is differentiated, by which input."""

    text: str
    wrt: str


class Answer(NamedTuple):
    """The derivatives that a program gives for some formulas; None where it gives none."""

    name: str
    formulas: list[Formula]
    texts: list[str | None]
    late: int = 0
    """how many were not done in time"""
    limit: int = 0
    """seconds for each"""


# ---- SymPy -----------------------------------------------------------------------------------------------------------


class _TooLateError(Exception):
    """A simplification takes too long."""


def sympy(formulas: list[Formula], limit: int) -> list[Answer]:
    """SymPy's derivative as it comes, and after `simplify`, which is given up after so many seconds."""
    try:
        import sympy as library
    except ImportError:
        print("left out, not installed: SymPy", file=sys.stderr)
        return []
    signal.signal(signal.SIGALRM, _too_late)
    plain: list[str | None] = []
    simple: list[str | None] = []
    late = 0
    for number, formula in enumerate(formulas):
        print(f"\r{number} of {len(formulas)}", end="", file=sys.stderr)
        slope = library.diff(_for_sympy(library, formula.text), library.Symbol(formula.wrt, real=True))
        plain.append(_from_sympy(library, slope))
        signal.alarm(limit)
        try:
            simple.append(_from_sympy(library, library.simplify(slope)))
        except _TooLateError:
            simple.append(None)
            late += 1
        signal.alarm(0)
    name = f"SymPy {library.__version__}"
    return [
        Answer(f"{name} `diff`", formulas, plain),
        Answer(f"{name} `simplify(diff)`", formulas, simple, late, limit),
    ]


def _too_late(*_: object) -> None:
    raise _TooLateError


def _for_sympy(sp: Any, text: str) -> Any:
    """A formula as SymPy has it, with real variables."""
    rows: dict[str, Callable[..., Any]] = {
        "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
        "neg": lambda a: -a, "pow": lambda a, b: a**b, "square": lambda a: a**2, "cube": lambda a: a**3,
        "recip": lambda a: 1 / a, "nthroot": lambda a, b: a ** (1 / b), "log_base": lambda a, b: sp.log(a) / sp.log(b),
        "log10": lambda a: sp.log(a, 10), "log2": lambda a: sp.log(a, 2), "log1p": lambda a: sp.log(1 + a),
        "abs": sp.Abs, "ceil": sp.ceiling, "step": lambda a: sp.Heaviside(a, 1), "max": sp.Max, "min": sp.Min,
        "where": lambda c, a, b: sp.Piecewise((b, sp.Eq(c, 0)), (a, True)),
    }  # fmt: skip
    program = parse(text)
    graph, values = program.graph, {}
    for node in graph.needed([program.output]):
        row, label = graph.operations[node], graph.labels.get(node)
        if row is INPUT:
            values[node] = sp.Symbol(label, real=True)
        elif row is CONSTANT:
            number = graph.numbers[node]
            known = {"pi": sp.pi, "e": sp.E}.get(label or "")
            values[node] = known or (sp.Integer(int(number)) if number.is_integer() else sp.Float(repr(number)))
        else:
            function = rows.get(row.name) or getattr(sp, row.name)
            values[node] = function(*[values[argument] for argument in graph.arguments[node]])
    return values[program.output]


def _from_sympy(sp: Any, result: Any) -> str:
    """SymPy's own text, in the names of our functions."""
    from sympy.printing.str import StrPrinter

    printer = StrPrinter()
    text = printer.doprint

    def call(name: str) -> Callable[[Any], str]:
        return lambda result: f"{name}({', '.join(map(text, result.args))})"

    def choice(result: Any) -> str:
        found = "nan"
        for value, condition in reversed(result.args):
            always = condition == True  # noqa: E712  # a symbol
            found = text(value) if always else f"where({text(condition)}, {text(value)}, {found})"
        return found

    def relation(result: Any) -> str:
        sign = {"Eq": "==", "Ne": "!="}.get(result.rel_op, result.rel_op)
        return f"({text(result.lhs)}) {sign} ({text(result.rhs)})"

    shapes = {name: call(ours) for name, ours in (("Abs", "abs"), ("Max", "max"), ("Min", "min"), ("ceiling", "ceil"))}
    shapes |= {"Piecewise": choice, "Relational": relation, "Float": lambda result: repr(float(result))}
    shapes |= {"Heaviside": lambda result: f"step({text(result.args[0])})", "Exp1": lambda result: "exp(1)"}
    for name, shape in shapes.items():
        setattr(printer, f"_print_{name}", lambda result, shape=shape: shape(result))
    found: str = text(result)
    return found


# ---- Programs that are run -------------------------------------------------------------------------------------------


def _renamed(formula: Formula, constants: dict[str, str]) -> tuple[str, str]:
    """The formula with plain names, that mean nothing to another program, and the variable."""
    program = parse(formula.text)
    names = {node: (f"v{place}", CALL) for place, node in enumerate(program.inputs.values())}
    graph = program.graph
    names |= {node: (constants[label], CALL) for node, label in graph.labels.items() if label in constants}
    variable = names.get(program.inputs.get(formula.wrt, -1), ("v0", CALL))[0]
    return expression(graph, program.output, names), variable


def ginsh(formulas: list[Formula]) -> list[Answer]:
    """GiNaC's derivative, by its shell; a formula with a function that it does not have is left out."""
    if shutil.which("ginsh") is None:
        print("left out, not installed: ginsh", file=sys.stderr)
        return []
    lines = []
    for number, formula in enumerate(formulas):
        text, variable = _renamed(formula, {"pi": "Pi"})
        lines.append(f"{number}+mark;\ndiff({text}, {variable});\n")
    run = subprocess.run(["ginsh"], input="".join(lines), capture_output=True, text=True, timeout=SECONDS)
    texts: list[str | None] = [None] * len(formulas)
    place = -1
    for line in run.stdout.splitlines():
        mark = re.fullmatch(r"(?:(\d+)\+)?mark(?:\+(\d+))?", line.strip())
        if mark:
            place = int(mark[1] or mark[2] or 0)
        elif place >= 0 and texts[place] is None:
            texts[place] = line.strip().replace("Pi", "pi")
    return [Answer("GiNaC (`ginsh`) `diff`", formulas, texts)]


_SCRIPT = """
const math = require('mathjs');
const asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const found = asked.map(([text, name]) => {
  try { return math.derivative(text, name).toString({parenthesis: 'auto'}); } catch (error) { return null; }
});
console.log(JSON.stringify([math.version, found]));
"""


def mathjs(formulas: list[Formula]) -> list[Answer]:
    """The derivative of mathjs, which simplifies it by itself."""
    asked = [_renamed(formula, {}) for formula in formulas]
    if shutil.which("node") is None:
        return []
    run = subprocess.run(
        ["node", "-e", _SCRIPT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=os.environ,
    )
    if run.returncode:
        print("left out, not installed: mathjs (or NODE_PATH is not set)", file=sys.stderr)
        return []
    version, texts = json.loads(run.stdout)
    return [Answer(f"mathjs {version} `derivative`", formulas, texts)]
