"""Plain lines for shell scripts: the value alone in the first, then `name gradient` in one line each.

With a gradient check the verdict stands at the end of the line.
"""

from typing import TextIO

from . import Report


def write(report: Report, out: TextIO) -> None:
    """Write the report."""
    evaluation = report.evaluation
    out.write(f"{evaluation.value!r}\n")
    words = {verdict.name: f" {verdict.verdict}" for verdict in report.verdicts or ()}
    out.writelines(f"{name} {partial!r}{words.get(name, '')}\n" for name, partial in evaluation.gradient.items())
