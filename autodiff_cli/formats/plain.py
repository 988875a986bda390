"""Plain lines for shell scripts: the value alone in the first, then `name gradient` in one line each."""

from typing import TextIO

from . import Report


def write(report: Report, out: TextIO) -> None:
    """Write the report."""
    evaluation = report.evaluation
    out.write(f"{evaluation.value!r}\n")
    out.writelines(f"{name} {partial!r}\n" for name, partial in evaluation.gradient.items())
