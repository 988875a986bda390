"""Exported functions, compiled and run: what each language answers at given points.

A language whose compiler or interpreter is not at hand is skipped. One compiler run takes all the functions.
"""

import math
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli.export import export
from autodiff_cli.lowering.function_graph import FunctionGraph, function_graph
from autodiff_cli.lowering.function_request import function_request
from autodiff_cli.program import Program

Points = Sequence[Sequence[float]]
C_FLAGS = ["-O2", "-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
FORTRAN_FLAGS = ["-O2", "-std=f2018", "-Wall", "-Werror"]


def size(function: FunctionGraph) -> int:
    """The number of operations in the value and the derivatives."""
    results = (function.value, *function.gradient, *function.hessian.values())
    return sum(1 for node in function.graph.needed(results) if function.graph.arguments[node])


@dataclass
class Job:
    """A program, the points to run its function at, and the function's name."""

    program: Program
    points: Points
    name: str
    second: bool = False

    @property
    def hessian(self) -> bool:
        """Whether there are second derivatives."""
        return self.function.request.hessian

    @cached_property
    def function(self) -> FunctionGraph:
        return function_graph(function_request(self.program, hessian=self.second))

    def text(self, target: str, **options: Any) -> str:
        return export(self.program, target, name=self.name, hessian=self.second, **options)

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of inputs, and of results but for the value."""
        count = len(self.function.inputs)
        return count, count + (count * count if self.hessian else 0)


def run(target: str, jobs: Sequence[Job], folder: Path) -> list[list[list[float]]]:
    """For each job, for each of its points: the value, the gradient, and the second derivatives row by row."""
    if target in ("python", "numpy", "sql"):
        return [_RUNNERS[target](job) for job in jobs]
    tool = {"c": "gcc", "javascript": "node", "rust": "rustc", "fortran": "gfortran"}[target]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    command = _RUNNERS[target](jobs, folder)
    lines = [f"{k} {' '.join(map(repr, point))}" for k, job in enumerate(jobs) for point in job.points]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True, cwd=folder)
    answers = iter([[float(word) for word in line.split()] for line in done.stdout.splitlines()])
    return [[next(answers) for _ in job.points] for job in jobs]


def _compiled(command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:4000]
    assert not done.stderr, done.stderr[:4000]


def _joined(texts: Sequence[str]) -> str:
    """Files of one language as one; a helper function that several have stands there once."""
    return "\n\n".join(dict.fromkeys(block for text in texts for block in text.strip("\n").split("\n\n")))


# ---- Compiled languages ----------------------------------------------------------------------------------------------


def _c(jobs: Sequence[Job], folder: Path) -> list[str]:
    cases = []
    for k, job in enumerate(jobs):
        count, results = job.sizes
        arguments = ["x"] if count > 40 else [f"x[{i}]" for i in range(count)]
        arguments += ["g"] * bool(count) + [f"(double (*)[{count}])(g + {count})"] * job.hessian
        cases.append(f"case {k}: read_all(x, {count}); v = {job.name}({', '.join(arguments)}); n = {results}; break;")
    driver = f"""
#include <stdio.h>
static void read_all(double *x, int n) {{ for (int i = 0; i < n; i++) if (scanf("%lf", x + i) != 1) x[i] = NAN; }}
int main(void)
{{
    static double x[100000], g[100000];
    int k, n = 0;
    while (scanf("%d", &k) == 1) {{
        double v = 0.0;
        switch (k) {{ {" ".join(cases)} default: return 1; }}
        printf("%.17g", v);
        for (int i = 0; i < n; i++) printf(" %.17g", g[i]);
        printf("\\n");
    }}
    return 0;
}}
"""
    (folder / "all.c").write_text(_joined([job.text("c") for job in jobs]) + driver, encoding="utf-8")
    _compiled(["gcc", *C_FLAGS, "all.c", "-o", "all_c", "-lm"], folder)
    return ["./all_c"]


def _rust(jobs: Sequence[Job], folder: Path) -> list[str]:
    cases = []
    for k, job in enumerate(jobs):
        count, _ = job.sizes
        arguments = ", ".join(f"x[{i}]" for i in range(count)) if count <= 40 else "x[..].try_into().unwrap()"
        results = ["v", *["g"] * bool(count), *["h"] * job.hessian]
        pattern = f"({', '.join(results)})" if count else "v"
        parts = ["vec![v]", *["g.to_vec()"] * bool(count), *["h.concat()"] * job.hessian]
        cases.append(f"{k} => {{ let {pattern} = {job.name}({arguments}); [{', '.join(parts)}].concat() }}")
    driver = f"""
fn main() {{
    for line in std::io::read_to_string(std::io::stdin()).unwrap().lines() {{
        let mut words = line.split_whitespace();
        let k: usize = words.next().unwrap().parse().unwrap();
        let x: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        let _ = &x;
        let results: Vec<f64> = match k {{ {", ".join(cases)}, _ => unreachable!() }};
        let texts: Vec<String> = results.iter().map(|number| format!("{{:e}}", number)).collect();
        println!("{{}}", texts.join(" "));
    }}
}}
"""
    (folder / "all.rs").write_text(_joined([job.text("rust") for job in jobs]) + "\n" + driver, encoding="utf-8")
    _compiled(["rustc", "--edition", "2021", "-O", "-D", "warnings", "all.rs", "-o", "all_rust"], folder)
    return ["./all_rust"]


def _fortran(jobs: Sequence[Job], folder: Path) -> list[str]:
    uses, cases = [], []
    for k, job in enumerate(jobs):
        count, _ = job.sizes
        uses.append(f"use {job.name}_module")
        inputs = [f"x({i + 1})" for i in range(count)] if count <= 40 else [f"x(1:{count})"]
        arguments = [*inputs, "v", *[f"g(1:{count})"] * bool(count), *[f"h(1:{count}, 1:{count})"] * job.hessian]
        printed = ["v", *[f"g(1:{count})"] * bool(count), *[f"h(1:{count}, 1:{count})"] * job.hessian]
        cases += [f"case ({k})", f"call {job.name}( &", *(f"{each}, &" for each in arguments[:-1]), f"{arguments[-1]})",
                  f"write (*, '(*(es27.17e4))') {', '.join(printed)}"]  # fmt: skip
    driver = [
        "program main",
        *uses,
        "use, intrinsic :: iso_fortran_env, only: real64",
        "implicit none",
        "integer :: k, status",
        "character(len=4000) :: line",
        "real(real64) :: v",
        "real(real64) :: x(1000), g(1000), h(100, 100)",
        "do",
        "read (*, '(a)', iostat=status) line",
        "if (status /= 0) exit",
        "x = 0",
        "g = 0",
        "h = 0",
        "line = trim(line) // ' /'",
        "read (line, *) k, x",
        "select case (k)",
        *cases,
        "end select",
        "end do",
        "end program main",
    ]
    text = "\n".join([*(job.text("fortran") for job in jobs), *driver, ""])
    (folder / "all.f90").write_text(text, encoding="utf-8")
    _compiled(["gfortran", *FORTRAN_FLAGS, "all.f90", "-o", "all_fortran"], folder)
    return ["./all_fortran"]


def _javascript(jobs: Sequence[Job], folder: Path) -> list[str]:
    driver = f"""
import {{ readFileSync }} from "node:fs";
const functions = [{", ".join(job.name for job in jobs)}];
const known = {{ inf: Infinity, "-inf": -Infinity, nan: NaN }};
for (const line of readFileSync(0, "utf8").split("\\n").filter(Boolean)) {{
  const [k, ...words] = line.split(" ");
  const x = words.filter(Boolean).map((word) => word in known ? known[word] : Number(word));
  const result = x.length > 40 ? functions[k](x) : functions[k](...x);
  const numbers = [result.value, ...(result.gradient ?? []), ...(result.hessian ?? []).flat()];
  console.log(numbers.map((number) => number === 0 && 1/number < 0 ? "-0" : String(number)).join(" "));
}}
"""
    (folder / "all.mjs").write_text(_joined([job.text("javascript") for job in jobs]) + driver, encoding="utf-8")
    return ["node", "all.mjs"]


# ---- Languages that run here -----------------------------------------------------------------------------------------


def _flat(entry: Any) -> list[float]:
    return [number for part in entry for number in _flat(part)] if isinstance(entry, (tuple, list)) else [float(entry)]


def defined(text: str, name: str) -> Callable[..., Any]:
    """The function of a Python module."""
    scope: dict[str, Any] = {}
    exec(text, scope)  # noqa: S102  # what is tested is code
    return scope[name]


def _python(job: Job) -> list[list[float]]:
    function = defined(job.text("python"), job.name)
    return [_flat(function(*point) if len(point) <= 40 else function(point)) for point in job.points]


def _numpy(job: Job) -> list[list[float]]:
    numpy = pytest.importorskip("numpy")
    function = defined(job.text("numpy"), job.name)
    columns = numpy.array(job.points, dtype=float).T
    results = function(*columns) if len(columns) <= 40 else function(columns)
    results = results if isinstance(results, tuple) else (results,)
    size = len(job.points)
    flat = [numpy.broadcast_to(part, (*numpy.shape(part)[:-1], size)).reshape(-1, size) for part in results]
    return numpy.concatenate(flat).T.tolist()


@cache
def _database() -> Any:
    """A database in memory, which takes longer to open than a query."""
    return pytest.importorskip("duckdb").connect()


def _sql(job: Job) -> list[list[float]]:
    connection = _database()
    names = [name.replace('"', '""') for name in job.function.inputs]
    columns = ['"#" INTEGER', *(f'"{name}" DOUBLE' for name in names)]
    connection.execute(f"CREATE OR REPLACE TABLE points ({', '.join(columns)})")
    rows = (", ".join([str(n), *(f"'{float(a)!r}'" for a in point)]) for n, point in enumerate(job.points))
    connection.execute(f"INSERT INTO points VALUES ({'), ('.join(rows)})")  # noqa: S608  # numbers of ours
    cursor = connection.execute(job.text("sql", keep=["#"]))
    found = sorted(cursor.fetchall())
    return [_row(job, list(row[1 + len(names) :])) for row in found]


def _row(job: Job, columns: list[float]) -> list[float]:
    """The columns of a row, with the second derivatives as a whole matrix."""
    count, value = len(job.function.inputs), columns[0]
    if not job.hessian:
        return columns
    entries = dict(zip(job.function.hessian, columns[1 + count :], strict=True))
    zero = math.nan if value != value else 0.0
    places = [(min(i, j), max(i, j)) for i in range(count) for j in range(count)]
    return [*columns[: 1 + count], *(entries.get(place, zero) for place in places)]


_RUNNERS: dict[str, Any] = {
    "c": _c,
    "rust": _rust,
    "fortran": _fortran,
    "javascript": _javascript,
    "python": _python,
    "numpy": _numpy,
    "sql": _sql,
}
