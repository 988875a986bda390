"""Every name that a language or its library has, as names of inputs and steps: exported code must compile and agree.

    python tests/support/hostile_names.py                  in all languages that can be run here
    python tests/support/hostile_names.py c fortran        in some

The names are those of Python, NumPy, JavaScript, the C library with its headers, and DuckDB, as they are installed, and
of Fortran and Rust. The exit code is 1 if a program does not compile, or gives other numbers than the formula.
"""

import argparse
import builtins
import itertools
import keyword
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import exported
import numpy
from exported import Job

from autodiff_cli import AutodiffError, parse
from autodiff_cli.evaluation import evaluate

LANGUAGES = ("python", "numpy", "javascript", "sql", "c", "fortran", "rust")
_INPUTS = _STEPS = 8  # of a program
_PROGRAMS = 40  # that are compiled together
_HEADERS = ("math.h", "stdio.h", "stdlib.h", "string.h", "float.h", "complex.h")
_RUST = """as break const continue crate else enum extern fn for if impl in let loop match mod move mut pub ref return
self Self static struct super trait type unsafe use where while async await dyn abstract become box do final macro
override priv typeof unsized virtual yield try gen union raw Option Some None Ok Err Vec String f32 f64 i32 u8 usize
bool char str std core alloc drop Box ToString println vec panic format"""
_FORTRAN = """achar adjustl aimag aint allocated anint associated bessel_j0 bge bit_size ble btest ceiling cmplx conjg
count cpu_time cshift dble digits dim dot_product dprod dshiftl eoshift epsilon erfc_scaled exponent findloc fraction
get_command huge iachar iall iand ibclr index int ior ishft kind lbound leadz len len_trim lge log_gamma logical maskl
matmul maxexponent maxloc maxval merge minloc minval modulo move_alloc mvbits nearest new_line nint norm2 null pack
parity popcnt precision present product radix random_number rank real repeat reshape rrspacing scale scan shape shifta
size spacing spread storage_size system_clock this_image tiny trailz transfer transpose trim ubound unpack program end
module subroutine function integer character implicit none interface contains procedure intent result pure elemental
block associate select case forall concurrent enddo endif stop pause goto entry data common equivalence"""


def names() -> list[str]:
    """All of them that a formula can have as the name of an input."""
    found = {*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *dir(math), *dir(numpy)}
    found |= {*_RUST.split(), *_FORTRAN.split()}
    globals_ = "[globalThis, Math].flatMap(Object.getOwnPropertyNames).join(' ')"
    found |= set(_output("node", "-p", globals_).split())
    for library in Path("/lib").glob("*/lib[cm].so.6"):
        found |= {line.split()[-1].partition("@")[0] for line in _output("nm", "-D", str(library)).splitlines()}
    for header in _HEADERS:
        macros = _output("gcc", "-std=c99", "-dM", "-E", "-include", header, "-x", "c", "/dev/null").splitlines()
        found |= {line.split()[1].partition("(")[0] for line in macros}
    for query in ("keyword_name FROM duckdb_keywords()", "function_name FROM duckdb_functions()"):
        found |= {name for (name,) in duckdb.sql(f"SELECT {query}").fetchall()}
    return sorted(filter(_is_input, found))


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _is_input(name: str) -> bool:
    try:
        return re.fullmatch(r"[A-Za-z_]\w{0,60}", name) is not None and [*parse(f"{name}*2.5").inputs] == [name]
    except AutodiffError:
        return False


def wrong(language: str, groups: Sequence[Sequence[str]]) -> Iterator[str]:
    """What is wrong with programs that have the names of a group each; that which does not compile is sought."""
    jobs = [_job(group, f"function_{place}") for place, group in enumerate(groups)]
    try:
        with tempfile.TemporaryDirectory() as folder:
            answers = exported.run(language, jobs, Path(folder))
    except Exception as error:  # each compiler and each library has its own
        if len(groups) == 1:
            yield f"{' '.join(groups[0])}: {error}"[:2000]
            return
        half = len(groups) // 2
        yield from wrong(language, groups[:half])
        yield from wrong(language, groups[half:])
        return
    for group, job, (answer,) in zip(groups, jobs, answers, strict=True):
        evaluation = evaluate(job.program, dict(zip(job.function.inputs, job.points[0], strict=True)))
        expected = [evaluation.value, *evaluation.gradient.values()]
        if not all(math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-11) for a, b in zip(answer, expected, strict=True)):
            yield f"{' '.join(group)}: {answer} in place of {expected}"


def _job(group: Sequence[str], name: str) -> Job:
    inputs, steps = group[:_INPUTS], group[_INPUTS:]
    text = "".join(
        f"{step} = {a}^2 + sigmoid({b}) + max({a}, 0.3) % 0.7; "
        for step, (a, b) in zip(steps, itertools.pairwise(itertools.cycle(inputs)), strict=False)
    )
    program = parse(text + " + ".join(f"{part}^2" for part in steps or inputs))
    numbers = itertools.cycle((0.5, 0.25, 2.0, 1.5, 0.75))
    job = Job(program, [], name)
    job.points = [[next(numbers) for _ in job.function.inputs]]
    return job


def _groups(language: str, all_names: Iterable[str]) -> Iterator[list[str]]:
    """Names for a program each; in SQL none that differ by case alone, which no table has."""
    size = _INPUTS + _STEPS
    pending = list(all_names)
    while pending:
        group: dict[str, str] = {}
        for name in pending[: 2 * size]:
            group.setdefault(name.lower() if language == "sql" else name, name)
        chosen = list(group.values())[:size]
        pending = [name for name in pending[: 2 * size] if name not in chosen] + pending[2 * size :]
        yield chosen


def main(arguments: Sequence[str]) -> int:
    """Try all names and print what is wrong; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("languages", nargs="*", choices=[[], *LANGUAGES])
    all_names, failed = names(), False
    for language in parser.parse_args(arguments).languages or LANGUAGES:
        groups = list(_groups(language, all_names))
        parts = (groups[start : start + _PROGRAMS] for start in range(0, len(groups), _PROGRAMS))
        findings = [finding for part in parts for finding in wrong(language, part)]
        print(f"{language}: {len(all_names):,} names, {len(findings)} findings", *findings, sep="\n", flush=True)
        failed |= bool(findings)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
