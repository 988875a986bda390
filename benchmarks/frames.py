"""A formula and its gradient as columns of data frames and of SQL, beside the same written by hand in each library.

    python benchmarks/frames.py [--rows 10000000] [--rounds 5] [--print]

Writes the table in docs/python.md. By hand are the value and its five derivatives in the library's own operations.
Times are medians of runs in turn, without the reading of the data; results are compared first.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import duckdb
import numpy
import pandas
import polars
from measure import insert, table
from workloads import SLOPES, polars_expressions, sql_query, workload

from autodiff_cli import with_results
from autodiff_cli.duckdb import register
from autodiff_cli.polars import expression

DOCUMENT = Path(__file__).parent.parent / "docs" / "python.md"
BEGIN, END = "<!-- frames: begin -->", "<!-- frames: end -->"
NEURON = workload("neuron")
RESULTS = ("value", *SLOPES, "grad_b")
Task = Callable[[], Any]


def main() -> None:
    """Measure, and put the table where it belongs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=10**7)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="write to standard output instead")
    arguments = parser.parse_args()
    columns = NEURON.columns(arguments.rows)
    lines = [_line(name, *make(columns), arguments.rounds) for name, make in MAKERS.items()]
    header = [f"{NEURON.text}, {arguments.rows:,} rows", "autodiff, s", "by hand, s", "ratio"]
    text = table(header, lines)
    if arguments.to_stdout:
        print(text)
        return
    insert(DOCUMENT, BEGIN, END, text)


def _line(name: str, ours: Task, by_hand: Task, rounds: int) -> list[str]:
    first, second = ours(), by_hand()
    for column in RESULTS:
        numpy.testing.assert_allclose(numpy.asarray(first[column]), numpy.asarray(second[column]), 1e-12, 1e-12)
    times: dict[Task, list[float]] = {ours: [], by_hand: []}
    for _ in range(rounds):
        for task, seconds in times.items():
            start = perf_counter()
            task()
            seconds.append(perf_counter() - start)
    measured, beside = median(times[ours]), median(times[by_hand])
    return [name, f"{measured:.3g}", f"{beside:.3g}", f"{measured / beside:.2f}"]


def _pandas(columns: dict[str, Any]) -> tuple[Task, Task]:
    frame = pandas.DataFrame(columns)

    def by_hand() -> Any:
        value = numpy.tanh(frame.x1 * frame.w1 + frame.x2 * frame.w2 + frame.b)
        slope = 1 - value**2
        return frame.assign(value=value, **{name: slope * frame[by] for name, by in SLOPES.items()}, grad_b=slope)

    return lambda: with_results(frame, NEURON.text), by_hand


def _polars(columns: dict[str, Any]) -> tuple[Task, Task]:
    frame = polars.DataFrame(columns)
    return lambda: with_results(frame, NEURON.text), lambda: frame.with_columns(**polars_expressions())


def _lazy(columns: dict[str, Any]) -> tuple[Task, Task]:
    frame = polars.DataFrame(columns).lazy()
    ours = frame.with_columns(expression(NEURON.text).alias("results")).unnest("results")
    return ours.collect, frame.with_columns(**polars_expressions()).collect


def _duckdb(columns: dict[str, Any]) -> tuple[Task, Task]:
    connection = duckdb.connect()
    connection.register("frame", polars.DataFrame(columns).to_arrow())
    names = ", ".join(register(connection, "neuron", NEURON.text))
    ours = f"select x1, w1, x2, w2, b, r.* from (select *, neuron({names}) r from frame)"
    by_hand = sql_query("frame")
    return lambda: connection.sql(ours).to_arrow_table(), lambda: connection.sql(by_hand).to_arrow_table()


MAKERS = {"pandas": _pandas, "polars": _polars, "polars, lazy": _lazy, "DuckDB": _duckdb}

if __name__ == "__main__":
    main()
