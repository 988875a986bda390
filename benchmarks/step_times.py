"""Where the time goes in our computation on columns: by kind of step.

    python benchmarks/step_times.py prospero --rows 65536

Every step of the plan is timed, on one core; the clock itself costs some tenth of a microsecond a step, which is the
more of the whole the shorter the blocks are.
"""

import argparse
import dataclasses
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from measure import table
from workloads import Workload, workload

from autodiff_cli import parse
from autodiff_cli.vectorized.computation import Computation
from autodiff_cli.vectorized.plan import Bank

_REGISTERS = (Bank.NUMBER, Bank.TRUTH, Bank.MASK)
SHOWN = 8
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
        for name, seconds in spent.most_common(SHOWN)
    ]
    header = ["step", "of the plan", "ns a row, all together", "of the whole call", "µs a call"]
    rest = max(1 - sum(spent.values()) / whole, 0.0)
    about = (
        f"Profile of `{work.name}` (`python benchmarks/step_times.py {work.name} --rows {rows}`): "
        f"{len(plan.steps)} steps, {sum(plan.counts[bank] for bank in _REGISTERS)} registers; "
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
    parser.add_argument("workload")
    parser.add_argument("--rows", type=int, default=2**16)
    arguments = parser.parse_args()
    print(profile(workload(arguments.workload), arguments.rows))


if __name__ == "__main__":
    main()
