"""The cost of a gradient in exported code: in time, and in operations.

    python benchmarks/export_cost.py               C, compiled with gcc -O2: the value alone, and with the gradient
    python benchmarks/export_cost.py --operations  operations counted, over the examples and the corpora

Time is the smallest of many runs, each of the two functions in turn, at random points. An operation is one of the
target language: a sum, a comparison, a sine; a function that C lacks counts as the operations of its formula.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from measure import CORPORA, ROOT, processor, table, verdict

from autodiff_cli import parse
from autodiff_cli.export import c, export
from autodiff_cli.lowering.function_graph import function_graph
from autodiff_cli.lowering.function_request import function_request
from autodiff_cli.lowering.lowering import lowered

TARGET = 2.5
"""times the value: a good cost of value and gradient"""
_POINTS, _CALLS, _ROUNDS = 64, 200_000, 25

_DRIVER = """
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
double value_alone({types});
double with_gradient({types}, double *gradient);

static double now(void)
{{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}}

int main(void)
{{
    static double x[{points}][{count}], gradient[{count}];
    double least[2] = {{1e9, 1e9}}, sum = 0.0;
    for (int k = 0; k < {points}; k++)
        for (int i = 0; i < {count}; i++)
            x[k][i] = 0.5 + rand()/(double)RAND_MAX;
    for (int round = 0; round < {rounds}; round++) {{
        const double start = now();
        for (int n = 0; n < {calls}; n++)
            sum += value_alone({arguments});
        const double middle = now();
        for (int n = 0; n < {calls}; n++)
            sum += with_gradient({arguments}, gradient) + gradient[{count} - 1];
        const double end = now();
        least[0] = middle - start < least[0] ? middle - start : least[0];
        least[1] = end - middle < least[1] ? end - middle : least[1];
    }}
    printf("%g %g %g\\n", least[0]*1e9/{calls}, least[1]*1e9/{calls}, sum);
    return 0;
}}
"""


def seconds(path: Path) -> tuple[float, float]:
    """Nanoseconds for a call of the value alone, and of the value with the gradient."""
    program = parse(path.read_text(encoding="utf-8"), path.name)
    count = len(function_graph(function_request(program)).inputs)
    driver = _DRIVER.format(
        types=", ".join(["double"] * count),
        arguments=", ".join(f"x[n % {_POINTS}][{i}]" for i in range(count)),
        count=count, points=_POINTS, calls=_CALLS, rounds=_ROUNDS,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "value.c").write_text(export(program, "c", name="value_alone", wrt=[]), encoding="utf-8")
        (folder / "gradient.c").write_text(export(program, "c", name="with_gradient"), encoding="utf-8")
        (folder / "main.c").write_text(driver, encoding="utf-8")
        command = ["gcc", "-O2", "-std=c99", "main.c", "value.c", "gradient.c", "-o", "measured", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
        done = subprocess.run(["./measured"], cwd=folder, check=True, capture_output=True, text=True)
    value, both, _ = map(float, done.stdout.split())
    return value, both


def time() -> None:
    """Print the table of times."""
    rows = []
    for path in (CORPORA / "ba_residual.expr", *sorted((ROOT / "examples").glob("*.expr"))):
        if path.exists():
            value, both = seconds(path)
            rows.append([path.stem, f"{value:.1f}", f"{both:.1f}", f"{both / value:.2f}"])
    print(f"Nanoseconds for a call, gcc -O2, {processor()}:\n")
    print(table(["formula", "value", "value and gradient", "ratio"], rows))
    print(f"\n{rows[0][0]}: {verdict(float(rows[0][3]), TARGET)}")


def formulas() -> Iterator[tuple[str, str]]:
    """The names and the texts of the examples and the corpora."""
    for folder, pattern in ((ROOT / "examples", "*.expr"), (CORPORA, "**/*.expr")):
        yield from ((path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.glob(pattern)))
    for name in ("feynman", "adbench", "peer_derivatives"):
        path = CORPORA / f"{name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            record = json.loads(line)
            yield str(record["id"]), record["text"].replace("nthRoot", "nthroot")


def counted(text: str) -> tuple[int, int]:
    """The operations of the value alone, and of the value with the gradient."""
    made = function_graph(function_request(parse(text)))
    language = replace(c.LANGUAGE, splits=True)
    results = [made.value, *made.gradient]
    graph, copies = lowered(language, made.graph, made.inputs.values(), results)
    value, both = (
        sum(1 for node in graph.needed(copies[each] for each in some) if graph.arguments[node])
        for some in (results[:1], results)
    )
    return value, both


def operations() -> None:
    """Print how many operations gradients take."""
    rows = []
    for name, text in formulas():
        value, both = counted(text)
        rows.append((both / max(value, 1), name, value, both))
    rows.sort(reverse=True)
    ratios = [row[0] for row in rows]
    largest = max(row[0] for row in rows if (ROOT / "examples" / row[1]).exists())
    print(f"{len(rows)} formulas: median {median(ratios):.2f}, {sum(ratio > 5 for ratio in ratios)} above 5")
    print(f"the examples: at most {largest:.2f}\n")
    print(table(["formula", "value", "value and gradient", "ratio"],
                [[name, str(value), str(both), f"{ratio:.2f}"] for ratio, name, value, both in rows[:25]]))  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", action="store_true", help="count operations instead of time")
    operations() if parser.parse_args().operations else time()
