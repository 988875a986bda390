"""Programs that were exported and read back: whether they are the same computation, by their numbers at points."""

import math
import random
import re

from autodiff_cli import evaluate, parse
from autodiff_cli.conversion import convert
from autodiff_cli.latex import notation
from autodiff_cli.program import Program

_TOLERANCE = 1e-9
_POINTS = 5


def difference(program: Program, target: str, given: dict[str, float]) -> str:
    """The difference between a program and its exported form that is read back; "" if there is none."""
    from autodiff_cli.export import export as exported

    text = exported(program, target, name="exported")
    back = parse(convert(text, {"numpy": "python"}.get(target, target)).text)
    chance = random.Random(1)
    for _ in range(_POINTS):
        point = {name: value * chance.uniform(0.9, 1.1) for name, value in given.items()}
        names = {_key(name, target): name for name in point}
        known = {name: point[names[_key(name, target)]] for name in back.inputs if _key(name, target) in names}
        before, after = evaluate(program, point), evaluate(back, known)
        if not _same(before, after):
            return f"{before} is {after} at {point}"
    return ""


def _key(name: str, target: str) -> str:
    """A name after the way through a notation: x1, x_1 and x[1] are the same in LaTeX."""
    word = re.sub(r"\W+", "_", name).strip("_")
    return notation.name(word).replace("_", "").strip("{}") if target == "latex" else word


def _same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=1e-300)
