"""Profiles: of a computation on columns, of a small formula, and by function of a whole command.

python benchmarks/profiles.py steps prospero --rows 65536
python benchmarks/profiles.py formulas
python benchmarks/profiles.py command eval "a*b+c" --set a=2 b=-3 c=10
"""

import argparse
import gc
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

from each import POINT, formulas
from measure import hot_spots, table
from workloads import Workload, workload

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.many_formulas.formulas import Answer
from autodiff_cli.many_formulas.report import Encoder
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.parser.lalr_tables import tables

STEPS_SHOWN = 8
"""kinds of steps that are shown"""


def profile(work: Workload, rows: int, engine: str = "auto") -> str:
    """A table of the operations that a plan has most of, and what it takes to make and to run it."""
    columns, clock = work.columns(rows), time.perf_counter
    program, start = parse(work.text), clock()
    computation = Computation(program, list(columns), work.given, work.variables, engine=engine)
    computation.prepare_for(rows)
    plan, made = computation.executor().plan, clock() - start
    computation(columns)
    start = clock()
    computation(columns)
    whole = clock() - start
    kinds = Counter(plan.graph.operations[step].name for step in range(len(plan)) if plan.graph.arguments[step])
    shown = [[f"`{name}`", str(count)] for name, count in kinds.most_common(STEPS_SHOWN)]
    about = (
        f"Profile of `{work.name}` (`python benchmarks/profiles.py steps {work.name} --rows {rows}`): "
        f"{len(plan)} steps, of whose results at most {plan.most_kept} are kept; engine {computation.engine}; "
        f"{made:.3f} s to make ready, {whole:.3f} s for {rows:,} rows on one core."
    )
    return f"{about}\n\n{table(['step', 'of the plan'], shown)}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    steps = kinds.add_parser("steps")
    steps.add_argument("workload")
    steps.add_argument("--rows", type=int, default=2**16)
    steps.add_argument("--engine", default="auto")
    kinds.add_parser("formulas")
    kinds.add_parser("command")
    arguments, words = parser.parse_known_args()
    if arguments.kind == "command":
        print(hot_spots(words))
    elif arguments.kind == "formulas":
        print(formula_steps())
    else:
        print(profile(workload(arguments.workload), arguments.rows, arguments.engine))


def formula_steps(count: int = 2000) -> str:
    """A table of the steps of `eval --each` for small formulas, with the processor time that each takes of one."""
    texts, pattern = formulas(count), tables().pattern
    programs = list(map(parse, texts))
    answers = [Answer(program.source, evaluate(program, POINT)) for program in programs]
    steps = {
        "find the words": _microseconds(lambda text: deque(pattern.finditer(text), maxlen=0), texts),
        "parse, words included": _microseconds(parse, texts),
        "evaluate, value and gradient": _microseconds(lambda program: evaluate(program, POINT), programs),
        "write JSON": _microseconds(Encoder("json"), [[answer] for answer in answers]),
    }
    about = f"Processor time for one of {count:,} formulas such as `{texts[0]}`, the best of some runs:"
    return f"{about}\n\n{table(['step', 'µs'], [[step, f'{took:.1f}'] for step, took in steps.items()])}"


def _microseconds(step: Callable[..., Any], items: Sequence[Any], rounds: int = 7) -> float:
    """The time that a step takes for one of the items, without the collection of garbage, as in the command."""
    gc.disable()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        deque(map(step, items), maxlen=0)
        times.append(time.process_time() - start)
    gc.enable()
    return min(times) / len(items) * 1e6


if __name__ == "__main__":
    main()
