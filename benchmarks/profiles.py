"""Where the time goes: by kind of instruction in a computation on columns, by function in a whole command.

    python benchmarks/profiles.py steps prospero --rows 65536
    python benchmarks/profiles.py command eval "a*b+c" --set a=2 b=-3 c=10

Every instruction of the plan is timed, on one core; the clock itself costs some tenth of a microsecond for each, which
is the more of the whole the shorter the blocks are.
"""

import argparse
import dataclasses
import pstats
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import python, run, table
from workloads import Workload, workload

from autodiff_cli import parse
from autodiff_cli.vectorized.computation import Computation
from autodiff_cli.vectorized.plan import RegisterKind

_REGISTERS = (RegisterKind.NUMBER, RegisterKind.TRUTH, RegisterKind.MASK)
STEPS_SHOWN = 8
"""kinds of steps that are shown"""


def profile(work: Workload, rows: int) -> str:
    """A table of the kinds of steps that take longest."""
    columns = work.columns(rows)
    computation = Computation(parse(work.text), list(columns), work.given, work.variables)
    computation(columns)
    start = time.perf_counter()
    computation(columns)
    whole = time.perf_counter() - start
    spent, calls = Counter[str](), Counter[str]()
    plan = computation._plan
    steps = tuple(step._replace(function=_timed(step.function, spent, calls)) for step in plan.steps)
    computation._plan = dataclasses.replace(plan, steps=steps)
    computation(columns)
    kinds = Counter(_name(step.function) for step in plan.steps)
    shown = [
        [
            f"`{name}`",
            str(kinds[name]),
            f"{1e9 * seconds / rows:.2f}",
            f"{seconds / whole:.0%}",
            f"{1e6 * seconds / calls[name]:.1f}",
        ]
        for name, seconds in spent.most_common(STEPS_SHOWN)
    ]
    header = ["step", "of the plan", "ns a row, all together", "of the whole call", "µs a call"]
    rest = max(1 - sum(spent.values()) / whole, 0.0)
    about = (
        f"Profile of `{work.name}` (`python benchmarks/profiles.py steps {work.name} --rows {rows}`): "
        f"{len(plan.steps)} steps, {sum(plan.counts[kind] for kind in _REGISTERS)} registers; "
        f"{whole:.3f} s for {rows:,} rows on one core; {rest:.0%} of it is outside the steps."
    )
    return f"{about}\n\n{table(header, shown)}"


def _timed(function: Callable[..., Any], spent: Counter[str], calls: Counter[str]) -> Callable[..., Any]:
    name, clock = _name(function), time.perf_counter

    def timed(*arguments: Any) -> Any:
        start = clock()
        result = function(*arguments)
        spent[name] += clock() - start
        calls[name] += 1
        return result

    return timed


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", type(function).__name__).strip("_")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    steps = kinds.add_parser("steps")
    steps.add_argument("workload")
    steps.add_argument("--rows", type=int, default=2**16)
    kinds.add_parser("command")
    arguments, words = parser.parse_known_args()
    print(hot_spots(words) if arguments.kind == "command" else profile(workload(arguments.workload), arguments.rows))


FUNCTIONS_SHOWN = 10
"""functions that are shown"""


def hot_spots(arguments: list[str]) -> str:
    """A table of the functions that take longest by themselves, under Python's profiler, which slows calls down."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "profile")
        run(python("-m", "cProfile", "-o", file, "-m", "autodiff_cli", *arguments))
        found = pstats.Stats(file).get_stats_profile()
    entries = sorted(found.func_profiles.items(), key=lambda entry: -entry[1].tottime)[:FUNCTIONS_SHOWN]
    rows = [
        [f"`{name}`", _place(entry.file_name, entry.line_number), entry.ncalls, f"{entry.tottime:.3f}"]
        for name, entry in entries
    ]
    about = f"Profile of the command, {found.total_tt:.2f} s under the profiler, its functions without what they call:"
    return f"{about}\n\n{table(['function', 'where', 'calls', 'seconds'], rows)}"


def _place(file: str, line: int) -> str:
    return f"{'/'.join(Path(file).parts[-2:])}:{line}" if file not in ("~", "") else "built in"


if __name__ == "__main__":
    main()
