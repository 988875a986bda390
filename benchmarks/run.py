"""Measure this program beside other libraries, and write benchmarks/RESULTS.md.

    python benchmarks/run.py                       everything, half an hour
    python benchmarks/run.py startup large         some of it
    python benchmarks/run.py --small --print       everything at small sizes, to standard output alone: a trial

Every comparison is a ratio between medians of runs that were interleaved on this machine; no time is asserted. Results
are compared before anything is timed. Needs the `benchmark` extra; a library that is not installed is left out, and
the report says so.
"""

import argparse
import compileall
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import column_sections
import each
import files
import large_program
import program
import scaling
import startup
from measure import ROOT, processor, table

RESULTS = Path(__file__).parent / "RESULTS.md"
SECTIONS: dict[str, tuple[Callable[[int, bool], str], int]] = {
    "startup": (startup.section, 15),
    "each": (each.section, 3),
    "program": (program.section, 3),
    "neuron": (column_sections.neuron, 2),
    "formulas": (column_sections.formulas, 2),
    "hessians": (column_sections.hessians, 3),
    "means": (column_sections.means, 3),
    "prospero": (column_sections.prospero, 2),
    "cores": (column_sections.cores, 7),
    "files": (files.section, 2),
    "large": (large_program.section, 5),
    "scaling": (scaling.section, 1),
}
"""section → the function that measures it, and its number of runs"""
SUMMARY = "What was to be reached"
ABOUT = """Made by `python benchmarks/run.py`, in one run or section by section. Times are medians of runs in turn, each
in a process of its own.

Results are compared before anything is timed: with columns, at some thousand rows, within 1e-10 of the largest number
of a column; of single formulas and programs within 1e-9, in files within 1e-12. Everybody computes with doubles, and
every process is kept to the cores that are named, with as many threads as these, where the library has threads
(autograd has one). With columns in memory, a call goes from arrays to new arrays of value and gradient, in the form
that the library likes best. What comes before the first results (reading the formula, differentiating, tracing,
compiling) stands under "preparing", for us as for all others, and is in no time of a call: the time from the text to
the results of some thousand rows, in a process that finds nothing compiled. Peak memory is that of the whole process,
the columns included."""
PACKAGES = (
    *("click", "lark", "rich", "numpy", "scipy", "pyarrow"),
    *("micrograd", "autograd", "torch", "jax", "casadi", "sympy", "numexpr"),
)


def main() -> None:
    """Measure what is asked for, print the report and keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; all without it")
    parser.add_argument("--rounds", type=int, help="runs of each command")
    parser.add_argument("--small", action="store_true", help="small sizes and one round: a trial, no measurement")
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="leave RESULTS.md as it is")
    arguments = parser.parse_args()
    unknown = set(arguments.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}")
    for folder in (ROOT / "autodiff_cli", ROOT / "benchmarks"):
        compileall.compile_dir(folder, quiet=1)  # to bytecode, as an installation does and has done with the others
    parts, failed = [], False
    for name in arguments.sections or SECTIONS:
        start = time.perf_counter()
        section, rounds = SECTIONS[name]
        try:
            parts.append(section(arguments.rounds or (1 if arguments.small else rounds), arguments.small))
        except SystemExit as error:  # the other sections are worth having
            failed = True
            parts.append(f"## {name}\n\nStopped: {error}")
            print(error, file=sys.stderr)
        print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
        about = header(arguments.small)
        sections = parts if arguments.to_stdout or arguments.small else [*updated(_kept(about), parts)]
        report = "\n\n".join([about, summary(sections), *sections]) + "\n"
        if not arguments.to_stdout:
            RESULTS.write_text(report, encoding="utf-8")
    print(report, end="")
    sys.exit(failed)


def updated(before: Sequence[str], parts: Sequence[str]) -> Iterable[str]:
    """The sections of a report, with those measured now in place of what they say before."""
    return {section.partition("\n")[0]: section for section in (*before, *parts)}.values()


def _kept(about: str) -> list[str]:
    """The sections of the report as it stands, if they come from this machine with these packages."""
    before, *sections = RESULTS.read_text(encoding="utf-8").rstrip("\n").split("\n\n## ") if RESULTS.exists() else [""]
    comes_from_here = before.splitlines()[-2:] == about.splitlines()[-2:]
    return [f"## {section}" for section in sections if not section.startswith(SUMMARY)] if comes_from_here else []


def header(small: bool) -> str:
    """Say where the numbers come from, and how they are meant."""
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    libraries = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    trial = "\n\n**Small sizes: a trial of the suite, no measurement.**" if small else ""
    return f"# Benchmarks\n\n{ABOUT}{trial}\n\n- Machine: {machine}\n- {python}: {libraries}"


def summary(sections: Sequence[str]) -> str:
    """All that was to be reached, in one table."""
    rows = []
    for section in sections:
        heading = ""
        for line in section.splitlines():
            heading = line.strip("# ") if line.startswith("#") else heading
            if line.rstrip(" |.").endswith((": met", ": **missed**")):
                rows.append([heading, *_figure(line)])
    return f"## {SUMMARY}\n\n" + table(["section", "figure", "measured"], rows)


def _figure(line: str) -> tuple[str, str]:
    """The text of a line of a list or a table, and the numbers at its end."""
    if line.startswith("|"):
        cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        return cells[0], cells[-1]
    text, number, verdict = line.strip("- .").rsplit(": ", 2)
    return text, f"{number}: {verdict}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main()
