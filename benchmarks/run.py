"""Measure start-up, a large program and scaling, and write benchmarks/RESULTS.md.

    python benchmarks/run.py                       everything, some minutes
    python benchmarks/run.py startup large         some of it
    python benchmarks/run.py --rounds 3 --print    fewer runs, to standard output alone

Whole processes are timed. Every comparison is a ratio between medians of runs that were interleaved on this machine;
no time is asserted. Results are checked before they are timed. Needs the `benchmark` extra.
"""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import large_program
import scaling
import startup
from measure import processor

RESULTS = Path(__file__).parent / "RESULTS.md"
SECTIONS: dict[str, tuple[Callable[[int], str], int]] = {
    "startup": (startup.section, 21),
    "large": (large_program.section, 7),
    "scaling": (scaling.section, 3),
}
"""what can be measured, and how often it is run"""


def main() -> None:
    """Measure what is asked for, print the report and keep it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sections", nargs="*", help=f"of {', '.join(SECTIONS)}; all without it")
    parser.add_argument("--rounds", type=int, help="runs of each command")
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="leave RESULTS.md as it is")
    arguments = parser.parse_args()
    unknown = set(arguments.sections) - set(SECTIONS)
    if unknown:
        parser.error(f"no section {', '.join(sorted(unknown))}")
    parts = [header()]
    for name in arguments.sections or SECTIONS:
        print(f"measuring {name} …", file=sys.stderr)
        section, rounds = SECTIONS[name]
        parts.append(section(arguments.rounds or rounds))
    report = "\n\n".join(parts) + "\n"
    print(report, end="")
    if not arguments.to_stdout:
        RESULTS.write_text(report, encoding="utf-8")


def header() -> str:
    """Say where the numbers come from."""
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"
    libraries = ", ".join(f"{name} {_version(name)}" for name in ("click", "lark", "rich", "micrograd"))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        "# Benchmarks\n\nMade by `python benchmarks/run.py`. Times are medians of whole processes, run in turn with "
        f"what they are compared to.\n\n- Machine: {machine}\n- {python}, {libraries}"
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main()
