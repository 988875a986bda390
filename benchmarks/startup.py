"""Start-up: a whole `autodiff eval` of a small formula, against imports and other libraries' one-liners."""

import json
from importlib.util import find_spec

from measure import Run, autodiff, hot_spots, interleaved, python, reached, run, seconds, table, verdict

TARGET = 1.25
FORMULA = ("eval", "a*b+c", "--set", "a=2", "b=-3", "c=10")
IMPORTS = {"json": "import click, lark", "table": "import click, lark, rich.console, rich.table"}
"""output format → the libraries that it rests on"""
ONE_LINERS = {
    "sympy": (
        "from sympy import symbols; v = a, b, c = symbols('a b c'); f = a*b + c; p = {a: 2, b: -3, c: 10}; "
        "print(f.subs(p), *[f.diff(x).subs(p) for x in v])",
        3.0,
    ),
    "jax": (
        "import jax; y, g = jax.value_and_grad(lambda a, b, c: a*b + c, (0, 1, 2))(2.0, -3.0, 10.0); "
        "print(float(y), *map(float, g))",
        10.0,
    ),
}
"""library → value and gradient in one line, and how many times as long that should take"""
ANSWER = (4.0, -3.0, 2.0, 1.0)


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    _check()
    liners = [name for name in ONE_LINERS if find_spec(name)]
    commands = {output: autodiff(*FORMULA, "--format", output) for output in IMPORTS}
    commands |= {f"import {output}": python("-c", imports) for output, imports in IMPORTS.items()}
    commands |= {name: python("-c", ONE_LINERS[name][0]) for name in liners}
    runs = interleaved(commands, 5 if small else rounds)
    rows = [_import(output, runs) for output in IMPORTS] + [_one_liner(name, runs) for name in liners]
    about = '`autodiff eval "a*b+c" --set a=2 b=-3 c=10`, whole processes.'
    text = f"## Start-up\n\n{about}\n\n{table(['', 'ours', 'peer', '', 'ratio and what to reach'], rows)}"
    missing = [name for name in ONE_LINERS if name not in liners]
    notes = [f"Not installed: {', '.join(missing)}."] if missing else []
    profiles = [hot_spots([*FORMULA, "--format", "json"])] if "missed" in text else []
    return "\n\n".join([text, *notes, *profiles])


def _import(output: str, runs: dict[str, list[Run]]) -> list[str]:
    ours, peer = seconds(runs[output]), seconds(runs[f"import {output}"])
    return [f"`--format {output}` over its imports", *_times(ours, IMPORTS[output], peer), verdict(ours / peer, TARGET)]


def _one_liner(name: str, runs: dict[str, list[Run]]) -> list[str]:
    ours, peer = seconds(runs["json"]), seconds(runs[name])
    line, target = ONE_LINERS[name]
    return [f"{name}'s one-liner over `--format json`", *_times(ours, line, peer), reached(peer / ours, target)]


def _times(ours: float, code: str, peer: float) -> list[str]:
    return [f"{1000 * ours:.0f} ms", f'`python -c "{code}"`', f"{1000 * peer:.0f} ms"]


def _check() -> None:
    """Check that all do their work before they are timed."""
    result = json.loads(run(autodiff(*FORMULA, "--format", "json")).output)
    if (result["value"], *result["gradient"].values()) != ANSWER:
        raise SystemExit(f"error: a*b+c is evaluated to {result['value']}, {result['gradient']}")
    for name in filter(find_spec, ONE_LINERS):
        output = run(python("-c", ONE_LINERS[name][0])).output
        if tuple(map(float, output.split())) != ANSWER:
            raise SystemExit(f"error: {name} says {output}")
